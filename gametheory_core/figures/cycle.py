"""A picture of the agent-environment cycle: who moves after whom."""

import math
from fractions import Fraction

from matplotlib.patches import Circle, FancyArrowPatch

from gametheory_core.conversions.tabular_aec import aec_to_tabular
from gametheory_core.errors import UnsupportedGame
from gametheory_core.figures.canvas import (
    Axes,
    blank_axes,
    color_of,
    color_on,
    entitle,
    shortened_text,
)
from gametheory_core.games.aec import AEC
from gametheory_core.games.information_sets import CHANCE
from gametheory_core.games.turn_order import turn_shares
from gametheory_core.labels import shown_players

MAX_PLAYERS = 8
MAX_STATES = 10_000
NODE_RADIUS = 0.22  # the movers stand on a circle of radius 1
BEND = 0.22  # of an arrow: how far it leaves the straight line, as a share of its length
LABEL_AT = 0.43  # of an arrow, from its start: those that cross in the middle keep apart
LONGEST_LABEL = 12  # characters
LARGEST_DENOMINATOR = 24  # shares with larger ones are shown in per cent


def draw_cycle(game: AEC, *, ax: Axes | None = None, max_states: int = MAX_STATES) -> Axes:
    """Draw the movers of an AEC game around a circle, chance on top, and who follows whom.

    An arrow from ``j`` to ``k`` is as wide as the share of ``k`` among those who move after ``j``,
    over all positions that play can reach and all actions there; see ``turn_shares``. Shares other
    than 1 are written on the arrows.

    Parameters
    ----------
    game : AEC
        At most 8 players.
    ax : matplotlib.axes.Axes, optional
        Where to draw; default a new figure.
    max_states : int
        Refuse games with more positions.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    UnsupportedGame
        If there are more than 8 players, or more than ``max_states`` positions.
    MissingDependency
        On import, if matplotlib is not installed.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from gametheory_core.catalog.turn_orders import RandomOrderTeam
    >>> axes = draw_cycle(RandomOrderTeam(), ax=Figure().add_subplot())
    >>> len(axes.patches)  # three movers, four arrows
    7
    """
    if len(game.players) > MAX_PLAYERS:
        raise UnsupportedGame(
            f"draw_cycle: needs at most {MAX_PLAYERS} players to be readable, but {game.title!r} "
            f"has {len(game.players)}. Export adapters.networkx.aec_state_graph(game) instead."
        )
    shares = turn_shares(aec_to_tabular(game, max_states=max_states).target)
    ax = blank_axes(ax, width=6.0, height=6.0)
    ax.set_aspect("equal")
    ax.set_xlim(-1.65, 1.65)
    ax.set_ylim(-1.65, 1.65)
    entitle(ax, game.title)
    count = len(shares)
    for mover in range(CHANCE, count - 1):
        for follower in range(CHANCE, count - 1):
            share = shares[mover + 1, follower + 1]
            if share:
                _draw_arrow(ax, mover, follower, share, count)
    for mover, label in enumerate(("chance", *shown_players(game.players)), start=CHANCE):
        _draw_mover(ax, mover, label, count)
    return ax


def _angle(mover: int, count: int) -> float:
    """Return where a mover stands: chance on top, players clockwise."""
    return math.pi / 2 - 2 * math.pi * (mover + 1) / count


def _draw_mover(ax: Axes, mover: int, label: str, count: int) -> None:
    angle = _angle(mover, count)
    x, y = math.cos(angle), math.sin(angle)
    ax.add_patch(Circle((x, y), NODE_RADIUS, facecolor=color_of(mover), edgecolor="white"))
    ax.text(
        x,
        y,
        shortened_text(label, most=LONGEST_LABEL).replace(" ", "\n", 1),
        color=color_on(mover),
        fontsize=9,
        ha="center",
        va="center",
        linespacing=1.1,
    )


def _draw_arrow(ax: Axes, mover: int, follower: int, share: Fraction, count: int) -> None:
    angle, end_angle = _angle(mover, count), _angle(follower, count)
    if mover == follower:  # a loop outside the circle
        start, end = (_rim(angle, turn) for turn in (0.75, -0.75))
        bend, middle = -1.7, (1.55 * math.cos(angle), 1.55 * math.sin(angle))
    else:
        x, y, to_x, to_y = (f(a) for a in (angle, end_angle) for f in (math.cos, math.sin))
        length = math.hypot(to_x - x, to_y - y)
        along = NODE_RADIUS * 1.15 / length
        bend = -BEND
        start = _bent(x, y, to_x, to_y, along)
        end = _bent(x, y, to_x, to_y, 1 - along)
        middle = _bent(x, y, to_x, to_y, LABEL_AT)
    ax.add_patch(
        FancyArrowPatch(
            start,
            end,
            connectionstyle=f"arc3,rad={bend}",
            arrowstyle="-|>",
            mutation_scale=14,
            shrinkA=0,
            shrinkB=0,
            linewidth=0.8 + 2.2 * float(share),
            color=color_of(mover),
        )
    )
    if share != 1:
        box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
        color = color_of(mover)
        ax.text(
            *middle,
            _shown_share(share),
            color=color,
            fontsize=9,
            ha="center",
            va="center",
            bbox=box,
        )


def _rim(angle: float, turn: float) -> tuple[float, float]:
    """Return the point of a mover's disc at an angle turned from straight outwards."""
    reach = NODE_RADIUS * 1.1
    return (
        math.cos(angle) + reach * math.cos(angle + turn),
        math.sin(angle) + reach * math.sin(angle + turn),
    )


def _bent(x: float, y: float, to_x: float, to_y: float, share: float) -> tuple[float, float]:
    """Return a point of the quadratic curve that matplotlib's ``arc3`` draws, from 0 to 1."""
    control_x = (x + to_x) / 2 - BEND * (to_y - y)
    control_y = (y + to_y) / 2 + BEND * (to_x - x)
    a, b, c = (1 - share) ** 2, 2 * share * (1 - share), share**2
    return a * x + b * control_x + c * to_x, a * y + b * control_y + c * to_y


def _shown_share(share: Fraction) -> str:
    return str(share) if share.denominator <= LARGEST_DENOMINATOR else f"{float(share):.0%}"
