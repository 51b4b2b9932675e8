"""What a mediated game can have come to: step, state and the returns collected so far, in layers.

Play of a mediated game is remembered as ``(t, state, h)`` with ``h`` the discounted rewards that
each player has collected before step ``t``. Layer ``t`` lists every such node that some sequence of
leaders and actions reaches and where play continues, in ascending order of ``(state, h)``. Whoever
remembers the step alone has the same layers without ``h``.
"""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import counted, require_instance, require_integer, require_member
from gametheory_core.arrays import freeze
from gametheory_core.errors import UnsupportedGame
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.memory import require_memory

MOST_NODES = 1_000_000
BYTES_PER_STEP = 40  # while a layer is made
BYTES_PER_RETURN = 48
MOST_INT64 = 2**62
MOST_LAYERS = 20_000
MOST_BITS = 1 << 28  # of all returns of all nodes
SIZES_SHOWN = 12  # of layers, in messages

Integers: TypeAlias = NDArray[Any]  # int64, or Python integers where those might overflow


class Memory(Enum):
    """What a policy may depend on."""

    HISTORY = "step, state and returns so far"
    STEP = "step and state"


@dataclass(frozen=True, eq=False)
class HistoryLayer:
    """The nodes of one step.

    With ``n`` nodes, ``N`` players, ``A`` the most actions and ``B`` the most next states of a row:

    Attributes:
        states (n,)
        returns (n, N): Collected before this step, over the denominator of all layers; zero where
            only the step is remembered.
        row (n, N, A): Row of the game for each leader and action; -1 where the action is not legal.
        child (n, N, A, B): Node of the next layer for each outcome of the row; -1 where play ends,
            and where there is no such row or outcome.
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

    Attributes:
        memory: What tells nodes apart.
        layers: At most ``horizon``: layers are left out once play has surely ended.
        start: Node of layer 0 for each entry of the initial kernel; -1 where play never begins.
        denominator: Of the returns.
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

    Args:
        memory: Whether returns collected so far tell nodes apart.
        most_nodes: The largest number of steps out of a layer's nodes, and of nodes in all, to work
            on.

    Raises:
        UnsupportedGame: If there would be more; says how many nodes the last layers have, before
            the next one is built. If there would be more than ``MOST_LAYERS`` layers, or the
            returns would have more than ``MOST_BITS`` bits in all.

    >>> from gametheory_core.mediation import mediated_game
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
    require_instance(game, MediatedGame, name="game")
    require_member(memory, Memory, name="memory")
    require_integer(most_nodes, name="most_nodes", low=1)
    _refuse_long(game, memory)
    table = _row_table(game, memory)
    states = game.initial_kernel.outcome.astype(np.int64)
    returns = np.zeros((len(states), game.num_players), dtype=table.kind)
    nodes, start = _numbered(table, states, returns)
    layers: list[HistoryLayer] = []
    total = 0
    for t in range(game.horizon):
        if not len(nodes[0]):
            break
        total += len(nodes[0])
        _refuse_large(layers, nodes, total, table, most_nodes)
        layer, nodes = _expanded(table, t, *nodes)
        layers.append(layer)
    scale = game.discount.denominator ** (game.horizon - 1)
    denominator = game.scaled_rewards.denominator * scale
    return MediatedHistories(game, memory, tuple(layers), tuple(start.tolist()), denominator)


def num_history_layers(game: MediatedGame) -> int:
    """Return the number of layers without making them: ``horizon``, or less if play surely ends.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> num_history_layers(mediated_chicken(rounds=3))
    3
    """
    is_live = np.zeros(game.num_states, dtype=np.bool_)
    is_live[game.row_state] = True
    level = np.unique(game.initial_kernel.outcome)
    entry_state = np.repeat(game.row_state, game.transition_kernel.sizes)
    for step in range(min(game.horizon, game.num_states + 1)):  # longer play has a cycle
        now = np.zeros(game.num_states, dtype=np.bool_)
        now[level[is_live[level]]] = True
        if not now.any():
            return step
        level = np.unique(game.transition_kernel.outcome[now[entry_state]])
    return game.horizon


def _refuse_long(game: MediatedGame, memory: Memory) -> None:
    """Refuse what has too many layers, or too long numbers in each, before making any."""
    count = num_history_layers(game)
    bits = (game.horizon - 1) * (game.discount.denominator - 1).bit_length()
    bits *= memory is Memory.HISTORY
    if count <= MOST_LAYERS and bits * game.num_players * count <= MOST_BITS:
        return
    raise UnsupportedGame(
        needs=f"at most {MOST_LAYERS:,} layers and {MOST_BITS:,} bits in all returns",
        found=f"play lasts {counted(count)} steps, and the horizon of {counted(game.horizon)} with "
        f"discount {game.discount} makes returns of {counted(bits)} bits for each of "
        f"{game.num_players} players",
        remedy="Shorten the horizon, take a discount of 1 or with a smaller denominator, or let "
        "policies depend on the step alone.",
    )


@dataclass(frozen=True)
class _RowTable:
    """Rows by state, leader and action; their outcomes padded with -1; whether states go on."""

    game: MediatedGame
    memory: Memory
    row: "NDArray[np.int64]"
    outcome: "NDArray[np.int64]"
    is_live: "NDArray[np.bool_]"
    kind: type  # of returns

    def rewards(self, t: int, rows: "NDArray[np.int64]") -> Integers:
        """Return rewards of rows as they count at a step, over the common denominator."""
        rewards = self.game.scaled_rewards.numerators[rows]
        if self.memory is Memory.STEP:
            return np.zeros(rewards.shape, dtype=self.kind)
        discount, left = self.game.discount, self.game.horizon - 1 - t
        return (rewards * (discount.numerator**t * discount.denominator**left)).astype(self.kind)


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
    return _RowTable(game, memory, row, outcome, is_live, _kind(game, memory))


def _kind(game: MediatedGame, memory: Memory) -> type:
    """Return int64 where all returns fit, else object, for Python integers."""
    if memory is Memory.STEP:
        return np.int64
    rewards = game.scaled_rewards.numerators
    largest = max((abs(r) for r in rewards.ravel().tolist()), default=0)
    most = game.horizon * largest * game.discount.denominator ** (game.horizon - 1)
    return np.int64 if most < MOST_INT64 else object


def _refuse_large(
    layers: list[HistoryLayer],
    nodes: tuple[Any, Any],
    total: int,
    table: _RowTable,
    most_nodes: int,
) -> None:
    """Refuse a layer whose steps or long numbers, or with which the nodes, are more than allowed.

    ``nodes`` are those of the layer, ``total`` is their number with those of all layers before.
    """
    count, players = nodes[1].shape
    steps = count * table.row.shape[1] * table.row.shape[2] * table.outcome.shape[1]
    bits = 0
    if nodes[1].dtype == object:
        bits = total * players * max(abs(x) for x in nodes[1].ravel().tolist()).bit_length()
    if max(steps, total) <= most_nodes and bits <= MOST_BITS:
        require_memory(
            steps * (BYTES_PER_STEP + BYTES_PER_RETURN * players),
            what=f"the {steps:,} steps out of layer {len(layers)}, whose {count:,} nodes are told "
            "apart by returns",
            remedy="Shorten the horizon, or let policies depend on the step alone.",
        )
        return
    first = max(0, len(layers) - SIZES_SHOWN + 1)
    sizes = [*(layer.num_nodes for layer in layers[first:]), count]
    long = f", and returns of {bits:,} bits in all, of {MOST_BITS:,} at most" if bits else ""
    raise UnsupportedGame(
        needs=f"at most most_nodes = {most_nodes:,} nodes, and steps out of a layer",
        found=f"layers {first} to {len(layers)} have {', '.join(f'{size:,}' for size in sizes)} "
        f"nodes, {total:,} with all before, and {steps:,} steps out of the last one{long}",
        remedy="Shorten the horizon, round the rewards to fewer values, give a larger most_nodes, "
        "or "
        "let policies depend on the step alone.",
    )


def _expanded(
    table: _RowTable, t: int, states: "NDArray[np.int64]", returns: Integers
) -> tuple[HistoryLayer, tuple[Any, Any]]:
    """Return the layer of some nodes, and the nodes of the next one."""
    row = table.row[states]
    after = np.where(row[..., None] >= 0, table.outcome[row], -1)
    is_last = t == table.game.horizon - 1
    child = np.full(after.shape, -1, dtype=np.int64)
    goes_on = (after >= 0) & (not is_last)
    where = np.nonzero(goes_on)
    collected = returns[where[0]] + table.rewards(t, row[where[:3]])
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

    Args:
        memory: Of the policy: as much as tells the nodes apart, or less.
    """
    if memory is histories.memory:
        return [np.arange(layer.num_nodes) for layer in histories.layers]
    coarse = mediated_histories(histories.game, memory=memory)
    pairs = zip(histories.layers, coarse.layers, strict=True)
    return [np.searchsorted(few.states, many.states) for many, few in pairs]


class MediatedStep(NamedTuple):
    """One step.

    Attributes:
        state (hashable)
        leader: A player.
        action (hashable): The leader's.
        rewards: Of each player, expected over the next state.
    """

    state: Any
    leader: int
    action: Any
    rewards: tuple[Fraction, ...]


class MediatedPlay(NamedTuple):
    """A play: its steps, and the state in which it stopped."""

    steps: tuple[MediatedStep, ...]
    final_state: Any
