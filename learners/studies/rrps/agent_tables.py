"""Tables 3, 5 and 7: agents against all bots."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from learners.roshambo.tournaments.payoff_tables import PayoffTable
from learners.studies.files import csv_bytes
from learners.studies.registry import Files, Request
from learners.studies.rrps.lines import Line, line_files, line_of, pooled_row
from learners.studies.rrps.runs import played
from learners.studies.rrps.settings import Row, rows_of

# Number in the paper -> names in the settings.
TABLES = {
    3: ("fixed", "independent", "independent_more", "by_population"),
    5: ("regret",),
    7: ("language",),
}


def lines(rows: Sequence[Row], found: PayoffTable) -> list[Line]:
    """Return the lines of a table, the paper's own rows among them."""
    return [line_of(row, found) for row in rows]


def table_maker(number: int) -> Callable[[Request], Files]:
    """Return what makes a table by its number."""
    return partial(_make, number)


def _make(number: int, request: Request) -> Files:
    rows = [row for table in TABLES[number] for row in rows_of(table, request)]
    found = played(rows, request)
    scored = lines(rows, found)
    return {
        **line_files(f"table-{number}", scored),
        f"table-{number}-by-bot.csv": _by_bot(scored, found),
        f"table-{number}-payoffs.json": found.to_json().encode(),
    }


def _by_bot(lines: Sequence[Line], found: PayoffTable) -> bytes:
    """Return mean returns as the paper's table 7 has them: a bot a row, an agent a column."""
    agents = {line.name: line.found for line in lines if line.found is not None}
    means = np.array([pooled_row(name, found).means[0] for name in agents]).T
    body = [(bot, *row) for bot, row in zip(found.bots, means.tolist(), strict=True)]
    foot = [
        ("population return", *(own.population_return for own in agents.values())),
        ("exploitability", *(own.exploitability for own in agents.values())),
        ("aggregate score", *(own.aggregate_score for own in agents.values())),
    ]
    return csv_bytes(("bot", *agents), [*body, *foot])
