"""How the algorithms of the table are called, each with the options it knows."""

from collections.abc import Callable
from typing import Any, cast

from gametheory_core.errors import NotConverged, UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from solvers.concepts import AnyEquilibria, AnySolution, Game, Options
from solvers.nash.pure import pure
from solvers.nash.reduced_normal_form import all_through_normal_form, one_through_normal_form


def _common(options: Options) -> dict[str, Any]:
    return {"budget": options.budget, "on_iteration": options.on_iteration}


def plainly(solver: Callable[..., Any], game: Game, options: Options) -> Any:
    """Call with the budget alone."""
    return solver(game, **_common(options))


def with_leader(solver: Callable[..., Any], game: Game, options: Options) -> Any:
    """Call with the leader."""
    return solver(game, leader=options.leader, **_common(options))


def all_reduced(solver: Callable[..., Any], game: ExtensiveFormGame, options: Options) -> Any:
    """Solve a tree's reduced normal form, and carry all equilibria back."""
    return all_through_normal_form(game, solver, **_common(options))


def one_reduced(solver: Callable[..., Any], game: ExtensiveFormGame, options: Options) -> Any:
    """Solve a tree's reduced normal form, and carry one equilibrium back."""
    return one_through_normal_form(game, solver, **_common(options))


def first_pure(game: NormalFormGame, **options: Any) -> AnySolution:
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
