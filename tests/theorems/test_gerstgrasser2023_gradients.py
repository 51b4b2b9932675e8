"""Gerstgrasser and Parkes 2023, theorem 2: policy gradient against hidden best responses.

The printed proof says that the gradient pushes towards cooperation after a defection, so that
tit-for-tat is not learned. The sign is right for an unrestricted follower, everywhere; the
conclusion is not: where the follower cooperates, the gradient is zero there and the policy flows to
an optimum. That region is an eighth of the square of (theta_C, theta_D). Against a memoryless
follower the sign is wrong at some points.

Why it matters (followers): The printed proof has a sign wrong and a region missing; this is the
statement that can be proved.
"""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import leaders
from tests.theorems.modified_dilemma import best_memoryless, dilemma, stochastic

SOURCE = "Gerstgrasser and Parkes 2023, theorem 2"
signs = pytest.mark.theorem(
    source=SOURCE,
    statement="Against an unrestricted follower who responds unseen, no expected gradient favors "
    "defecting after a defection.",
)
region = pytest.mark.theorem(
    source=SOURCE,
    statement="Policies answered by cooperation are an eighth of the square at discount 1, and "
    "their gradient leads to an optimum.",
)
queried = pytest.mark.theorem(
    source=SOURCE,
    statement="With queries in play the return is that of two replies, weighted by how likely the "
    "answers are tit-for-tat.",
)
INSIDE = st.fractions(Fraction(1, 16), Fraction(15, 16), max_denominator=16)
CHANCES = st.fractions(0, 1, max_denominator=16)
DISCOUNTS = st.sampled_from([Fraction(1), Fraction(9, 10), Fraction(3, 4), Fraction(2, 5)])
UPDATES = st.sampled_from([leaders.leader_gradient, leaders.expected_reinforce])


def slopes(update, theta, horizon, discount, *, kind=leaders.FollowerClass.TIME_AWARE, ties=None):
    """The slopes towards D after the start, after C and after D, and the leader's return."""
    view, leader = dilemma(horizon, discount), stochastic(theta)
    ties = leaders.FollowerTies.STRONG if ties is None else ties
    follower = leaders.follower_response(view, leader, follower_class=kind, ties=ties).policy
    found = update(view, leader, follower)
    for o, own in enumerate(found.logits):  # two actions: the softmax factor
        slope = found.slope(o, 1, instead_of=0)
        assert own[1] == theta[o] * (1 - theta[o]) * slope == -own[0]
    return [found.slope(o, 1, instead_of=0) for o in range(3)], found.value


def sign(value):
    return (value > 0) - (value < 0)


@signs
@given(st.tuples(CHANCES, CHANCES, CHANCES), st.integers(3, 10), DISCOUNTS, UPDATES)
def test_signs_of_the_gradient(theta, horizon, discount, update):
    threat = 2 * discount * (theta[2] - theta[1])
    assume(threat != 1)
    found, _ = slopes(update, theta, horizon, discount)
    assert [sign(x) for x in found] == ([-1, -1, 0] if threat > 1 else [-1, 0, -1])


@signs
@given(st.tuples(CHANCES, CHANCES, CHANCES), st.integers(3, 10), DISCOUNTS)
def test_sizes_of_gradient_and_of_expected_updates(theta, horizon, discount):
    """To defect costs the leader 1 at once: the gradient discounts it, REINFORCE does not."""
    threat = 2 * discount * (theta[2] - theta[1])
    assume(threat != 1)
    after = 1 if threat > 1 else 2
    for update, weight in (
        (leaders.leader_gradient, discount),
        (leaders.expected_reinforce, Fraction(1)),
    ):
        found, _ = slopes(update, theta, horizon, discount)
        assert found[0] == -1
        assert found[after] == -sum(weight**t for t in range(1, horizon))
        assert found[3 - after] == 0


@signs
@given(INSIDE, INSIDE, st.integers(3, 8), DISCOUNTS, st.sampled_from(leaders.FollowerTies))
def test_gradient_after_a_defection_is_nowhere_positive(first, after_c, horizon, discount, ties):
    """Ties included: at the border followers mix cooperation and defection as they like."""
    theta = (first, after_c, after_c + 1 / (2 * discount))
    assume(theta[2] <= 1)
    found, _ = slopes(leaders.leader_gradient, theta, horizon, discount, ties=ties)
    assert found[2] <= 0


@signs
@pytest.mark.parametrize("small", [Fraction(0), Fraction(1, 64)])
def test_memoryless_twin_favors_defecting(small):
    """The one best response, to defect after the leader's C alone, makes retaliation pay."""
    theta = (small, small, Fraction(5, 8))
    assert best_memoryless(theta, 6) == ((0, 1, 0),)
    found, _ = slopes(
        leaders.leader_gradient, theta, 6, Fraction(1), kind=leaders.FollowerClass.STATIONARY
    )
    unrestricted, _ = slopes(leaders.leader_gradient, theta, 6, Fraction(1))
    assert found[2] > 0 == unrestricted[2]


@signs
def test_memoryless_twin_of_ties():
    """Of four best responses to (1, 0, 1/2) in four steps, one makes retaliation pay."""
    theta = (Fraction(1), Fraction(0), Fraction(1, 2))
    best = best_memoryless(theta, 4)
    found = [
        leaders.leader_gradient(dilemma(4), stochastic(theta), leaders.StationaryFollower(follower))
        for follower in best
    ]
    favored = [gradient.slope(2, 1, instead_of=0) for gradient in found]
    assert sorted(map(sign, favored)) == [-1, -1, -1, 1]


