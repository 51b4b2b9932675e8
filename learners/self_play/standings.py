"""What matches say: Elo's ratings, and the live policy's record against each snapshot."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray
from learners.self_play.menagerie import Menagerie, Record
from learners.snapshots import Kept

FIRST_RATING = 1500.0  # where somebody new begins
STEP = 32.0  # how far a match moves both
MOST_POWER = 300.0  # of ten; the score is 0 from there on, as far as floats can tell


def expected_score(rating: float, other: float) -> float:
    """Return the score that ratings expect of the first against the second.

    >>> round(expected_score(1900, 1500), 4)
    0.9091
    """
    return 1 / (1 + 10 ** min((other - rating) / 400, MOST_POWER))


def rated(
    ratings: FloatArray, player: int, others: NDArray[np.int64], points: FloatArray
) -> FloatArray:
    """Return ratings after matches of one player, one after another; their sum stays.

    Args:
        player: Number of who played them; -1 for the last.
        others, points (matches,): Numbers of those it met, and its points against each.

    >>> rated(np.array([1500.0, 1500.0]), 0, np.array([1]), np.array([1.0])).tolist()
    [1516.0, 1484.0]
    """
    found = ratings.tolist()
    for other, own in zip(others.tolist(), points.tolist(), strict=True):
        step = STEP * (own - expected_score(found[player], found[other]))
        found[player] += step
        found[other] -= step
    return np.array(found)


class Standings(Kept):
    """How the live policy has done against each snapshot, and how strong all of them are.

    Args:
        menagerie: The snapshots, of whom nothing is known but ratings, if it has any.
        remembers: Matches against a snapshot that count; older ones fade.
        rates: Whether matches move ratings.
    """

    KEPT = ("_points", "_matches", "_ratings")

    def __init__(self, menagerie: Menagerie, *, remembers: int, rates: bool) -> None:
        count = len(menagerie)
        self._remembers, self._rates = remembers, rates
        self._points, self._matches = np.zeros(count), np.zeros(count)
        self._ratings = np.array(menagerie.ratings or (FIRST_RATING,) * (count + 1))

    @property
    def records(self) -> tuple[Record, ...]:
        """Of the live policy against each."""
        both = zip(self._points.tolist(), self._matches.tolist(), strict=True)
        return tuple(Record(Fraction(points), int(matches)) for points, matches in both)

    @property
    def ratings(self) -> tuple[float, ...]:
        """Of each, and of the live policy last."""
        return tuple(self._ratings.tolist())

    def note(self, who: NDArray[np.int64], points: FloatArray) -> None:
        """Keep how matches of the live policy ended, against whom, in order."""
        np.add.at(self._points, who, points)
        np.add.at(self._matches, who, 1)
        fading = self._remembers / np.maximum(self._matches, self._remembers)
        self._matches = np.floor(self._matches * fading + 0.5)
        self._points = np.minimum(self._points * fading, self._matches)
        if self._rates:
            self._ratings = rated(self._ratings, -1, who, points)

    def join(self) -> None:
        """Have one more snapshot, a copy of the live policy."""
        self._points = np.append(self._points, 0.0)
        self._matches = np.append(self._matches, 0.0)
        self._ratings = np.append(self._ratings, self._ratings[-1])
