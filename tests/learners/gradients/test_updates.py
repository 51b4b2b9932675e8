"""Update rules as functions of arrays: gradients against differences, limits of the clip."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.gradients import reinforce_gradient, softmax_policy
from learners.gradients.softmax import adam, adam_change, adam_seen, entropies, entropy_gradient
from learners.gradients.updates import Samples, clipped_gradient, ppo_update
from tests.sample_sizes import examples

SEEDS = st.integers(0, 10**6)


def drawn(seed, *, count=12):
    """Logits, which actions are legal, and samples by other logits."""
    rng = np.random.default_rng(seed)
    rows, columns = rng.integers(1, 4), rng.integers(2, 4)
    legal = rng.random((rows, columns)) < 0.7
    legal[np.arange(rows), rng.integers(columns, size=rows)] = True
    logits = rng.normal(size=(rows, columns))
    old = softmax_policy(logits + 0.3 * rng.normal(size=logits.shape), legal)
    seen = rng.integers(rows, size=count)
    did = np.array([rng.choice(columns, p=old[o]) for o in seen])
    return logits, legal, old, Samples(seen, did, rng.normal(size=count))


def differences(function, logits, width=1e-6):
    found = np.zeros_like(logits)
    for cell in np.ndindex(*logits.shape):
        moved = np.zeros_like(logits)
        moved[cell] = width
        found[cell] = (function(logits + moved) - function(logits - moved)) / (2 * width)
    return found


def surrogate(policy, old, samples, clip):
    """The mean clipped surrogate, a sample at a time."""
    total = 0.0
    for o, a, worth in zip(samples.observations, samples.actions, samples.advantages, strict=True):
        ratio = policy[o, a] / old[o, a]
        total += min(ratio * worth, min(max(ratio, 1 - clip), 1 + clip) * worth)
    return total / len(samples.observations)


@given(SEEDS)
def test_softmax_is_a_lottery_over_legal_actions(seed):
    logits, legal, _, _ = drawn(seed)
    policy = softmax_policy(300 * logits, legal)
    assert (policy[~legal] == 0).all()
    assert policy.sum(axis=1) == pytest.approx(1.0)
    assert softmax_policy(300 * logits + 1e4, legal) == pytest.approx(policy, abs=1e-9)


def test_softmax_of_no_legal_actions_is_empty():
    assert softmax_policy(np.ones((1, 2)), np.zeros((1, 2), dtype=bool)).tolist() == [[0.0, 0.0]]


@given(SEEDS)
def test_entropy_gradient_equals_differences(seed):
    logits, legal, _, _ = drawn(seed)
    weights = np.random.default_rng(seed).random(len(logits))

    def total(z):
        return weights @ entropies(softmax_policy(z, legal))

    found = entropy_gradient(softmax_policy(logits, legal), weights)
    assert found == pytest.approx(differences(total, logits), abs=1e-7)


@given(SEEDS)
def test_reinforce_gradient_is_the_sum_of_weighted_scores(seed):
    logits, legal, _, samples = drawn(seed)

    def weighted(z):
        chances = softmax_policy(z, legal)[samples.observations, samples.actions]
        return samples.advantages @ np.log(chances) / 3

    found = reinforce_gradient(softmax_policy(logits, legal), samples, episodes=3)
    assert found == pytest.approx(differences(weighted, logits), abs=1e-6)


@given(SEEDS)
def test_entropy_bonus_adds_the_gradient_of_the_mean_entropy(seed):
    logits, legal, _, samples = drawn(seed)

    def bonus(z):
        return 0.5 * entropies(softmax_policy(z, legal))[samples.observations].mean()

    policy = softmax_policy(logits, legal)
    plain = reinforce_gradient(policy, samples, episodes=3)
    found = reinforce_gradient(policy, samples, episodes=3, entropy_bonus=0.5)
    assert found - plain == pytest.approx(differences(bonus, logits), abs=1e-7)


@given(SEEDS, st.sampled_from([0.1, 0.2, 0.5]))
def test_clipped_gradient_equals_differences_of_the_surrogate(seed, clip):
    logits, legal, old, samples = drawn(seed)

    def total(z):
        return surrogate(softmax_policy(z, legal), old, samples, clip)

    found = clipped_gradient(softmax_policy(logits, legal), old, samples, clip=clip)
    assert found == pytest.approx(differences(total, logits), abs=1e-6)


def test_adam_moves_each_coordinate_by_about_its_step():
    """The published rule, written out for two steps."""
    first, second = np.array([2.0, -0.5]), np.array([1.0, 0.25])
    state = adam_seen(adam((2,)), first)
    assert adam_change(state, step_size=0.1) == pytest.approx([0.1, -0.1])
    state = adam_seen(state, second)
    mean = (0.9 * 0.1 * first + 0.1 * second) / (1 - 0.81)
    square = (0.999 * 0.001 * first**2 + 0.001 * second**2) / (1 - 0.999**2)
    assert adam_change(state, step_size=0.1) == pytest.approx(0.1 * mean / np.sqrt(square))


def update(seed, **options):
    logits, legal, _, _ = drawn(seed)
    old = softmax_policy(logits, legal)
    rng = np.random.default_rng(seed)
    seen = rng.integers(len(logits), size=40)
    did = np.array([rng.choice(logits.shape[1], p=old[o]) for o in seen])
    samples = Samples(seen, did, rng.normal(size=40))
    settings_ = {"step_size": 0.05, "rng": np.random.default_rng(1), **options}
    return (
        logits,
        legal,
        samples,
        ppo_update(logits, adam(logits.shape), samples, legal=legal, **settings_),
    )


@examples(25)
@given(SEEDS)
def test_first_step_of_ppo_is_that_of_reinforce(seed):
    """One epoch over everything: Adam's first step along the gradient at the old policy."""
    logits, legal, samples, found = update(seed, epochs=1)
    gradient = reinforce_gradient(softmax_policy(logits, legal), samples, episodes=40)
    expected = adam_change(adam_seen(adam(logits.shape), gradient), step_size=0.05)
    assert found.logits - logits == pytest.approx(expected, abs=1e-12)


