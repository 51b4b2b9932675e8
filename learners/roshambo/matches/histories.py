"""What bots with a memory ask of a match: that it goes on, what was thrown last, and chance."""

from typing import Any

import numpy as np

from gametheory_core.errors import InvalidArgument
from learners.roshambo.matches.matches import Throws

NOBODY = -1
DRAWN_AT_ONCE = 1024
THROWS = frozenset(range(3))


class MatchClock:
    """How far a match is.

    >>> clock = MatchClock()
    >>> clock.tick([], []), clock.tick([2], [0])
    ((-1, -1), (2, 0))
    """

    def __init__(self) -> None:
        self._answered = 0  # throws

    def tick(self, own: Throws, other: Throws) -> tuple[Any, Any]:
        """Return the last throws; ``NOBODY`` twice before the first.

        Raises:
            InvalidArgument: If histories are not those of a match that goes on, or have entries
                that are no throws.
        """
        made = len(own)
        if made != self._answered or len(other) != made:
            raise InvalidArgument(
                needs=f"two histories of {self._answered} throws, one more in each call",
                found=f"they have {made} and {len(other)}",
                remedy="Call reset(seed) before another match.",
            )
        last_own, last_other = (own[-1], other[-1]) if made else (NOBODY, NOBODY)
        if made and (last_own not in THROWS or last_other not in THROWS):
            raise InvalidArgument(
                needs="throws of 0, 1 and 2",
                found=f"the last ones are {last_own!r} and {last_other!r}",
            )
        self._answered += 1
        return last_own, last_other


class Uniforms:
    """Numbers in [0, 1), drawn many at a time.

    >>> numbers = Uniforms(np.random.default_rng(1))
    >>> [round(numbers.next(), 3) for _ in range(2)] == np.random.default_rng(1).random(
    ...     2
    ... ).round(3).tolist()
    True
    """

    def __init__(self, stream: np.random.Generator) -> None:
        self._stream = stream
        self._left: list[float] = []

    def next(self) -> float:
        """Return the next number of the stream."""
        if not self._left:
            self._left = self._stream.random(DRAWN_AT_ONCE).tolist()
            self._left.reverse()
        return self._left.pop()
