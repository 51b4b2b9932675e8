"""What an agent is worth against a population: published scores, with errors and without bias.

``returns[b, e]`` is what the agent was paid in match ``e`` against bot ``b``; ``T_b`` its mean.
The population return is the mean of all ``T_b``; the within-population exploitability is the
largest of ``-T_b``; the aggregate score is the first less the second. The largest of noisy means is
biased upward, so there is a cross-fitted one too: the bot that does best in even matches is judged
by the odd ones, and the other way round.

Source: :cite:`lanctot2023population`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from gametheory_core.arguments import as_tuple, shown
from gametheory_core.arrays import FloatArray, freeze
from gametheory_core.errors import InvalidArgument

_EDGES = np.linspace(-9.0, 9.0, 37)  # of panels, in standard errors; beyond lies 1e-19
_NODES, _SHARES = np.polynomial.legendre.leggauss(8)  # of a panel, from -1 to 1


def largest_mean_bias(means: object, standard_errors: object) -> float:
    """Return how far above the largest mean the largest *measured* mean is on average.

    Measured means are independent and normal; ``E max_b (m_b + s_b Z_b) - max_b m_b`` is an
    integral over their distribution functions: with ``F_*`` that of the largest mean, it is that of
    ``F_* (1 - prod of the others)``, which is nowhere negative. It is taken in panels between
    quantiles of all, so that errors may differ by any factor. At equal means it is largest: ``k``
    of them, with errors ``s``, give ``s E max(Z_1, ..., Z_k)``, which is 2.19 ``s`` for 43.

    Args:
        means (bots,): What each is paid.
        standard_errors (bots,): Of each as measured; 0 where a mean is sure.

    Raises:
        InvalidArgument: If shapes differ, or errors are negative or not finite.

    >>> round(largest_mean_bias([0] * 43, [25.82 / 1000**0.5] * 43), 2)
    1.79
    """
    given = (means, "finite means"), (standard_errors, "finite standard errors")
    m, s = (as_numbers(values, needs=needs).astype(np.float64) for values, needs in given)
    if m.ndim != 1 or m.shape != s.shape or not m.size:
        raise InvalidArgument(
            needs="a mean and a standard error for each bot",
            found=f"got arrays of shapes {m.shape} and {s.shape}",
        )
    if s.min() < 0:
        raise InvalidArgument(needs="standard errors of at least 0", found=f"one is {s.min()}")
    best = int(m.argmax())
    m = m - m[best]
    edges = np.unique(m[:, None] + s[:, None] * _EDGES)
    half = np.diff(edges)[:, None] / 2
    x = edges[:-1, None] + half * (1 + _NODES)
    logs = np.zeros((2, *x.shape))  # of the distribution function of the best, and of the others'
    for bot, (mean, error) in enumerate(zip(m, s, strict=True)):
        with np.errstate(over="ignore"):  # of an error next to nothing: as of none
            z = (x - mean) / error if error > 0 else np.where(x < mean, -np.inf, np.inf)
        logs[int(bot != best)] += log_ndtr(z)
    return float((half * _SHARES * np.exp(logs[0]) * -np.expm1(logs[1])).sum())


def require_names(names: Sequence[Any], *, what: str) -> None:
    """Refuse names that stand twice or cannot be printed on a line, and that there are none.

    Raises:
        InvalidArgument: Shows the name.
    """
    for i, name in enumerate(names):
        is_name = isinstance(name, str) and name.isprintable() and name != ""
        if not is_name or name in names[:i]:
            raise InvalidArgument(
                needs=f"{what} with different names, each on a line",
                found=f"{name!r} stands twice" if is_name else f"there is {shown(name)}",
            )
    if not names:
        raise InvalidArgument(needs=f"somebody in {what}", found="it is empty")


def as_numbers(values: object, *, needs: str, shape: tuple[int, ...] | None = None) -> NDArray[Any]:
    """Return an array of finite real numbers, of integers or floats as they were given.

    Raises:
        InvalidArgument: Shows what came instead.
    """
    try:
        found: NDArray[Any] = np.array(values)
    except (ValueError, TypeError):  # rows of different lengths
        found = np.array(None)
    is_real = found.dtype.kind in "iuf" and np.isfinite(found).all()
    if not is_real or (shape is not None and found.shape != shape):
        raise InvalidArgument(needs=needs, found=f"got {shown(values)}")
    return found


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
        InvalidArgument: If shapes do not fit, a return is no whole number, or a name stands twice.

    >>> scores = PopulationScores(("rock", "other"), np.array([[9, 11], [-3, -1]]))
    >>> scores.population_return, scores.within_population_exploitability, scores.aggregate_score
    (4.0, 2.0, 2.0)
    """

    bots: tuple[str, ...]
    returns: NDArray[np.int64]

    def __post_init__(self) -> None:
        bots = as_tuple(self.bots, name="bots")
        require_names(bots, what="bots")
        returns = as_numbers(self.returns, needs="returns that are whole numbers below 2^53")
        if returns.ndim != 2 or len(bots) != len(returns) or returns.shape[1] < 2:
            raise InvalidArgument(
                needs="a row of two returns or more for each bot",
                found=f"got {len(bots)} bots and returns of shape {returns.shape}",
            )
        is_whole = (returns > -(2**53)) & (returns < 2**53) & (returns == np.rint(returns))
        if not is_whole.all():
            raise InvalidArgument(
                needs="returns that are whole numbers below 2^53",
                found=f"one is {returns[~is_whole][0]}",
            )
        object.__setattr__(self, "bots", bots)
        object.__setattr__(self, "returns", freeze(returns.astype(np.int64)))

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
        return float(0 - self.means.min())  # never -0.0

    @property
    def cross_fitted_exploitability(self) -> float:
        """What nemeses are paid in matches that they were not picked by; without bias upward."""
        return float(cross_fitted(mean_over_halves(self.returns)))

    @property
    def aggregate_score(self) -> float:
        """``population_return`` less ``within_population_exploitability``."""
        return self.population_return - self.within_population_exploitability
