"""Lotteries over which targets to cover: how a defender really commits."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

from gametheory_core.errors import InvalidStrategy
from gametheory_core.games.security import SecurityGame


@dataclass(frozen=True)
class CoverageLottery:
    """A rational lottery over sets of covered targets.

    Attributes:
        coverages: Sets of targets, each in increasing order.
        weights: Positive; the probability of a set is its weight divided by the sum of all. Whole
            numbers, because fractions of a thousand targets share huge denominators.
    """

    coverages: tuple[tuple[int, ...], ...]
    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        for row in (self.weights, *self.coverages):
            if not set(map(type, row)) <= {int}:
                raise InvalidStrategy(
                    needs="integers as weights and as targets",
                    found=f"{row!r} holds others",
                    remedy="Convert them by int.",
                )
        if len(self.coverages) != len(self.weights) or not self.weights or min(self.weights) < 1:
            raise InvalidStrategy(
                needs="a positive weight for each of at least one set of targets",
                found=f"has {len(self.weights)} weights for {len(self.coverages)} sets",
            )
        for coverage in self.coverages:
            if list(coverage) != sorted(set(coverage)) or (coverage and coverage[0] < 0):
                raise InvalidStrategy(
                    needs="sets of targets in increasing order, each once", found=f"got {coverage}"
                )

    @cached_property
    def total(self) -> int:
        """The sum of all weights."""
        return sum(self.weights)

    @property
    def probabilities(self) -> tuple[Fraction, ...]:
        """How likely each set is."""
        return tuple(Fraction(weight, self.total) for weight in self.weights)

    def cover(self, num_targets: int) -> list[int]:
        """Return how often each target is covered, as whole numbers to be divided by ``total``.

        Only changes from one set to the next are summed, so that similar neighbors cost little.
        """
        before = [0, *accumulate(self.weights)]
        covered = [0] * num_targets
        present: set[int] = set()
        for position, coverage in enumerate((*self.coverages, ())):
            now = set(coverage)
            for target in now - present:
                covered[target] -= before[position]
            for target in present - now:
                covered[target] += before[position]
            present = now
        return covered


def check_coverage(game: SecurityGame, lottery: CoverageLottery) -> None:
    """Refuse a lottery that covers unknown targets, or more at once than there are resources.

    Raises:
        InvalidStrategy: Names the offending set.
    """
    for coverage in lottery.coverages:
        if len(coverage) > game.resources or (coverage and coverage[-1] >= game.num_targets):
            raise InvalidStrategy(
                needs=f"at most {game.resources} of {game.num_targets} targets at once for "
                f"{game!r}",
                found=f"a set is {coverage}",
                where="coverage",
            )
