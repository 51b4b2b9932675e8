"""A picture of a game tree: movers as coloured boxes, information sets as dashed links."""

import math
from itertools import pairwise
from typing import TypeAlias

from matplotlib.patches import PathPatch
from matplotlib.path import Path

from gametheory_core.errors import UnsupportedGame
from gametheory_core.figures.canvas import (
    FAINT,
    INK,
    Axes,
    blank_axes,
    color_of,
    color_on,
    entitle,
    shortened_text,
    shown_number,
)
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.information_sets import CHANCE
from gametheory_core.labels import shown_players

MAX_LEAVES = 48
LONGEST_LABEL = 18  # characters
LEAST_LEAF_WIDTH, MOST_LEAF_WIDTH, LEVEL_HEIGHT = 0.62, 1.4, 1.15  # inches
LETTER, MARGIN = 0.062, 0.14  # inches: of a letter of a label, and around the label
LINE = 0.13  # levels: from one line of payoffs to the next
ALONG = 0.6  # where on an edge its label stands
LOWEST_LINK, LINK_STEP = 0.15, 0.04  # levels: how far above its nodes a link runs
TRACKS = 6  # heights for links side by side, before they repeat

Point: TypeAlias = tuple[float, float]


def draw_tree(game: ExtensiveFormGame, *, ax: Axes | None = None) -> Axes:
    """Draw a small game tree, the root at the top.

    A box shows the information set of a node in the colour of its player; nodes of one information
    set are linked by a dashed line. Diamonds are chance, its edges show probabilities. Below each
    leaf stand the payoffs of the whole play, one line for each player.

    Parameters
    ----------
    game : ExtensiveFormGame
        At most 48 leaves; more cannot be read.
    ax : matplotlib.axes.Axes, optional
        Where to draw; default a new figure of fitting size.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    UnsupportedGame
        If the tree has more than 48 leaves; says how many.
    MissingDependency
        On import, if matplotlib is not installed.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from gametheory_core.catalog.index import load
    >>> axes = draw_tree(load("kuhn_poker"), ax=Figure(figsize=(18, 6)).add_subplot())
    >>> axes.get_title()
    'Kuhn poker'
    """
    if not isinstance(game, ExtensiveFormGame):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise UnsupportedGame(
            f"draw_tree: needs a tree, but got {game!r} (type {type(game).__name__}). Carry it "
            "over with posg_to_extensive, aec_to_extensive or normal_to_extensive; give the target."
        )
    leaves = len(game.terminals)
    if leaves > MAX_LEAVES:
        raise UnsupportedGame(
            f"draw_tree: needs at most {MAX_LEAVES} leaves to be readable, but the tree has "
            f"{leaves:,}. Draw a smaller game, or export adapters.networkx.tree_graph(game)."
        )
    places = _places(game)
    depth = len(game.level_offset) - 2
    width, height = max(4.0, leaves * _leaf_width(game)), LEVEL_HEIGHT * (depth + 1) + 0.5
    ax = blank_axes(ax, width=width, height=height)
    _draw_edges(ax, game, places)
    _draw_links(ax, game, places)
    _draw_nodes(ax, game, places)
    _draw_payoffs(ax, game, places)
    ax.set_xlim(-0.8, leaves - 0.2)
    ax.set_ylim(-depth - 0.1 - LINE * (game.num_players + 1), 0.25)
    entitle(ax, game.title, pad=24)
    _draw_legend(ax, game)
    return ax


def _leaves_below(game: ExtensiveFormGame) -> list[int]:
    parents = game.parent.tolist()
    leaves = [int(count == 0) for count in game.num_children]
    for node in range(game.num_nodes - 1, 0, -1):  # children come after their parents
        leaves[parents[node]] += leaves[node]
    return leaves


def _places(game: ExtensiveFormGame) -> list[Point]:
    """Return where nodes stand: centred above their leaves, one unit below their parents."""
    leaves, parents = _leaves_below(game), game.parent.tolist()
    free = [0] * game.num_nodes  # the leftmost leaf below a node not yet given to a child
    places = [((leaves[0] - 1) / 2, 0.0)]
    for node in range(1, game.num_nodes):
        parent = parents[node]
        free[node] = free[parent]
        free[parent] += leaves[node]
        places.append((free[node] + (leaves[node] - 1) / 2, places[parent][1] - 1))
    return places


def _leaf_width(game: ExtensiveFormGame) -> float:
    """Return how wide a leaf must be, in inches, for labels of neighbours not to touch."""
    needed = LEAST_LEAF_WIDTH
    for node, leaves in enumerate(_leaves_below(game)):
        box = MARGIN + LETTER * len(_node_text(game, node))
        edge = MARGIN + LETTER * max(map(len, _edge_text(game, node).split("\n")))
        needed = max(needed, box / leaves, edge / (ALONG * leaves))
    return min(needed, MOST_LEAF_WIDTH)


