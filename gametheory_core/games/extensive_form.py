"""Extensive-form games: a finite tree with chance, information sets and payoffs, as flat arrays.

Nodes are numbered breadth first from the root 0, the children of a node contiguous. The tree is
then fixed by one array: ``node_infoset[v]`` names the information set of node ``v`` (-1 at the end
of play), and the information set says how many children ``v`` has. All other arrays follow from
it, so no two of them can disagree. Chance nodes have information sets too (of player ``CHANCE``),
which carry the probabilities.

Outcomes hang on nodes, inner ones included; a play pays the sum of the outcomes on its path.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from gametheory_core.arrays import (
    ZERO,
    ExactArray,
    FloatArray,
    IntArray,
    as_float,
    freeze,
    to_fraction,
)
from gametheory_core.distributions import check_weights
from gametheory_core.errors import InvalidGame
from gametheory_core.labels import check_labels, label_or_number

CHANCE = -1
TERMINAL = -2
NO_OUTCOME = -1


@dataclass(frozen=True)
class InformationSet:
    """Decision nodes that the mover cannot tell apart, or chance nodes with one lottery.

    Attributes
    ----------
    player : int
        The mover, or ``CHANCE``.
    number : int
        The number of the information set among its player's, as in the file; from 1.
    label : str
        Name, or "" if unnamed.
    actions : tuple of str
        Labels of the choices, in the order of the children.
    probabilities : tuple of Fraction, or None
        For chance: of each choice, summing to one. None for players.
    """

    player: int
    number: int
    label: str
    actions: tuple[str, ...]
    probabilities: tuple[Fraction, ...] | None = None

    def __post_init__(self) -> None:
        owner = describe_infoset(self)
        actions = check_labels(self.actions, kind="action", owner=owner)
        object.__setattr__(self, "actions", actions)
        if not actions:
            raise InvalidGame(f"{owner}: needs at least one action, but has none.")
        if (self.player == CHANCE) != (self.probabilities is not None):
            raise InvalidGame(f"{owner}: chance, and only chance, needs probabilities.")
        if self.probabilities is not None:
            exact = tuple(to_fraction(p, where=f"{owner}: probability") for p in self.probabilities)
            object.__setattr__(self, "probabilities", exact)
            if len(exact) != len(actions):
                raise InvalidGame(
                    f"{owner}: needs a probability for each of {len(actions)} actions, "
                    f"but got {len(exact)}."
                )
            check_weights(list(zip(actions, exact, strict=True)), owner=owner)


@dataclass(frozen=True)
class Outcome:
    """What a node pays on reaching it: one ``Fraction`` for each player."""

    payoffs: tuple[Fraction, ...]
    label: str = ""

    def __post_init__(self) -> None:
        exact = tuple(
            to_fraction(p, where=f"payoff of outcome {self.label!r}") for p in self.payoffs
        )
        object.__setattr__(self, "payoffs", exact)


@dataclass(frozen=True, eq=False, repr=False)
class ExtensiveFormGame:
    """A finite extensive-form game as a table.

    Information sets are stored sorted by player, chance last, and within a player in the order of
    their first node; other arrays refer to them by that index. The constructor sorts.

    Attributes
    ----------
    players : tuple of str
        Labels of the players.
    infosets : tuple of InformationSet
        Of players 0, 1, ..., then of chance.
    node_infoset : int32 array (num_nodes,)
        Index into ``infosets``; -1 at terminal nodes. Nodes are in breadth-first order.
    outcomes : tuple of Outcome
        Each may hang on several nodes.
    node_outcome : int32 array (num_nodes,)
        Index into ``outcomes``; ``NO_OUTCOME`` where nothing is paid.
    node_labels : tuple of str
        One for each node, or empty if nodes are unnamed.
    title : str
        For people; no part of the game's identity.
    """

    players: tuple[str, ...]
    infosets: tuple[InformationSet, ...]
    node_infoset: IntArray
    outcomes: tuple[Outcome, ...]
    node_outcome: IntArray
    node_labels: tuple[str, ...] = ()
    title: str = ""

    def __post_init__(self) -> None:
        players = check_labels(self.players, kind="player", owner="ExtensiveFormGame")
        object.__setattr__(self, "players", players)
        node_infoset = np.array(self.node_infoset, dtype=np.int32)
        node_outcome = np.array(self.node_outcome, dtype=np.int32)
        _check_table(self, node_infoset, node_outcome)
        order = _canonical_order(self.infosets, node_infoset)
        rank = np.full(len(order) + 1, -1, dtype=np.int32)  # the last entry serves index -1
        rank[order] = np.arange(len(order), dtype=np.int32)
        object.__setattr__(self, "infosets", tuple(self.infosets[i] for i in order))
        object.__setattr__(self, "outcomes", tuple(self.outcomes))
        object.__setattr__(self, "node_labels", tuple(map(str, self.node_labels)))
        object.__setattr__(self, "node_infoset", freeze(rank[node_infoset]))
        object.__setattr__(self, "node_outcome", freeze(node_outcome))

    # Sizes

    @property
    def num_players(self) -> int:
        """Number of players, chance not counted."""
        return len(self.players)

    @property
    def num_nodes(self) -> int:
        """Number of nodes, terminal ones included."""
        return len(self.node_infoset)

    @cached_property
    def num_decision_infosets(self) -> int:
        """Number of information sets of players; chance's come after them."""
        return sum(infoset.player != CHANCE for infoset in self.infosets)

    # Shape of the tree

    @cached_property
    def infoset_player(self) -> IntArray:
        """Mover at each information set, shape (num_infosets,)."""
        return _int32([infoset.player for infoset in self.infosets])

    @cached_property
    def action_offset(self) -> IntArray:
        """Where each information set's actions start in flat action arrays, (num_infosets + 1,)."""
        counts = [len(infoset.actions) for infoset in self.infosets]
        return _int32(np.concatenate([[0], np.cumsum(counts)]))

    @cached_property
    def num_children(self) -> IntArray:
        """Number of children of each node, shape (num_nodes,)."""
        counts = np.append(np.diff(self.action_offset), 0)
        return _int32(counts[self.node_infoset])

    @cached_property
    def first_child(self) -> IntArray:
        """First child of each node, (num_nodes,); for terminal nodes where it would stand."""
        return _int32(np.concatenate([[1], 1 + np.cumsum(self.num_children)[:-1]]))

    @cached_property
    def parent(self) -> IntArray:
        """Parent of each node, shape (num_nodes,); -1 for the root."""
        nodes = np.arange(self.num_nodes, dtype=np.int32)
        return _int32(np.concatenate([[-1], np.repeat(nodes, self.num_children)]))

    @cached_property
    def node_player(self) -> IntArray:
        """Mover at each node, shape (num_nodes,): a player, ``CHANCE`` or ``TERMINAL``."""
        return _int32(np.append(self.infoset_player, TERMINAL)[self.node_infoset])

    @cached_property
    def node_action(self) -> IntArray:
        """Flat action index leading into each node, shape (num_nodes,); -1 for the root."""
        parent = self.parent[1:]
        position = np.arange(1, self.num_nodes) - self.first_child[parent]
        return _int32(np.append(-1, self.action_offset[self.node_infoset[parent]] + position))

    @cached_property
    def level_offset(self) -> IntArray:
        """First node of each depth, then the number of nodes; shape (depth + 2,)."""
        offsets = [0, 1]
        while offsets[-1] < self.num_nodes:
            last = offsets[-1] - 1
            offsets.append(int(self.first_child[last] + self.num_children[last]))
        return _int32(offsets)

    @cached_property
    def terminals(self) -> IntArray:
        """Terminal nodes, in breadth-first order."""
        return _int32(np.flatnonzero(self.node_infoset < 0))

    # Numbers

    @cached_property
    def exact_terminal_payoffs(self) -> ExactArray:
        """Payoffs of each play, outcomes on its path added up, (num_terminals, num_players)."""
        own = np.empty((len(self.outcomes) + 1, self.num_players), dtype=object)
        own[:] = ZERO
        for index, outcome in enumerate(self.outcomes):
            own[index] = outcome.payoffs
        inner = self.node_infoset >= 0
        total = own[self.node_outcome]
        if np.any(self.node_outcome[inner] != NO_OUTCOME):
            for start, stop in zip(self.level_offset[1:-1], self.level_offset[2:], strict=True):
                total[start:stop] += total[self.parent[start:stop]]
        return freeze(total[self.terminals])

    @cached_property
    def terminal_payoffs(self) -> FloatArray:
        """``exact_terminal_payoffs`` as float64."""
        return as_float(self.exact_terminal_payoffs)

    @cached_property
    def exact_chance_probabilities(self) -> ExactArray:
        """Probability of each flat action of chance; zero for players' actions."""
        flat = np.empty(int(self.action_offset[-1]), dtype=object)
        flat[:] = ZERO
        for index in range(self.num_decision_infosets, len(self.infosets)):
            start, stop = self.action_offset[index], self.action_offset[index + 1]
            flat[start:stop] = self.infosets[index].probabilities
        return freeze(flat)

    # Identity

    @cached_property
    def digest(self) -> str:
        """Content identity: SHA-256 over players, information sets, tree and payoffs.

        The title, node labels, and the labels, order and sharing of outcomes do not enter.
        """
        content = hashlib.sha256(b"gametheory-core/extensive-form/1\n")
        content.update(repr(self.players).encode())
        for s in self.infosets:
            probabilities = None if s.probabilities is None else list(map(str, s.probabilities))
            content.update(repr((s.player, s.number, s.label, s.actions, probabilities)).encode())
        content.update(self.node_infoset.astype("<i4").tobytes())
        texts = [" ".join(map(str, outcome.payoffs)) for outcome in self.outcomes]
        texts.append(" ".join(["0"] * self.num_players))  # index -1: no outcome
        content.update(",".join(texts[o] for o in self.node_outcome.tolist()).encode())
        return content.hexdigest()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by the constructor, so that arrays are read-only again on the other side."""
        fields = (self.players, self.infosets, self.node_infoset, self.outcomes, self.node_outcome)
        return (ExtensiveFormGame, (*fields, self.node_labels, self.title))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExtensiveFormGame) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return (
            f"ExtensiveFormGame({self.title!r}, {self.num_players} players, {self.num_nodes} "
            f"nodes, {self.num_decision_infosets} information sets)"
        )


def player_infosets(game: ExtensiveFormGame, player: int) -> range:
    """Return the indices of a player's information sets, in order of first visit."""
    first, stop = np.searchsorted(
        game.infoset_player[: game.num_decision_infosets], [player, player + 1]
    )
    return range(int(first), int(stop))


