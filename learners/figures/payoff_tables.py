"""A picture of a table of agents against bots: what each is paid on average, as a heat map."""

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from gametheory_core.arguments import require_instance, shortened_labels
from gametheory_core.figures.canvas import Axes, entitle, new_axes, picture_bytes
from gametheory_core.games.tree_svg import FAINT, INK
from learners.roshambo.tournaments.payoff_tables import PayoffTable

LOST, EVEN, WON = "#8C2D04", "white", "#0B3C5D"
CELL = 0.17  # inches
DOTS = 160  # of a file, for each inch
MOST_NUMBERED = 12  # agents or bots, where cells hold numbers
NUMBERED_CELL = 0.6  # inches
LONGEST_LABEL = 20  # characters
LETTERS = 6.0  # points


def draw_payoff_table(table: PayoffTable, *, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw what agents are paid as a heat map: a row an agent, a column a bot, both as listed.

    Blue is won, red is lost, of the largest mean in the table. Up to 12 x 12 cells hold numbers.

    Args:
        table: As tournaments give it.
        title: Above the picture.
        ax: Where to draw; default a new figure of fitting size.

    Raises:
        MissingDependency: On import, if matplotlib is not installed.

    >>> from matplotlib.figure import Figure
    >>> table = PayoffTable(("x",), ("rock", "other"), [[10.0, -2.0]], 50)
    >>> axes = draw_payoff_table(table, ax=Figure().add_subplot())
    >>> [text.get_text() for text in axes.texts], axes.get_xlabel()
    (['10', '-2'], 'mean return of 50 matches, against')
    """
    require_instance(table, PayoffTable, name="table")
    width, height = _size(table)
    ax = new_axes(ax, width=width, height=height)
    scale = LinearSegmentedColormap.from_list("returns", [LOST, EVEN, WON])
    most = float(np.abs(table.means).max()) or 1.0
    image = ax.imshow(table.means, cmap=scale, vmin=-most, vmax=most, aspect="equal")
    if _is_numbered(table):
        for (row, column), mean in np.ndenumerate(table.means):
            color = "white" if abs(mean) > most / 2 else INK
            ax.text(column, row, f"{mean:.0f}", ha="center", va="center", color=color, fontsize=7)
    for axis, names in ((ax.xaxis, table.bots), (ax.yaxis, table.agents)):
        labels = shortened_labels(names, most=LONGEST_LABEL)
        axis.set_ticks(range(len(names)), labels, fontsize=LETTERS, color=INK)
    ax.tick_params(axis="x", rotation=90)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    matches = "1 match" if table.matches == 1 else f"{table.matches:,} matches"
    ax.set_xlabel(f"mean return of {matches}, against", color=INK, fontsize=8)
    bar = ax.figure.colorbar(image, ax=ax, fraction=0.04, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=LETTERS, color=FAINT, labelcolor=INK)
    entitle(ax, title)
    return ax


def payoff_table_png(table: PayoffTable, *, title: str = "") -> bytes:
    """Return the picture as a file, the same bytes each time; needs no screen.

    >>> payoff_table_png(PayoffTable(("x",), ("rock",), [[10.0]], 50))[1:4]
    b'PNG'
    """
    figure = Figure(figsize=_size(table), layout="constrained")
    draw_payoff_table(table, title=title, ax=figure.add_subplot())
    return picture_bytes(figure, suffix=".png", dpi=DOTS)


def _is_numbered(table: PayoffTable) -> bool:
    return max(table.means.shape) <= MOST_NUMBERED


def _size(table: PayoffTable) -> tuple[float, float]:
    """Return inches: cells, and room for names and the bar."""
    height, width = table.means.shape
    side = NUMBERED_CELL if _is_numbered(table) else CELL
    return width * side + 2.6, height * side + 1.9
