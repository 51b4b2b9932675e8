"""Losses in closed form: what they are, decision by decision, and their slopes.

Networks say numbers; a loss says how large it is and how it changes with each of them. What is
between is the networks' own business.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.floating[Any]]


class Sloped(NamedTuple):
    """A function's value at each decision, and its slope in what it is a function of."""

    value: Numbers
    slope: Numbers


@dataclass(frozen=True, eq=False)
class Mixed:
    """Mixed actions (..., A), of which one was played.

    Attributes:
        log_shares, shares (..., A): Minus infinity, and 0, where not legal.
        chosen (...): Log probability of the action played.
        places (...): Where it stands among all numbers.
    """

    log_shares: Numbers
    shares: Numbers
    chosen: Numbers
    places: NDArray[np.int64]


def log_probabilities(outputs: Numbers, legal: NDArray[np.bool_]) -> Numbers:
    """Return log probabilities of actions, (..., A): minus infinity where not legal.

    Args:
        outputs: A network's numbers, whatever they are for illegal actions.
        legal: At least one action is legal everywhere.
    """
    known = np.where(legal, outputs, -np.inf)
    known -= np.maximum.reduce(known, axis=-1, keepdims=True)
    known -= np.log(np.add.reduce(np.exp(known), axis=-1, keepdims=True))
    return known


def mixed(outputs: Numbers, legal: NDArray[np.bool_], actions: NDArray[np.int64]) -> Mixed:
    """Return the mixed actions that outputs (..., A) mean, and what they say of actions (...)."""
    log_shares = log_probabilities(outputs, legal)
    count = outputs.shape[-1]
    places = np.arange(0, outputs.size, count).reshape(actions.shape) + actions
    return Mixed(log_shares, np.exp(log_shares), log_shares.take(places), places)


def entropy(played: Mixed) -> Numbers:
    """Return entropies in nats, (...)."""
    return -np.add.reduce(played.shares * _finite(played), axis=-1)


def slopes_of_entropy(played: Mixed, entropies: Numbers) -> Numbers:
    """Return slopes of entropies (...) in the outputs, (..., A)."""
    return -played.shares * (_finite(played) + entropies[..., None])


def _finite(played: Mixed) -> Numbers:
    """Return log probabilities, 0 where there is none."""
    return np.where(played.shares > 0, played.log_shares, 0.0)


def slopes_by_choice(played: Mixed, slopes: Numbers) -> Numbers:
    """Return slopes in the outputs, (..., A), given those in the log probability played, (...).

    Illegal actions have none.
    """
    found = -played.shares * slopes[..., None]
    found.reshape(-1)[played.places] += slopes
    return found


def clipped_surrogate(
    log_shares: Numbers, old_log_shares: Numbers, advantages: Numbers, *, clip: float
) -> Sloped:
    """Return what is gained by the new policy as far as it may be trusted, to be made large.

    ``min(r A, clamp(r, 1 - clip, 1 + clip) A)`` with the ratio ``r`` of new to old probability; its
    slope is that in ``log_shares``.

    Args:
        log_shares, old_log_shares: Log probability of the action under the new and the old policy.
        clip: How far the ratio may go from 1 before it pays no more.

    Source: :cite:`schulman2017ppo`, equation (7).
    """
    ratio = np.exp(log_shares - old_log_shares)
    free = ratio * advantages
    held = np.minimum(np.maximum(ratio, 1 - clip), 1 + clip) * advantages
    return Sloped(np.minimum(free, held), np.where(free > held, 0.0, free))


def squared_error(values: Numbers, targets: Numbers) -> Sloped:
    """Return half the squared error of values."""
    away = values - targets
    return Sloped(0.5 * away * away, away)


def value_error(
    values: Numbers, old_values: Numbers, returns: Numbers, *, clip: float | None
) -> Sloped:
    """Return half the squared error of values, to be made small.

    With ``clip``, the larger of the errors of the value and of the value held within ``clip`` of
    the old one: leaving that range is not rewarded.
    """
    free = squared_error(values, returns)
    if clip is None:
        return free
    moved = values - old_values
    held = squared_error(old_values + np.clip(moved, -clip, clip), returns)
    is_free = free.value >= held.value
    stays = np.where(np.abs(moved) > clip, 0.0, held.slope)
    return Sloped(np.maximum(free.value, held.value), np.where(is_free, free.slope, stays))


def huber_error(values: Numbers, targets: Numbers) -> Sloped:
    """Return half the squared error up to 1, and beyond the error less a half: slopes up to 1."""
    away = values - targets
    slope = np.minimum(np.maximum(away, -1), 1)
    return Sloped(slope * (away - slope / 2), slope)


def divergence(log_shares: Numbers, old_log_shares: Numbers) -> Numbers:
    """Return an unbiased, never negative estimate of the old policy's divergence from the new.

    ``(r - 1) - log r``, whose mean over the old policy's actions is ``KL(old, new)``.
    """
    difference = log_shares - old_log_shares
    return np.exp(difference) - 1 - difference


def label_losses(weights: Numbers, labels: NDArray[np.int64]) -> Sloped:
    """Return cross-entropies in nats (...) of weights (..., C) of labels (...), and slopes."""
    told = mixed(weights, np.ones(weights.shape, dtype=np.bool_), labels)
    return Sloped(-told.chosen, slopes_by_choice(told, np.full(labels.shape, -1.0, weights.dtype)))


def mean_over(values: NDArray[Any], is_real: NDArray[np.bool_]) -> float:
    """Return the mean over what is no padding; there is none in sequences of one decision."""
    if len(is_real) == 1:
        return float(values.mean())
    return float(values[is_real].mean())


def slopes_of_mean(slopes: Numbers, is_real: NDArray[np.bool_], *, weight: float = 1.0) -> Numbers:
    """Return slopes (L, S, ...) of a weighted mean over what is no padding."""
    if len(is_real) == 1:
        return slopes * (weight / is_real.size)
    shown = is_real.reshape(is_real.shape + (1,) * (slopes.ndim - 2))
    return np.where(shown, slopes * (weight / is_real.sum()), 0.0)
