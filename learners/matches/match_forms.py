"""Matches between players who recall the last rounds, in numbers: windows, points and a lead.

A match is some rounds of a stage game of two players. Who has more points in the end wins, and a
fair coin decides ties. What players see is a *window*, the last joint actions. In tables of
probabilities the own action comes first, so that one table tells how to play from either seat.
Windows are numbered by length; those of one length are numbers whose digits are joint actions
``own * others + other``, the oldest first. RirRPS has 1 + 9 + 81 + 729 = 820.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance, require_integer, shown
from gametheory_core.arrays import ExactArray, NumberArray, freeze, is_exact, number_array
from gametheory_core.catalog.repeated import (
    POINTS,
    THROWS,
    RepeatedGame,
    RirRPS,
    Shown,
    Window,
    shown_window,
)
from gametheory_core.distributions import distribution
from gametheory_core.errors import InvalidArgument, InvalidStrategy, UnsupportedGame
from gametheory_core.probabilities import ROUNDING
from gametheory_core.strategies.policies import Policy, action_lottery, reactive
from learners._kernels.arrays import MatchArrays
from learners.batches.policy_tables import checked_policy
from learners.policies import as_doubles, mixed_action

MatchGame: TypeAlias = RirRPS | RepeatedGame
TableOrPolicy: TypeAlias = NDArray[Any] | Policy

MOST_WINDOWS = 100_000
MOST_PLACES = 10_000_000  # windows with a lead


@dataclass(frozen=True, eq=False)
class MatchForm:
    """A match in numbers, as the player in one seat sees it.

    Attributes:
        game: What is played.
        seat: Whose actions come first: player 0 or 1.
        recall: How many joint actions are seen at most; no more than are played before the end.
        actions: Own labels, and those of the other player.
        points (A, B): What a joint action adds to the own lead, in whole numbers.
    """

    game: MatchGame
    seat: int
    rounds: int
    recall: int
    actions: tuple[tuple[str, ...], tuple[str, ...]]
    points: NDArray[np.int64]

    @property
    def num_joint(self) -> int:
        """Joint actions of a round."""
        return self.points.size

    @property
    def most(self) -> int:
        """The largest change of a lead in a round."""
        return int(np.abs(self.points).max())

    @property
    def num_windows(self) -> int:
        """All windows that are ever acted on."""
        return int(self.starts[-1])

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The number of the first window of each length, and the number of windows."""
        return np.cumsum([0] + [self.num_joint**k for k in range(self.recall + 1)])

    @cached_property
    def codes(self) -> list[tuple[int, ...]]:
        """The joint actions of each window."""
        lengths = range(self.recall + 1)
        return [c for k in lengths for c in product(range(self.num_joint), repeat=k)]

    @cached_property
    def mirrored(self) -> NDArray[np.int64]:
        """The number that each window has for the other player, shape (num_windows,)."""
        own, other = self.points.shape
        turned = np.arange(self.num_joint).reshape(own, other).T.argsort(axis=None)
        return np.array([self.number_of(turned[list(codes)].tolist()) for codes in self.codes])

    @property
    def arrays(self) -> MatchArrays:
        """What compiled loops read."""
        points = self.points.ravel()
        worth = np.array([points[list(codes)].sum() for codes in self.codes], dtype=np.int64)
        return MatchArrays(points, self.starts, worth, self.rounds, self.most)

    def number_of(self, codes: list[int]) -> int:
        """Return the number of the window of some joint actions, oldest first."""
        number = 0
        for code in codes:
            number = number * self.num_joint + code
        return int(self.starts[len(codes)]) + number

    def window(self, number: int) -> Window:
        """Return a window as the game shows it: the actions of player 0 first."""
        own, other = self.actions
        joint = [divmod(code, len(other)) for code in self.codes[number]]
        pairs = [(own[i], other[j]) for i, j in joint]
        return tuple(pair if self.seat == 0 else pair[::-1] for pair in pairs)


def match_form(game: MatchGame, *, seat: int = 0) -> MatchForm:
    """Write a match in numbers: RirRPS, or a repeated game in which the higher payoff wins.

    Args:
        game: Two players who see whole windows, a number of rounds, no discount.
        seat: Whose actions come first.

    Raises:
        UnsupportedGame: If the game is another, or has too many windows.

    >>> from gametheory_core.catalog import RirRPS
    >>> match_form(RirRPS()).num_windows
    820
    """
    require_integer(seat, name="seat", low=0, high=1)
    if isinstance(game, RirRPS):
        rounds, actions = game.repetitions, (THROWS, THROWS)
        lead = np.array([[POINTS[a, b] for b in THROWS] for a in THROWS], dtype=object)
    else:
        rounds = _rounds(game)
        stage = game.stage
        payoffs = stage.exact_payoffs
        actions, lead = (stage.actions[0], stage.actions[1]), payoffs[0] - payoffs[1]
    whole = lcm(*(Fraction(entry).denominator for entry in lead.ravel()))
    points = [[int(entry * whole) for entry in row] for row in lead.tolist()]
    most = max(abs(entry) for row in points for entry in row)
    recall = min(game.recall, rounds - 1)
    seen = sum(lead.size**k for k in range(recall + 1))
    leads = 2 * rounds * most + 1
    if seen > MOST_WINDOWS or seen * leads > MOST_PLACES:
        raise UnsupportedGame(
            needs=f"at most {MOST_WINDOWS:,} windows, and {MOST_PLACES:,} windows with a lead",
            found=f"{game.title} has {seen:,} windows and {leads:,} leads",
            remedy="Give a shorter recall, or sample: sampled_win_rates.",
        )
    table = np.array(points, dtype=np.int64)
    if seat == 1:
        return MatchForm(game, 1, rounds, recall, (actions[1], actions[0]), freeze(-table.T))
    return MatchForm(game, 0, rounds, recall, actions, freeze(table))


