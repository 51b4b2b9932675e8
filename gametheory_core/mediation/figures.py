"""Pictures of fairness: its rise over rounds of updates, and a table of games by variants."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.ticker import MaxNLocator

from gametheory_core.arguments import as_tuple, is_finite_number, shortened_labels, shown
from gametheory_core.errors import InvalidArgument
from gametheory_core.figures.canvas import (
    Axes,
    entitle,
    frame,
    legend_beside,
    legend_width,
    new_axes,
)
from gametheory_core.games.payoff_text import ABOUT, payoff_text
from gametheory_core.games.tree_svg import FAINT, INK, PLAYER_COLORS

LONGEST_LABEL = 40  # characters
LONGEST_HEAD = 16
STYLES = ("-", "--", ":", "-.")  # once colours repeat
MOST_RUNS = len(PLAYER_COLORS) * len(STYLES)
MOST_ROWS, MOST_COLUMNS = 30, 16
DIGITS = 4  # of numbers that are too long for a cell
CELL_WIDTH, CELL_HEIGHT = 1.15, 0.42  # inches
TINT = "#9DC3E6"  # of the fairest; light, so that numbers can be read

Value: TypeAlias = int | float | Fraction


def draw_fairness_rounds(
    runs: Mapping[str, Sequence[Value]],
    *,
    optimum: Value | None = None,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw how fair returns are after each round of updates, one line a run.

    Args:
        runs: Label -> the fairness at the start and after each round.
        optimum: A level to mark.
        title: Above the picture.
        ax: Where to draw; default a new figure.

    Raises:
        InvalidArgument: If there is no run, more than 24, or one without finite numbers; names the
            run.
        MissingDependency: On import, if matplotlib is not installed.

    >>> from matplotlib.figure import Figure
    >>> runs = {"with transfers": [18, 24, 24], "without": [18, 21, 21]}
    >>> axes = draw_fairness_rounds(runs, optimum=24, ax=Figure().add_subplot())
    >>> [line.get_label() for line in axes.lines]
    ['with transfers', 'without', 'optimum 24']
    """
    _require_mapping(runs, "runs", "{label: [fairness, ...]}")
    if not 1 <= len(runs) <= MOST_RUNS:
        raise InvalidArgument(
            needs=f"1 to {MOST_RUNS} runs", found=f"got {len(runs)}", remedy="Draw fewer."
        )
    lines = {name: _values(name, values) for name, values in runs.items()}
    if optimum is not None and not is_finite_number(optimum):
        raise InvalidArgument(needs="a finite optimum, or None", found=f"got {shown(optimum)}")
    ax = new_axes(ax, width=6.0 + legend_width(lines), height=4.0)
    names = shortened_labels(list(lines), most=LONGEST_LABEL)
    for number, (name, values) in enumerate(zip(names, lines.values(), strict=True)):
        ax.plot(
            range(len(values)),
            values,
            color=PLAYER_COLORS[number % len(PLAYER_COLORS)],
            linestyle=STYLES[number // len(PLAYER_COLORS)],
            linewidth=1.6 + 1.2 * min(len(lines) - 1 - number, 4),  # what lies below shows
            marker="o",
            markersize=4 + min(len(lines) - 1 - number, 4),
            label=name,
        )
    if optimum is not None:
        label = f"optimum {payoff_text(Fraction(optimum), digits=DIGITS)}"
        ax.axhline(float(optimum), color=INK, linewidth=1.0, linestyle=(0, (1, 2)), label=label)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    frame(ax, "rounds of updates", "fairness of returns")
    if optimum is not None or any(lines):  # labels; an empty one is left out
        legend_beside(ax)
    entitle(ax, title)
    return ax


def draw_fairness_table(
    table: Mapping[str, Mapping[str, Value]], *, title: str = "", ax: Axes | None = None
) -> Axes:
    """Draw how fair several ways to play several games are, as a table with shaded cells.

    The darker a cell, the nearer it is to the fairest of its row; rows are not compared.

    Args:
        table: Game -> way to play -> fairness; the same ways for all games.
        title: Above the picture.
        ax: Where to draw; default a new figure of fitting size.

    Raises:
        InvalidArgument: If the table is empty, larger than 30 x 16, has gaps, or a value is no
            finite number.
        MissingDependency: On import, if matplotlib is not installed.

    >>> from matplotlib.figure import Figure
    >>> values = {"dilemma": {"naive": 2, "full": 6}, "chicken": {"naive": 8, "full": 24}}
    >>> axes = draw_fairness_table(values, ax=Figure().add_subplot())
    >>> [text.get_text() for text in axes.texts]
    ['2', '6', '8', '24']
    """
    columns = _columns(table)
    rows = [_values(name, [own[c] for c in columns]) for name, own in table.items()]
    ax = new_axes(ax, width=2.2 + CELL_WIDTH * len(columns), height=1.2 + CELL_HEIGHT * len(rows))
    scale = LinearSegmentedColormap.from_list("fairness", ["white", TINT])
    ax.imshow([_shades(row) for row in rows], cmap=scale, vmin=0, vmax=1, aspect="auto")
    for i, own in enumerate(table.values()):
        for j, column in enumerate(columns):
            text = payoff_text(Fraction(own[column]), digits=DIGITS).removeprefix(ABOUT)
            ax.text(j, i, text, color=INK, fontsize=10, ha="center", va="center")
    ax.set_xticks(range(len(columns)), shortened_labels(list(map(str, columns)), most=LONGEST_HEAD))
    ax.set_yticks(range(len(rows)), shortened_labels(list(map(str, table)), most=LONGEST_LABEL))
    ax.tick_params(length=0, labelsize=9, labelcolor=INK, labeltop=True, labelbottom=False)
    ax.set_xticks(np.arange(len(columns) - 1) + 0.5, minor=True)
    ax.set_yticks(np.arange(len(rows) - 1) + 0.5, minor=True)
    ax.grid(which="minor", color=FAINT, linewidth=0.5, alpha=0.6)
    ax.tick_params(which="minor", length=0)
    for spine in ax.spines.values():
        spine.set_color(FAINT)
    entitle(ax, title)
    return ax


def _require_mapping(value: object, name: str, remedy: str) -> None:
    if not isinstance(value, Mapping):
        raise InvalidArgument(
            needs=f"{name} to be a mapping",
            found=f"got {shown(value)} (type {type(value).__name__})",
            remedy=f"Give {remedy}.",
        )


def _values(name: object, values: Any) -> list[float]:
    """Return numbers as floats, refusing other things and none at all."""
    given = as_tuple(values, name=f"{name!r}", remedy="Give numbers.")
    strange = [value for value in given if not is_finite_number(value)]
    if strange or not given:
        problem = f"has {shown(strange[0])}" if strange else "is empty"
        raise InvalidArgument(needs="finite numbers", found=f"{name!r} {problem}")
    return [float(value) for value in given]


def _columns(table: Any) -> list[str]:
    """Return what all rows have in common, refusing rows that differ."""
    _require_mapping(table, "table", "{game: {way to play: fairness}}")
    for name, own in table.items():
        _require_mapping(own, f"row {name!r}", "{way to play: fairness}")
    columns = list(next(iter(table.values()), {}))
    if not 1 <= len(columns) <= MOST_COLUMNS or len(table) > MOST_ROWS:
        raise InvalidArgument(
            needs=f"1 to {MOST_ROWS} rows and 1 to {MOST_COLUMNS} columns",
            found=f"got {len(table)} and {len(columns)}",
        )
    for name, own in table.items():
        if set(own) != set(columns):
            raise InvalidArgument(
                needs="the same columns in all rows",
                found=f"{name!r} has {list(own)} and the first row {columns}",
            )
    return columns


def _shades(row: list[float]) -> list[float]:
    """Return how near each value is to the largest of its row, from 0 to 1."""
    low, high = min(row), max(row)
    return [1.0 if high == low else (value - low) / (high - low) for value in row]
