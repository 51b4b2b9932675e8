"""Pictures with a panel for each game or scheme, and curves with bands in them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from gametheory_core.errors import not_installed
from gametheory_core.games.tree_svg import PLAYER_COLORS
from learners.experiments.comparisons import Interval

try:
    from matplotlib.figure import Figure
except ImportError:
    raise not_installed("learners.studies", "matplotlib for pictures", extra="study") from None

PANEL = 2.6  # inches
SMALL = 8  # points


def panels(count: int, *, columns: int = 3, width: float = PANEL, height: float = PANEL) -> Any:
    """Return a new figure and its axes, row by row; those that are not needed are blank."""
    rows = -(-count // columns)
    columns = min(columns, count)
    figure = Figure(figsize=(columns * width, rows * height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for spare in axes[count:]:
        spare.set_axis_off()
    for own in axes[:count]:
        own.tick_params(labelsize=SMALL - 1)
    return figure, axes[:count]


def color_of(number: int) -> str:
    """Return the color of the learner of a number."""
    return PLAYER_COLORS[number % len(PLAYER_COLORS)]


def draw_banded(
    ax: Any, number: int, at: Sequence[float], bands: Sequence[Interval], label: str
) -> None:
    """Draw a curve, and around it what its mean may be."""
    if np.isfinite([band.low for band in bands]).all():
        low, high = [band.low for band in bands], [band.high for band in bands]
        ax.fill_between(at, low, high, color=color_of(number), alpha=0.18, linewidth=0)
    middle = [band.mean for band in bands]
    ax.plot(at, middle, color=color_of(number), linewidth=1.4, label=label)
