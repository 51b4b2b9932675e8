"""Small trees as SVG, for notebooks: no other library is needed.

A *plan* says where nodes stand, and what is written at them. Lengths across are in leaves,
downwards in levels; the root is at level 0, its children at -1.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from itertools import pairwise
from typing import TypeAlias

from gametheory_core.arguments import shortened_labels, shortened_text, shown_players
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.payoff_text import payoff_text
from gametheory_core.games.tree_table import CHANCE

# Okabe and Ito's palette: told apart with any color vision, and in grey. Players in turn.
PLAYER_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
LIGHT = (3, 4, 5)  # positions of those too light for white letters
CHANCE_COLOR = "#5F6368"
INK = "#202124"
FAINT = "#9AA0A6"


def color_of(player: int) -> str:
    """Return the color of a player; chance (-1) is grey."""
    return CHANCE_COLOR if player < 0 else PLAYER_COLORS[player % len(PLAYER_COLORS)]


def color_on(player: int) -> str:
    """Return a color that can be read on top of a player's: white, or ink on the light ones."""
    return INK if player >= 0 and player % len(PLAYER_COLORS) in LIGHT else "white"


MAX_LEAVES = 48
MAX_DEPTH = 40
LONGEST_LABEL = 18  # characters
BELIEF = "\N{GREEK SMALL LETTER MU}"
LEAST_LEAF_WIDTH, MOST_LEAF_WIDTH, LEVEL_HEIGHT = 0.62, 1.4, 1.15  # inches
LETTER, MARGIN = 0.062, 0.14  # inches: of a letter of a label, and around the label
ALONG = 0.6  # where on an edge its label stands
LOWEST_LINK, LINK_STEP = 0.15, 0.04  # levels: how far above its nodes a link runs
BELIEF_LINE = 0.06  # levels: how much higher a box reaches with a belief in it
TRACKS = 6  # heights for links side by side, before they repeat

Point: TypeAlias = tuple[float, float]
Weights: TypeAlias = Sequence[Sequence[Fraction | float]]


