"""The tree of an AEC game, all nodes of a level at once, from the game's spots.

Nodes are made level by level, which is breadth first, in rows that say at which spot each stands
and what each player has seen and done.
"""

from array import array
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np

from gametheory_core.arguments import distinct_texts, text_of
from gametheory_core.arrays import IntArray
from gametheory_core.conversions.aec_spots import Draw, Spots
from gametheory_core.games import CHANCE, NULL, ExtensiveFormGame
from gametheory_core.games.rules import InformationState
from gametheory_core.games.table_content import spread
from gametheory_core.games.tree_table import NO_OUTCOME, InformationSet, Outcome
from gametheory_core.memory import growth_limit, require_memory

BYTES_PER_NODE = 60  # at least, and 16 for each player


class Knowledge:
    """A player's information states, numbered from 1 as they are met, each extending an earlier.

    A *past* is an information state with the action taken there; past 0 is that of the beginning.
    Entries 0 of the columns stand for nothing.

    Attributes:
        names: What information states are called.
        view, past (num_information_states + 1,): What is seen last, and what it extends.
        first (num_information_states + 1,): The past that its first action makes.
        owner, action (num_pasts,): The information state and the action's place there.
    """

    def __init__(self, spots: Spots, player: int) -> None:
        self.player, self.names = player, [""]
        self.views, self.actions = list(spots.views[player]), spots.actions[player]
        self.labels = [distinct_texts(own) for own in self.actions]
        self.view, self.past, self.first = array("q", [0]), array("q", [0]), array("q", [0])
        self.owner, self.action = array("q", [0]), array("q", [0])
        self._sizes = np.array([len(own) for own in self.actions])
        self._seen = ["" if view is NULL else f" {text_of(view)}" for view in self.views]
        self._done = [[f" {text_of(action)}" for action in own] for own in self.actions]
        self._texts = [""]  # names, with a space before each entry
        self._number: dict[int, int] = {}
        self._taken: set[str] = set()
        self._require_room = growth_limit(what="the information sets of the tree")

    def find(self, past: Any, view: Any) -> tuple[Any, Any]:
        """Return the information state at each node, and the past that its first action makes."""
        unique, visit, row = np.unique(
            past * len(self.views) + view, return_index=True, return_inverse=True
        )
        order = np.argsort(visit)
        codes = unique[order].tolist()
        found = np.fromiter(map(self._number.get, codes, repeat(0)), dtype=np.int64)
        is_new = found == 0
        if is_new.any():
            self._require_room()
            found[is_new] = self._add(unique[order][is_new])
        number = np.empty_like(found)
        number[order] = found
        number = number[row]
        return number, np.frombuffer(self.first, dtype=np.int64)[number]

    def _add(self, codes: Any) -> Any:
        """Number information states that are met for the first time."""
        past, view = np.divmod(codes, len(self.views))
        numbers = np.arange(len(self.names), len(self.names) + len(codes))
        self._number.update(zip(codes.tolist(), numbers.tolist(), strict=True))
        sizes = self._sizes[view]
        source, position = spread(sizes)
        _extend(self.first, len(self.owner) + np.cumsum(sizes) - sizes)
        _extend(self.owner, numbers[source])
        _extend(self.action, position)
        _extend(self.past, past)
        _extend(self.view, view)
        self._name(past.tolist(), view.tolist())
        return numbers

    def _name(self, past: list[int], view: list[int]) -> None:
        """Name information states as people read them; as Python does if the name is taken."""
        texts, seen, done = self._texts, self._seen, [*self._done, [""]]
        owner = [self.owner[p] for p in past]
        kind = [self.view[k] if k else -1 for k in owner]
        action = [self.action[p] for p in past]
        columns = zip(owner, kind, action, view, strict=True)
        fresh = [texts[k] + done[v][a] + seen[own] for k, v, a, own in columns]
        texts += fresh
        for text in fresh:
            name = text[1:] or "start"
            if name in self._taken:
                name = repr(self.state(len(self.names)))
            self._taken.add(name)
            self.names.append(name)

    def state(self, number: int) -> InformationState:
        """Return an information state in the words of the rules."""
        entries = [self.views[self.view[number]]]
        past = self.past[number]
        while past:
            view = self.view[self.owner[past]]
            entries += [self.actions[view][self.action[past]], self.views[view]]
            past = self.past[self.owner[past]]
        return tuple(reversed(entries))

    def infosets(self) -> list[InformationSet]:
        """Return the player's information sets, in order of first visit."""
        labels = map(self.labels.__getitem__, self.view[1:])
        numbers = range(1, len(self.names))
        return list(map(InformationSet, repeat(self.player), numbers, self.names[1:], labels))


def _extend(column: "array[int]", values: Any) -> None:
    column.frombytes(values.astype(np.int64).tobytes())


class _Table(NamedTuple):
    """The columns of ``Spots``."""

    mover: IntArray
    view: IntArray
    start: IntArray
    child: IntArray
    pays: IntArray
    cycles: IntArray


class _Level(NamedTuple):
    """Nodes of one depth, in rows.

    Attributes:
        spot, cycles (num_nodes,): Where play stands, and chance moves completed at the last
            decision.
        pasts (num_players, num_nodes): What each player has seen and done.
    """

    spot: Any
    cycles: Any
    pasts: Any


