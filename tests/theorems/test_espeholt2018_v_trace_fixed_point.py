"""V-trace contracts to the value of the cut policy, exactly.

Let ``R`` be the mean, over ``T`` steps of play by ``mu`` from each state, of V-trace's target with
ratios cut at ``rho >= c``. If the mean of the cut ratio is at least ``beta > 0`` in every state,
then ``R`` contracts the largest error by ``1 - (1 - discount) beta`` at least, and its only fixed
point is the value of the policy in proportion to ``min(rho mu, pi)``.

Quantified over random decision processes of two states, pairs of policies, cuts and rewards, by
enumeration of all plays in rational arithmetic; no tolerance.

Twins. The fixed point is not the value of ``pi`` where the cut bites. If ``mu`` never plays what
``pi`` plays, every value is a fixed point. If ``c > rho``, errors may grow.

Why it matters (learning): Learning from another policy's data is biased when ratios are cut: this
says exactly which policy's value is learned.
"""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.advantages import v_trace

theorem = pytest.mark.theorem(
    source="Espeholt et al. 2018, theorem 1",
    statement="V-trace contracts to the value of the policy in proportion to min(rho mu, pi).",
)

STATES = ACTIONS = range(2)
ONE = Fraction(1)


def shares(*weights):
    """A lottery from whole weights."""
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


lotteries = st.tuples(st.integers(1, 4), st.integers(1, 4)).map(lambda weights: shares(*weights))
per_state = st.tuples(lotteries, lotteries)


@st.composite
def processes(draw):
    """Kernel, rewards, discount, two policies and two cuts, ``rho >= c``."""
    rho = draw(st.sampled_from([ONE, Fraction(1, 2), Fraction(3, 2)]))
    return {
        "kernel": draw(st.tuples(per_state, per_state)),
        "rewards": draw(st.tuples(*[st.tuples(*[st.integers(-3, 3)] * 2)] * 2)),
        "discount": draw(st.sampled_from([Fraction(1, 2), Fraction(9, 10)])),
        "mu": draw(per_state),
        "pi": draw(per_state),
        "rho": rho,
        "c": draw(st.sampled_from([rho, rho / 2])),
    }


def value_of(process, policy):
    """The exact value of a policy in both states, by Cramer's rule."""
    discount = process["discount"]
    paid, moves = [], []
    for s in STATES:
        paid.append(sum((policy[s][a] * process["rewards"][s][a] for a in ACTIONS), Fraction(0)))
        moves.append(
            [sum(policy[s][a] * process["kernel"][s][a][z] for a in ACTIONS) for z in STATES]
        )
    left = [[(s == z) - discount * moves[s][z] for z in STATES] for s in STATES]
    determinant = left[0][0] * left[1][1] - left[0][1] * left[1][0]
    return (
        (paid[0] * left[1][1] - paid[1] * left[0][1]) / determinant,
        (paid[1] * left[0][0] - paid[0] * left[1][0]) / determinant,
    )


def cut_policy(process):
    """In proportion to ``min(rho mu, pi)``."""
    cut = [
        [
            min(process["rho"] * m, p)
            for m, p in zip(process["mu"][s], process["pi"][s], strict=True)
        ]
        for s in STATES
    ]
    return tuple(tuple(weight / sum(row) for weight in row) for row in cut)


