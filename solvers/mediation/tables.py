"""A mediated game as integers: what every step pays, layer by layer, over common denominators.

A value at step ``t`` is kept as an integer over ``denominator * (b D)^(T-1-t)``, where the discount
is ``a / b``, ``D`` is the common denominator of all chances and ``T`` the horizon, so that the
recursion only adds and multiplies. What agents pursue has one more factor, for the transfers.
Arrays are int64 if a bound proves that nothing overflows, else they hold Python integers. How fair
vectors are is an integer too, which compares as the measure does.
"""

from dataclasses import dataclass, replace
from math import lcm
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.errors import InvalidArgument
from gametheory_core.mediation.fairness import (
    EndRule,
    Fairness,
    FairnessKind,
    MediatorStage,
    check_fairness,
    require_known_ends,
)
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import (
    MOST_INT64,
    HistoryLayer,
    MediatedHistories,
    Memory,
    mediated_histories,
)
from gametheory_core.mediation.values import MediatorIncentives

Integers: TypeAlias = NDArray[Any]  # int64 or Python integers


def fairness_scores(fairness: Fairness, vectors: Integers, *, denominator: int) -> Integers:
    """Return integers in the order of the fairness of vectors.

    Args:
        vectors (..., num_players): Over one denominator.

    Returns:
        (...): To be compared with one another, not with those of other calls.

    Raises:
        InvalidArgument: If the measure is Nash and somebody has less than at disagreement.
    """
    if fairness.kind is FairnessKind.MINIMUM:
        return vectors.min(axis=-1)
    if fairness.kind is FairnessKind.GINI:
        common = lcm(*(weight.denominator for weight in fairness.weights))
        weights = [int(weight * common) for weight in fairness.weights]
        return np.sort(vectors, axis=-1) @ np.array(weights, dtype=vectors.dtype)
    unit, least = _disagreement(fairness, vectors.shape[-1], denominator)
    gains = vectors * unit - np.array(least, dtype=vectors.dtype)
    if (gains < 0).any():
        raise InvalidArgument(
            needs="returns of at least what is had at disagreement for the Nash measure",
            found=f"player {int(np.argwhere(gains < 0)[0][-1]) + 1} can have less",
            remedy="Give a lower disagreement point, Fairness(FairnessKind.NASH, "
            "disagreement=(...)), or another measure.",
            where="mediator",
        )
    return gains.prod(axis=-1)


def largest_score(fairness: Fairness, largest: int, *, players: int, denominator: int) -> int:
    """Return what no step towards a score exceeds if vectors have no entry above ``largest``."""
    if fairness.kind is FairnessKind.MINIMUM:
        return largest
    if fairness.kind is FairnessKind.GINI:
        return largest * lcm(*(weight.denominator for weight in fairness.weights))
    unit, least = _disagreement(fairness, players, denominator)
    return (largest * unit + max(map(abs, least)) + 1) ** players


def _disagreement(fairness: Fairness, players: int, denominator: int) -> tuple[int, list[int]]:
    """Return by what to multiply vectors, and what to take off, to have gains as integers."""
    unit = lcm(*(least.denominator for least in fairness.disagreement))
    least = [int(least * unit * denominator) for least in fairness.disagreement]
    return unit, least or [0] * players


@dataclass(frozen=True)
class StepTable:
    """One layer: ``n`` nodes, ``N`` players, ``A`` actions, ``B`` outcomes.

    Attributes:
        child (n, N, A, B): Node of the next layer; -1 where there is none.
        legal (n, N, A)
        rewards (n, N, A, N): What everybody gets if a leader takes an action, as the mediator
            counts it.
        payoffs (n, N, A, N): The same with transfers, as agents count it.
        weights (n, N, A, B): Chances of the outcomes, times the numerator of the discount.
        past (n, N): Returns so far, in units of ``present`` values of this step.
        denominator: Of ``past + present * value``.
    """

    child: "NDArray[np.int64]"
    legal: "NDArray[np.bool_]"
    rewards: Integers
    payoffs: Integers
    weights: Integers
    past: Integers
    present: int
    denominator: int


@dataclass(frozen=True)
class MediatedTables:
    """All layers of a game under a mediator.

    Attributes:
        histories: The nodes that the mediator tells apart.
        denominator: Of values at step 0, as the mediator counts them.
    """

    game: MediatedGame
    incentives: MediatorIncentives
    histories: MediatedHistories
    steps: tuple[StepTable, ...]
    denominator: int


