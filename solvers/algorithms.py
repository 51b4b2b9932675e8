"""Which algorithm answers which question about which games: one table, read from the top.

Each row names an algorithm, the concept it answers, and the games it takes. A new solver is a new
row.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any, TypeAlias, cast

from gametheory_core.errors import NotConverged, UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from solvers.nash.backward_induction import backward_induction
from solvers.nash.lemke_howson import lemke_howson
from solvers.nash.minimax import minimax
from solvers.nash.pure import pure
from solvers.nash.reduced_normal_form import all_through_normal_form, one_through_normal_form
from solvers.nash.sequence_form_lp import sequence_form_lp
from solvers.nash.support_enumeration import support_enumeration
from solvers.nash.vertex_enumeration import vertex_enumeration
from solvers.requirements import (
    missing_constant_sum,
    missing_perfect_information,
    missing_perfect_recall,
    missing_two_players,
)
from solvers.solution import UNLIMITED, Budget, EquilibriumSet, OnIteration, Solution
from solvers.stackelberg.commitment import strong_stackelberg, weak_stackelberg

Game: TypeAlias = NormalFormGame | ExtensiveFormGame
AnySolution: TypeAlias = Solution[Any, Any]
AnyEquilibria: TypeAlias = EquilibriumSet[Any, Any]


class Concept(Enum):
    """What is asked for."""

    NASH = "nash"
    ALL_NASH = "all-nash"
    PURE_NASH = "pure-nash"
    MINIMAX = "minimax"
    STACKELBERG = "stackelberg"
    SUBGAME_PERFECT = "subgame-perfect"


@dataclass(frozen=True)
class Options:
    """What a solver is given besides the game."""

    leader: int = 0
    budget: Budget = UNLIMITED
    on_iteration: OnIteration | None = None


@dataclass(frozen=True)
class Algorithm:
    """A row of the table.

    Attributes
    ----------
    name : str
        Name of the solver function, as users write it.
    concept : Concept
        What it answers.
    reason : str
        Why it fits the games it takes.
    takes : function
        Returns "" if it takes the game, else what is missing.
    run : function
        Calls the solver.
    """

    name: str
    concept: Concept
    reason: str
    takes: Callable[[Game], str]
    run: Callable[[Any, Options], AnySolution | AnyEquilibria]


# What games an algorithm takes: "" for yes, else what is missing.


NEEDS_NORMAL_FORM = "a normal form"
NEEDS_TREE = "a tree"


def _normal_form(game: Game) -> str:
    return "" if isinstance(game, NormalFormGame) else NEEDS_NORMAL_FORM


def _two_player_normal_form(game: Game) -> str:
    return missing_two_players(game) or _normal_form(game)


def _constant_sum_normal_form(game: Game) -> str:
    return _two_player_normal_form(game) or missing_constant_sum(game)


def _perfect_information_tree(game: Game) -> str:
    return missing_perfect_information(game) if isinstance(game, ExtensiveFormGame) else NEEDS_TREE


def _recall_tree(game: Game) -> str:
    return missing_perfect_recall(game) if isinstance(game, ExtensiveFormGame) else NEEDS_TREE


def _two_player_recall_tree(game: Game) -> str:
    return missing_two_players(game) or _recall_tree(game)


def _constant_sum_recall_tree(game: Game) -> str:
    return _two_player_recall_tree(game) or missing_constant_sum(game)


# How each algorithm is called.


def _common(options: Options) -> dict[str, Any]:
    return {"budget": options.budget, "on_iteration": options.on_iteration}


def _run(solver: Callable[..., Any], game: Game, options: Options) -> Any:
    return solver(game, **_common(options))


def _run_leader(solver: Callable[..., Any], game: Game, options: Options) -> Any:
    return solver(game, leader=options.leader, **_common(options))


def _run_reduced(solver: Callable[..., Any], game: ExtensiveFormGame, options: Options) -> Any:
    return all_through_normal_form(game, solver, **_common(options))


def _run_reduced_one(solver: Callable[..., Any], game: ExtensiveFormGame, options: Options) -> Any:
    return one_through_normal_form(game, solver, **_common(options))


def _first_pure(game: NormalFormGame, **options: Any) -> AnySolution:
    """Return the first pure equilibrium; a budget that ends after one is enough."""
    try:
        found = pure(game, **options)
    except NotConverged as error:
        found = cast("AnyEquilibria", error.best)
    if not found.equilibria:
        raise UnsupportedGame(
            f"solve: needs a pure equilibrium, but {game!r} has none (all joint actions were "
            "checked). Mixed equilibria are found for two players only, by lemke_howson."
        )
    return found.equilibria[0]


_ZERO_SUM_TREE = "two players, constant sum and perfect recall: one linear program finds a solution"
_ALL_VERTICES = "two players: every extreme equilibrium is a pair of best-response vertices"
_ALL_SUPPORTS = "two players, few actions: every pair of supports can be tried"
_REDUCED = "; the tree's reduced normal form is solved and the result carried back"

ALGORITHMS: tuple[Algorithm, ...] = (
    Algorithm(
        "backward_induction",
        Concept.NASH,
        "perfect information: the best action at each node, from the end",
        _perfect_information_tree,
        partial(_run, backward_induction),
    ),
    Algorithm(
        "sequence_form_lp",
        Concept.NASH,
        _ZERO_SUM_TREE,
        _constant_sum_recall_tree,
        partial(_run, sequence_form_lp),
    ),
    Algorithm(
        "minimax",
        Concept.NASH,
        "two players, constant sum: one linear program finds a solution",
        _constant_sum_normal_form,
        partial(_run, minimax),
    ),
    Algorithm(
        "lemke_howson",
        Concept.NASH,
        "two players: a path of exact pivots ends at an equilibrium",
        _two_player_normal_form,
        partial(_run, lemke_howson),
    ),
    Algorithm(
        "lemke_howson",
        Concept.NASH,
        "two players: a path of exact pivots ends at an equilibrium" + _REDUCED,
        _two_player_recall_tree,
        partial(_run_reduced_one, lemke_howson),
    ),
    Algorithm(
        "pure",
        Concept.NASH,
        "more players: the first pure equilibrium",
        _normal_form,
        partial(_run, _first_pure),
    ),
    Algorithm(
        "pure",
        Concept.NASH,
        "more players: the first pure equilibrium" + _REDUCED,
        _recall_tree,
        partial(_run_reduced_one, _first_pure),
    ),
    Algorithm(
        "vertex_enumeration",
        Concept.ALL_NASH,
        _ALL_VERTICES,
        _two_player_normal_form,
        partial(_run, vertex_enumeration),
    ),
    Algorithm(
        "vertex_enumeration",
        Concept.ALL_NASH,
        _ALL_VERTICES + _REDUCED,
        _two_player_recall_tree,
        partial(_run_reduced, vertex_enumeration),
    ),
    Algorithm(
        "support_enumeration",
        Concept.ALL_NASH,
        _ALL_SUPPORTS,
        _two_player_normal_form,
        partial(_run, support_enumeration),
    ),
    Algorithm(
        "support_enumeration",
        Concept.ALL_NASH,
        _ALL_SUPPORTS + _REDUCED,
        _two_player_recall_tree,
        partial(_run_reduced, support_enumeration),
    ),
    Algorithm(
        "pure",
        Concept.PURE_NASH,
        "every joint action is checked",
        _normal_form,
        partial(_run, pure),
    ),
    Algorithm(
        "pure",
        Concept.PURE_NASH,
        "every joint action is checked" + _REDUCED,
        _recall_tree,
        partial(_run_reduced, pure),
    ),
    Algorithm(
        "minimax",
        Concept.MINIMAX,
        "two players, constant sum: one linear program finds a solution",
        _constant_sum_normal_form,
        partial(_run, minimax),
    ),
    Algorithm(
        "sequence_form_lp",
        Concept.MINIMAX,
        _ZERO_SUM_TREE,
        _constant_sum_recall_tree,
        partial(_run, sequence_form_lp),
    ),
    Algorithm(
        "strong_stackelberg",
        Concept.STACKELBERG,
        "two players: one linear program for each response worth inducing",
        _two_player_normal_form,
        partial(_run_leader, strong_stackelberg),
    ),
    Algorithm(
        "weak_stackelberg",
        Concept.STACKELBERG,
        "two players, ties against the leader: one linear program for each full best-reply region",
        _two_player_normal_form,
        partial(_run_leader, weak_stackelberg),
    ),
    Algorithm(
        "backward_induction",
        Concept.SUBGAME_PERFECT,
        "perfect information: the best action at each node, from the end",
        _perfect_information_tree,
        partial(_run, backward_induction),
    ),
)
