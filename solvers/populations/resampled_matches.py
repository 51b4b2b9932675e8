"""How sure the Nash of sampled win rates is: all matches drawn again, and solved again.

Of each pair, as many matches as were played are drawn from how they ended, and the max-entropy Nash
of those win rates is found exactly. How often an agent is in its support, and between which weights
it mostly is, tells what the matches that were played say. It is no coverage guarantee: the Nash
jumps, and where win rates are at a jump the bootstrap spreads over both sides however many matches
were played.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_integer, require_number, shown
from gametheory_core.arrays import ExactArray, FloatArray, exact_array, freeze
from gametheory_core.errors import InvalidGame, NotConverged
from solvers.populations.averaging import NashAverage, nash_averaging
from solvers.solution import UNLIMITED, Budget, OnIteration
from solvers.solver import open_meter, solver

MOST_MATCHES = 10**15  # of two agents that end alike


@dataclass(frozen=True, eq=False)
class NashBootstrap:
    """The Nash of sampled win rates, and of many resamples.

    Attributes:
        average: Of the matches that were played.
        mixtures (resamples, agents): The max-entropy Nash of each resample, rounded.
        supports (resamples, agents): Whether each agent is played in it.
    """

    average: NashAverage
    mixtures: FloatArray
    supports: NDArray[np.bool_]

    @property
    def in_support(self) -> FloatArray:
        """How often each agent is in the support, shape (agents,)."""
        return self.supports.mean(axis=0)

    def intervals(self, *, error: float = 0.05) -> FloatArray:
        """Return between which weights each agent is in all but a share of resamples.

        Returns:
            (agents, 2): The quantiles ``error / 2`` and ``1 - error / 2``.
        """
        require_number(error, name="error", above=0, below=1)
        return np.quantile(self.mixtures, [error / 2, 1 - error / 2], axis=0).T


@solver(unit="resamples", page="populations")
def nash_bootstrap(
    wins: object,
    *,
    draws: object = None,
    resamples: int = 200,
    rng: np.random.Generator,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> NashBootstrap:
    """Find the max-entropy Nash of counted matches, and of matches drawn again from the counts.

    Args:
        wins (agents, agents): How often each beat each other; the diagonal is ignored.
        draws (agents, agents): How often a pair drew, symmetric; never, if None.
        resamples: How often all matches are drawn again.
        budget: Iterations are resamples.
        on_iteration: Called after each resample.

    Raises:
        InvalidGame: If the tables are no counts, draws are not symmetric, or two agents never met.
        NotConverged: If the budget ends first; ``best`` has fewer resamples.

    Source: B. Efron, "Bootstrap methods: another look at the jackknife", Annals of Statistics 1979.

    >>> found = nash_bootstrap([[0, 9], [1, 0]], resamples=20, rng=np.random.default_rng(1))
    >>> found.in_support.tolist()
    [1.0, 0.0]
    """
    require_integer(resamples, name="resamples", low=1)
    won = _counts(wins, "wins")
    even = np.zeros_like(won) if draws is None else _counts(draws, "draws")
    if even.shape != won.shape or (even != even.T).any():
        raise InvalidGame(
            needs="draws as a symmetric table of the shape of the wins",
            found=f"shapes are {won.shape} and {even.shape}, or entries differ",
            remedy="Count a draw for both.",
        )
    pairs = np.triu_indices(len(won), 1)
    counts = np.stack([won[pairs], even[pairs], won.T[pairs]], axis=1)
    met = counts.sum(axis=1)
    for place in np.flatnonzero(met == 0)[:1].tolist():
        i, j = int(pairs[0][place]), int(pairs[1][place])
        raise InvalidGame(
            needs="matches between all agents",
            found=f"{i} and {j} never met",
            remedy="Play them, or leave one out.",
        )
    meter = open_meter(budget, on_iteration, total=resamples)
    average = nash_averaging(_evaluation(counts, met, len(won)))
    drawn: list[ExactArray] = []
    for _ in range(resamples):
        if meter.is_exhausted:
            raise NotConverged(
                needs=f"{resamples} resamples",
                found=f"the budget ended after {len(drawn)}",
                remedy="Give a larger budget, or fewer resamples.",
                best=_bootstrap(average, drawn),
            )
        again = rng.multinomial(met, counts / met[:, None])
        drawn.append(nash_averaging(_evaluation(again, met, len(won))).agent_mixture)
        meter.step()
    return _bootstrap(average, drawn)


def _counts(table: object, name: str) -> NDArray[np.int64]:
    """Return a square table of counts, with nothing on the diagonal."""
    counts = exact_array(table, where=f"nash_bootstrap: {name}")
    is_square = counts.ndim == 2 and counts.shape[0] == counts.shape[1] and counts.size  # a table
    entries = counts.ravel().tolist()
    if not is_square or any(not 0 <= n <= MOST_MATCHES or n.denominator > 1 for n in entries):
        raise InvalidGame(
            needs=f"{name} as a square table of whole numbers from 0 to {MOST_MATCHES:,}",
            found=f"the shape is {counts.shape}, entries are {shown(list(map(str, entries)))}",
            remedy="Count matches, and draws apart.",
        )
    whole = counts.astype(np.int64)
    np.fill_diagonal(whole, 0)
    return whole


def _evaluation(counts: NDArray[np.int64], met: NDArray[np.int64], agents: int) -> ExactArray:
    """Return the exact evaluation matrix of the matches of all pairs."""
    table = np.full((agents, agents), Fraction(0), dtype=object)
    leads = [
        Fraction(lead, 2 * played)
        for lead, played in zip((counts[:, 0] - counts[:, 2]).tolist(), met.tolist(), strict=True)
    ]
    pairs = np.triu_indices(agents, 1)
    table[pairs] = leads
    return table - table.T


def _bootstrap(average: NashAverage, drawn: list[ExactArray]) -> NashBootstrap:
    mixtures = np.array(drawn, dtype=object).reshape(len(drawn), len(average.agent_mixture))
    return NashBootstrap(
        average, freeze(mixtures.astype(np.float64)), freeze((mixtures > 0).astype(np.bool_))
    )
