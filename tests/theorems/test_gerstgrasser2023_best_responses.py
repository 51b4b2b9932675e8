"""Gerstgrasser and Parkes 2023, appendix D: how a follower answers each memoryless leader.

The proof says that always cooperating is the best response to tit-for-tat. That needs the right
follower: cooperating at a step costs 1 and gains ``2 discount (theta_D - theta_C)`` at the next, so
that an unrestricted follower defects at the last step. A follower that sees the other's last action
alone cannot tell the last step; it always cooperates if there are enough steps.

Why it matters (followers): The paper's example stands on one best response, which is right for one
kind of follower and wrong for the other.
"""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import leaders
from tests.sample_sizes import examples
from tests.theorems.modified_dilemma import (
    AFTER_C,
    AFTER_D,
    FOLLOWER,
    LEADER,
    PURE,
    TIT_FOR_TAT,
    best_memoryless,
    best_plan,
    dilemma,
    is_positive,
    leader_experiences,
    memoryless_returns,
    memoryless_run,
    plan_returns,
    return_polynomial,
    stochastic,
    timed_plan,
)

SOURCE = "Gerstgrasser and Parkes 2023, appendix D"
unrestricted = pytest.mark.theorem(
    source=SOURCE,
    statement="Against tit-for-tat an unrestricted follower cooperates, but for the last step, if "
    "and only if the discount exceeds 1/2; against the other pure leaders it always defects.",
)
memoryless = pytest.mark.theorem(
    source=SOURCE,
    statement="A memoryless follower always cooperates against tit-for-tat if there are enough "
    "steps, and always defects against the other pure leaders.",
)
exploring = pytest.mark.theorem(
    source=SOURCE,
    statement="Against an exploring leader whose greedy policy is tit-for-tat followers cooperate "
    "if and only if there is little exploration.",
)
experiences = pytest.mark.theorem(
    source=SOURCE,
    statement="Against a follower who responds at once, pure leaders meet four experiences only.",
)
CHANCES = st.fractions(0, 1, max_denominator=12)
DISCOUNTS = st.fractions(Fraction(1, 20), 1, max_denominator=20)
LISTED = [Fraction(n) for n in ("1/4", "1/2", "3/5", "9/10", "1")]
ALWAYS_C, ALWAYS_D = (0, 0, 0), (1, 1, 1)
OTHERS = tuple(theta for theta in PURE if theta not in TIT_FOR_TAT)


def all_plans(horizon):
    return np.array(list(product((0, 1), repeat=horizon)))


def scaled_returns(theta, horizon, discount):
    """The follower's returns of all plans against a pure leader, as integers."""
    plans = all_plans(horizon)
    first = np.full((len(plans), 1), theta[0])
    leader = np.hstack([first, np.array(theta)[1 + plans[:, :-1]]])
    weights = [
        discount.numerator**t * discount.denominator ** (horizon - 1 - t) for t in range(horizon)
    ]
    return plans, np.array(FOLLOWER)[leader, plans] @ np.array(weights)


def best_plans(theta, horizon, discount):
    plans, returns = scaled_returns(theta, horizon, discount)
    return {tuple(plan) for plan in plans[returns == returns.max()].tolist()}


@unrestricted
@pytest.mark.parametrize("discount", LISTED)
def test_best_plans_of_all(discount):
    """All plans of up to eight steps."""
    for horizon in range(1, 9):
        defect = (1,) * horizon
        patient = (0,) * (horizon - 1) + (1,)
        for theta in OTHERS:
            assert best_plans(theta, horizon, discount) == {defect}
        for theta in TIT_FOR_TAT:
            found = best_plans(theta, horizon, discount)
            if discount == Fraction(1, 2):
                assert found == {(*start, 1) for start in product((0, 1), repeat=horizon - 1)}
            else:
                assert found == {patient if discount > Fraction(1, 2) else defect}


@unrestricted
@given(st.tuples(CHANCES, CHANCES, CHANCES), DISCOUNTS, st.integers(1, 6))
def test_one_comparison_decides_against_every_memoryless_leader(theta, discount, horizon):
    """The gain from cooperating at a step is the same whatever else the follower does."""
    for plan in product((0, 1), repeat=horizon):
        for t in range(horizon):
            other = (*plan[:t], 1 - plan[t], *plan[t + 1 :])
            gain = 2 * discount * (theta[2] - theta[1]) - 1 if t < horizon - 1 else -1
            change = discount**t * gain * (1 if other[t] == 0 else -1)
            returns = [plan_returns(theta, own, discount)[1] for own in (plan, other)]
            assert returns[1] - returns[0] == change


@unrestricted
@given(st.tuples(CHANCES, CHANCES, CHANCES), DISCOUNTS, st.integers(2, 6))
def test_library_finds_these_plans(theta, discount, horizon):
    view = dilemma(horizon, discount)
    plan = best_plan(theta, horizon, discount)
    response = leaders.follower_response(view, stochastic(theta))
    assert response.returns[1] == plan_returns(theta, plan, discount)[1]
    assert leaders.leader_returns(view, stochastic(theta), timed_plan(view, plan)) == plan_returns(
        theta, plan, discount
    )
    if 2 * discount * (theta[2] - theta[1]) != 1:
        assert response.returns == plan_returns(theta, plan, discount)


