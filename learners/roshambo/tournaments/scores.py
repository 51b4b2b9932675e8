"""What an agent is worth against a population: published scores, with errors and without bias.

``returns[b, e]`` is what the agent was paid in match ``e`` against bot ``b``; ``T_b`` its mean.
The population return is the mean of all ``T_b``; the within-population exploitability is the
largest of ``-T_b``; the aggregate score is the first less the second. The largest of noisy means is
biased upward, so there is a cross-fitted one too: the bot that does best in even matches is judged
by the odd ones, and the other way round.

Source: :cite:`lanctot2023population`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from gametheory_core.arrays import FloatArray, freeze
from gametheory_core.errors import InvalidArgument

_GRID = 20_001  # points of the integral for the largest mean
_TAIL = 9.0  # standard errors; beyond them lies 1e-19


def largest_mean_bias(means: object, standard_errors: object) -> float:
    """Return how far above the largest mean the largest *measured* mean is on average.

    Measured means are independent and normal; ``E max_b (m_b + s_b Z_b) - max_b m_b`` is an
    integral over their distribution functions. At equal means it is largest: ``k`` of them, with
    errors ``s``, give ``s E max(Z_1, ..., Z_k)``, which is 2.19 ``s`` for 43.

    Args:
        means (bots,): What each is paid.
        standard_errors (bots,): Of each as measured; 0 where a mean is sure.

    Raises:
        InvalidArgument: If shapes differ, or errors are negative or not finite.

    >>> round(largest_mean_bias([0] * 43, [25.82 / 1000**0.5] * 43), 2)
    1.79
    """
    m, s = np.array(means, dtype=float), np.array(standard_errors, dtype=float)
    if m.ndim != 1 or m.shape != s.shape or not m.size:
        raise InvalidArgument(
            needs="a mean and a standard error for each bot",
            found=f"got arrays of shapes {m.shape} and {s.shape}",
        )
    if not (np.isfinite(m).all() and np.isfinite(s).all() and (s >= 0).all()):
        raise InvalidArgument(needs="finite means, and standard errors of at least 0")
    best = m.max()
    floor = (m - _TAIL * s).max()  # the largest is surely above
    x = np.linspace(floor, (m + _TAIL * s).max(), _GRID)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        z = np.where(s > 0, (x[:, None] - m) / s, np.where(x[:, None] >= m, np.inf, -np.inf))
    above = 1.0 - ndtr(z).prod(axis=1)
    return float(floor + np.trapezoid(above, x) - best)


def mean_over_halves(returns: NDArray[Any]) -> FloatArray:
    """Return means over even matches and over odd ones, stacked in front; the first match is even.

    >>> mean_over_halves(np.array([[1, 5, 3]])).tolist()
    [[2.0], [5.0]]
    """
    return np.stack([returns[..., ::2].mean(axis=-1), returns[..., 1::2].mean(axis=-1)])


def cross_fitted(halves: NDArray[Any]) -> NDArray[Any]:
    """Return what nemeses are paid in the half that they were not picked by.

    The expectation is that of ``-T_b`` over the bots ``b`` that a half picks, hence never above the
    largest ``-T_b``; that of the largest measured mean is never below it.

    Args:
        halves (2, ..., bots): As ``mean_over_halves``.

    >>> cross_fitted(np.array([[4.0, -2.0], [-1.0, 3.0]])).tolist()
    -3.5
    """
    even, odd = halves
    paid = [
        np.take_along_axis(judged, picking.argmin(axis=-1)[..., None], axis=-1)[..., 0]
        for judged, picking in ((odd, even), (even, odd))
    ]
    return (0 - (paid[0] + paid[1])) / 2


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
        return float(cross_fitted(mean_over_halves(self.returns)))

    @property
    def aggregate_score(self) -> float:
        """``population_return`` less ``within_population_exploitability``."""
        return self.population_return - self.within_population_exploitability
