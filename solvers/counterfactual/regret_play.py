"""Playing on: batches of steps, looks at the tolerance, the end of the budget, and the proof.

What is certified is measured afterwards on the rational strategies that are returned, whatever the
rule was.
"""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from gametheory_core import NotConverged, certify_minimax
from gametheory_core.arrays import FloatArray, freeze
from gametheory_core.certificates import certify_extensive_correlated
from gametheory_core.certificates.extensive_correlated import ExtensiveCorrelatedCertificate
from gametheory_core.certificates.wording import at_most
from gametheory_core.evaluation import ExtensiveCorrelation
from gametheory_core.games.properties import payoff_sum
from gametheory_core.strategies import BehavioralMixture
from solvers.counterfactual.regret_engine import RegretEngine, RegretWork
from solvers.counterfactual.regret_rules import Iterate
from solvers.counterfactual.regret_run import (
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
    play = _Play(engine, request, meter, work, engine.state(work))
    target = work.steps + request.steps
    try:
        run = play.until(target)
    except BaseException as error:
        error.__dict__["state"] = play.kept
        raise
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


def _next_check(steps: int, growth: float) -> int:
    """Return when the tolerance is looked at next; it depends on the number of steps alone."""
    following = FIRST_CHECK
    while following <= steps:
        following = max(following + FIRST_CHECK, int(following * growth))
    return following


@dataclass
class _Play:
    """A run in motion. Lives inside one call.

    Attributes:
        kept: The state after the last batch.
        checks: Steps after which the tolerance was looked at, and epsilons as floats saw them.
    """

    engine: RegretEngine
    request: RegretRequest
    meter: Meter
    work: RegretWork
    kept: RegretState
    checks: list[tuple[int, float]] = field(default_factory=list[tuple[int, float]])

    def until(self, target: int) -> RegretRun:
        """Play to a number of steps, or until the tolerance is met or the budget ends."""
        tolerance = self.request.tolerance
        growth = RECORDED_GROWTH if self.engine.records else CHECK_GROWTH
        while self.work.steps < target and not self.meter.is_exhausted:
            if tolerance is None:
                self._advance(target)
                continue
            self._advance(min(target, _next_check(self.work.steps, growth)))
            if self._seems_done(tolerance):
                run = self._certified()
                if run.epsilon <= Fraction(tolerance):
                    return run
        return self._certified()  # may take longer than the steps

    def _advance(self, stop: int) -> None:
        """Play until ``stop`` or the end of the budget, and report after each batch."""
        meter, report, batch = self.meter, self.request.on_iteration, 1
        while self.work.steps < stop and not meter.is_exhausted:
            count = meter.at_most(min(batch, stop - self.work.steps))
            before = meter.seconds
            self.engine.advance(self.work, count)
            meter.iterations += count
            is_quick = meter.seconds - before < BATCH_SECONDS / 2
            batch = 2 * batch if is_quick else max(1, batch // 2)
            self.kept = self.engine.state(self.work)
            if report is not None:
                epsilon = self.checks[-1][1] if self.checks else None
                report(
                    RegretProgress(meter.iterations, meter.total, meter.unit, epsilon, self.kept)
                )

    def _seems_done(self, tolerance: float) -> bool:
        """Look whether the tolerance is met, up to what rounding may hide; adds to ``checks``."""
        engine, work = self.engine, self.work
        if engine.records:
            gains = engine.mixture_gains(*self._mixed(), work.steps)
            found = max(0.0, float(np.max(gains)))  # who obeys gains nothing, and may fare best so
        else:
            plans = work.arrays.plans
            if self.request.iterate is Iterate.AVERAGE:
                plans = work.arrays.totals.copy()
                for player in range(len(engine.tables.treeplexes)):
                    own = engine.tables.own(plans, player)
                    own /= own[0]
            total = float(payoff_sum(engine.tables.game))
            found = float(engine.responses(plans, work.steps).sum()) - total
        self.checks.append((work.steps, found))
        return found <= tolerance + PROBABLE_ROUNDING * engine.unit

    def _mixed(self) -> tuple[FloatArray, FloatArray]:
        """Return the behaviors that stand for play, equal ones merged, and their weights."""
        work = self.work
        if self.request.iterate is Iterate.LAST or not work.iterates:
            return work.arrays.behavior[None, :], np.ones(1)
        weights = np.array(work.iterate_steps, dtype=np.float64) ** self.engine.settings.power
        distinct, place = np.unique(np.array(work.iterates), axis=0, return_inverse=True)
        shares = np.zeros(len(distinct))
        np.add.at(shares, place.ravel(), weights / weights.sum())
        return distinct, shares

    def _certified(self) -> RegretRun:
        engine, behavior = self.engine, self.work.arrays.behavior
        tables = engine.tables
        if self.request.iterate is Iterate.AVERAGE:
            behavior = behavior_of_totals(tables, self.work.arrays.totals, behavior)
        profile = rational_profile(tables, behavior)
        return RegretRun(
            game=tables.game,
            profile=profile,
            certificate=self._coarse() if engine.records else certify_minimax(tables.game, profile),
            checked_steps=freeze(np.array([steps for steps, _ in self.checks], dtype=np.int64)),
            checked_epsilons=freeze(np.array([epsilon for _, epsilon in self.checks])),
            state=engine.state(self.work),
            run=self.meter.record(),
        )

    def _coarse(self) -> ExtensiveCorrelatedCertificate:
        behaviors, weights = self._mixed()
        drawn = [
            (share, rational_profile(self.engine.tables, behavior))
            for share, behavior in zip(rational_distribution(weights), behaviors, strict=True)
            if share
        ]
        mixture = BehavioralMixture(*map(tuple, zip(*drawn, strict=True)))
        kind = ExtensiveCorrelation.NORMAL_FORM_COARSE
        return certify_extensive_correlated(self.engine.tables.game, mixture, kind=kind)
