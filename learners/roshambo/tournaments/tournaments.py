"""Tournaments: each of several agents plays matches against each bot of a population.

Whoever breaks off a match, by an error, by no throw, or by taking too long, forfeits it: the
opponent is paid all throws of the match. The tournament goes on.
"""

import hashlib
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_integer, require_number
from gametheory_core.arrays import freeze
from gametheory_core.errors import InvalidArgument, named
from gametheory_core.memory import require_memory
from learners.roshambo.matches.guarded_matches import NOBODY, Outcome, Task
from learners.roshambo.matches.isolated_matches import isolated_matches
from learners.roshambo.matches.matches import Bot, require_room
from learners.roshambo.tournaments.evaluation import require_makers
from learners.roshambo.tournaments.makers import is_strange
from learners.roshambo.tournaments.match_records import Key, MatchRecords, Pair
from learners.roshambo.tournaments.payoff_tables import PayoffTable
from learners.roshambo.tournaments.scores import PopulationScores
from learners.roshambo.tournaments.sources import source_of
from solvers.workers import processes_for

Maker: TypeAlias = Callable[[], Bot]
OnMatch: TypeAlias = Callable[[int, int, str], None]  # how many are played, of how many, by whom
SECONDS = 60.0  # that a bot may think in a match
FILE = "matches.jsonl"  # in the folder of a tournament
BYTES_OF_A_MATCH = 400  # an outcome, its key, and its line in the file
AT_ONCE = 25  # matches of a pair, in one order to a process


@dataclass(frozen=True)
class Forfeit:
    """A match that did not come to its end.

    Attributes:
        agent, bot, match: Which it was; matches are counted from 0.
        loser: Who forfeits it; "" if the match ended without anybody's doing, and counts 0.
        side: Who of the two that is, "agent" or "bot", whose names may be one; "" if nobody.
        why: What the loser did.
    """

    agent: str
    bot: str
    match: int
    loser: str
    side: str
    why: str


@dataclass(frozen=True, eq=False)
class Tournament:
    """All matches of agents against a population.

    Attributes:
        returns (agents, bots, matches): What agents were paid, int64.
        forfeits: In the order of the table.
    """

    agents: tuple[str, ...]
    bots: tuple[str, ...]
    throws: int
    seed: int
    returns: NDArray[np.int64]
    forfeits: tuple[Forfeit, ...]

    @property
    def table(self) -> PayoffTable:
        """Means and their errors."""
        return PayoffTable.from_returns(self.agents, self.bots, self.returns)

    def scores(self, agent: str) -> PopulationScores:
        """Return the scores of one agent; at least two matches."""
        return PopulationScores(self.bots, self.returns[self.agents.index(agent)])


def tournament(
    agents: Mapping[str, Maker],
    population: Mapping[str, Maker],
    *,
    episodes: int,
    seed: int,
    throws: int = 1000,
    seconds: float = SECONDS,
    jobs: int = 1,
    folder: str | Path | None = None,
    on_match: OnMatch | None = None,
) -> Tournament:
    """Let agents play a population, in processes of their own.

    Args:
        agents, population: Make bots, by name: classes, or functions without arguments.
        episodes: Matches of each pair. Agents that are bots of the population play one match for
            both orders of a pair: what one is paid, the other is not.
        seed: Of all matches. Each has its own seeds, which depend on this one, both names and the
            number of the match alone: more agents, bots or episodes change no match.
        throws: In a match.
        seconds: That each may take for a match; who takes longer forfeits it.
        jobs: Processes, -1 for all processors; changes nothing but the time.
        folder: Where matches are kept, in ``matches.jsonl``; those that are there are not played
            again. What made whom is kept too: a maker's ``source``, or its name and arguments.
        on_match: Called as matches end.

    Raises:
        InvalidArgument: If there is nobody, an option makes no sense, or the folder is of another
            tournament.
        UnsupportedGame: If matches are so long, or so many, that they do not fit into memory.
        MalformedFile: If a line of the file is no record.
        KeyboardInterrupt: On Ctrl-C; what was played is kept.

    >>> class Rock:
    ...     def reset(self, seed): pass
    ...     def throw(self, own, other): return 0
    >>> class Tired(Rock):
    ...     def throw(self, own, other): return 1 if len(own) < 8 else None
    >>> found = tournament({"rock": Rock}, {"tired": Tired}, episodes=2, seed=1, throws=9)
    >>> found.returns.tolist(), found.forfeits[0].loser, found.forfeits[0].why
    ([[[9, 9]]], 'tired', 'throw 8 is None (type NoneType), not 0, 1 or 2')
    """
    jobs = _check(agents, population, jobs=jobs, episodes=episodes, seed=seed, throws=throws)
    require_number(seconds, name="seconds", above=0)
    require_room(throws, matches=jobs)
    require_memory(
        BYTES_OF_A_MATCH * count_matches(agents, population, episodes),
        what=f"the outcomes of {episodes:,} matches of each pair",
        remedy=f"Play fewer: {named('episodes')}.",
    )
    own = {name: maker for name, maker in agents.items() if population.get(name) is not maker}
    makers = {("agent", name): maker for name, maker in own.items()}
    makers |= {("bot", name): maker for name, maker in population.items()}
    made_of = {key: source_of(maker) for key, maker in makers.items()}
    shared = {"seed": seed, "throws": throws, "seconds": float(seconds)}
    records = MatchRecords(None if folder is None else _file(folder), shared, made_of)
    pairs = set(_pairs(agents, population).values())
    before = sum(pair in pairs and n < episodes for pair, n in records.played)
    total = len(pairs) * episodes
    asked: list[tuple[Pair, list[int]]] = []  # by the number of the task

    def orders() -> Generator[Task]:
        for pair, numbers in _missing(agents, population, episodes, records.played):
            asked.append((pair, numbers))
            (_, one), (_, two) = pair
            each = tuple(seeds_by_name(seed, one, two, n) for n in numbers)
            yield Task(" ".join(pair[0]), " ".join(pair[1]), each, throws, float(seconds))

    by_words = {" ".join(member): maker for member, maker in makers.items()}
    strangers = {name for name, maker in by_words.items() if is_strange(maker)}
    outcomes = isolated_matches(by_words, orders(), jobs=jobs, strangers=strangers)
    try:
        for done, (task, match, outcome) in enumerate(outcomes, start=before + 1):
            pair, numbers = asked[task]
            records.add((pair, numbers[match]), outcome)
            if on_match is not None:
                on_match(done, total, " - ".join(name for _, name in pair))
    finally:
        outcomes.close()
        records.write()
    return _result(agents, population, records.played, episodes, throws=throws, seed=seed)


