"""Pictures of how fair learned play gets on the grid: curves with bands, and lines to compare."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from gametheory_core.errors import InvalidArgument
from gametheory_core.games.tree_svg import INK
from gametheory_core.mediation.catalog import ResourceGridRules
from learners.figures import draw_learning_curves
from learners.studies.fair_leaders.learned import LearnedRow, curves_of, selfish_levels

STYLES = ("-.", (0, (5, 1)), (0, (1, 4)))  # of the lines of selfish leaders


def draw_grids(rows: Sequence[LearnedRow], games: dict[str, ResourceGridRules]) -> Figure:
    """Draw a panel for each game: curves by way of leading, the bound, and selfish leaders.

    Args:
        games: The name in the rows -> what was played.

    Raises:
        InvalidArgument: If a game has no rows.

    >>> rules = ResourceGridRules()
    >>> rows = [LearnedRow("RC-2", "full", seed, 100, 5.0, 8.0) for seed in range(2)]
    >>> [axes.get_title() for axes in draw_grids(rows, {"RC-2": rules}).axes]
    ['RC-2']
    """
    if not games:
        raise InvalidArgument(needs="a game", found="got none")
    columns = min(2, len(games))
    lines = -(-len(games) // columns)
    figure = Figure(figsize=(5.4 * columns, 3.8 * lines), layout="constrained")
    panels = figure.subplots(lines, columns, squeeze=False).reshape(-1)
    for panel, (name, rules) in zip(panels[: len(games)], games.items(), strict=True):
        bound = next((row.bound for row in rows if row.game == name), None)
        draw_learning_curves(
            curves_of(rows, name),
            measure="lowest return",
            target=bound,
            target_label=f"no play is fairer than {bound:g}" if bound is not None else "",
            title=name,
            ax=panel,
        )
        for style, (words, level) in zip(STYLES, selfish_levels(rules).items(), strict=True):
            label = f"selfish, {words}: {level:g}"
            panel.axhline(level, color=INK, linewidth=0.8, linestyle=style, alpha=0.6, label=label)
        panel.set_xlabel("episodes")
        panel.set_ylim(-0.2, None if bound is None else 1.05 * bound)
        panel.legend(frameon=False, fontsize=7, loc="lower right")
    for panel in panels[len(games) :]:
        panel.set_visible(False)
    return figure