def _rounds(game: object) -> int:
    """Return how long a repeated game is, if it is a match."""
    needs = "RirRPS, or a repeated game of two players with rounds, whole windows and no discount"
    if not isinstance(game, RepeatedGame):
        found = f"got {shown(game)}"
    elif len(game.players) != 2:  # a match
        found = f"{game.title} has {len(game.players)} players"
    elif game.rounds is None:
        found = f"{game.title} has no end"
    elif game.memory is not Shown.ALL:
        found = f"{game.title} shows only the others' actions"
    elif game.discount != 1:
        found = f"{game.title} has discount {game.discount}"
    else:
        return game.rounds
    raise UnsupportedGame(needs=needs, found=found, remedy="Sample instead: sampled_win_rates.")


def policy_table(game: MatchGame, policy: Policy, *, seat: int = 0) -> ExactArray:
    """Return what a policy does after each window, exactly, own actions first.

    Args:
        policy: Asked once for each window: at the information state of a match that began with
            it. One that looks further back than the last window is misread.
        seat: Where the policy sits.

    Returns:
        (num_windows, num_actions): As all functions of matches take it; ``.astype(float)`` makes
        one for compiled loops.

    Raises:
        InvalidStrategy: If it is no policy, says nothing after a window, or plays an illegal
            action.

    >>> from gametheory_core import uniform_policies
    >>> from gametheory_core.catalog import RirRPS
    >>> policy_table(RirRPS(), uniform_policies(RirRPS())[1], seat=1).shape
    (820, 3)
    """
    form = match_form(game, seat=seat)
    own = form.actions[0]
    table = np.full((form.num_windows, len(own)), Fraction(0), dtype=object)
    policy = checked_policy(policy)
    for number in range(form.num_windows):
        known: list[Any] = [shown_window((), recall=game.recall)]
        window = form.window(number)
        for k, joint in enumerate(window, start=1):
            known += [joint[seat], window[:k]]
        try:
            law = action_lottery(game, seat, policy, tuple(known))
        except (LookupError, InvalidArgument) as error:  # of what was made for another game
            raise InvalidStrategy(
                needs=f"a policy of {game.title}",
                found=f"it cannot be asked after {window!r} ({error})",
                remedy="Give one of this game, with the same rounds and the same recall.",
            ) from None
        for action, weight in law:
            table[number, own.index(action)] = weight
    return freeze(table)


def table_policy(game: MatchGame, table: NDArray[Any], *, seat: int = 0) -> Policy:
    """Return the policy that plays by a table of windows, own actions first.

    Args:
        table (num_windows, num_actions): Floats are rounded to multiples of 2^-50.
        seat: Where the policy is to sit.

    Raises:
        InvalidArgument: If the table is no array.
        InvalidStrategy: If the table is none of the game, or a row is no distribution.

    >>> from gametheory_core.catalog import RirRPS
    >>> always_rock = np.tile([1, 0, 0], (820, 1))
    >>> table_policy(RirRPS(), always_rock)[(),].items
    (('rock', Fraction(1, 1)),)
    """
    require_instance(table, np.ndarray, name="table")
    form = match_form(game, seat=seat)
    checked = checked_table(form, table)
    labels = form.actions[0]
    exactly = is_exact(checked)
    return reactive(
        {
            shown_window(form.window(k), recall=game.recall): distribution(
                {a: w for a, w in zip(labels, row.tolist(), strict=True) if w}
            )
            if exactly
            else mixed_action(labels, row)
            for k, row in enumerate(checked)
        }
    )


def checked_table(form: MatchForm, given: TableOrPolicy, *, name: str = "policy") -> NumberArray:
    """Return a table as read-only numbers, after checking it; a policy is made one.

    Raises:
        InvalidStrategy: If the shape is wrong, or a row is no distribution; names the window.
    """
    if not isinstance(given, np.ndarray):
        return policy_table(form.game, given, seat=form.seat)
    table = number_array(as_doubles(given) if given.dtype.kind == "f" else given, where=name)
    shape = (form.num_windows, len(form.actions[0]))
    if table.shape != shape:
        raise InvalidStrategy(
            needs=f"probabilities of shape {shape}, windows by actions",
            found=f"{name} has shape {table.shape}",
            remedy="policy_table(game, policy) makes such a table.",
        )
    allowed = 0 if is_exact(table) else ROUNDING
    bad = (table < 0).any(axis=1) | (abs(table.sum(axis=1) - 1) > allowed)
    for number in np.flatnonzero(bad)[:1].tolist():
        row = [str(entry) for entry in table[number].tolist()]
        raise InvalidStrategy(
            needs="probabilities that sum to 1 after each window",
            found=f"{name} has {row} after {form.window(number)!r}",
        )
    return table
