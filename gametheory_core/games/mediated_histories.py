"""What a mediated game can have come to: step, state and the returns collected so far, in layers.

Play of a mediated game is remembered as ``(t, state, h)`` with ``h`` the discounted rewards that
each player has collected before step ``t``. Layer ``t`` lists every such node that some sequence of
leaders and actions reaches and where play goes on, in ascending order of ``(state, h)``. Whoever
remembers the step alone has the same layers without ``h``.
"""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance, require_integer, require_member
from gametheory_core.arrays import freeze
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.mediated import MediatedGame

MOST_NODES = 1_000_000
MOST_INT64 = 2**62

Integers: TypeAlias = NDArray[Any]  # int64, or Python integers where those might overflow


class Memory(Enum):
    """What a policy may depend on."""

    HISTORY = "step, state and returns so far"
    STEP = "step and state"


@dataclass(frozen=True, eq=False)
class HistoryLayer:
    """The nodes of one step.

    With ``n`` nodes, ``N`` players, ``A`` the most actions and ``B`` the most next states of a row:

    Attributes
    ----------
    states : int64 array (n,)
    returns : integer array (n, N)
        Collected before this step, over the denominator of all layers; zero where only the step is
        remembered.
    row : int64 array (n, N, A)
        Row of the game for each leader and action; -1 where the action is not legal.
    child : int64 array (n, N, A, B)
        Node of the next layer for each outcome of the row; -1 where play ends, and where there is
        no such row or outcome.
    """

    states: "NDArray[np.int64]"
    returns: Integers
    row: "NDArray[np.int64]"
    child: "NDArray[np.int64]"

    @property
    def num_nodes(self) -> int:
        """Number of nodes."""
        return len(self.states)


@dataclass(frozen=True, eq=False, repr=False)
class MediatedHistories:
    """All nodes of a mediated game, by step.

    Attributes
    ----------
    game : MediatedGame
    memory : Memory
        What tells nodes apart.
    layers : tuple of HistoryLayer
        At most ``horizon``: layers are left out once play has surely ended.
    start : tuple of int
        Node of layer 0 for each entry of the initial kernel; -1 where play never begins.
    denominator : int
        Of the returns.
    """

    game: MediatedGame
    memory: Memory
    layers: tuple[HistoryLayer, ...]
    start: tuple[int, ...]
    denominator: int

    @property
    def num_nodes(self) -> int:
        """Number of nodes in all layers."""
        return sum(layer.num_nodes for layer in self.layers)

    def returns(self, step: int, node: int) -> tuple[Fraction, ...]:
        """Return what each player has collected before a node."""
        collected = self.layers[step].returns[node].tolist()
        return tuple(Fraction(int(part), self.denominator) for part in collected)

    def name(self, step: int, node: int) -> str:
        """Return a node in words, for messages."""
        state = self.game.states[self.layers[step].states[node]]
        if self.memory is Memory.STEP:
            return f"step {step} in state {state!r}"
        collected = ", ".join(map(str, self.returns(step, node)))
        return f"step {step} in state {state!r} after returns ({collected})"

    def __repr__(self) -> str:
        return (
            f"MediatedHistories({self.game.title!r}, {self.num_nodes} nodes in "
            f"{len(self.layers)} layers, told apart by {self.memory.value})"
        )


def mediated_histories(
    game: MediatedGame, *, memory: Memory = Memory.HISTORY, most_nodes: int = MOST_NODES
) -> MediatedHistories:
    """List every node that play of a mediated game can reach, layer by layer.

    Parameters
    ----------
    game : MediatedGame
    memory : Memory
        Whether returns collected so far tell nodes apart.
    most_nodes : int
        The largest number of steps out of a layer's nodes, and of nodes in all, to work on.

    Raises
    ------
    UnsupportedGame
        If there would be more; says how many nodes each layer has, before the next one is built.

    Examples
    --------
    >>> from gametheory_core.conversions.mediated_rules import mediated_game
    >>> dilemma = mediated_game(
    ...     players=["Ann", "Bob"], horizon=2, initial={"start": 1},
    ...     actions=[["C", "D"], ["C", "D"]],
    ...     play=lambda state, leader, action: (
    ...         tuple({"C": (2, 1), "D": (3, -2)}[action][i != leader] for i in range(2)),
    ...         {"start": 1},
    ...     ),
    ... )
    >>> histories = mediated_histories(dilemma)
    >>> histories.name(1, 0)
    "step 1 in state 'start' after returns (-2, 3)"
    """
    require_instance(game, MediatedGame, function="mediated_histories", name="game")
    require_member(memory, Memory, function="mediated_histories", name="memory")
    require_integer(most_nodes, function="mediated_histories", name="most_nodes", low=1)
    table = _row_table(game, memory)
    states = game.initial_kernel.outcome.astype(np.int64)
    returns = np.zeros((len(states), game.num_players), dtype=table.rewards[0].dtype)
    nodes, start = _numbered(table, states, returns)
    layers: list[HistoryLayer] = []
    for t in range(game.horizon):
        if not len(nodes[0]):
            break
        _refuse_large(layers, len(nodes[0]), table, most_nodes)
        layer, nodes = _expanded(table, t, *nodes)
        layers.append(layer)
    scale = game.discount.denominator ** (game.horizon - 1)
    denominator = game.scaled_rewards.denominator * scale
    return MediatedHistories(game, memory, tuple(layers), tuple(start.tolist()), denominator)


