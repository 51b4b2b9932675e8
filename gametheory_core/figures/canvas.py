"""What the pictures share: axes to draw on, titles."""

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from gametheory_core.arguments import shortened_text
from gametheory_core.games.tree_svg import INK

LONGEST_TITLE = 50  # characters


def new_axes(ax: Axes | None, *, width: float, height: float) -> Axes:
    """Return the axes given, or those of a new figure of a size in inches."""
    if ax is None:
        _, ax = plt.subplots(figsize=(width, height), layout="constrained")
    return ax


def blank_axes(ax: Axes | None, *, width: float, height: float) -> Axes:
    """Return the axes given, or those of a new figure of a size in inches, without a frame."""
    ax = new_axes(ax, width=width, height=height)
    ax.set_axis_off()
    return ax


def entitle(ax: Axes, title: str, *, pad: float = 6.0) -> None:
    """Write the title above the picture, cut to one line; ``pad`` points above the axes."""
    ax.set_title(shortened_text(title, most=LONGEST_TITLE), color=INK, fontsize=13, pad=pad)
