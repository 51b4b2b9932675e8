"""Lanctot et al. 2023: what regret minimizers promise against every sequence of throws.

An own throw earns 1, 0 or -1 by what the other threw, so utilities are a permutation of these, and
instantaneous regrets have ``|r_t|^2 = 2 + 3 (p.u)^2 <= 5``. So external regret is at most ``root of
sum |r_t|^2 <= root of 5T``; with a minimizer for each context, at most the sum over contexts of the
roots of 5 times their steps, and so at most the root of ``5 C T``. Exact where steps are few; bots
of a thousand throws in floats, tolerance 1e-9.

Why it matters (regret): It gives a score that is guaranteed against every opponent, to set beside
what is won against known ones.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.regret import (
    BlumMansour,
    LocalMinimizer,
    sequence_external_regret,
    sequence_swap_regret,
    sequence_switching_regret,
)
from learners.roshambo.agents import RegretBot
from solvers.local_rules import RegretMatching, RegretMatchingPlus
from tests.sample_sizes import examples

SOURCE = "Hart and Mas-Colell 2000; Lanctot et al. 2023, section 4.4"
bounded = pytest.mark.theorem(
    source=SOURCE,
    statement="In rock-paper-scissors, regret matching(+) has external regret at most the root of "
    "5T after T throws, whatever the other throws",
)
in_contexts = pytest.mark.theorem(
    source=SOURCE,
    statement="With a minimizer for each context, regret to the best throw in each is at most the "
    "sum of the contexts' bounds, whatever the other throws",
)
swapping = pytest.mark.theorem(
    source="Blum and Mansour 2007; Lanctot et al. 2023, section 4.4",
    statement="In rock-paper-scissors, copies of regret matching+ have swap regret at most 3 times "
    "the root of 5T, and no less than external regret",
)
switching = pytest.mark.theorem(
    source="Tammelin 2014; Lanctot et al. 2023, section 4.4",
    statement="In rock-paper-scissors, regret matching+ has at most (k + 1) root of 5T of regret "
    "against sequences with k switches",
)
PAYOFFS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])  # own, other
RULES = [RegretMatching(), RegretMatchingPlus()]
PLAIN, PLUS = map(LocalMinimizer, RULES)
THROWS = st.lists(st.integers(0, 2), min_size=1, max_size=14)


def exact(values):
    array = np.empty(len(values), dtype=object)
    array[:] = [Fraction(v) for v in values]
    return array


def learned(rule, choose, steps):
    """Strategies and utilities in rationals; the other is chosen knowing the strategy."""
    memory, strategy = exact([0] * 3), exact([Fraction(1, 3)] * 3)
    played, earned = [], []
    for step in range(1, steps + 1):
        row = exact(PAYOFFS[:, choose(step, strategy)].tolist())
        played.append(strategy)
        earned.append(row)
        memory = rule.remember(memory, row, strategy)
        strategy = rule.strategy(memory, strategy, step)
    return np.array(played), np.array(earned)


def beating(_, strategy):
    """Throw what beats the likeliest throw."""
    return (strategy.tolist().index(max(strategy)) + 1) % 3


def squares(played, earned):
    regrets = earned - (played * earned).sum(axis=1)[:, None]
    return (regrets**2).sum(axis=1)


@bounded
@given(THROWS, st.sampled_from(RULES))
def test_regret_is_bounded_exactly_on_every_sequence(throws, rule):
    played, earned = learned(rule, lambda step, _: throws[step - 1], len(throws))
    total = squares(played, earned)
    means = (played * earned).sum(axis=1)
    assert (total == 2 + 3 * means**2).all()
    assert sequence_external_regret(played, earned) <= 0 or (
        sequence_external_regret(played, earned) ** 2 <= total.sum() <= 5 * len(throws)
    )


@bounded
@pytest.mark.parametrize("rule", RULES)
def test_regret_is_bounded_exactly_against_who_knows_the_strategy(rule):
    played, earned = learned(rule, beating, 10)
    regret = sequence_external_regret(played, earned)
    assert 0 < regret**2 <= squares(played, earned).sum() <= 50


class Whole:
    """Play regret matching without cutting negative regrets off: in proportion to their size."""

    def remember(self, memory, payoffs, strategy):
        return memory + payoffs - payoffs @ strategy

    def strategy(self, memory, previous, steps):
        size = np.abs(memory)
        return size / size.sum() if size.sum() else exact([Fraction(1, 3)] * 3)


@bounded
def test_twin_without_the_positive_part_the_bound_fails():
    played, earned = learned(Whole(), lambda *_: 0, 60)
    regret = sequence_external_regret(played, earned)
    assert regret**2 > squares(played, earned).sum()


def followed(bot, choose, steps, seed=0):
    """Mixed actions, utilities, throws of a bot; the other may know all but the draw."""
    rng = np.random.default_rng(seed)
    bot.reset(seed)
    own, other, played = [], [], []
    for _ in range(steps):
        thrown = bot.throw(own, other)
        played.append(bot.mixed_action())
        other.append(choose(np.array(played[-1]), own, other, rng))
        own.append(thrown)
    return np.array(played), PAYOFFS[:, other].T.astype(float), own, other


def knowing(p, own, other, rng):
    """Throw what pays the mixed action least."""
    return int((p @ PAYOFFS).argmin())


def at_random(p, own, other, rng):
    return int(rng.integers(3))


def drifting(p, own, other, rng):
    """A favorite throw that changes."""
    return (len(own) // 97) % 3 if rng.random() < 0.7 else int(rng.integers(3))


def replying(p, own, other, rng):
    """Beat the last throw, mostly."""
    return (own[-1] + 1) % 3 if own and rng.random() < 0.8 else int(rng.integers(3))


OPPONENTS = [knowing, at_random, drifting, replying]


@bounded
@pytest.mark.parametrize("choose", OPPONENTS)
@pytest.mark.parametrize("minimizer", [PLAIN, PLUS], ids=lambda m: m.name)
def test_bots_have_little_regret(minimizer, choose):
    played, earned, _, _ = followed(RegretBot(minimizer), choose, 1000)
    bound = np.sqrt(squares(played, earned).sum())
    assert sequence_external_regret(played, earned) <= bound + 1e-9
    assert bound <= np.sqrt(5000) + 1e-9


class Sampled:
    """Regret matching that takes what was thrown for what was played, and is seen through."""

    def __init__(self):
        self.memory, self.p = np.zeros(3), np.full(3, 1 / 3)

    def reset(self, seed):
        self.rng = np.random.default_rng(seed)

    def mixed_action(self):
        return self.p

    def throw(self, own, other):
        if own:
            earned = PAYOFFS[:, other[-1]]
            self.memory = self.memory + earned - earned[own[-1]]
        positive = np.maximum(self.memory, 0)
        self.p = positive / positive.sum() if positive.sum() else np.full(3, 1 / 3)
        return int(self.rng.choice(3, p=self.p))


@bounded
def test_twin_regrets_of_sampled_throws_have_no_sure_bound():
    """The proof's step, that what is added is orthogonal to the memory, holds on average only."""
    broken = []
    for seed in range(40):
        played, earned, own, _ = followed(Sampled(), replying, 60, seed)
        memory, total = np.zeros(3), 0.0
        for p, row, thrown in zip(played, earned, own, strict=True):
            sampled, mixed = row - row[thrown], row - p @ row
            positive = np.maximum(memory, 0)
            assert positive @ mixed == pytest.approx(0, abs=1e-9)
            total = max(total, abs(positive @ sampled))
            memory = memory + sampled
        squared = np.sum((earned - earned[np.arange(60), own][:, None]) ** 2)
        broken.append(max(0, memory.max()) ** 2 > squared)
        assert total > 1
    assert any(broken)