def path_to(game: ExtensiveFormGame, node: int) -> tuple[str, ...]:
    """Return the labels of the choices from the root to a node."""
    labels: list[str] = []
    while node > 0:
        parent = int(game.parent[node])
        position = node - int(game.first_child[parent])
        action = game.infosets[game.node_infoset[parent]].actions[position]
        labels.append(action or f"#{position + 1}")
        node = parent
    return tuple(reversed(labels))


def describe_infoset(infoset: InformationSet) -> str:
    """Return how messages name an information set: its label, or its number and player."""
    name = label_or_number(infoset.label, infoset.number)
    owner = "chance" if infoset.player == CHANCE else f"player {infoset.player + 1}"
    return f"information set {name} of {owner}"


def breadth_first_order(num_children: Sequence[int]) -> IntArray:
    """Return preorder positions sorted breadth first, from each node's number of children.

    Nodes of one depth keep their preorder, which keeps siblings contiguous.

    Raises
    ------
    InvalidGame
        If the counts are not those of one whole tree in preorder.
    """
    depth = np.zeros(len(num_children), dtype=np.int32)
    open_slots: list[int] = [1]
    for node, count in enumerate(num_children):
        while open_slots and open_slots[-1] == 0:
            open_slots.pop()
        if not open_slots:
            raise InvalidGame(f"tree: ends after {node} nodes, but {len(num_children)} were given.")
        open_slots[-1] -= 1
        depth[node] = len(open_slots) - 1
        open_slots.append(count)
    if any(open_slots):
        raise InvalidGame(f"tree: {len(num_children)} nodes were given, but more are needed.")
    return _int32(np.argsort(depth, kind="stable"))


