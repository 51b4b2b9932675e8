"""What ``solve`` returns: certified solutions, and how they were got."""

from dataclasses import dataclass
from typing import Any

from gametheory_core.formats.certificate_records import SOLUTION_SCHEMA, certificate_record
from gametheory_core.formats.game_records import game_record
from solvers.results.presented import (
    Presented,
    numbered_table,
    several_parts,
    solution_record,
    solution_table,
)
from solvers.results.tables import AnswerTable
from solvers.solution import Solution


@dataclass(frozen=True, repr=False)
class Answer(Presented):
    """Certified solutions of a game, and how they were got; ``print`` shows them.

    Attributes:
        game: The game asked about.
        concept: What was asked for.
        algorithm, reason: Which algorithm answered, and why it was chosen.
        solutions: Each with its certificate; may be empty when a complete search found none.
        is_complete: Whether these are all solutions; None where one was asked for.
        evidence: Why the list is complete, or what is missing.
        completeness: The same in checkable form; of the reduced normal form, where a tree was
            solved through it.
        seconds: Wall-clock time of solving and certifying.
    """

    game: Any
    concept: str
    algorithm: str
    reason: str
    solutions: tuple[Solution[Any, Any], ...]
    is_complete: bool | None
    evidence: str
    completeness: Any  # a certificate, or None
    seconds: float

    def __repr__(self) -> str:
        number = len(self.solutions)
        noun = "solution" if number == 1 else "solutions"
        known = {True: ", complete", False: ", perhaps not all", None: ""}[self.is_complete]
        return (
            f"Answer({self.concept} by {self.algorithm}: {number} {noun} of {self.game!r}{known})"
        )

    def table(self, *, full: bool = False, top: int | None = None) -> AnswerTable:
        """Return who plays what; only what is played, unless ``full``."""
        if len(self.solutions) == 1:
            return solution_table(self.game, self.solutions[0], full=full, top=top)
        return numbered_table(self.game, self.solutions, full=full).top(top)

    def to_record(self) -> dict[str, Any]:
        """Return the answer as what JSON can hold; rationals are texts, nothing is rounded.

        ``game.record`` and each ``certificate.record`` hold all that ``python -m gametheory_core
        verify`` needs to check the answer without the solver.
        """
        game = self.game
        is_proved = not self.is_complete or self.completeness is not None
        return {
            "schema": SOLUTION_SCHEMA,
            "game": {
                "title": game.title,
                "digest": game.digest,
                "players": list(game.players),
                "record": game_record(game),
            },
            "concept": str(self.concept),
            "algorithm": self.algorithm,
            "reason": self.reason,
            "complete": self.is_complete if is_proved else None,
            "evidence": self.evidence,
            "completeness": self.completeness and certificate_record(self.completeness),
            "seconds": round(self.seconds, 6),
            "solutions": [solution_record(game, solution) for solution in self.solutions],
        }

    def _parts(self) -> list[str | AnswerTable]:
        named = f"{self.game.title or 'untitled game'}: {self.concept} by {self.algorithm}"
        parts = several_parts(
            self.game, self.solutions, is_complete=self.is_complete, evidence=self.evidence
        )
        return [named, *parts]
