"""Win rates of any game of two players, by playing: seats alternate, intervals hold at all times.

Who is paid more wins the match; who is paid more by no more than rounding may do ties. Each pair
of agents has its own random numbers, and so has each seat: what is played does not depend on who
else is there, on batches, or on how much is played at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import as_tuple, require_integer, require_number
from gametheory_core.arrays import ExactArray, FloatArray, freeze
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from learners.batches.game import BatchedGame, Playable
from learners.batches.policy_tables import TableOrPolicy
from learners.batches.sampled_play import Plays, plays_of, require_finite
from learners.batches.sight import Sees
from learners.matches.confidence import win_rate_intervals
from solvers.populations.win_rates import win_rates_from_wins

Agent: TypeAlias = Sequence[TableOrPolicy]  # how it plays in each seat

BATCH = 1000  # matches between two looks at an interval
MOST_AT_ONCE = 2**20  # matches where none is looked at
TIE = 2.0**-40  # leads smaller than this share of all that was paid come of rounding


@dataclass(frozen=True, eq=False)
class SampledWinRates:
    """How matches between agents ended.

    Attributes:
        wins (agents, agents): How often each beat each other, int64.
        ties (agents, agents): How often both were paid alike.
        error: How likely each interval may miss its win rate, whenever play stopped.
    """

    wins: NDArray[np.int64]
    ties: NDArray[np.int64]
    error: float

    @property
    def matches(self) -> NDArray[np.int64]:
        """How often each met each other, shape (agents, agents)."""
        return self.wins + self.wins.T + self.ties

    @property
    def win_rates(self) -> ExactArray:
        """Shares of matches won, ties counting half; 1/2 on the diagonal."""
        return win_rates_from_wins(self.wins + self.ties.astype(object) * Fraction(1, 2))

    @property
    def intervals(self) -> FloatArray:
        """Where win rates are, shape (agents, agents, 2); each holds by itself.

        For all pairs at once, sample with the error divided by their number.
        """
        ends = win_rate_intervals(self.wins, self.ties, self.wins.T, error=self.error).copy()
        ends[np.diag_indices(len(ends))] = 0.5
        return freeze(ends)


def sampled_win_rates(
    game: Playable | BatchedGame,
    agents: Sequence[Agent],
    *,
    matches: int,
    seed: int,
    precision: float | None = None,
    error: float = 0.05,
    sees: Sees | None = None,
    horizon: int | None = None,
    jobs: int = 1,
) -> SampledWinRates:
    """Let all agents play each other, half of the matches in each seat.

    Args:
        game: Any POSG, AEC game or tree of two players.
        agents: For each a profile: how it plays in either seat, as ``mean_returns`` takes policies.
        matches: Of each pair, at most. If odd, a coin of the seed decides who sits first in the
            last one.
        precision: Stop as soon as the interval of a pair is at most this far from its middle;
            looked at after each 1,000 matches. Never, if None.
        error: How likely the interval of a pair may miss its win rate; stopping early does not
            change it.
        sees, horizon: As for ``mean_returns``.
        jobs: Pairs that play at once, in threads; changes nothing but the time.

    Raises:
        InvalidArgument: If there are fewer than two agents, no matches, or an option makes no
            sense.
        UnsupportedGame: If the game has not two players; else as for ``mean_returns``.
        InvalidStrategy: If a policy is none of the game.

    >>> from gametheory_core import load_game, uniform_policies
    >>> from gametheory_core.conversions import normal_to_posg
    >>> game = normal_to_posg(load_game("rock_paper_scissors")).target
    >>> evenly = uniform_policies(game)
    >>> found = sampled_win_rates(game, [evenly, evenly], matches=1000, seed=1)
    >>> bool(abs(float(found.win_rates[0, 1]) - 0.5) < 0.1)
    True
    """
    import joblib  # noqa: PLC0415 loads what runs processes

    require_integer(matches, name="matches", low=1)
    require_integer(jobs, name="jobs", low=1)
    require_number(error, name="error", above=0, below=1)
    if precision is not None:
        require_number(precision, name="precision", above=0)
    own = _ready(game, agents, seed=seed, sees=sees, horizon=horizon)
    meetings = [
        _Meeting(i, j, seed, own[i], own[j], matches, precision, error)
        for i, j in combinations(range(len(own)), 2)
    ]
    tasks = (joblib.delayed(_Meeting.played)(meeting) for meeting in meetings)
    found = cast("list[Any]", joblib.Parallel(n_jobs=jobs, require="sharedmem")(tasks))
    wins = np.zeros((len(own),) * 2, dtype=np.int64)
    ties = np.zeros_like(wins)
    for meeting, (won, tied, lost) in zip(meetings, found, strict=True):
        i, j = meeting.first, meeting.second
        wins[i, j], wins[j, i] = won, lost
        ties[i, j] = ties[j, i] = tied
    return SampledWinRates(freeze(wins), freeze(ties), error)


def _ready(
    game: Playable | BatchedGame,
    agents: Sequence[Agent],
    *,
    seed: int,
    sees: Sees | None,
    horizon: int | None,
) -> list[Plays]:
    """Return what each agent does in either seat, all on one table of the game."""
    given = as_tuple(agents, name="agents", remedy="Give a profile for each.")
    if len(given) < 2:  # nobody to play
        raise InvalidArgument(needs="at least two agents", found=f"got {len(given)}")
    ready = [plays_of(game, given[0], seed=seed, sees=sees, horizon=horizon)]
    table = ready[0].game
    if len(table.players) != 2:  # a match
        raise UnsupportedGame(needs="two players", found=f"the game has {len(table.players)}")
    return ready + [plays_of(table, agent, seed=seed) for agent in given[1:]]


@dataclass(frozen=True, eq=False)
class _Meeting:
    """Two agents who are to play each other."""

    first: int
    second: int
    seed: int
    one: Plays
    other: Plays
    matches: int
    precision: float | None
    error: float

    def played(self) -> NDArray[np.int64]:
        """Return how often the first agent won, tied and lost."""
        counts = np.zeros(3, dtype=np.int64)
        seats = self._in_seats()
        done = 0
        while done < self.matches:
            more = min(MOST_AT_ONCE if self.precision is None else BATCH, self.matches - done)
            for seat, plays in enumerate(seats):
                odd = more % 2 and self._stream(2)[0] % 2 == seat
                counts += _counted(plays, done // 2, more // 2 + odd, seat)
            done += more
            if self.precision is not None:
                low, high = win_rate_intervals(*counts, error=self.error)
                if high - low <= 2 * self.precision:
                    break
        return counts

    def _in_seats(self) -> list[Plays]:
        """Return the plays with the first agent in either seat."""
        pairs = (self.one, self.other), (self.other, self.one)
        return [
            replace(top, key=self._stream(seat)[0], policies=_seated(top.policies, bottom.policies))
            for seat, (top, bottom) in enumerate(pairs)
        ]

    def _stream(self, use: int) -> NDArray[np.uint64]:
        """Return a number of the seed for each seat, and one for the last match if that is odd."""
        key = (self.first, self.second, use)
        sequence = np.random.SeedSequence(self.seed, spawn_key=key)
        return sequence.generate_state(1, np.uint64).astype(np.uint64)


def _seated(
    first: tuple[NDArray[np.uint64], NDArray[np.int64]],
    second: tuple[NDArray[np.uint64], NDArray[np.int64]],
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the first agent's policy in the first seat, and the second's in the second."""
    starts = first[1]
    return np.concatenate([first[0][: starts[1]], second[0][starts[1] :]]), starts


