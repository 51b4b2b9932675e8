"""Matches of which one side is to be forecast: drawn by seeds, a block at a time.

No block depends on another, so nothing but the blocks in use need be in memory, and a run can go on
from any of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_function, require_integer
from gametheory_core.arrays import freeze
from gametheory_core.errors import InvalidArgument
from learners.roshambo.matches.matches import NUM_THROWS, Bot, play_match
from learners.streams import named_stream

Maker: TypeAlias = Callable[[], Bot]
Bytes: TypeAlias = NDArray[np.int8]
NUM_INPUTS = 2 * NUM_THROWS  # marks of the last throws of both
MOST_SEEDS = 2**32


@dataclass(frozen=True, eq=False)
class WatchedMatches:
    """Matches of bots whose throws are forecast.

    Attributes:
        own (matches, throws): Of the bots that are forecast, int8.
        other (matches, throws): Of their co-players, int8.
        bots, co_players (matches,): Who plays, as numbers in the order of the source.
    """

    own: Bytes
    other: Bytes
    bots: NDArray[np.int64]
    co_players: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Windows:
    """Short stretches of matches, from which a network learns.

    Attributes:
        seen (length, windows, 6): What was thrown before each throw: marks of the bot's own last
            throw and of the other's; none at the beginning of a match. Int8.
        came (length, windows): What the bot threw, int8.
    """

    seen: Bytes
    came: Bytes


class MatchSource:
    """Makes matches between bots to be forecast and their co-players.

    Args:
        bots: Make those that are forecast, by name.
        co_players: Make those they play against; default the same.
        throws: In a match.
        seed: Of all matches.

    Raises:
        InvalidArgument: If there is nobody, or an option makes no sense.

    >>> from learners.roshambo import embedded_population
    >>> everybody = embedded_population()
    >>> source = MatchSource({"copy": everybody["copy"]}, {"up": everybody["cycle_up"]}, throws=5)
    >>> source.drawn(0, matches=2).own[0, 1:].tolist()
    [0, 1, 2, 0]
    """

    def __init__(
        self,
        bots: Mapping[str, Maker],
        co_players: Mapping[str, Maker] | None = None,
        *,
        throws: int = 1000,
        seed: int = 0,
    ) -> None:
        others = bots if co_players is None else co_players
        for name, makers in (("bots", bots), ("co_players", others)):
            if not makers:
                raise InvalidArgument(needs=f"a bot or more in {name}", found="it is empty")
            for key, maker in makers.items():
                require_function(maker, name=f"{name}[{key!r}]", remedy="Give what makes the bot.")
        require_integer(throws, name="throws", low=1)
        require_integer(seed, name="seed", low=0)
        self.throws, self.seed = int(throws), int(seed)
        self.bots, self.co_players = tuple(bots), tuple(others)
        self._made = [maker() for maker in bots.values()]
        self._others = [maker() for maker in others.values()]  # a bot may meet itself

    def drawn(self, block: int, *, matches: int) -> WatchedMatches:
        """Return a block of matches to learn from: bots and co-players are drawn uniformly.

        Args:
            block: Its number; the same number gives the same matches.
        """
        rng = named_stream(self.seed, "drawn", block)
        pairs = rng.integers((len(self.bots), len(self.co_players)), size=(matches, 2))
        return self._played(pairs, rng.integers(1, MOST_SEEDS, size=(matches, 2)))

    def judged(self, begin: int, end: int, *, matches: int) -> WatchedMatches:
        """Return some of the matches to judge by, none of which is learned from.

        Match ``m`` of bot ``b`` with co-player ``c`` has number ``(b * co-players + c) * matches +
        m``; what is thrown in it depends on the seed, both names and ``m`` alone.

        Args:
            begin, end: Which numbers; the end is left out.
            matches: Of each pair.
        """
        numbers = np.arange(begin, end)
        pairs, which = np.divmod(numbers, matches)
        found = np.stack(np.divmod(pairs, len(self.co_players)), axis=1)
        seeds = [
            named_stream(self.seed, "judged", self.bots[b], self.co_players[c], int(m)).integers(
                1, MOST_SEEDS, size=2
            )
            for (b, c), m in zip(found, which, strict=True)
        ]
        return self._played(found, np.array(seeds).reshape(-1, 2))

    def num_judged(self, *, matches: int) -> int:
        """Return how many matches there are to judge by, so many of each pair."""
        return len(self.bots) * len(self.co_players) * matches

    def _played(self, pairs: NDArray[np.int64], seeds: NDArray[np.int64]) -> WatchedMatches:
        thrown = np.empty((2, len(pairs), self.throws), dtype=np.int8)
        for number, ((b, c), (own, other)) in enumerate(zip(pairs, seeds.tolist(), strict=True)):
            match = play_match(
                self._made[b], self._others[c], throws=self.throws, seeds=(own, other)
            )
            thrown[:, number] = match.histories
        return WatchedMatches(freeze(thrown[0]), freeze(thrown[1]), pairs[:, 0], pairs[:, 1])


def split_bots(names: Sequence[str], *, held_out: int, seed: int) -> tuple[str, ...]:
    """Return the names of bots to hold out, all sets being equally likely; in the given order.

    Raises:
        InvalidArgument: Unless some are held out and some are not.

    >>> len(split_bots(["copy", "beat", "yield"], held_out=1, seed=1))
    1
    """
    require_integer(held_out, name="held_out", low=1, high=len(names) - 1)
    drawn: list[int] = named_stream(seed, "held-out bots").permutation(len(names)).tolist()
    return tuple(names[k] for k in sorted(drawn[:held_out]))


def marks(own: Bytes, other: Bytes) -> Bytes:
    """Return what is seen of throws that were made: a one for each of both, among zeros.

    Args:
        own, other (...): Throws of the bot that is forecast, and of its co-player.

    Returns:
        Shape (..., 6).

    >>> marks(np.array([2], dtype=np.int8), np.array([0], dtype=np.int8)).tolist()
    [[0, 0, 1, 1, 0, 0]]
    """
    kinds = np.arange(NUM_THROWS, dtype=np.int8)
    return np.concatenate([own[..., None] == kinds, other[..., None] == kinds], axis=-1).view(
        np.int8
    )


def seen_before(own: Bytes, other: Bytes) -> Bytes:
    """Return what is seen before each throw, (matches, throws, 6); nothing before the first.

    >>> one = np.array([[2, 1]], dtype=np.int8)
    >>> seen_before(one, one).tolist()
    [[[0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 1]]]
    """
    seen = np.zeros((*own.shape, NUM_INPUTS), dtype=np.int8)
    seen[:, 1:] = marks(own[:, :-1], other[:, :-1])
    return seen


def windows_of(matches: WatchedMatches, *, length: int) -> Windows:
    """Cut matches into windows, from the first throw on; what is left over is dropped.

    Raises:
        InvalidArgument: If matches are shorter than a window.
    """
    number, throws = matches.own.shape
    require_integer(length, name="length", low=1, high=throws)
    each = throws // length
    kept = slice(each * length)
    seen = seen_before(matches.own, matches.other)[:, kept]
    return Windows(
        seen.reshape(number * each, length, NUM_INPUTS).swapaxes(0, 1),
        matches.own[:, kept].reshape(number * each, length).T,
    )
