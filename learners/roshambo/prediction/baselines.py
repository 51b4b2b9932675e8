"""Forecasters that need no training: they count in the match itself."""

from functools import cache
from typing import Any

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import FloatArray
from learners.options import Positive, checked
from learners.roshambo.agents.context_mixing import ContextMixing
from learners.roshambo.matches.matches import NUM_THROWS
from learners.roshambo.prediction.watched_matches import Bytes

MOST_RECALLED = 5  # throws of both: 9^5 contexts


@checked
class BackOff:
    """Forecasts by what followed the last throws of both; where they are new, the last but one.

    With ``n`` times that a context of ``k`` throws was met, and ``c`` times that throw ``a``
    followed, ``p_k(a) = (c + w p_{k-1}(a)) / (n + w)``, and ``p_{-1}`` is uniform.

    Args:
        order: Longest context, in throws of both; 0 counts frequencies alone.
        weight: ``w``, of shorter contexts.

    Source: Back-off, :cite:`cleary1984data`, with Dirichlet weights.

    >>> cycle = np.arange(6, dtype=np.int8)[None] % 3
    >>> BackOff(1).forecasts(cycle, cycle)[0, 4].round(3).tolist()
    [0.233, 0.633, 0.133]
    """

    def __init__(self, order: int, *, weight: Positive = 1.0) -> None:
        require_integer(order, name="order", low=0, high=MOST_RECALLED)
        self.order, self.weight = int(order), float(weight)

    def forecasts(self, own: Bytes, other: Bytes) -> FloatArray:
        """Return forecasts (matches, throws, 3)."""
        found = np.empty((*own.shape, NUM_THROWS))
        joint = NUM_THROWS * own.astype(np.int64) + other
        starts = np.cumsum([0, *(9**k for k in range(self.order + 1))])
        counts = np.zeros((starts[-1], NUM_THROWS))
        for match in range(len(own)):
            counts[:] = 0
            _loops().back_off(own[match], joint[match], starts, counts, self.weight, found[match])
        return found


class MixedForecasts:
    """Forecasts as ``ContextMixing`` does, which looks on: it mixes hundreds of experts online.

    Some 40 microseconds a throw.

    >>> still = np.ones((1, 30), dtype=np.int8)
    >>> bool(MixedForecasts().forecasts(still, still)[0, -1, 1] > 0.9)
    True
    """

    def forecasts(self, own: Bytes, other: Bytes) -> FloatArray:
        """Return forecasts (matches, throws, 3)."""
        found = np.empty((*own.shape, NUM_THROWS))
        mixer = ContextMixing()
        for match, (theirs, mine) in enumerate(zip(own.tolist(), other.tolist(), strict=True)):
            mixer.reset(0)
            for t in range(len(theirs)):
                mixer.throw(mine[:t], theirs[:t])
                found[match, t] = mixer.forecast()
        return found


@cache
def _loops() -> Any:
    from learners._kernels import throw_counts  # noqa: PLC0415 loads numba

    return throw_counts
