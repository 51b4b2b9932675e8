"""Opponents by how matches end: against the live policy, or of snapshots among themselves."""

import math
from enum import Enum
from fractions import Fraction
from typing import Annotated, ClassVar

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.errors import InvalidArgument
from learners.options import Range, kind_of
from learners.self_play.by_age import PastUniform
from learners.self_play.menagerie import Menagerie, require_menagerie
from learners.self_play.meta_strategies import (
    MetaStrategy,
    coarse_correlated,
    meta_strategy,
    others_law,
)
from learners.self_play.sampling import Independent, LooksAt, PolicySampling, Weights, in_proportion
from learners.self_play.standings import expected_score
from solvers.rounding import dyadic_distribution

Power = Annotated[float, Range(low=0, high=100)]  # exact powers grow with it
Width = Annotated[float, Range(low=0.001)]


class Priority(Enum):
    """Which opponents come first, by how often the live policy beats them."""

    HARD = "in proportion to (1 - w)^p: whom it loses to"
    EVEN = "in proportion to (w (1 - w))^p: whom it is level with"


@kind_of(PolicySampling)
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

    looks_at: ClassVar[LooksAt] = LooksAt.RECORDS
    priority: Priority = Priority.HARD
    power: Power = 2

    def _weights(self, menagerie: Menagerie) -> Weights:
        rates = [r.win_rate for r in menagerie.records] or [Fraction(1, 2)] * len(menagerie)
        hard = self.priority is Priority.HARD
        marks = [1 - w if hard else w * (1 - w) for w in rates]
        return (*in_proportion([_power(mark, self.power) for mark in marks]), ZERO)


def _power(base: Fraction, power: float) -> Fraction:
    """Return a power, exact where it is whole; else that of floats."""
    if float(power).is_integer():
        return base ** int(power)
    return Fraction(float(base) ** power)


@kind_of(PolicySampling)
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

    looks_at: ClassVar[LooksAt] = LooksAt.RATINGS
    width: Width = 1 / 6

    def _weights(self, menagerie: Menagerie) -> Weights:
        if not menagerie.ratings:
            return PastUniform().weights(menagerie)
        *past, live = menagerie.ratings
        apart = [expected_score(live, rating) - 0.5 for rating in past]
        nearest = min(map(abs, apart))  # so that somebody is always drawn
        marks = [math.exp((nearest**2 - e**2) / (2 * self.width**2)) for e in apart]
        return (*dyadic_distribution(np.array(marks)).tolist(), ZERO)


@kind_of(PolicySampling)
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

    looks_at: ClassVar[LooksAt] = LooksAt.WIN_RATES
    solver: MetaStrategy = MetaStrategy.MAX_ENTROPY

    def _weights(self, menagerie: Menagerie) -> Weights:
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


@kind_of(PolicySampling)
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

    looks_at: ClassVar[LooksAt] = LooksAt.PAYOFFS

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
