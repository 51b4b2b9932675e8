"""Repeated rock-paper-scissors: what a bot is, and matches between two of them.

Throws are 0 for rock, 1 for paper and 2 for scissors: ``a`` beats ``b`` if ``a - b`` is 1 mod 3.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import as_tuple, require_instance, require_integer, shown
from gametheory_core.arrays import freeze
from gametheory_core.errors import InvalidArgument, named
from gametheory_core.memory import require_memory
from learners.roshambo.bots.compiled_bot import CompiledBot, compiled_match

Throws: TypeAlias = Sequence[int] | NDArray[np.int64]
Seen: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64]]  # own throws, and the other's
BYTES_OF_A_THROW = 48  # of both bots: what was thrown, and two copies
NUM_THROWS = 3  # to choose from


@runtime_checkable
class Bot(Protocol):
    """One that plays matches, one after another."""

    def reset(self, seed: int) -> None:
        """Forget everything and begin a match; all that is random comes from the seed."""
        ...

    def throw(self, own: Throws, other: Throws) -> int:
        """Return the next throw, given all throws so far, the earliest first.

        It is asked exactly once for each throw of a match. Histories are read-only, and a copy of
        its own: whoever writes in them all the same deceives itself alone.
        """
        ...


@dataclass(frozen=True, eq=False)
class Match:
    """What two bots threw.

    Attributes:
        histories (2, throws): Of the first and of the second bot, int64.
    """

    histories: NDArray[np.int64]

    @property
    def outcomes(self) -> NDArray[np.int64]:
        """What the first bot was paid for each throw: 1, 0 or -1."""
        return (self.histories[0] - self.histories[1] + 1) % 3 - 1

    @property
    def returns(self) -> tuple[int, int]:
        """How many more throws each won than the other."""
        total = int(self.outcomes.sum())
        return total, -total


class Histories:
    """What two bots have thrown so far, and a copy of it for each of them to see.

    >>> histories = Histories(1000)
    >>> histories.add(0, 2)
    >>> histories.seen()
    ((array([0]), array([2])), (array([2]), array([0])))
    """

    def __init__(self, throws: int) -> None:
        self._made: tuple[list[int], list[int]] = [], []  # which no bot has
        self._copies = [np.zeros((2, throws), dtype=np.int64) for _ in range(2)]
        first, second = map(_read_only, self._copies)
        self._rows = (*first, *second)

    def seen(self) -> tuple[Seen, Seen]:
        """Return what each bot sees, its own throws and the other's, without copying them."""
        made = len(self._made[0])
        a, b, c, d = self._rows
        return (a[:made], b[:made]), (c[:made], d[:made])

    def add(self, one: int, two: int) -> None:
        """Add a throw of each."""
        made = len(self._made[0])
        first, second = self._copies
        first[0, made] = second[1, made] = one
        first[1, made] = second[0, made] = two
        self._made[0].append(one)
        self._made[1].append(two)

    @property
    def match(self) -> Match:
        """All that was thrown."""
        return Match(freeze(np.array(self._made, dtype=np.int64)))


def require_room(throws: int, *, matches: int = 1) -> None:
    """Refuse matches, so many at a time, that are too long for the memory there is.

    >>> from gametheory_core.memory import memory_limit
    >>> with memory_limit(2**20):
    ...     require_room(10**6)
    Traceback (most recent call last):
    gametheory_core.errors.UnsupportedGame: needs 45.78 MiB of memory for the histories of \
1,000,000 throws, but at most 1 MiB may be taken. Play shorter matches: throws. Or allow more: \
Budget(memory=...) or memory_limit(...).
    """
    require_memory(
        BYTES_OF_A_THROW * throws * matches,
        what=f"the histories of {throws:,} throws",
        remedy=f"Play shorter matches: {named('throws')}.",
    )


def _read_only(array: NDArray[np.int64]) -> NDArray[np.int64]:
    view = array.view()
    view.flags.writeable = False
    return view


def play_match(first: Bot, second: Bot, *, throws: int = 1000, seeds: tuple[int, int]) -> Match:
    """Let two bots play a match; both are reset first. Two compiled ones play in one loop.

    Args:
        throws: How many each makes.
        seeds: With which each is reset.

    Raises:
        InvalidArgument: If the bots are no bots or are one object, or one throws what is no throw.
        UnsupportedGame: If the match is too long for the memory there is.

    >>> class Cycle:
    ...     def reset(self, seed): self.start = seed
    ...     def throw(self, own, other): return (self.start + len(own)) % 3
    >>> play_match(Cycle(), Cycle(), throws=4, seeds=(1, 0)).histories.tolist()
    [[1, 2, 0, 1], [0, 1, 2, 0]]
    >>> play_match(Cycle(), Cycle(), throws=4, seeds=(1, 0)).returns
    (4, -4)
    """
    for name, bot in (("first", first), ("second", second)):
        if not isinstance(bot, CompiledBot):  # a protocol is asked for at length
            remedy = "Give one with reset(seed) and throw(...)."
            require_instance(bot, Bot, name=name, remedy=remedy)
    if first is second:
        raise InvalidArgument(needs="two bots", found="got one twice", remedy="Make another.")
    require_integer(throws, name="throws", low=1)
    require_room(throws)
    starts = as_tuple(seeds, name="seeds")
    if len(starts) != 2:
        raise InvalidArgument(needs="two seeds", found=f"got {shown(seeds)}")
    for bot, seed in zip((first, second), starts, strict=True):
        require_integer(seed, name="seed", low=0)
        bot.reset(int(seed))
    if isinstance(first, CompiledBot) and isinstance(second, CompiledBot):
        return Match(compiled_match(first, second, int(throws)))
    histories = Histories(int(throws))
    for t in range(throws):
        seen = histories.seen()
        one, two = first.throw(*seen[0]), second.throw(*seen[1])
        histories.add(_checked(one, first, t), _checked(two, second, t))
    return histories.match


def _checked(thrown: Any, bot: Bot, t: int) -> int:
    """Refuse what is no throw."""
    if type(thrown) is not int:
        require_integer(thrown, name=f"throw {t} of {type(bot).__name__}", where="play_match")
    if not 0 <= thrown < NUM_THROWS:
        raise InvalidArgument(
            needs=f"0, 1 or 2 as throw {t} of {type(bot).__name__}",
            found=f"got {shown(thrown)}",
            where="play_match",
        )
    return int(thrown)
