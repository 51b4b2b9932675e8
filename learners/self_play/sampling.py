"""Whom the live policy meets: exact distributions over opponents, as values.

Each class is a *policy sampling distribution*. ``weights(menagerie)`` are the probabilities of the
candidates, the snapshots in order and the live policy last; ``law(menagerie, opponents)`` is the
distribution over as many opponents, drawn independently and with replacement, as tuples of
candidates' numbers. Drawing follows the law.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Annotated, Protocol, TypeAlias

import numpy as np

from gametheory_core.arguments import require_integer, require_member, require_number
from gametheory_core.arrays import ONE, ZERO, to_fraction
from gametheory_core.distributions import Distribution, distribution, point_mass, product
from gametheory_core.errors import InvalidArgument, InvalidGame
from learners.options import Range, checked
from learners.self_play.menagerie import Menagerie, require_menagerie
from learners.self_play.meta_strategies import (
    MetaStrategy,
    coarse_correlated,
    meta_strategy,
    others_law,
)
from solvers.rounding import dyadic_distribution

Weights: TypeAlias = tuple[Fraction, ...]
Number: TypeAlias = Fraction | float | str
Power = Annotated[float, Range(low=0, high=100)]  # exact powers grow with it
Width = Annotated[float, Range(low=0.001)]


class PolicySampling(Protocol):
    """A policy sampling distribution."""

    def law(self, menagerie: Menagerie, opponents: int = 1) -> Distribution[tuple[int, ...]]:
        """Return the distribution over tuples of candidates' numbers."""
        ...


class Independent(ABC):
    """Opponents that are drawn independently, with replacement."""

    @abstractmethod
    def weights(self, menagerie: Menagerie) -> Weights:
        """Return the probability of each candidate, snapshots in order and the live one last."""

    def law(self, menagerie: Menagerie, opponents: int = 1) -> Distribution[tuple[int, ...]]:
        """Return the distribution over tuples of candidates' numbers.

        Args:
            opponents: One less than the players of the game.

        Raises:
            InvalidArgument: If the menagerie is none, or lacks what the distribution looks at.
        """
        require_integer(opponents, name="opponents", low=1)
        one = distribution(dict(enumerate(self.weights(require_menagerie(menagerie)))))
        return product([one] * opponents)


@dataclass(frozen=True)
class Naive(Independent):
    """The live policy always meets itself.

    Source: :cite:`samuel1959some`; as a scheme :cite:`hernandez2019selfplay`, IV.A.

    >>> from learners.self_play import Menagerie
    >>> Naive().weights(Menagerie(("a", "b")))
    (Fraction(0, 1), Fraction(0, 1), Fraction(1, 1))
    """

    def weights(self, menagerie: Menagerie) -> Weights:
        """Return the probability of each candidate."""
        return (ZERO,) * len(menagerie) + (ONE,)


@dataclass(frozen=True)
class DeltaUniform(Independent):
    """Uniform over the latest candidates, the live policy among them.

    Of ``M`` snapshots the candidates are those numbered ``ceil(delta M), ..., M``, number ``M``
    being the live policy. ``delta = 1`` is naive self-play, ``delta = 0`` looks at all there ever
    was.

    Attributes:
        delta: From 0 to 1; a float is taken as the decimal it is written as.

    Source: :cite:`bansal2018emergent`; :cite:`hernandez2019selfplay`, IV.B.

    >>> from learners.self_play import Menagerie
    >>> [str(w) for w in DeltaUniform("1/2").weights(Menagerie(tuple("abcde")))]
    ['0', '0', '0', '1/3', '1/3', '1/3']
    """

    delta: Number = ZERO

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", exact_share(self.delta, name="delta"))

    def weights(self, menagerie: Menagerie) -> Weights:
        """Return the probability of each candidate."""
        first = first_candidate(Fraction(self.delta), len(menagerie))
        count = len(menagerie) + 1 - first
        return (ZERO,) * first + (Fraction(1, count),) * count


@dataclass(frozen=True)
class DeltaLimitUniform(Independent):
    """The latest candidates, weighted so that all have been met about equally often in the end.

    Of ``n`` candidates, as of ``DeltaUniform``, the one of age ``k`` (the live policy has age 1) is
    drawn with probability in proportion to ``1 / k^2``.

    Attributes:
        delta: From 0 to 1; a float is taken as the decimal it is written as.

    Source: :cite:`hernandez2019selfplay`, equation (3), with ages from 1 to ``n``: as printed it
        has one candidate too many, and divides by zero.

    >>> from learners.self_play import Menagerie
    >>> [str(w) for w in DeltaLimitUniform().weights(Menagerie(tuple("ab")))]
    ['4/49', '9/49', '36/49']
    """

    delta: Number = ZERO

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", exact_share(self.delta, name="delta"))

    def weights(self, menagerie: Menagerie) -> Weights:
        """Return the probability of each candidate."""
        first = first_candidate(Fraction(self.delta), len(menagerie))
        count = len(menagerie) + 1 - first
        return (ZERO,) * first + in_proportion([Fraction(1, k * k) for k in range(count, 0, -1)])


