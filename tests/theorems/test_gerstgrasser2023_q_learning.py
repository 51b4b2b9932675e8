"""Gerstgrasser and Parkes 2023, theorem 2: tabular Q-learning against hidden best responses.

With parameter noise each episode is played by one of the eight pure leaders, which leave the four
experiences of appendix D. If every step bootstraps, the last one included (as the printed tuples
say), the values after a defection converge to numbers of which the gap is 1, whatever the order of
episodes: tit-for-tat is not learned. The printed limits are others. With epsilon-greedy play the
theorem is false: tit-for-tat is absorbing, and reached from zeros.

Why it matters (followers): The most common tabular learner fails on the paper's example for a
reason that depends on how it explores.
"""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.theorems.modified_dilemma import (
    AFTER_C,
    AFTER_D,
    LEADER,
    PURE,
    START,
    best_memoryless,
    leader_experiences,
    memoryless_run,
)

SOURCE = "Gerstgrasser and Parkes 2023, theorem 2"
noise = pytest.mark.theorem(
    source=SOURCE,
    statement="Q-learning with parameter noise forgets to retaliate if every step bootstraps.",
)
greedy = pytest.mark.theorem(
    source=SOURCE,
    statement="For epsilon-greedy Q-learning, against the printed claim, tit-for-tat is absorbing.",
)
RATES = st.fractions(Fraction(1, 20), 1, max_denominator=20)
PATIENCE = st.fractions(0, Fraction(19, 20), max_denominator=20)
VALUES = st.fractions(-40, 40, max_denominator=8)
C, D = 0, 1


def learn(old, target, rate):
    return (1 - rate) * old + rate * target


@noise
@given(VALUES, VALUES, PATIENCE, RATES, st.lists(st.booleans(), min_size=1, max_size=12))
def test_values_after_a_defection_converge_in_any_order(cooperate, defect, discount, rate, order):
    """Each update keeps the largest error from growing; once both are updated, it has shrunk."""
    limits = (-2 / (1 - discount), -3 - 2 * discount / (1 - discount))
    assert limits[0] - limits[1] == 1
    assert limits == (-2 + discount * max(limits), -3 + discount * max(limits))
    values = [cooperate, defect]
    error = max(abs(v - limit) for v, limit in zip(values, limits, strict=True))
    shrunk = (1 - rate * (1 - discount)) * error
    for is_defection in order:
        reward = LEADER[is_defection][D]
        values[is_defection] = learn(values[is_defection], reward + discount * max(values), rate)
        assert abs(values[is_defection] - limits[is_defection]) <= shrunk
    left = max(abs(v - limit) for v, limit in zip(values, limits, strict=True))
    assert left <= (shrunk if len(set(order)) == 2 else error)


@noise
@given(VALUES, VALUES, PATIENCE, RATES)
def test_value_after_a_cooperation_converges(cooperate, defect, discount, rate):
    """The value of D is never updated; if it is positive, the limit is what it promises."""
    limit = Fraction(0) if defect <= 0 else discount * defect
    assert limit == discount * max(limit, defect)
    updated = learn(cooperate, discount * max(cooperate, defect), rate)
    assert abs(updated - limit) <= (1 - rate * (1 - discount)) * abs(cooperate - limit)


def episodes_of_pure_leaders(horizon):
    """For each pure leader what is met after the start, one cell again and again."""
    table = {}
    for theta in PURE:
        (run,) = {memoryless_run(theta, b, horizon) for b in best_memoryless(theta, horizon)}
        (table[theta],) = leader_experiences(run)
    return table


