"""Returns to go and generalized advantages, by their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.advantages import episode_advantages, returns_to_go
from learners.gradients.learner import value_means


def drawn(seed, steps):
    rng = np.random.default_rng(seed)
    acts = rng.random((steps, 2)) < 0.6
    return rng.normal(size=(steps, 2)), rng.normal(size=(steps, 2)), acts


@given(st.integers(0, 10**6), st.integers(1, 7), st.sampled_from([1.0, 0.9, 0.0]))
def test_returns_to_go_are_sums(seed, steps, discount):
    rewards, _, _ = drawn(seed, steps)
    found = returns_to_go(rewards, discount=discount)
    for t in range(steps):
        powers = discount ** np.arange(steps - t)
        assert found[t] == pytest.approx(powers @ rewards[t:])


@given(
    st.integers(0, 10**6),
    st.integers(1, 7),
    st.sampled_from([1.0, 0.8]),
    st.sampled_from([0.0, 0.5, 1.0]),
)
def test_episode_advantages_mix_estimates(seed, steps, discount, trace):
    """The sum of errors of own decisions, discounted by steps, traced by decisions."""
    rewards, values, acts = drawn(seed, steps)
    found = episode_advantages(rewards, values, acts, discount=discount, trace=trace)
    assert (found[~acts] == 0).all()
    for episode in (0, 1):
        own = np.flatnonzero(acts[:, episode]).tolist()
        ends = [*own, steps][1:]
        errors = []
        for t, after in zip(own, ends, strict=True):
            earned = sum(discount ** (u - t) * rewards[u, episode] for u in range(t, after))
            follows = discount ** (after - t) * values[after, episode] if after < steps else 0.0
            errors.append(earned + follows - values[t, episode])
        for k, t in enumerate(own):
            expected = sum(
                trace**m * discount ** (own[k + m] - t) * errors[k + m] for m in range(len(own) - k)
            )
            assert found[t, episode] == pytest.approx(expected)


def test_values_move_where_samples_are():
    first = value_means(3).moved(np.array([0, 0, 2]), np.array([1.0, 3.0, 5.0]), step_size=0.5)
    assert first.values.tolist() == [2.0, 0.0, 5.0]
    second = first.moved(np.array([0, 1]), np.array([4.0, 8.0]), step_size=0.5)
    assert second.values.tolist() == [3.0, 8.0, 5.0]
    assert second.visits.tolist() == [3, 1, 1]
