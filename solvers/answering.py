"""``solve(game, concept)``: pick the solver, say which and why, or say that none applies.

The first route, by declared rank, that takes the game answers; if it refuses after a closer look,
the next one is asked. Naming an algorithm overrides the choice.
"""

import os
from collections.abc import Callable
from difflib import get_close_matches
from enum import Enum
from functools import partial
from typing import Any, cast

from gametheory_core.arguments import shown
from gametheory_core.errors import GameTheoryError, InvalidArgument, NotConverged, UnsupportedGame
from gametheory_core.extensions import kind_of_game
from gametheory_core.games.bayesian import BayesianGame, SecurityGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import is_rules_of_posg, is_tree_rules
from gametheory_core.loading import load_game
from gametheory_core.memory import memory_limit
from solvers.answer import Answer
from solvers.concepts import Concept
from solvers.requirements import Kind, Requirement, a_normal_form, a_posg
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, SolutionSet, solution_of
from solvers.solver import Found, Route, alternatives, routes

TO_NORMAL_FORM: dict[type, str] = {
    BayesianGame: "harsanyi_transform(game).target",
    SecurityGame: "security_to_normal(game)",
}


def solve(
    game: Any,
    concept: str = Concept.NASH,
    *,
    algorithm: str | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
    **options: Any,
) -> Answer:
    """Solve a game for a concept with the algorithm that fits it.

    Args:
        game: What to solve, or its name in the catalogue or the path of its file, as for
            ``load_game``. Some concepts are asked about the rules of POSGs; these become tables
            first.
        concept: What to find: ``Concept.NASH`` or ``"nash"``.
        algorithm: Name of a solver for this concept. Default: the first that takes the game.
        budget: Limits on time, iterations and memory.
        on_iteration: Called with ``Progress`` records.
        options: What solvers for this concept know, as ``tolerance``, ``leader``, ``player`` or
            ``objective``; one that takes the game and knows all of them is asked. Members of
            enumerations may be given by their words: ``objective="least-payoff"``. None stands for
            the default.

    Returns:
        With a certificate for each solution.

    Raises:
        UnsupportedGame: If no algorithm takes the game; says what each of them lacks.
        InvalidArgument: If there is no such concept, the algorithm is not one for it, or does not
            know an option.
        NotConverged: If the budget ends first; ``.best`` is an ``Answer`` with the best certified
            so far, or None.

    >>> answer = solve("kuhn_poker")
    >>> answer.algorithm, str(answer.solutions[0].payoffs[0])
    ('sequence_form_lp', '-1/18')
    """
    meter = Meter(budget, "seconds", on_iteration)
    if isinstance(game, str | os.PathLike):
        game = load_game(cast("str", game))
    known = _routes(concept, algorithm)
    given = {name: value for name, value in options.items() if value is not None}
    with memory_limit(budget.memory):
        game = _prepared(game, concept, known)
        fitting = _knowing(_fitting(game, concept, known), given)
        for route in fitting[:-1]:
            try:
                return _run(game, route, given, meter.left, on_iteration, is_last=False)
            except UnsupportedGame:  # after a closer look; the next algorithm may know more
                continue
        return _run(game, fitting[-1], given, meter.left, on_iteration)


def word_of(choice: Enum) -> str:
    """Return the word for a member of an enumeration.

    >>> from solvers import Objective
    >>> word_of(Objective.LEAST_PAYOFF)
    'least-payoff'
    """
    return choice.name.lower().replace("_", "-")


def _routes(concept: object, algorithm: object) -> list[Route]:
    """Return all routes to a concept, or those of one algorithm."""
    known = routes(concept) if isinstance(concept, str) else []
    if not known:
        words = sorted({route.answers.concept for route in routes()})
        close = get_close_matches(str(concept), words, n=1)
        hint = f"Did you mean {close[0]}? " if close else ""
        raise InvalidArgument(
            needs="a concept",
            found=f"{concept!r} is not one",
            remedy=f"{hint}Choose from: {', '.join(words)}.",
        )
    if algorithm is None:
        return known
    named = [route for route in known if route.name == algorithm]
    if not named:
        names = ", ".join(dict.fromkeys(route.name for route in known))
        raise InvalidArgument(
            needs=f"an algorithm for {concept}",
            found=f"{algorithm!r} is not one",
            remedy=f"Choose from: {names}.",
        )
    return named


