"""A picture of how learning moves two probabilities of a leader's policy, in the unit square."""

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from gametheory_core.arguments import as_tuple, require_instance, shown
from gametheory_core.arrays import FloatArray
from gametheory_core.errors import InvalidArgument
from gametheory_core.figures.canvas import Axes, entitle, new_axes
from gametheory_core.games.palette import FAINT, INK, PLAYER_COLORS, color_of
from gametheory_core.labels import shortened_text

LONGEST_LABEL = 40  # characters
TOLERANCE = 1e-6  # how far probabilities may be outside the square
ARROW_AT = 0.5  # of the length of a path: where its direction is shown
SHORTEST = 0.02  # paths below have no room for an arrow
REMEDY = "Give flow.lotteries[:, observations, action], for one."


def draw_leader_flow(
    paths: Mapping[str, Sequence[object]],
    *,
    region: Sequence[object] = (),
    labels: tuple[str, str] = ("first probability", "second probability"),
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw where flows of a leader's policy go, as two of its probabilities.

    Each path ends at a dot; an arrow shows the direction.

    Args:
        paths (num_steps, 2): Label -> the paths that share a color, such as those of one kind of
            flow.
        region: Corners of a part of the square to be shaded.
        labels: What the two probabilities are, to the right and up.
        title: Above the picture.
        ax: Where to draw; default a new figure.

    Raises:
        InvalidArgument: If there is no label, there are more than the colors, or a path is not made
            of pairs of probabilities.
        MissingDependency: On import, if matplotlib is not installed.

    >>> from matplotlib.figure import Figure
    >>> path = [[0.5, 0.5], [0.5, 0.0]]
    >>> axes = draw_leader_flow({"hidden": [path]}, ax=Figure().add_subplot())
    >>> axes.get_legend().get_texts()[0].get_text()
    'hidden'
    """
    name = "draw_leader_flow"
    require_instance(paths, Mapping, function=name, name="paths", remedy="Give {label: [path]}.")
    require_instance(title, str, function=name, name="title")
    across, upwards = (str(label) for label in as_tuple(labels, function=name, name="labels"))
    if not 1 <= len(paths) <= len(PLAYER_COLORS):
        raise InvalidArgument(
            f"{name}: needs 1 to {len(PLAYER_COLORS)} kinds of paths, but got {len(paths)}."
        )
    drawn = {
        label: [
            _points(path, f"path {k} of {label!r}")
            for k, path in enumerate(as_tuple(own, function=name, name=repr(label)), start=1)
        ]
        for label, own in paths.items()
    }
    corners = as_tuple(region, function=name, name="region")
    ax = new_axes(ax, width=5.0, height=4.8)
    ax.set_aspect("equal")
    ax.set_xlim(-0.03, 1.03)
    ax.set_ylim(-0.03, 1.03)
    if corners:
        shaded = _points(corners, "the region")
        ax.fill(shaded[:, 0], shaded[:, 1], color=FAINT, alpha=0.25, linewidth=0, zorder=1)
    for number, (label, own) in enumerate(drawn.items()):
        for k, path in enumerate(own):
            _draw_path(ax, path, color_of(number), label if not k else "")
    ax.set_xlabel(across, color=INK)
    ax.set_ylabel(upwards, color=INK)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=2, frameon=False, fontsize=9)
    if title:
        entitle(ax, title)
    return ax


def _points(values: object, name: str) -> FloatArray:
    """Return an array of shape (steps, 2) of probabilities."""
    try:
        points: FloatArray = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        points = np.empty((0, 0))
    if points.ndim != 2 or points.shape[-1] != 2 or not len(points):
        raise InvalidArgument(
            f"draw_leader_flow: needs pairs of probabilities, but {name} has the shape "
            f"{points.shape}. {REMEDY}"
        )
    wrong = ~((points >= -TOLERANCE) & (points <= 1 + TOLERANCE)).all(axis=1)
    if wrong.any():
        bad = cast("object", points[int(np.argmax(wrong))].tolist())
        raise InvalidArgument(
            f"draw_leader_flow: needs probabilities from 0 to 1, but {name} has {shown(bad)}. "
            f"{REMEDY}"
        )
    return points


def _draw_path(ax: Axes, path: FloatArray, color: str, label: str) -> None:
    shortened = shortened_text(label, most=LONGEST_LABEL) if label else "_"
    ax.plot(path[:, 0], path[:, 1], color=color, linewidth=1.1, alpha=0.85, label=shortened)
    ax.plot(*path[-1:].T, "o", color=color, markersize=4, zorder=3, clip_on=False)
    lengths = np.hypot(*np.diff(path, axis=0).T)
    total = float(lengths.sum())
    if total > SHORTEST:
        at = int(np.searchsorted(np.cumsum(lengths), ARROW_AT * total))
        ax.annotate(
            "",
            xy=tuple((path[at] + path[at + 1]) / 2 + 1e-3 * (path[at + 1] - path[at])),
            xytext=tuple(path[at]),
            arrowprops={
                "arrowstyle": "-|>",
                "color": color,
                "mutation_scale": 10,
                "shrinkA": 0,
                "shrinkB": 0,
                "linewidth": 0,
            },
        )
