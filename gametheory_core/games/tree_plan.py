"""The plan of a picture of a small tree: where nodes stand, and what is written at them.

Lengths across are in leaves, downwards in levels; the root is at level 0, its children at -1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.information_sets import CHANCE
from gametheory_core.games.payoff_text import payoff_text
from gametheory_core.labels import shortened_text

MAX_LEAVES = 48
MAX_DEPTH = 40
LONGEST_LABEL = 18  # characters
LEAST_LEAF_WIDTH, MOST_LEAF_WIDTH, LEVEL_HEIGHT = 0.62, 1.4, 1.15  # inches
LETTER, MARGIN = 0.062, 0.14  # inches: of a letter of a label, and around the label
ALONG = 0.6  # where on an edge its label stands
LOWEST_LINK, LINK_STEP = 0.15, 0.04  # levels: how far above its nodes a link runs
TRACKS = 6  # heights for links side by side, before they repeat

Point: TypeAlias = tuple[float, float]
Weights: TypeAlias = Sequence[Sequence[Fraction | float]]


@dataclass(frozen=True)
class Link:
    """A dashed line between two neighbouring nodes of an information set.

    Attributes:
        player: Who moves there.
        start, end: Where the nodes stand.
        height: How far above the higher one the line runs, in levels.
    """

    player: int
    start: Point
    end: Point
    height: float


@dataclass(frozen=True)
class TreePlan:
    """Where everything stands.

    Attributes:
        places: Of each node.
        node_texts: In the box of each node; "" where there is no box.
        edge_texts: On the edge into each node, in one or two lines; "" for the root.
        links: Of all information sets.
        leaf_width: Inches that a leaf needs.
        num_leaves, depth: Size of the plan, in leaves and levels.
    """

    places: tuple[Point, ...]
    node_texts: tuple[str, ...]
    edge_texts: tuple[str, ...]
    links: tuple[Link, ...]
    leaf_width: float
    num_leaves: int
    depth: int


def is_readable(game: ExtensiveFormGame) -> bool:
    """Tell whether a tree is small enough for a picture."""
    return len(game.terminals) <= MAX_LEAVES and len(game.level_offset) - 2 <= MAX_DEPTH


def tree_plan(game: ExtensiveFormGame, *, weights: Weights | None = None) -> TreePlan:
    """Place the nodes of a readable tree and write its labels.

    Args:
        game: One for which ``is_readable``.
        weights: Probabilities of the actions at each information set of players, to write on edges.

    >>> from gametheory_core.games.sketch import Decision, Terminal, from_sketch
    >>> game = from_sketch(Decision(0, "top", {a: Terminal([0]) for a in "lr"}), players=["A"])
    >>> tree_plan(game).places
    ((0.5, 0.0), (0.0, -1.0), (1.0, -1.0))
    """
    leaves = _leaves_below(game)
    places = _places(game, leaves)
    node_texts = tuple(_node_text(game, node) for node in range(game.num_nodes))
    edge_texts = tuple(_edge_text(game, node, weights) for node in range(game.num_nodes))
    return TreePlan(
        places=places,
        node_texts=node_texts,
        edge_texts=edge_texts,
        links=_links(game, places),
        leaf_width=_leaf_width(leaves, node_texts, edge_texts),
        num_leaves=leaves[0],
        depth=len(game.level_offset) - 2,
    )


def along_edge(start: Point, end: Point) -> Point:
    """Return where the label of an edge stands."""
    return start[0] + ALONG * (end[0] - start[0]), start[1] + ALONG * (end[1] - start[1])


def _leaves_below(game: ExtensiveFormGame) -> list[int]:
    parents = game.parent.tolist()
    leaves = [int(count == 0) for count in game.num_children]
    for node in range(game.num_nodes - 1, 0, -1):  # children come after their parents
        leaves[parents[node]] += leaves[node]
    return leaves


def _places(game: ExtensiveFormGame, leaves: Sequence[int]) -> tuple[Point, ...]:
    """Return where nodes stand: centred above their leaves, one unit below their parents."""
    parents = game.parent.tolist()
    free = [0] * game.num_nodes  # the leftmost leaf below a node not yet given to a child
    places: list[Point] = [((leaves[0] - 1) / 2, 0.0)]
    for node in range(1, game.num_nodes):
        parent = parents[node]
        free[node] = free[parent]
        free[parent] += leaves[node]
        places.append((free[node] + (leaves[node] - 1) / 2, places[parent][1] - 1))
    return tuple(places)


def _leaf_width(leaves: Sequence[int], nodes: Sequence[str], edges: Sequence[str]) -> float:
    """Return how wide a leaf must be, in inches, for labels of neighbours not to touch."""
    needed = LEAST_LEAF_WIDTH
    for below, node, edge in zip(leaves, nodes, edges, strict=True):
        box = MARGIN + LETTER * len(node)
        along = MARGIN + LETTER * max(map(len, edge.split("\n")))
        needed = max(needed, box / below, along / (ALONG * below))
    return min(needed, MOST_LEAF_WIDTH)


def _node_text(game: ExtensiveFormGame, node: int) -> str:
    index = int(game.node_infoset[node])
    if index < 0 or game.infosets[index].player == CHANCE:
        return ""
    infoset = game.infosets[index]
    return shortened_text(infoset.label or f"#{infoset.number}", most=LONGEST_LABEL)


def _edge_text(game: ExtensiveFormGame, node: int, weights: Weights | None) -> str:
    """Return the label of the edge into a node, "" for the root."""
    if not node:
        return ""
    parent = int(game.parent[node])
    index = int(game.node_infoset[parent])
    infoset = game.infosets[index]
    position = node - int(game.first_child[parent])
    text = shortened_text(infoset.actions[position], most=LONGEST_LABEL)
    if infoset.probabilities is not None:
        return f"{text}\n{infoset.probabilities[position]}".strip()
    if weights is None:
        return text
    return f"{text}\n{payoff_text(weights[index][position])}".strip()


def _links(game: ExtensiveFormGame, places: Sequence[Point]) -> tuple[Link, ...]:
    spans = [
        [places[v] for v in (game.node_infoset == index).nonzero()[0].tolist()]
        for index in range(game.num_decision_infosets)
    ]
    found: list[Link] = []
    for index, span in enumerate(spans):
        height = LOWEST_LINK + LINK_STEP * (_track(spans[: index + 1]) % TRACKS)
        player = game.infosets[index].player
        found += [Link(player, start, end, height) for start, end in pairwise(span)]
    return tuple(found)


def _track(spans: Sequence[Sequence[Point]]) -> int:
    """Return how many information sets before the last, beside or around it, have links above."""
    (left, _), (right, level) = spans[-1][0], spans[-1][-1]
    return sum(
        len(span) > 1 and span[-1][1] == level and span[0][0] <= right and left <= span[-1][0]
        for span in spans[:-1]
    )
