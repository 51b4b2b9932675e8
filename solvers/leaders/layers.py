"""Where play can be at each step, and what each joint action does there."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from gametheory_core.arrays import ZERO
from gametheory_core.conversions.leader_view import leader_view
from gametheory_core.games.callers import refusing_as
from gametheory_core.games.kinds import require_posg
from gametheory_core.games.leader_view import LeaderView, Step
from gametheory_core.games.posg import POSG


def view_led_by(game: POSG | LeaderView, leader: int | None, *, function: str) -> LeaderView:
    """View a game from its leader's side; None is the leader of a view, player 0 of other games."""
    require_posg(game, function=function)
    if isinstance(game, LeaderView) and leader is None:
        return game
    with refusing_as(function, instead_of="leader_view"):
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
