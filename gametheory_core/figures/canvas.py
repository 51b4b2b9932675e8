"""What the pictures share: axes to draw on, colours, numbers in text."""

from fractions import Fraction

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

# Okabe and Ito's palette: told apart with any colour vision, and in grey. Players in turn.
PLAYER_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
LIGHT = (3, 4, 5)  # positions of those too light for white letters
CHANCE_COLOR = "#5F6368"
LONGEST_TITLE = 50  # characters
INK = "#202124"
FAINT = "#9AA0A6"


def color_of(player: int) -> str:
    """Return the colour of a player; chance (-1) is grey."""
    return CHANCE_COLOR if player < 0 else PLAYER_COLORS[player % len(PLAYER_COLORS)]


def color_on(player: int) -> str:
    """Return a colour that can be read on top of a player's: white, or ink on the light ones."""
    return INK if player >= 0 and player % len(PLAYER_COLORS) in LIGHT else "white"


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


def shown_number(number: Fraction) -> str:
    """Return a fraction as people write it, with a true minus sign."""
    return str(number).replace("-", "\N{MINUS SIGN}")


def shortened_text(text: str, *, most: int) -> str:
    """Return the text on one line, cut with an ellipsis if longer than ``most`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "\N{HORIZONTAL ELLIPSIS}"
