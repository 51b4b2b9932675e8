"""Lines of tables: what an agent scored, over its seeds, beside what the paper printed.

An agent that learns nothing before a match is judged by the matches of all seeds together. One that
is trained is judged for each seed, as the paper did: numbers are means over seeds, and the error is
that of the mean over seeds.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np

from learners.roshambo.tournaments.payoff_tables import PayoffTable, Standing
from learners.studies.files import csv_bytes
from learners.studies.registry import Files
from learners.studies.rrps.runs import is_trained, seeded
from learners.studies.rrps.settings import Row

COLUMNS = (
    "agent",
    "seeds",
    "matches a bot",
    "population return",
    "standard error",
    "paper's return",
    "z",
    "exploitability",
    "paper's exploitability",
    "cross-fitted exploitability",
    "aggregate score",
    "paper's aggregate score",
)


@dataclass(frozen=True)
class Line:
    """What an agent scored, and what the paper printed.

    Attributes:
        found: None if it was not played.
        seeds, matches: Of ``found``; matches with each bot, of all seeds.
        paper: Population return and exploitability; None if the paper has none.
        paper_matches: Of the paper's numbers; None if it does not say.
        is_same: Whether the paper's numbers are of the same agent, and errors can be compared: not
            where one seed was trained.
    """

    name: str
    found: Standing | None = None
    seeds: int = 0
    matches: int = 0
    paper: tuple[float, float] | None = None
    paper_matches: int | None = None
    is_same: bool = True

    @property
    def z(self) -> float | None:
        """The difference of returns in standard errors, the paper's assumed to be as noisy."""
        error = self.found.standard_error if self.found is not None else None
        if self.found is None or self.paper is None or not error or not self.is_same:
            return None
        theirs = error * sqrt(self.matches / self.paper_matches) if self.paper_matches else 0.0
        return (self.found.population_return - self.paper[0]) / hypot(error, theirs)

    def cells(self) -> dict[str, str | float | int | None]:
        """Return what stands in the columns; None where nothing is known."""
        found, paper = self.found, self.paper
        cells: dict[str, str | float | int | None] = dict.fromkeys(COLUMNS)
        cells |= {"agent": self.name, "z": self.z}
        if found is not None:
            cells |= {
                "seeds": self.seeds,
                "matches a bot": self.matches,
                "population return": found.population_return,
                "standard error": found.standard_error,
                "exploitability": found.exploitability,
                "cross-fitted exploitability": found.cross_fitted,
                "aggregate score": found.aggregate_score,
            }
        if paper is not None:
            cells |= {
                "paper's return": paper[0],
                "paper's exploitability": paper[1],
                "paper's aggregate score": paper[0] - paper[1],
            }
        return cells


def line_of(row: Row, table: PayoffTable) -> Line:
    """Return the line of a row, by a table in which it is an agent for each of its seeds.

    >>> table = PayoffTable(("x, seed 1", "x, seed 2"), ("rock",), [[10.0], [20.0]], 5)
    >>> line_of(Row("x"), table).found.population_return
    15.0
    """
    numbers = rows_named(row.name, table)
    if not numbers:
        return Line(row.name, paper=row.paper)
    found = (
        _mean_of_seeds(row.name, table)
        if is_trained(row)
        else pooled_row(row.name, table).standing(row.name)
    )
    return Line(
        row.name,
        found,
        len(numbers),
        len(numbers) * table.matches,
        row.paper,
        is_same=not is_trained(row) or len(numbers) > 1,
    )


def rows_named(name: str, table: PayoffTable) -> list[int]:
    """Return where an agent is in a table, once for each seed."""
    return [k for k, agent in enumerate(table.agents) if _is_seeded(name, agent)]


def _is_seeded(row: str, agent: str) -> bool:
    head, _, seed = agent.rpartition(seeded("", 0)[:-1])
    return head == row and seed.isdigit()


def pooled_row(name: str, table: PayoffTable) -> PayoffTable:
    """Return what an agent is paid, the matches of all its seeds together."""
    rows = rows_named(name, table)
    errors, halves = table.standard_errors, table.halves
    return PayoffTable(
        (name,),
        table.bots,
        table.means[rows].mean(axis=0, keepdims=True),
        len(rows) * table.matches,
        None
        if errors is None
        else np.sqrt((errors[rows] ** 2).sum(axis=0, keepdims=True)) / len(rows),
        # of an odd number the even half has one more, so that pooled halves are not as many
        None
        if halves is None or table.matches % 2
        else halves[:, rows].mean(axis=1, keepdims=True),
    )


def _mean_of_seeds(name: str, table: PayoffTable) -> Standing:
    """Return the mean of the standings of all seeds, and its error over them."""
    found = [table.standing(table.agents[k]) for k in rows_named(name, table)]
    paid = [own.population_return for own in found]
    error = found[0].standard_error
    if len(found) > 1:
        error = float(np.std(paid, ddof=1) / sqrt(len(paid)))
    crossed = [own.cross_fitted for own in found if own.cross_fitted is not None]
    lost = float(np.mean([own.exploitability for own in found]))
    return Standing(
        name,
        float(np.mean(paid)),
        error,
        lost,
        float(np.mean(crossed)) if len(crossed) == len(found) else None,
        None,
        float(np.mean(paid)) - lost,
        max(found, key=lambda own: own.exploitability).nemesis,
    )


def line_files(
    name: str, lines: Iterable[Line], extra: Mapping[str, Mapping[str, str]] | None = None
) -> Files:
    """Return a table as numbers and as a page's table.

    Args:
        name: Of the files, without an ending.
        extra: Further columns: their texts by agent.
    """
    further = extra or {}
    rows = [
        [*line.cells().values(), *(own.get(line.name, "") for own in further.values())]
        for line in lines
    ]
    columns = (*COLUMNS, *further)
    csv_rows = [["" if cell is None else cell for cell in row] for row in rows]
    return {f"{name}.csv": csv_bytes(columns, csv_rows), f"{name}.md": page_table(columns, rows)}


def page_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Return a table of Markdown, numbers to two digits.

    >>> page_table(("bot", "paid"), [("rock", 1.25), ("paper", None)]).decode().splitlines()
    ['| bot | paid |', '|---|--:|', '| rock | 1.25 |', '| paper |  |']
    """
    lines = [f"| {' | '.join(columns)} |", "|---" + "|--:" * (len(columns) - 1) + "|"]
    lines += [f"| {' | '.join(map(_shown, row))} |" for row in rows]
    return ("\n".join(lines) + "\n").encode()


def _shown(cell: object) -> str:
    if cell is None:
        return ""
    return f"{cell:.2f}" if isinstance(cell, float) else str(cell)
