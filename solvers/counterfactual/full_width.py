"""Counterfactual regret minimization: a local rule at every information set, and a proof.

Each information set has a decision maker of its own, who sees what the actions earn *where the
others and chance let play come*, and follows a rule without regret. A player's regret in the whole
tree is at most the sum of these local regrets (their positive parts), so it grows slower than the
number of steps. In two-player zero-sum trees the average strategies therefore approach equilibrium;
in other trees play as a whole approaches the coarse correlated equilibria.

What is certified is measured afterwards on the rational strategies that are returned, whatever the
rule was.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, cast

import numpy as np

from gametheory_core import ExtensiveFormGame, certify_minimax
from gametheory_core.arrays import FloatArray, freeze
from gametheory_core.certificates import certify_extensive_correlated
from gametheory_core.certificates.extensive_correlated import ExtensiveCorrelatedCertificate
from gametheory_core.evaluation import ExtensiveCorrelation
from gametheory_core.games.properties import is_constant_sum, payoff_sum
from gametheory_core.memory import require_memory
from gametheory_core.strategies import BehavioralMixture, behavioral_mixture
from solvers.concepts import Concept
from solvers.counterfactual.regret_engine import RegretEngine, RegretWork
from solvers.counterfactual.regret_rules import (
    Averaging,
    Iterate,
    RegretRule,
    UpdateOrder,
    regret_settings,
)
from solvers.counterfactual.regret_run import (
    BATCH_SECONDS,
    CHECK_GROWTH,
    GO_ON,
    PROBABLE_ROUNDING,
    OnRegretIteration,
    RegretProgress,
    RegretRun,
    RegretState,
    check_start,
    next_check,
    require_arrival,
)
from solvers.counterfactual.sequence_tables import (
    behavior_of_totals,
    rational_profile,
    sequence_tables,
)
from solvers.local_rules import RegretMatchingPlus
from solvers.requirements import a_tree, constant_sum, perfect_recall, require_integer, two_players
from solvers.rounding import rational_distribution
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver

STEPS = 10_000  # unless told otherwise
MOST_STEPS = 1_000_000  # the same if a tolerance ends a run, most often much earlier

BYTES_PER_NODE = 300  # at the peak, which is that of the certificate
SHARE = 1e-3  # of the payoff span: what plain play reaches in seconds


def a_thousandth_of_the_span(game: ExtensiveFormGame) -> float:
    """Return what play without regret reaches in seconds, in payoff units."""
    return SHARE * (float(np.ptp(game.terminal_payoffs)) or 1.0)


def as_coarse_correlated(run: RegretRun) -> Solution[BehavioralMixture, Any]:
    """Judge recorded play, or in constant-sum games its average, as coarse correlated."""
    found = run.certificate
    if not isinstance(found, ExtensiveCorrelatedCertificate):
        mixture = behavioral_mixture([run.profile])
        kind = ExtensiveCorrelation.NORMAL_FORM_COARSE
        found = certify_extensive_correlated(run.game, mixture, kind=kind)
    return Solution(found.mixture, found.payoffs, found, run.run)


UNTIL_DONE = MappingProxyType({"tolerance": a_thousandth_of_the_span, "steps": 10**9})


@solver(
    Answers(Concept.MINIMAX, rank=30, takes=(two_players, constant_sum), default=UNTIL_DONE),
    Answers(Concept.NASH, rank=30, takes=(two_players, constant_sum), default=UNTIL_DONE),
    Answers(Concept.COARSE_CORRELATED, rank=70, default=UNTIL_DONE, read=as_coarse_correlated),
    takes=(a_tree, perfect_recall),
    unit="steps",
    because="play without regret at each information set, certified to an epsilon",
    page="counterfactual-regret",
)
def counterfactual_regret(
    game: ExtensiveFormGame,
    *,
    rule: RegretRule | None = None,
    updates: UpdateOrder | None = None,
    average: Averaging | float | None = None,
    iterate: Iterate = Iterate.AVERAGE,
    steps: int | None = None,
    tolerance: float | None = None,
    start: RegretState | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnRegretIteration | None = None,
) -> RegretRun:
    """Play a tree without regret at any information set, and certify where that leads.

    Args:
        game: Perfect recall; any number of players, any payoffs.
        rule: At every information set: ``RegretMatching()``, ``RegretMatchingPlus()`` (the
            default), ``DiscountedRegretMatching()``, ``PredictiveRegretMatchingPlus()`` or
            ``Hedge(rate)``.
        updates: Default: alternating in two-player constant-sum games, else simultaneous.
        average: Weights of steps in the average, or the power of the step's number that they are.
            Default: linear for regret matching+ and linear discounts, quadratic for other discounts
            and forecasts, else uniform.
        iterate: What answers.
        steps: Steps to play, 10,000 by default; with a tolerance the most to play, 1,000,000 by
            default. In a step every player learns once.
        tolerance: Stop as soon as ``run.epsilon`` is certified to be at most this, in payoff units.
        start: Go on from the ``state`` of an earlier run with the same options.
        budget: Time is looked at every few hundredths of a second; what has been played is then
            certified exactly, however long that takes.
        on_iteration: Called as often, with a ``RegretProgress``, which carries the state.

    Returns:
        ``certificate`` bounds the value of two-player constant-sum games from both sides. In other
        games it says what leaving recorded play before it starts would gain, and claims no Nash
        equilibrium: none need be near.

    Raises:
        InvalidArgument: If an option has a value it cannot have, or ``start`` is of another run.
        NotConverged: If the tolerance was not met, or the budget ended; ``best`` is the run so far,
            its ``state`` included.

    Any exception, a keyboard interrupt included, has the state in its attribute ``state``. A step
    takes time linear in the ends of play that differ in some sequence, for each player.

    With regret matching, a player's regret after ``T`` steps is at most ``span * sum over own
    information sets of sqrt(actions * T)`` [1]_. The last iterate need not converge.

    Sources:
        :cite:`zinkevich2007regret`.
        :cite:`tammelin2014solving`.
        :cite:`brown2019solving`.
        :cite:`farina2021faster`.

    >>> from gametheory_core import load_game
    >>> run = counterfactual_regret(load_game("kuhn_poker"), tolerance=0.01)
    >>> run.epsilon <= 0.01
    True
    """
    if steps is None:
        steps = STEPS if tolerance is None else MOST_STEPS
    require_integer(steps, name="steps", low=1)
    meter = open_meter(budget, cast("OnIteration | None", on_iteration), total=steps)
    meets_two = game.num_players == 2 and bool(is_constant_sum(game))
    settings = regret_settings(rule or RegretMatchingPlus(), updates, average, meets_two=meets_two)
    require_memory(
        BYTES_PER_NODE * game.num_nodes,
        what=f"play in the {game.num_nodes:,} nodes of {game!r}",
        remedy="Use monte_carlo_counterfactual_regret, which holds only what it meets.",
    )
    tables = sequence_tables(game)
    check_start(game, tables.num_sequences, settings, start)
    engine = RegretEngine(tables, settings, records=not meets_two)
    work = engine.start(start)
    target = work.steps + steps
    play = _Play(engine, iterate, tolerance, on_iteration, meter, work, engine.state(work))
    try:
        run = play.until(target)
    except BaseException as error:
        error.__dict__["state"] = play.kept
        raise
    require_arrival(run, steps=steps, target=target, tolerance=tolerance, remedy=_way_out(engine))
    return run


RECORDED_GROWTH = 1.25  # the same where all recorded iterates are measured
SPARSE_GROWTH = 2.0  # the same where nothing depends on it but the curve


def _way_out(engine: RegretEngine) -> str:
    if engine.is_too_deep:
        return (
            "Some information sets lie so many own moves deep that floats cannot hold the "
            "probability of coming there, and little is learned about them: take sequence_form_lp "
            "or backward_induction, which multiply nothing along a play."
        )
    return GO_ON


@dataclass
class _Play:
    """A run in motion. Lives inside one call.

    Attributes:
        kept: The state after the last batch.
        checks: Steps after which epsilon was looked at, and what floats saw.
    """

    engine: RegretEngine
    iterate: Iterate
    tolerance: float | None
    on_iteration: OnRegretIteration | None
    meter: Meter
    work: RegretWork
    kept: RegretState
    checks: list[tuple[int, float]] = field(default_factory=list[tuple[int, float]])

    def until(self, target: int) -> RegretRun:
        """Play to a number of steps, or until the tolerance is met or the budget ends."""
        tolerance = self.tolerance
        growth = RECORDED_GROWTH if self.engine.records else CHECK_GROWTH
        if tolerance is None and self.engine.records:
            growth = SPARSE_GROWTH
        while self.work.steps < target and not self.meter.is_exhausted:
            self._advance(min(target, next_check(self.work.steps, growth)))
            found = self._look()
            if tolerance is not None and found <= tolerance + PROBABLE_ROUNDING * self.engine.unit:
                run = self._certified()
                if run.epsilon <= Fraction(tolerance):
                    return run
        return self._certified()  # may take longer than the steps

    def _advance(self, stop: int) -> None:
        """Play until ``stop`` or the end of the budget, and report after each batch."""
        meter, report, batch = self.meter, self.on_iteration, 1
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

    def _look(self) -> float:
        """Return the epsilon as floats see it; adds to ``checks``."""
        engine, work = self.engine, self.work
        if engine.records:
            gains = engine.mixture_gains(*self._mixed(), work.steps)
            found = max(0.0, float(np.max(gains)))  # who obeys gains nothing, and may fare best so
        else:
            plans = work.arrays.plans
            if self.iterate is Iterate.AVERAGE:
                plans = work.arrays.totals.copy()
                for player in range(len(engine.tables.treeplexes)):
                    own = engine.tables.own(plans, player)
                    own /= own[0]
            total = float(payoff_sum(engine.tables.game))
            found = float(engine.responses(plans, work.steps).sum()) - total
        self.checks.append((work.steps, found))
        return found

    def _mixed(self) -> tuple[FloatArray, FloatArray]:
        """Return the behaviors that stand for play, equal ones merged, and their weights."""
        work = self.work
        if self.iterate is Iterate.LAST or not work.iterates:
            return work.arrays.behavior[None, :], np.ones(1)
        weights = np.array(work.iterate_steps, dtype=np.float64) ** self.engine.settings.power
        distinct, place = np.unique(np.array(work.iterates), axis=0, return_inverse=True)
        shares = np.zeros(len(distinct))
        np.add.at(shares, place.ravel(), weights / weights.sum())
        return distinct, shares

    def _certified(self) -> RegretRun:
        engine, behavior = self.engine, self.work.arrays.behavior
        tables = engine.tables
        if self.iterate is Iterate.AVERAGE:
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
