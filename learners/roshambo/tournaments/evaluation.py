"""Matches of an agent against a population, in processes side by side, written down as they end.

A file of results has a header and then a line for each match. Who asks for more matches, or was
interrupted, goes on from what is there.
"""

import json
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arguments import require_function, require_instance, require_integer, shown
from gametheory_core.errors import InvalidArgument
from learners.roshambo.matches.matches import Bot, play_match
from learners.roshambo.tournaments.match_records import integer_within, parsed_line
from learners.roshambo.tournaments.scores import PopulationScores, require_names
from learners.roshambo.tournaments.sources import source_of
from solvers.workers import in_parts, processes_for

SCHEMA = "gametheory-core/roshambo/2"
Maker: TypeAlias = Callable[[], Bot]
Played: TypeAlias = dict[tuple[str, int], int]


def evaluate_bot(
    agent: Maker,
    population: Mapping[str, Maker],
    *,
    matches: int,
    seed: int,
    throws: int = 1000,
    jobs: int = 1,
    file: str | Path | None = None,
) -> PopulationScores:
    """Let an agent play matches against each bot of a population.

    Args:
        agent: Makes the agent: a class, or a ``functools.partial``; it must be possible to pickle.
        population: Makes the bots, by name; for example ``open_spiel_population()``.
        matches: Against each, at least 2.
        seed: Of all matches; each of them has its own seeds, which depend on this one, the bot's
            place and the number of the match alone.
        throws: In a match.
        jobs: Processes, -1 for all processors; changes nothing but the time.
        file: Where results are kept, JSON lines; matches that are there are not played again.
            What made whom is kept too: a maker's ``source``, or its name and arguments.

    Raises:
        InvalidArgument: If an option makes no sense, or the file is of another evaluation.
        MalformedFile: If a line of the file is no result.

    >>> from functools import partial
    >>> class Cycle:
    ...     def __init__(self, step): self.step = step
    ...     def reset(self, seed): self.start = seed
    ...     def throw(self, own, other): return (self.start + self.step * len(own)) % 3
    >>> population = {"still": partial(Cycle, 0), "slow": partial(Cycle, 1)}
    >>> scores = evaluate_bot(partial(Cycle, 2), population, matches=4, seed=1, throws=9)
    >>> scores.means.tolist()
    [0.0, 0.0]
    """
    require_function(agent, name="agent", remedy="Give its class, not a bot.")
    require_makers(population, what="population")
    processes_for(jobs)
    for name, value, low in (("matches", matches, 2), ("seed", seed, 0), ("throws", throws, 1)):
        require_integer(value, name=name, low=low)
    bots = tuple(population)
    header = {"schema": SCHEMA, "agent": source_of(agent), "bots": list(bots)}
    header |= {"sources": [source_of(maker) for maker in population.values()]}
    header |= {"seed": seed, "throws": throws}
    results = _Results(file, header)
    left = [
        (number, bot, match)
        for match in range(matches)
        for number, bot in enumerate(bots)
        if (bot, match) not in results.played
    ]
    tasks = [
        (agent, population[bot], bot, match, throws, match_seeds(seed, number, match))
        for number, bot, match in left
    ]
    with results.keeping() as keep:
        in_parts(_played, tasks, jobs=jobs, on_done=keep)
    rows = [[results.played[bot, match] for match in range(matches)] for bot in bots]
    return PopulationScores(bots, np.array(rows))


def match_seeds(seed: int, bot: int, match: int) -> tuple[int, int]:
    """Return the seeds of the agent and of the bot in a match; both at least 1, below 2^32.

    >>> match_seeds(1, 0, 0) == match_seeds(1, 0, 0), match_seeds(1, 0, 1) == match_seeds(1, 1, 0)
    (True, False)
    """
    own, other = np.random.SeedSequence((seed, bot, match)).generate_state(2).tolist()
    return max(own, 1), max(other, 1)


def require_makers(makers: Any, *, what: str) -> None:
    """Refuse anything but a mapping from names to what makes bots, of one or more.

    Raises:
        InvalidArgument: Shows what came instead.
    """
    remedy = 'Give a mapping from names, {"mine": Mine}.'
    require_instance(makers, Mapping, name=what, remedy=remedy)
    require_names(tuple(makers), what=what)
    for name, maker in makers.items():
        remedy = "Give its class, not a bot."
        require_function(maker, name=f"{what}[{name!r}]", remedy=remedy)


def _played(
    agent: Maker, maker: Maker, bot: str, match: int, throws: int, seeds: tuple[int, int]
) -> tuple[str, int, int]:
    found = play_match(agent(), maker(), throws=throws, seeds=seeds)
    return bot, match, found.returns[0]


class _Results:
    """What has been played, in memory and in a file if there is one."""

    def __init__(self, file: str | Path | None, header: dict[str, Any]) -> None:
        self.played: Played = {}
        self._file = None if file is None else Path(file)
        if self._file is None:
            return
        try:
            content = self._file.read_bytes() if self._file.exists() else b""
            whole = content[: content.rfind(b"\n") + 1]  # the last line may be half there
            if whole:
                self._read(self._file, whole.decode("utf-8", "replace").splitlines(), header)
                with self._file.open("r+b") as opened:
                    opened.truncate(len(whole))
            else:
                self._file.write_text(json.dumps(header) + "\n", encoding="utf-8")
        except OSError as error:
            needs = f"a file that can be written, but: {error.strerror}"
            raise InvalidArgument(needs=needs, where=self._file) from None

    def _read(self, file: Path, lines: list[str], header: dict[str, Any]) -> None:
        for number, line in enumerate(lines, start=1):
            record = parsed_line(line, file=file, number=number)
            if number > 1:
                key = record["bot"].one_of(*header["bots"]), integer_within(record["match"], 0)
                throws = header["throws"]
                paid = integer_within(record["return"], -throws, throws)
                if self.played.setdefault(key, paid) != paid:
                    record["return"].fail(f"{self.played[key]}, as in a line before")
            elif record.value != header:
                raise InvalidArgument(
                    needs=f"results of the same evaluation, {shown(header)}",
                    found=f"they are of {shown(record.value)}",
                    remedy="Give another file.",
                    where=file,
                )

    @contextmanager
    def keeping(self) -> Generator[Callable[[tuple[str, int, int]], None]]:
        """Give a function that keeps a result, as soon as there is one."""
        with ExitStack() as stack:
            opened = self._file and stack.enter_context(self._file.open("a", encoding="utf-8"))

            def keep(result: tuple[str, int, int]) -> None:
                bot, match, paid = result
                self.played[bot, match] = paid
                if opened:
                    record = {"bot": bot, "match": match, "return": paid}
                    opened.write(json.dumps(record) + "\n")
                    opened.flush()

            yield keep
