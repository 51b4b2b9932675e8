"""Draws of opponents as a policy sampling distribution says."""

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import as_tuple, number_of, require_integer, shown
from gametheory_core.errors import InvalidArgument
from learners.self_play.menagerie import Menagerie
from learners.self_play.opponents import LIVE
from learners.self_play.sampling import Independent, PolicySampling


class Draws:
    """Draws of opponents, by whatever distribution was weighed last.

    Args:
        opponents: In each episode.
    """

    def __init__(self, opponents: int, rng: np.random.Generator) -> None:
        self._opponents = opponents
        self._rng = rng
        self._live = 0
        self._tuples = np.zeros((1, opponents), dtype=np.int64)
        self._cumulative = np.ones(1)

    def weigh(self, sampling: PolicySampling, menagerie: Menagerie) -> None:
        """Draw by this distribution from now on."""
        self._live = len(menagerie)
        if isinstance(sampling, Independent):  # one after another: their tuples would be many
            weights = sampling.weights(menagerie)
            self._tuples = np.arange(len(weights))[:, None]
        else:
            law = sampling.law(menagerie, self._opponents)
            for who, _ in law:
                self._require_candidates(who)
            self._tuples = np.array([who for who, _ in law])
            weights = [weight for _, weight in law]
        self._cumulative = np.cumsum([float(weight) for weight in weights])

    def _require_candidates(self, who: object) -> None:
        numbers = as_tuple(who, name="opponents of a law")
        if len(numbers) != self._opponents:
            raise InvalidArgument(
                needs=f"a law over tuples of {number_of(self._opponents, 'opponent')}",
                found=f"one is {shown(who)}",
            )
        for number in numbers:
            require_integer(number, name="a candidate's number", low=0, high=self._live)

    def places(self, count: int) -> NDArray[np.int64]:
        """Draw the opponents of so many episodes, as places of ``Opponents``."""
        draws = self._opponents // self._tuples.shape[1]
        whole = self._cumulative[-1]
        numbers = self._rng.random((count, draws)) * whole
        numbers = np.minimum(numbers, np.nextafter(whole, 0.0))  # a product may be rounded up
        drawn = np.searchsorted(self._cumulative, numbers, side="right")
        candidates = self._tuples[drawn].reshape(count, self._opponents)
        return np.where(candidates == self._live, LIVE, candidates + 1)
