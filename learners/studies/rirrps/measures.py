"""How a population of checkpoints has grown: does it circle, and does it forget?

``A = W - 1/2`` is split into what ratings explain and what goes in circles: with ``r`` the mean of
each row, ``A = (r_i - r_j) + C``, and both parts are orthogonal. The *cyclic share* is
``|C|^2 / |A|^2``, from 0 (ratings say it all) to 1 (all rows have mean 0, as in
rock-paper-scissors). Source of the split: :cite:`balduzzi2018reevaluating`.
"""

from dataclasses import dataclass
from math import comb

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.catalog.repeated import RirRPS
from learners.matches.exact_outcomes import win_rates
from learners.studies.rirrps.runs import Training


@dataclass(frozen=True)
class Growth:
    """What the win rates of a run's checkpoints, oldest first, say.

    Attributes:
        cyclic_share: Of the squared win rates above 1/2.
        cyclic_triples: Share of triples in which each beats another.
        beats_older: Mean win rate of a checkpoint against those before it.
        beats_previous: Mean win rate against the one before.
        last_against_old: Mean win rate of the last against all before it.
        lost_to: Share of those before it that the last loses to.
        worst: Least win rate of the last.
    """

    cyclic_share: float
    cyclic_triples: float
    beats_older: float
    beats_previous: float
    last_against_old: float
    lost_to: float
    worst: float


def rates_between(own: Training, most: int) -> FloatArray:
    """Return exact win rates of a run's checkpoints, in the order of time."""
    tables = [own.tables[k] for k in own.checkpoints(most)]
    return np.array(win_rates(RirRPS(), tables), dtype=np.float64)


def cyclic_share(rates: FloatArray) -> float:
    """Return how much of win rates goes in circles.

    >>> cyclic_share(np.array([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]]))
    1.0
    >>> cyclic_share(np.array([[0.5, 0.6, 0.7], [0.4, 0.5, 0.6], [0.3, 0.4, 0.5]])) < 1e-12
    True
    """
    above = rates - 0.5
    means = above.mean(axis=1)
    whole = float((above**2).sum())
    explained = float(((means[:, None] - means[None, :]) ** 2).sum())
    return 1 - explained / whole if whole else 0.0


def cyclic_triples(rates: FloatArray) -> float:
    """Return the share of triples in which each beats another.

    >>> cyclic_triples(np.array([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]]))
    1.0
    """
    wins = (rates > 0.5).sum(axis=1)
    triples = comb(len(rates), 3)
    transitive = sum(comb(won, 2) for won in wins.tolist())
    return (triples - transitive) / triples if triples else 0.0


def growth(rates: FloatArray) -> Growth:
    """Return what win rates of checkpoints say, the oldest first.

    >>> growth(np.array([[0.5, 0.4], [0.6, 0.5]])).beats_older
    0.6
    """
    older = rates[np.tril_indices(len(rates), -1)]
    last = rates[-1, :-1]
    if not len(last):  # one checkpoint
        return Growth(0.0, 0.0, 0.5, 0.5, 0.5, 0.0, 0.5)
    return Growth(
        cyclic_share=cyclic_share(rates),
        cyclic_triples=cyclic_triples(rates),
        beats_older=float(older.mean()),
        beats_previous=float(np.diagonal(rates, -1).mean()),
        last_against_old=float(last.mean()),
        lost_to=float((last < 0.5).mean()),
        worst=float(last.min()),
    )