def _prepared(game: Any, concept: str, known: list[Route]) -> Any:
    """Return what is solved, such as tables for rules; refuse what is no game."""
    for route in known:
        if route.kind.holds(game):
            return route.kind.prepared(game)
    if any(route.kind.holds(game) for route in routes()) and not is_rules_of_posg(game):
        return game  # another kind of game; the refusal will say what each route needs
    kinds = " or ".join(dict.fromkeys(route.kind.needs for route in known))
    if not (is_tree_rules(game) or hasattr(game, "legal_actions")):
        raise InvalidArgument(
            needs=f"{kinds} for {concept}",
            found=f"got {shown(game)} (type {type(game).__name__})",
            remedy="load_game reads a game from a file or by name; NormalFormGame.bimatrix and "
            "from_sketch build one.",
        )
    raise UnsupportedGame(
        needs=f"{kinds} for {concept}",
        found=f"got {shown(game)} (type {type(game).__name__})",
        remedy=next((r.kind.remedy for r in known if r.kind.remedy), "") or _remedy(game),
    )


def _remedy(game: Any) -> str:
    """Say what else may be asked about rules, and what they can be carried to."""
    if is_tree_rules(game):
        return "Lay it out with lay_out_rules(rules)."
    if not is_rules_of_posg(game):
        return (
            "Carry rules over with aec_to_posg(game).target or aec_to_extensive(game).target, or "
            "gametheory convert GAME FILE.efg"
        )
    carried = (
        ""
        if game.horizon is None
        else " Or carry it over with posg_to_extensive(game).target, or gametheory "
        "convert GAME FILE.efg"
    )
    try:
        asked = _asked(a_posg.prepared(game))
    except GameTheoryError:  # its table would be too large
        asked = ""
    return f"About rules themselves you may ask for {asked}.{carried}" if asked else carried[1:]


def _asked(game: Any) -> str:
    """List the concepts that have an algorithm for a game as it is."""
    return ", ".join(dict.fromkeys(r.answers.concept for r in routes() if not r.lack(game)))


def _fitting(game: Any, concept: str, known: list[Route]) -> list[Route]:
    """Return the routes that the game can take, the first choice first."""
    lacks = {route: route.lack(game) for route in known}
    fitting = [route for route, lack in lacks.items() if lack is None]
    if fitting:
        return fitting
    reasons, remedy = _reasons(game, lacks)
    raise UnsupportedGame(
        needs=f"a game with an algorithm for {concept}",
        found=f"no algorithm for {concept} takes {game!r}: {reasons}",
        remedy=remedy,
    )


def _reasons(game: Any, lacks: dict[Route, Kind | Requirement | None]) -> tuple[str, str]:
    """Word what the routes need, each need once, and a way out.

    Another kind of game matters only to all.
    """
    names: dict[Requirement, list[str]] = {}
    for route, lack in lacks.items():
        if isinstance(lack, Requirement):
            names.setdefault(lack, []).append(route.name)
    first = next(iter(lacks))
    if not names:
        if type(game) in TO_NORMAL_FORM:  # what it can be carried to is the nearest need
            first = next((route for route in lacks if route.kind is a_normal_form), first)
        return f"{first.name} needs {first.kind.needs}", _other_kind(game, first.kind)
    meant = {lack: own for lack, own in names.items() if not lack.chooses} or names
    parts = [
        f"{_each(own)} needs {lack.needs}, but {lack.test(game).reason}"
        for lack, own in meant.items()
    ]
    remedies = [lack.remedy(game) for lack in meant]
    remedy = next(filter(None, remedies), "") or alternatives(
        game, first.answers.concept, besides=first.solver
    )
    return "; ".join(parts), remedy or _may_ask(game)


def _each(names: list[str]) -> str:
    distinct = list(dict.fromkeys(names))
    return distinct[0] if len(distinct) == 1 else f"each of {', '.join(distinct)}"


