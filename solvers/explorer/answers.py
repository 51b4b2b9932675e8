"""Which solutions a page shows: those that are given, and those of the concepts that fit a game.

All Nash equilibria come first; where they are too many to find, one of them. No concept may take
more than half of the time that is left, so that all that are quick are answered.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from gametheory_core.certificates.claim import declaration
from gametheory_core.errors import InvalidArgument, NotConverged, UnsupportedGame
from gametheory_core.formats.certificate_records import not_proved, not_proved_complete
from gametheory_core.games.extensive_form import ExtensiveFormGame
from solvers.answer import Answer
from solvers.answering import solve
from solvers.concepts import Concept
from solvers.solution import Budget, Meter, RunRecord, Solution, SolutionSet

Given: TypeAlias = Answer | Solution[Any, Any] | SolutionSet[Any, Any]
MATRIX = (Concept.ALL_NASH, Concept.NASH, Concept.MINIMAX, Concept.CORRELATED, Concept.STACKELBERG)
TREE = (
    Concept.ALL_NASH,
    Concept.NASH,
    Concept.SUBGAME_PERFECT,
    Concept.SEQUENTIAL,
    Concept.EXTENSIVE_CORRELATED,
    Concept.STACKELBERG,
)


class Answers(NamedTuple):
    """Answers, and what is missing, in sentences."""

    found: tuple[Answer, ...]
    notes: tuple[str, ...]


def answers_to(game: Any, concepts: Sequence[str] | None, budget: Budget) -> Answers:
    """Solve for several concepts within one budget; for those that fit the game, if none is named.

    Raises:
        UnsupportedGame: If a concept that is named has no algorithm for the game.
    """
    meter = Meter(budget, "concepts")
    usual = TREE if isinstance(game, ExtensiveFormGame) else MATRIX
    found: list[Answer] = []
    notes: list[str] = []
    for concept in usual if concepts is None else concepts:
        is_needless = concept == Concept.NASH and any(own.solutions for own in found)
        if concepts is None and is_needless:
            continue
        try:
            answer = _answer(game, concept, _half(meter), notes)
        except UnsupportedGame:
            if concepts is not None:
                raise
            continue
        if answer is not None:
            found.append(answer)
    if concepts is None and not found:
        notes.append("No solver takes this game as it is; profiles can still be tried.")
    return Answers(tuple(found), tuple(notes))


def _half(meter: Meter) -> Budget:
    seconds = meter.left.seconds
    return meter.left if seconds is None else replace(meter.left, seconds=seconds / 2)


def _answer(game: Any, concept: str, budget: Budget, notes: list[str]) -> Answer | None:
    try:
        return solve(game, concept, budget=budget)
    except NotConverged as error:
        if isinstance(error.best, Answer) and error.best.solutions:
            notes.append(f"The time was up before {concept} was answered in full.")
            return error.best
        notes.append(f"The time was up before {concept} was answered; give a larger budget.")
        return None


def answer_from(game: Any, given: Given) -> Answer:
    """Return what a solver returned as an answer, once it is known to be about the game.

    Raises:
        InvalidArgument: If it is about another game, or nothing that a solver returns.
    """
    if isinstance(given, Solution):
        given = SolutionSet(game, (given,), False, "", None, given.run)
        answer = replace(_listed(given), is_complete=None)
    elif isinstance(given, SolutionSet):
        answer = _listed(given)
    elif isinstance(given, Answer):  # pyright: ignore[reportUnnecessaryIsInstance]
        answer = given
    else:
        raise InvalidArgument(
            needs="solutions as solvers return them",
            found=f"got {given!r} (type {type(given).__name__})",
            remedy="Give solve(game, concept), or a Solution or SolutionSet.",
            where="explore",
        )
    games = [answer.game, *(own.certificate.game for own in answer.solutions)]
    other = next((own for own in games if own != game), None)
    if other is not None:
        raise InvalidArgument(
            needs="solutions of the game that is explored",
            found=f"one is of {other!r}",
            remedy="Solve the game itself, or explore the game of the solution.",
            where="explore",
        )
    return answer


def _listed(given: SolutionSet[Any, Any]) -> Answer:
    run: RunRecord = given.run
    return Answer(
        game=given.game,
        concept=_concept(given),
        algorithm=run.algorithm,
        reason="",
        solutions=given.equilibria,
        is_complete=given.is_complete,
        evidence=given.evidence,
        completeness=given.completeness,
        seconds=run.seconds,
    )


def _concept(given: SolutionSet[Any, Any]) -> str:
    """Return the first concept that all certificates of a list are declared to prove.

    Of several solutions, or all, these are all equilibria, or all pure ones.
    """
    certificates = [own.certificate for own in given.equilibria]
    several = len(certificates) > 1 or given.is_complete
    likely = [Concept.ALL_NASH, Concept.PURE_NASH] if several else []
    kinds = [own.kind for own in certificates]
    named = [concept for own in certificates for concept in declaration(own).proves]
    for concept in dict.fromkeys([*likely, *(own for own in kinds if own in named), *named]):
        proof = given.completeness
        is_all = proof is None or not not_proved_complete(concept, proof)
        if is_all and not any(not_proved(concept, own) for own in certificates):
            return concept
    return Concept.NASH