@dataclass(frozen=True)
class _RowTable:
    """Rows by state, leader and action; their outcomes padded with -1; rewards by step, scaled."""

    row: "NDArray[np.int64]"
    outcome: "NDArray[np.int64]"
    is_live: "NDArray[np.bool_]"
    rewards: tuple[Integers, ...]


def _row_table(game: MediatedGame, memory: Memory) -> _RowTable:
    shape = (game.num_states, game.num_players, game.max_actions)
    row = np.full(shape, -1, dtype=np.int64)
    row[game.row_state, game.row_leader, game.row_action] = np.arange(len(game.row_key))
    sizes = game.transition_kernel.sizes
    outcome = np.full((len(sizes), max(sizes.tolist(), default=1)), -1, dtype=np.int64)
    filled = np.arange(outcome.shape[1]) < sizes[:, None]
    outcome[filled] = game.transition_kernel.outcome
    is_live = np.zeros(game.num_states, dtype=np.bool_)
    is_live[game.row_state] = True
    return _RowTable(row, outcome, is_live, tuple(_rewards_by_step(game, memory)))


def _rewards_by_step(game: MediatedGame, memory: Memory) -> list[Integers]:
    """Return rewards of all rows as they count at each step, over the common denominator."""
    rewards = game.scaled_rewards.numerators
    top, bottom = game.discount.numerator, game.discount.denominator
    largest = max((abs(r) for r in rewards.ravel().tolist()), default=0)
    is_small = game.horizon * largest * bottom ** (game.horizon - 1) < MOST_INT64
    dtype = np.int64 if is_small else object
    factors = [
        0 if memory is Memory.STEP else top**t * bottom ** (game.horizon - 1 - t)
        for t in range(game.horizon)
    ]
    return [(rewards * factor).astype(dtype) for factor in factors]


def _refuse_large(
    layers: list[HistoryLayer], count: int, table: _RowTable, most_nodes: int
) -> None:
    """Refuse a layer whose steps, or with which the nodes, are more than allowed."""
    sizes = [layer.num_nodes for layer in layers] + [count]
    steps = count * table.row.shape[1] * table.row.shape[2] * table.outcome.shape[1]
    if max(steps, sum(sizes)) <= most_nodes:
        return
    raise UnsupportedGame(
        f"mediated_histories: needs at most most_nodes = {most_nodes:,} nodes, and steps out of a "
        f"layer, but layers 0 to {len(layers)} have {', '.join(f'{size:,}' for size in sizes)} "
        f"nodes, with {steps:,} steps out of the last one. Shorten the horizon, round the rewards "
        "to fewer values, give a larger most_nodes, or let policies depend on the step alone."
    )


def _expanded(
    table: _RowTable, t: int, states: "NDArray[np.int64]", returns: Integers
) -> tuple[HistoryLayer, tuple[Any, Any]]:
    """Return the layer of some nodes, and the nodes of the next one."""
    row = table.row[states]
    after = np.where(row[..., None] >= 0, table.outcome[row], -1)
    is_last = t == len(table.rewards) - 1
    child = np.full(after.shape, -1, dtype=np.int64)
    goes_on = (after >= 0) & (not is_last)
    where = np.nonzero(goes_on)
    collected = returns[where[0]] + table.rewards[t][row[where[:3]]]
    nodes, number = _numbered(table, after[where], collected)
    child[where] = number
    layer = HistoryLayer(freeze(states), freeze(returns), freeze(row), freeze(child))
    return layer, nodes


def _numbered(
    table: _RowTable, states: "NDArray[np.int64]", returns: Integers
) -> tuple[tuple[Any, Any], "NDArray[np.int64]"]:
    """Return the different live nodes in order, and the number of each given one; -1 if ended."""
    number = np.full(len(states), -1, dtype=np.int64)
    live = np.flatnonzero(table.is_live[states])
    keys = np.concatenate([states[live, None], returns[live]], axis=1)
    unique, inverse = _unique_rows(keys)
    number[live] = inverse
    return (unique[:, 0].astype(np.int64), unique[:, 1:].copy()), number


def _unique_rows(keys: Integers) -> tuple[Integers, Any]:
    """Return the different rows in ascending order, and which of them each row is."""
    if keys.dtype != object:
        unique, inverse = np.unique(keys, axis=0, return_inverse=True)
        return unique, inverse.reshape(-1)
    rows = [tuple(key) for key in keys.tolist()]
    position = {key: k for k, key in enumerate(sorted(set(rows)))}
    unique = np.empty((len(position), keys.shape[1]), dtype=object)
    for key, k in position.items():
        unique[k] = key
    inverse = np.array([position[key] for key in rows], dtype=np.int64)
    return unique, inverse


def node_map(histories: MediatedHistories, memory: Memory) -> list["NDArray[np.int64]"]:
    """Return, for each layer, where a policy with a memory has its entry for each node.

    Parameters
    ----------
    histories : MediatedHistories
    memory : Memory
        Of the policy: as much as tells the nodes apart, or less.
    """
    if memory is histories.memory:
        return [np.arange(layer.num_nodes) for layer in histories.layers]
    coarse = mediated_histories(histories.game, memory=memory)
    pairs = zip(histories.layers, coarse.layers, strict=True)
    return [np.searchsorted(few.states, many.states) for many, few in pairs]
