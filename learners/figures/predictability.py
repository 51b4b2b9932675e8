"""Pictures of how well bots are forecast, figures 4 and 8 of the paper, and their data in files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from gametheory_core.arguments import require_instance, shortened_labels
from gametheory_core.figures.canvas import Axes, entitle, new_axes, picture_bytes
from gametheory_core.formats.files import write_bytes
from gametheory_core.games.tree_svg import FAINT, INK, PLAYER_COLORS
from learners.roshambo.prediction.predictability import Figure4, Figure8

CELL, ROW = 0.2, 0.19  # inches
DOTS = 160  # of a file, for each inch
CHANCE = 1 / 3
SURE = "#0B3C5D"
LETTERS = 6.5  # points
LONGEST_LABEL = 24  # characters


def draw_accuracy_table(found: Figure4, *, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw figure 4: how well the row's bot is forecast against the column's, as a heat map.

    White is a third, which guessing reaches; all is the darkest blue.

    Args:
        found: As ``figure_4`` returns it.
        title: Above the picture.
        ax: Where to draw; default a new figure of fitting size.

    Raises:
        MissingDependency: On import, if matplotlib is not installed.

    >>> table = Figure4(("copy", "beat"), np.ones((2, 2, 1)))
    >>> draw_accuracy_table(table, ax=Figure().add_subplot()).get_ylabel()
    'bot that is forecast'
    """
    require_instance(found, Figure4, name="found")
    ax = new_axes(ax, **_table_size(found))
    scale = LinearSegmentedColormap.from_list("accuracy", ["white", SURE])
    image = ax.imshow(found.accuracy, cmap=scale, vmin=CHANCE, vmax=1.0, aspect="equal")
    labels = _labels(found.bots)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks(range(len(labels)), labels, fontsize=LETTERS, color=INK)
    ax.tick_params(axis="x", rotation=90)
    ax.tick_params(length=0)
    ax.set_xlabel("co-player", fontsize=8)
    ax.set_ylabel("bot that is forecast", fontsize=8)
    bar = ax.figure.colorbar(image, ax=ax, fraction=0.04, pad=0.02)
    bar.set_label("accuracy", fontsize=8)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=LETTERS, color=FAINT, labelcolor=INK)
    entitle(ax, title)
    return ax


def draw_accuracy_comparison(found: Figure8, *, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw figure 8: each bot's accuracy by a predictor of its own, and by one for all.

    Bars are two standard errors to each side. A mark says what is attainable, where that is known.
    Bots are in the order of the first accuracy.

    Args:
        found: As ``figure_8`` returns it.
        title: Above the picture.
        ax: Where to draw; default a new figure of fitting size.

    >>> ones = np.ones(2)
    >>> axes = draw_accuracy_comparison(
    ...     Figure8(("copy", "beat"), ones, 0 * ones, ones, 0 * ones, ones),
    ...     ax=Figure().add_subplot(),
    ... )
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['attainable', 'a predictor of its own', 'one predictor for all']
    """
    require_instance(found, Figure8, name="found")
    ax = new_axes(ax, **_comparison_size(found))
    order = np.argsort(found.individual, kind="stable")
    rows = np.arange(len(order))
    best = found.attainable[order]
    if np.isfinite(best).any():
        ax.plot(best, rows, "|", color=INK, markersize=9, label="attainable", zorder=1)
    for number, (name, label) in enumerate(
        (("individual", "a predictor of its own"), ("population", "one predictor for all"))
    ):
        ax.errorbar(
            getattr(found, name)[order],
            rows + 0.16 * (1 - 2 * number),
            xerr=2 * getattr(found, f"{name}_errors")[order],
            fmt="os"[number],
            markersize=3,
            linewidth=0.8,
            color=PLAYER_COLORS[number],
            label=label,
        )
    ax.axvline(CHANCE, color=FAINT, linewidth=0.8, linestyle=":")
    ax.tick_params(axis="x", labelsize=LETTERS)
    ax.set_yticks(rows, _labels([found.bots[k] for k in order]), fontsize=LETTERS, color=INK)
    ax.set_xlabel("accuracy", fontsize=8)
    ax.grid(visible=True, axis="x", color=FAINT, alpha=0.25, linewidth=0.6)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, fontsize=7, loc="lower right")
    entitle(ax, title)
    return ax


def write_figure_4(found: Figure4, folder: str | Path) -> tuple[Path, Path]:
    """Write ``figure-4.png`` and ``figure-4.csv``; return where they are.

    >>> import tempfile
    >>> table = Figure4(("copy", "beat"), np.ones((2, 2, 1)))
    >>> with tempfile.TemporaryDirectory() as place:
    ...     [path.name for path in write_figure_4(table, place)]
    ['figure-4.png', 'figure-4.csv']
    """
    return _written(found, draw_accuracy_table, _table_size(found), Path(folder) / "figure-4")


def write_figure_8(found: Figure8, folder: str | Path) -> tuple[Path, Path]:
    """Write ``figure-8.png`` and ``figure-8.csv``; return where they are.

    >>> import tempfile
    >>> ones = np.ones(2)
    >>> comparison = Figure8(("copy", "beat"), ones, 0 * ones, ones, 0 * ones, ones)
    >>> with tempfile.TemporaryDirectory() as place:
    ...     [path.name for path in write_figure_8(comparison, place)]
    ['figure-8.png', 'figure-8.csv']
    """
    size = _comparison_size(found)
    return _written(found, draw_accuracy_comparison, size, Path(folder) / "figure-8")


def _written(
    found: Any, draw: Callable[..., Axes], size: dict[str, float], stem: Path
) -> tuple[Path, Path]:
    figure = Figure(figsize=(size["width"], size["height"]), layout="constrained")
    draw(found, ax=figure.add_subplot())
    paths = stem.with_suffix(".png"), stem.with_suffix(".csv")
    write_bytes(picture_bytes(figure, suffix=".png", dpi=DOTS), paths[0])
    write_bytes(found.to_csv().encode(), paths[1])
    return paths


def _labels(names: Any) -> list[str]:
    return shortened_labels(names, most=LONGEST_LABEL)


def _table_size(found: Figure4) -> dict[str, float]:
    side = len(found.bots) * CELL
    return {"width": side + 2.8, "height": side + 1.6}


def _comparison_size(found: Figure8) -> dict[str, float]:
    return {"width": 5.6, "height": len(found.bots) * ROW + 1.1}
