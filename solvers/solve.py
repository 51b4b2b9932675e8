"""``solve(game, concept)``: pick the algorithm, say which and why, or say that none applies.

The first row of ``solvers.algorithms.ALGORITHMS`` that takes the game answers; if it refuses after
a closer look, the next one is asked. Naming an algorithm overrides the choice.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import cast

from gametheory_core.arguments import shown
from gametheory_core.certificates.certificate import Certificate
from gametheory_core.conversions.tabular_posg import posg_to_tabular
from gametheory_core.errors import InvalidArgument, NotConverged, UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import is_rules_of_posg, is_tree_rules
from gametheory_core.games.mediated import MediatedGame
from gametheory_core.games.properties import is_absent_minded
from gametheory_core.games.rules import Rules
from solvers.algorithms import ALGORITHMS
from solvers.concepts import (
    OF_RULES,
    Algorithm,
    AnyEquilibria,
    AnySolution,
    Concept,
    Form,
    Game,
    Options,
)
from solvers.rule_calls import word
from solvers.solution import UNLIMITED, Budget, EquilibriumSet, Meter, OnIteration
from solvers.takes import KINDS, NEEDS_NORMAL_FORM

NEEDED_FORMS = "a matrix, a tree, a Bayesian, security or mediated game"
OTHER_NUMBERS = ("one player", "at least three players")  # rows that were never meant for the game


@dataclass(frozen=True, repr=False)
class Answer:
    """Certified solutions of a game, and how they were got.

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

    game: Game
    concept: Concept
    algorithm: str
    reason: str
    solutions: tuple[AnySolution, ...]
    is_complete: bool | None
    evidence: str
    completeness: Certificate | None
    seconds: float

    def __repr__(self) -> str:
        number = len(self.solutions)
        noun = "solution" if number == 1 else "solutions"
        known = {True: ", complete", False: ", perhaps not all", None: ""}[self.is_complete]
        return (
            f"Answer({self.concept.value} by {self.algorithm}: {number} {noun} of "
            f"{self.game!r}{known})"
        )