def integer_tables(
    game: MediatedGame, incentives: MediatorIncentives, *, memory: Memory | None = None
) -> MediatedTables:
    """Lay out a game for the recursions of agents and mediator.

    Args:
        memory: What the mediator tells nodes apart by. Default: by the step at stage ``NAIVE``,
            else by the history.

    Raises:
        InvalidArgument: If the measure of fairness is for another number of players.
        UnsupportedGame: If the nodes are too many, or transfers are wanted and nobody knows which
            step is the last.
    """
    check_fairness(incentives.fairness, game.num_players)
    if incentives.stage is MediatorStage.FULL:
        require_known_ends(game, rule=incentives.end_rule)
    if memory is None:
        memory = Memory.STEP if incentives.stage is MediatorStage.NAIVE else Memory.HISTORY
    histories = mediated_histories(game, memory=memory)
    steps = [
        _step_table(game, incentives, histories, layer, t)
        for t, layer in enumerate(histories.layers)
    ]
    if _bound(game, incentives, steps) < MOST_INT64:
        steps = [_narrowed(step) for step in steps]
    chance = game.transition_kernel.scaled.denominator
    scale = (game.discount.denominator * chance) ** (game.horizon - 1)
    denominator = game.scaled_rewards.denominator * scale
    return MediatedTables(game, incentives, histories, tuple(steps), denominator)


def _step_table(
    game: MediatedGame,
    incentives: MediatorIncentives,
    histories: MediatedHistories,
    layer: HistoryLayer,
    t: int,
) -> StepTable:
    left = game.horizon - 1 - t
    kernel = game.transition_kernel
    chance = kernel.scaled.denominator
    units = (game.discount.denominator * chance) ** left
    rewards = game.scaled_rewards.numerators[layer.row] * units
    weights = np.zeros((kernel.num_rows, layer.child.shape[3]), dtype=object)
    filled = np.arange(weights.shape[1]) < kernel.sizes[:, None]
    weights[filled] = kernel.scaled.numerators * game.discount.numerator
    full = incentives.stage is MediatorStage.FULL
    present = 1 if histories.memory is Memory.STEP else game.discount.numerator**t
    return StepTable(
        child=layer.child,
        legal=layer.row >= 0,
        rewards=rewards,
        payoffs=_with_transfers(game, incentives, histories, layer, t) if full else rewards,
        weights=weights[layer.row],
        past=layer.returns.astype(object) * chance**left,
        present=present,
        denominator=histories.denominator * chance**left,
    )


def _with_transfers(
    game: MediatedGame,
    incentives: MediatorIncentives,
    histories: MediatedHistories,
    layer: HistoryLayer,
    t: int,
) -> Integers:
    """Return what agents count: rewards and, where play ends, transfers, in finer units."""
    left, players = game.horizon - 1 - t, game.num_players
    top, bottom = game.discount.numerator, game.discount.denominator
    chance = game.transition_kernel.scaled.denominator
    rewards = game.scaled_rewards.numerators[layer.row]
    totals = layer.returns[:, None, None, :] + rewards * (top**t * bottom**left)
    ends = (layer.row >= 0) & (layer.child < 0).all(axis=-1)
    units = (bottom * chance) ** left
    if incentives.end_rule is EndRule.EQUALIZE_CUMULATIVE:
        factor = players * top ** (game.horizon - 1)
        mean = totals.sum(axis=-1, keepdims=True)
        moved = (mean - players * totals) * (chance * top) ** left
        is_moved = ends
    else:
        factor = max(1, players - 1)
        by_step = incentives.end_rule is EndRule.STEP_IDEAL
        denominator = game.scaled_rewards.denominator if by_step else histories.denominator
        is_moved = ends & ~_is_ideal(incentives, rewards if by_step else totals, ends, denominator)
        largest = (rewards.max(axis=-1) - rewards.min(axis=-1))[..., None] * units
        leader = np.eye(players, dtype=bool)[None, :, None, :]
        moved = np.where(leader, -largest * (players - 1), largest)
    return rewards * (units * factor) + np.where(is_moved[..., None], moved, 0)


def _is_ideal(
    incentives: MediatorIncentives, vectors: Integers, ends: "NDArray[np.bool_]", denominator: int
) -> "NDArray[np.bool_]":
    """Tell which of a leader's last actions are as fair as can be."""
    ideal = np.zeros(ends.shape, dtype=bool)
    if ends.any():
        found = fairness_scores(incentives.fairness, vectors[ends], denominator=denominator)
        scores = np.full(ends.shape, min(found.tolist()) - 1, dtype=object)
        scores[ends] = found
        ideal = scores == scores.max(axis=-1, keepdims=True)
    return ideal


def _bound(game: MediatedGame, incentives: MediatorIncentives, steps: list[StepTable]) -> int:
    """Return what no integer of the recursions exceeds."""
    players = game.num_players
    growth = game.discount.numerator * game.transition_kernel.scaled.denominator
    value = bound = 0
    for step in reversed(steps):
        value = growth * value + max(_largest(step.payoffs), _largest(step.rewards))
        whole = _largest(step.past) + step.present * value
        score = largest_score(
            incentives.fairness, whole, players=players, denominator=step.denominator
        )
        bound = max(bound, value, score)
    return 2 * bound + 2


def _largest(values: Integers) -> int:
    return max((abs(value) for value in values.ravel().tolist()), default=0)


def _narrowed(step: StepTable) -> StepTable:
    names = ("rewards", "payoffs", "weights", "past")
    return replace(step, **{name: getattr(step, name).astype(np.int64) for name in names})
