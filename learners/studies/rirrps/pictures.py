"""The pictures of the study, each drawn from its data."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.games.tree_svg import INK, PLAYER_COLORS
from learners.studies.panels import SMALL, Figure, draw_banded, panels

if TYPE_CHECKING:
    from learners.studies.rirrps.exploitation import Curve
    from learners.studies.rirrps.performance import Comparison
    from learners.studies.rirrps.sample_rates import SampleRates
    from learners.studies.rirrps.trajectories import Laid


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


def draw_matrices(shown: Mapping[str, tuple[FloatArray, FloatArray]]) -> Figure:
    """Draw figure 3: win rates of the row's checkpoint, and below it who is played in equilibrium.

    Args:
        shown: Scheme -> win rates, and the max-entropy Nash of the first checkpoints, row by row.
    """
    figure, axes = panels(2 * len(shown), columns=len(shown), width=2.0, height=2.1)
    above, below = axes[: len(shown)], axes[len(shown) :]
    for (scheme, (rates, nash)), top, bottom in zip(shown.items(), above, below, strict=True):
        seen = top.imshow(rates, cmap="RdBu", vmin=0, vmax=1, interpolation="nearest")
        top.set_title(scheme, fontsize=SMALL + 1)
        bottom.imshow(np.sqrt(nash), cmap="Greys", vmin=0, vmax=1, interpolation="nearest")
        bottom.set_xlabel("checkpoint", fontsize=SMALL)
        if top is above[-1]:
            figure.colorbar(seen, ax=top, fraction=0.05).ax.tick_params(labelsize=SMALL - 1)
    above[0].set_ylabel("win rate of", fontsize=SMALL)
    below[0].set_ylabel("Nash of the first", fontsize=SMALL)
    return figure


def draw_performances(found: Sequence["Comparison"]) -> Figure:
    """Draw figure 4: one panel a scheme, its performance against each that comes after it."""
    firsts = list(dict.fromkeys(own.first for own in found))
    figure, axes = panels(len(firsts))
    names = [*firsts, found[-1].second]
    for first, ax in zip(firsts, axes, strict=True):
        for own in found:
            if own.first == first:
                label = f"against {own.second}"
                draw_banded(ax, names.index(own.second), own.episodes, own.bands, label)
        ax.axhline(0.0, color=INK, linewidth=0.8, linestyle=":")
        ax.set_title(first, fontsize=SMALL + 1)
        ax.set_xlabel("episodes", fontsize=SMALL)
        ax.legend(frameon=False, fontsize=SMALL - 2)
    axes[0].set_ylabel("relative performance", fontsize=SMALL)
    return figure


def draw_exploitation(found: Sequence["Curve"]) -> Figure:
    """Draw figure 5: one panel a quantity, one curve a scheme, with bands over seeds."""
    schemes = list(dict.fromkeys(own.scheme for own in found))
    quantities = list(dict.fromkeys(own.quantity for own in found))
    figure, axes = panels(len(quantities))
    for quantity, ax in zip(quantities, axes, strict=True):
        for own in (own for own in found if own.quantity == quantity):
            number = schemes.index(own.scheme)
            if len(own.episodes) > 1:
                draw_banded(ax, number, own.episodes, own.bands, own.scheme)
                ax.set_xlabel("episodes", fontsize=SMALL)
            else:
                band = own.bands[0]
                spread = [[band.mean - band.low], [band.high - band.mean]]
                known = spread if np.isfinite(spread).all() else None
                color = PLAYER_COLORS[number % len(PLAYER_COLORS)]
                ax.errorbar([number], [band.mean], yerr=known, fmt="o", color=color, capsize=3)
                ax.set_xticks([])
        ax.set_title(quantity, fontsize=SMALL + 1)
    axes[0].legend(frameon=False, fontsize=SMALL - 2)
    axes[0].set_ylabel("best response's win rate - 1/2", fontsize=SMALL)
    return figure


def draw_trajectories(laid: Sequence["Laid"]) -> Figure:
    """Draw figure 2: matches of a training, their density, and its path from the black dot on."""
    from scipy.stats import gaussian_kde  # noqa: PLC0415 loads scipy

    trainings = [own for own in laid if len(own.path)]
    basis = [own for own in laid if not len(own.path)]
    figure, axes = panels(len(trainings))
    whole = np.concatenate([own.points for own in laid])
    low, high = whole.min(axis=0) - 1, whole.max(axis=0) + 1
    grid = np.stack(np.meshgrid(*np.linspace(low, high, 60).T), axis=-1)
    for own, ax in zip(trainings, axes, strict=True):
        for number, fixed in enumerate(basis):
            ax.plot(
                *fixed.points.T, ".", color=PLAYER_COLORS[number + 1], markersize=1.5, alpha=0.4
            )
        ax.plot(*own.points.T, ".", color=PLAYER_COLORS[0], markersize=1.0, alpha=0.4)
        if len(own.points) > 3 and np.linalg.matrix_rank(np.cov(own.points.T)) == 2:  # a density
            density = gaussian_kde(own.points.T)(grid.reshape(-1, 2).T).reshape(grid.shape[:2])
            ax.contour(
                grid[..., 0], grid[..., 1], density, levels=6, linewidths=0.5, linestyles="--",
                colors=INK, alpha=0.6,
            )  # fmt: skip
        _draw_path(ax, own.path)
        ax.set_title(own.label, fontsize=SMALL + 1)
        ax.set_xticks([])
        ax.set_yticks([])
    return figure


def _draw_path(ax: Any, path: FloatArray) -> None:
    from matplotlib import colormaps  # noqa: PLC0415

    colors = colormaps["rainbow"](np.linspace(0, 1, max(len(path) - 1, 1)))
    for start, end, color in zip(path[:-1], path[1:], colors, strict=False):
        ax.annotate(
            "", xy=tuple(end), xytext=tuple(start),
            arrowprops={"arrowstyle": "->", "color": color, "linewidth": 1.2, "shrinkA": 0,
                        "shrinkB": 0},
        )  # fmt: skip
    ax.plot(*path[:1].T, "o", color="black", markersize=4)