@dataclass(frozen=True)
class Link:
    """A dashed line between two neighboring nodes of an information set.

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
        node_texts: In the box of each node, in one or two lines; "" where there is no box.
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


def require_readable(game: ExtensiveFormGame) -> None:
    """Refuse what is no tree, or too large for a picture.

    Raises:
        UnsupportedGame: Says how large it is.
    """
    if not isinstance(game, ExtensiveFormGame):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise UnsupportedGame(
            needs="a tree",
            found=f"got {game!r} (type {type(game).__name__})",
            remedy="Carry it over with posg_to_extensive, aec_to_extensive or normal_to_extensive; "
            "give the target.",
        )
    if not is_readable(game):
        leaves, depth = len(game.terminals), len(game.level_offset) - 2
        raise UnsupportedGame(
            needs=f"at most {MAX_LEAVES} leaves and {MAX_DEPTH} levels to be readable",
            found=f"the tree has {leaves:,} leaves and {depth:,} levels",
            remedy="Draw a smaller game, or export adapters.networkx.tree_graph(game).",
        )


def tree_plan(
    game: ExtensiveFormGame,
    *,
    weights: Weights | None = None,
    beliefs: Mapping[int, Fraction] | None = None,
) -> TreePlan:
    """Place the nodes of a readable tree and write its labels.

    Args:
        game: One for which ``is_readable``.
        weights: Probabilities of the actions at each information set of players, to write on edges.
        beliefs: Of nodes, to write into their boxes.

    >>> from gametheory_core import Decision, Terminal, from_sketch
    >>> game = from_sketch(Decision(0, "top", {a: Terminal([0]) for a in "lr"}), players=["A"])
    >>> tree_plan(game).places
    ((0.5, 0.0), (0.0, -1.0), (1.0, -1.0))
    """
    leaves = _leaves_below(game)
    places = _places(game, leaves)
    believed = beliefs or {}
    names = shortened_labels(
        [infoset.label or f"#{infoset.number}" for infoset in game.infosets], most=LONGEST_LABEL
    )
    node_texts = tuple(_node_text(game, node, names, believed) for node in range(game.num_nodes))
    edge_texts = tuple(_edge_text(game, node, weights) for node in range(game.num_nodes))
    return TreePlan(
        places=places,
        node_texts=node_texts,
        edge_texts=edge_texts,
        links=_links(game, places, LOWEST_LINK + BELIEF_LINE * bool(believed)),
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
    """Return how wide a leaf must be, in inches, for labels of neighbors not to touch."""
    needed = LEAST_LEAF_WIDTH
    for below, node, edge in zip(leaves, nodes, edges, strict=True):
        box = MARGIN + LETTER * max(map(len, node.split("\n")))
        along = MARGIN + LETTER * max(map(len, edge.split("\n")))
        needed = max(needed, box / below, along / (ALONG * below))
    return min(needed, MOST_LEAF_WIDTH)


def _node_text(
    game: ExtensiveFormGame, node: int, names: Sequence[str], beliefs: Mapping[int, Fraction]
) -> str:
    index = int(game.node_infoset[node])
    if index < 0 or game.infosets[index].player == CHANCE:
        return ""
    text = names[index]
    return text if node not in beliefs else f"{text}\n{BELIEF} = {payoff_text(beliefs[node])}"


def _edge_text(game: ExtensiveFormGame, node: int, weights: Weights | None) -> str:
    if not node:
        return ""
    parent = int(game.parent[node])
    index = int(game.node_infoset[parent])
    infoset = game.infosets[index]
    position = node - int(game.first_child[parent])
    text = shortened_labels(infoset.actions, most=LONGEST_LABEL)[position]
    if infoset.probabilities is not None:
        return f"{text}\n{infoset.probabilities[position]}".strip()
    if weights is None:
        return text
    return f"{text}\n{payoff_text(weights[index][position])}".strip()


def _links(game: ExtensiveFormGame, places: Sequence[Point], lowest: float) -> tuple[Link, ...]:
    spans = [
        [places[v] for v in (game.node_infoset == index).nonzero()[0].tolist()]
        for index in range(game.num_decision_infosets)
    ]
    found: list[Link] = []
    for index, span in enumerate(spans):
        height = lowest + LINK_STEP * (_track(spans[: index + 1]) % TRACKS)
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


INCH = 84.0  # pixels
LEVEL = LEVEL_HEIGHT * INCH
NARROW_LETTER = 6.4  # pixels: width of a letter in a box
LINE = 13.0  # pixels: from one line of text to the next
TOP = 46.0  # pixels: title and legend
ABOVE_ROOT = 0.15  # levels
LONGEST_TITLE = 60  # characters
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
STYLE = 'font-family="system-ui, sans-serif" font-size="11" text-anchor="middle"'


def tree_svg(game: ExtensiveFormGame) -> str:
    """Draw a readable tree, the root at the top.

    Boxes show information sets in the color of their player, dashed lines link the nodes of one,
    diamonds are chance; below each leaf stand the payoffs of the play, one line a player.

    Args:
        game: At most 48 leaves and 40 levels.

    Returns:
        An ``svg`` element; labels are escaped.
    """
    plan = tree_plan(game)
    columns = max(plan.num_leaves * plan.leaf_width * INCH, 280.0)
    spread = columns / plan.num_leaves
    below = LINE * (game.num_players + 1)
    width, height = columns, TOP + (plan.depth + ABOVE_ROOT) * LEVEL + below
    points = [_point(place, spread) for place in plan.places]
    size = f'width="{width:.0f}" height="{height:.0f}"'
    box = f'viewBox="0 0 {width:.0f} {height:.0f}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} role="img" {STYLE}>',
        f"<title>{_text(game.title or 'Game tree', most=LONGEST_TITLE)}</title>",
        f'<rect {size} fill="white"/>',
        *_heading(game, width),
        *_edges(game, points),
        *(_link(link, spread) for link in plan.links),
        *_edge_labels(game, plan, points),
        *_nodes(game, plan, points),
        *_payoffs(game, points),
        "</svg>",
    ]
    return "".join(parts)


def _point(place: Point, spread: float) -> Point:
    return (place[0] + 0.5) * spread, TOP + (ABOVE_ROOT - place[1]) * LEVEL


def _heading(game: ExtensiveFormGame, width: float) -> list[str]:
    names = [(color_of(i), label) for i, label in enumerate(shown_players(game.players))]
    if game.num_decision_infosets < len(game.infosets):
        names.append((CHANCE_COLOR, "chance"))
    spans = [
        f'<tspan fill="{color}" dx="{12 * bool(i)}">■ {_text(label, most=24)}</tspan>'
        for i, (color, label) in enumerate(names)
    ]
    title = _text(game.title, most=LONGEST_TITLE)
    return [
        f'<text x="{width / 2:.1f}" y="16" font-size="14" fill="{INK}">{title}</text>',
        f'<text x="{width / 2:.1f}" y="34">{"".join(spans)}</text>',
    ]


def _edges(game: ExtensiveFormGame, points: Sequence[Point]) -> list[str]:
    return [
        f'<path d="M{x:.1f} {y:.1f}L{end_x:.1f} {end_y:.1f}" stroke="{FAINT}" fill="none"/>'
        for parent, (end_x, end_y) in zip(game.parent[1:].tolist(), points[1:], strict=True)
        for x, y in [points[parent]]
    ]


def _edge_labels(game: ExtensiveFormGame, plan: TreePlan, points: Sequence[Point]) -> list[str]:
    parts: list[str] = []
    for node, parent in enumerate(game.parent[1:].tolist(), start=1):
        x, y = along_edge(points[parent], points[node])
        color = color_of(int(game.node_player[parent]))
        lines = plan.edge_texts[node].split("\n")
        for i, line in enumerate(lines):
            place = y + 4 + LINE * (i - (len(lines) - 1) / 2)
            parts.append(
                f'<text x="{x:.1f}" y="{place:.1f}" fill="{color}" stroke="white" stroke-width="4" '
                f'paint-order="stroke">{_text(line)}</text>'
            )
    return parts


def _link(link: Link, spread: float) -> str:
    """Return a dashed line that leaves both nodes upwards and runs level between."""
    (x, y), (end_x, end_y) = _point(link.start, spread), _point(link.end, spread)
    top = min(y, end_y) - link.height * LEVEL
    corner = min(12.0, abs(end_x - x) / 2) * (1 if end_x >= x else -1)
    path = (
        f"M{x:.1f} {y:.1f}Q{x:.1f} {top:.1f} {x + corner:.1f} {top:.1f}"
        f"L{end_x - corner:.1f} {top:.1f}Q{end_x:.1f} {top:.1f} {end_x:.1f} {end_y:.1f}"
    )
    color = color_of(link.player)
    return f'<path d="{path}" stroke="{color}" stroke-dasharray="4 3" fill="none"/>'


def _nodes(game: ExtensiveFormGame, plan: TreePlan, points: Sequence[Point]) -> list[str]:
    parts: list[str] = []
    for node, ((x, y), text) in enumerate(zip(points, plan.node_texts, strict=True)):
        player = int(game.node_player[node])
        if text:
            wide = NARROW_LETTER * len(text) + 10
            parts.append(
                f'<rect x="{x - wide / 2:.1f}" y="{y - 9:.1f}" width="{wide:.1f}" height="18" '
                f'rx="4" fill="{color_of(player)}"/>'
                f'<text x="{x:.1f}" y="{y + 4:.1f}" fill="{color_on(player)}">{_text(text)}</text>'
            )
        elif player == CHANCE:
            diamond = f"M{x:.1f} {y - 7:.1f}l7 7l-7 7l-7 -7z"
            parts.append(f'<path d="{diamond}" fill="{CHANCE_COLOR}"/>')
        else:
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{INK}"/>')
    return parts


def _payoffs(game: ExtensiveFormGame, points: Sequence[Point]) -> list[str]:
    rows: list[list[Fraction]] = game.exact_terminal_payoffs.tolist()
    return [
        f'<text x="{points[leaf][0]:.1f}" y="{points[leaf][1] + 4 + LINE * (player + 1):.1f}" '
        f'fill="{color_of(player)}">{payoff_text(payoff)}</text>'
        for leaf, payoffs in zip(game.terminals.tolist(), rows, strict=True)
        for player, payoff in enumerate(payoffs)
    ]


def _text(label: str, *, most: int = 100) -> str:
    return escape(NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", shortened_text(label, most=most)))
