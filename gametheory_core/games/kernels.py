"""Kernels: many exact lotteries over integers, one a row, stored end to end."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from gametheory_core.arrays import (
    ExactArray,
    IntArray,
    ScaledIntegers,
    freeze,
    scaled_integers,
    to_fraction,
)
from gametheory_core.distributions import Distribution
from gametheory_core.errors import InvalidGame


@dataclass(frozen=True, eq=False)
class Kernel:
    """Rows of lotteries.

    Attributes:
        start (num_rows + 1,): Row ``r`` is entries ``start[r]`` to ``start[r + 1]``, at least one.
        outcome (num_entries,): What is drawn.
        weight (num_entries,): Positive; each row sums to exactly one.
    """

    start: IntArray
    outcome: IntArray
    weight: ExactArray

    def __post_init__(self) -> None:
        for name in ("start", "outcome"):
            given = np.asarray(getattr(self, name))
            if given.size and given.dtype.kind not in "iu":
                raise InvalidGame(
                    f"Kernel: needs integers in {name}, but its type is {given.dtype}."
                )
            object.__setattr__(self, name, freeze(given.astype(np.int32)))
        weight = np.array(self.weight, dtype=object)
        if any(type(w) is not Fraction for w in weight.tolist()):
            weight[:] = [to_fraction(w, where="Kernel: weight") for w in weight.tolist()]
        object.__setattr__(self, "weight", freeze(weight))
        rows = np.diff(self.start)
        fits = self.start[:1].tolist() == [0] and self.start[-1] == len(self.outcome)
        if not fits or np.any(rows < 1) or len(self.weight) != len(self.outcome):
            raise InvalidGame(
                "Kernel: needs rows of at least one entry that cover outcome and weight, but start "
                f"runs from {self.start[:1].tolist()} to {self.start[-1:].tolist()} over "
                f"{len(self.outcome)} outcomes and {len(self.weight)} weights."
            )
        if self.num_rows:
            self._check_weights()

    def _check_weights(self) -> None:
        scaled = self.scaled
        sums = np.add.reduceat(scaled.numerators, self.start[:-1])
        bad = np.flatnonzero(sums != scaled.denominator)
        if bad.size:
            row = int(bad[0])
            raise InvalidGame(
                f"Kernel: needs rows that sum to exactly 1, but row {row} has "
                f"{[str(w) for w in self.weight[self.row(row)]]}."
            )
        if np.any(scaled.numerators <= 0):
            entry = int(np.flatnonzero(scaled.numerators <= 0)[0])
            raise InvalidGame(
                f"Kernel: needs positive weights, but entry {entry} has {self.weight[entry]}."
            )

    @property
    def num_rows(self) -> int:
        """Number of lotteries."""
        return len(self.start) - 1

    @cached_property
    def sizes(self) -> IntArray:
        """Number of outcomes of each row, shape (num_rows,)."""
        return freeze(np.diff(self.start).astype(np.int32))

    @cached_property
    def scaled(self) -> ScaledIntegers:
        """The weights as integers over one common denominator."""
        return scaled_integers(self.weight)

    def row(self, index: int) -> slice:
        """Return where a row's entries stand."""
        return slice(int(self.start[index]), int(self.start[index + 1]))

    def law(self, index: int, labels: Callable[[int], Any] | Sequence[Any]) -> Distribution[Any]:
        """Return a row as a distribution over labels."""
        entries = self.row(index)
        named = labels if callable(labels) else labels.__getitem__
        outcomes = [named(x) for x in self.outcome[entries].tolist()]
        return Distribution(tuple(zip(outcomes, self.weight[entries].tolist(), strict=True)))


@dataclass
class KernelRows:
    """A kernel under construction; equal rows may be stored once."""

    start: list[int] = field(default_factory=lambda: [0])
    outcome: list[int] = field(default_factory=list[int])
    weight: list[Any] = field(default_factory=list[Any])
    known: dict[Hashable, int] = field(default_factory=dict[Hashable, int])

    def add(self, entries: Sequence[tuple[int, Any]]) -> int:
        """Append a row and return its index."""
        self.outcome.extend(x for x, _ in entries)
        self.weight.extend(w for _, w in entries)
        self.start.append(len(self.outcome))
        return len(self.start) - 2

    def share(self, entries: Sequence[tuple[int, Any]]) -> int:
        """Return the index of a row equal to this one, appending it if there is none."""
        key = entries[0][0] if len(entries) == 1 else tuple(entries)  # alone it has weight 1
        index = self.known.get(key)
        if index is None:
            index = self.known[key] = self.add(entries)
        return index

    def freeze(self) -> Kernel:
        """Return the kernel."""
        weight = np.empty(len(self.weight), dtype=object)
        weight[:] = self.weight
        return Kernel(np.array(self.start), np.array(self.outcome, dtype=np.int32), weight)


@dataclass
class Numbering:
    """Things numbered in the order in which they are first met."""

    things: list[Any] = field(default_factory=list[Any])
    index: dict[Any, int] = field(default_factory=dict[Any, int])

    def number(self, thing: Any) -> int:
        """Return the number of a thing, a new one if it is new."""
        found = self.index.get(thing)
        if found is None:
            found = self.index[thing] = len(self.things)
            self.things.append(thing)
        return found


def refuse_repetitions(kernel: Kernel, name: str, *, owner: str) -> None:
    """Refuse a kernel that lists an outcome twice in a row."""
    row, _ = spread(kernel.sizes)
    order = np.lexsort((kernel.outcome, row))
    same = (np.diff(row[order]) == 0) & (np.diff(kernel.outcome[order]) == 0)
    if np.any(same):
        entry = int(order[int(np.flatnonzero(same)[0])])
        raise InvalidGame(
            f"{owner}: needs different outcomes in each row of {name}, but row {row[entry]} has "
            f"{kernel.outcome[entry]} twice. Add up their weights."
        )


def permuted_rows(kernel: Kernel, order: Any) -> tuple[Kernel, Any]:
    """Return the kernel whose row ``k`` is row ``order[k]``, and where its entries stood."""
    which, position = spread(kernel.sizes[order])
    entry = kernel.start[:-1][order][which] + position
    start = np.concatenate([[0], np.cumsum(kernel.sizes[order])])
    return Kernel(start, kernel.outcome[entry], kernel.weight[entry]), entry


def find_rows(keys: Any, wanted: Any) -> Any:
    """Return the position of each wanted key among sorted ``keys``; -1 where it is not there."""
    if not len(keys):
        return np.full(np.shape(wanted), -1, dtype=np.int64)
    position = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[position] == wanted, position, -1)


def spread(counts: Any) -> tuple[Any, Any]:
    """Return, for ``counts[k]`` copies of each ``k``, the source ``k`` and the copy's position."""
    source = np.repeat(np.arange(len(counts)), counts)
    first = np.cumsum(counts) - counts
    return source, np.arange(len(source)) - first[source]