@dataclass(frozen=True)
class PastUniform(Independent):
    """Uniform over the snapshots, the live policy left out: fictitious self-play.

    The opponent is the average of all past selves, as in fictitious play; each snapshot is an
    approximate best response to those before it.

    Source: :cite:`brown1951iterative`; with learners :cite:`heinrich2015fictitious`.

    >>> from learners.self_play import Menagerie
    >>> [str(w) for w in PastUniform().weights(Menagerie(tuple("ab")))]
    ['1/2', '1/2', '0']
    """

    def weights(self, menagerie: Menagerie) -> Weights:
        """Return the probability of each candidate."""
        return (Fraction(1, len(menagerie)),) * len(menagerie) + (ZERO,)


class Priority(Enum):
    """Which opponents come first, by how often the live policy beats them."""

    HARD = "in proportion to (1 - w)^p: whom it loses to"
    EVEN = "in proportion to (w (1 - w))^p: whom it is level with"


@dataclass(frozen=True)
@checked
class Prioritized(Independent):
    """Snapshots by how the live policy does against them: prioritised fictitious self-play.

    With ``w`` the live policy's points a match (``Record.win_rate``), a snapshot is drawn in
    proportion to ``(1 - w)^p``, or to ``(w (1 - w))^p``.

    Attributes:
        priority: Whom to prefer.
        power: ``p``, at most 100; at 0 all are alike.

    Source: :cite:`vinyals2019grandmaster`.

    >>> from learners.self_play import Menagerie, Record
    >>> met = Menagerie(tuple("ab"), records=(Record(Fraction(3), 4), Record(Fraction(0), 4)))
    >>> [str(w) for w in Prioritized(power=1).weights(met)]
    ['2/7', '5/7', '0']
    """

    priority: Priority = Priority.HARD
    power: Power = 2

    def weights(self, menagerie: Menagerie) -> Weights:
        """Return the probability of each candidate."""
        rates = [r.win_rate for r in menagerie.records] or [Fraction(1, 2)] * len(menagerie)
        hard = self.priority is Priority.HARD
        marks = [1 - w if hard else w * (1 - w) for w in rates]
        return (*in_proportion([_power(mark, self.power) for mark in marks]), ZERO)


@dataclass(frozen=True)
class PresentAndPast(Independent):
    """The live policy itself with some probability, else a snapshot, all alike.

    Attributes:
        present: Probability of the live policy; 4/5 as published.

    Source: :cite:`openai2019dota`: 80 % of games against the latest policy, 20 % against past ones.

    >>> from learners.self_play import Menagerie
    >>> [str(w) for w in PresentAndPast().weights(Menagerie(tuple("ab")))]
    ['1/10', '1/10', '4/5']
    """

    present: Number = Fraction(4, 5)

    def __post_init__(self) -> None:
        object.__setattr__(self, "present", exact_share(self.present, name="present"))

    def weights(self, menagerie: Menagerie) -> Weights:
        """Return the probability of each candidate."""
        present, count = Fraction(self.present), len(menagerie)
        return ((1 - present) / count,) * count + (present,)


@dataclass(frozen=True)
class MetaGame(Independent):
    """Snapshots by a strategy of the game in which both players choose one: PSRO.

    Attributes:
        solver: How the meta-game is solved.

    Source: :cite:`lanctot2017unified`; with the max-entropy equilibrium
        :cite:`hernandez2019selfplay`, V.

    >>> from learners.self_play import Menagerie
    >>> rates = [["1/2", "1", "0"], ["0", "1/2", "1"], ["1", "0", "1/2"]]
    >>> throws = Menagerie(("rock", "paper", "scissors"), win_rates=rates)
    >>> [str(w) for w in MetaGame(MetaStrategy.MINIMAX).weights(throws)]
    ['1/3', '1/3', '1/3', '0']
    """

    solver: MetaStrategy = MetaStrategy.MAX_ENTROPY

    def __post_init__(self) -> None:
        require_member(self.solver, MetaStrategy, name="solver", where="MetaGame")

    def weights(self, menagerie: Menagerie) -> Weights:
        """Return the probability of each candidate."""
        if len(menagerie) == 1:
            return (ONE, ZERO)
        if menagerie.win_rates is None:
            raise InvalidArgument(
                needs="a menagerie with win rates",
                found="it has none",
                remedy="Give Menagerie(snapshots, win_rates=...).",
                where="MetaGame",
            )
        return (*meta_strategy(menagerie.win_rates, self.solver), ZERO)