@in_contexts
@examples(8)
@given(
    st.sampled_from(OPPONENTS),
    st.sampled_from([PLAIN, PLUS, BlumMansour()]),
    st.integers(1, 2),
    st.integers(0, 10**6),
)
def test_regret_in_contexts_is_the_sum_of_theirs(choose, minimizer, recall, seed):
    steps = 400
    played, earned, own, other = followed(RegretBot(minimizer, recall=recall), choose, steps, seed)
    context = [tuple(zip(own[:t], other[:t], strict=True))[-recall:] for t in range(steps)]
    groups = {c if len(c) == recall else "early" for c in context}
    total, roots = 0.0, 0.0
    for group in groups:
        rows = [t for t, c in enumerate(context) if (c if len(c) == recall else "early") == group]
        p, u = played[rows], earned[rows]
        copies = 3 if minimizer.name.startswith("Blum") else 1
        regret = sequence_external_regret(p, u)
        assert regret <= copies * np.sqrt(5 * len(rows)) + 1e-9
        if copies == 1:
            assert regret <= np.sqrt(squares(p, u).sum()) + 1e-9
        total, roots = total + max(regret, 0), roots + np.sqrt(len(rows))
    assert total <= copies * np.sqrt(5) * roots + 1e-9
    assert roots <= np.sqrt(len(groups) * steps) + 1e-9


@in_contexts
def test_twin_without_contexts_a_habit_of_replying_leaves_linear_regret():
    """One instance earns little from a rotation; each context's own instance all of it."""
    rotating = [t % 3 for t in range(900)]

    def rotate(p, own, other, rng):
        return rotating[len(own)]

    earnings = []
    for recall in (0, 1):
        played, earned, _, _ = followed(RegretBot(PLAIN, recall=recall), rotate, 900)
        earnings.append((played * earned).sum())
    assert earnings[0] < 30
    assert earnings[1] > 850


@swapping
@pytest.mark.parametrize("choose", OPPONENTS)
def test_swap_regret_is_bounded(choose):
    played, earned, _, _ = followed(RegretBot(BlumMansour()), choose, 1000)
    swap = sequence_swap_regret(played, earned)
    assert sequence_external_regret(played, earned) <= swap + 1e-9
    assert swap <= 3 * np.sqrt(5000)


@swapping
def test_twin_regret_matching_has_more_swap_regret():
    """Three phases: scissors take over when rock is far behind, and rock catches up with them.

    So rock would have been better by as much on all the throws of scissors.
    """
    phases = np.repeat([0, 1, 2], [300, 1200, 2100])
    steps = len(phases)

    def by_phase(p, own, other, rng):
        return int(phases[len(own)])

    found = [
        sequence_swap_regret(*followed(RegretBot(m), by_phase, steps)[:2])
        for m in (PLAIN, BlumMansour())
    ]
    assert found[0] > 3 * np.sqrt(5 * steps) > found[1]


@switching
@pytest.mark.parametrize("choose", OPPONENTS)
def test_switching_regret_is_bounded(choose):
    played, earned, _, _ = followed(RegretBot(PLUS), choose, 1000)
    for k in (0, 1, 4, 9):
        found = sequence_switching_regret(played, earned, switches=k)
        assert found <= (k + 1) * np.sqrt(5000) <= (k + 1) * 2 * np.sqrt(3 * 1000)


@switching
def test_twin_regret_matching_does_not_follow_switches():
    def once(p, own, other, rng):
        return 0 if len(own) < 1000 else 1

    found = [
        sequence_switching_regret(*followed(RegretBot(m), once, 2000)[:2], switches=1)
        for m in (PLAIN, PLUS)
    ]
    assert found[0] > 2 * np.sqrt(10_000) > found[1]
