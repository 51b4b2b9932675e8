"""Losses of proximal policy optimization, decision by decision."""

import torch


def clipped_surrogate(
    log_shares: torch.Tensor, old_log_shares: torch.Tensor, advantages: torch.Tensor, *, clip: float
) -> torch.Tensor:
    """Return what is gained by the new policy as far as it may be trusted, to be made large.

    ``min(r A, clamp(r, 1 - clip, 1 + clip) A)`` with the ratio ``r`` of new to old probability.

    Args:
        log_shares, old_log_shares: Log probability of the action under the new and the old policy.
        clip: How far the ratio may go from 1 before it pays no more.

    Source: :cite:`schulman2017ppo`, equation (7).
    """
    ratio = (log_shares - old_log_shares).exp()
    return torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)


def value_error(
    values: torch.Tensor, old_values: torch.Tensor, returns: torch.Tensor, *, clip: float | None
) -> torch.Tensor:
    """Return half the squared error of values, to be made small.

    With ``clip``, the larger of the errors of the value and of the value held within ``clip`` of
    the old one: leaving that range is not rewarded.
    """
    plain = 0.5 * (values - returns).square()
    if clip is None:
        return plain
    held = old_values + (values - old_values).clamp(-clip, clip)
    return torch.maximum(plain, 0.5 * (held - returns).square())


def divergence(log_shares: torch.Tensor, old_log_shares: torch.Tensor) -> torch.Tensor:
    """Return an unbiased, never negative estimate of the old policy's divergence from the new.

    ``(r - 1) - log r``, whose mean over the old policy's actions is ``KL(old, new)``.
    """
    difference = log_shares - old_log_shares
    return difference.exp() - 1 - difference
