"""Unrolling the tables of a POSG into a tree, all nodes of a step at once.

Within a step the players move in order, none seeing the others' moves; then chance draws the next
state and what is seen. Where chance has one outcome there is no node for it. Nodes are made step by
step and sorted breadth first at the end.
"""

from typing import Any, NamedTuple

import numpy as np

from gametheory_core.games.table_content import Kernel, spread
from gametheory_core.games.tables import TabularPOSG

MOST_COUNTED = 1e15  # floats count exactly up to here
MANY_STEPS = 1000
END = -1  # in place of a signal: play ends here


class Draw(NamedTuple):
    """Chance's distributions over what comes next: one row for each transition row.

    Attributes:
        kernel: Over entries; ``outcome`` is the state.
        signal (num_entries,): The joint observation drawn with the state; ``END`` at terminal
            histories.
        reward (num_entries,): Row of the game's reward vectors; -1 for nothing.
    """

    kernel: Kernel
    signal: Any
    reward: Any


class Knowledge(NamedTuple):
    """A player's information states, numbered: how each extends an earlier one.

    Attributes:
        before (num_information_states,): The information state it extends; -1 at the start.
        action, observation (num_information_states,): What was done there, and what was seen then.
    """

    before: Any
    action: Any
    observation: Any


class Unrolled(NamedTuple):
    """The tree, nodes in breadth-first order.

    Attributes:
        kind (num_nodes,): Player who moves, ``num_players + k`` for chance by draw ``k``, -1 at
            terminal histories.
        item (num_nodes,): Information state of the mover, or row of the draw.
        paid (num_nodes,): ``step * num_rewards + reward`` paid on entering the node; -1 for
            nothing.
        knowledge: For each player.
        draws: At the start; within play; at the last step, where nobody sees what comes.
    """

    kind: Any
    item: Any
    paid: Any
    knowledge: tuple[Knowledge, ...]
    draws: tuple[Draw, Draw, Draw]


START, WITHIN, LAST = 0, 1, 2


def draws_of(game: TabularPOSG, *, has_steps: bool) -> tuple[Draw, Draw, Draw]:
    """Return chance's lotteries: at the start, within play, at the last step."""
    first = game.initial_kernel.outcome
    nothing = np.full(len(first), -1)
    opening = game.initial_signal_row[first] if has_steps else nothing
    opening = np.where(game.terminal[first], -1, opening)
    ends = np.full(len(game.entry_signal_row), -1)
    return (
        _draw(game, game.initial_kernel, opening, nothing),
        _draw(game, game.transition_kernel, game.entry_signal_row, game.entry_reward),
        _draw(game, game.transition_kernel, ends, game.entry_reward),
    )


def _draw(game: TabularPOSG, law: Kernel, signal_row: Any, reward: Any) -> Draw:
    signals = game.signal_kernel
    which, position = spread(np.where(signal_row < 0, 1, signals.sizes[signal_row]))
    row = signal_row[which]
    entry = np.where(row < 0, 0, signals.start[row] + position)
    weight = law.weight[which]
    several = np.flatnonzero((row >= 0) & (signals.sizes[row] > 1))
    weight[several] *= signals.weight[entry[several]]
    row_of_entry, _ = spread(law.sizes)
    sizes = np.bincount(row_of_entry[which], minlength=law.num_rows)
    start = np.concatenate([[0], np.cumsum(sizes)])
    kernel = Kernel(start, law.outcome[which], weight)
    return Draw(kernel, np.where(row < 0, END, signals.outcome[entry]), reward[which])


def count_nodes(game: TabularPOSG, *, horizon: int, enough: float = MOST_COUNTED) -> float:
    """Return how many nodes the tree will have, by counting situations instead of nodes.

    Stops counting at ``MOST_COUNTED``. After ``MANY_STEPS`` steps it also stops once there are
    ``enough``, or will be because every step makes as many again; the count is then a lower bound.
    """
    draws = draws_of(game, has_steps=horizon > 0)
    created, key, number = _drawn(game, draws[START], np.ones(1))
    total = 1.0 + created
    for step in range(horizon):
        start = total
        state, signal = key // len(game.signals), key % len(game.signals)
        pair, code = np.arange(len(key)), np.zeros(len(key), dtype=np.int64)
        for player, stride in enumerate(game.strides):
            source, action = game.spread_actions(player, game.signals[signal[pair], player])
            pair, code = pair[source], code[source] + action * stride
            total += float(number[pair].sum())
        draw = draws[LAST if step + 1 == horizon else WITHIN]
        row = game.find_transitions(state[pair], code)
        times = np.bincount(row, weights=number[pair], minlength=draw.kernel.num_rows)
        earlier, times_before = key, number
        created, key, number = _drawn(game, draw, times)
        total += created
        if not len(key) or total > MOST_COUNTED:
            break
        if step > MANY_STEPS:
            steady = np.array_equal(key, earlier) and np.array_equal(number, times_before)
            least = total + (total - start) * steady * (horizon - step - 2)
            if least > enough:
                return float(least)
    return total


def _drawn(game: TabularPOSG, draw: Draw, times: Any) -> tuple[float, Any, Any]:
    """Return how many nodes drawing each row so many times makes, and the pairs that continue."""
    source, _ = spread(draw.kernel.sizes)
    live = draw.signal != END
    code = draw.kernel.outcome.astype(np.int64) * len(game.signals) + draw.signal
    key, place = np.unique(code[live], return_inverse=True)
    number = np.bincount(place, weights=times[source][live], minlength=len(key))
    met = number > 0
    created = float(times @ np.where(draw.kernel.sizes > 1, draw.kernel.sizes, 0))
    return created, key[met], number[met]


