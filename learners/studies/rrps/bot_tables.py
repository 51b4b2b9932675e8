"""Tables 1 and 6, and figure 2: the bots among each other, and the best of each class of agents."""

from collections.abc import Iterable
from dataclasses import replace

from learners.roshambo.tournaments.payoff_tables import PayoffTable
from learners.studies.registry import Files, Request
from learners.studies.rrps.agent_tables import lines
from learners.studies.rrps.lines import Line, line_files, line_of
from learners.studies.rrps.runs import pairs, played, record_played, record_row
from learners.studies.rrps.settings import ClassRow, rows_of, seeds_of, settings

ERROR = 0.05  # of a claim that a bot dominates another surely


def bot_lines(table: PayoffTable, seeds: int) -> list[Line]:
    """Return a line for each bot, the largest aggregate score first."""
    paper = {row.name: row.paper for row in settings().best.bots}
    known = settings().published_matches
    return [
        Line(own.agent, own, seeds, table.matches, paper.get(own.agent), known)
        for own in table.ranking()
    ]


def make_table_6(request: Request) -> Files:
    """Make table 6: the ranking of the bots, and whom each dominates."""
    table = pairs(request)
    found = bot_lines(table, len(seeds_of(request)))
    extra = {
        "dominates": {own.name: ", ".join(table.dominated(own.name)) for own in found},
        "surely": {own.name: ", ".join(table.dominated(own.name, error=ERROR)) for own in found},
    }
    return {**line_files("table-6", found, extra), "table-6-payoffs.json": table.to_json().encode()}


def make_figure_2(request: Request) -> Files:
    """Make figure 2: what the row's bot is paid by the column's."""
    from learners.figures import payoff_table_png  # noqa: PLC0415 matplotlib

    table = pairs(request)
    return {
        "figure-2.csv": table.to_csv().encode(),
        "figure-2.png": payoff_table_png(table, title="bots among each other"),
    }


def make_table_1(request: Request) -> Files:
    """Make table 1: the ten best bots, the best of each class, and the record agent."""
    table = pairs(request)
    printed = [row.name for row in settings().best.bots]
    bots = [own for own in bot_lines(table, len(seeds_of(request))) if own.name in printed]
    classes = [_best(row, request) for row in settings().best.classes]
    record = line_of(record_row(), record_played(request))
    return line_files("table-1", [*bots, *classes, record])


def _best(row: ClassRow, request: Request) -> Line:
    """Return the line of the agent with the best aggregate score of a class."""
    if row.best_of is None:
        return Line(row.name, paper=row.paper)
    rows = rows_of(row.best_of, request)
    best = best_line(lines(rows, played(rows, request)))
    return replace(best, name=f"{row.name}: {best.name}", paper=row.paper, is_same=False)


def best_line(among: Iterable[Line]) -> Line:
    """Return the line with the best aggregate score of those that were played."""
    return max(among, key=lambda own: own.found.aggregate_score if own.found else float("-inf"))
