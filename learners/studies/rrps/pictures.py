"""The pictures of the study, each drawn from its data."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gametheory_core.games.tree_svg import INK, PLAYER_COLORS
from learners.roshambo.tournaments.payoff_tables import Standing
from learners.studies.panels import SMALL, Figure

if TYPE_CHECKING:
    from learners.studies.rrps.population_learners import Setting
    from learners.studies.rrps.record import Beside

ROW = 0.15  # inches, of a bot


def _axes(names: Sequence[str], columns: int) -> tuple[Figure, list[Any]]:
    """Return a new figure whose axes share a row for each bot, the first on top."""
    figure = Figure(figsize=(1.6 + 3.2 * columns, 1.0 + ROW * len(names)), layout="constrained")
    axes = list(figure.subplots(1, columns, sharey=True, squeeze=False).ravel())
    axes[0].set_yticks(range(len(names)), names, fontsize=SMALL - 1)
    axes[0].invert_yaxis()
    for ax in axes:
        ax.tick_params(labelsize=SMALL - 1)
        ax.axvline(0.0, color=INK, linewidth=0.8)
        ax.grid(axis="x", linewidth=0.3)
    return figure, axes


def draw_population(standings: Sequence[Standing], learned: Sequence[float]) -> Figure:
    """Draw figure 3: returns on the left, exploitabilities on the right, the best return on top.

    Args:
        learned: What the best learned exploiter of each is paid.
    """
    order = sorted(range(len(standings)), key=lambda k: -standings[k].population_return)
    shown = [standings[k] for k in order]
    places = range(len(shown))
    figure, (left, right) = _axes([own.agent for own in shown], 2)
    left.barh(places, [own.population_return for own in shown], color=PLAYER_COLORS[0])
    left.set_xlabel("population return", fontsize=SMALL)
    within = [own.exploitability for own in shown]
    right.barh(places, within, color=PLAYER_COLORS[1], label="by the population")
    outside = [learned[k] for k in order]
    right.plot(outside, places, "o", color=INK, markersize=3, label="by Q-learning")
    right.set_xlabel("exploitability, at least", fontsize=SMALL)
    right.legend(frameon=False, fontsize=SMALL - 1)
    return figure


def draw_beside(found: Sequence["Beside"], own: str, other: str) -> Figure:
    """Draw figure 9: what two agents are paid by each bot, with two standard errors."""
    places = range(len(found))
    figure, (ax,) = _axes([one.bot for one in found], 1)
    paid = (
        [(one.own, one.own_error) for one in found],
        [(one.other, one.other_error) for one in found],
    )
    for number, (name, points) in enumerate(zip((own, other), paid, strict=True)):
        ax.errorbar(
            [mean for mean, _ in points],
            places,
            xerr=[2 * error for _, error in points],
            fmt="os"[number],
            color=PLAYER_COLORS[number],
            markersize=3,
            linewidth=0.8,
            label=name,
        )
    ax.set_xlabel("mean return", fontsize=SMALL)
    ax.legend(frameon=False, fontsize=SMALL - 1)
    return figure


def draw_settings(found: Sequence["Setting"], paper: float) -> Figure:
    """Draw figure 5: aggregate scores, of each seed and their means, and the paper's best."""
    figure = Figure(figsize=(4.6, 2.8), layout="constrained")
    ax: Any = figure.subplots()
    for place, own in enumerate(found):
        ax.bar(place, own.score, color=PLAYER_COLORS[0], yerr=own.error, ecolor=INK)
        ax.plot([place] * len(own.scores), own.scores, "o", color=INK, markersize=3)
    ax.axhline(paper, color=PLAYER_COLORS[1], linewidth=0.8, label="the paper's best")
    ax.axhline(0.0, color=INK, linewidth=0.8)
    ax.set_xticks(range(len(found)), [own.name for own in found], fontsize=SMALL - 1)
    ax.tick_params(labelsize=SMALL - 1)
    words = f"aggregate score after {found[0].episodes:,} matches"
    ax.set_ylabel(words, fontsize=SMALL)
    ax.legend(frameon=False, fontsize=SMALL - 1)
    return figure


def draw_generalization(rows: Sequence[tuple[Any, ...]], paper: tuple[float, float]) -> Figure:
    """Draw figure 6: returns along training.

    Args:
        rows: Learner, bots, matches of training, splits, return and its error or "".
        paper: What the paper reached, from and to.
    """
    figure = Figure(figsize=(4.6, 2.8), layout="constrained")
    ax: Any = figure.subplots()
    ax.axhspan(*paper, color=INK, alpha=0.15, label="the paper, held out, in the end")
    curves: dict[tuple[str, str], list[tuple[Any, ...]]] = {}
    for row in rows:
        curves.setdefault((row[0], row[1]), []).append(row)
    learners = list(dict.fromkeys(name for name, _ in curves))
    for (name, bots), own in curves.items():
        ax.errorbar(
            [row[2] for row in own],
            [row[4] for row in own],
            yerr=[row[5] or 0.0 for row in own],
            color=PLAYER_COLORS[learners.index(name) % len(PLAYER_COLORS)],
            linestyle="-" if bots == "held out" else ":",
            label=f"{name}, {bots}",
        )
    ax.set_xlabel("matches of training", fontsize=SMALL)
    ax.set_ylabel("mean return", fontsize=SMALL)
    ax.tick_params(labelsize=SMALL - 1)
    ax.legend(frameon=False, fontsize=SMALL - 2)
    return figure
