"""Losses against examples worked by hand, and slopes against torch's own."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.deep.losses import (
    clipped_surrogate,
    divergence,
    entropy,
    huber_error,
    label_losses,
    log_probabilities,
    mean_over,
    mixed,
    slopes_by_choice,
    slopes_of_entropy,
    slopes_of_mean,
    squared_error,
    value_error,
)

SEEDS = st.integers(0, 2**32 - 1)


def test_surrogate_stops_paying_outside_the_clip():
    """Ratios 1/2, 1, 3/2 for a good and a bad action, clip 1/5."""
    ratios = np.array([0.5, 1.0, 1.5, 0.5, 1.0, 1.5])
    advantages = np.array([2.0, 2.0, 2.0, -2.0, -2.0, -2.0])
    gained = clipped_surrogate(np.log(ratios), np.zeros(6), advantages, clip=0.2)
    assert gained.value == pytest.approx([1.0, 2.0, 2.4, -1.6, -2.0, -3.0])
    assert gained.slope == pytest.approx([1.0, 2.0, 0.0, 0.0, -2.0, -3.0])


def test_value_error_takes_the_larger_of_both():
    values = np.array([1.0, 3.0, 3.0])
    old = np.array([0.0, 0.0, 0.0])
    returns = np.array([1.0, 4.0, 1.0])
    assert value_error(values, old, returns, clip=None).value.tolist() == [0.0, 0.5, 2.0]
    # held at 0.5: errors of held values are 1/8, 12.25/2, 1/8
    assert value_error(values, old, returns, clip=0.5).value.tolist() == [0.125, 6.125, 2.0]


def test_divergence_estimate_has_the_right_mean():
    old, new = np.array([0.25, 0.75]), np.array([0.6, 0.4])
    mean = (old * divergence(np.log(new), np.log(old))).sum()
    assert mean == pytest.approx((old * np.log(old / new)).sum())


def test_illegal_actions_have_no_probability_and_no_slope():
    outputs = np.array([[5.0, 1.0, -2.0], [0.0, 0.0, 0.0]])
    legal = np.array([[False, True, True], [True, False, False]])
    played = mixed(outputs, legal, np.array([1, 0]))
    assert played.shares[0, 0] == 0.0
    assert played.shares[1].tolist() == [1.0, 0.0, 0.0]
    assert played.shares.sum(axis=-1) == pytest.approx([1.0, 1.0])
    slopes = slopes_by_choice(played, np.ones(2)) + slopes_of_entropy(played, entropy(played))
    assert slopes[0, 0] == 0.0
    assert slopes[1].tolist() == [0.0, 0.0, 0.0]
    assert slopes[0, 1] != 0.0


def test_entropy_of_even_lotteries():
    legal = np.array([[True, True, True], [True, True, False], [True, False, False]])
    found = entropy(mixed(np.zeros((3, 3)), legal, np.zeros(3, int)))
    assert found == pytest.approx([np.log(3), np.log(2), 0.0])


def test_all_labels_are_alike_at_first_and_pulled_by_how_often_they_come():
    """The loss is the logarithm of their number; its slope 1/C less the frequencies."""
    labels = np.random.default_rng(1).integers(0, 4, (5, 6))
    missed = label_losses(np.zeros((5, 6, 4)), labels)
    assert missed.value == pytest.approx(np.full((5, 6), np.log(4)))
    shares = np.bincount(labels.ravel(), minlength=4) / labels.size
    assert missed.slope.mean(axis=(0, 1)) == pytest.approx(0.25 - shares)


# Slopes


def leaf(values):
    return torch.from_numpy(values).requires_grad_()


def some_play(seed, *, steps=3, lanes=5, actions=4):
    rng = np.random.default_rng(seed)
    legal = rng.random((steps, lanes, actions)) < 0.6
    acted = rng.integers(actions, size=(steps, lanes))
    np.put_along_axis(legal, acted[..., None], values=True, axis=-1)
    outputs = 3 * rng.normal(size=legal.shape)
    is_real = np.arange(steps)[:, None] < rng.integers(1, steps + 1, size=lanes)
    return rng, outputs, legal, acted, is_real


def torch_log_shares(outputs, legal):
    return torch.log_softmax(outputs.masked_fill(~torch.from_numpy(legal), -torch.inf), dim=-1)


@settings(deadline=None, max_examples=60)
@given(SEEDS, st.sampled_from([0.05, 0.2, 3.0]), st.booleans())
def test_slopes_of_policy_losses_are_those_of_torch(seed, clip, is_single):
    """Surrogate and entropy, averaged over what is no padding, in the outputs."""
    rng, outputs, legal, acted, is_real = some_play(seed, steps=1 if is_single else 3)
    old = np.log(rng.uniform(0.1, 1.0, size=acted.shape))
    advantages = rng.normal(size=acted.shape)
    played = mixed(outputs, legal, acted)
    gained = clipped_surrogate(played.chosen, old, advantages, clip=clip)
    spread = entropy(played)
    found = slopes_by_choice(played, slopes_of_mean(gained.slope, is_real, weight=-1.0))
    found += slopes_of_mean(slopes_of_entropy(played, spread), is_real, weight=0.3)

    given_ = leaf(outputs)
    log_shares = torch_log_shares(given_, legal)
    chosen = log_shares.gather(-1, torch.from_numpy(acted)[..., None])[..., 0]
    ratio, worth = (chosen - torch.from_numpy(old)).exp(), torch.from_numpy(advantages)
    peers = torch.minimum(ratio * worth, ratio.clamp(1 - clip, 1 + clip) * worth)
    known = log_shares.masked_fill(log_shares == -torch.inf, 0.0)
    peer_spread = -(log_shares.exp() * known).sum(dim=-1)
    real = torch.from_numpy(is_real)
    loss = -peers[real].mean() + 0.3 * peer_spread[real].mean()
    loss.backward()
    assert -mean_over(gained.value, is_real) + 0.3 * mean_over(spread, is_real) == pytest.approx(
        loss.item()
    )
    assert found == pytest.approx(given_.grad.numpy(), abs=1e-12)
    assert not found[~legal].any()
    assert not found[~is_real].any()


@settings(deadline=None, max_examples=60)
@given(SEEDS)
def test_slopes_of_errors_are_those_of_torch(seed):
    """Squared, Huber's, and the larger of the free and the held one, some of each."""
    rng = np.random.default_rng(seed)
    values, old, returns = 2 * rng.normal(size=(3, 2, 40))
    peer_returns, peer_old = torch.from_numpy(returns), torch.from_numpy(old)

    def held_error(given_):
        held = peer_old + (given_ - peer_old).clamp(-0.5, 0.5)
        return 0.5 * torch.maximum((given_ - peer_returns).square(), (held - peer_returns).square())

    for own, peer in (
        (squared_error(values, returns), lambda given_: 0.5 * (given_ - peer_returns).square()),
        (value_error(values, old, returns, clip=None), lambda v: 0.5 * (v - peer_returns).square()),
        (value_error(values, old, returns, clip=0.5), held_error),
        (
            huber_error(values, returns),
            lambda v: torch.nn.functional.smooth_l1_loss(v, peer_returns, reduction="none"),
        ),
    ):
        given_ = leaf(values)
        wanted = peer(given_)
        wanted.sum().backward()
        assert own.value == pytest.approx(wanted.detach().numpy())
        assert own.slope == pytest.approx(given_.grad.numpy())


@settings(deadline=None, max_examples=30)
@given(SEEDS, st.integers(2, 6))
def test_slopes_of_label_losses_are_those_of_torch(seed, classes):
    rng = np.random.default_rng(seed)
    weights, labels = rng.normal(size=(3, 4, classes)), rng.integers(classes, size=(3, 4))
    missed = label_losses(weights, labels)
    given_ = leaf(weights)
    wanted = torch.nn.functional.cross_entropy(
        given_.flatten(0, 1), torch.from_numpy(labels).flatten(), reduction="none"
    )
    wanted.sum().backward()
    assert missed.value.ravel() == pytest.approx(wanted.detach().numpy())
    assert missed.slope == pytest.approx(given_.grad.numpy())


@settings(deadline=None, max_examples=30)
@given(SEEDS)
def test_log_probabilities_are_those_of_torch_and_survive_large_outputs(seed):
    rng, outputs, legal, _, _ = some_play(seed)
    outputs *= 10.0 ** rng.integers(0, 6)
    wanted = torch_log_shares(torch.from_numpy(outputs), legal).numpy()
    found = log_probabilities(outputs, legal)
    assert (np.isinf(found) == ~legal).all()
    assert found[legal] == pytest.approx(wanted[legal])
