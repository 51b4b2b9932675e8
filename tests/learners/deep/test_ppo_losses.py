"""Losses of PPO against examples worked by hand."""

import pytest
import torch

from learners.deep.ppo import clipped_surrogate, divergence, value_error


def test_surrogate_stops_paying_outside_the_clip():
    """Ratios 1/2, 1, 3/2 for a good and a bad action, clip 1/5."""
    ratios = torch.tensor([0.5, 1.0, 1.5, 0.5, 1.0, 1.5])
    advantages = torch.tensor([2.0, 2.0, 2.0, -2.0, -2.0, -2.0])
    moved = ratios.log().requires_grad_()
    gained = clipped_surrogate(moved, torch.zeros(6), advantages, clip=0.2)
    assert gained.tolist() == pytest.approx([1.0, 2.0, 2.4, -1.6, -2.0, -3.0])
    gained.sum().backward()
    assert moved.grad.tolist() == pytest.approx([1.0, 2.0, 0.0, 0.0, -2.0, -3.0])


def test_value_error_takes_the_larger_of_both():
    values = torch.tensor([1.0, 3.0, 3.0])
    old = torch.tensor([0.0, 0.0, 0.0])
    returns = torch.tensor([1.0, 4.0, 1.0])
    assert value_error(values, old, returns, clip=None).tolist() == [0.0, 0.5, 2.0]
    # held at 0.5: errors of held values are 1/8, 12.25/2, 1/8
    assert value_error(values, old, returns, clip=0.5).tolist() == [0.125, 6.125, 2.0]


def test_divergence_estimate_has_the_right_mean():
    old, new = torch.tensor([0.25, 0.75]), torch.tensor([0.6, 0.4])
    mean = (old * divergence(new.log(), old.log())).sum()
    assert mean.item() == pytest.approx((old * (old / new).log()).sum().item())
