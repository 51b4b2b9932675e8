"""Hypothesis strategies for POSGs and AEC games whose players join late and leave early.

A drawn game is played on behind the backs of those who are away: they are ``IDLE``, their first
legal action is taken for them, and they are paid nothing. A player joins when play enters one of
some states, and leaves when it enters one of others; so chance and what players do decide who is
there. Play is over when nobody is.
"""

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from gametheory_core.arrays import ZERO
from gametheory_core.conversions.dispatch import choices
from gametheory_core.distributions import Distribution, point_mass, push_forward
from gametheory_core.games.rules import (
    AEC,
    AWAY,
    IDLE,
    NULL,
    POSG,
    JointAction,
    Rewards,
    from_inner,
)
from gametheory_core.testing.generators import Draw, st
from gametheory_core.testing.rule_generators import aecs, posgs

BEFORE, JOINING, THERE, LEAVING, GONE = range(5)  # those between come and go with their next turn


@dataclass(frozen=True)
class Stay:
    """When a player is there.

    Attributes:
        from_start: Whether it is there when play begins.
        joins, leaves: States that it joins, and leaves, on entering.
    """

    from_start: bool
    joins: tuple[Any, ...]
    leaves: tuple[Any, ...]

    def entering(self, stage: int, state: Any, *, joined: int, left: int) -> int:
        """Return the stage after one, when play enters a state."""
        if stage == BEFORE and state in self.joins:
            return joined
        return left if stage == THERE and state in self.leaves else stage


