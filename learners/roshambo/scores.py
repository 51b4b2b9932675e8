"""What an agent is worth against a population: published scores, with errors and without bias.

``returns[b, e]`` is what the agent was paid in match ``e`` against bot ``b``; ``T_b`` its mean.
The population return is the mean of all ``T_b``; the within-population exploitability is the
largest of ``-T_b``; the aggregate score is the first less the second. The largest of noisy means is
biased upward, so there is a cross-fitted one too: the bot that does best in even matches is judged
by the odd ones, and the other way round.

Source: :cite:`lanctot2023population`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray, freeze
from gametheory_core.errors import InvalidArgument


@dataclass(frozen=True, eq=False)
class PopulationScores:
    """Matches of an agent against each bot of a population.

    Attributes:
        bots: Names.
        returns (bots, matches): What the agent was paid, int64; at least two matches.

    Raises:
        InvalidArgument: If shapes do not fit.

    >>> scores = PopulationScores(("rock", "other"), np.array([[9, 11], [-3, -1]]))
    >>> scores.population_return, scores.within_population_exploitability, scores.aggregate_score
    (4.0, 2.0, 2.0)
    """

    bots: tuple[str, ...]
    returns: NDArray[np.int64]

    def __post_init__(self) -> None:
        returns = np.array(self.returns, dtype=np.int64)
        if returns.ndim != 2 or len(self.bots) != len(returns) or returns.shape[1] < 2:
            raise InvalidArgument(
                needs="a row of two returns or more for each bot",
                found=f"got {len(self.bots)} bots and returns of shape {returns.shape}",
            )
        object.__setattr__(self, "returns", freeze(returns))

    @property
    def means(self) -> FloatArray:
        """Mean return against each bot, ``T_b``."""
        return self.returns.mean(axis=1)

    @property
    def standard_errors(self) -> FloatArray:
        """Of each mean."""
        return self.returns.std(axis=1, ddof=1) / np.sqrt(self.returns.shape[1])

    @property
    def population_return(self) -> float:
        """The mean of all means."""
        return float(self.means.mean())

    @property
    def population_return_error(self) -> float:
        """The standard error of ``population_return``; bots are fixed, matches are drawn."""
        return float(np.sqrt((self.standard_errors**2).sum()) / len(self.bots))

    @property
    def nemesis(self) -> str:
        """The bot that does best."""
        return self.bots[int(self.means.argmin())]

    @property
    def within_population_exploitability(self) -> float:
        """What the nemesis is paid on average, as published; negative if all are beaten."""
        return float(-self.means.min())

    @property
    def cross_fitted_exploitability(self) -> float:
        """What nemeses are paid in matches that they were not picked by; without bias upward."""
        even, odd = self.returns[:, ::2].mean(axis=1), self.returns[:, 1::2].mean(axis=1)
        return float(-(odd[even.argmin()] + even[odd.argmin()]) / 2)

    @property
    def aggregate_score(self) -> float:
        """``population_return`` less ``within_population_exploitability``."""
        return self.population_return - self.within_population_exploitability
