"""Playing on: batches of steps, looks at the tolerance, the end of the budget, and the proof.

What is certified is measured afterwards on the rational strategies that are returned, whatever the
rule was.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import cast

import numpy as np

from gametheory_core.arrays import FloatArray, freeze
from gametheory_core.certificates.equilibrium import certify_minimax
from gametheory_core.certificates.extensive_correlated import (
    ExtensiveCorrelatedCertificate,
    certify_extensive_correlated,
)
from gametheory_core.certificates.wording import at_most, rationals
from gametheory_core.errors import NotConverged
from gametheory_core.evaluation.triggers import ExtensiveCorrelation
from gametheory_core.games.properties import payoff_sum
from gametheory_core.strategies.correlated import BehavioralMixture
from solvers.counterfactual.regret_engine import RegretEngine, RegretWork
from solvers.counterfactual.regret_rules import Iterate
from solvers.counterfactual.regret_run import (
    Evidence,
    OnRegretIteration,
    RegretProgress,
    RegretRun,
    RegretState,
)
from solvers.counterfactual.sequence_tables import behavior_of_totals, rational_profile
from solvers.rounding import rational_distribution
from solvers.solution import Meter

FIRST_CHECK = 8  # steps before the tolerance is looked at first
CHECK_GROWTH = 1.1  # between looks; at most so much more is played than needed
RECORDED_GROWTH = 1.25  # the same where all recorded iterates are measured
BATCH_SECONDS = 0.05  # between two reports, if steps are quicker
PROBABLE_ROUNDING = 1e-12  # a distance in multiples of the largest payoff that floats cannot judge


@dataclass(frozen=True)
class RegretRequest:
    """What is asked of a run.

    Attributes:
        iterate: What answers.
        steps: Steps to play, at most, if there is a tolerance.
        tolerance: Epsilon that is good enough, in payoff units.
        on_iteration: Whom to report to.
    """

    iterate: Iterate
    steps: int
    tolerance: float | None
    on_iteration: OnRegretIteration | None


def run_regret(
    engine: RegretEngine, request: RegretRequest, start: RegretState | None, meter: Meter
) -> RegretRun:
    """Play, look at the tolerance now and then, and certify.

    Raises:
        NotConverged: If the tolerance was not met, or the budget ended; ``best`` is the run so far.
    """
    work = engine.start(start)
    target = work.steps + request.steps
    checks: list[tuple[int, float]] = []
    kept = [engine.state(work)]
    try:
        while work.steps < target and not meter.is_exhausted:
            stop = target
            if request.tolerance is not None:
                growth = RECORDED_GROWTH if engine.records else CHECK_GROWTH
                stop = min(stop, _next_check(work.steps, growth))
            _advance(engine, work, stop, meter, partial(_report, engine, request, checks), kept)
            if request.tolerance is not None and _seems_done(engine, work, request, checks):
                run = _certified(engine, work, request, checks, meter)
                if run.epsilon <= Fraction(request.tolerance):
                    return run
        run = _certified(engine, work, request, checks, meter)  # may take longer than the steps
    except BaseException as error:
        error.__dict__["state"] = kept[0]
        raise
    return _ended(run, engine, request, target)


def _ended(run: RegretRun, engine: RegretEngine, request: RegretRequest, target: int) -> RegretRun:
    """Return a run that has played all steps, unless a tolerance was promised."""
    if request.tolerance is not None and run.epsilon > Fraction(request.tolerance):
        raise NotConverged(
            needs=f"an epsilon of at most {request.tolerance}",
            found=f"after {run.state.steps} steps it is {at_most(run.epsilon)}",
            remedy=_way_out(engine),
            best=run,
        )
    if request.tolerance is None and run.state.steps < target:
        raise NotConverged(
            needs=f"{request.steps} steps",
            found=f"the budget ended {target - run.state.steps} before that",
            remedy="Give a larger budget; start=error.best.state goes on from here.",
            best=run,
        )
    return run


def _way_out(engine: RegretEngine) -> str:
    if engine.is_too_deep:
        return (
            "Some information sets lie so many own moves deep that floats cannot hold the "
            "probability of coming there, and little is learned about them: take sequence_form_lp "
            "or backward_induction, which multiply nothing along a play."
        )
    return "Give more steps or a larger budget; start=error.best.state goes on from here."


def _advance(
    engine: RegretEngine,
    work: RegretWork,
    stop: int,
    meter: Meter,
    report: Callable[[RegretWork, Meter], None],
    kept: list[RegretState],
) -> None:
    """Play until ``stop`` or the end of the budget; ``kept[0]`` is the state after each batch."""
    batch = 1
    while work.steps < stop and not meter.is_exhausted:
        count = meter.at_most(min(batch, stop - work.steps))
        before = meter.seconds
        engine.advance(work, count)
        meter.iterations += count
        batch = 2 * batch if meter.seconds - before < BATCH_SECONDS / 2 else max(1, batch // 2)
        kept[0] = engine.state(work)
        report(work, meter)


def _report(
    engine: RegretEngine,
    request: RegretRequest,
    checks: list[tuple[int, float]],
    work: RegretWork,
    meter: Meter,
) -> None:
    if request.on_iteration is not None:
        epsilon = checks[-1][1] if checks else None
        request.on_iteration(
            RegretProgress(meter.iterations, meter.total, meter.unit, epsilon, engine.state(work))
        )


def _next_check(steps: int, growth: float) -> int:
    """Return when the tolerance is looked at next; it depends on the number of steps alone."""
    following = FIRST_CHECK
    while following <= steps:
        following = max(following + FIRST_CHECK, int(following * growth))
    return following


def _seems_done(
    engine: RegretEngine, work: RegretWork, request: RegretRequest, checks: list[tuple[int, float]]
) -> bool:
    """Tell whether the tolerance seems met, up to what rounding may hide; adds to ``checks``."""
    if engine.records:
        behaviors, weights = _mixed(engine, work, request.iterate)
        gains = engine.mixture_gains(behaviors, weights, work.steps)
        found = max(0.0, float(np.max(gains)))  # who obeys gains nothing, and may fare best so
    else:
        plans = work.arrays.plans
        if request.iterate is Iterate.AVERAGE:
            plans = work.arrays.totals.copy()
            for player in range(len(engine.tables.treeplexes)):
                own = engine.tables.own(plans, player)
                own /= own[0]
        total = float(payoff_sum(engine.tables.game))
        found = float(engine.responses(plans, work.steps).sum()) - total
    checks.append((work.steps, found))
    return found <= cast("float", request.tolerance) + PROBABLE_ROUNDING * engine.unit


def _mixed(
    engine: RegretEngine, work: RegretWork, iterate: Iterate
) -> tuple[FloatArray, FloatArray]:
    """Return the behaviors that stand for play, equal ones merged, and their weights."""
    if iterate is Iterate.LAST or not work.iterates:
        return work.arrays.behavior[None, :], np.ones(1)
    weights = np.array(work.iterate_steps, dtype=np.float64) ** engine.settings.power
    distinct, place = np.unique(np.array(work.iterates), axis=0, return_inverse=True)
    shares = np.zeros(len(distinct))
    np.add.at(shares, place.ravel(), weights / weights.sum())
    return distinct, shares


def _certified(
    engine: RegretEngine,
    work: RegretWork,
    request: RegretRequest,
    checks: list[tuple[int, float]],
    meter: Meter,
) -> RegretRun:
    tables, behavior = engine.tables, work.arrays.behavior
    if request.iterate is Iterate.AVERAGE:
        behavior = behavior_of_totals(tables, work.arrays.totals, behavior)
    profile = rational_profile(tables, behavior)
    certificate: Evidence
    if engine.records:
        certificate = _coarse(engine, work, request.iterate)
    else:
        certificate = certify_minimax(tables.game, profile)
    return RegretRun(
        game=tables.game,
        profile=profile,
        certificate=certificate,
        checked_steps=freeze(np.array([steps for steps, _ in checks], dtype=np.int64)),
        checked_epsilons=freeze(np.array([epsilon for _, epsilon in checks])),
        state=engine.state(work),
        run=meter.record(),
    )


def _coarse(
    engine: RegretEngine, work: RegretWork, iterate: Iterate
) -> ExtensiveCorrelatedCertificate:
    behaviors, weights = _mixed(engine, work, iterate)
    shares = rationals(rational_distribution(weights))
    drawn = [
        (share, rational_profile(engine.tables, behavior))
        for share, behavior in zip(shares, behaviors, strict=True)
        if share
    ]
    mixture = BehavioralMixture(
        tuple(share for share, _ in drawn), tuple(profile for _, profile in drawn)
    )
    kind = ExtensiveCorrelation.NORMAL_FORM_COARSE
    return certify_extensive_correlated(engine.tables.game, mixture, kind=kind)
