"""Counterfactual regret minimization: a local rule at every information set, and a proof.

Each information set has a decision maker of its own, who sees what the actions earn *where the
others and chance let play come*, and follows a rule without regret. A player's regret in the whole
tree is at most the sum of these local regrets (their positive parts), so it grows slower than the
number of steps. In two-player zero-sum trees the average strategies therefore approach equilibrium;
in other trees play as a whole approaches the coarse correlated equilibria.
"""

from types import MappingProxyType
from typing import Any, cast

import numpy as np

from gametheory_core.certificates import certify_extensive_correlated
from gametheory_core.certificates.extensive_correlated import ExtensiveCorrelatedCertificate
from gametheory_core.evaluation import ExtensiveCorrelation
from gametheory_core.games import ExtensiveFormGame, is_constant_sum
from gametheory_core.strategies import BehavioralMixture, behavioral_mixture
from solvers.concepts import Concept
from solvers.counterfactual.regret_engine import RegretEngine
from solvers.counterfactual.regret_play import RegretRequest, run_regret
from solvers.counterfactual.regret_rules import (
    Averaging,
    Iterate,
    RegretRule,
    UpdateOrder,
    regret_settings,
)
from solvers.counterfactual.regret_run import OnRegretIteration, RegretRun, RegretState, check_start
from solvers.counterfactual.sequence_tables import sequence_tables
from solvers.local_rules import RegretMatchingPlus
from solvers.requirements import a_tree, constant_sum, perfect_recall, require_integer, two_players
from solvers.solution import UNLIMITED, Budget, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver

STEPS = 10_000  # unless told otherwise
MOST_STEPS = 1_000_000  # the same if a tolerance ends a run, most often much earlier

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
        iterate: Whether the average or the last strategies answer.
        steps: Steps to play, 10,000 by default; with a tolerance the most to play, 1,000,000 by
            default. In a step every player learns once.
        tolerance: Stop as soon as ``run.epsilon`` is certified to be at most this, in payoff units.
        start: Go on from the ``state`` of an earlier run with the same options.
        budget: Iterations are steps. A limit on time is looked at every few hundredths of a second;
            what has been played is then certified exactly, however long that takes.
        on_iteration: Called with a ``RegretProgress``, which carries the state, every few
            hundredths of a second.

    Returns:
        ``certificate`` bounds the value of two-player constant-sum games from both sides. In other
        games it says what leaving recorded play before it starts would gain, and claims no Nash
        equilibrium: none need be near.

    Raises:
        InvalidArgument: If an option has a value it cannot have, or ``start`` belongs to another
            run.
        NotConverged: If the tolerance was not met, or the budget ended; ``best`` is the run so far,
            its ``state`` included.

    A run that ends by any exception, a keyboard interrupt included, leaves its state in the
    exception's attribute ``state``. A step takes time linear in the number of ends of play that
    differ in some player's sequence, for each player.

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
    tables = sequence_tables(game)
    check_start(game, tables.num_sequences, settings, start)
    engine = RegretEngine(tables, settings, records=not meets_two)
    return run_regret(engine, RegretRequest(iterate, steps, tolerance, on_iteration), start, meter)
