"""Freund and Schapire 1997: Hedge's regret, for constant and for falling rates.

With payoffs in an interval of length ``s`` and rates ``eta_t`` that never rise, regret after ``T``
steps is at most ``ln n / eta_T + s^2 sum of eta_t / 8``, on every sequence. Floats, since the rule
needs exponentials: tolerance 1e-9.

Why it matters (regret): Hedge may start fast and slow down, and its regret is still bounded on
every sequence.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.regret import LocalMinimizer, sequence_external_regret
from solvers.local_rules import Hedge
from tests.theorems.utility_sequences import coins, cycle, face, least_likely, punish_most_likely

theorem = pytest.mark.theorem(
    source="Freund and Schapire 1997",
    statement="Hedge with rates eta_t that never rise has regret at most ln n / eta_T + sum of "
    "eta_t / 8 for payoffs in [0, 1]",
)
SPANS = {least_likely: 1.0, punish_most_likely: 1.0, coins: 1.0, cycle: 2.0}


def bound(rule, actions, steps, span):
    """Before step t, t - 1 steps were played; the first strategy is uniform at any rate."""
    rates = [rule.rate / max(t - 1, 1) ** rule.decay for t in range(1, steps + 1)]
    return math.log(actions) / rates[-1] + span**2 * sum(rates) / 8


@theorem
@given(
    st.sampled_from(sorted(SPANS, key=lambda choose: choose.__name__)),
    st.integers(2, 5),
    st.integers(1, 200),
    st.sampled_from([0.0, 0.5]),
    st.floats(0.05, 3.0),
    st.integers(0, 10**6),
)
def test_regret_is_bounded(choose, actions, steps, decay, rate, seed):
    rule = Hedge(rate=rate, decay=decay)
    played, earned = face(
        LocalMinimizer(rule), choose, batch=4, actions=actions, steps=steps, seed=seed
    )
    found = sequence_external_regret(played, earned)
    assert (found <= bound(rule, actions, steps, SPANS[choose]) + 1e-9).all()


@theorem
@pytest.mark.parametrize("steps", [100, 1000, 10_000])
def test_anytime_rate_bounds_regret_at_all_times(steps):
    """With rate 2 sqrt(ln n / t) at most about sqrt(T ln n): no need to know T."""
    rule = Hedge(rate=2 * math.sqrt(math.log(3)))
    played, earned = face(LocalMinimizer(rule), least_likely, batch=1, actions=3, steps=steps)
    assert sequence_external_regret(played, earned)[0] <= math.sqrt(steps * math.log(3)) + 1


@theorem
def test_twin_a_constant_rate_serves_one_length_only():
    """Tuned for a hundred steps, regret grows linearly beyond; a falling rate goes on."""
    found = {}
    for decay in (0.0, 0.5):
        rate = math.sqrt(8 * math.log(2) / 100) if not decay else 2 * math.sqrt(math.log(2))
        played, earned = face(
            LocalMinimizer(Hedge(rate=rate, decay=decay)),
            least_likely,
            batch=1,
            actions=2,
            steps=20_000,
        )
        found[decay] = sequence_external_regret(played, earned)[0]
    assert found[0.5] <= math.sqrt(20_000 * math.log(2)) + 1 < found[0.0]


@theorem
def test_twin_larger_payoffs_break_the_bound():
    rule = Hedge(rate=0.5, decay=0.0)

    def tenfold(strategies, rng):
        return 10 * least_likely(strategies, rng)

    played, earned = face(LocalMinimizer(rule), tenfold, batch=1, actions=2, steps=300)
    assert sequence_external_regret(played, earned)[0] > bound(rule, 2, 300, 1.0)
    assert sequence_external_regret(played, earned)[0] <= bound(rule, 2, 300, 10.0)


@theorem
def test_batches_are_independent_rows():
    """A row of a batch learns as it would alone."""
    minimizer = LocalMinimizer(Hedge(rate=1.0))
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(50, 6, 4))
    together = minimizer.start(6, 4)
    alone = [minimizer.start(1, 4) for _ in range(6)]
    for utilities in rows:
        together = minimizer.observe(together, utilities)
        alone = [minimizer.observe(s, utilities[i : i + 1]) for i, s in enumerate(alone)]
    for i, state in enumerate(alone):
        assert minimizer.strategies(state)[0].tolist() == minimizer.strategies(together)[i].tolist()
