"""An answer as one JSON object for machines; ``answer_tables`` has the tables for people."""

from fractions import Fraction
from typing import Any

from gametheory_core.formats.certificate_records import answer_record as record_of
from gametheory_core.formats.certificate_records import certificate_record, claim_record
from gametheory_core.formats.checked_json import rational_text
from gametheory_core.formats.game_records import game_record
from solvers.answering import Answer
from solvers.solution import Solution

SCHEMA = "gametheory-core/solution/1"
LONGEST_FRACTION = 30


def readable(value: Fraction, *, longest: int = LONGEST_FRACTION) -> str:
    """Write a rational as ``p/q``, or say how long it is where nobody would read it."""
    text = rational_text(value)
    if len(text) <= longest:
        return text
    kind = "an integer" if value.denominator == 1 else "a fraction"
    return f"({kind} of {sum(map(str.isdigit, text))} digits)"


def answer_record(answer: Answer) -> dict[str, Any]:
    """Return the JSON object of an answer; rationals are texts, nothing is rounded.

    ``game.record`` and each ``certificate.record`` hold all that ``python -m gametheory_core
    verify`` needs to check the answer without the solver.
    """
    game = answer.game
    return {
        "schema": SCHEMA,
        "game": {
            "title": game.title,
            "digest": game.digest,
            "players": list(game.players),
            "record": game_record(game),
        },
        "concept": str(answer.concept),
        "algorithm": answer.algorithm,
        "reason": answer.reason,
        "complete": answer.is_complete if _is_proved(answer) else None,
        "evidence": answer.evidence,
        "completeness": answer.completeness and certificate_record(answer.completeness),
        "seconds": round(answer.seconds, 6),
        "solutions": [_solution_record(answer, solution) for solution in answer.solutions],
    }


def _is_proved(answer: Answer) -> bool:
    """Tell whether a list called complete has a certificate of it, besides the solver's word."""
    return not answer.is_complete or answer.completeness is not None


def _solution_record(answer: Answer, solution: Solution[Any, Any]) -> dict[str, Any]:
    certificate = solution.certificate
    return {
        "profile": record_of(solution.profile, answer.game),
        "payoffs": list(map(rational_text, solution.payoffs)),
        "certificate": {
            "kind": certificate.kind,
            "epsilon": None if certificate.epsilon is None else rational_text(certificate.epsilon),
            "statement": certificate.statement,
            "record": claim_record(certificate),
        },
    }