def solve(
    game: Game | Rules,
    concept: Concept | str,
    *,
    algorithm: str | None = None,
    leader: int | None = None,
    objective: str | Enum | None = None,
    player: int | None = None,
    tolerance: float | Fraction | None = None,
    rationality: float | None = None,
    followers: str | Enum | None = None,
    ties: str | Enum | None = None,
    end_rule: str | Enum | None = None,
    stage: str | Enum | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Answer:
    """Solve a game for a concept with the algorithm that fits it.

    Args:
        game: What to solve. Some concepts are asked about the rules of POSGs; these become tables
            first.
        concept: What to find: ``Concept.NASH`` or ``"nash"``.
        algorithm: Name of a solver for this concept. Default: the first in ``ALGORITHMS`` that
            takes the game.
        leader: Who commits, from 0. Default: the first player.
        objective: What to prefer, where there is a choice: ``"largest-welfare"``,
            ``"least-payoff"``, ...
        player: Whose payoff the objective is about, from 0. Default: the first player's.
        tolerance: Epsilon that is good enough, in payoff units. Default: exact, where that is
            possible.
        rationality: How strongly quantal responses favor what earns more, in units of one over
            payoffs.
        followers: What a follower in a Markov game can see: ``"time-aware"`` (default) or
            ``"stationary"``.
        ties: How the follower's ties break: ``"strong"`` (default), for the leader, or ``"weak"``.
        end_rule: What holds the last leader of a mediated game to fairness: ``"history-ideal"``
            (default), ``"step-ideal"``, ``"equalize-cumulative"``.
        stage: How much of a mediator's three parts is in use: ``"full"`` (default),
            ``"pre-final"``, ``"naive"``.
        budget: Limits on time and iterations.
        on_iteration: Called with ``Progress`` records.

    Returns:
        With a certificate for each solution.

    Raises:
        UnsupportedGame: If no algorithm takes the game; says what each of them lacks.
        InvalidArgument: If there is no such concept, the algorithm is not one for it, or does not
            know an option.
        NotConverged: If the budget ends first; ``.best`` is an ``Answer`` with the best certified
            so far, or None.

    >>> from gametheory_core.catalog.index import load
    >>> answer = solve(load("kuhn_poker"), Concept.NASH)
    >>> answer.algorithm, str(answer.solutions[0].payoffs[0])
    ('sequence_form_lp', '-1/18')
    """
    concept, meter = _concept(concept), Meter(budget, "seconds")
    game = _prepared(game, concept)
    options = Options(
        leader=leader,
        objective=_words(objective),
        player=player,
        tolerance=tolerance,
        rationality=rationality,
        followers=word(followers),
        ties=word(ties),
        end_rule=word(end_rule),
        stage=word(stage),
        budget=budget,
        on_iteration=on_iteration,
    )
    rows = _knowing(_fitting(game, concept, algorithm), options)
    for row in rows[:-1]:
        try:
            return _run(game, row, replace(options, budget=meter.left))
        except UnsupportedGame:  # after a closer look; the next algorithm may know more
            continue
    return _run(game, rows[-1], replace(options, budget=meter.left))


def _words(choice: str | Enum | None) -> str | None:
    return str(choice.value) if isinstance(choice, Enum) else choice


def _prepared(game: Game | Rules, concept: Concept) -> Game:
    """Return the game, as tables where a concept is about rules; refuse what nobody solves."""
    if isinstance(game, Form | MediatedGame):
        return game
    if concept in OF_RULES and is_rules_of_posg(game):
        return posg_to_tabular(game).target
    needed = "the rules of a POSG" if concept in OF_RULES else NEEDED_FORMS
    if concept is Concept.MEDIATED:
        needed = "a mediated game"
    raise UnsupportedGame(
        f"solve: needs {needed} for {concept.value}, but got {shown(game)} "
        f"(type {type(game).__name__}). {_remedy(game, concept)}"
    )


def _remedy(game: object, concept: Concept) -> str:
    """Say what else may be asked about rules, and what they can be carried to."""
    if is_tree_rules(game):
        return "Lay it out with lay_out_rules(rules)."
    if not is_rules_of_posg(game):
        return (
            "Carry rules over with aec_to_posg(game).target or aec_to_extensive(game).target, or "
            "python -m gametheory_core convert GAME FILE.efg"
        )
    if concept is Concept.MEDIATED:
        return "mediate(game, responses=...) makes one, if its followers are naive."
    concepts = ", ".join(known.value for known in OF_RULES)
    carried = (
        ""
        if game.horizon is None
        else " Or carry it over with posg_to_extensive(game).target, or python -m gametheory_core "
        "convert GAME FILE.efg"
    )
    return f"About rules themselves you may ask for {concepts}.{carried}"


def _run(game: Game, row: Algorithm, options: Options) -> Answer:
    try:
        found = row.run(game, options)
    except NotConverged as error:
        best = error.best
        answer = None if best is None else _answer(game, row, cast("AnySolution", best))
        raise NotConverged(str(error), best=answer) from error
    return _answer(game, row, found)


def _knowing(rows: list[Algorithm], options: Options) -> list[Algorithm]:
    """Keep the rows that know all options given."""
    knowing = [row for row in rows if set(options.chosen) <= set(row.options)]
    if knowing:
        return knowing
    first = rows[0]
    name = next(name for name in options.chosen if name not in first.options)
    known = f"It knows: {', '.join(first.options)}." if first.options else "Leave it out."
    raise InvalidArgument(
        f"solve: needs options that {first.name} knows for {first.concept.value}, but got "
        f"{name}. {known}"
    )


def _concept(concept: Concept | str) -> Concept:
    try:
        return Concept(concept)
    except ValueError:
        raise InvalidArgument(
            f"solve: needs a concept, but {concept!r} is none. "
            f"Choose from: {', '.join(known.value for known in Concept)}."
        ) from None


def _fitting(game: Game, concept: Concept, algorithm: str | None) -> list[Algorithm]:
    """Return the rows that take the game, the first choice first."""
    rows = [row for row in ALGORITHMS if row.concept is concept]
    if algorithm is not None:
        names = dict.fromkeys(row.name for row in rows)
        rows = [row for row in rows if row.name == algorithm]
        if not rows:
            raise InvalidArgument(
                f"solve: needs an algorithm for {concept.value}, but {algorithm!r} is none. "
                f"Choose from: {', '.join(names)}."
            )
    missing = {row: row.takes(game) for row in rows}
    fitting = [row for row, lack in missing.items() if not lack]
    if not fitting:
        raise UnsupportedGame(
            f"solve: no algorithm for {concept.value} takes {game!r}: {_reasons(game, missing)}."
        )
    return fitting


def _reasons(game: Game, missing: dict[Algorithm, str]) -> str:
    """Word what the rows lack, each lack once; another kind of game matters only to all."""
    names: dict[str, list[str]] = {}
    for row, lack in missing.items():
        if lack not in KINDS:
            names.setdefault(lack, []).append(row.name)
    fewer = {lack: own for lack, own in names.items() if not lack.startswith(OTHER_NUMBERS)}
    if fewer or names:
        lacks = fewer or names
        return "; ".join(map(_needs, lacks.values(), lacks)) + _way_out(game, lacks)
    (row, lack), *_ = missing.items()
    remedy = (
        " (python -m gametheory_core convert GAME game.nfg)" if lack == NEEDS_NORMAL_FORM else ""
    )
    if isinstance(game, MediatedGame):
        remedy = f". For mediated games ask for {Concept.MEDIATED.value}"
    return f"{row.name} needs {lack}{remedy}"


def _needs(names: list[str], lack: str) -> str:
    distinct = list(dict.fromkeys(names))
    subject = distinct[0] if len(distinct) == 1 else f"each of {', '.join(distinct)}"
    return f"{subject} needs {lack}"


def _way_out(game: Game, lacks: Iterable[str]) -> str:
    """Name what takes a tree that nothing takes, if something does."""
    if not isinstance(game, ExtensiveFormGame):
        return ""
    recall = any(lack.startswith("perfect recall") for lack in lacks)
    if recall and not is_absent_minded(game):
        return (
            ". Forgetful players are no obstacle in the normal form: "
            "extensive_to_normal(game).target, or python -m gametheory_core convert GAME game.nfg"
        )
    few = any(lack.startswith("two players") for lack in lacks)
    if game.num_players > 2 and few and not recall:
        return (
            ". For more players counterfactual_regret plays to a certified coarse correlated "
            "equilibrium: --concept coarse-correlated"
        )
    return ""


def _answer(game: Game, row: Algorithm, found: AnySolution | AnyEquilibria) -> Answer:
    if isinstance(found, EquilibriumSet):
        solutions, is_complete, evidence = found.equilibria, found.is_complete, found.evidence
        completeness = found.completeness
    else:
        solutions, is_complete, evidence, completeness = (found,), None, "", None
    return Answer(
        game=game,
        concept=row.concept,
        algorithm=row.name,
        reason=row.reason,
        solutions=solutions,
        is_complete=is_complete,
        evidence=evidence,
        completeness=completeness,
        seconds=found.run.seconds,
    )
