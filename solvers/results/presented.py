"""What certified answers look like: one way to print them, in a terminal, a notebook or a file."""

import html
import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from gametheory_core.errors import InvalidArgument
from gametheory_core.formats.certificate_records import answer_record as profile_record
from gametheory_core.formats.certificate_records import claim_record
from gametheory_core.formats.checked_json import rational_text
from gametheory_core.strategies.labels import seats
from solvers.results.rendering import (
    FORMATS,
    ascii_for,
    decimal,
    readable,
    table_frame,
    table_html,
    table_text,
)
from solvers.results.tables import AnswerTable, answer_table

MOST_ROWS = 20  # of a table that is printed
MOST_SOLUTIONS = 5  # that are printed
LONGEST_STATEMENT = 300  # characters
LONGEST_VALUE = 200


class Presented(ABC):
    """An answer that people look at; methods say the same in several forms.

    ``print(answer)`` shows the support: zeros are left out and counted.
    """

    @abstractmethod
    def table(self, *, full: bool = False, top: int | None = None) -> AnswerTable:
        """Return the answer as a table.

        Args:
            full: With the rows of probability 0, too.
            top: Only the first rows, at most so many.
        """

    @abstractmethod
    def to_record(self) -> dict[str, Any]:
        """Return the answer as what JSON can hold; nothing is rounded."""

    @abstractmethod
    def _parts(self) -> list[str | AnswerTable]:
        """Return lines and tables, as they are printed."""

    def __str__(self) -> str:
        parts = [
            table_text(part) if isinstance(part, AnswerTable) else part for part in self._parts()
        ]
        return ascii_for("\n".join(parts))

    def _repr_html_(self) -> str:
        return "".join(
            table_html(part) if isinstance(part, AnswerTable) else f"<p>{html.escape(part)}</p>"
            for part in self._parts()
        )

    def to_frame(self, *, full: bool = False) -> Any:
        """Return the table as a pandas ``DataFrame``, probabilities as ``Fraction``.

        Args:
            full: With the rows of probability 0, too.

        Raises:
            MissingDependency: If pandas is not installed.
        """
        return table_frame(self.table(full=full))

    def to_text(self, form: str, *, full: bool = False) -> str:
        """Return the table in a form: ``"text"``, ``"csv"``, ``"latex"`` or ``"markdown"``.

        Args:
            full: With the rows of probability 0, too.

        Raises:
            InvalidArgument: If there is no such form.
        """
        if form not in FORMATS:
            raise InvalidArgument(
                needs=f"one of {', '.join(FORMATS)}", found=f"got {form!r}", where="to_text"
            )
        return FORMATS[form](self.table(full=full))

    def to_latex(self, *, full: bool = False) -> str:
        """Return the table in LaTeX, for ``booktabs``; as ``to_text``."""
        return self.to_text("latex", full=full)

    def to_markdown(self, *, full: bool = False) -> str:
        """Return the table in Markdown; as ``to_text``."""
        return self.to_text("markdown", full=full)

    def to_csv(self, *, full: bool = False) -> str:
        """Return the table as comma-separated values; as ``to_text``."""
        return self.to_text("csv", full=full)

    def to_json(self) -> str:
        """Return the answer as JSON; rationals are texts, nothing is rounded."""
        return json.dumps(self.to_record(), indent=2, ensure_ascii=False)


def solution_table(game: Any, solution: Any, *, full: bool, top: int | None = None) -> AnswerTable:
    """Return the table of a solution of a game."""
    leader = getattr(solution.certificate, "leader", 0)
    return answer_table(game, solution.profile, leader=leader, full=full, top=top)


def numbered_table(game: Any, solutions: Sequence[Any], *, full: bool) -> AnswerTable:
    """Return the tables of several solutions as one, which are told apart in its first column."""
    tables = [solution_table(game, own, full=full) for own in solutions]
    rows = [
        (str(number), *row) for number, table in enumerate(tables, start=1) for row in table.rows
    ]
    columns = tables[0].columns if tables else ("nothing",)
    return AnswerTable(("solution", *columns), tuple(rows), sum(own.left_out for own in tables))


def solution_parts(game: Any, solution: Any) -> list[str | AnswerTable]:
    """Return what is printed of a solution: its table, payoffs, and what is proved."""
    parts: list[str | AnswerTable] = [solution_table(game, solution, full=False, top=MOST_ROWS)]
    parts += payoff_lines(game, solution.payoffs)
    statement = solution.certificate.statement
    if len(statement) > LONGEST_STATEMENT:
        statement = f"{statement[:LONGEST_STATEMENT]} ..."
    return [*parts, f"certified: {statement}"]


def several_parts(
    game: Any, solutions: Sequence[Any], *, is_complete: bool | None, evidence: str
) -> list[str | AnswerTable]:
    """Return what is printed of several solutions: the first of them, and what is known of all."""
    parts: list[str | AnswerTable] = []
    for number, solution in enumerate(solutions[:MOST_SOLUTIONS], start=1):
        if len(solutions) > 1:
            parts.append(f"{bool(parts) * chr(10)}Solution {number}")
        parts += solution_parts(game, solution)
    hidden = len(solutions) - MOST_SOLUTIONS
    if hidden > 0:
        parts.append(f"\n... and {hidden:,} more.")
    if is_complete is not None:
        word = "complete" if is_complete else "perhaps not all"
        parts.append(f"{bool(parts) * chr(10)}{len(solutions):,} found, {word}: {evidence}")
    return parts


def payoff_lines(game: Any, payoffs: Sequence[Fraction]) -> list[str]:
    """Say what everybody gets, exactly and as a decimal."""
    if not payoffs:
        return []
    found: list[str] = []
    for seat, payoff in zip(seats(game), payoffs, strict=True):
        exact, rounded = readable(payoff, longest=LONGEST_VALUE), decimal(payoff)
        beside = "" if exact == rounded else f" ({rounded})"
        found.append(f"payoff of {seat}: {exact}{beside}")
    return found


def solution_record(game: Any, solution: Any) -> dict[str, Any]:
    """Return a solution as what JSON can hold, its certificate in full."""
    certificate = solution.certificate
    return {
        "profile": profile_record(solution.profile, game),
        "payoffs": list(map(rational_text, solution.payoffs)),
        "certificate": {
            "kind": certificate.kind,
            "epsilon": None if certificate.epsilon is None else rational_text(certificate.epsilon),
            "statement": certificate.statement,
            "record": claim_record(certificate),
        },
    }