def _int32(values: object) -> IntArray:
    return freeze(np.asarray(values, dtype=np.int32))


def _check_table(game: ExtensiveFormGame, node_infoset: IntArray, node_outcome: IntArray) -> None:
    num_nodes = len(node_infoset)
    if num_nodes == 0 or node_infoset.shape != node_outcome.shape or node_infoset.ndim != 1:
        raise InvalidGame(
            "ExtensiveFormGame: needs node_infoset and node_outcome of one length, at least 1, "
            f"but their shapes are {node_infoset.shape} and {node_outcome.shape}."
        )
    if game.node_labels and len(game.node_labels) != num_nodes:
        raise InvalidGame(
            f"ExtensiveFormGame: needs a label for each of {num_nodes} nodes, or none, "
            f"but got {len(game.node_labels)}."
        )
    for name, array, size in (
        ("node_infoset", node_infoset, len(game.infosets)),
        ("node_outcome", node_outcome, len(game.outcomes)),
    ):
        bad = np.flatnonzero((array < -1) | (array >= size))
        if bad.size:
            raise InvalidGame(
                f"ExtensiveFormGame: needs {name} in -1..{size - 1}, "
                f"but node {bad[0]} has {array[bad[0]]}."
            )
    for outcome in game.outcomes:
        if len(outcome.payoffs) != len(game.players):
            raise InvalidGame(
                f"outcome {outcome.label!r}: needs a payoff for each of {len(game.players)} "
                f"players, but has {len(outcome.payoffs)}."
            )
    for infoset in game.infosets:
        if not CHANCE <= infoset.player < len(game.players):
            raise InvalidGame(
                f"ExtensiveFormGame: needs movers in -1 (chance)..{len(game.players) - 1}, "
                f"but information set {infoset.label!r} has player {infoset.player}."
            )
    _check_numbers(game.infosets)
    _check_breadth_first(game.infosets, node_infoset)


