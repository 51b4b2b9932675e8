"""Tammelin 2014: regret matching+ has little regret on every interval of steps.

With ``r_t`` the instantaneous regrets, the memory after step ``e`` is at least the regret on any
interval that ends there, and its square is at most the sum of all ``|r_t|^2``. So against any
sequence of ``k + 1`` actions, regret is at most ``(k + 1)`` times the root of that sum. Regret
matching has the bound from the first step on only. In rationals where sequences are given.

Why it matters (regret): Regret matching+ recovers quickly when the best action changes: a part of
why it is fast in practice.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners import regret
from solvers.local_rules import BestReply, RegretMatching, RegretMatchingPlus
from tests.theorems.utility_sequences import ADVERSARIES, coins, drifting, face, least_likely

SOURCE = "Tammelin 2014"
memory_bound = pytest.mark.theorem(
    source=SOURCE,
    statement="The memory of regret matching+ is at least the regret on any interval ending now, "
    "and at most the root of the summed squared regrets.",
)
switching = pytest.mark.theorem(
    source=SOURCE,
    statement="Regret matching+ has at most k + 1 times its bound of regret against sequences of "
    "actions with k switches.",
)
both = pytest.mark.theorem(
    source="Hart and Mas-Colell 2000; " + SOURCE,
    statement="Regret matching and regret matching+ have external regret at most the root of the "
    "summed squared regrets, on every sequence.",
)
UTILITIES = st.integers(2, 3).flatmap(
    lambda n: st.lists(
        st.lists(st.integers(-3, 3), min_size=n, max_size=n), min_size=1, max_size=12
    )
)


def exact(values):
    array = np.empty(len(values), dtype=object)
    array[:] = [Fraction(v) for v in values]
    return array


def exact_run(rule, rows):
    """Memories after each step, instantaneous regrets, all in rationals."""
    memory, strategy = exact([0] * len(rows[0])), exact([Fraction(1, len(rows[0]))] * len(rows[0]))
    memories, regrets = [], []
    for step, row in enumerate(rows, start=1):
        payoffs = exact(row)
        regrets.append(payoffs - payoffs @ strategy)
        memory = rule.remember(memory, payoffs, strategy)
        strategy = rule.strategy(memory, strategy, step)
        memories.append(memory)
    return memories, regrets


def squares(regrets):
    return sum((r @ r for r in regrets), Fraction(0))


@memory_bound
@given(UTILITIES)
def test_memory_bounds_regret_on_every_interval(rows):
    memories, regrets = exact_run(RegretMatchingPlus(), rows)
    for end in range(len(rows)):
        assert memories[end] @ memories[end] <= squares(regrets[: end + 1])
        for begin in range(end + 1):
            on_interval = sum(regrets[begin : end + 1])
            assert all(on_interval <= memories[end])


@memory_bound
def test_twin_regret_matching_forgets_no_negative_regret():
    """After steps that made the first action bad, it is long not played although it is best."""
    rows = [[0, 1]] * 8 + [[1, 0]] * 8
    regrets = {}
    for rule in (RegretMatching(), RegretMatchingPlus()):
        _, steps = exact_run(rule, rows)
        regrets[rule] = max(sum(steps[8:])) ** 2, squares(steps)
    assert regrets[RegretMatchingPlus()][0] <= regrets[RegretMatchingPlus()][1]
    assert regrets[RegretMatching()][0] > regrets[RegretMatching()][1]


@both
@given(UTILITIES, st.sampled_from([RegretMatching(), RegretMatchingPlus()]))
def test_external_regret_is_bounded_exactly(rows, rule):
    _, regrets = exact_run(rule, rows)
    assert max(0, *sum(regrets)) ** 2 <= squares(regrets)


@both
@pytest.mark.parametrize("choose", ADVERSARIES)
@pytest.mark.parametrize("rule", [RegretMatching(), RegretMatchingPlus()])
def test_external_regret_is_bounded_against_adversaries(rule, choose):
    """A thousand steps, by a batch of decision makers at once."""
    played, earned = face(regret.LocalMinimizer(rule), choose, batch=8, actions=3, steps=1000)
    bound = np.sqrt((regret.instantaneous_regrets(played, earned) ** 2).sum(axis=(0, 2)))
    assert (regret.sequence_external_regret(played, earned) <= bound + 1e-9).all()


@both
def test_twin_follow_the_leader_has_linear_regret():
    """Paid always for what it does not play, the leader's follower earns nothing."""
    steps = 400
    played, earned = face(
        regret.LocalMinimizer(BestReply()), least_likely, batch=1, actions=2, steps=steps
    )
    assert regret.sequence_external_regret(played, earned)[0] >= steps / 2 - 1
    bound = np.sqrt((regret.instantaneous_regrets(played, earned) ** 2).sum())
    assert regret.sequence_external_regret(played, earned)[0] > 5 * bound


@switching
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(0, 9))
def test_switching_regret_is_bounded(seed, actions, switches):
    rows = drifting(seed, steps=300, actions=actions, phases=switches + 1)[:, None, :]
    schedule = iter(rows)
    played, earned = face(
        regret.LocalMinimizer(RegretMatchingPlus()),
        lambda _, __: next(schedule),
        batch=1,
        actions=actions,
        steps=300,
    )
    found = regret.sequence_switching_regret(played, earned, switches=switches)[0]
    total = np.sqrt((regret.instantaneous_regrets(played, earned) ** 2).sum())
    assert regret.sequence_interval_regret(played, earned)[0] <= total + 1e-9
    assert found <= (switches + 1) * total + 1e-9
    assert found <= (switches + 1) * 2 * np.sqrt(actions * 300)


@switching
def test_twin_regret_matching_follows_no_switch():
    phases = np.repeat(np.eye(2), 500, axis=0)[:, None, :]
    regrets = []
    for rule in (RegretMatching(), RegretMatchingPlus()):
        schedule = iter(phases)
        played, earned = face(
            regret.LocalMinimizer(rule),
            lambda *_, schedule=schedule: next(schedule),
            batch=1,
            actions=2,
            steps=1000,
        )
        bound = 2 * np.sqrt((regret.instantaneous_regrets(played, earned) ** 2).sum())
        found = regret.sequence_switching_regret(played, earned, switches=1)[0]
        regrets.append(found / bound)
    assert regrets[0] > 1 > regrets[1]


@both
def test_coins_leave_regret_of_the_order_of_the_root():
    """The bound is not loose by much: against fair coins regret grows like the root of T."""
    played, earned = face(
        regret.LocalMinimizer(RegretMatching()), coins, batch=200, actions=2, steps=400
    )
    assert regret.sequence_external_regret(played, earned).mean() > 0.2 * np.sqrt(400)