@dataclass(frozen=True)
class POSGWithAbsences:
    """A POSG whose players come and go; a state has the game's, what all would see, and stages."""

    game: POSG
    stays: tuple[Stay, ...]
    title = from_inner("title")
    players = from_inner("players")
    discount = from_inner("discount")
    horizon = from_inner("horizon")

    def initial(self) -> Distribution[Any]:
        """Draw the game's state; who is there from the start is."""
        stages = tuple(THERE if stay.from_start else BEFORE for stay in self.stays)
        return self._entered(self.game.initial(), self.game.initial_observation, stages)

    def _entered(self, law: Distribution[Any], seen_in: Any, stages: tuple[int, ...]) -> Any:
        weights: dict[Any, Any] = {}
        nothing = point_mass((NULL,) * len(stages))
        for state, weight in law:
            ended = self.game.is_terminal(state)
            for seen, share in nothing if ended else seen_in(state):
                entered = (state, seen, stages)
                weights[entered] = weights.get(entered, ZERO) + weight * share
        return Distribution(tuple(weights.items()))

    def initial_observation(self, state: Any) -> Distribution[Any]:
        """Show those who are there what the game shows."""
        return self.observation((), state)

    def observation(self, joint_action: JointAction, state: Any) -> Distribution[Any]:
        """Show those who are there what the game shows."""
        del joint_action
        _, seen, stages = state
        views = zip(seen, stages, strict=True)
        return point_mass(tuple(o if stage == THERE else AWAY for o, stage in views))

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Let those who are there act."""
        return (IDLE,) if observation is AWAY else self.game.legal_actions(player, observation)

    def is_terminal(self, state: Any) -> bool:
        """Tell whether the game has ended, or nobody is there."""
        return self.game.is_terminal(state[0]) or THERE not in state[2]

    def _acted(self, state: Any, joint_action: JointAction) -> JointAction:
        acts = enumerate(zip(state[1], joint_action, strict=True))
        return tuple(self.game.legal_actions(i, o)[0] if a is IDLE else a for i, (o, a) in acts)

    def transition(self, state: Any, joint_action: JointAction) -> Distribution[Any]:
        """Let the game go on, and players join and leave."""
        joint = self._acted(state, joint_action)
        weights: dict[Any, Any] = {}
        for after, weight in self.game.transition(state[0], joint):
            stages = tuple(
                stay.entering(stage, after, joined=THERE, left=GONE)
                for stay, stage in zip(self.stays, state[2], strict=True)
            )
            seen_in = partial(self.game.observation, joint)
            for entered, share in self._entered(point_mass(after), seen_in, stages):
                weights[entered] = weights.get(entered, ZERO) + weight * share
        return Distribution(tuple(weights.items()))

    def reward(self, state: Any, joint_action: JointAction, next_state: Any) -> Rewards:
        """Pay those who are there."""
        paid = self.game.reward(state[0], self._acted(state, joint_action), next_state[0])
        return tuple(r * (stage == THERE) for r, stage in zip(paid, state[2], strict=True))


@dataclass(frozen=True)
class AECWithAbsences:
    """An AEC game whose players come and go; a state has the game's, and stages."""

    game: AEC
    stays: tuple[Stay, ...]
    title = from_inner("title")
    players = from_inner("players")
    discount = from_inner("discount")
    horizon = from_inner("horizon")

    @cached_property
    def initial_state(self) -> Any:
        """Who is there from the start is."""
        stages = tuple(THERE if stay.from_start else BEFORE for stay in self.stays)
        return (self.game.initial_state, stages)

    def observation(self, player: int, state: Any) -> Distribution[Any]:
        """Show those who are there what the game shows."""
        if state[1][player] in {JOINING, THERE}:
            return self.game.observation(player, state[0])
        return point_mass(AWAY)

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Let those who are there act."""
        return (IDLE,) if observation is AWAY else self.game.legal_actions(player, observation)

    def is_terminal(self, state: Any) -> bool:
        """Tell whether the game has ended, or nobody is there."""
        return self.game.is_terminal(state[0]) or not {THERE, LEAVING} & set(state[1])

    def _seen(self, state: Any, mover: int) -> tuple[int, ...]:
        """Return the stages when the mover has seen what it sees."""
        now = [BEFORE, THERE, THERE, GONE, GONE]
        return tuple(now[x] if i == mover else x for i, x in enumerate(state[1]))

    def _entered(self, after: Any, stages: tuple[int, ...]) -> Any:
        both = zip(self.stays, stages, strict=True)
        return after, tuple(x.entering(y, after, joined=JOINING, left=LEAVING) for x, y in both)

    def _acted(self, state: Any, mover: int, action: Any) -> Any:
        return choices(self.game, state[0], mover)[0] if action is IDLE else action

    def move(self, player: int, state: Any, action: Any) -> Any:
        """Let the game go on, and players join and leave."""
        after = self.game.move(player, state[0], self._acted(state, player, action))
        return self._entered(after, self._seen(state, player))

    def chance(self, state: Any) -> Distribution[Any]:
        """Let the game go on, and players join and leave."""
        return push_forward(
            self.game.chance(state[0]), lambda after: self._entered(after, state[1])
        )

    def reward(self, state: Any, mover: int, action: Any, next_state: Any) -> Distribution[Rewards]:
        """Pay those who are there."""
        there = [x in {THERE, LEAVING} for x in self._seen(state, mover)]
        law = self.game.reward(state[0], mover, self._acted(state, mover, action), next_state[0])
        return push_forward(
            law, lambda paid: tuple(r * own for r, own in zip(paid, there, strict=True))
        )

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: Any
    ) -> Distribution[int]:
        """Follow the game."""
        acted = self._acted(state, mover, action)
        return self.game.next_player(state[0], mover, acted, next_state[0])


@st.composite
def posgs_with_absences(
    draw: Draw, *, horizons: tuple[int, int] = (2, 3), **options: Any
) -> POSGWithAbsences:
    """Draw POSGs whose players join late and leave early.

    The horizon is one of ``horizons`` (low, high); other options are those of ``posgs``.
    """
    game = replace(draw(posgs(**options)), horizon=draw(st.integers(*horizons)))
    return POSGWithAbsences(game, draw(_stays(len(game.players))))


@st.composite
def aecs_with_absences(
    draw: Draw, *, horizons: tuple[int, int] = (5, 7), **options: Any
) -> AECWithAbsences:
    """Draw AEC games whose players join late and leave early.

    The horizon is one of ``horizons`` (low, high); other options are those of ``aecs``.
    """
    game = replace(draw(aecs(**options)), horizon=draw(st.integers(*horizons)))
    return AECWithAbsences(game, draw(_stays(len(game.players))))


@st.composite
def _stays(draw: Draw, num_players: int) -> tuple[Stay, ...]:
    """Draw stays, in which somebody is there from the start; they shrink to all, all the time."""
    some = st.sampled_from([(), ("s0",), ("s1",), ("s0", "s1")])
    stays = [
        Stay(draw(st.sampled_from([True, False])), draw(some.filter(bool)), draw(some))
        for _ in range(num_players)
    ]
    if not any(stay.from_start for stay in stays):
        first = draw(st.integers(0, num_players - 1))
        stays[first] = replace(stays[first], from_start=True)
    return tuple(stays)