def mean_target(process, values, *, steps):
    """``R(values)``: each play of ``steps`` steps is a lane of one call, weighted by its chance."""
    plays = []
    for first in STATES:
        for choices in product(product(ACTIONS, STATES), repeat=steps):
            weight, state, path = ONE, first, [first]
            for action, following in choices:
                weight *= process["mu"][state][action]
                weight *= process["kernel"][state][action][following]
                state = following
                path.append(state)
            if weight:
                plays.append((weight, path, [action for action, _ in choices]))
    shape = (steps, len(plays))
    rewards, ratios = np.empty(shape, object), np.empty(shape, object)
    seen = np.empty((steps + 1, len(plays)), object)
    for lane, (_, path, actions) in enumerate(plays):
        for t, state in enumerate(path):
            seen[t, lane] = values[state]
        for t, action in enumerate(actions):
            rewards[t, lane] = Fraction(process["rewards"][path[t]][action])
            ratios[t, lane] = process["pi"][path[t]][action] / process["mu"][path[t]][action]
    found = v_trace(
        rewards=rewards,
        values=seen,
        beyond=0 * rewards,
        acts=np.ones((steps + 1, len(plays)), dtype=bool),
        is_over=np.zeros(shape, dtype=bool),
        ratios=ratios,
        discount=process["discount"],
        largest_ratio=process["rho"],
        largest_trace=process["c"],
    ).targets[0]
    total = [Fraction(0), Fraction(0)]
    for (weight, path, _), target in zip(plays, found, strict=True):
        total[path[0]] += weight * target
    return tuple(total)


def distance(one, other):
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def least_mean_ratio(process):
    return min(
        sum(
            m * min(process["rho"], p / m)
            for m, p in zip(process["mu"][s], process["pi"][s], strict=True)
        )
        for s in STATES
    )


@theorem
@given(process=processes(), steps=st.integers(1, 3))
def test_the_value_of_the_cut_policy_is_a_fixed_point(process, steps):
    value = value_of(process, cut_policy(process))
    assert mean_target(process, value, steps=steps) == value


@theorem
@given(
    process=processes(),
    steps=st.integers(1, 3),
    values=st.tuples(*[st.tuples(st.integers(-9, 9), st.integers(-9, 9))] * 2),
)
def test_errors_shrink_by_the_stated_factor(process, steps, values):
    one, other = (tuple(map(Fraction, pair)) for pair in values)
    factor = 1 - (1 - process["discount"]) * least_mean_ratio(process)
    moved = distance(
        mean_target(process, one, steps=steps), mean_target(process, other, steps=steps)
    )
    assert moved <= factor * distance(one, other)
    assert factor < 1


EXAMPLE = {
    "kernel": ((shares(1, 3), shares(3, 1)), (shares(1, 1), shares(1, 2))),
    "rewards": ((1, -2), (0, 3)),
    "discount": Fraction(1, 2),
    "mu": (shares(3, 1), shares(1, 3)),
    "pi": (shares(1, 3), shares(3, 1)),
    "rho": ONE,
    "c": ONE,
}


@theorem
def test_twin_the_value_of_the_policy_itself_is_no_fixed_point_where_the_cut_bites():
    value = value_of(EXAMPLE, EXAMPLE["pi"])
    assert mean_target(EXAMPLE, value, steps=2) != value
    uncut = dict(EXAMPLE, rho=Fraction(100), c=Fraction(100))
    assert mean_target(uncut, value, steps=2) == value


@theorem
def test_twin_every_value_stands_still_where_play_never_does_what_the_policy_does():
    blind = dict(EXAMPLE, mu=((ONE, Fraction(0)),) * 2, pi=((Fraction(0), ONE),) * 2)
    for values in ((Fraction(0), Fraction(7)), (Fraction(-5), Fraction(1))):
        assert mean_target(blind, values, steps=2) == values


@theorem
def test_twin_errors_may_grow_where_traces_are_cut_later_than_ratios():
    nearly, rarely, evenly = shares(9, 1), shares(1, 9), shares(1, 1)
    process = {
        "kernel": ((rarely, nearly), (nearly, evenly)),
        "rewards": ((0, 0), (0, 0)),
        "discount": Fraction(9, 10),
        "mu": (nearly, rarely),
        "pi": (evenly, nearly),
        "rho": Fraction(1, 2),
        "c": Fraction(10),
    }
    off, nothing = (ONE, -ONE), (Fraction(0), Fraction(0))
    assert mean_target(process, nothing, steps=3) == nothing
    assert distance(mean_target(process, off, steps=3), nothing) > Fraction(3, 2)
    tamed = dict(process, c=process["rho"])
    assert distance(mean_target(tamed, off, steps=3), nothing) < 1
