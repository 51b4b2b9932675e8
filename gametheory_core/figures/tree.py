"""A picture of a game tree: movers as colored boxes, information sets as dashed links."""

import math
from collections.abc import Container, Sequence
from typing import Any

from matplotlib.colors import to_rgba
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from gametheory_core.arguments import shown_players
from gametheory_core.evaluation.payoffs import reach_probabilities
from gametheory_core.figures.canvas import Axes, blank_axes, entitle
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.payoff_text import payoff_text
from gametheory_core.games.subgames import subgame_roots
from gametheory_core.games.tree_svg import (
    FAINT,
    INK,
    LEVEL_HEIGHT,
    Point,
    TreePlan,
    along_edge,
    color_of,
    color_on,
    require_readable,
    tree_plan,
)
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.strategies.answers import beliefs_in, profile_in
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile

LINE = 0.13  # levels: from one line of payoffs to the next
THIN, WIDEST = 1.0, 6.0  # points: edges that are never, and always played
FRAME = 1.8  # points: around the root of a subgame
LEGEND_GAP, LEGEND_LETTER = 0.5, 0.088  # inches: around a label of the legend, and of a letter
SUBGAME_LABEL = "a subgame begins"
PALE = 0.35  # opacity of what is never reached


def draw_tree(
    game: ExtensiveFormGame,
    *,
    profile: BehavioralProfile | Any = None,
    mark_subgames: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Draw a small game tree, the root at the top.

    A box shows the information set of a node in the color of its player; nodes of one information
    set are linked by a dashed line. Diamonds are chance, its edges show probabilities. Below each
    leaf stand the payoffs of the whole play, one line for each player.

    Args:
        game: At most 48 leaves and 40 levels; more cannot be read.
        profile: Or a solution or run that has one. Writes the probability of each action on its
            edge. Edges are the wider the likelier play comes along; what is never reached is pale.
            Beliefs of a sequential equilibrium stand in the boxes, where an information set has
            several nodes.
        mark_subgames: Frames the root of each subgame in black.
        ax: Where to draw; default a new figure of fitting size.

    Raises:
        UnsupportedGame: If the tree is too large; says how large.
        InvalidStrategy: If the profile does not fit the game.
        MissingDependency: On import, if matplotlib is not installed.

    >>> from matplotlib.figure import Figure
    >>> from gametheory_core.catalog import load
    >>> axes = draw_tree(load("kuhn_poker"), ax=Figure(figsize=(18, 6)).add_subplot())
    >>> axes.get_title()
    'Kuhn poker'
    """
    require_readable(game)
    own, weights, reach = profile_in(profile), None, None
    if own is not None:
        check_behavioral_profile(game, own)
        weights = [shares.tolist() for shares in own.probabilities]
        reach = reach_probabilities(game, own).astype(float).tolist()
    plan = tree_plan(game, weights=weights, beliefs=beliefs_in(game, profile))
    width = max(_legend_width(game, mark_subgames=mark_subgames), plan.num_leaves * plan.leaf_width)
    ax = blank_axes(ax, width=width, height=LEVEL_HEIGHT * (plan.depth + 1) + 0.5)
    _draw_edges(ax, game, plan, reach)
    _draw_links(ax, plan)
    marked = set(subgame_roots(game).tolist()) if mark_subgames else set[int]()
    _draw_nodes(ax, game, plan, reach, marked)
    _draw_payoffs(ax, game, plan)
    ax.set_xlim(-0.8, plan.num_leaves - 0.2)
    ax.set_ylim(-plan.depth - 0.1 - LINE * (game.num_players + 1), 0.25)
    entitle(ax, game.title, pad=24)
    _draw_legend(ax, game, mark_subgames=mark_subgames)
    return ax


def _draw_edges(
    ax: Axes, game: ExtensiveFormGame, plan: TreePlan, reach: Sequence[float] | None
) -> None:
    for node in range(1, game.num_nodes):
        parent = int(game.parent[node])
        start, end = plan.places[parent], plan.places[node]
        seen = 0.0 if reach is None else reach[node]
        ax.plot(
            [start[0], end[0]],
            [start[1], end[1]],
            color=FAINT,
            linewidth=THIN + (WIDEST - THIN) * seen,
            alpha=PALE if reach is not None and not seen else 1.0,
            solid_capstyle="round",
            zorder=1,
        )
        ax.text(
            *along_edge(start, end),
            plan.edge_texts[node],
            color=color_of(int(game.node_player[parent])),
            fontsize=7.5,
            ha="center",
            va="center",
            linespacing=1.0,
            zorder=2,
            bbox={"boxstyle": "square,pad=0.15", "facecolor": "white", "edgecolor": "none"},
        )


def _draw_links(ax: Axes, plan: TreePlan) -> None:
    for link in plan.links:
        ax.add_patch(
            PathPatch(
                _bracket(link.start, link.end, link.height),
                facecolor="none",
                edgecolor=color_of(link.player),
                linestyle="--",
                linewidth=1.0,
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


def _draw_nodes(
    ax: Axes,
    game: ExtensiveFormGame,
    plan: TreePlan,
    reach: Sequence[float] | None,
    marked: Container[int],
) -> None:
    for node, ((x, y), text) in enumerate(zip(plan.places, plan.node_texts, strict=True)):
        player = int(game.node_player[node])
        opacity = PALE if reach is not None and not reach[node] else 1.0
        frame, width = (INK, FRAME) if node in marked else ("white", THIN)
        if text:
            ax.text(
                x,
                y,
                text,
                color=color_on(player) if opacity == 1 else INK,
                fontsize=8,
                ha="center",
                va="center",
                zorder=4,
                bbox={
                    "boxstyle": "round,pad=0.3",
                    "facecolor": to_rgba(color_of(player), opacity),
                    "edgecolor": frame,
                    "linewidth": width,
                },
            )
        elif player == CHANCE:
            ax.plot(
                [x],
                [y],
                marker="D",
                markersize=9,
                color=color_of(CHANCE),
                markeredgecolor=frame,
                markeredgewidth=width,
                zorder=3,
            )
        else:
            ax.plot([x], [y], marker="o", markersize=3.5, color=INK, alpha=opacity, zorder=3)


def _draw_payoffs(ax: Axes, game: ExtensiveFormGame, plan: TreePlan) -> None:
    for leaf, payoffs in zip(
        game.terminals.tolist(), game.exact_terminal_payoffs.tolist(), strict=True
    ):
        x, y = plan.places[leaf]
        for player, payoff in enumerate(payoffs):
            ax.text(
                x,
                y - LINE * (player + 1),
                payoff_text(payoff),
                color=color_of(player),
                fontsize=8,
                ha="center",
                va="center",
            )


def _legend_width(game: ExtensiveFormGame, *, mark_subgames: bool) -> float:
    """Return the inches that the legend needs in one row: a wider one would squeeze the tree."""
    labels = [*shown_players(game.players), "chance"] + [SUBGAME_LABEL] * mark_subgames
    return sum(LEGEND_GAP + LEGEND_LETTER * len(label) for label in labels)


def _draw_legend(ax: Axes, game: ExtensiveFormGame, *, mark_subgames: bool) -> None:
    for player, label in enumerate(shown_players(game.players)):
        ax.plot([], [], marker="s", markersize=8, linestyle="", color=color_of(player), label=label)
    if game.num_decision_infosets < len(game.infosets):
        color = color_of(CHANCE)
        ax.plot([], [], marker="D", markersize=7, linestyle="", color=color, label="chance")
    if mark_subgames:
        ax.plot(
            [],
            [],
            marker="s",
            markersize=8,
            linestyle="",
            color="white",
            markeredgecolor=INK,
            markeredgewidth=FRAME,
            label=SUBGAME_LABEL,
        )
    ax.legend(
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=game.num_players + 2,
        frameon=False,
        fontsize=9,
        handletextpad=0.2,
    )
