"""Who is kept: exact distributions over the next menagerie, as values.

Each class is a *gating function*. ``law(menagerie, live, outcomes=...)`` is the distribution of the
menagerie that follows, ``live`` being a frozen copy of the live policy as it is now; ``outcomes``
are the live policy's results since the menagerie changed last, in order: 1 for a win, 1/2 for a
tie, 0 for a loss. Who asks again after some more says how many the gate has ``seen``, at all of
which it stayed shut; it need not look at them twice.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice
from math import ceil, pi
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import described, require_integer
from gametheory_core.arrays import FloatArray, number_array
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.errors import InvalidArgument, InvalidGame
from learners.options import Count, kind_of
from learners.self_play.menagerie import Menagerie, require_menagerie
from learners.self_play.sampling import Number, exact_share

MOST_MATCHES = 20_000  # whose exact sums take a fraction of a second
Outcomes: TypeAlias = Sequence[Fraction | int | float] | FloatArray


class Gate(Protocol):
    """A gating function."""

    def law(
        self, menagerie: Menagerie, live: Any, *, outcomes: Outcomes = (), seen: int = 0
    ) -> Distribution[Menagerie]:
        """Return the distribution over the menagerie that follows."""
        ...


@kind_of(Gate)
class KeepLatest:
    """The menagerie is the live policy alone: ``{pi}``.

    >>> from learners.self_play import Menagerie
    >>> KeepLatest().law(Menagerie(("old",)), "new").items[0][0].snapshots
    ('new',)
    """

    def law(
        self, menagerie: Menagerie, live: Any, *, outcomes: Outcomes = (), seen: int = 0
    ) -> Distribution[Menagerie]:
        """Return the distribution over the menagerie that follows."""
        del outcomes, seen
        require_menagerie(menagerie)
        return point_mass(Menagerie((live,)))


class Opening(ABC):
    """A gate that keeps the live policy where it is open, and else changes nothing."""

    @abstractmethod
    def opens(self, outcomes: Outcomes, *, seen: int = 0) -> bool:
        """Tell whether results, in order, open it at any time after those it has seen."""

    def law(
        self, menagerie: Menagerie, live: Any, *, outcomes: Outcomes = (), seen: int = 0
    ) -> Distribution[Menagerie]:
        """Return the distribution over the menagerie that follows."""
        kept = require_menagerie(menagerie)
        return point_mass(kept.appended(live) if self.opens(outcomes, seen=seen) else kept)


@kind_of(Gate)
class Append(Opening):
    """Every policy is kept.

    >>> from learners.self_play import Menagerie
    >>> Append().law(Menagerie(("old",)), "new").items[0][0].snapshots
    ('old', 'new')
    """

    def opens(self, outcomes: Outcomes = (), *, seen: int = 0) -> bool:
        """Say yes."""
        del outcomes, seen
        return True


@kind_of(Gate)
class RollingWindow(Opening):
    """Open as soon as enough of the last matches are won: the gate of PSRO as published.

    Looked at after each match; ties are no wins, and matches that were not played yet are lost. A
    policy that wins half of its matches passes one full window with probability ``chance()``, and
    looking again after each match makes it the likelier to pass: see ``BinomialTest``.

    Attributes:
        share: Of the window that is to be won, above 0 and at most 1.
        matches: In the window.

    Source: :cite:`hernandez2019selfplay`, table II and the authors' code.

    >>> round(float(RollingWindow("0.72", 50).chance()), 6)
    0.001301
    """

    share: Number = Fraction(18, 25)
    matches: Count = 50

    def __post_init__(self) -> None:
        share = exact_share(self.share, name="share")
        if not share:
            raise InvalidArgument(
                needs="a share above 0", found="got 0, by which a gate is always open",
                remedy="Use Append.", where="RollingWindow",
            )  # fmt: skip
        object.__setattr__(self, "share", share)

    @property
    def wins(self) -> int:
        """How many wins in the window open it."""
        return ceil(Fraction(self.share) * self.matches)

    def opens(self, outcomes: Outcomes, *, seen: int = 0) -> bool:
        """Tell whether results, in order, open it at any time after those it has seen."""
        results = _results(outcomes, seen)[max(0, seen - self.matches + 1) :]  # in later windows
        won = _won(results)
        before = np.concatenate([[0.0], won]).cumsum()
        width = min(self.matches, len(won))
        first = np.maximum(np.arange(len(won)) + 1 - width, 0)
        return bool((before[1:] - before[first] >= self.wins).any())

    def chance(self, rate: Number = Fraction(1, 2)) -> Fraction:
        """Return how likely a policy of a win rate passes one full window, exactly.

        Raises:
            InvalidArgument: If the rate is not from 0 to 1.
        """
        return binomial_tail(self.wins, self.matches, exact_share(rate, name="rate"))


@kind_of(Gate)
class BinomialTest(Opening):
    """Open when matches prove, at a stated error rate, that more than a share of them is won.

    Matches are looked at in blocks, each once, when it is full. Block ``k`` opens the gate if so
    many wins come with probability at most ``error * 6 / (pi k)^2`` to a policy that wins just the
    share. These bounds sum to ``error``, so a policy that is no better opens the gate with at most
    that probability, however long it tries. Ties are no wins.

    Attributes:
        error: Above 0, below 1.
        matches: In a block.
        rate: The win rate to be beaten.

    Raises:
        InvalidArgument: If not even a first block won throughout is proof.

    >>> BinomialTest(error=0.05, matches=50).wins(1), BinomialTest(error=0.05, matches=50).wins(2)
    (33, 35)
    """

    error: Number = Fraction(1, 20)
    matches: Count = 50
    rate: Number = Fraction(1, 2)

    def __post_init__(self) -> None:
        for name in ("error", "rate"):
            share = exact_share(getattr(self, name), name=name)
            if not 0 < share < 1:
                raise InvalidArgument(
                    needs=f"{name} above 0 and below 1", found=f"got {share}", where="BinomialTest"
                )
            object.__setattr__(self, name, share)
        remedy = "Blocks are looked at one after another: take smaller ones."
        require_integer(self.matches, name="matches", low=1, high=MOST_MATCHES, remedy=remedy)
        if self.wins(1) is None:
            rate, least = Fraction(self.rate), Fraction(self.rate) ** self.matches
            raise InvalidArgument(
                needs="a gate that can open",
                found=f"{self.matches} matches of {self.matches} are won with probability "
                f"{float(least):.3g} by a policy that wins {rate}, and only {self._allowed(1):.3g} "
                "counts as proof",
                remedy="Give more matches, or a larger error.",
                where="BinomialTest",
            )

    def _allowed(self, block: int) -> float:
        return float(Fraction(self.error)) * 6 / (pi * block) ** 2

    def wins(self, block: int) -> int | None:
        """Return how many wins open it in a block, counted from 1; None if no number does.

        Raises:
            InvalidArgument: If there is no such block.
        """
        require_integer(block, name="block", low=1, where="BinomialTest.wins")
        rate, allowed = Fraction(self.rate), Fraction(self._allowed(block))
        most = int(allowed * rate.denominator**self.matches)
        lost = next(k for k, tail in enumerate(_tails(self.matches, rate)) if tail > most)
        return self.matches - lost + 1 if lost else None

    def opens(self, outcomes: Outcomes, *, seen: int = 0) -> bool:
        """Tell whether results, in order, open it at any time after those it has seen."""
        results = _results(outcomes, seen)
        before, full = seen // self.matches, len(results) // self.matches
        new = _won(results[before * self.matches :])[: (full - before) * self.matches]
        won = new.reshape(-1, self.matches).sum(axis=1)
        fewest = self.wins(1) or self.matches  # later blocks need no fewer
        for number in np.flatnonzero(won >= fewest).tolist():
            needed = self.wins(before + number + 1)
            if needed is not None and won[number] >= needed:
                return True
        return False


def _results(outcomes: Outcomes, seen: int) -> NDArray[Any]:
    """Return a row of what may be results, of which so many were seen."""
    try:
        row: NDArray[Any] = np.asarray(outcomes)
    except ValueError:  # rows of several lengths
        row = np.array(None)
    if row.ndim != 1:
        raise InvalidArgument(
            needs="outcomes to be a sequence of results, 1 for a win, 1/2 for a tie, 0 for a loss",
            found=f"got {described(outcomes)}",
        )
    require_integer(seen, name="seen", low=0, high=len(row))
    return row


def _won(results: NDArray[Any]) -> FloatArray:
    """Return 1 for each win, else 0, having looked at all of them."""
    try:
        points = number_array(results, where="outcomes")
    except InvalidGame as error:
        raise error.changed(InvalidArgument) from None
    for wrong in points[(points < 0) | (points > 1)]:
        raise InvalidArgument(needs="outcomes from 0 to 1", found=f"one is {wrong}")
    return (points == 1).astype(np.float64)


def _tails(matches: int, rate: Fraction) -> Iterator[int]:
    """Yield how likely at most 0, 1, ... matches are not won, over the denominator's power."""
    won, whole = rate.as_integer_ratio()
    term = total = won**matches
    yield total
    for lost in range(matches):  # one binomial term after another: each an integer
        term = term * (matches - lost) * (whole - won) // ((lost + 1) * won)
        total += term
        yield total


def binomial_tail(wins: int, matches: int, rate: Fraction) -> Fraction:
    """Return how likely at least so many of so many matches are won.

    Raises:
        InvalidArgument: If there are too many matches for exact sums.

    >>> str(binomial_tail(2, 2, Fraction(1, 2)))
    '1/4'
    """
    if wins > matches:
        return Fraction(0)
    if not rate:
        return Fraction(int(wins <= 0))
    require_integer(matches, name="matches", low=1, high=MOST_MATCHES)
    tail = next(islice(_tails(matches, rate), matches - max(0, wins), None))
    return Fraction(tail, rate.denominator**matches)
