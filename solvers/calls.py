"""How the algorithms of the table are called, and how their results become solutions."""

from collections.abc import Callable
from typing import Any, cast

from gametheory_core.certificates.dominance import Dominance
from gametheory_core.certificates.optimal_equilibrium import EquilibriumObjective
from gametheory_core.errors import InvalidArgument, NotConverged, UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.correlated import correlated_payoffs
from solvers.concepts import AnyEquilibria, AnySolution, Game, Options
from solvers.nash.components import nash_components
from solvers.nash.dominance import DominanceReduction, iterated_dominance
from solvers.nash.logit_homotopy import LogitBranch, logit_homotopy
from solvers.nash.mixed_integer import mixed_integer
from solvers.nash.pure import pure
from solvers.nash.reduced_normal_form import all_through_normal_form, one_through_normal_form
from solvers.populations.alpha_rank import alpha_rank_limit
from solvers.solution import Solution


def _limits(options: Options) -> dict[str, Any]:
    return {"budget": options.budget, "on_iteration": options.on_iteration}


def plainly(solver: Callable[..., Any], game: Game, options: Options) -> Any:
    """Call with the options that were given; the row knows them all."""
    return solver(game, **options.chosen, **_limits(options))


def all_reduced(solver: Callable[..., Any], game: ExtensiveFormGame, options: Options) -> Any:
    """Solve a tree's reduced normal form, and carry all equilibria back."""
    return all_through_normal_form(game, solver, **_limits(options))


def one_reduced(solver: Callable[..., Any], game: ExtensiveFormGame, options: Options) -> Any:
    """Solve a tree's reduced normal form, and carry one equilibrium back."""
    return one_through_normal_form(game, solver, **_limits(options))


def first_pure(game: NormalFormGame, **options: Any) -> AnySolution:
    """Return the first pure equilibrium; a budget that ends after one is enough."""
    try:
        found = pure(game, **options)
    except NotConverged as error:
        found = cast("AnyEquilibria", error.best)
    if not found.equilibria:
        raise UnsupportedGame(
            f"solve: needs a pure equilibrium, but {game!r} has none (all joint actions were "
            "checked). Mixed equilibria are found by lemke_howson for two players, and by "
            "logit_homotopy for any number."
        )
    return found.equilibria[0]


def logit_limit(game: NormalFormGame, **options: Any) -> AnySolution:
    """Return the limit of the principal branch of logit equilibria."""
    try:
        return logit_homotopy(game, **options).limit
    except NotConverged as error:
        best = cast("LogitBranch | None", error.best)
        raise NotConverged(str(error), best=best and best.limit) from error


def best_nash(game: NormalFormGame, options: Options) -> AnySolution:
    """Find the best equilibrium by an objective given in words."""
    words = [objective.value for objective in EquilibriumObjective]
    wanted = options.objective or words[0]
    if wanted not in words:
        raise InvalidArgument(
            f"solve: needs an objective for best-nash, but {wanted!r} is none. Choose from: "
            f"{', '.join(words)}."
        )
    objective = EquilibriumObjective(wanted)
    return mixed_integer(game, objective=objective, player=options.player or 0, **_limits(options))


def components(game: NormalFormGame, options: Options) -> AnySolution:
    """Return all components as one answer."""
    found = nash_components(game, **_limits(options))
    return Solution(found.components, (), found.certificate, found.run)


def dominance(strength: Dominance, game: NormalFormGame, options: Options) -> AnySolution:
    """Return what is left after iterated elimination as one answer."""

    def answered(reduction: DominanceReduction) -> AnySolution:
        return Solution(reduction.survivors, (), reduction.certificate, reduction.run)

    try:
        return answered(iterated_dominance(game, dominance=strength, **_limits(options)))
    except NotConverged as error:
        best = cast("DominanceReduction | None", error.best)
        raise NotConverged(str(error), best=best and answered(best)) from error


def alpha_ranking(game: NormalFormGame, options: Options) -> AnySolution:
    """Return the ranking by infinitely strong selection as one answer."""
    found = alpha_rank_limit(game, **_limits(options))
    payoffs = correlated_payoffs(game, found.distribution)
    return Solution(found.distribution, payoffs, found.certificate, found.run)
