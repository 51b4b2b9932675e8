"""Pictures of learning, each drawn from its data."""

from collections.abc import Sequence
from itertools import cycle
from typing import Any

from matplotlib.ticker import EngFormatter, MaxNLocator

from gametheory_core.games.tree_svg import INK
from learners.studies.curves import Axes, Curve, End, Level
from learners.studies.panels import SMALL, Figure, color_of, draw_banded, panels

MARGIN = 0.15  # of the span of what is drawn, above and below
LEAST = 2  # panels, so that a legend has room
DASHES = ((0, (1, 2)), (0, (4, 2)), (0, (4, 2, 1, 2)))


def draw_curves(curves: Sequence[Curve], axes: Axes, levels: Sequence[Level] = ()) -> Figure:
    """Draw a panel for each game; learners and levels have one legend."""
    games = list(dict.fromkeys(own.game for own in curves))
    learners = list(dict.fromkeys(own.learner for own in curves))
    figure, found = _panels(len(games))
    for game, ax in zip(games, found, strict=False):
        for own in (own for own in curves if own.game == game):
            draw_banded(ax, learners.index(own.learner), own.at, own.bands, own.learner)
        ax.set_ylim(*_heights(game, curves, levels))
        ax.xaxis.set_major_locator(MaxNLocator(4))
        ax.xaxis.set_major_formatter(EngFormatter(sep=""))
        ax.set_xlabel(axes.x_label or axes.x, fontsize=SMALL)
    _finish(figure, found, games, axes.y_label or axes.y, levels)
    return figure


def _heights(game: str, curves: Sequence[Curve], levels: Sequence[Level]) -> tuple[float, float]:
    """Return where a panel begins and ends: bands of few seeds may reach beyond."""
    shown = [band.mean for own in curves if own.game == game for band in own.bands]
    shown += [own.value for own in levels if own.game == game]
    low, high = min(shown), max(shown)
    room = (high - low or 1.0) * MARGIN
    return low - room, high + room


def draw_ends(ends: Sequence[End], y_label: str, levels: Sequence[Level] = ()) -> Figure:
    """Draw a bar for each learner, its mean over seeds, and a dot for each seed."""
    games = list(dict.fromkeys(own.game for own in ends))
    figure, found = _panels(len(games))
    for game, ax in zip(games, found, strict=False):
        shown = [own for own in ends if own.game == game]
        for place, own in enumerate(shown):
            ax.bar(place, sum(own.values) / len(own.values), color=color_of(0), alpha=0.6)
            ax.plot([place] * len(own.values), own.values, ".", color=INK, markersize=3)
        names = [own.learner for own in shown]
        ax.set_xticks(range(len(shown)), names, rotation=40, ha="right", fontsize=SMALL - 1)
        ax.axhline(0.0, color=INK, linewidth=0.6)
    _finish(figure, found, games, y_label, levels)
    return figure


def _panels(count: int) -> Any:
    figure, found = panels(max(count, LEAST), columns=4 if count > LEAST else 2, height=2.2)
    for spare in found[count:]:
        spare.set_axis_off()
    return figure, found


def _finish(
    figure: Figure, found: Any, games: Sequence[str], y_label: str, levels: Sequence[Level]
) -> None:
    """Draw levels, titles, and one legend for all panels."""
    words = list(dict.fromkeys(own.words for own in levels))
    dashes = dict(zip(words, cycle(DASHES), strict=False))
    entries: dict[str, Any] = {}
    for game, ax in zip(games, found, strict=False):
        for own in (own for own in levels if own.game == game):
            ax.axhline(
                own.value, color=INK, linewidth=0.9, linestyle=dashes[own.words], label=own.words
            )
        ax.set_title(game, fontsize=SMALL + 1)
        handles, labels = ax.get_legend_handles_labels()
        entries |= dict(zip(labels, handles, strict=True))
    found[0].set_ylabel(y_label, fontsize=SMALL)
    columns = min(len(entries), 2 if len(found) <= LEAST else 4)
    if entries:
        figure.legend(
            entries.values(), entries, loc="outside lower center", ncols=columns, fontsize=SMALL,
            frameon=False,
        )  # fmt: skip