def _pairs(
    agents: Mapping[str, Maker], population: Mapping[str, Maker]
) -> dict[tuple[str, str], Pair]:
    """Return who play, by agent and bot: the first by name begins, whoever else takes part."""
    pairs: dict[tuple[str, str], Pair] = {}
    for agent, maker in agents.items():
        side = "bot" if population.get(agent) is maker else "agent"
        for bot in population:
            one, two = (side, agent), ("bot", bot)
            pairs[agent, bot] = (one, two) if agent <= bot else (two, one)
    return pairs


def count_matches(
    agents: Mapping[str, Maker], population: Mapping[str, Maker], episodes: int
) -> int:
    """Return how many matches a tournament has.

    >>> everybody = {"rock": object, "paper": object}
    >>> count_matches(everybody, everybody, 20)
    60
    """
    return len(set(_pairs(agents, population).values())) * episodes


def _check(
    agents: Mapping[str, Maker], population: Mapping[str, Maker], *, jobs: int, **whole: int
) -> int:
    require_makers(agents, what="agents")
    require_makers(population, what="population")
    lows = {"episodes": 1, "seed": 0, "throws": 1}
    for name, value in whole.items():
        require_integer(value, name=name, low=lows[name])
    return processes_for(jobs)


def _missing(
    agents: Mapping[str, Maker],
    population: Mapping[str, Maker],
    episodes: int,
    played: Mapping[Key, Outcome],
) -> Generator[tuple[Pair, list[int]]]:
    """Tell which matches are to be played, a few of a pair at once, so that all get on alike."""
    pairs = dict.fromkeys(_pairs(agents, population).values())
    for begin in range(0, episodes, AT_ONCE):
        for pair in pairs:
            span = range(begin, min(begin + AT_ONCE, episodes))
            numbers = [n for n in span if (pair, n) not in played]
            if numbers:
                yield pair, numbers


def _file(folder: str | Path) -> Path:
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        needs = f"a folder that can be written, but: {error.strerror}"
        raise InvalidArgument(needs=needs, where=folder) from None
    return Path(folder) / FILE


def seeds_by_name(seed: int, first: str, second: str, match: int) -> tuple[int, int]:
    """Return the seeds of both in a match; at least 1, below 2^32.

    >>> seeds_by_name(1, "a", "b", 0) == seeds_by_name(1, "a", "b", 1)
    False
    """
    pair = hashlib.sha256(repr((first, second)).encode()).digest()
    words = [int.from_bytes(pair[i : i + 4], "little") for i in range(0, 16, 4)]
    own, other = np.random.SeedSequence((seed, *words, match)).generate_state(2).tolist()
    return max(own, 1), max(other, 1)


def _result(
    agents: Mapping[str, Maker],
    population: Mapping[str, Maker],
    played: Mapping[Key, Outcome],
    episodes: int,
    *,
    throws: int,
    seed: int,
) -> Tournament:
    pairs = _pairs(agents, population)
    returns = np.zeros((len(agents), len(population), episodes), dtype=np.int64)
    forfeits: list[Forfeit] = []
    for a, agent in enumerate(agents):
        for b, bot in enumerate(population):
            pair = pairs[agent, bot]
            seat = 0 if agent == pair[0][1] else 1
            for match in range(episodes):
                own = played[pair, match]
                returns[a, b, match] = -own.paid if seat else own.paid
                if own.why:
                    loser, side = "", ""
                    if own.loser != NOBODY:
                        loser, side = pair[own.loser][1], "agent" if own.loser == seat else "bot"
                    forfeits.append(Forfeit(agent, bot, match, loser, side, own.why))
    return Tournament(
        tuple(agents), tuple(population), throws, seed, freeze(returns), tuple(forfeits)
    )
