"""A bot that replies to what mostly followed the same joint throws before: n-grams that back off.

It looks for the last ``K`` joint throws, or as many of them as occurred before, and expects of the
other what followed them most often; of several, the first. Nothing is drawn: who knows it wins.
"""

from gametheory_core.arguments import require_integer
from learners.roshambo.matches.histories import MatchClock
from learners.roshambo.matches.matches import NUM_THROWS, Throws

MOST_RECALLED = 100
JOINT = NUM_THROWS**2


class JointCounts:
    """How often which throw of the other followed the last joint throws, of each length up to some.

    Args:
        longest: In joint throws.

    >>> counts = JointCounts(1)
    >>> for own, other in [(0, 1), (0, 1), (2, 2), (0, 1)]:
    ...     counts.see(own, other)
    >>> counts.followers()  # of rock and paper: paper, then scissors
    (0, 1, 1)
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._counts: dict[int, list[int]] = {}
        self._keys = [1]  # of the last 0, 1, ... joint throws: digits in base 9 behind a 1

    def see(self, own: int, other: int) -> None:
        """Count another joint throw."""
        for key in self._keys:
            self._counts.setdefault(key, [0] * NUM_THROWS)[other] += 1
        joint = NUM_THROWS * own + other
        self._keys = [1] + [key * JOINT + joint for key in self._keys[: self._longest]]

    def followers(self) -> tuple[int, int, int]:
        """Return the counts after the longest history that occurred before; zeros if none did."""
        for key in reversed(self._keys):
            if key in self._counts:
                rock, paper, scissors = self._counts[key]
                return rock, paper, scissors
        return 0, 0, 0


class NGram:
    """A bot that beats what followed the last joint throws most often.

    Args:
        order: How many joint throws it looks back at most, from 0 to 100; 0 counts throws alone.

    Raises:
        InvalidArgument: If the order makes no sense; by ``throw``, if histories are not those of a
            match that goes on.

    A match of ``T`` throws takes memory for up to ``T (order + 1)`` histories.

    >>> from learners.roshambo import play_match
    >>> class Rotate:
    ...     def reset(self, seed): pass
    ...     def throw(self, own, other): return len(own) % 3
    >>> [play_match(NGram(K), Rotate(), throws=300, seeds=(0, 0)).returns[0] > 280 for K in (0, 1)]
    [False, True]
    """

    def __init__(self, order: int) -> None:
        require_integer(order, name="order", low=0, high=MOST_RECALLED)
        self.order = order
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Forget everything; the seed changes nothing."""
        del seed
        self._clock = MatchClock()
        self._counts = JointCounts(self.order)

    def throw(self, own: Throws, other: Throws) -> int:
        """Return the next throw after the throws so far; both grow by one from call to call."""
        last_own, last_other = self._clock.tick(own, other)
        if len(own):
            self._counts.see(int(last_own), int(last_other))
        followers = self._counts.followers()
        return (followers.index(max(followers)) + 1) % NUM_THROWS