def _counted(plays: Plays, start: int, episodes: int, seat: int) -> NDArray[np.int64]:
    """Return how often who sits in a seat won, tied and lost."""
    if not episodes:
        return np.zeros(3, dtype=np.int64)
    earned, lengths = plays.returns(episodes, 1, start=start)
    require_finite(earned)
    largest = float(np.abs(plays.game.table.rules.rewards).max(initial=0.0))
    paid = largest * (lengths.astype(np.float64) + 1)
    lead = signs_of_leads(earned[:, seat] - earned[:, 1 - seat], paid)
    return np.array([(lead > 0).sum(), (lead == 0).sum(), (lead < 0).sum()])


def signs_of_leads(leads: FloatArray, paid: FloatArray) -> FloatArray:
    """Return 1 where somebody was paid more than another, -1 where less, 0 where as much.

    Sums in floats differ by their order: leads of at most ``TIE`` of what was paid are none.

    Args:
        leads, paid: Of one shape; ``paid`` is the sum of all absolute rewards, or more.

    >>> signs_of_leads(np.array([0.1 + 0.2 - 0.3, 1.0]), np.array([0.6, 3.0])).tolist()
    [0.0, 1.0]
    """
    return np.where(abs(leads) > TIE * paid, np.sign(leads), 0.0)
