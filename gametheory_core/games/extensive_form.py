"""Extensive-form games: a finite tree with chance, information sets and payoffs, as flat arrays.

Nodes are numbered breadth first from the root 0, the children of a node contiguous. The tree is
then fixed by one array: ``node_infoset[v]`` names the information set of node ``v`` (-1 at the end
of play), and the information set says how many children ``v`` has. All other arrays follow from
it, so no two of them can disagree. Chance nodes have information sets too (of player ``CHANCE``),
which carry the probabilities.

Outcomes hang on nodes, inner ones included; a play pays the sum of the outcomes on its path.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gametheory_core.arguments import check_labels, number_of
from gametheory_core.arrays import (
    ZERO,
    ExactArray,
    FloatArray,
    IntArray,
    as_float,
    freeze,
    hexadecimal,
)
from gametheory_core.errors import InvalidGame
from gametheory_core.games.table_content import by_constructor, hash_of_content, keep, same_content
from gametheory_core.games.tree_table import (
    CHANCE,
    NO_OUTCOME,
    InformationSet,
    Outcome,
    canonical_order,
    check_table,
    index_array,
)

TERMINAL = -2
DIGESTED_AT_ONCE = 65_536  # nodes


@dataclass(frozen=True, eq=False, repr=False)
class ExtensiveFormGame:
    """A finite extensive-form game as a table.

    Information sets are stored sorted by player, chance last, and within a player in the order of
    their first node; other arrays refer to them by that index. The constructor sorts.

    Attributes:
        players: Labels of the players.
        infosets: Of players 0, 1, ..., then of chance.
        node_infoset (num_nodes,): Index into ``infosets``; -1 at terminal nodes. Nodes are in
            breadth-first order.
        outcomes: Each may hang on several nodes.
        node_outcome (num_nodes,): Index into ``outcomes``; ``NO_OUTCOME`` where nothing is paid.
        node_labels: One for each node, or empty if nodes are unnamed.
        title: For people; no part of the game's identity.
    """

    players: tuple[str, ...]
    infosets: tuple[InformationSet, ...]
    node_infoset: IntArray
    outcomes: tuple[Outcome, ...]
    node_outcome: IntArray
    node_labels: tuple[str, ...] = ()
    title: str = ""

    def __post_init__(self) -> None:
        players = check_labels(self.players, kind="player")
        if not players:
            raise InvalidGame(needs="at least one player", found="has none")
        node_infoset = index_array(self.node_infoset, name="node_infoset")
        node_outcome = index_array(self.node_outcome, name="node_outcome")
        check_table(
            players, self.infosets, node_infoset, self.outcomes, node_outcome, self.node_labels
        )
        movers = np.array([infoset.player for infoset in self.infosets], dtype=np.int32)
        order = canonical_order(movers, node_infoset)
        rank = np.full(len(order) + 1, -1, dtype=np.int32)  # the last entry serves index -1
        rank[order] = np.arange(len(order), dtype=np.int32)
        keep(
            self,
            players=players,
            infosets=tuple(self.infosets[i] for i in order),
            outcomes=tuple(self.outcomes),
            node_labels=tuple(map(str, self.node_labels)),
            node_infoset=freeze(rank[node_infoset]),
            node_outcome=freeze(node_outcome),
        )

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
            probabilities = (
                None if s.probabilities is None else list(map(hexadecimal, s.probabilities))
            )
            content.update(repr((s.player, s.number, s.label, s.actions, probabilities)).encode())
        content.update(self.node_infoset.astype("<i4").tobytes())
        texts = [" ".join(map(hexadecimal, outcome.payoffs)) for outcome in self.outcomes]
        texts.append(" ".join([hexadecimal(ZERO)] * self.num_players))  # index -1: no outcome
        for start in range(0, self.num_nodes, DIGESTED_AT_ONCE):
            part = self.node_outcome[start : start + DIGESTED_AT_ONCE].tolist()
            content.update(("," * bool(start) + ",".join(texts[o] for o in part)).encode())
        return content.hexdigest()

    __reduce__, __eq__, __hash__ = by_constructor, same_content, hash_of_content

    def __repr__(self) -> str:
        return (
            f"ExtensiveFormGame({self.title!r}, {number_of(self.num_players, 'player')}, "
            f"{number_of(self.num_nodes, 'node')}, "
            f"{number_of(self.num_decision_infosets, 'information set')})"
        )

    def _repr_svg_(self) -> str | None:
        """Show a small tree as a picture in notebooks; None, where the repr must do."""
        from gametheory_core.games import tree_svg  # noqa: PLC0415 it imports this file

        return tree_svg.tree_svg(self) if tree_svg.is_readable(self) else None


def player_infosets(game: ExtensiveFormGame, player: int) -> range:
    """Return the indices of a player's information sets, in order of first visit.

    >>> from gametheory_core import load_game
    >>> player_infosets(load_game("kuhn_poker"), 1)
    range(6, 12)
    """
    first, stop = np.searchsorted(
        game.infoset_player[: game.num_decision_infosets], [player, player + 1]
    )
    return range(int(first), int(stop))


def path_to(game: ExtensiveFormGame, node: int) -> tuple[str, ...]:
    """Return the labels of the choices from the root to a node.

    >>> from gametheory_core import load_game
    >>> poker = load_game("kuhn_poker")
    >>> path_to(poker, poker.num_nodes - 1)
    ('KQ', 'check', 'bet', 'call')
    """
    labels: list[str] = []
    for parent, position in choices_to(game, node):
        action = game.infosets[game.node_infoset[parent]].actions[position]
        labels.append(action or f"#{position + 1}")
    return tuple(labels)


def choices_to(game: ExtensiveFormGame, node: int) -> list[tuple[int, int]]:
    """Return the nodes above a node, from the root, each with the position of the child taken."""
    above: list[tuple[int, int]] = []
    while node > 0:
        parent = int(game.parent[node])
        above.append((parent, node - int(game.first_child[parent])))
        node = parent
    return above[::-1]


def _int32(values: object) -> IntArray:
    return freeze(np.asarray(values, dtype=np.int32))