@dataclass(frozen=True)
class CoarseCorrelated:
    """Snapshots by the best coarse correlated equilibrium of their meta-game.

    For any number of players. The equilibrium of largest welfare is made the same from all seats;
    opponents are drawn together, as it draws the players other than the live one.

    Source: :cite:`marris2021multi`.

    >>> from learners.self_play import Menagerie
    >>> payoffs = np.array([[0.0, 3.0], [1.0, 0.0]])
    >>> met = Menagerie(("hawk", "dove"), payoffs=payoffs)
    >>> [(who, str(w)) for who, w in CoarseCorrelated().law(met)]
    [((0,), '1/2'), ((1,), '1/2')]
    """

    def law(self, menagerie: Menagerie, opponents: int = 1) -> Distribution[tuple[int, ...]]:
        """Return the distribution over tuples of candidates' numbers."""
        require_integer(opponents, name="opponents", low=1)
        if len(require_menagerie(menagerie)) == 1:
            return point_mass((0,) * opponents)
        payoffs = menagerie.payoffs
        if payoffs is None or payoffs.ndim != opponents + 1:
            raise InvalidArgument(
                needs=f"a menagerie with payoffs of {opponents + 1} players",
                found="it has none" if payoffs is None else f"they have {payoffs.ndim} axes",
                remedy="Give Menagerie(snapshots, payoffs=...).",
                where="CoarseCorrelated",
            )
        return others_law(coarse_correlated(payoffs))


@dataclass(frozen=True)
@checked
class EloKernel(Independent):
    """Snapshots by how near their rating is to the live policy's.

    With ``E`` the score that Elo's ratings expect of the live policy, a snapshot is drawn in
    proportion to ``exp(-(E - 1/2)^2 / (2 width^2))``.

    Attributes:
        width: At least 0.001; 1/6 as published.

    Source: :cite:`jaderberg2019human`.

    >>> from learners.self_play import Menagerie
    >>> near = EloKernel().weights(Menagerie(tuple("ab"), ratings=(1500.0, 1900.0, 1500.0)))
    >>> round(float(near[0]), 3), near[2]
    (0.953, Fraction(0, 1))
    """

    width: Width = 1 / 6

    def weights(self, menagerie: Menagerie) -> Weights:
        """Return the probability of each candidate."""
        if not menagerie.ratings:
            return PastUniform().weights(menagerie)
        *past, live = menagerie.ratings
        apart = [expected_score(live, rating) - 0.5 for rating in past]
        nearest = min(map(abs, apart))  # so that somebody is always drawn
        marks = [math.exp((nearest**2 - e**2) / (2 * self.width**2)) for e in apart]
        return (*dyadic(marks), ZERO)


Sampling: TypeAlias = (
    Naive
    | DeltaUniform
    | DeltaLimitUniform
    | PastUniform
    | Prioritized
    | PresentAndPast
    | MetaGame
    | CoarseCorrelated
    | EloKernel
)


def expected_score(rating: float, other: float) -> float:
    """Return the score that Elo's ratings expect of the first against the second.

    >>> round(expected_score(1900, 1500), 4)
    0.9091
    """
    return 1 / (1 + 10 ** ((other - rating) / 400))


def first_candidate(delta: Fraction, snapshots: int) -> int:
    """Return the number of the oldest candidate, ``ceil(delta M)``."""
    return math.ceil(delta * snapshots)


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
        value = Fraction(repr(float(value)))
    if not 0 <= value <= 1:
        raise InvalidArgument(needs=f"{name} from 0 to 1", found=f"got {value}")
    return value


def in_proportion(marks: Sequence[Fraction]) -> Weights:
    """Return weights of sum one in proportion to marks; equal ones if all are zero."""
    total = sum(marks, ZERO)
    if not total:
        return (Fraction(1, len(marks)),) * len(marks)
    return tuple(mark / total for mark in marks)


def dyadic(marks: Sequence[float]) -> Weights:
    """Return exact weights of sum one, near those in proportion to floats."""
    return tuple(dyadic_distribution(np.array(marks)).tolist())


def _power(base: Fraction, power: float) -> Fraction:
    """Return a power, exact where it is whole; else that of floats."""
    if float(power).is_integer():
        return base ** int(power)
    return Fraction(float(base) ** power)
