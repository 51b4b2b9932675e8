"""AEC games as POSGs: only the mover acts and observes, the others are idle.

The POSG's state is the AEC game's state with the mover and the last reward vector. One move of the
AEC game is one step. Policies of the AEC game, lifted to ignore idle steps, give equal laws: the
POSG *simulates* the AEC game. It is no more than a simulation if a player can read the time from
idle steps (``clock_leak``); if not, the two games are equivalent.
"""

import sys
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias, cast

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.conversions.conversion import Conversion, Preserved
from gametheory_core.conversions.dispatch import (
    CLOCK_STATES,
    Position,
    clock_leak,
    own_turns,
    positions,
)
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games import AEC, CHANCE, IDLE, NULL, POSG, AecPlay, Move, PosgPlay
from gametheory_core.games.checked_rules import checked_aec
from gametheory_core.games.rules import (
    InformationState,
    JointAction,
    Rewards,
    from_inner,
    written_as,
)
from gametheory_core.strategies.policies import Policy, PolicyFromFunction, PolicyProfile

AecToPosg: TypeAlias = Conversion[AEC, POSG, PolicyProfile, PolicyProfile]

SIMULATION = frozenset({Preserved.PAYOFFS_TO_TARGET, Preserved.OUTCOMES_TO_TARGET})


def aec_to_posg(game: AEC, *, max_states: int = CLOCK_STATES) -> AecToPosg:
    """Carry an AEC game to the POSG in which all players but the mover are idle.

    Args:
        max_states: The largest table on which ``clock_leak`` is decided.

    Returns:
        Preserves everything if no clock leaks. If one does, the payoffs and plays of the AEC game's
        policies, lifted; the POSG then has more policies, and possibly other values.

    Raises:
        UnsupportedGame: If the game is too large to decide whether a clock leaks.

    Theorems 2 and 3 of the paper claim equivalence for every AEC game. That is false: in a team
    game whose movers come in random order, idle steps tell who came first, and the best common
    payoff rises from 1/2 to 1.

    Source: :cite:`terry2021pettingzoo`, appendix D.

    >>> from gametheory_core.catalog import RandomOrderTeam
    >>> from gametheory_core.conversions import Preserved
    >>> Preserved.NASH in aec_to_posg(RandomOrderTeam()).preserves
    False
    """
    refuse_idle_observations(game, max_states=max_states)
    leak = clock_leak(game, max_states=max_states)
    target = IdlePOSG(game)
    preserves = SIMULATION if leak else frozenset(Preserved)
    return Conversion(game, target, IdleCorrespondence(game, leak.reason), preserves)


def refuse_idle_observations(game: AEC, *, max_states: int) -> None:
    """Refuse an AEC game in which somebody sees ``IDLE`` on their own turn."""
    rules = checked_aec(game, "aec_to_posg")
    for state, mover in positions(rules, max_states):
        if mover != CHANCE and any(o is IDLE for o, _ in rules.observation(mover, state)):
            raise UnsupportedGame(
                needs="observations other than IDLE",
                found=f"{game.players[mover]!r} sees it in state {state!r}",
                remedy="The game was made of an AEC game; convert that one.",
            )


class TurnState(NamedTuple):
    """A state of the POSG.

    Attributes:
        state (hashable): The AEC game's.
        mover: Who moves next: a player or ``CHANCE``.
        rewards: Paid on the way here, undiscounted.
        weight: The discount on those rewards.
        cycles: Completed chance moves, the first not counted; -1 before it; 0 throughout where
            ``gamma`` is 1, to keep the game finite.
    """

    state: Any
    mover: int
    rewards: tuple[Fraction, ...]
    weight: Fraction
    cycles: int