@unrestricted
def test_leaders_values_of_ten_steps():
    values = {(0, 0, 0): -20, (0, 1, 0): -20, (1, 0, 0): -21, (1, 1, 0): -21}
    values |= {(0, 1, 1): -29, (1, 1, 1): -30, (0, 0, 1): -2, (1, 0, 1): -3}
    view = dilemma(10)
    for theta, value in values.items():
        assert leaders.follower_response(view, stochastic(theta)).returns[0] == value
        assert plan_returns(theta, best_plan(theta, 10), 1)[0] == value


@unrestricted
@examples(20)
@given(DISCOUNTS, st.integers(1, 8), st.sampled_from(PURE))
def test_always_cooperating_is_never_best(discount, horizon, theta):
    """What the printed proof claims against tit-for-tat is false for an unrestricted follower."""
    plans, returns = scaled_returns(theta, horizon, discount)
    assert not plans[0].any()
    assert returns[0] < returns.max()


def realized_behaviors(theta, horizon, discount):
    best = best_memoryless(theta, horizon, discount)
    return {memoryless_run(theta, follower, horizon) for follower in best}


def behavior(theta, follower, horizon):
    return memoryless_run(theta, follower, horizon)


@memoryless
@pytest.mark.parametrize(
    ("discount", "enough"),
    [
        *((Fraction(n, 100), (4, 5)) for n in (70, 80, 90, 95, 99, 100)),
        *((Fraction(n, 20), (5, 5)) for n in (11, 12)),
    ],
)
def test_always_cooperating_is_realized_from_four_or_five_steps_on(discount, enough):
    for theta, steps in zip(TIT_FOR_TAT, enough, strict=True):
        for horizon in range(1, 13):
            cooperates = behavior(theta, ALWAYS_C, horizon)
            found = realized_behaviors(theta, horizon, discount)
            assert (found == {cooperates}) == (horizon >= steps)
            is_tied = discount == 1 and horizon == steps - 1
            assert (cooperates in found) == (horizon >= steps or is_tied)


@memoryless
@pytest.mark.parametrize("discount", [Fraction(1, 4), Fraction(2, 5), Fraction(1, 2)])
def test_impatient_twin_defects(discount):
    for theta in TIT_FOR_TAT:
        for horizon in range(1, 13):
            found = realized_behaviors(theta, horizon, discount)
            assert behavior(theta, ALWAYS_D, horizon) in found
            assert behavior(theta, ALWAYS_C, horizon) not in found


@memoryless
@pytest.mark.parametrize("discount", [*LISTED, Fraction(99, 100)])
def test_other_leaders_are_always_defected(discount):
    for theta in OTHERS:
        for horizon in range(1, 13):
            always = behavior(theta, ALWAYS_D, horizon)
            assert realized_behaviors(theta, horizon, discount) == {always}


@memoryless
def test_library_finds_memoryless_responses():
    for horizon in range(2, 9):
        view = dilemma(horizon)
        for theta in PURE:
            best = best_memoryless(theta, horizon)
            returns = [memoryless_returns(theta, follower, horizon) for follower in best]
            for ties, pick in (
                (leaders.FollowerTies.STRONG, max),
                (leaders.FollowerTies.WEAK, min),
            ):
                response = leaders.follower_response(
                    view,
                    stochastic(theta),
                    follower_class=leaders.FollowerClass.STATIONARY,
                    ties=ties,
                )
                assert response.returns == pick(returns)
                assert isinstance(response.policy, leaders.StationaryFollower)
    view = dilemma(10)
    for theta, value in zip(TIT_FOR_TAT, (0, -1), strict=True):
        response = leaders.follower_response(
            view, stochastic(theta), follower_class=leaders.FollowerClass.STATIONARY
        )
        assert response.returns[0] == value


@exploring
@given(
    st.fractions(Fraction(11, 20), 1, max_denominator=20),
    st.fractions(0, 1, max_denominator=1000),
    st.sampled_from(TIT_FOR_TAT),
    st.integers(2, 8),
)
def test_unrestricted_follower_cooperates_below_an_exact_bound(discount, epsilon, theta, horizon):
    slips = tuple(abs(bit - epsilon / 2) for bit in theta)
    bound = 1 - 1 / (2 * discount)
    view = dilemma(horizon, discount)
    found = {}
    for ties in leaders.FollowerTies:
        response = leaders.follower_response(view, stochastic(slips), ties=ties)
        found[ties] = response.returns[0]
        for other in (0, 1):
            plan = (other,) * (horizon - 1) + (1,)
            returns = plan_returns(slips, plan, discount)
            if (epsilon < bound and other == 0) or (epsilon > bound and other == 1):
                assert response.returns == returns
    assert (found[leaders.FollowerTies.STRONG] == found[leaders.FollowerTies.WEAK]) == (
        epsilon != bound
    )


