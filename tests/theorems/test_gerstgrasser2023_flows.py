"""Gerstgrasser and Parkes 2023, theorems 1 and 2: where gradients lead, with queries and without.

From one half everywhere, the gradient against hidden best responses ends in being exploited, and
that of the leader POMDP at tit-for-tat. Neither is so from everywhere: some starts are good without
queries, and some bad with them, so that a POMDP alone does not make gradients find its optimum.

Why it matters (followers): It shows why a leader's gradient must pass through the follower's
queries, and that this alone is no guarantee.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import leaders, load_game
from solvers.leaders import FlowEnd, Parametrization, hidden_query_flow, queried_flow
from tests.sample_sizes import examples
from tests.theorems.modified_dilemma import dilemma, stochastic

SOURCE = "Gerstgrasser and Parkes 2023, theorems 1 and 2"
hidden = pytest.mark.theorem(
    source=SOURCE,
    statement="Against hidden best responses the gradient flow from one half forgets to retaliate.",
)
queried = pytest.mark.theorem(
    source=SOURCE,
    statement="With queries in play the gradient flow from one half ends at tit-for-tat.",
)
HALF = (Fraction(1, 2),) * 3
HORIZONS = [2, 3, 4, 5, 10, 20, 50]
both_ways = pytest.mark.parametrize("parametrization", Parametrization)


def defections(flow):
    """The probabilities of D after the start, after C and after D, over time."""
    return flow.lotteries[:, :, 1].T


@hidden
@both_ways
@pytest.mark.parametrize("horizon", [3, 5, 10, 20])
def test_hidden_flow_forgets_to_retaliate(horizon, parametrization):
    view = dilemma(horizon)
    flow = hidden_query_flow(view, stochastic(HALF), parametrization=parametrization)
    first, after_c, after_d = defections(flow)
    assert flow.end is FlowEnd.REST
    assert (np.diff(after_d) <= 0).all()
    assert np.diff(after_d).min() < 0
    assert abs(after_c - 0.5).max() < 1e-12
    assert max(first[-1], after_d[-1]) < 1e-3
    assert abs(float(leaders.follower_response(view, flow.last).returns[0]) + 2 * horizon) < 1e-2


@hidden
@examples(15)
@given(
    st.fractions(0, Fraction(3, 8), max_denominator=16),
    st.fractions(Fraction(1, 16), Fraction(1, 2), max_denominator=16),
    st.integers(3, 10),
)
def test_good_start_twin_flows_to_an_optimum(after_c, more, horizon):
    """Where the follower cooperates from the start, nothing is lost by hidden queries."""
    after_d = min(Fraction(1), after_c + Fraction(1, 2) + more)
    view = dilemma(horizon)
    flow = hidden_query_flow(view, stochastic((Fraction(1, 2), after_c, after_d)))
    assert abs(defections(flow)[2] - float(after_d)).max() == 0
    assert defections(flow)[1][-1] == 0
    assert leaders.follower_response(view, flow.last).returns[0] == -2


@queried
@both_ways
@pytest.mark.parametrize("horizon", HORIZONS)
def test_queried_flow_ends_at_tit_for_tat(horizon, parametrization):
    view = dilemma(horizon)
    flow = queried_flow(view, stochastic(HALF), parametrization=parametrization)
    assert flow.end is FlowEnd.REST
    assert (np.diff(flow.returns) > -1e-9).all()
    assert abs(flow.returns[-1] + 2) < 1e-2
    assert abs(defections(flow)[:, -1] - [0, 0, 1]).max() < 1e-2
    exact = leaders.queried_gradient(
        view, flow.last, lambda plan: leaders.follower_response(view, plan).policy
    )
    assert abs(float(exact.value) - flow.returns[-1]) < 1e-9


@queried
@both_ways
@pytest.mark.parametrize("horizon", HORIZONS[1:])
def test_queried_flow_against_memoryless_followers(horizon, parametrization):
    flow = queried_flow(
        dilemma(horizon),
        stochastic(HALF),
        parametrization=parametrization,
        follower_class=leaders.FollowerClass.STATIONARY,
    )
    assert abs(flow.returns[-1]) < 1e-2
    assert abs(defections(flow)[:, -1] - [0, 0, 1]).max() < 1e-2


@queried
@both_ways
@pytest.mark.parametrize("last", [0, 2])
@pytest.mark.parametrize("horizon", HORIZONS)
def test_formula_flows_to_tit_for_tat(horizon, last, parametrization):
    """The return of two replies by Euler steps of its own, whatever the game and the library."""
    theta, steps = np.full(3, 0.5), horizon - 1
    for _ in range(6_000):
        likely = (1 - theta[1]) * theta[2]
        gap = steps * (2 + theta[2] - theta[1]) + 2 - last
        slope = np.array([-1.0, -likely * steps - theta[2] * gap, 0.0])
        slope[2] = (1 - theta[1]) * gap - (1 - likely) * steps
        if parametrization is Parametrization.DIRECT:
            theta = np.clip(theta + 0.02 / horizon * slope, 0, 1)
        else:
            logits = np.log(theta / (1 - theta)) + 0.5 * theta * (1 - theta) * slope
            theta = 1 / (1 + np.exp(-logits))
    likely = (1 - theta[1]) * theta[2]
    value = likely * (-theta[0] - steps * theta[1] - last)
    value += (1 - likely) * (-2 - theta[0] - steps * (2 + theta[2]))
    assert abs(value + last) < 1e-2


@queried
@both_ways
@pytest.mark.parametrize("horizon", [5, 10])
def test_sticking_start_twin(horizon, parametrization):
    """From much defection after C, not to retaliate is a local optimum, far from the best."""
    start = (Fraction(1, 2), Fraction(99, 100), Fraction(1, 50))
    flow = queried_flow(dilemma(horizon), stochastic(start), parametrization=parametrization)
    _, after_c, after_d = defections(flow)
    assert after_d[-1] < 1e-2
    assert after_c[-1] > 0.9
    assert flow.returns[-1] < -2 * horizon + 0.1


@queried
@pytest.mark.parametrize(
    ("name", "commitment", "reached", "spread"),
    [
        ("prisoners_dilemma", -11, -10.6971, {1: 0.162}),
        ("prisoners_delight", -10, -8.75, {3: 0.5}),
        ("deadlock", -10, -9.8819, {}),
    ],
)
def test_twin_of_flows_beyond_commitment(name, commitment, reached, spread):
    """In other games the flow ends at lots that beat all deterministic commitments.

    Answers are drawn apart from play: that is no Stackelberg equilibrium but a lie told by chance.
    """
    view = leaders.leader_view(load_game(f"iterated_{name}:rounds=10"))
    best = max(
        leaders.follower_response(view, plan).returns[0] for plan in leaders.leader_policies(view)
    )
    flow = queried_flow(view, stochastic((Fraction(1, 2),) * 5))
    assert best == commitment < flow.returns[-1]
    assert flow.returns[-1] == pytest.approx(reached, abs=1e-3)
    for seen, chance in spread.items():
        assert flow.lotteries[-1, seen, 1] == pytest.approx(chance, abs=1e-2)
    exact = leaders.queried_gradient(
        view, flow.last, lambda plan: leaders.follower_response(view, plan).policy
    )
    assert exact.value > commitment