def _check_numbers(infosets: Sequence[InformationSet]) -> None:
    by_number: dict[tuple[int, int], InformationSet] = {}
    by_label: dict[tuple[int, str], InformationSet] = {}
    for infoset in infosets:
        twin = by_number.setdefault((infoset.player, infoset.number), infoset)
        if twin is not infoset:
            raise InvalidGame(
                f"{describe_infoset(infoset)}: needs a number of its own, but {infoset.number} "
                f"also numbers {describe_infoset(twin)}."
            )
        if infoset.label and infoset.player != CHANCE:
            twin = by_label.setdefault((infoset.player, infoset.label), infoset)
            if twin is not infoset:
                raise InvalidGame(
                    f"player {infoset.player + 1}: needs different information set labels, but "
                    f"{infoset.label!r} names both number {twin.number} and number "
                    f"{infoset.number}. Rename one of them."
                )


def _check_breadth_first(infosets: Sequence[InformationSet], node_infoset: IntArray) -> None:
    counts = np.append([len(infoset.actions) for infoset in infosets], 0).astype(np.int64)
    known = 1 + np.cumsum(counts[node_infoset])  # nodes that exist once nodes 0..v are expanded
    num_nodes = len(node_infoset)
    orphans = np.flatnonzero(known[:-1] <= np.arange(1, num_nodes))
    if orphans.size or known[-1] != num_nodes:
        found = int(known[orphans[0]]) if orphans.size else int(known[-1])
        raise InvalidGame(
            f"ExtensiveFormGame: needs one tree in breadth-first order, but {num_nodes} nodes were "
            f"given and their actions lead to {found}."
        )
    used = np.zeros(len(infosets) + 1, dtype=bool)
    used[node_infoset] = True
    idle = np.flatnonzero(~used[:-1])
    if idle.size:
        raise InvalidGame(
            f"{describe_infoset(infosets[idle[0]])}: needs at least one node, but has none."
        )


def _canonical_order(
    infosets: Sequence[InformationSet], node_infoset: IntArray
) -> "np.ndarray[tuple[int], np.dtype[np.intp]]":
    inner = node_infoset[node_infoset >= 0]
    _, first_node = np.unique(inner, return_index=True)
    player = np.array([s.player for s in infosets])
    keys = (first_node, player, player == CHANCE)  # the last key counts first
    return np.lexsort(keys) if len(infosets) else np.zeros(0, dtype=np.intp)
