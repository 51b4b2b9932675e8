"""A picture of the agent-environment cycle: who moves after whom, and whose moves end play."""

import math
from fractions import Fraction

from matplotlib.patches import Circle, FancyArrowPatch

from gametheory_core.arguments import shortened_text, shown_players
from gametheory_core.conversions.tabular import aec_to_tabular
from gametheory_core.errors import UnsupportedGame
from gametheory_core.figures.canvas import Axes, blank_axes, entitle
from gametheory_core.games.rule_properties import turn_shares
from gametheory_core.games.rules import AEC
from gametheory_core.games.tables import TabularAEC
from gametheory_core.games.tree_svg import INK, color_of, color_on
from gametheory_core.games.tree_table import CHANCE

MAX_PLAYERS = 8
MAX_STATES = 10_000
NODE_RADIUS = 0.22  # the movers stand on a circle of radius 1
BEND = 0.22  # of an arrow: how far it leaves the straight line, as a share of its length
LABEL_AT = 0.43  # of an arrow, from its start: those that cross in the middle keep apart
LONGEST_LABEL = 12  # characters
LARGEST_DENOMINATOR = 24  # shares with larger ones are shown in per cent
WIDEST, LOWEST = 1.65, -2.0  # of the picture: the caption stands below the circle
CAPTION_TOP = -1.72
END_FROM, END_TO, END_AT = 1.15, 1.85, 2.3  # of an arrow to the end and its word, in node radii
END_LABEL = "end"
APART = 0.55  # radians: how far a loop and the way to the end are turned from straight outwards


def draw_cycle(game: AEC, *, ax: Axes | None = None, max_states: int = MAX_STATES) -> Axes:
    """Draw the movers of an AEC game around a circle, chance on top, and who follows whom.

    An arrow from ``j`` to ``k`` is as wide as the share of ``k`` among those who move after ``j``.
    Shares are taken over all positions that play can reach and all actions there, chance's outcomes
    by their probability, and leave out moves that end play; see ``turn_shares``. So they say what
    the rules allow, not how often anybody plays it. Shares other than 1 are written on the arrows.

    A dashed arrow to the word "end" stands at movers some of whose moves lead to the end. A
    caption says what numbers and dashes mean, and when a horizon stops play.

    Args:
        game: At most 8 players.
        ax: Where to draw; default a new figure.
        max_states: Refuse games with more positions.

    Raises:
        UnsupportedGame: If there are more than 8 players, or more than ``max_states`` positions.
        MissingDependency: On import, if matplotlib is not installed.

    >>> from matplotlib.figure import Figure
    >>> from gametheory_core.catalog import RandomOrderTeam
    >>> axes = draw_cycle(RandomOrderTeam(), ax=Figure().add_subplot())
    >>> len(axes.patches)  # three movers, four arrows between them, two to the end
    9
    """
    if len(game.players) > MAX_PLAYERS:
        raise UnsupportedGame(
            needs=f"at most {MAX_PLAYERS} players to be readable",
            found=f"{game.title!r} has {len(game.players)}",
            remedy="Export adapters.networkx.aec_state_graph(game) instead.",
        )
    table = aec_to_tabular(game, max_states=max_states).target
    shares, last = turn_shares(table), _movers_who_end(table)
    ax = blank_axes(ax, width=6.0, height=6.5)
    ax.set_aspect("equal")
    ax.set_xlim(-WIDEST, WIDEST)
    ax.set_ylim(LOWEST, WIDEST)
    entitle(ax, game.title)
    count = len(shares)
    for mover in range(CHANCE, count - 1):
        turned = APART if mover in last and shares[mover + 1, mover + 1] else 0.0
        for follower in range(CHANCE, count - 1):
            share = shares[mover + 1, follower + 1]
            if share:
                _draw_arrow(ax, mover, follower, share, count, -turned)
        if mover in last:
            _draw_end(ax, mover, count, turned)
    for mover, label in enumerate(("chance", *shown_players(game.players)), start=CHANCE):
        _draw_mover(ax, mover, label, count)
    has_numbers = any(share not in {0, 1} for share in shares.ravel())
    _draw_caption(ax, _caption(has_numbers=has_numbers, has_ends=bool(last), horizon=table.horizon))
    return ax


def _movers_who_end(table: TabularAEC) -> set[int]:
    """Return the movers of whom some move leads to a terminal state."""
    transitions = table.transition_kernel
    return {
        mover
        for row, mover in enumerate(table.row_mover.tolist())
        if (table.entry_turn_row[transitions.row(row)] < 0).any()
    }


def _caption(*, has_numbers: bool, has_ends: bool, horizon: int | None) -> str:
    """Return what the reader cannot guess, and nothing about what is not in the picture."""
    lines: list[str] = []
    if has_numbers:
        lines.append(
            "numbers: who moves next, as shares of all reachable moves that do not end play"
        )
    if has_ends:
        lines.append("dashed: some of the mover's moves end play")
    if horizon is not None:
        lines.append(f"play stops after {horizon} move{'' if horizon == 1 else 's'} at the latest")
    return "\n".join(lines)


def _draw_caption(ax: Axes, caption: str) -> None:
    if caption:
        ax.text(0, CAPTION_TOP, caption, color=INK, fontsize=8, ha="center", va="top")


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


def _draw_end(ax: Axes, mover: int, count: int, turned: float) -> None:
    """Draw the way out of the circle, turned from straight outwards to leave room for a loop."""
    angle = _angle(mover, count)
    ax.add_patch(
        FancyArrowPatch(
            _beside(angle, turned, END_FROM),
            _beside(angle, turned, END_TO),
            arrowstyle="-|>",
            mutation_scale=9,
            shrinkA=0,
            shrinkB=0,
            linewidth=1.0,
            linestyle=(0, (2.5, 1.8)),
            color=color_of(mover),
        )
    )
    x, y = _beside(angle, turned, END_AT)
    ax.text(x, y, END_LABEL, color=color_of(mover), fontsize=9, ha="center", va="center")


def _draw_arrow(
    ax: Axes, mover: int, follower: int, share: Fraction, count: int, turned: float
) -> None:
    angle, end_angle = _angle(mover, count), _angle(follower, count)
    if mover == follower:  # a loop outside the circle
        start, end = (_beside(angle, turned + turn, 1.1) for turn in (0.75, -0.75))
        bend, middle = -1.7, _beside(angle, turned, 2.5)
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


def _beside(angle: float, turn: float, reach: float) -> tuple[float, float]:
    """Return the point so many radii from a mover's middle, turned from straight outwards."""
    reach *= NODE_RADIUS
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
