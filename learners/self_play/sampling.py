"""Whom the live policy meets: exact distributions over opponents, as values.

Each class is a *policy sampling distribution*. ``weights(menagerie)`` are the probabilities of the
candidates, the snapshots in order and the live policy last; ``law(menagerie, opponents)`` is the
distribution over as many opponents, drawn independently and with replacement, as tuples of
candidates' numbers. Drawing follows the law.

One more is one class, which files call by its name from then on::

    @kind_of(PolicySampling)
    class Oldest(Independent):
        def _weights(self, menagerie: Menagerie) -> Weights:
            return (ONE, *(ZERO,) * len(menagerie))
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import Enum
from fractions import Fraction
from typing import ClassVar, Protocol, TypeAlias

from gametheory_core.arguments import require_integer, require_number, shown
from gametheory_core.arrays import ZERO, to_fraction
from gametheory_core.distributions import Distribution, distribution, product
from gametheory_core.errors import InvalidArgument, InvalidGame
from gametheory_core.probabilities import exact_weights
from learners.self_play.menagerie import Menagerie, require_menagerie

Weights: TypeAlias = tuple[Fraction, ...]
Number: TypeAlias = Fraction | float | str


class LooksAt(Enum):
    """What of a menagerie decides who is drawn, besides who came when."""

    NOTHING = "nothing"
    RECORDS = "how the live policy did against each"
    RATINGS = "how strong each is"
    WIN_RATES = "how often each beats each other"
    PAYOFFS = "what each earns among which others"


class PolicySampling(Protocol):
    """A policy sampling distribution."""

    looks_at: ClassVar[LooksAt]

    def law(self, menagerie: Menagerie, opponents: int = 1) -> Distribution[tuple[int, ...]]:
        """Return the distribution over tuples of candidates' numbers."""
        ...


class Independent(ABC):
    """Opponents that are drawn independently, with replacement."""

    looks_at: ClassVar[LooksAt] = LooksAt.NOTHING

    @abstractmethod
    def _weights(self, menagerie: Menagerie) -> Weights:
        """Return the weights, given a menagerie that is one."""

    def weights(self, menagerie: Menagerie) -> Weights:
        """Return the probability of each candidate, snapshots in order and the live one last.

        Raises:
            InvalidArgument: If the menagerie is none, or lacks what the distribution looks at.
            InvalidGame: If a class of one's own returns what is no distribution over candidates.
        """
        weights = self._weights(require_menagerie(menagerie))
        if not isinstance(weights, tuple) or len(weights) != len(menagerie) + 1:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgument(
                needs=f"a tuple of {len(menagerie) + 1} weights, the live policy's last",
                found=f"_weights returned {shown(weights)}",
                where=type(self).__name__,
            )
        return exact_weights(range(len(weights)), weights, owner=type(self).__name__)

    def law(self, menagerie: Menagerie, opponents: int = 1) -> Distribution[tuple[int, ...]]:
        """Return the distribution over tuples of candidates' numbers.

        Args:
            opponents: One less than the players of the game.

        Raises:
            InvalidArgument: If the menagerie is none, or lacks what the distribution looks at.
        """
        require_integer(opponents, name="opponents", low=1)
        one = distribution(dict(enumerate(self.weights(menagerie))))
        return product([one] * opponents)


def exact_share(value: Number, *, name: str) -> Fraction:
    """Return a number from 0 to 1 exactly; a float as the shortest decimal that is read as it.

    Raises:
        InvalidArgument: If it is no such number.

    >>> exact_share(0.1, name="delta")
    Fraction(1, 10)
    """
    if isinstance(value, str):
        try:
            value = to_fraction(value)  # refuses exponents that would fill the memory
        except InvalidGame:
            raise InvalidArgument(
                needs=f'{name} from 0 to 1, such as 0.5 or "1/3"', found=f"got {value!r}"
            ) from None
    if not isinstance(value, Fraction):
        require_number(value, name=name, low=0, high=1)
        value = Fraction(str(value))  # of numpy's, too, as short as their precision allows
    if not 0 <= value <= 1:
        raise InvalidArgument(needs=f"{name} from 0 to 1", found=f"got {value}")
    return value


def in_proportion(marks: Sequence[Fraction]) -> Weights:
    """Return weights of sum one in proportion to marks; equal ones if all are zero."""
    total = sum(marks, ZERO)
    if not total:
        return (Fraction(1, len(marks)),) * len(marks)
    return tuple(mark / total for mark in marks)