class Nodes(NamedTuple):
    """The nodes of a tree, breadth first.

    Attributes:
        mover (num_nodes,): Player who moves, ``CHANCE``, or ``TERMINAL``.
        item (num_nodes,): The mover's information state; of chance, the spot.
        paid (num_nodes,): ``cycles * num_payments + payment`` paid on entering the node.
    """

    mover: IntArray
    item: IntArray
    paid: IntArray


def unroll(spots: Spots, *, size: int) -> tuple[ExtensiveFormGame, tuple[Knowledge, ...]]:
    """Return the tree, and what each player may know.

    Args:
        spots: All of them followed.
        size: How many nodes were counted.

    Raises:
        UnsupportedGame: If the tree would take more memory than the cap.
    """
    game = spots.game
    needed = (BYTES_PER_NODE + 16 * len(game.players)) * size
    require_memory(needed, what=f"a tree of {size:,} nodes", remedy="Choose a smaller game.")
    known = tuple(Knowledge(spots, player) for player in range(len(game.players)))
    nodes = _nodes(spots, known)
    infosets, node_infoset = _infosets(spots, nodes, known)
    outcomes, node_outcome = _outcomes(spots, nodes)
    tree = ExtensiveFormGame(
        tuple(game.players), infosets, node_infoset, outcomes, node_outcome, title=game.title
    )
    return tree, known


def _nodes(spots: Spots, known: tuple[Knowledge, ...]) -> Nodes:
    columns = (spots.mover, spots.view, spots.start, spots.child, spots.pays, spots.cycles)
    table = _Table(*(np.array(column, dtype=np.int32) for column in columns))
    level = _Level(
        spot=np.zeros(1, dtype=np.int32),
        cycles=np.array([0 if spots.root.lottery else max(0, spots.root.cycles)]),
        pasts=np.zeros((len(known), 1), dtype=np.int64),
    )
    paid = np.array([spots.payments[spots.root.paid]])
    made: list[Nodes] = []
    while len(level.spot):
        mover = table.mover[level.spot]
        item, first = level.spot.copy(), np.zeros(len(mover), dtype=np.int64)
        for player, own in enumerate(known):
            moves = np.flatnonzero(mover == player)
            if len(moves):
                view = table.view[level.spot[moves]]
                item[moves], first[moves] = own.find(level.pasts[player, moves], view)
        made.append(Nodes(mover, item, paid))
        level, paid = _descend(table, level, first, len(spots.payments))
    return Nodes(*(np.concatenate(column) for column in zip(*made, strict=True)))


def _descend(table: _Table, level: _Level, first: Any, width: int) -> tuple[_Level, Any]:
    """Return the next level, and what is paid on the way there."""
    start = table.start[level.spot]
    source, position = spread(table.start[level.spot + 1] - start)
    edge = start[source] + position
    cycles = level.cycles[source]
    pasts = level.pasts[:, source]
    mover = table.mover[level.spot[source]]
    moved = np.flatnonzero(mover >= 0)
    pasts[mover[moved], moved] = first[source[moved]] + position[moved]
    below = _Level(table.child[edge], cycles + table.cycles[edge], pasts)
    return below, cycles * width + table.pays[edge]


def _infosets(
    spots: Spots, nodes: Nodes, known: tuple[Knowledge, ...]
) -> tuple[tuple[InformationSet, ...], Any]:
    """Return the information sets, and the place of each node's among them."""
    infosets: list[InformationSet] = []
    place = np.full(len(nodes.mover), -1, dtype=np.int32)
    for own in known:
        moves = nodes.mover == own.player
        place[moves] = nodes.item[moves] - 1 + len(infosets)
        infosets += own.infosets()
    drawn = np.flatnonzero(nodes.mover == CHANCE)
    spot, visit, row = np.unique(nodes.item[drawn], return_index=True, return_inverse=True)
    numbers: dict[Draw, int] = {}
    number = np.empty(len(spot), dtype=np.int64)
    for k in np.argsort(visit).tolist():
        number[k] = numbers.setdefault(spots.draws[int(spot[k])], len(numbers))
    place[drawn] = number[row] + len(infosets)
    infosets += [
        InformationSet(CHANCE, count, "", labels, odds)
        for count, (labels, odds) in enumerate(numbers, start=1)
    ]
    return tuple(infosets), place


def _outcomes(spots: Spots, nodes: Nodes) -> tuple[tuple[Outcome, ...], Any]:
    """Return the payoff vectors, and which is paid at each node: at inner ones none if zero."""
    vectors = list(spots.payments)
    inner = nodes.mover >= CHANCE
    codes, visit, row = np.unique(2 * nodes.paid + inner, return_index=True, return_inverse=True)
    numbers: dict[tuple[Any, ...], int] = {}
    number = np.full(len(codes), NO_OUTCOME, dtype=np.int32)
    for k in np.argsort(visit).tolist():
        code, is_inner = divmod(int(codes[k]), 2)
        cycles, payment = divmod(code, len(vectors))
        vector = tuple(x * spots.game.discount**cycles for x in vectors[payment])
        if any(vector) or not is_inner:
            number[k] = numbers.setdefault(vector, len(numbers))
    return tuple(map(Outcome, numbers)), number[row]
