"""A mediated game laid out for learning: nodes of all steps in one row, numbers as floats."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.errors import UnsupportedGame
from gametheory_core.mediation.fairness import (
    FairnessKind,
    MediatorStage,
    check_fairness,
    end_transfers,
    require_known_ends,
)
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import (
    HistoryLayer,
    MediatedHistories,
    Memory,
    mediated_histories,
    node_map,
)
from gametheory_core.mediation.recursion import MediatorIncentives
from learners._kernels.jam import GINI, MINIMUM, NASH, LedTable


@dataclass(frozen=True, eq=False)
class LedGame:
    """A mediated game for learners.

    Attributes:
        histories: The nodes that the mediator tells apart.
        agents: What agents know.
        first: Where the nodes of each step begin in the row of all; one more at the end.
        agent_first: The same for the agents' nodes.
        table: Arrays for ``learners._kernels.jam``.
    """

    game: MediatedGame
    incentives: MediatorIncentives
    histories: MediatedHistories
    agents: Memory
    first: tuple[int, ...]
    agent_first: tuple[int, ...]
    table: LedTable


def led_game(game: MediatedGame, incentives: MediatorIncentives, *, memory: Memory) -> LedGame:
    """Lay out a game.

    Args:
        incentives: At stage ``NAIVE`` the mediator knows step and state alone, and so do the
            agents.
        memory: What agents know at the other stages.

    Raises:
        InvalidArgument: If the measure of fairness is for another number of players.
        UnsupportedGame: If the nodes are too many, or transfers are wanted and nobody knows which
            step is the last.
    """
    check_fairness(incentives.fairness, game.num_players)
    is_naive = incentives.stage is MediatorStage.NAIVE
    known = Memory.STEP if is_naive else Memory.HISTORY
    agents = Memory.STEP if is_naive else memory
    histories = mediated_histories(game, memory=known)
    first = _starts([layer.num_nodes for layer in histories.layers])
    maps = node_map(histories, agents)
    agent_first = _starts([int(own.max()) + 1 for own in maps])
    try:
        table = _table(histories, incentives, first, (maps, agent_first))
    except OverflowError:
        raise UnsupportedGame(
            needs="returns that floats can hold",
            found=f"those of {game!r} are too large",
            remedy="Divide all rewards by one number.",
        ) from None
    return LedGame(game, incentives, histories, agents, first, agent_first, table)


def _table(
    histories: MediatedHistories,
    incentives: MediatorIncentives,
    first: tuple[int, ...],
    agents: tuple[list[NDArray[np.int64]], tuple[int, ...]],
) -> LedTable:
    game = histories.game
    maps, agent_first = agents
    forgets = histories.memory is Memory.STEP  # then what is still to come is all that counts
    worth = 1.0 if forgets else float(game.discount)
    return LedTable(
        start=np.array(histories.start, dtype=np.int64),
        start_chance=np.cumsum(np.array(game.initial_kernel.weight.tolist(), dtype=np.float64)),
        child=_children(histories, first),
        chance=_chances(histories),
        legal=_stacked(histories, lambda layer: layer.row >= 0),
        rewards=_rewards(histories),
        transfers=_transfers(histories, incentives),
        past=_stacked(histories, lambda layer: layer.returns / float(histories.denominator)),
        present=np.repeat([worth**t for t in range(len(histories.layers))], np.diff(first)),
        agent_node=np.concatenate(
            [own + start for own, start in zip(maps, agent_first[:-1], strict=True)]
            or [np.zeros(0)]
        ).astype(np.int64),
    )


def fairness_numbers(incentives: MediatorIncentives, players: int) -> tuple[int, Any]:
    """Return the kernel's number of a measure of fairness, and its weights."""
    fairness = incentives.fairness
    kinds = {FairnessKind.MINIMUM: MINIMUM, FairnessKind.GINI: GINI, FairnessKind.NASH: NASH}
    given = fairness.weights or fairness.disagreement or (0,) * players
    return kinds[fairness.kind], np.array([float(number) for number in given])


def _starts(sizes: list[int]) -> tuple[int, ...]:
    return (0, *np.cumsum(sizes, dtype=np.int64).tolist())


def _stacked(
    histories: MediatedHistories, part: Callable[[HistoryLayer], NDArray[Any]]
) -> NDArray[Any]:
    """Return an array of every layer, one after the other, as float64 or bool."""
    game = histories.game
    found = [np.asarray(part(layer)) for layer in histories.layers]
    if not found:
        return np.zeros((0, game.num_players), dtype=np.float64)
    whole = np.concatenate(found)
    return np.ascontiguousarray(whole if whole.dtype == bool else whole.astype(np.float64))


def _children(histories: MediatedHistories, first: tuple[int, ...]) -> NDArray[np.int64]:
    found = [
        np.where(layer.child >= 0, layer.child + after, -1)
        for layer, (_, after) in zip(histories.layers, pairwise(first), strict=True)
    ]
    return np.concatenate(found).astype(np.int64)


def _chances(histories: MediatedHistories) -> NDArray[np.float64]:
    """Return cumulative chances of the outcomes of each step, 1 from the last one on."""
    kernel = histories.game.transition_kernel
    sizes = kernel.sizes
    chances = np.zeros((len(sizes), max(sizes.tolist(), default=1)))
    filled = np.arange(chances.shape[1]) < sizes[:, None]
    chances[filled] = np.array(kernel.weight.tolist(), dtype=np.float64)
    cumulative = np.cumsum(chances, axis=1)
    cumulative[np.arange(chances.shape[1]) >= sizes[:, None] - 1] = 1.0
    return _stacked(histories, lambda layer: cumulative[layer.row])


def _rewards(histories: MediatedHistories) -> NDArray[np.float64]:
    rewards = histories.game.rewards.astype(np.float64)
    return _stacked(
        histories, lambda layer: np.where((layer.row >= 0)[..., None], rewards[layer.row], 0.0)
    )


def _transfers(histories: MediatedHistories, incentives: MediatorIncentives) -> NDArray[np.float64]:
    """Return what moves among the agents after each step; nothing without a full mediator."""
    game = histories.game
    shape = (game.num_players, game.max_actions, game.num_players)
    found = np.zeros((histories.num_nodes, *shape))
    if incentives.stage is not MediatorStage.FULL:
        return found
    require_known_ends(game, rule=incentives.end_rule)
    node = 0
    for step, layer in enumerate(histories.layers):
        for place in range(layer.num_nodes):
            _write_transfers(found[node], histories, layer, (step, place), incentives)
            node += 1
    return found


def _write_transfers(
    found: NDArray[np.float64],
    histories: MediatedHistories,
    layer: HistoryLayer,
    where: tuple[int, int],
    incentives: MediatorIncentives,
) -> None:
    step, place = where
    for leader in range(histories.game.num_players):
        ends = (layer.row[place, leader] >= 0) & (layer.child[place, leader] < 0).all(axis=-1)
        if not ends.any():
            continue
        moved = end_transfers(
            histories.game,
            fairness=incentives.fairness,
            rule=incentives.end_rule,
            step=step,
            state=int(layer.states[place]),
            returns=histories.returns(step, place),
            leader=leader,
        )
        for action, vector in moved.items():
            found[leader, action] = [float(part) for part in vector]