@exploring
@given(st.fractions(Fraction(11, 20), 1, max_denominator=20), st.integers(2, 7))
def test_unrestricted_follower_is_indifferent_at_the_bound(discount, horizon):
    epsilon = 1 - 1 / (2 * discount)
    theta = (epsilon / 2, epsilon / 2, 1 - epsilon / 2)
    earned = {
        plan: plan_returns(theta, plan, discount)[1] for plan in product((0, 1), repeat=horizon)
    }
    best = {plan for plan in earned if earned[plan] == max(earned.values())}
    assert best == {(*start, 1) for start in product((0, 1), repeat=horizon - 1)}


BOUNDS = {5: ("268", "323"), 6: ("297", "339"), 10: ("416", "434"), 20: ("469", "473")}


def lead(theta, follower, rival, horizon):
    """By how much a memoryless follower beats a rival, as a polynomial in half the exploration."""
    own, other = (return_polynomial(theta, b, horizon) for b in (follower, rival))
    return tuple(x - y for x, y in zip(own, other, strict=True))


@exploring
@pytest.mark.parametrize("horizon", BOUNDS)
@pytest.mark.parametrize("theta", TIT_FOR_TAT)
def test_memoryless_follower_cooperates_up_to_a_bound(horizon, theta):
    """Polynomials in the exploration, positive on the whole interval by their Bernstein form."""
    bound = Fraction(int(BOUNDS[horizon][theta[0]]), 1000)
    below = bound - Fraction(1, 1000)
    rivals = [b for b in PURE if b != ALWAYS_C]
    assert all(
        is_positive(lead(theta, ALWAYS_C, b, horizon), Fraction(0), below / 2) for b in rivals
    )
    assert any(
        is_positive(lead(theta, b, ALWAYS_C, horizon), bound / 2, Fraction(1, 2)) for b in rivals
    )


@exploring
@pytest.mark.parametrize("theta", TIT_FOR_TAT)
def test_four_steps_twin_with_any_exploration(theta):
    """After four steps the bound is 0, although tit-for-tat itself is answered well for start C."""
    rival = (0, 0, 1)
    assert is_positive(lead(theta, rival, ALWAYS_C, 4), Fraction(0), Fraction(1, 2))
    assert behavior(TIT_FOR_TAT[0], rival, 4) == behavior(TIT_FOR_TAT[0], ALWAYS_C, 4)


@exploring
@pytest.mark.parametrize("horizon", [1, 2, 3, 4, 5, 6, 10])
def test_other_exploring_leaders_are_always_defected(horizon):
    for theta in OTHERS:
        for rival in PURE:
            ahead = lead(theta, ALWAYS_D, rival, horizon)
            is_same = not any(ahead)
            assert is_same or is_positive(ahead, Fraction(0), Fraction(1, 2))
            assert is_same == (rival == ALWAYS_D or (horizon == 1 and rival[0] == 1))


@exploring
@given(st.fractions(0, 1, max_denominator=50), st.sampled_from(PURE), st.integers(1, 6))
def test_polynomials_are_the_returns(epsilon, theta, horizon):
    slips = tuple(abs(bit - epsilon / 2) for bit in theta)
    for follower in PURE:
        polynomial = return_polynomial(theta, follower, horizon)
        value = sum(c * (epsilon / 2) ** k for k, c in enumerate(polynomial))
        assert value == memoryless_returns(slips, follower, horizon)[1]


@experiences
@pytest.mark.parametrize("horizon", [5, 6, 10])
def test_memoryless_followers_leave_four_experiences(horizon):
    printed = {
        (0, 0): {(AFTER_D, 0, -2, AFTER_D)},
        (0, 1): {(AFTER_C, 0, 0, AFTER_C)},
        (1, 0): {(AFTER_D, 0, -2, AFTER_D)},
        (1, 1): {(AFTER_D, 1, -3, AFTER_D)},
    }
    for theta in PURE:
        (run,) = realized_behaviors(theta, horizon, Fraction(1))
        assert leader_experiences(run) == printed[theta[1:]]


@experiences
@examples(20)
@given(st.integers(3, 8), st.fractions(Fraction(11, 20), 1, max_denominator=20))
def test_unrestricted_twin_leaves_a_fifth(horizon, discount):
    """At the last step an unrestricted follower defects against tit-for-tat."""
    for theta in TIT_FOR_TAT:
        plan = best_plan(theta, horizon, discount)
        leader = (theta[0], *(theta[1 + action] for action in plan[:-1]))
        met = leader_experiences(tuple(zip(leader, plan, strict=True)))
        assert met == {(AFTER_C, 0, 0, AFTER_C), (AFTER_C, 0, -2, AFTER_D)}


def test_game_is_the_printed_one():
    game = dilemma(3).game
    rewards = {tuple(row) for row in game.reward_vectors.tolist()}
    assert rewards == {(LEADER[a][b], FOLLOWER[a][b]) for a in (0, 1) for b in (0, 1)}
