"""Trees as arrays: the order of nodes and information sets, and what makes arrays a tree.

Nodes refer to information sets and to outcomes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gametheory_core.arguments import check_labels, label_or_number
from gametheory_core.arrays import IntArray, freeze, to_fraction
from gametheory_core.errors import InvalidGame
from gametheory_core.probabilities import exact_weights

CHANCE = -1
NO_OUTCOME = -1


@dataclass(frozen=True, slots=True)
class InformationSet:
    """Decision nodes that the mover cannot tell apart, or chance nodes with one distribution.

    Attributes:
        player: The mover, or ``CHANCE``.
        number: The number of the information set among its player's, as in the file; from 1.
        label: Name, or "" if unnamed.
        actions: Labels of the choices, in the order of the children.
        probabilities: For chance: of each choice, summing to one. None for players.
    """

    player: int
    number: int
    label: str
    actions: tuple[str, ...]
    probabilities: tuple[Fraction, ...] | None = None

    def __post_init__(self) -> None:
        if self.player != CHANCE and self.probabilities is None and _are_distinct(self.actions):
            return  # a tree may have a million of them
        owner = describe_infoset(self)
        actions = check_labels(self.actions, kind="action", owner=owner)
        object.__setattr__(self, "actions", actions)
        if not actions:
            raise InvalidGame(needs="at least one action", found="has none", where=owner)
        if (self.player == CHANCE) != (self.probabilities is not None):
            raise InvalidGame(found="chance, and only chance, needs probabilities", where=owner)
        if self.probabilities is not None:
            given = tuple(self.probabilities)
            if len(given) != len(actions):
                raise InvalidGame(
                    needs=f"a probability for each of {len(actions)} actions",
                    found=f"got {len(given)}",
                    where=owner,
                )
            exact = exact_weights(actions, given, owner=owner)
            object.__setattr__(self, "probabilities", exact)


def _are_distinct(actions: tuple[str, ...]) -> bool:
    """Tell whether these are different texts, at least one."""
    return (
        type(actions) is tuple
        and set(map(type, actions)) == {str}
        and (len(set(actions)) == len(actions))
    )


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


def describe_infoset(infoset: InformationSet) -> str:
    """Return how messages name an information set: its label, or its number and player."""
    name = label_or_number(infoset.label, infoset.number)
    owner = "chance" if infoset.player == CHANCE else f"player {infoset.player + 1}"
    return f"information set {name} of {owner}"


def breadth_first_order(num_children: Sequence[int]) -> IntArray:
    """Return preorder positions sorted breadth first, from each node's number of children.

    Nodes of one depth keep their preorder, which keeps siblings contiguous.
    """
    depth = np.zeros(len(num_children), dtype=np.int32)
    open_slots: list[int] = [1]
    for node, count in enumerate(num_children):
        while open_slots and open_slots[-1] == 0:
            open_slots.pop()
        if not open_slots:
            raise InvalidGame(
                found=f"ends after {node} nodes, but {len(num_children)} were given", where="tree"
            )
        open_slots[-1] -= 1
        depth[node] = len(open_slots) - 1
        open_slots.append(count)
    if any(open_slots):
        raise InvalidGame(
            found=f"{len(num_children)} nodes were given, but more are needed", where="tree"
        )
    return freeze(np.argsort(depth, kind="stable").astype(np.int32))


def index_array(values: object, *, name: str) -> IntArray:
    """Copy indices, which must be integers."""
    given = np.asarray(values)
    if given.size and given.dtype.kind not in "iu":
        raise InvalidGame(
            needs=f"integers in {name}",
            found=f"its type is {given.dtype}",
            remedy="Give indices, with -1 for none.",
        )
    return given.astype(np.int32)


def check_table(
    players: Sequence[str],
    infosets: Sequence[InformationSet],
    node_infoset: IntArray,
    outcomes: Sequence[Outcome],
    node_outcome: IntArray,
    node_labels: Sequence[str],
) -> None:
    """Refuse arrays that are not one whole tree in breadth-first order, with the witness."""
    num_nodes = len(node_infoset)
    if num_nodes == 0 or node_infoset.shape != node_outcome.shape or node_infoset.ndim != 1:
        raise InvalidGame(
            needs="node_infoset and node_outcome of one length, at least 1",
            found=f"their shapes are {node_infoset.shape} and {node_outcome.shape}",
        )
    if node_labels and len(node_labels) != num_nodes:
        raise InvalidGame(
            needs=f"a label for each of {num_nodes} nodes, or none", found=f"got {len(node_labels)}"
        )
    for name, array, size in (
        ("node_infoset", node_infoset, len(infosets)),
        ("node_outcome", node_outcome, len(outcomes)),
    ):
        bad = np.flatnonzero((array < -1) | (array >= size))
        if bad.size:
            raise InvalidGame(
                needs=f"{name} in -1..{size - 1}", found=f"node {bad[0]} has {array[bad[0]]}"
            )
    for outcome in outcomes:
        if len(outcome.payoffs) != len(players):
            raise InvalidGame(
                needs=f"a payoff for each of {len(players)} players",
                found=f"has {len(outcome.payoffs)}",
                where=f"outcome {outcome.label!r}",
            )
    for infoset in infosets:
        if not CHANCE <= infoset.player < len(players):
            raise InvalidGame(
                needs=f"movers in -1 (chance)..{len(players) - 1}",
                found=f"information set {infoset.label!r} has player {infoset.player}",
            )
    _check_numbers(infosets)
    _check_breadth_first(infosets, node_infoset)


def _check_numbers(infosets: Sequence[InformationSet]) -> None:
    by_number: dict[tuple[int, int], InformationSet] = {}
    by_label: dict[tuple[int, str], InformationSet] = {}
    for infoset in infosets:
        twin = by_number.setdefault((infoset.player, infoset.number), infoset)
        if twin is not infoset:
            raise InvalidGame(
                needs="a number of its own",
                found=f"{infoset.number} also numbers {describe_infoset(twin)}",
                where=describe_infoset(infoset),
            )
        if infoset.label and infoset.player != CHANCE:
            twin = by_label.setdefault((infoset.player, infoset.label), infoset)
            if twin is not infoset:
                raise InvalidGame(
                    needs="different information set labels",
                    found=f"{infoset.label!r} names both number {twin.number} and number "
                    f"{infoset.number}",
                    remedy="Rename one of them.",
                    where=f"player {infoset.player + 1}",
                )


def _check_breadth_first(infosets: Sequence[InformationSet], node_infoset: IntArray) -> None:
    counts = np.append([len(infoset.actions) for infoset in infosets], 0).astype(np.int64)
    num_nodes = len(node_infoset)
    below = counts[node_infoset]
    np.cumsum(below, out=below)  # nodes below the root that exist once nodes 0..v are expanded
    orphans = np.flatnonzero(below[:-1] < np.arange(1, num_nodes))
    if orphans.size or below[-1] + 1 != num_nodes:
        found = 1 + int(below[orphans[0]] if orphans.size else below[-1])
        raise InvalidGame(
            needs="one tree in breadth-first order",
            found=f"{num_nodes} nodes were given and their actions lead to {found}",
        )
    used = np.zeros(len(infosets) + 1, dtype=bool)
    used[node_infoset] = True
    idle = np.flatnonzero(~used[:-1])
    if idle.size:
        raise InvalidGame(
            needs="at least one node", found="has none", where=describe_infoset(infosets[idle[0]])
        )


def canonical_order(
    infoset_player: IntArray, node_infoset: IntArray
) -> "np.ndarray[tuple[int], np.dtype[np.intp]]":
    """Sort information sets by player, chance last, and by first node within a player."""
    num_nodes = len(node_infoset)
    first_node = np.full(len(infoset_player) + 1, num_nodes, dtype=np.int32)  # the last: index -1
    np.minimum.at(first_node, node_infoset, np.arange(num_nodes, dtype=np.int32))
    keys = (first_node[:-1], infoset_player, infoset_player == CHANCE)  # the last counts first
    return np.lexsort(keys)
