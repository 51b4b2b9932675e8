"""Where play can be at each step, what each joint action does there, and how long bounds take.

Games whose every bound would take too long are refused, with the bound that costs nothing. Numbers
whose exact values would grow with every step are kept short: bounds remain bounds when they are
rounded upwards, and short ones are never touched, so that small games have exact answers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from gametheory_core.arrays import ZERO
from gametheory_core.errors import UnsupportedGame, refusing_as, refusing_function
from gametheory_core.games.kinds import require_posg
from gametheory_core.games.rules import POSG
from gametheory_core.leaders.follower_problems import most_in_words, require_short_work
from gametheory_core.leaders.follower_responses import FollowerClass, num_stationary_followers
from gametheory_core.leaders.view import LeaderView, Step, leader_view


def view_led_by(game: POSG | LeaderView, leader: int | None) -> LeaderView:
    """View a game from its leader's side; None is the leader of a view, player 0 of other games."""
    require_posg(game)
    if isinstance(game, LeaderView) and leader is None:
        return game
    with refusing_as(refusing_function()):
        return leader_view(game, leader=0 if leader is None else leader)


class Pair(NamedTuple):
    """What the leader and the follower get."""

    leader: Fraction
    follower: Fraction


@dataclass(frozen=True)
class Layers:
    """A Markov game with a leader, laid out by steps."""

    view: LeaderView

    @cached_property
    def states(self) -> tuple[tuple[int, ...], ...]:
        """The states in which somebody may act, for each step."""
        level = {state for state, _ in self.view.initial}
        layers: list[tuple[int, ...]] = []
        for _ in range(self.view.horizon):
            acting = sorted(s for s in level if self.view.leader_observation[s] >= 0)
            layers.append(tuple(acting))
            level = {after for s in acting for after in self._successors[s]}
        return tuple(layers)

    @cached_property
    def leader_actions(self) -> dict[int, tuple[int, ...]]:
        """The leader's legal actions in each state where somebody may act."""
        seen = self.view.leader_observation.tolist()
        known = {o: self.view.leader_actions(o) for o in set(seen) if o >= 0}
        return {s: known[o] for s, o in enumerate(seen) if o >= 0}

    @cached_property
    def follower_actions(self) -> dict[int, tuple[int, ...]]:
        """The follower's legal actions in each state where somebody may act."""
        seen = self.view.follower_observation.tolist()
        known = {o: self.view.follower_actions(o) for o in set(seen) if o >= 0}
        return {s: known[o] for s, o in enumerate(seen) if o >= 0}

    @cached_property
    def steps(self) -> dict[tuple[int, int, int], Step]:
        """What each joint action does, by state, the leader's and the follower's action."""
        return {
            (s, a, b): self.view.step(s, a, b)
            for s, actions in self.leader_actions.items()
            for a in actions
            for b in self.follower_actions[s]
        }

    @cached_property
    def _successors(self) -> dict[int, set[int]]:
        found: dict[int, set[int]] = {s: set() for s in self.leader_actions}
        for (s, _, _), step in self.steps.items():
            found[s].update(after for after, _ in step.next)
        return found

    def following(self, state: int, theirs: int) -> set[int]:
        """Return the states that an action of the follower may lead to, where somebody may act."""
        return {
            after
            for a in self.leader_actions[state]
            for after, _ in self.steps[state, a, theirs].next
            if after in self.leader_actions
        }

    def mean(
        self, law: tuple[tuple[int, Fraction], ...], time: int, value: Callable[[int], Fraction]
    ) -> Fraction:
        """Return the expected value of states at a step; 0 of those where nobody acts any more."""
        if time == self.view.horizon:
            return ZERO
        return sum((w * value(s) for s, w in law if s in self.leader_actions), ZERO)

    def played(self, after: dict[int, Pair], time: int, cell: tuple[int, int, int]) -> Pair:
        """Return what both get by a joint action in a state, and then by what comes after it."""
        step, discount = self.steps[cell], self.view.discount
        own, other = step.rewards
        return Pair(
            own + discount * self.mean(step.next, time + 1, lambda s: after[s].leader),
            other + discount * self.mean(step.next, time + 1, lambda s: after[s].follower),
        )

    def at_start(self, values: dict[int, Pair]) -> Pair:
        """Return what both get on average, by what they get from the first states on."""
        return Pair(
            self.mean(self.view.initial, 0, lambda s: values[s].leader),
            self.mean(self.view.initial, 0, lambda s: values[s].follower),
        )


