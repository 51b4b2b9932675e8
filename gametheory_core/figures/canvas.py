"""What the pictures share: axes to draw on, titles, the way to a file."""

import io
import math
from collections.abc import Iterable
from types import MappingProxyType

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gametheory_core.arguments import require_integer, shortened_text
from gametheory_core.arrays import FloatArray
from gametheory_core.errors import InvalidArgument, named
from gametheory_core.games.tree_svg import FAINT, INK

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
    """Write the title, if any, above the picture, cut to one line; ``pad`` points above it."""
    if title:
        ax.set_title(shortened_text(title, most=LONGEST_TITLE), color=INK, fontsize=13, pad=pad)


def frame(ax: Axes, across: str, upwards: str) -> None:
    """Name the axes; draw a faint grid, and no edge above or on the right."""
    ax.set_xlabel(across)
    ax.set_ylabel(upwards)
    ax.grid(visible=True, color=FAINT, alpha=0.25, linewidth=0.6)
    ax.spines[["top", "right"]].set_visible(False)


def draw_arrow(ax: Axes, path: FloatArray, *, share: float, least: float, **look: object) -> None:
    """Draw an arrow at a share of a path's length (points, 2), unless the path is too short."""
    lengths = np.hypot(*np.diff(path, axis=0).T)
    total = float(lengths.sum())
    if total > least:
        at = int(np.searchsorted(np.cumsum(lengths), share * total))
        ax.annotate(
            "",
            xy=tuple((path[at] + path[at + 1]) / 2 + 1e-3 * (path[at + 1] - path[at])),
            xytext=tuple(path[at]),
            arrowprops={"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, **look},
            zorder=3,
        )


def legend_width(labels: Iterable[str]) -> float:
    """Return the inches that ``legend_beside`` takes, so that it does not squeeze the curves."""
    return 0.6 + 0.08 * min(max(map(len, labels), default=0) + 10, LONGEST_TITLE)


def legend_beside(ax: Axes) -> None:
    """Add a legend on the right of the axes, over no curve.

    In a figure without a layout that makes room for it, it stands inside, where it hides least.
    """
    if ax.figure.get_layout_engine() is None:
        ax.legend(frameon=False, fontsize=9)
    else:
        ax.legend(frameon=False, fontsize=9, loc="upper left", bbox_to_anchor=(1.01, 1.0))


DOTS = 100  # for each inch
MOST_DOTS = 60_000_000  # of a picture; each takes four bytes while it is drawn
UNDATED = MappingProxyType({".png": "Software", ".svg": "Date", ".pdf": "CreationDate"})


def picture_bytes(figure: Figure, *, suffix: str, dpi: int | None = None) -> bytes:
    """Return a picture as a file, the same bytes each time.

    Args:
        figure: Such as ``axes.figure``.
        suffix: ".pdf", ".svg" or ".png".
        dpi: Dots per inch of a ".png", 100 by default; elsewhere of what is made of dots.

    Raises:
        InvalidArgument: If the picture would have more than 60 million dots.
    """
    dots = DOTS if dpi is None else dpi
    require_integer(dots, name="dpi", low=1)
    width, height = figure.get_size_inches().tolist()
    if suffix == ".png" and dots * dots * width * height > MOST_DOTS:
        fitting = math.isqrt(int(MOST_DOTS / (width * height)))
        raise InvalidArgument(
            needs=f"a picture of at most {MOST_DOTS:,} dots",
            found=f"{width:.1f} x {height:.1f} inches with {named('dpi')} = {dots} have "
            f"{int(dots * dots * width * height):,}",
            remedy=f"Give at most {fitting}, or draw a .pdf.",
            where="draw",
        )
    content = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "gametheory", "pdf.fonttype": 42}):
        figure.savefig(content, format=suffix[1:], dpi=dots, metadata={UNDATED[suffix]: None})
    return content.getvalue()
