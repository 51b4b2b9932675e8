"""Pictures of runs: how fast they converge, and trajectories of mixed strategies in a triangle."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arguments import (
    as_tuple,
    is_finite_number,
    require_instance,
    require_integer,
    shortened_labels,
    shown,
)
from gametheory_core.arrays import FloatArray
from gametheory_core.errors import InvalidArgument, InvalidStrategy
from gametheory_core.figures.canvas import (
    Axes,
    blank_axes,
    draw_arrow,
    entitle,
    frame,
    legend_beside,
    legend_width,
    new_axes,
)
from gametheory_core.games.tree_svg import FAINT, INK, PLAYER_COLORS, color_of
from gametheory_core.strategies.answers import profiles_in

LONGEST_NAME = 40  # characters
STYLES = ("-", "--", ":", "-.")  # once colors repeat
MOST_RUNS = len(PLAYER_COLORS) * len(STYLES)

History: TypeAlias = Sequence[tuple[Any, Any]]  # whole numbers and floats, numpy's too


def draw_convergence(
    runs: Mapping[str, History | Any],
    *,
    measure: str = "exploitability",
    tolerance: float | None = None,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw how a distance to equilibrium falls with iterations, one line a run.

    Args:
        runs: Label -> history, iterations from 1, increasing; distances at least 0; or a run that
            has a ``curve``. A distance of 0, which logarithms do not have, is an open circle at
            the lower edge.
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
            needs=f"1 to {MOST_RUNS} runs", found=f"got {len(runs)}", remedy="Draw fewer."
        )
    histories = {name: _points(name, history) for name, history in runs.items()}
    for name, history in histories.items():
        _check(name, history)
    if tolerance is not None and not (is_finite_number(tolerance) and tolerance > 0):
        raise InvalidArgument(needs="a tolerance above 0, or None", found=f"got {tolerance!r}")
    ax = new_axes(ax, width=6.0 + legend_width(histories), height=4.4)
    ax.set_xscale("log")
    ax.set_yscale("log")
    names = shortened_labels(list(histories), most=LONGEST_NAME)
    for number, (name, history) in enumerate(zip(names, histories.values(), strict=True)):
        _draw_run(ax, number, name, history)
    if tolerance is not None:
        label = f"tolerance {tolerance:g}"
        ax.axhline(tolerance, color=INK, linewidth=1.0, linestyle=(0, (1, 2)), label=label)
    frame(ax, "iteration", measure)
    legend_beside(ax)
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
    given = as_tuple(getattr(history, "curve", history), name=f"run {name!r}", remedy=remedy)
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
        label=name,
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


CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, math.sqrt(3) / 2]])
LONGEST_CORNER = 18  # characters
GRID = (0.25, 0.5, 0.75)
TOLERANCE = 1e-6  # how far probabilities may be from summing to 1
ARROW_AT = 0.45  # of the length of a trajectory: where its direction is shown


def draw_simplex(
    trajectories: Sequence[object] | Any = (),
    *,
    points: Sequence[object] | Any = (),
    actions: Sequence[str] | None = None,
    player: int = 0,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw how mixed strategies over three actions move, in a triangle.

    Corners are the pure strategies: the first action below on the left, the second below on the
    right, the third on top. A trajectory starts at a ring and ends at a dot; an arrow shows the
    direction.

    Args:
        trajectories (num_steps, 3): Mixed strategies in the order of time; exact or float. Or runs
            of dynamics, or one.
        points (3,): Mixed strategies to be marked by diamonds, such as equilibria. Or solutions, or
            an answer that has some.
        actions: Labels of the three actions; by default those of the game that a run or solution
            is of, else numbers.
        player: Whose strategies are drawn of runs and solutions.
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
    require_integer(player, name="player", low=0)
    labels = as_tuple(_named(trajectories, points, player, actions), name="actions")
    for label in labels:
        require_instance(label, str, name="each of actions")
    require_instance(title, str, name="title")
    drawn = [_own(path, "trajectories", player) for path in _listed(trajectories, "trajectories")]
    marked = [_own(point, "strategies", player) for point in _listed(points, "points")]
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


def _listed(given: Any, name: str) -> tuple[Any, ...]:
    """Return runs, or the profiles in solutions, as a list; one of them is a list of one."""
    found = profiles_in(given) if name == "points" else given
    is_one = any(hasattr(found, part) for part in ("trajectories", "strategies"))
    return (found,) if is_one else as_tuple(found, name=name)


def _own(found: Any, part: str, player: int) -> Any:
    """Return a player's part of a run or profile; anything else as it is."""
    if not hasattr(found, part):
        return found
    every = getattr(found, part)
    if player >= len(every):
        raise InvalidArgument(needs=f"a player from 0 to {len(every) - 1}", found=f"got {player}")
    return every[player]


def _named(trajectories: Any, points: Any, player: int, actions: Any) -> Any:
    """Return the labels given, or those of the game that the first run or solution is of."""
    if actions is not None:
        return actions
    for found in (*_listed(trajectories, "trajectories"), *_listed(points, "points")):
        game = getattr(found, "game", None)
        if game is not None and player < game.num_players:
            return [label or f"#{k}" for k, label in enumerate(game.actions[player], start=1)]
    return ("1", "2", "3")


def _checked(values: object, name: str) -> FloatArray:
    """Return an array of shape (steps, 3) whose rows are distributions."""
    try:
        rows: FloatArray = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        rows = np.empty((0, 0), dtype=np.float64)
    if rows.ndim != 2 or rows.shape[-1] != 3 or not len(rows):
        raise InvalidStrategy(
            needs="steps of three probabilities each", found=f"{name} has the shape {rows.shape}"
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
    names = shortened_labels(actions, most=LONGEST_CORNER)
    for (x, y), text in zip(CORNERS, names, strict=True):
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
    draw_arrow(
        ax, path, share=ARROW_AT, least=0.05, color=color, mutation_scale=17
    )  # room for an arrow