@examples(25)
@given(SEEDS, st.sampled_from([1, 4]))
def test_ppo_reports_the_surrogate_it_reached(seed, minibatches):
    logits, legal, samples, found = update(seed, minibatches=minibatches)
    old, new = softmax_policy(logits, legal), softmax_policy(found.logits, legal)
    assert found.surrogate == pytest.approx(surrogate(new, old, samples, 0.2))
    assert found.epochs == 10
    assert found.optimizer.steps == 10 * minibatches
    kept = old[samples.observations] > 0
    logs = np.log(
        np.where(kept, old[samples.observations], 1) / np.where(kept, new[samples.observations], 1)
    )
    assert found.divergence == pytest.approx((old[samples.observations] * logs).sum(axis=1).mean())


def test_no_epoch_begins_beyond_the_divergence_limit():
    *_, free = update(3, step_size=0.3)
    *_, stopped = update(3, step_size=0.3, divergence_limit=1e-3)
    assert stopped.epochs < free.epochs
    assert stopped.divergence > 1e-3


def test_entropy_bonus_keeps_the_lottery_mixed():
    def spread(bonus):
        _, legal, _, found = update(5, epochs=60, entropy_bonus=bonus)
        return entropies(softmax_policy(found.logits, legal)).sum()

    assert spread(1.0) > spread(0.0) + 0.01


def test_given_arrays_are_left_alone():
    logits, legal, samples, _ = update(2)
    before = logits.copy(), samples.advantages.copy()
    ppo_update(
        logits,
        adam(logits.shape),
        samples,
        legal=legal,
        step_size=0.1,
        minibatches=3,
        rng=np.random.default_rng(0),
    )
    assert logits.tolist() == before[0].tolist()
    assert samples.advantages.tolist() == before[1].tolist()
