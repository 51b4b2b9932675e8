"""Who earned it: the rewards of a cycle of an AEC game, by the mover who caused them.

An AEC game that plays a POSG's steps one mover at a time pays player ``i`` when mover ``j`` moves,
``j`` being a player or chance. Summed over a cycle, which ends with chance's move, that is the
POSG's reward for the step; taken apart, it tells who earned it. Rewards that chance pays can be
pruned, which leaves what players cause themselves.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from gametheory_core.arrays import ZERO, ExactArray, freeze
from gametheory_core.errors import LawBroken
from gametheory_core.evaluation.trajectories import aec_trajectories, posg_trajectories
from gametheory_core.games.rules import AEC, POSG, Move
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.strategies.policies import PolicyProfile, uniform_policies

Cycle = tuple[tuple[Any, ...], tuple[Fraction, ...]]  # joint action, rewards


@dataclass(frozen=True, eq=False)
class RewardAttribution:
    """Expected rewards by who caused them.

    Attributes:
        sources: Movers: players, and ``CHANCE`` first unless pruned.
        shares (num_cycles, num_players, num_sources): What each player is expected to receive in a
            cycle by each source.
    """

    sources: tuple[int, ...]
    shares: ExactArray

    @property
    def totals(self) -> ExactArray:
        """Expected rewards by all sources, shape (num_cycles, num_players)."""
        return freeze(np.add.reduce(self.shares, axis=2))

    def without_chance(self) -> "RewardAttribution":
        """Return the attribution without what chance pays."""
        kept = [k for k, source in enumerate(self.sources) if source != CHANCE]
        return RewardAttribution(
            tuple(self.sources[k] for k in kept), freeze(self.shares[:, :, kept])
        )


def check_reward_attribution(
    game: AEC, model: POSG, *, profile: PolicyProfile | None = None
) -> RewardAttribution:
    """Check that an AEC game's rewards sum, cycle by cycle, to a POSG's; take them apart.

    Args:
        game: Chance moves first, and last in each cycle. Its players see what the POSG's do.
        profile: Plays both games. Default: all legal actions equally often.

    Returns:
        Under the profile.

    Raises:
        LawBroken: If the joint laws of actions and rewards of the cycles differ, with a play that
            shows it.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.conversions.posg_aec import posg_to_aec
    >>> posg = RepeatedGame.of("matching_pennies")
    >>> check_reward_attribution(posg_to_aec(posg).target, posg).sources
    (-1, 0, 1)
    """
    policies = uniform_policies(model) if profile is None else profile
    expected: dict[tuple[Cycle, ...], Fraction] = {}
    for play, weight in posg_trajectories(model, policies):
        _add(expected, tuple((tuple(s.actions), tuple(s.rewards)) for s in play.steps), weight)
    found: dict[tuple[Cycle, ...], Fraction] = {}
    num_players = len(game.players)
    sources = (CHANCE, *range(num_players))
    plays = [(_cycles(play.moves), weight) for play, weight in aec_trajectories(game, policies)]
    length = max((len(cycles) for cycles, _ in plays), default=0)
    shares = np.full((length, num_players, len(sources)), ZERO, dtype=object)
    for cycles, weight in plays:
        _add(found, tuple(_summed(moves, num_players) for moves in cycles), weight)
        for number, moves in enumerate(cycles):
            for move in moves:
                column = sources.index(move.mover)
                shares[number, :, column] += [weight * reward for reward in move.rewards]
    _require_equal(expected, found)
    return RewardAttribution(sources, freeze(shares))


def _cycles(moves: Iterable[Move]) -> list[list[Move]]:
    """Return the moves of each cycle; what chance pays first of all belongs to the first."""
    listed = list(moves)
    cycles: list[list[Move]] = []
    current = listed[:1] if any(listed[0].rewards) else []
    for move in listed[1:]:
        current.append(move)
        if move.mover == CHANCE:
            cycles.append(current)
            current = []
    return [*cycles, current] if current else cycles


def _summed(moves: list[Move], num_players: int) -> Cycle:
    actions = tuple(
        action
        for player in range(num_players)
        for action in [move.action for move in moves if move.mover == player]
    )
    totals = [sum((move.rewards[i] for move in moves), ZERO) for i in range(num_players)]
    return actions, tuple(totals)


def _add(law: dict[Any, Fraction], outcome: Any, weight: Fraction) -> None:
    law[outcome] = law.get(outcome, ZERO) + weight


def _require_equal(
    expected: dict[tuple[Cycle, ...], Fraction], found: dict[tuple[Cycle, ...], Fraction]
) -> None:
    for cycles in {**expected, **found}:
        due, has = expected.get(cycles, ZERO), found.get(cycles, ZERO)
        if due != has:
            shown = "; ".join(
                f"actions {actions!r} paid {[str(r) for r in rewards]}"
                for actions, rewards in cycles
            )
            raise LawBroken(
                needs="cycles that pay together what the POSG's steps pay",
                found=f"the play [{shown}] has probability {due} in the POSG and {has} in the AEC "
                "game",
            )