MOST_WORK = 50_000_000  # multiplications of numbers of 64 bits, for one exact bound
MOST_FOLLOWERS = 1 << 22  # stationary policies, among which a response is searched
MOST_SUMS = 15_000_000  # the same for a bound in fractions, each of which costs more
FRACTION_WORDS = 150  # as many words take as long as what a fraction costs beside its words
MOST_CELLS = 1 << 19  # of state, joint action and next state; certificates take 16 such tables
WORD = 64


def refuse_large_problem(view: LeaderView, follower_class: FollowerClass) -> None:
    """Refuse a game of which a single dynamic program, in exact numbers, is out of reach.

    Raises:
        UnsupportedGame: Names the size, and what any leader earns at most; or the number of
            stationary policies.
    """
    if follower_class is FollowerClass.STATIONARY:
        _refuse_many_followers(view)
    size = view.tables.successor.size
    if size > MOST_CELLS:
        raise UnsupportedGame(
            needs=f"at most {MOST_CELLS:,} cells of state, joint action, legal or not, and next "
            "state",
            found=f"{view.game!r} has {size:,}",
            remedy=f"{most_in_words(view)} "
            "Number the legal actions of each state from 0 on, so that states share them.",
        )
    cells, words = problem_size(view)
    _refuse(view, cells * words, MOST_WORK)
    require_short_work(view, cells=size)


def refuse_long_sums(view: LeaderView) -> None:
    """Refuse a game of which a bound in fractions, as certificates compute it, is out of reach.

    Raises:
        UnsupportedGame: Names the size, and what any leader earns at most.
    """
    cells, words = problem_size(view)
    _refuse(view, cells * (words + FRACTION_WORDS), MOST_SUMS)


def problem_size(view: LeaderView) -> tuple[int, int]:
    """Return the cells of state, actions, next state and step, and the words of their numbers."""
    tables = view.tables
    scale = tables.weight_denominator * view.discount.denominator
    bits = (scale - 1).bit_length() * view.horizon
    return tables.successor.size * view.horizon, 1 + bits // WORD


def _refuse(view: LeaderView, work: int, most: int) -> None:
    if work > most:
        cells, words = problem_size(view)
        raise UnsupportedGame(
            needs=f"work of at most {most:,} for one exact bound, in multiplications of {WORD}-bit "
            "numbers",
            found=f"it would be {work:,}: {view.game!r} has {cells:,} cells of state, actions, "
            "next "
            f"state and step, with numbers of about {words:,} words",
            remedy=f"{most_in_words(view)} Stop the game earlier, by stop_posg(game, steps=...).",
        )


def _refuse_many_followers(view: LeaderView) -> None:
    count = num_stationary_followers(view)
    if count > MOST_FOLLOWERS:
        raise UnsupportedGame(
            needs=f"at most {MOST_FOLLOWERS:,} stationary policies of the follower",
            found=f"{view.game.players[view.follower]!r} has {count:,} in {view.game!r}",
            remedy=f"{most_in_words(view)} "
            "Take FollowerClass.TIME_AWARE, for whom the number of policies does not matter.",
        )


LONG = 128  # bits of a denominator from which on a number is rounded
KEPT = 64  # leading bits that are kept then


def rounded_up(value: Fraction) -> Fraction:
    """Return a number, or one just above it, to 64 leading bits, if its denominator is long.

    >>> rounded_up(Fraction(1, 3))
    Fraction(1, 3)
    >>> long = Fraction(1, 3**100)
    >>> long < rounded_up(long) < long * (1 + Fraction(1, 2**62))
    True
    """
    if value.denominator.bit_length() <= LONG:
        return value
    excess = abs(value.numerator).bit_length() - value.denominator.bit_length()
    scale = 1 << max(0, KEPT - excess)
    return Fraction(-(-value.numerator * scale // value.denominator), scale)
