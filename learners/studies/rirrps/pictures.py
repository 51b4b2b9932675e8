"""The pictures of the study, each drawn from its data."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gametheory_core.errors import MissingDependency
from gametheory_core.games.tree_svg import INK, PLAYER_COLORS

try:
    from matplotlib.figure import Figure
except ImportError:
    raise MissingDependency(
        "learners.studies: pictures need matplotlib, but it is not installed. "
        "Run pip install 'gametheory-core[study]'."
    ) from None

if TYPE_CHECKING:
    from learners.studies.rirrps.sample_rates import SampleRates

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


def draw_sample_rates(found: Sequence["SampleRates"]) -> Figure:
    """Draw figure 1: bars are one draw, lines what is expected."""
    figure, axes = panels(len(found))
    for own, ax in zip(found, axes, strict=True):
        count = len(own.expected)
        ax.bar(range(count), own.met[0], width=1.0, color=PLAYER_COLORS[4], label="met")
        ax.plot(range(count), own.expected, color=PLAYER_COLORS[1], linewidth=1.4, label="expected")
        ax.axhline(1.0, color=INK, linewidth=0.8, linestyle=":", label="uniform in the end")
        ax.set_title(own.scheme, fontsize=SMALL + 1)
        ax.set_xlabel("policy, oldest first", fontsize=SMALL)
    axes[0].legend(frameon=False, fontsize=SMALL - 1)
    return figure
