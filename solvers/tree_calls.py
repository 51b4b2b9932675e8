"""How the algorithms of trees are called, and how their results become solutions."""

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import numpy as np

from gametheory_core.certificates.claim import Certificate
from gametheory_core.certificates.extensive_correlated import (
    ExtensiveCorrelatedCertificate,
    certify_extensive_correlated,
)
from gametheory_core.certificates.linear_objective import LinearObjective
from gametheory_core.errors import NotConverged
from gametheory_core.evaluation.triggers import ExtensiveCorrelation
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.strategies.mixture import behavioral_mixture
from solvers.calls import DYNAMICS_TOLERANCE, MOST_STEPS, chosen_objective, limits_of
from solvers.concepts import AnySolution, Options
from solvers.counterfactual.counterfactual_regret import counterfactual_regret
from solvers.counterfactual.regret_run import RegretRun
from solvers.solution import Solution


def tree_correlated(
    solver: Callable[..., AnySolution], game: ExtensiveFormGame, options: Options
) -> AnySolution:
    """Find a correlated equilibrium of a tree that is best by an objective given in words."""
    player = options.player or 0
    objectives = {
        "largest-welfare": LinearObjective.welfare,
        "largest-payoff": partial(LinearObjective.payoff, player=player),
        "least-payoff": partial(LinearObjective.least_payoff, player=player),
    }
    objective = chosen_objective(objectives, options)
    return solver(game, objective=objective(game), **limits_of(options))


def regret_play(game: ExtensiveFormGame, options: Options) -> AnySolution:
    """Play a constant-sum tree without regret until its value is known to the tolerance."""
    return _played(game, options, lambda run: run.certificate)


def coarse_regret_play(game: ExtensiveFormGame, options: Options) -> AnySolution:
    """Play a tree without regret until leaving before play starts gains little enough."""
    return _played(game, options, _coarse)


def _played(
    game: ExtensiveFormGame, options: Options, proof: Callable[[RegretRun], Certificate]
) -> AnySolution:
    span = float(np.ptp(game.terminal_payoffs)) or 1.0
    asked = options.tolerance
    tolerance = DYNAMICS_TOLERANCE * span if asked is None else float(asked)

    def certified(run: RegretRun) -> AnySolution:
        certificate = proof(run)
        return Solution(certificate.answer, certificate.payoffs, certificate, run.run)

    try:
        return certified(
            counterfactual_regret(
                game, tolerance=tolerance, steps=MOST_STEPS, **cast("Any", limits_of(options))
            )
        )
    except NotConverged as error:
        best = cast("RegretRun | None", error.best)
        raise NotConverged(str(error), best=best and certified(best)) from error


def _coarse(run: RegretRun) -> ExtensiveCorrelatedCertificate:
    """Measure recorded play, or in constant-sum games its average, as coarse correlated."""
    if isinstance(run.certificate, ExtensiveCorrelatedCertificate):
        return run.certificate
    return certify_extensive_correlated(
        run.game,
        behavioral_mixture([run.profile]),
        kind=ExtensiveCorrelation.NORMAL_FORM_COARSE,
    )
