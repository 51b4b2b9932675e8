"""Deals of public-state games: how likely pairs of hands are, without a table of all pairs.

    W(a, b) = sum over k of first[k, a] * second[k, b]  +  same[a] if a = b,

in integers. One term without ``same`` is independent hands, one with ``same = -1`` two cards of one
deck; as many terms as hands are any table.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import integer_array
from gametheory_core.errors import InvalidGame
from gametheory_core.games.table_content import by_constructor

Integers: TypeAlias = NDArray[np.int64]

MOST_WEIGHT = 2**62  # of a pair of hands: machine integers hold it
BLOCK_ENTRIES = 2**20  # weights that are computed at once


@dataclass(frozen=True, eq=False)
class Deal:
    """How likely pairs of hands are, in integers; see the head of this file.

    Attributes:
        first (terms, hands of player 0), second (terms, hands of player 1): Factors.
        same (hands,): Added where both hands have one number; empty for nothing.
    """

    first: Integers
    second: Integers
    same: Integers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    __reduce__ = by_constructor

    def __post_init__(self) -> None:
        for name, axes in (("first", 2), ("second", 2), ("same", 1)):
            given = integer_array(getattr(self, name), ndim=axes, what=f"{name} of a deal")
            object.__setattr__(self, name, given)
        fits = len(self.first) == len(self.second) > 0
        if not fits or len(self.same) not in (0, min(self.shape)):
            raise InvalidGame(
                needs="a deal with as many terms in first as in second, and same of one entry a "
                "hand or none",
                found=f"first has shape {self.first.shape}, second {self.second.shape}, same "
                f"{self.same.shape}",
            )
        if self.most >= MOST_WEIGHT:
            raise InvalidGame(
                needs="weights of pairs of hands below 2**62",
                found=f"they may be up to {self.most}",
                remedy="Divide all deals of the game by what they have in common.",
            )

    @property
    def shape(self) -> tuple[int, int]:
        """Number of hands of each player."""
        return self.first.shape[1], self.second.shape[1]

    @cached_property
    def most(self) -> int:
        """What no weight, nor any partial sum of its terms, exceeds in size."""
        sizes = (int(np.abs(f).max(initial=0)) for f in self.first)
        others = (int(np.abs(s).max(initial=0)) for s in self.second)
        products = sum(one * other for one, other in zip(sizes, others, strict=True))
        return products + int(np.abs(self.same).max(initial=0))

    @cached_property
    def total(self) -> int:
        """The sum of all weights."""
        pairs = zip(self.first.tolist(), self.second.tolist(), strict=True)
        return sum(sum(one) * sum(other) for one, other in pairs) + sum(self.same.tolist())

    def rows(self, start: int, stop: int) -> Integers:
        """Return the weights of some hands of player 0 with all of player 1."""
        block = self.first[:, start:stop].T @ self.second
        last = min(stop, len(self.same))
        if start < last:
            own = np.arange(start, last)
            block[own - start, own] += self.same[start:last]
        return block

    @cached_property
    def num_pairs(self) -> int:
        """Number of pairs of hands that are possible."""
        if not self._is_one_product:
            return sum(int(np.count_nonzero(rows)) for rows in self._blocks())
        first, second = self.first[0], self.second[0]
        independent = int(np.count_nonzero(first)) * int(np.count_nonzero(second))
        alike = first[: len(self.same)] * second[: len(self.same)]
        changed = np.count_nonzero(alike + self.same) - np.count_nonzero(alike)
        return independent + int(changed)

    @cached_property
    def key(self) -> tuple[object, ...]:
        """Equal exactly if deals are written alike."""
        arrays = (self.first, self.second, self.same)
        return tuple((own.shape, own.tobytes()) for own in arrays)

    @property
    def _is_one_product(self) -> bool:
        return len(self.first) == 1 and int(self.first.min()) >= 0 and int(self.second.min()) >= 0

    def _blocks(self) -> Iterator[Integers]:
        hands, others = self.shape
        size = max(1, BLOCK_ENTRIES // others)
        for start in range(0, hands, size):
            yield self.rows(start, min(start + size, hands))

    def least(self) -> int:
        """Return the least weight of a pair."""
        if not self._is_one_product:
            return min(int(rows.min()) for rows in self._blocks())
        alike = self.first[0, : len(self.same)] * self.second[0, : len(self.same)] + self.same
        return int(alike.min(initial=0))
