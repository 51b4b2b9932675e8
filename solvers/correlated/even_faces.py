"""The exact point of a face near an even equilibrium in floats: a rational distribution.

The rows that are tight in floats, and the joint actions that are played, name a face. Its point
nearest to the float solution often is an exact equilibrium.
"""

from typing import cast

import numpy as np

from gametheory_core.strategies.correlated import CorrelatedDistribution, correlated_distribution
from solvers._programs.even_face import MOST_TIGHT, nearest_on_face
from solvers._programs.separable_convex import EvenPoint
from solvers.correlated.incentive_program import IncentiveRows, deviation_entries

GRAIN = 2**50  # a float weight is rounded to about this many parts of one
NEGLIGIBLE = 2.0**-44  # lighter joint actions are left out, if a face can be found without them


def point_near(rows: IncentiveRows, point: EvenPoint) -> CorrelatedDistribution | None:
    """Return the point of the face that is nearest to a float solution, if it is a distribution."""
    tight = np.flatnonzero(point.multipliers > point.slacks).tolist()
    support = np.flatnonzero(point.weights > NEGLIGIBLE).tolist()
    if len(tight) > MOST_TIGHT or not support:
        return None
    shares = np.rint(point.weights[support] * GRAIN).astype(np.int64)
    nearest = nearest_on_face(
        [deviation_entries(rows, row) for row in tight],
        support,
        num_columns=rows.num_joint,
        target=(cast("list[int]", shares.tolist()), GRAIN),
    )
    if nearest is None or min(nearest.weights.tolist()) < 0:
        return None
    return correlated_distribution(nearest.weights.reshape(rows.game.num_actions))