@noise
@pytest.mark.parametrize("horizon", [5, 10, 20])
def test_simulated_values_reach_the_limits(horizon):
    discounts = np.array([0.0, 0.5, 0.9, 0.95])[:, None]
    rates = np.array([0.05, 0.1, 0.5, 1.0])
    rng = np.random.default_rng(horizon)
    values = np.broadcast_to(rng.uniform(-50, 0, (3, 2, 1, 1)), (3, 2, 4, 4)).copy()
    untouched = values[AFTER_C, D].copy()
    met = episodes_of_pure_leaders(horizon)
    for which in rng.integers(0, 8, 60_000 // horizon).tolist():
        seen, action, reward, after = met[PURE[which]]
        for _ in range(horizon - 1):
            target = reward + discounts * values[after].max(axis=0)
            values[seen, action] += rates * (target - values[seen, action])
    cooperate, defect = values[AFTER_D]
    assert abs(cooperate + 2 / (1 - discounts)).max() < 1e-11
    assert abs(cooperate - defect - 1).max() < 1e-11
    assert abs(values[AFTER_C, C]).max() < 1e-11
    assert (values[AFTER_C, D] == untouched).all()


@noise
@pytest.mark.parametrize("first", [0.0, 5.0, -5.0, -60.0])
def test_noisy_learners_end_without_retaliation(first):
    """Forty learners, each of whom plays the greedy policy with every bit flipped now and then."""
    horizon, discount, rate, seeds = 10, 0.95, 0.1, 40
    rng = np.random.default_rng(7)
    met = episodes_of_pure_leaders(horizon)
    cells = np.array([[met[(0, c, d)] for d in (C, D)] for c in (C, D)])
    values = np.full((seeds, 3, 2), first)
    lanes = np.arange(seeds)
    for _ in range(1_500):
        policy = (values[:, :, D] > values[:, :, C]) ^ (rng.random((seeds, 3)) < 0.2)
        seen, action, reward, after = cells[policy[:, 1] * 1, policy[:, 2] * 1].T
        for _ in range(horizon - 1):
            target = reward + discount * values[lanes, after].max(axis=1)
            values[lanes, seen, action] += rate * (target - values[lanes, seen, action])
    assert (values[:, AFTER_D, C] > values[:, AFTER_D, D]).all()


def terminal_episodes(values, reward, *, own, horizon, discount, rate, count):
    """Update one of two values by episodes whose last step does not bootstrap."""
    for _ in range(count):
        for t in range(1, horizon):
            ahead = discount * np.maximum(*values) if t < horizon - 1 else 0.0
            values[own] = learn(values[own], reward + ahead, rate)


@noise
@pytest.mark.parametrize(
    ("horizon", "discount", "rate", "limits"),
    [
        (10, 0.9, 0.1, (-9.382, -10.066)),
        (10, 0.9, 0.5, (-6.533, -5.933)),
        (10, 1.0, 0.3, (-13.2, -12.046)),
    ],
)
def test_terminal_twin_depends_on_the_rate(horizon, discount, rate, limits):
    """Where the last step does not bootstrap, long phases of one kind may favor retaliation.

    First all episodes cooperate after defections, then all defect, from low values. Once both
    kinds recur, cooperation is ahead again.
    """
    options = {"horizon": horizon, "discount": discount, "rate": rate}
    values = [-200.0, -1e6]
    terminal_episodes(values, -2, own=C, count=2_000, **options)
    terminal_episodes(values, -3, own=D, count=2_000, **options)
    assert np.allclose(values, limits, atol=1e-3)
    is_printed_order = values[C] > values[D]
    assert is_printed_order == (rate == 0.1)
    for _ in range(50):
        terminal_episodes(values, -2, own=C, count=1, **options)
        terminal_episodes(values, -3, own=D, count=1, **options)
    assert values[C] > values[D]


@noise
@pytest.mark.parametrize(
    ("horizon", "reversed_rates"),
    [
        (5, {}),
        (10, {0.9: {0.3, 0.5, 0.7}, 0.95: {0.3, 0.5, 0.7}, 0.99: {0.2, 0.3, 0.5, 0.7}}),
        (
            20,
            {
                0.8: {0.3, 0.5, 0.7},
                0.9: {0.2, 0.3, 0.5, 0.7},
                0.95: {0.2, 0.3, 0.5, 0.7},
                0.99: {0.1, 0.2, 0.3, 0.5, 0.7},
            },
        ),
    ],
)
def test_terminal_twin_on_a_grid(horizon, reversed_rates):
    """At which rates two long phases reverse the printed order; none reverse it in few steps."""
    discounts, rates = [0.5, 0.7, 0.8, 0.9, 0.95, 0.99], [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0]
    shape = (len(discounts), len(rates))
    values = [np.full(shape, -1e3), np.full(shape, -1e6)]
    options = {"discount": np.array(discounts)[:, None], "rate": np.array(rates)}
    terminal_episodes(values, -2, own=C, horizon=horizon, count=300, **options)
    terminal_episodes(values, -3, own=D, horizon=horizon, count=300, **options)
    for discount, row in zip(discounts, values[C] < values[D], strict=True):
        found = {rate for rate, is_less in zip(rates, row, strict=True) if is_less}
        assert found == reversed_rates.get(discount, set())


@noise
def test_printed_limits_twin():
    """The proof prints -2 g and -3 g, of which the gap is g, not 1."""
    discount, horizon = Fraction(9, 10), 10
    g = (1 - discount ** (horizon // 2)) / (1 - discount)
    limits = (-2 / (1 - discount), -3 - 2 * discount / (1 - discount))
    assert limits == (-20, -21)
    assert (-2 * g, -3 * g) != limits
    assert -2 * g != -2 + discount * max(-2 * g, -3 * g)


def slipping(theta, epsilon):
    return tuple(abs(Fraction(bit) - epsilon / 2) for bit in theta)


def is_held(values, discount):
    """Whether the row after a cooperation is one from which C never stops being greedy."""
    cooperate, defect = values
    return defect <= min(cooperate, 0) and (1 - discount) * cooperate >= -1 and cooperate <= 1


@greedy
@pytest.mark.parametrize("epsilon", [Fraction(1, 20), Fraction(1, 10), Fraction(3, 10)])
def test_follower_cooperates_with_exploring_tit_for_tat(epsilon):
    for theta in ((0, 0, 1), (1, 0, 1)):
        assert best_memoryless(slipping(theta, epsilon), 10) == ((0, 0, 0),)


@greedy
@given(
    st.fractions(-1, 1, max_denominator=20),
    st.fractions(0, 3, max_denominator=20),
    PATIENCE,
    RATES,
    st.lists(st.sampled_from((C, D)), min_size=1, max_size=15),
)
def test_tit_for_tat_is_absorbing(cooperate, gap, discount, rate, actions):
    """The follower cooperates, so D is never seen, and C stays greedy after C for any actions."""
    cooperate = cooperate / (1 - discount) if cooperate < 0 else cooperate
    row = [cooperate, min(cooperate, Fraction(0)) - gap]
    assert is_held(row, discount)
    for action in actions:
        reward = LEADER[action][C]
        row[action] = learn(row[action], reward + discount * max(row), rate)
        assert is_held(row, discount)
        assert row[D] <= row[C]  # still greedy


@greedy
@given(
    st.fractions(-1, 0, max_denominator=20),
    st.fractions(0, 3, max_denominator=20),
    RATES,
    st.lists(st.sampled_from((C, D)), min_size=1, max_size=9),
)
def test_tit_for_tat_is_absorbing_with_last_steps_too(cooperate, gap, rate, actions):
    """The same where the last step of an episode does not bootstrap."""
    discount = Fraction(9, 10)
    row = [cooperate, cooperate - gap]
    for t, action in enumerate(actions):
        ahead = discount * max(row) if t < len(actions) - 1 else 0
        row[action] = learn(row[action], LEADER[action][C] + ahead, rate)
        assert row[C] <= 0
        assert row[D] <= row[C]


@greedy
@pytest.mark.parametrize("margin", [1, 10, 100])
@pytest.mark.parametrize("high", [True, False])
def test_margin_alone_twin_is_not_enough(margin, high):
    """However far ahead C is after C, values too high or too low undo it."""
    discount, rate = Fraction(1, 2), Fraction(1, 2)
    base = margin + 1 if high else -100 * margin
    row = [Fraction(base + margin), Fraction(base)]
    assert not is_held(row, discount)
    action = C if high else D
    for _ in range(20):
        row[action] = learn(row[action], LEADER[action][C] + discount * max(row), rate)
    assert row[D] > row[C]


def learned_policies(seed, *, epsilon, first, discount, episodes, bootstraps, rate=0.1):
    """The greedy policy before each episode of epsilon-greedy Q-learning, and the last one."""
    horizon, rng = 10, np.random.default_rng(seed)
    replies = REPLIES[epsilon]
    values = [[first, first] for _ in range(3)]
    trace = []
    for _ in range(episodes):
        theta = tuple(int(row[D] > row[C]) for row in values)
        trace.append(theta)
        reply = replies[theta]
        seen, shown = START, START
        explores = (rng.random(horizon) < epsilon).tolist()
        drawn = rng.integers(0, 2, horizon).tolist()
        for t in range(horizon):
            action = drawn[t] if explores[t] else theta[seen]
            other = reply[shown]
            after = 1 + other
            ahead = discount * max(values[after]) if bootstraps or t < horizon - 1 else 0.0
            row = values[seen]
            row[action] = learn(row[action], LEADER[action][other] + ahead, rate)
            seen, shown = after, 1 + action
    return [*trace, tuple(int(row[D] > row[C]) for row in values)]


REPLIES = {
    float(epsilon): {theta: best_memoryless(slipping(theta, epsilon), 10)[0] for theta in PURE}
    for epsilon in (Fraction(1, 20), Fraction(1, 10), Fraction(3, 10))
}


@greedy
@pytest.mark.parametrize(("epsilon", "bootstraps"), list(product([0.05, 0.1, 0.3], [True, False])))
def test_zeros_learn_tit_for_tat_and_keep_it(epsilon, bootstraps):
    for seed in range(20):
        trace = learned_policies(
            seed, epsilon=epsilon, first=0.0, discount=0.95, episodes=120, bootstraps=bootstraps
        )
        retaliates = [theta[1:] == (0, 1) for theta in trace]
        assert retaliates[-1]
        assert all(retaliates[retaliates.index(True) :])


@greedy
def test_pessimistic_twin_does_not_learn_it_on_these_seeds():
    """From far below, C stays greedy after a defection unless the first action is D by chance."""
    for seed in range(10):
        trace = learned_policies(
            seed, epsilon=0.1, first=-60.0, discount=0.9, episodes=250, bootstraps=True
        )
        assert (0, 1) not in {theta[1:] for theta in trace}
        assert trace[-1][2] == 0