@dataclass(frozen=True)
class IdlePOSG:
    """The POSG of an AEC game."""

    game: AEC
    __repr__ = written_as("aec_to_posg({0.game!r}).target")
    title = from_inner("title")
    players = from_inner("players")
    horizon = from_inner("horizon")
    discount = ONE  # the AEC game discounts by cycles, so rewards are paid discounted

    @cached_property
    def rules(self) -> AEC:
        """The AEC game with its answers checked."""
        return checked_aec(self.game, "aec_to_posg")

    @cached_property
    def moved_from(self) -> frozenset[Position]:
        """The positions in which somebody moves within the horizon."""
        return frozenset(positions(self.rules, sys.maxsize))

    def initial(self) -> Distribution[Any]:
        """Return the AEC game's first state, in which chance moves."""
        nothing = (ZERO,) * len(self.players)
        return point_mass(TurnState(self.rules.initial_state, CHANCE, nothing, ONE, -1))

    def initial_observation(self, state: TurnState) -> Distribution[tuple[Any, ...]]:
        """Show nothing: chance moves first."""
        return point_mass((IDLE,) * len(self.players))

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Let the mover move and the others idle."""
        return (IDLE,) if observation is IDLE else self.rules.legal_actions(player, observation)

    def is_terminal(self, state: TurnState) -> bool:
        """Tell whether the AEC game has ended."""
        return self.rules.is_terminal(state.state)

    def transition(self, state: TurnState, joint_action: JointAction) -> Distribution[Any]:
        """Make the move, draw its rewards and the next mover."""
        game, mover = self.rules, state.mover
        law: list[tuple[TurnState, Fraction]] = []
        if mover == CHANCE:
            action, successors = NULL, game.chance(state.state)
        else:
            action = joint_action[mover]
            successors = point_mass(game.move(mover, state.state, action))
        weight = game.discount ** max(0, state.cycles)
        cycles = state.cycles + (mover == CHANCE) if game.discount != 1 else 0
        for after, share in successors:
            ended = game.is_terminal(after)
            turns = (
                point_mass(CHANCE) if ended else game.next_player(state.state, mover, action, after)
            )
            for paid, chance in game.reward(state.state, mover, action, after):
                rewards = cast("tuple[Fraction, ...]", paid)
                law.extend(
                    (TurnState(after, turn, rewards, weight, cycles), share * chance * odds)
                    for turn, odds in turns
                )
        return Distribution(tuple(law))

    def observation(
        self, joint_action: JointAction, state: TurnState
    ) -> Distribution[tuple[Any, ...]]:
        """Show the mover what the AEC game shows, and the others nothing.

        Where the horizon lets nobody move, the AEC game need not say what is seen.
        """
        idle = (IDLE,) * len(self.players)
        mover = state.mover
        if mover == CHANCE or self.is_terminal(state):
            return point_mass(idle)
        if self.horizon is not None and (state.state, mover) not in self.moved_from:
            return point_mass(idle)
        seen = self.rules.observation(mover, state.state)
        return Distribution(tuple(((*idle[:mover], o, *idle[mover + 1 :]), w) for o, w in seen))

    def reward(self, state: TurnState, joint_action: JointAction, next_state: TurnState) -> Rewards:
        """Return the rewards that the next state says were drawn."""
        return tuple(r * next_state.weight for r in next_state.rewards)


@dataclass(frozen=True)
class IdleCorrespondence:
    """Lift policies by ignoring idle steps; restrict them by putting idle steps back."""

    game: AEC
    leak: str

    def to_target(self, profile: PolicyProfile) -> PolicyProfile:
        """Play the AEC game's policy on their own turns, and idle otherwise."""
        return tuple(map(_lifted, profile))

    def to_source(self, profile: PolicyProfile) -> PolicyProfile:
        """Return the policies of the AEC game that do the same.

        Raises:
            UnsupportedGame: If a clock leaks: the POSG's policies may use the time, which the AEC
                game hides.
        """
        if self.leak:
            raise UnsupportedGame(
                needs="a game in which idle steps say nothing",
                found=self.leak,
                remedy="Policies that use the time have no counterpart in the AEC game.",
            )
        return tuple(_restricted(self.game, i, policy) for i, policy in enumerate(profile))

    def outcome_to_source(self, outcome: PosgPlay) -> Distribution[AecPlay]:
        """Read the moves from the steps."""
        return point_mass(_moves(outcome))


def drop_idle(information_state: InformationState) -> InformationState:
    """Return what the player has seen and done on their own turns."""
    kept: list[Any] = []
    for k in range(0, len(information_state) - 1, 2):
        if information_state[k] is not IDLE:
            kept.extend(information_state[k : k + 2])
    return (*kept, information_state[-1])


def _lifted(policy: Policy) -> Policy:
    def act(seen: InformationState) -> Distribution[Any]:
        return point_mass(IDLE) if seen[-1] is IDLE else policy[drop_idle(seen)]

    return PolicyFromFunction(act)


def _restricted(game: AEC, player: int, policy: Policy) -> Policy:
    return PolicyFromFunction(lambda seen: policy[own_turns(game, player, seen)])


def _moves(play: PosgPlay) -> AecPlay:
    finals = [*(step.state for step in play.steps[1:]), play.final_state][: len(play.steps)]
    moves: list[Move] = []
    for step, after in zip(play.steps, finals, strict=True):
        mover = step.state.mover
        chance = mover == CHANCE
        seen = NULL if chance else step.observations[mover]
        action = NULL if chance else step.actions[mover]
        moves.append(Move(step.state.state, mover, seen, action, after.rewards))
    return AecPlay(tuple(moves), play.final_state.state)
