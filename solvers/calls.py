"""How the algorithms of the table are called, and how their results become solutions."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, cast

import numpy as np

from gametheory_core.certificates.answers import payoffs_of
from gametheory_core.certificates.correlated import certify_coarse_correlated
from gametheory_core.certificates.dominance import Dominance
from gametheory_core.certificates.incentives import CorrelatedKind
from gametheory_core.certificates.linear_objective import LinearObjective
from gametheory_core.certificates.optimal_equilibrium import EquilibriumObjective
from gametheory_core.errors import InvalidArgument, NotConverged, UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.correlated import correlated_payoffs, product_distribution
from solvers.best_equilibrium.mixed_integer import mixed_integer
from solvers.bimatrix.components import nash_components
from solvers.concepts import AnyEquilibria, AnySolution, Game, Options
from solvers.correlated.even_equilibria import (
    max_entropy_correlated_equilibrium,
    max_gini_correlated_equilibrium,
)
from solvers.correlated.normal_form import coarse_correlated_equilibrium, correlated_equilibrium
from solvers.correlated.payoff_polygon import correlated_payoff_vertices
from solvers.dominance.iterated_dominance import DominanceReduction, iterated_dominance
from solvers.dynamics.play import Play
from solvers.many_players.logit_homotopy import LogitBranch, logit_homotopy
from solvers.many_players.polynomial_supports import (
    PolynomialEquilibria,
    polynomial_support_enumeration,
)
from solvers.many_players.pure import pure
from solvers.many_players.quantal_response import quantal_response
from solvers.populations.alpha_rank_limit import alpha_rank_limit
from solvers.solution import Meter, Solution
from solvers.trees.reduced_normal_form import all_through_normal_form, one_through_normal_form

DYNAMICS_TOLERANCE = 1e-3  # times the payoff span: what plain play reaches in seconds
DEFAULT_RATIONALITY = 1.0
FIRST_STEPS = 1_000
MOST_STEPS = 1_000_000_000  # regrets fall no further in floats


def limits_of(options: Options) -> dict[str, Any]:
    """Return budget and progress as keyword arguments."""
    return {"budget": options.budget, "on_iteration": options.on_iteration}


def plainly(solver: Callable[..., Any], game: Game, options: Options) -> Any:
    """Call with the options that were given; the row knows them all."""
    return solver(game, **options.chosen, **limits_of(options))


def all_reduced(solver: Callable[..., Any], game: ExtensiveFormGame, options: Options) -> Any:
    """Solve a tree's reduced normal form, and carry all equilibria back."""
    return all_through_normal_form(game, solver, **limits_of(options))


def one_reduced(solver: Callable[..., Any], game: ExtensiveFormGame, options: Options) -> Any:
    """Solve a tree's reduced normal form, and carry one equilibrium back."""
    return one_through_normal_form(game, solver, **limits_of(options))


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


def isolated_equilibria(game: NormalFormGame, options: Options) -> AnyEquilibria:
    """Return the equilibria of all supports, for any number of players.

    Where an equilibrium is irrational, its certificate is the box that holds it alone.
    """
    try:
        found = polynomial_support_enumeration(
            game, tolerance=options.tolerance, **limits_of(options)
        )
    except NotConverged as error:
        best = cast("PolynomialEquilibria", error.best)
        raise NotConverged(str(error), best=_with_boxes(best)) from error
    return _with_boxes(found)


def _with_boxes(found: PolynomialEquilibria) -> AnyEquilibria:
    proved = (
        solution
        if isolated is None or not solution.certificate.epsilon
        else Solution(isolated.profile, payoffs_of(isolated), isolated, solution.run)
        for solution, isolated in zip(found.found.equilibria, found.isolated, strict=True)
    )
    return replace(cast("AnyEquilibria", found.found), equilibria=tuple(proved))


def best_nash(game: NormalFormGame, options: Options) -> AnySolution:
    """Find the best equilibrium by an objective given in words."""
    words = [objective.value for objective in EquilibriumObjective]
    wanted = options.objective or words[0]
    if wanted not in words:
        raise _no_objective(wanted, words)
    _check_player(wanted, options)
    objective = EquilibriumObjective(wanted)
    return mixed_integer(
        game, objective=objective, player=options.player or 0, **limits_of(options)
    )


def correlated(kind: CorrelatedKind, game: NormalFormGame, options: Options) -> AnySolution:
    """Find a correlated equilibrium that is best by an objective given in words."""
    wanted, player = options.objective or "largest-welfare", options.player or 0
    given = {**limits_of(options)}
    if options.tolerance is not None:
        given["tolerance"] = options.tolerance
    if wanted in _EVEN:
        _check_player(wanted, options)
        return _EVEN[wanted](game, kind=kind, **given)
    objectives = {
        "largest-welfare": LinearObjective.welfare,
        "largest-payoff": partial(LinearObjective.payoff, player=player),
        "least-payoff": partial(LinearObjective.least_payoff, player=player),
    }
    objective = chosen_objective(objectives, options, others=_EVEN)
    solver = (
        coarse_correlated_equilibrium if kind is CorrelatedKind.COARSE else correlated_equilibrium
    )
    return solver(game, objective=objective(game), **given)


