"""Blind context mixing: hundreds of adaptive forecasts of the next throw, weighed online.

Each of 627 experts forecasts the opponent's next throw: by what followed like histories, relative
to a symbol that the history gives, or by what the opponent may expect of us. Three logistic and
three Bayesian mixers weigh them, and a mixture of the six is replied to. Nothing is trained before
a match. ``learners._kernels.mixing_tables`` lists the experts.
"""

from functools import cache
from typing import Any

import numpy as np

from learners._kernels import mixing_state as state
from learners._kernels import mixing_tables as of
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
        self._store = _new_store(FIRST_CAPACITY)

    def throw(self, own: Throws, other: Throws) -> int:
        """Return the next throw after the throws so far; both grow by one from call to call."""
        last_own, last_other = self._clock.tick(own, other)
        made = len(own)
        if made > 0:
            self._see(made, last_own, last_other)
        return _answer()(self._store, made, self._numbers.next())

    def forecast(self) -> tuple[float, float, float]:
        """Return how likely the opponent was held to throw which when it was last replied to."""
        rock, paper, scissors = state.work_of(self._store).forecast.tolist()
        return rock, paper, scissors

    def _see(self, made: int, own: int, other: int) -> None:
        seen, capacity = self._store.seen, self._store.runs.shape[1]
        if made == capacity:
            self._store = _enlarged(self._store, 2 * capacity)
            seen = self._store.seen
        column = seen.shape[1] - of.RECALL - made
        seen[0, column] = own
        seen[1, column] = other


@cache
def _answer() -> Any:
    from learners._kernels.mixing import answer  # noqa: PLC0415 loads numba

    return answer


def _new_store(capacity: int) -> state.Store:
    """Return the memory of a mixer that has seen nothing, with room for so many throws."""
    store = state.Store(
        seen=np.zeros((2, capacity + of.RECALL), dtype=np.int32),
        runs=np.zeros((3, capacity), dtype=np.int32),
        floats=np.zeros(state.MIND_AT[-1]),
        ints=np.zeros(state.INTS_AT[-1], dtype=np.int64),
        spare=np.zeros(state.WORK_AT[-1]),
    )
    mind = state.mind_of(store)
    mind.cells[:, :3] = 1 / 3
    mind.followers[:] = of.NOBODY
    mind.weights[:] = of.FIRST_WEIGHTS[:, None]
    mind.trust[:] = 1 / of.NUM_MIXERS
    return store


def _enlarged(store: state.Store, capacity: int) -> state.Store:
    """Return the same memory with room for so many throws."""
    seen = np.zeros((2, capacity + of.RECALL), dtype=np.int32)
    seen[:, -store.seen.shape[1] :] = store.seen
    runs = np.zeros((3, capacity), dtype=np.int32)
    runs[:, : store.runs.shape[1]] = store.runs
    return store._replace(seen=seen, runs=runs)
