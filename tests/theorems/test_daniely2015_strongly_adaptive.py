"""Daniely, Gonen and Shalev-Shwartz 2015: little regret on every interval of time.

The covering holds step ``t`` in ``floor(log2 t) + 1`` intervals. On an interval ``I`` of it that
ends at ``e``, the mixture earns at most ``eta |I| + ln(W) / eta`` less than the interval's own
minimizer, in payoffs scaled to [0, 1], ``W = (e + 1)(log2(e + 1) + 1)`` and ``eta = min(1/2,
|I|^(-1/2))``: the proof's inequality, which is far below the printed bound. Floats: tolerance 1e-9.

Why it matters (regret): Regret over all time says little if the world changes; this bounds it on
every interval, for any minimizer.
"""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.regret import LocalMinimizer, StronglyAdaptive, sequence_external_regret
from learners.regret.reductions import active_intervals
from solvers.local_rules import RegretMatching, RegretMatchingPlus
from tests.sample_sizes import examples
from tests.theorems.utility_sequences import coins, drifting, face, least_likely

SOURCE = "Daniely, Gonen and Shalev-Shwartz 2015"
covering = pytest.mark.theorem(
    source=SOURCE,
    statement="The geometric covering holds step t in floor(log2 t) + 1 intervals, and every "
    "interval is a union of some whose lengths first double and then halve.",
)
adaptive = pytest.mark.theorem(
    source=SOURCE + ", theorem 1",
    statement="On each interval of the covering the mixture earns little less than a minimizer "
    "started there.",
)
PLUS = LocalMinimizer(RegretMatchingPlus())


@covering
@given(st.integers(1, 10**6))
def test_each_step_lies_in_one_interval_a_level(step):
    intervals = active_intervals(step)
    assert len(intervals) == math.floor(math.log2(step)) + 1
    for level, (first, last) in enumerate(intervals):
        assert first <= step <= last
        assert last - first + 1 == 2**level
        assert first % 2**level == 0 < first


@covering
@given(st.integers(1, 3000), st.integers(0, 3000))
def test_intervals_are_unions_of_few_of_the_covering(first, more):
    last, parts, begin = first + more, [], first
    while begin <= last:
        fitting = [i for i in active_intervals(begin) if i[0] == begin and i[1] <= last]
        parts.append(fitting[-1])
        begin = fitting[-1][1] + 1
    sizes = [b - a + 1 for a, b in parts]
    peak = sizes.index(max(sizes))
    rising, falling = sizes[: peak + 1], sizes[peak:]
    assert all(2 * a <= b for a, b in pairwise(rising))
    # one length may come twice, at the top
    assert all(a >= 2 * b for a, b in pairwise(falling[1:]))


def replay(base, utilities):
    """Return what a minimizer started afresh would have played."""
    state, played = base.start(1, utilities.shape[1]), []
    for row in utilities:
        played.append(base.strategies(state)[0])
        state = base.observe(state, row[None])
    return np.array(played).reshape(utilities.shape)


def followed(minimizer, choose, *, actions, steps, seed=0):
    played, earned = face(minimizer, choose, batch=1, actions=actions, steps=steps, seed=seed)
    return played[:, 0], earned[:, 0]


@adaptive
@examples(12)
@given(
    st.sampled_from([least_likely, coins]),
    st.integers(2, 4),
    st.integers(3, 130),
    st.integers(0, 10**6),
    st.sampled_from([LocalMinimizer(RegretMatching()), PLUS]),
)
def test_gap_to_each_intervals_own_minimizer(choose, actions, steps, seed, base):
    minimizer = StronglyAdaptive(base, levels=8)
    played, earned = followed(minimizer, choose, actions=actions, steps=steps, seed=seed)
    got = (played * earned).sum(axis=1)
    intervals = {i for t in range(1, steps + 1) for i in active_intervals(t)}
    for first, last in sorted(intervals):
        end = min(last, steps)
        inside = slice(first - 1, end)
        own = (replay(base, earned[inside]) * earned[inside]).sum(axis=1)
        gaps = own - got[inside]
        rate = min(0.5, (last - first + 1) ** -0.5)
        whole = (end + 1) * (math.log2(end + 1) + 1)
        assert gaps.sum() <= rate * (gaps**2).sum() + math.log(whole) / rate + 1e-9


@adaptive
@examples(12)
@given(st.sampled_from([least_likely, coins]), st.integers(3, 100), st.integers(0, 10**6))
def test_weights_are_products_over_their_interval(choose, steps, seed):
    """The closed form of each live weight, and their sum: 1 for each interval begun, no more."""
    minimizer = StronglyAdaptive(PLUS, levels=8)
    rng = np.random.default_rng(seed)
    state = minimizer.start(1, 3)
    utilities, got = [], []
    for step in range(1, steps + 1):
        live = active_intervals(step)
        for level, (first, _) in enumerate(live):
            past = np.array(utilities[first - 1 :]).reshape(-1, 3)
            own = (replay(PLUS, past) * past).sum(axis=1)
            gaps = own - np.array(got[first - 1 :])
            rate = min(0.5, 2 ** (-level / 2))
            expected = rate * np.prod(1 + rate * gaps)
            assert state["weights"][0, level] == pytest.approx(expected, rel=1e-9)
        assert (state["weights"][0, len(live) :] == 0).all()
        total = (state["weights"][0] / minimizer.rates).sum()
        assert total <= step * (math.log2(step) + 1) + 1e-9
        played = minimizer.strategies(state)
        row = choose(played, rng)
        utilities.append(row[0])
        got.append(float(played[0] @ row[0]))
        state = minimizer.observe(state, row)


@adaptive
@examples(6)
@given(st.integers(0, 10**6))
def test_regret_on_all_intervals_is_bounded_as_printed(seed):
    """Theorem 1 for all intervals [q, s] at once, with C = 2 sqrt(n) of regret matching+."""
    steps, actions = 200, 3
    rows = iter(drifting(seed, steps=steps, actions=actions, phases=5)[:, None, :])
    played, earned = followed(
        StronglyAdaptive(PLUS, levels=8), lambda *_: next(rows), actions=actions, steps=steps
    )
    regrets = earned - (played * earned).sum(axis=1, keepdims=True)
    sums = np.concatenate([np.zeros((1, actions)), regrets.cumsum(axis=0)])
    for end in range(1, steps + 1):
        lengths = end - np.arange(end)
        found = (sums[end] - sums[:end]).max(axis=1)
        constant = 4 / (math.sqrt(2) - 1) * 2 * math.sqrt(actions) + 40 * math.log(end + 1)
        assert (found <= constant * np.sqrt(lengths)).all()


@adaptive
def test_twin_regret_matching_is_late_after_a_change():
    """Where the best action changes, only the mixture has little regret on the second half."""
    half = 4096
    rows = np.concatenate([np.tile([1.0, 0.0], (half, 1)), np.tile([0.0, 1.0], (half, 1))])
    regrets = {}
    for name, minimizer in {
        "alone": LocalMinimizer(RegretMatching()),
        "adaptive": StronglyAdaptive(LocalMinimizer(RegretMatching()), levels=14),
    }.items():
        schedule = iter(rows[:, None, :])
        played, earned = followed(
            minimizer, lambda *_, schedule=schedule: next(schedule), actions=2, steps=2 * half
        )
        regrets[name] = sequence_external_regret(played[half:], earned[half:])
    bound = math.sqrt(half) * (1 + math.log(2 * half * 14) + 2 * math.sqrt(2))
    assert regrets["adaptive"] < bound < regrets["alone"]
