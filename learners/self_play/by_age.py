"""Opponents by when they were kept: the newest, the latest, all past ones."""

from collections.abc import Callable
from fractions import Fraction
from math import ceil

from gametheory_core.arrays import ONE, ZERO
from learners.options import kind_of
from learners.self_play.menagerie import Menagerie
from learners.self_play.sampling import (
    Independent,
    Number,
    PolicySampling,
    Weights,
    exact_share,
    in_proportion,
)


@kind_of(PolicySampling)
class Naive(Independent):
    """The live policy always meets itself.

    Source: :cite:`samuel1959some`; as a scheme :cite:`hernandez2019selfplay`, IV.A.

    >>> from learners.self_play import Menagerie
    >>> Naive().weights(Menagerie(("a", "b")))
    (Fraction(0, 1), Fraction(0, 1), Fraction(1, 1))
    """

    def _weights(self, menagerie: Menagerie) -> Weights:
        return (ZERO,) * len(menagerie) + (ONE,)


@kind_of(PolicySampling)
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

    def _weights(self, menagerie: Menagerie) -> Weights:
        return _among_latest(self.delta, menagerie, lambda _: ONE)


@kind_of(PolicySampling)
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

    def _weights(self, menagerie: Menagerie) -> Weights:
        return _among_latest(self.delta, menagerie, lambda age: Fraction(1, age * age))


def _among_latest(delta: Number, menagerie: Menagerie, mark: Callable[[int], Fraction]) -> Weights:
    """Return weights in proportion to marks by age, from the candidate ``ceil(delta M)`` on."""
    first = ceil(Fraction(delta) * len(menagerie))
    ages = range(len(menagerie) + 1 - first, 0, -1)
    return (ZERO,) * first + in_proportion([mark(age) for age in ages])


@kind_of(PolicySampling)
class PastUniform(Independent):
    """Uniform over the snapshots, the live policy left out: fictitious self-play.

    The opponent is the average of all past selves, as in fictitious play; each snapshot is an
    approximate best response to those before it.

    Source: :cite:`brown1951iterative`; with learners :cite:`heinrich2015fictitious`.

    >>> from learners.self_play import Menagerie
    >>> [str(w) for w in PastUniform().weights(Menagerie(tuple("ab")))]
    ['1/2', '1/2', '0']
    """

    def _weights(self, menagerie: Menagerie) -> Weights:
        return (Fraction(1, len(menagerie)),) * len(menagerie) + (ZERO,)


@kind_of(PolicySampling)
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

    def _weights(self, menagerie: Menagerie) -> Weights:
        present, count = Fraction(self.present), len(menagerie)
        return ((1 - present) / count,) * count + (present,)
