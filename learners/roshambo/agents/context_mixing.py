"""Blind context mixing: hundreds of adaptive forecasts of the next throw, weighed online.

Each of 633 experts forecasts the opponent's next throw: by what followed like histories, relative
to a symbol that the history gives, by a shift from such a symbol, or by what the opponent may
expect of us. Three logistic and eight Bayesian mixers weigh them, and a mixture of the eleven is
replied to. Nothing is trained before a match. ``learners._kernels.mixing_tables`` lists the
experts.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners._kernels import mixing_tables as of
from learners._kernels.mixing_state import MIND
from learners.roshambo.matches.histories import MatchClock, Uniforms
from learners.roshambo.matches.matches import Throws
from learners.streams import named_stream

FIRST_CAPACITY = 1024


class ContextMixing:
    """A bot that forecasts the next throw by mixing hundreds of experts, and replies to it.

    Where the best reply to its forecast is hardly better than the others, it throws at random.

    Raises:
        InvalidArgument: By ``throw``, if histories are not those of a match that goes on, or have
            entries that are no throws.

    A bot has 1.6 MB of memory, and 20 bytes more for each throw.

    >>> from learners.roshambo import play_match
    >>> class Rock:
    ...     def reset(self, seed): pass
    ...     def throw(self, own, other): return 0
    >>> match = play_match(ContextMixing(), Rock(), throws=100, seeds=(1, 2))
    >>> match.returns[0] > 80
    True
    """

    def __init__(self) -> None:
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Forget everything, and begin a match.

        Args:
            seed: Of what is thrown at random.
        """
        self._clock = MatchClock()
        self._numbers = Uniforms(named_stream(seed, "context_mixing"))
        self._seen = np.zeros((5, FIRST_CAPACITY + of.RECALL), dtype=np.int32)
        self._mind = _new_mind()

    def throw(self, own: Throws, other: Throws) -> int:
        """Return the next throw after the throws so far; both grow by one from call to call."""
        last_own, last_other = self._clock.tick(own, other)
        made = len(own)
        if made == self._seen.shape[1] - of.RECALL:
            self._seen = _enlarged(self._seen, 2 * made)
        return _answer()(self._seen, self._mind, made, (last_own, last_other), self._numbers.next())

    def forecast(self) -> tuple[float, float, float]:
        """Return how likely the opponent was held to throw which when it was last replied to."""
        rock, paper, scissors = self._mind["forecast"][0].tolist()
        return rock, paper, scissors


@cache
def _answer() -> Any:
    from learners._kernels.mixing import answer  # noqa: PLC0415 loads numba

    return answer


def _new_mind() -> NDArray[np.void]:
    """Return the memory of a mixer that has seen nothing."""
    mind = np.zeros(1, dtype=MIND)
    mind["cells"].reshape(-1, 4)[:, :3] = 1 / 3
    mind["followers"] = of.NOBODY
    mind["weights"] = of.FIRST_WEIGHTS[:, None]
    mind["beliefs"] = 1 / of.NUM_EXPERTS
    mind["shifts"][..., 2] = of.NOTHING
    mind["trust"] = 1 / of.NUM_MIXERS
    return mind


def _enlarged(seen: NDArray[np.int32], capacity: int) -> NDArray[np.int32]:
    """Return the same table with room for so many throws."""
    made = seen.shape[1] - of.RECALL
    larger = np.zeros((5, capacity + of.RECALL), dtype=np.int32)
    larger[:2, -seen.shape[1] :] = seen[:2]
    larger[2:, :made] = seen[2:, :made]
    return larger
