"""POSGs as AEC games: players queue their actions in turn, then the environment resolves them.

The state of the AEC game is ``("init",)`` until chance has drawn the first state, and then
``(s, o, a)``: the POSG's state, the joint observation on which players act next, and the actions
queued so far, ``EMPTY`` where none is. A cycle is ``N`` moves and one chance move. The two games
are equivalent: the joint law of states, observations, actions and rewards is the same under every
profile of policies, and a player's information states are the same things in both.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from gametheory_core.arrays import ZERO
from gametheory_core.conversions.conversion import Conversion, Preserved
from gametheory_core.conversions.posg_aec_tables import queued_tables
from gametheory_core.distributions import Distribution, surely
from gametheory_core.games.aec import AEC
from gametheory_core.games.checked_rules import checked_posg
from gametheory_core.games.delegation import from_inner
from gametheory_core.games.information_sets import CHANCE
from gametheory_core.games.information_states import EMPTY
from gametheory_core.games.plays import AecPlay, PosgPlay, Step
from gametheory_core.games.posg import POSG, Rewards
from gametheory_core.games.tabular_posg import TabularPOSG
from gametheory_core.strategies.policies import PolicyProfile

PosgToAec: TypeAlias = Conversion[POSG, AEC, PolicyProfile, PolicyProfile]
INIT = ("init",)


def posg_to_aec(game: POSG) -> PosgToAec:
    """Carry a POSG to the AEC game in which actions are queued and then resolved at once.

    Args:
        game: Rules give rules, ``QueuedActions``; a ``TabularPOSG`` gives a ``TabularAEC``.

    Returns:
        Preserves everything. Policies pass unchanged; a horizon of ``T`` steps becomes one of
        ``1 + T (N + 1)`` moves.

    This is Theorem 1 of the paper with its gaps closed: joint observations, a law of the first
    state and of what is seen before the first action, queued actions that stay hidden, and
    discounting by cycles.

    Source: :cite:`terry2021pettingzoo`, appendix D.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> posg_to_aec(RepeatedGame.of("matching_pennies", rounds=2)).target.horizon
    7
    """
    _ = checked_posg(game, "posg_to_aec")  # refuses what is no POSG
    target: AEC = queued_tables(game) if isinstance(game, TabularPOSG) else QueuedActions(game)
    return Conversion(game, target, CycleCorrespondence(), frozenset(Preserved))


def cycle_moves(num_players: int, horizon: int | None) -> int | None:
    """Return how many moves of the AEC game ``horizon`` steps of the POSG take."""
    return None if horizon is None else 1 + horizon * (num_players + 1)


@dataclass(frozen=True)
class QueuedActions:
    """The AEC game of a POSG."""

    game: POSG
    title = from_inner("title")
    players = from_inner("players")
    discount = from_inner("discount")

    @cached_property
    def rules(self) -> POSG:
        """The POSG with its answers checked."""
        return checked_posg(self.game, "posg_to_aec")

    @property
    def horizon(self) -> int | None:
        """Number of moves after which play stops."""
        return cycle_moves(len(self.players), self.game.horizon)

    @property
    def initial_state(self) -> Any:
        """The state before the first state of the POSG is drawn."""
        return INIT

    def observation(self, player: int, state: Any) -> Distribution[Any]:
        """Return the player's entry of the pending joint observation."""
        return surely(state[1][player])

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Return what a player may do."""
        return self.rules.legal_actions(player, observation)

    def is_terminal(self, state: Any) -> bool:
        """Tell whether the POSG's state is terminal."""
        return state != INIT and self.rules.is_terminal(state[0])

    def move(self, player: int, state: Any, action: Any) -> Any:
        """Queue the action."""
        inner, seen, queued = state
        return (inner, seen, (*queued[:player], action, *queued[player + 1 :]))

    def chance(self, state: Any) -> Distribution[Any]:
        """Draw the next state of the POSG, and what is seen there; empty the queue."""
        empty = (EMPTY,) * len(self.players)
        law: list[tuple[Any, Fraction]] = []
        first = state == INIT
        following = self.rules.initial() if first else self.rules.transition(state[0], state[2])
        for inner, weight in following:
            if self.rules.is_terminal(inner):
                law.append(((inner, empty, empty), weight))
                continue
            seen = (
                self.rules.initial_observation(inner)
                if first
                else self.rules.observation(state[2], inner)
            )
            law.extend(((inner, o, empty), weight * share) for o, share in seen)
        return Distribution(tuple(law))

    def reward(self, state: Any, mover: int, action: Any, next_state: Any) -> Distribution[Rewards]:
        """Pay when the queue is resolved."""
        if mover != CHANCE or state == INIT:
            return surely((ZERO,) * len(self.players))
        return surely(tuple(self.rules.reward(state[0], state[2], next_state[0])))

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: Any
    ) -> Distribution[int]:
        """Let players queue in order, then chance resolve."""
        last = len(self.players) - 1
        return surely(CHANCE if mover == last else mover + 1)


@dataclass(frozen=True)
class CycleCorrespondence:
    """Policies unchanged; a play's cycles are the POSG's steps."""

    def to_target(self, profile: PolicyProfile) -> PolicyProfile:
        """Return the profile."""
        return profile

    def to_source(self, profile: PolicyProfile) -> PolicyProfile:
        """Return the profile."""
        return profile

    def outcome_to_source(self, outcome: AecPlay) -> Distribution[PosgPlay]:
        """Collect the moves of each cycle into a step."""
        return surely(cycles(outcome))


def cycles(play: AecPlay) -> PosgPlay:
    """Collect the moves of each cycle into a step: observations, actions, and summed rewards."""
    steps: list[Step] = []
    open_moves: list[Any] = []
    for move in play.moves[1:]:
        if move.mover != CHANCE:
            open_moves.append(move)
            continue
        rewards = [
            sum(paid, ZERO) for paid in zip(*(m.rewards for m in [*open_moves, move]), strict=True)
        ]
        steps.append(
            Step(
                move.state[0],
                tuple(m.observation for m in open_moves),
                tuple(m.action for m in open_moves),
                tuple(rewards),
            )
        )
        open_moves = []
    return PosgPlay(tuple(steps), play.final_state[0])