def chosen_objective(
    objectives: Mapping[str, Callable[..., Any]], options: Options, *, others: Iterable[str] = ()
) -> Callable[..., Any]:
    """Return what makes the objective that was asked for, by default the first.

    Raises:
        InvalidArgument: If there is none of that name, or a player is given to an objective about
            all.
    """
    wanted = options.objective or next(iter(objectives))
    if wanted not in objectives:
        raise _no_objective(wanted, (*objectives, *others))
    _check_player(wanted, options)
    return objectives[wanted]


_EVEN: Mapping[str, Callable[..., AnySolution]] = MappingProxyType(
    {
        "max-entropy": max_entropy_correlated_equilibrium,
        "max-gini": max_gini_correlated_equilibrium,
    }
)


def dynamics(solver: Callable[..., Play], game: NormalFormGame, options: Options) -> AnySolution:
    """Play ever longer until regrets are within the tolerance; the answer is empirical play."""
    span = float(np.ptp(game.payoffs)) or 1.0
    tolerance = DYNAMICS_TOLERANCE * span if options.tolerance is None else options.tolerance
    meter = Meter(options.budget, "steps", options.on_iteration)
    steps, play = FIRST_STEPS, None
    while True:
        limits = {"budget": meter.left, "on_iteration": options.on_iteration}
        start = play and play.state
        try:
            return _empirical(solver(game, steps=steps, tolerance=tolerance, start=start, **limits))
        except NotConverged as error:
            play = cast("Play | None", error.best)
            meter.iterations = play.state.steps if play else 0
            if meter.is_exhausted or meter.iterations > MOST_STEPS:
                raise NotConverged(str(error), best=play and _empirical(play)) from error
        steps *= 2


def _empirical(play: Play) -> AnySolution:
    """Answer with what the dynamics is judged by: average strategies where these reach Nash."""
    certificate = play.coarse_correlated
    if play.promises_nash:
        average = product_distribution(play.average)
        certificate = certify_coarse_correlated(play.game, average)
    return Solution(certificate.distribution, certificate.payoffs, certificate, play.run)


def _check_player(objective: str, options: Options) -> None:
    if options.player is not None and "payoff" not in objective:
        raise InvalidArgument(
            "solve: needs an objective about one player's payoff if a player is given, but the "
            f"objective is {objective!r}. Choose largest-payoff or least-payoff, or leave the "
            "player out."
        )


def _no_objective(wanted: str, known: Iterable[str]) -> InvalidArgument:
    return InvalidArgument(
        f"solve: needs a known objective, but {wanted!r} is none. Choose from: {', '.join(known)}."
    )


def correlated_payoffs_of_two(game: NormalFormGame, options: Options) -> AnySolution:
    """Return the corners of what correlated equilibria pay the first two players."""
    found = correlated_payoff_vertices(game, **limits_of(options))
    return Solution(found.vertices, (), found.certificate, found.run)


def quantal(game: NormalFormGame, options: Options) -> AnySolution:
    """Return the quantal response as an epsilon-equilibrium, which is what can be certified."""
    rationality = DEFAULT_RATIONALITY if options.rationality is None else options.rationality
    found = quantal_response(game, rationality=rationality, **limits_of(options))
    return Solution(found.nash.profile, found.nash.payoffs, found.nash, found.run)


def components(game: NormalFormGame, options: Options) -> AnySolution:
    """Return all components as one answer."""
    found = nash_components(game, **limits_of(options))
    return Solution(found.components, (), found.certificate, found.run)


def dominance(strength: Dominance, game: NormalFormGame, options: Options) -> AnySolution:
    """Return what is left after iterated elimination as one answer."""

    def answered(reduction: DominanceReduction) -> AnySolution:
        return Solution(reduction.survivors, (), reduction.certificate, reduction.run)

    try:
        return answered(iterated_dominance(game, dominance=strength, **limits_of(options)))
    except NotConverged as error:
        best = cast("DominanceReduction | None", error.best)
        raise NotConverged(str(error), best=best and answered(best)) from error


def alpha_ranking(game: NormalFormGame, options: Options) -> AnySolution:
    """Return the ranking by infinitely strong selection as one answer."""
    found = alpha_rank_limit(game, **limits_of(options))
    payoffs = correlated_payoffs(game, found.distribution)
    return Solution(found.distribution, payoffs, found.certificate, found.run)