def _other_kind(game: Any, needed: Kind) -> str:
    """Say how a game is carried over to the kind needed, or what may be asked about its own."""
    if needed is a_normal_form and isinstance(game, ExtensiveFormGame):
        return "Use gametheory convert GAME game.nfg."
    asked = " ".join(filter(None, (_may_ask(game), _instead_of_solving(game))))
    if needed is a_normal_form and type(game) in TO_NORMAL_FORM:
        about = f" {asked.removesuffix('.')} about the game itself." if asked else ""
        return (
            f"Solve its normal form: {TO_NORMAL_FORM[type(game)]}, or gametheory "
            f"convert GAME game.nfg and then game.nfg.{about}"
        )
    return asked


def _instead_of_solving(game: Any) -> str:
    kind = kind_of_game(game)
    return kind.instead.get("solve", "") if kind else ""


def _may_ask(game: Any) -> str:
    asked = _asked(game)
    return f"You may ask for {asked}." if asked else ""


def _knowing(fitting: list[Route], given: dict[str, Any]) -> list[Route]:
    """Keep the routes that know all options given."""
    knowing = [route for route in fitting if given.keys() <= set(route.options)]
    if knowing:
        return knowing
    first = fitting[0]
    name = next(name for name in given if name not in first.options)
    known = f"It knows: {', '.join(first.options)}." if first.options else "Leave it out."
    raise InvalidArgument(
        needs=f"options that {first.name} knows for {first.answers.concept}",
        found=f"got {name}",
        remedy=known,
    )


def _run(
    game: Any,
    route: Route,
    given: dict[str, Any],
    budget: Budget,
    on_iteration: OnIteration | None,
    *,
    is_last: bool = True,
) -> Answer:
    answers = route.answers
    default = {
        name: value(game) if callable(value) and not isinstance(value, type) else value
        for name, value in answers.default.items()
        if name not in given
    }
    chosen = {name: _member(route, name, value) for name, value in given.items()}
    call = partial(route.solver.function, **answers.given, **default, **chosen)
    limits: dict[str, Any] = {"budget": budget, "on_iteration": on_iteration}
    try:
        if route.conversion is None:
            found = _read(route, game, call(game, **limits), is_last=is_last)
        else:
            through = partial(_reading, route, call)
            found = route.conversion.solve(game, through, lists=answers.lists, **limits)
    except NotConverged as error:
        best = None if error.best is None else _read(route, game, error.best, is_best=True)
        answer = None if best is None else _answer(game, route, best)
        raise error.changed(best=answer) from error
    if found is None:
        raise NotConverged(needs="a solution", found=f"{route.name} ended without one")
    return _answer(game, route, found)


def _reading(route: Route, call: Callable[..., Any], game: Any, **limits: Any) -> Found | None:
    """Solve the target of a conversion and read the answer, before it is carried back."""
    return _read(route, game, call(game, **limits))


def _read(
    route: Route, game: Any, found: Any, *, is_best: bool = False, is_last: bool = True
) -> Found | None:
    """Read the answer from what a solver returned; where it has none, the last says what helps."""
    answers = route.answers
    read = solution_of(found) if answers.read is None else answers.read(found)
    if not (answers.first_of and isinstance(read, SolutionSet)):
        return read
    if read.equilibria:
        return read.equilibria[0]
    if is_best:
        return None
    raise UnsupportedGame(
        needs=answers.first_of,
        found=f"{game!r} has none (the search was complete)",
        remedy=alternatives(game, answers.concept, besides=route.solver) if is_last else "",
        where="solve",
    )


def _member(route: Route, name: str, value: Any) -> Any:
    """Return the member of an enumeration that a word names; other values as they are."""
    kinds = route.solver.options[name]
    choices = {
        word_of(member): member
        for kind in kinds
        if isinstance(kind, type) and issubclass(kind, Enum)
        for member in kind
    }
    if not isinstance(value, str) or str in kinds or not choices:
        return value
    if value not in choices:
        raise InvalidArgument(
            needs=f"a known {name}",
            found=f"{value!r} is not one",
            remedy=f"Choose from: {', '.join(choices)}.",
        )
    return choices[value]


def _answer(game: Any, route: Route, found: Found) -> Answer:
    is_list = isinstance(found, SolutionSet)
    return Answer(
        game=game,
        concept=route.answers.concept,
        algorithm=route.name,
        reason=route.because,
        solutions=found.equilibria if is_list else (found,),
        is_complete=found.is_complete if is_list else None,
        evidence=found.evidence if is_list else "",
        completeness=found.completeness if is_list else None,
        seconds=found.run.seconds,
    )
