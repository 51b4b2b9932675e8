"""Table 8 and figure 9, beyond the paper: the strongest agent here beside the best of the bots."""

from dataclasses import dataclass
from math import hypot

from learners.roshambo.tournaments.payoff_tables import PayoffTable
from learners.studies.files import csv_bytes, png_bytes
from learners.studies.registry import Files, Request
from learners.studies.rrps.lines import page_table, pooled_row
from learners.studies.rrps.runs import pairs, record_played
from learners.studies.rrps.settings import settings


@dataclass(frozen=True)
class Beside:
    """What two agents are paid by a bot, with standard errors."""

    bot: str
    own: float
    own_error: float
    other: float
    other_error: float

    @property
    def z(self) -> float | None:
        """The difference in standard errors; None if both are sure."""
        error = hypot(self.own_error, self.other_error)
        return (self.own - self.other) / error if error else None


def _found(request: Request) -> list[Beside]:
    record = settings().record
    return beside(record.name, record_played(request), pairs(request), record.beside)


def beside(name: str, played: PayoffTable, table: PayoffTable, other: str) -> list[Beside]:
    """Return an agent's row beside a bot's, the bot that pays the agent most first.

    Args:
        played: The agent, once for each seed.
        table: The bots among each other.
    """
    own = pooled_row(name, played)
    row = table.agents.index(other)
    errors = [found.standard_errors for found in (own, table)]
    found = [
        Beside(
            bot,
            float(own.means[0, k]),
            0.0 if errors[0] is None else float(errors[0][0, k]),
            float(table.means[row, k]),
            0.0 if errors[1] is None else float(errors[1][row, k]),
        )
        for k, bot in enumerate(table.bots)
    ]
    return sorted(found, key=lambda each: -each.own)


def make_table(request: Request) -> Files:
    """Make table 8."""
    record = settings().record
    columns = ("bot", record.name, "standard error", record.beside, "its standard error", "z")
    rows = [
        (one.bot, one.own, one.own_error, one.other, one.other_error, one.z)
        for one in _found(request)
    ]
    written = [["" if cell is None else cell for cell in row] for row in rows]
    return {"table-8.csv": csv_bytes(columns, written), "table-8.md": page_table(columns, rows)}


def make_figure(request: Request) -> Files:
    """Make figure 9."""
    from learners.studies.rrps.pictures import draw_beside  # noqa: PLC0415 matplotlib

    record, found = settings().record, _found(request)
    rows = [(one.bot, one.own, one.other) for one in found]
    return {
        "figure-9.csv": csv_bytes(("bot", record.name, record.beside), rows),
        "figure-9.png": png_bytes(draw_beside(found, record.name, record.beside)),
    }