def _node_text(game: ExtensiveFormGame, node: int) -> str:
    index = int(game.node_infoset[node])
    if index < 0 or game.infosets[index].player == CHANCE:
        return ""
    infoset = game.infosets[index]
    return shortened_text(infoset.label or f"#{infoset.number}", most=LONGEST_LABEL)


def _edge_text(game: ExtensiveFormGame, node: int) -> str:
    """Return the label of the edge into a node, "" for the root."""
    if not node:
        return ""
    parent = int(game.parent[node])
    infoset = game.infosets[int(game.node_infoset[parent])]
    position = node - int(game.first_child[parent])
    text = shortened_text(infoset.actions[position], most=LONGEST_LABEL)
    if infoset.probabilities is None:
        return text
    return f"{text}\n{infoset.probabilities[position]}".strip()


def _draw_edges(ax: Axes, game: ExtensiveFormGame, places: list[Point]) -> None:
    for node in range(1, game.num_nodes):
        parent = int(game.parent[node])
        (x, y), (below_x, below_y) = places[parent], places[node]
        ax.plot([x, below_x], [y, below_y], color=FAINT, linewidth=1.0, zorder=1)
        ax.text(
            x + ALONG * (below_x - x),
            y + ALONG * (below_y - y),
            _edge_text(game, node),
            color=color_of(int(game.node_player[parent])),
            fontsize=7.5,
            ha="center",
            va="center",
            linespacing=1.0,
            zorder=2,
            bbox={"boxstyle": "square,pad=0.15", "facecolor": "white", "edgecolor": "none"},
        )


def _draw_links(ax: Axes, game: ExtensiveFormGame, places: list[Point]) -> None:
    for index in range(game.num_decision_infosets):
        members = (game.node_infoset == index).nonzero()[0].tolist()
        height = LOWEST_LINK + LINK_STEP * (_track(game, index, places) % TRACKS)
        for node, following in pairwise(members):
            path = _bracket(places[node], places[following], height)
            ax.add_patch(
                PathPatch(
                    path,
                    facecolor="none",
                    edgecolor=color_of(game.infosets[index].player),
                    linestyle=(0, (4, 2.5)),
                    linewidth=1.1,
                    alpha=0.85,
                    zorder=1.5,
                )
            )


def _bracket(start: Point, end: Point, height: float) -> Path:
    """Return a line that leaves both points upwards and runs level between, corners rounded."""
    (x, y), (end_x, end_y) = start, end
    top = max(y, end_y) + height
    corner = math.copysign(min(0.4, abs(end_x - x) / 2), end_x - x)
    points = [(x, y), (x, top), (x + corner, top), (end_x - corner, top), (end_x, top), end]
    codes = [Path.MOVETO, Path.CURVE3, Path.CURVE3, Path.LINETO, Path.CURVE3, Path.CURVE3]
    return Path(points, codes)


def _track(game: ExtensiveFormGame, index: int, places: list[Point]) -> int:
    """Return how many information sets before this one, beside or around it, have links above."""
    spans = [
        [places[v] for v in (game.node_infoset == other).nonzero()[0].tolist()]
        for other in range(index + 1)
    ]
    (left, _), (right, level) = spans[index][0], spans[index][-1]
    return sum(
        len(span) > 1 and span[-1][1] == level and span[0][0] <= right and left <= span[-1][0]
        for span in spans[:index]
    )


def _draw_nodes(ax: Axes, game: ExtensiveFormGame, places: list[Point]) -> None:
    for node, (x, y) in enumerate(places):
        text, player = _node_text(game, node), int(game.node_player[node])
        if text:
            box = {"boxstyle": "round,pad=0.3", "facecolor": color_of(player), "edgecolor": "white"}
            ax.text(
                x,
                y,
                text,
                color=color_on(player),
                fontsize=8,
                ha="center",
                va="center",
                zorder=4,
                bbox=box,
            )
        elif player == CHANCE:
            ax.plot([x], [y], marker="D", markersize=9, color=color_of(CHANCE), zorder=3)
        else:
            ax.plot([x], [y], marker="o", markersize=3.5, color=INK, zorder=3)


def _draw_payoffs(ax: Axes, game: ExtensiveFormGame, places: list[Point]) -> None:
    for leaf, payoffs in zip(
        game.terminals.tolist(), game.exact_terminal_payoffs.tolist(), strict=True
    ):
        x, y = places[leaf]
        for player, payoff in enumerate(payoffs):
            ax.text(
                x,
                y - LINE * (player + 1),
                shown_number(payoff),
                color=color_of(player),
                fontsize=8,
                ha="center",
                va="center",
            )


def _draw_legend(ax: Axes, game: ExtensiveFormGame) -> None:
    for player, label in enumerate(shown_players(game.players)):
        ax.plot([], [], marker="s", markersize=8, linestyle="", color=color_of(player), label=label)
    if game.num_decision_infosets < len(game.infosets):
        color = color_of(CHANCE)
        ax.plot([], [], marker="D", markersize=7, linestyle="", color=color, label="chance")
    ax.legend(
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=game.num_players + 1,
        frameon=False,
        fontsize=9,
        handletextpad=0.2,
    )