@signs
@given(st.tuples(CHANCES, CHANCES, CHANCES), st.integers(3, 8))
def test_queried_twin_favors_defecting_where_it_pays(theta, horizon):
    """With queries in play the slope after D is positive wherever tit-for-tat is likely enough."""
    view, leader = dilemma(horizon), stochastic(theta)
    found = leaders.queried_gradient(
        view, leader, lambda plan: leaders.follower_response(view, plan).policy
    )
    steps = horizon - 1
    gain = (steps * (2 + theta[2] - theta[1])) * (1 - theta[1])
    cost = (1 - (1 - theta[1]) * theta[2]) * steps
    assert found.slope(2, 1, instead_of=0) == gain - cost


@region
def test_region_of_cooperation_is_an_eighth_of_the_square():
    """Its corners are where the follower is indifferent at the edges; the rest is a half-plane."""
    half = Fraction(1, 2)
    corners = [(Fraction(0), half), (half, Fraction(1)), (Fraction(0), Fraction(1))]
    for after_c, after_d in corners[:2]:
        returns = {
            ties: leaders.follower_response(
                dilemma(6), stochastic((half, after_c, after_d)), ties=ties
            ).returns
            for ties in leaders.FollowerTies
        }
        assert returns[leaders.FollowerTies.STRONG][1] == returns[leaders.FollowerTies.WEAK][1]
        assert returns[leaders.FollowerTies.STRONG][0] > returns[leaders.FollowerTies.WEAK][0]
    (a, b), (c, d), (e, f) = corners
    assert abs((c - a) * (f - b) - (e - a) * (d - b)) / 2 == Fraction(1, 8)


@region
@given(CHANCES, CHANCES, CHANCES, st.integers(2, 8), DISCOUNTS)
def test_region_is_the_half_plane(first, after_c, after_d, horizon, discount):
    threat = 2 * discount * (after_d - after_c)
    assume(threat != 1)
    view, leader = dilemma(horizon, discount), stochastic((first, after_c, after_d))
    policy = leaders.follower_response(view, leader).policy
    start = view.initial[0][0]
    assert (policy.actions[0][start] == 0) == (threat > 1)


@region
@given(INSIDE, INSIDE, INSIDE, st.integers(3, 8), st.fractions(0, 1, max_denominator=8))
def test_region_is_invariant_and_leads_to_an_optimum(first, along, across, horizon, size):
    """A step of any size against theta_C keeps the follower's answer; at 0 the value is -2."""
    after_d = (1 + along) / 2
    after_c = (after_d - Fraction(1, 2)) * across
    found, _ = slopes(leaders.leader_gradient, (first, after_c, after_d), horizon, Fraction(1))
    assert found[2] == 0
    closer = max(Fraction(0), after_c + size * found[1])
    assert 2 * (after_d - closer) > 1
    _, value = slopes(
        leaders.leader_gradient, (Fraction(0), Fraction(0), after_d), horizon, Fraction(1)
    )
    assert value == -2


@region
@given(CHANCES, CHANCES, st.integers(3, 8))
def test_twin_outside_the_region_tit_for_tat_is_left(first, after_c, horizon):
    """Where the threat is too small, the slope after D leads away, and the return stays low."""
    theta = (first, after_c, after_c / 2)
    found, value = slopes(leaders.leader_gradient, theta, horizon, Fraction(1))
    assert found[2] < 0 == found[1]
    assert value <= -2 * horizon


def return_of_two_replies(theta, horizon, last):
    """Return the formula; ``last`` is what a defection at the last step costs the leader."""
    steps, likely = horizon - 1, (1 - theta[1]) * theta[2]
    cooperating = -theta[0] - steps * theta[1] - last
    defecting = -2 - theta[0] - steps * (2 + theta[2])
    return likely * cooperating + (1 - likely) * defecting


@queried
@given(st.tuples(CHANCES, CHANCES, CHANCES), st.integers(2, 10))
def test_return_with_queries_in_play(theta, horizon):
    view = dilemma(horizon)
    found = leaders.queried_gradient(
        view, stochastic(theta), lambda plan: leaders.follower_response(view, plan).policy
    )
    assert found.value == return_of_two_replies(theta, horizon, last=2)


@queried
@given(st.tuples(CHANCES, CHANCES, CHANCES), st.integers(5, 10))
def test_return_with_queries_in_play_of_memoryless_followers(theta, horizon):
    """Of the best responses that act alike against the answers, the two that never vary."""

    def oracle(plan):
        reply = (0, 0, 0) if plan.actions[1:] == (0, 1) else (1, 1, 1)
        assert reply in best_memoryless(plan.actions, horizon)
        return leaders.StationaryFollower(reply)

    found = leaders.queried_gradient(dilemma(horizon), stochastic(theta), oracle)
    assert found.value == return_of_two_replies(theta, horizon, last=0)


@queried
def test_twin_of_other_best_responses():
    """What a reply does where the answers never lead counts once play differs from answers."""
    theta = (Fraction(0), Fraction(0), Fraction(1, 2))

    def oracle(plan):
        return leaders.StationaryFollower(best_memoryless(plan.actions, 6)[0])

    found = leaders.queried_gradient(dilemma(6), stochastic(theta), oracle)
    assert found.value == Fraction(-87, 16) > return_of_two_replies(theta, 6, last=0)


@queried
def test_few_steps_twin_of_memoryless_followers():
    """With two steps a memoryless follower tells the last one, and the return is another."""
    view, leader = dilemma(2), stochastic((Fraction(3, 8), Fraction(0), Fraction(1)))
    found = leaders.queried_gradient(
        view,
        leader,
        lambda plan: (
            leaders.follower_response(
                view, plan, follower_class=leaders.FollowerClass.STATIONARY
            ).policy
        ),
    )
    assert found.value == Fraction(-23, 16)
    assert found.value > -2  # the best deterministic leader's: answers are not held in play
