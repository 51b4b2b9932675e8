"""Decisions: what a role did at one moment of play."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Decision:
    """What an actor did at one moment, in ``R`` lanes; of meaning where the lane acts.

    Attributes:
        actions (R,)
        log_shares (R,): Log probability of the action.
        values (R,): What the value network expects; zero without one.
        previous (R,): Own action before, as shown to the networks.
    """

    actions: NDArray[np.int64]
    log_shares: NDArray[np.floating[Any]]
    values: NDArray[np.float32]
    previous: NDArray[np.int64]


def drawable(shares: NDArray[np.float64], legal: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the shares; even ones of a broken network, so that its loss can say what broke."""
    if np.isfinite(shares).all():
        return shares
    return np.asarray(legal / legal.sum(axis=-1, keepdims=True), dtype=np.float64)
