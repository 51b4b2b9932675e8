"""A picture of learning: curves by iterations with confidence bands over seeds, and a target."""

from collections.abc import Sequence
from enum import Enum
from typing import Protocol

from gametheory_core.arguments import (
    as_tuple,
    is_finite_number,
    require_instance,
    require_member,
    shortened_labels,
    shown,
)
from gametheory_core.errors import InvalidArgument
from gametheory_core.figures.canvas import (
    Axes,
    entitle,
    frame,
    legend_beside,
    legend_width,
    new_axes,
)
from gametheory_core.games.tree_svg import INK, PLAYER_COLORS

LONGEST_LABEL = 40  # characters
STYLES = ("-", "--", ":", "-.")  # once colors repeat
NEVER_NEGATIVE = ("exploitability", "epsilon", "nash_conv", "nashconv", "distance", "gain")
LOWEST_SHARE = 10  # of the lowest mean: how far down a band goes on a logarithmic axis
MOST_CURVES = len(PLAYER_COLORS) * len(STYLES)


class Scale(Enum):
    """How an axis is divided; the value is matplotlib's word."""

    LINEAR = "linear"
    LOGARITHMIC = "log"


class Curve(Protocol):
    """What can be drawn; a ``LearningCurve`` can."""

    @property
    def label(self) -> str:
        """Name of the learner."""
        ...

    @property
    def seeds(self) -> int:
        """Runs that went in."""
        ...

    @property
    def iterations(self) -> Sequence[int]:
        """Where the curve has points; increasing."""
        ...

    @property
    def mean(self) -> Sequence[float]:
        """Over seeds."""
        ...

    @property
    def low(self) -> Sequence[float]:
        """Lower edge of the band."""
        ...

    @property
    def high(self) -> Sequence[float]:
        """Upper edge of the band."""
        ...


def draw_learning_curves(
    curves: Sequence[Curve],
    *,
    measure: str = "return",
    target: float | None = None,
    target_label: str = "exact target",
    scale: Scale = Scale.LINEAR,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw learning curves with their confidence bands, one color a learner.

    Args:
        curves: At most 24, as ``learning_curves`` makes them.
        measure: What is learned; names the vertical axis. Bands of what cannot be negative, such as
            an exploitability, epsilon, distance or gain, end at 0.
        target: What is to be reached, such as the value of the game: a dotted line.
        target_label: What the legend calls it.
        scale: Of the vertical axis. A logarithmic one leaves out means that are not above 0, and
            cuts bands there.
        title: Above the picture.
        ax: Where to draw; default a new figure.

    Raises:
        InvalidArgument: If there is no curve, too many, one is empty or not finite, or the target
            does not fit the scale.
        MissingDependency: On import, if matplotlib is not installed.

    >>> from matplotlib.figure import Figure
    >>> from learners.experiments.comparisons import LearningCurve
    >>> curve = LearningCurve("Q", 2, (1, 2), (0.5, 1.0), (0.2, 0.8), (0.8, 1.2))
    >>> axes = draw_learning_curves([curve], target=1.1, ax=Figure().add_subplot())
    >>> [line.get_label() for line in axes.lines]
    ['Q, 2 seeds', 'exact target']
    """
    drawn: tuple[Curve, ...] = as_tuple(curves, name="curves")
    if not 1 <= len(drawn) <= MOST_CURVES:
        raise InvalidArgument(needs=f"1 to {MOST_CURVES} curves", found=f"got {len(drawn)}")
    require_member(scale, Scale, name="scale")
    require_instance(measure, str, name="measure")
    for curve in drawn:
        _check(curve)
    is_log = scale is Scale.LOGARITHMIC
    if target is not None and not (is_finite_number(target) and (target > 0 or not is_log)):
        raise InvalidArgument(
            needs=f"a finite target{' above 0' * is_log}, or None", found=f"got {shown(target)}"
        )
    ax = new_axes(ax, width=6.0 + legend_width(curve.label for curve in drawn), height=4.4)
    ax.set_yscale(scale.value, **({"nonpositive": "mask"} if is_log else {}))
    names = shortened_labels([curve.label for curve in drawn], most=LONGEST_LABEL)
    is_cut = any(word in measure.lower() for word in NEVER_NEGATIVE)
    for number, (name, curve) in enumerate(zip(names, drawn, strict=True)):
        low = _cut(curve) if is_log else _above_zero(curve) if is_cut else curve.low
        _draw(ax, number, name, curve, low)
    if target is not None:
        ax.axhline(
            float(target), color=INK, linewidth=1.0, linestyle=(0, (1, 2)), label=target_label
        )
    frame(ax, "iteration", measure)
    legend_beside(ax)
    entitle(ax, title)
    return ax


def _check(curve: Curve) -> None:
    sizes = {len(own) for own in (curve.iterations, curve.mean, curve.low, curve.high)}
    if len(sizes) != 1 or not curve.iterations:
        raise InvalidArgument(
            needs="points with a mean and a band each",
            found=f"curve {curve.label!r} has {sorted(sizes)} of them",
        )
    for name in ("iterations", "mean", "low", "high"):
        bad = [value for value in getattr(curve, name) if not is_finite_number(value)]
        if bad:
            raise InvalidArgument(
                needs="finite numbers", found=f"{name} of curve {curve.label!r} has {shown(bad[0])}"
            )


def _draw(ax: Axes, number: int, name: str, curve: Curve, low: Sequence[float]) -> None:
    color = PLAYER_COLORS[number % len(PLAYER_COLORS)]
    seeds = "1 seed" if curve.seeds == 1 else f"{curve.seeds} seeds"
    ax.fill_between(curve.iterations, low, curve.high, color=color, alpha=0.2, linewidth=0)
    ax.plot(
        curve.iterations,
        curve.mean,
        color=color,
        linestyle=STYLES[number // len(PLAYER_COLORS)],
        linewidth=1.6,
        marker="o" if len(curve.iterations) < 30 else "",
        markersize=3,
        label=f"{name}, {seeds}",
    )


def _above_zero(curve: Curve) -> list[float]:
    """Return the lower edge of what cannot be negative, unless the means say that it can."""
    return [max(edge, min(mean, 0.0)) for edge, mean in zip(curve.low, curve.mean, strict=True)]


def _cut(curve: Curve) -> list[float]:
    """Return the lower edge for a logarithmic axis: no lower than a tenth of the lowest mean."""
    least = min((mean for mean in curve.mean if mean > 0), default=1.0) / LOWEST_SHARE
    return [max(edge, least) for edge in curve.low]