class _Front(NamedTuple):
    """Where a step starts: a node, the game's state and what each player knows, in rows."""

    node: Any
    state: Any
    knows: Any  # (players, rows)


def unroll(game: TabularPOSG, *, horizon: int, on_iteration: Any = None) -> Unrolled:
    """Return the tree of ``horizon`` steps."""
    tree = _Tree(game, horizon, on_iteration)
    front = tree.start()
    step = 0
    while len(front.node) and step < horizon:
        front = tree.step(front, step)
        step += 1
    return tree.finish()


class _Tree:
    """The tree under construction: columns by number of node, in the order of making."""

    def __init__(self, game: TabularPOSG, horizon: int, on_iteration: Any) -> None:
        self.game, self.horizon, self.on_iteration = game, horizon, on_iteration
        self.draws = draws_of(game, has_steps=horizon > 0)
        self.parents: list[Any] = [np.array([-1], dtype=np.int32)]
        self.count = 1
        self.marks: list[tuple[Any, Any, Any]] = []  # nodes, kind, item
        self.payments: list[tuple[Any, Any]] = []  # nodes, paid
        self.known: list[list[Knowledge]] = [[] for _ in game.players]
        self.num_known = [0] * len(game.players)

    def start(self) -> _Front:
        """Draw the first state, and what is seen in it."""
        nobody = np.full((len(self.game.players), 1), -1)
        root = _Front(np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64), nobody)
        return self._draw(root, START, np.zeros(1, dtype=np.int64), nobody, -1)

    def step(self, front: _Front, step: int) -> _Front:
        """Let every player move, then chance."""
        game = self.game
        node, row = front.node, np.arange(len(front.node))
        code = np.zeros(len(row), dtype=np.int64)
        actions: list[Any] = []
        for player, stride in enumerate(game.strides):
            knows = front.knows[player][row]
            self.marks.append((node, player, knows))
            source, action = game.spread_actions(player, self._last_seen(player, knows))
            node = self._below(node[source])
            row, code = row[source], code[source] + action * stride
            actions = [*(own[source] for own in actions), action]
        transition = game.find_transitions(front.state[row], code)
        whole = _Front(node, front.state[row], front.knows[:, row])
        kind = LAST if step + 1 == self.horizon else WITHIN
        return self._draw(whole, kind, transition, np.array(actions), step)

    def _draw(self, here: _Front, kind: int, rows: Any, actions: Any, step: int) -> _Front:
        """Let chance draw; make nodes where it has a choice, and say what follows."""
        draw = self.draws[kind]
        sizes = draw.kernel.sizes[rows]
        several = np.flatnonzero(sizes > 1)
        self.marks.append((here.node[several], len(self.game.players) + kind, rows[several]))
        source, entry = draw.kernel.entries(rows)
        node = here.node[source]
        made = sizes[source] > 1
        node[made] = self._below(node[made])
        reward = draw.reward[entry]
        pays = np.flatnonzero(reward >= 0)
        num_rewards = len(self.game.reward_vectors)
        self.payments.append((node[pays], step * num_rewards + reward[pays]))
        on = np.flatnonzero(draw.signal[entry] != END)
        seen = self.game.signals[draw.signal[entry[on]]]
        knows = [
            self._learn(i, here.knows[i][source[on]], actions[i][source[on]], seen[:, i])
            for i in range(len(self.game.players))
        ]
        if self.on_iteration is not None:
            self.on_iteration(self.count)
        return _Front(node[on], draw.kernel.outcome[entry[on]].astype(np.int64), np.array(knows))

    def _below(self, parent: Any) -> Any:
        """Make a node below each parent; siblings stand together."""
        self.parents.append(parent.astype(np.int32))
        self.count += len(parent)
        return np.arange(self.count - len(parent), self.count)

    def _last_seen(self, player: int, knows: Any) -> Any:
        latest = self.known[player][-1]
        return latest.observation[knows - (self.num_known[player] - len(latest.observation))]

    def _learn(self, player: int, before: Any, action: Any, seen: Any) -> Any:
        """Number what the player knows now: equal exactly if the past, action and sight are."""
        own = len(self.game.observations[player])
        base = len(self.game.actions[player]) + 1
        code = ((before + 1) * base + action + 1) * own + seen
        unique, first, place = np.unique(code, return_index=True, return_inverse=True)
        self.known[player].append(Knowledge(before[first], action[first], seen[first]))
        start = self.num_known[player]
        self.num_known[player] += len(unique)
        return start + place

    def finish(self) -> Unrolled:
        """Put the nodes in breadth-first order."""
        parent = np.concatenate(self.parents)
        place = breadth_first_places(parent)
        kind, item, paid = (np.full(self.count, -1, dtype=np.int32) for _ in range(3))
        for nodes, mover, what in self.marks:
            kind[place[nodes]], item[place[nodes]] = mover, what
        for nodes, what in self.payments:
            paid[place[nodes]] = what
        knowledge = tuple(
            Knowledge(*(np.concatenate(column) for column in zip(*own, strict=True)))
            for own in self.known
        )
        return Unrolled(kind, item, paid, knowledge, self.draws)


def breadth_first_places(parent: Any) -> Any:
    """Return each node's place in breadth-first order, parents' order and then age deciding.

    Args:
        parent (num_nodes,): Of each node, older than it; -1 for the root, which is node 0.
    """
    place = np.zeros(len(parent), dtype=np.int32)
    order = np.argsort(parent, kind="stable")
    bounds = np.searchsorted(parent[order], np.arange(len(parent) + 1))
    level = np.zeros(1, dtype=np.int64)
    placed = 0
    while len(level):
        place[level] = np.arange(placed, placed + len(level))
        placed += len(level)
        which, position = spread(bounds[level + 1] - bounds[level])
        level = order[bounds[level][which] + position]
    return place
