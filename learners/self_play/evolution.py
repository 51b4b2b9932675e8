"""Who follows whom in a population: exact distributions over successions, as values."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import floor

from gametheory_core.arguments import as_tuple, require_integer, require_number
from gametheory_core.distributions import Distribution, uniform
from gametheory_core.errors import InvalidArgument
from learners.options import Count, PositiveShare, checked


@dataclass(frozen=True)
class Succession:
    """Who takes whose place, and by what its options are multiplied.

    Attributes:
        loser, winner: Numbers of members.
        factors: One for each option that varies.
    """

    loser: int
    winner: int
    factors: tuple[Fraction, ...]


@dataclass(frozen=True)
@checked
class Evolution:
    """The worst members copy the best, with options changed a little.

    Attributes:
        every: Iterations from one succession to the next.
        share: Of members, at the bottom who copy, and at the top who are copied; at least one.
        factors: By which an option of a copy is multiplied, all equally likely.

    Source: :cite:`jaderberg2017population`, with 20 % and factors 4/5 and 6/5.

    >>> law = Evolution().laws((1500.0, 1600.0, 1400.0), options=1)[0]
    >>> [(s.loser, s.winner, str(s.factors[0]), str(w)) for s, w in law]
    [(2, 1, '4/5', '1/2'), (2, 1, '6/5', '1/2')]
    """

    every: Count = 10
    share: PositiveShare = 0.2
    factors: tuple[Fraction, ...] = (Fraction(4, 5), Fraction(6, 5))

    def __post_init__(self) -> None:
        given = as_tuple(self.factors, name="factors", where="Evolution")
        if not given:
            raise InvalidArgument(
                needs="at least one of factors", found="got none", where="Evolution"
            )
        for number, factor in enumerate(given):
            require_number(factor, name=f"factors[{number}]", above=0, where="Evolution")
        exact = tuple(f if isinstance(f, Fraction) else Fraction(float(f)) for f in given)
        object.__setattr__(self, "factors", exact)
        if self.share > 0.5:  # nobody both copies and is copied
            raise InvalidArgument(
                needs="a share of at most 1/2", found=f"got {self.share}", where="Evolution"
            )

    def laws(
        self, ratings: tuple[float, ...], *, options: int = 1
    ) -> tuple[Distribution[Succession], ...]:
        """Return who follows each of the worst members, the worst first; all independent.

        Args:
            ratings: Of the members; of equal ones the first is the better.
            options: How many vary.

        Raises:
            InvalidArgument: If there are fewer than two ratings, or they are no numbers.
        """
        given = as_tuple(ratings, name="ratings")
        if len(given) < 2:  # nobody succeeds itself
            raise InvalidArgument(needs="ratings of two members or more", found=f"got {given}")
        for member, rating in enumerate(given):
            require_number(rating, name=f"ratings[{member}]")
        require_integer(options, name="options", low=0)
        count = max(1, floor(self.share * len(given)))
        order = sorted(range(len(given)), key=lambda member: (-given[member], member))
        best, worst = order[:count], order[-count:][::-1]
        return tuple(
            uniform(
                Succession(loser, winner, factors)
                for winner, factors in product(best, product(self.factors, repeat=options))
            )
            for loser in worst
        )
