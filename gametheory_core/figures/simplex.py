"""A picture of mixed strategies over three actions: a triangle with trajectories in it."""

import math
from collections.abc import Sequence

import numpy as np

from gametheory_core.arguments import as_tuple, require_instance
from gametheory_core.arrays import FloatArray
from gametheory_core.errors import InvalidStrategy
from gametheory_core.figures.canvas import Axes, blank_axes, entitle
from gametheory_core.games.tree_svg import FAINT, INK, color_of
from gametheory_core.labels import shortened_text

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, math.sqrt(3) / 2]])
LONGEST_LABEL = 18  # characters
GRID = (0.25, 0.5, 0.75)
TOLERANCE = 1e-6  # how far probabilities may be from summing to 1
ARROW_AT = 0.45  # of the length of a trajectory: where its direction is shown


def draw_simplex(
    trajectories: Sequence[object] = (),
    *,
    points: Sequence[object] = (),
    actions: Sequence[str] = ("1", "2", "3"),
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw how mixed strategies over three actions move, in a triangle.

    Corners are the pure strategies: the first action below on the left, the second below on the
    right, the third on top. A trajectory starts at a ring and ends at a dot; an arrow shows the
    direction.

    Args:
        trajectories (num_steps, 3): Mixed strategies in the order of time; exact or float.
        points (3,): Mixed strategies to be marked by diamonds, such as equilibria.
        actions: Labels of the three actions.
        title: Above the picture.
        ax: Where to draw; default a new figure.

    Raises:
        InvalidStrategy: If something is not made of three probabilities that sum to 1, or there are
            not three labels.
        MissingDependency: On import, if matplotlib is not installed.

    >>> from matplotlib.figure import Figure
    >>> path = [[0.8, 0.1, 0.1], [0.5, 0.3, 0.2], [0.3, 0.4, 0.3]]
    >>> axes = draw_simplex([path], ax=Figure().add_subplot())
    >>> [text.get_text() for text in axes.texts if text.get_text()]
    ['1', '2', '3']
    """
    labels = as_tuple(actions, name="actions")
    for label in labels:
        require_instance(label, str, name="each of actions")
    require_instance(title, str, name="title")
    drawn = as_tuple(trajectories, name="trajectories")
    marked = as_tuple(points, name="points")
    if len(labels) != 3:
        raise InvalidStrategy(needs="labels of three actions", found=f"got {len(labels)}")
    paths = [_checked(path, f"trajectory {k}") for k, path in enumerate(drawn, start=1)]
    marks = [_checked([point], f"point {k}") for k, point in enumerate(marked, start=1)]
    ax = blank_axes(ax, width=5.0, height=4.9)
    ax.set_aspect("equal")
    ax.set_xlim(-0.16, 1.16)
    ax.set_ylim(-0.12, 1.0)
    _draw_triangle(ax, labels)
    for number, path in enumerate(paths):
        _draw_path(ax, path @ CORNERS, color_of(number))
    for mark in marks:
        x, y = (mark @ CORNERS)[0]
        ax.plot([x], [y], "D", color=INK, markersize=6.5, markeredgecolor="white", zorder=5)
    entitle(ax, title)
    return ax


def _checked(values: object, name: str) -> FloatArray:
    """Return an array of shape (steps, 3) whose rows are distributions."""
    try:
        rows: FloatArray = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        rows = np.empty((0, 0), dtype=np.float64)
    if rows.ndim != 2 or rows.shape[-1] != 3 or not len(rows):
        raise InvalidStrategy(
            needs="steps of three probabilities each",
            found=f"{name} has the shape {rows.shape}",
        )
    wrong = ~((rows >= -TOLERANCE).all(axis=1) & (abs(rows.sum(axis=1) - 1) <= TOLERANCE))
    if wrong.any():
        step = int(np.argmax(wrong))
        raise InvalidStrategy(
            needs="probabilities of at least 0 that sum to 1",
            found=f"step {step + 1} of {name} is {rows[step].tolist()}",
        )
    return rows


def _draw_triangle(ax: Axes, actions: Sequence[str]) -> None:
    around = CORNERS[[0, 1, 2, 0]]
    for share in GRID:
        for corner in range(3):  # a line of equal probability of one action
            start, end = (
                share * CORNERS[corner] + (1 - share) * CORNERS[(corner + turn) % 3]
                for turn in (1, 2)
            )
            ax.plot(*zip(start, end, strict=True), color=FAINT, linewidth=0.5, alpha=0.5, zorder=1)
    ax.plot(around[:, 0], around[:, 1], color=INK, linewidth=1.2, zorder=2)
    for (x, y), label in zip(CORNERS, actions, strict=True):
        text = shortened_text(label, most=LONGEST_LABEL)
        below = not y
        ax.text(
            x,
            y - 0.03 if below else y + 0.03,
            text,
            color=INK,
            fontsize=11,
            ha="center",
            va="top" if below else "bottom",
        )


def _draw_path(ax: Axes, path: FloatArray, color: str) -> None:
    ax.plot(path[:, 0], path[:, 1], color=color, linewidth=1.6, zorder=3)
    ax.plot(*path[:1].T, "o", color=color, markersize=6, markerfacecolor="white", zorder=4)
    ax.plot(*path[-1:].T, "o", color=color, markersize=6, zorder=4)
    lengths = np.hypot(*np.diff(path, axis=0).T)
    if lengths.sum() > 0.05:  # shorter ones have no room for an arrow
        at = int(np.searchsorted(np.cumsum(lengths), ARROW_AT * lengths.sum()))
        ax.annotate(
            "",
            xy=tuple((path[at] + path[at + 1]) / 2 + 1e-3 * (path[at + 1] - path[at])),
            xytext=tuple(path[at]),
            arrowprops={
                "arrowstyle": "-|>",
                "color": color,
                "mutation_scale": 17,
                "shrinkA": 0,
                "shrinkB": 0,
            },
            zorder=3,
        )
