"""Auer, Cesa-Bianchi, Freund and Schapire 2002: EXP3's expected regret, seeing own payoffs only.

With exploration ``g``, ``n`` actions and payoffs in [0, 1] fixed in advance, expected regret is at
most ``(e - 1) g G + n ln n / g``, ``G`` being what the best action earned. Means of 400 independent
runs, batched; each must lie below the bound plus five standard errors, so that a right
implementation fails with probability below 3e-7 a test, 1e-5 in all. The bound itself is not tight:
a mean above it is no matter of luck.

Why it matters (regret): A player who sees nothing but own payoffs can still have vanishing regret,
at a known price in the number of actions.
"""

import math

import numpy as np
import pytest

from gametheory_core.testing import binomial_tail, holm
from learners import Exp3
from learners.regret import LocalMinimizer, exp3_for
from solvers.local_rules import RegretMatching
from tests.theorems.utility_sequences import drifting

theorem = pytest.mark.theorem(
    source="Auer, Cesa-Bianchi, Freund and Schapire 2002, theorem 3.1",
    statement="The expected regret of EXP3 with exploration g is at most (e - 1) g G + n ln n / g",
)
RUNS = 400


def draw(strategies, rng):
    return (rng.random((len(strategies), 1)) > strategies.cumsum(axis=1)[:, :-1]).sum(axis=1)


def regrets_of(minimizer, payoffs, *, seed=0):
    """Return the regrets of RUNS runs against payoffs (T, n) fixed in advance."""
    rng = np.random.default_rng(seed)
    state = minimizer.start(RUNS, payoffs.shape[1])
    earned = np.zeros(RUNS)
    for row in payoffs:
        actions = draw(minimizer.strategies(state), rng)
        state = minimizer.observe_own(state, actions, row[actions])
        earned += row[actions]
    return payoffs.sum(axis=0).max() - earned


def late_payoffs(steps):
    """The first action is fair to begin with; the second pays from a quarter of the time on."""
    late = np.arange(steps) >= steps // 4
    return np.stack([np.full(steps, 0.5), late.astype(float)], axis=1)


SEQUENCES = {
    "late": late_payoffs(1000),
    "drifting": drifting(1, steps=1000, actions=4, phases=3),
    "one good action": np.tile(np.eye(5)[2], (1000, 1)),
    "coins": np.random.default_rng(5).integers(2, size=(1000, 3)).astype(float),
}


@theorem
@pytest.mark.parametrize("name", SEQUENCES)
@pytest.mark.parametrize("exploration", [None, 0.3])
def test_expected_regret_is_bounded(name, exploration):
    payoffs = SEQUENCES[name]
    actions = payoffs.shape[1]
    minimizer = exp3_for(len(payoffs), actions) if exploration is None else Exp3(exploration)
    found = regrets_of(minimizer, payoffs)
    bound = (math.e - 1) * minimizer.exploration * payoffs.sum(axis=0).max()
    bound += actions * math.log(actions) / minimizer.exploration
    assert found.mean() <= bound + 5 * found.std() / math.sqrt(RUNS)
    if exploration is None:
        tuned = 2 * math.sqrt(math.e - 1) * math.sqrt(len(payoffs) * actions * math.log(actions))
        assert bound <= tuned + 1e-9


@theorem
def test_estimates_are_right_on_average():
    """The mean change of the exponents is rate times the payoffs, whatever is drawn.

    Counts of draws are judged by exact binomial tails, corrected by Holm for four tests: a right
    implementation fails with probability at most 1e-6.
    """
    minimizer = Exp3(exploration=0.2)
    payoffs, draws = np.array([0.9, 0.1, 0.5, 0.0]), 20_000
    state = {"exponents": np.tile([0.0, 0.5, -0.5, 1.0], (draws, 1))}
    strategies = minimizer.strategies(state)
    actions = draw(strategies, np.random.default_rng(7))
    counts = np.bincount(actions, minlength=4)
    tails = [
        binomial_tail(int(c), draws, float(p)) for c, p in zip(counts, strategies[0], strict=True)
    ]
    assert min(holm(tails)) > 1e-6
    mean = np.zeros(4)
    for action in range(4):  # what each draw teaches, weighted by how likely it is
        after = minimizer.observe_own(
            {"exponents": state["exponents"][:1]}, np.array([action]), payoffs[[action]]
        )
        mean += strategies[0, action] * (after["exponents"] - state["exponents"][:1])[0]
    assert mean == pytest.approx(0.2 / 4 * payoffs, abs=1e-12)


@theorem
@pytest.mark.parametrize(
    "minimizer",
    [Exp3(exploration=0.0, rate=1.0), Exp3(exploration=0.001, rate=1.0)],
    ids=["no exploration", "too large a step"],
)
def test_twin_without_exploration_or_with_a_large_step(minimizer):
    """It settles on the first action before the second one pays: regret is linear on average."""
    for steps in (1000, 4000):
        payoffs = late_payoffs(steps)
        found = regrets_of(minimizer, payoffs)
        tuned = exp3_for(steps, 2)
        bound = (math.e - 1) * tuned.exploration * payoffs.sum(axis=0).max()
        bound += 2 * math.log(2) / tuned.exploration
        assert found.mean() - 5 * found.std() / math.sqrt(RUNS) > bound
        assert regrets_of(tuned, payoffs).mean() < bound


@theorem
def test_twin_estimates_that_are_not_weighted_are_wrong():
    """Fed what was received as if others had earned nothing, regret matching locks in."""
    rng, minimizer = np.random.default_rng(0), LocalMinimizer(RegretMatching())
    state = minimizer.start(RUNS, 2)
    earned = np.zeros(RUNS)
    payoffs = np.tile([0.4, 0.6], (1000, 1))
    for row in payoffs:
        actions = draw(minimizer.strategies(state), rng)
        state = minimizer.observe(state, np.where(np.arange(2) == actions[:, None], row, 0.0))
        earned += row[actions]
    found = payoffs.sum(axis=0).max() - earned
    assert found.mean() > 60 > regrets_of(exp3_for(1000, 2), payoffs).mean()
