"""Small trees as SVG, for notebooks: no other library is needed."""

import re
from collections.abc import Sequence
from fractions import Fraction
from html import escape

from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.information_sets import CHANCE
from gametheory_core.games.palette import CHANCE_COLOR, FAINT, INK, color_of, color_on
from gametheory_core.games.payoff_text import payoff_text
from gametheory_core.games.tree_plan import (
    LEVEL_HEIGHT,
    Link,
    Point,
    TreePlan,
    along_edge,
    tree_plan,
)
from gametheory_core.labels import shortened_text, shown_players

INCH = 84.0  # pixels
LEVEL = LEVEL_HEIGHT * INCH
LETTER = 6.4  # pixels: width of a letter in a box
LINE = 13.0  # pixels: from one line of text to the next
TOP = 46.0  # pixels: title and legend
ABOVE_ROOT = 0.15  # levels
LONGEST_TITLE = 60  # characters
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
STYLE = 'font-family="system-ui, sans-serif" font-size="11" text-anchor="middle"'


def tree_svg(game: ExtensiveFormGame) -> str:
    """Draw a readable tree, the root at the top.

    Boxes show information sets in the colour of their player, dashed lines link the nodes of one,
    diamonds are chance; below each leaf stand the payoffs of the play, one line a player.

    Args:
        game: At most 48 leaves and 40 levels.

    Returns:
        An ``svg`` element; labels are escaped.

    >>> from gametheory_core.games.sketch import Decision, Terminal, from_sketch
    >>> game = from_sketch(Decision(0, "<", {a: Terminal([0]) for a in "lr"}), players=["A"])
    >>> "&lt;" in tree_svg(game)
    True
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
    """Return where a place of the plan is on the canvas."""
    return (place[0] + 0.5) * spread, TOP + (ABOVE_ROOT - place[1]) * LEVEL


def _heading(game: ExtensiveFormGame, width: float) -> list[str]:
    """Return the title and the names of the players in their colours."""
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
    """Return the labels on edges, each line with a white rim."""
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
            wide = LETTER * len(text) + 10
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
    """Return a label on one line, with nothing that XML does not allow."""
    return escape(NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", shortened_text(label, most=most)))
