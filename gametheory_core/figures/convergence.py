"""A picture of how fast runs converge: a distance by iterations, both on logarithmic axes."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from gametheory_core.arguments import as_tuple, is_finite_number, shown
from gametheory_core.errors import InvalidArgument
from gametheory_core.figures.canvas import Axes, entitle, new_axes
from gametheory_core.games.tree_svg import FAINT, INK, PLAYER_COLORS
from gametheory_core.labels import shortened_text

LONGEST_LABEL = 40  # characters
STYLES = ("-", "--", ":", "-.")  # once colours repeat
MOST_RUNS = len(PLAYER_COLORS) * len(STYLES)

History: TypeAlias = Sequence[tuple[int, float]]


def draw_convergence(
    runs: Mapping[str, History],
    *,
    measure: str = "exploitability",
    tolerance: float | None = None,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw how a distance to equilibrium falls with iterations, one line a run.

    Args:
        runs: Label -> history, iterations from 1, increasing; distances at least 0. A distance of
            0, which logarithms do not have, is an open circle at the lower edge.
        measure: What the distance is.
        tolerance: A level above 0 to mark.
        title: Above the picture.
        ax: Where to draw; default a new figure.

    Raises:
        InvalidArgument: If there is no run, more than 24, the tolerance is not above 0, or a
            history is empty or malformed; names run and point.
        MissingDependency: On import, if matplotlib is not installed.

    >>> from matplotlib.figure import Figure
    >>> axes = Figure().add_subplot()
    >>> histories = {"slow": [(1, 1.0), (100, 0.1)], "fast": [(1, 1.0), (100, 0.01)]}
    >>> axes = draw_convergence(histories, tolerance=0.05, ax=axes)
    >>> [line.get_label() for line in axes.lines]
    ['slow', 'fast', 'tolerance 0.05']
    """
    if not isinstance(runs, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidArgument(
            needs="a mapping of labels to histories",
            found=f"got {shown(runs)} (type {type(runs).__name__})",
            remedy="Give {label: [(iteration, distance), ...]}.",
        )
    if not 1 <= len(runs) <= MOST_RUNS:
        raise InvalidArgument(
            needs=f"1 to {MOST_RUNS} runs",
            found=f"got {len(runs)}",
            remedy="Draw fewer.",
        )
    histories = {name: _points(name, history) for name, history in runs.items()}
    for name, history in histories.items():
        _check(name, history)
    if tolerance is not None and not (is_finite_number(tolerance) and tolerance > 0):
        raise InvalidArgument(
            needs="a tolerance above 0, or None",
            found=f"got {tolerance!r}",
        )
    ax = new_axes(ax, width=6.4, height=4.4)
    ax.set_xscale("log")
    ax.set_yscale("log")
    for number, (name, history) in enumerate(histories.items()):
        _draw_run(ax, number, name, history)
    if tolerance is not None:
        label = f"tolerance {tolerance:g}"
        ax.axhline(tolerance, color=INK, linewidth=1.0, linestyle=(0, (1, 2)), label=label)
    ax.set_xlabel("iteration")
    ax.set_ylabel(measure)
    ax.grid(visible=True, color=FAINT, alpha=0.25, linewidth=0.6)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, fontsize=9)
    if title:
        entitle(ax, title)
    return ax


def _check(name: str, history: History) -> None:
    before = 0
    for place, (iteration, distance) in enumerate(history, start=1):
        if not (is_finite_number(iteration) and iteration > before):
            problem = f"iterations from 1 that increase, but point {place} has {shown(iteration)}"
        elif not (is_finite_number(distance) and distance >= 0):
            problem = f"finite distances of at least 0, but point {place} has {shown(distance)}"
        else:
            before = iteration
            continue
        raise InvalidArgument(needs=problem, where=f"draw_convergence: run {name!r}")
    if not before:
        raise InvalidArgument(
            needs="a point", found="has none", where=f"draw_convergence: run {name!r}"
        )


def _points(name: str, history: object) -> list[tuple[Any, Any]]:
    """Return the points of a history, refusing what is no list of pairs."""
    remedy = "Give pairs [(iteration, distance), ...], as zip(steps, distances) makes them."
    given = as_tuple(history, name=f"run {name!r}", remedy=remedy)
    points: list[tuple[Any, Any]] = []
    for place, point in enumerate(given, start=1):
        try:
            iteration, distance = point
        except (TypeError, ValueError):
            raise InvalidArgument(
                needs="pairs (iteration, distance)",
                found=f"point {place} is {shown(point)}",
                remedy=remedy,
                where=f"draw_convergence: run {name!r}",
            ) from None
        points.append((iteration, distance))
    return points


def _draw_run(ax: Axes, number: int, name: str, history: History) -> None:
    color = PLAYER_COLORS[number % len(PLAYER_COLORS)]
    shown = [(i, float(d)) for i, d in history if d]
    ax.plot(
        [i for i, _ in shown],
        [d for _, d in shown],
        color=color,
        linestyle=STYLES[number // len(PLAYER_COLORS)],
        linewidth=1.6,
        marker="o" if len(shown) < 30 else "",
        markersize=3,
        label=shortened_text(name, most=LONGEST_LABEL),
    )
    exact = [i for i, d in history if not d]
    ax.scatter(  # on the lower edge, whatever the scale
        exact,
        [0.0] * len(exact),
        transform=ax.get_xaxis_transform(),
        s=36,
        facecolors="none",
        edgecolors=color,
        clip_on=False,
        zorder=3,
    )
