"""Both players' most entropic optimal strategies of a matrix, in floats.

The central path ends in the maximal supports, which span each player's face of optimal strategies;
the entropy is then maximized on each face. A *working set* of actions may be solved first: its
answer holds in the whole matrix if every action left out earns strictly less, against a strategy
inside the opponent's face and against the most entropic one, so that no optimal strategy plays it.
Otherwise the actions that do not are taken in.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray, IntArray
from solvers._programs.entropy_face import FacePoint, Tick, most_entropic_point
from solvers._programs.interior_point import solve_matrix_game
from solvers._programs.skew_path import solve_skew_game
from solvers.zero_sum.entropy_board import CLEARLY_LESS

ACCURACY = 1e-15  # as far as floats go: supports are told by what goes to zero


@dataclass(frozen=True)
class OptimalFace:
    """One player's optimal strategies, and the most entropic of them.

    Attributes:
        support: Actions that some optimal strategy plays, in order.
        opposing: The opponent's working set, whose places the point's equations name.
        point: Over the support; its prices are over the working set.
        prices: The same over all actions of the opponent.
    """

    support: IntArray
    opposing: IntArray
    point: FacePoint
    prices: FloatArray


def optimal_faces(
    matrix: FloatArray, working: tuple[IntArray, IntArray], *, symmetric: bool, tick: Tick
) -> tuple[OptimalFace, OptimalFace]:
    """Find both faces and their most entropic points.

    Args:
        matrix (num_rows, num_columns): Payoffs to the row player, at most 1 in absolute value.
        working: Rows and columns to begin with; all of them for no working set. The same if
            symmetric.
        symmetric: Whether the matrix is skew, so that both faces are one.
        tick: Called before each step; may raise to stop.
    """
    rows, columns = working
    while True:
        faces = _faces_within(matrix, rows, columns, symmetric=symmetric, tick=tick)
        more_rows = _not_clearly_less(matrix, faces[1], rows, faces[0])
        more_columns = _not_clearly_less(-matrix.T, faces[0], columns, faces[1])
        if not len(more_rows) and not len(more_columns):
            return faces
        rows, columns = np.union1d(rows, more_rows), np.union1d(columns, more_columns)


def _faces_within(
    matrix: FloatArray, rows: IntArray, columns: IntArray, *, symmetric: bool, tick: Tick
) -> tuple[OptimalFace, OptimalFace]:
    table = matrix[np.ix_(rows, columns)]
    if symmetric:
        skew = solve_skew_game(table, tick=tick)
        support = _where(skew.strategy > skew.shortfalls)
        point = most_entropic_point(
            table[support], support, _scaled_to_one(skew.strategy[support]), tick=tick
        )
        face = _face(point, rows[support], columns, matrix.shape[1])
        return face, face
    pair = solve_matrix_game(table, accuracy=ACCURACY, tick=tick)
    x, y = pair.row_strategy, pair.column_strategy
    own, other = _where(x > pair.row_slacks), _where(y > pair.column_slacks)
    first = most_entropic_point(table[own], other, _scaled_to_one(x[own]), tick=tick)
    second = most_entropic_point(-table.T[other], own, _scaled_to_one(y[other]), tick=tick)
    return (
        _face(first, rows[own], columns, matrix.shape[1]),
        _face(second, columns[other], rows, matrix.shape[0]),
    )


def _face(
    point: FacePoint, support: IntArray, opposing: IntArray, num_opposing: int
) -> OptimalFace:
    prices = np.zeros(num_opposing)
    prices[opposing] = point.prices
    return OptimalFace(support, opposing, point, prices)


def _not_clearly_less(
    matrix: FloatArray, opponent: OptimalFace, known: IntArray, own: OptimalFace
) -> IntArray:
    """Return the rows outside a working set that could be played against the opponent's face."""
    if len(known) == len(matrix):
        return known[:0]
    against = np.stack([opponent.point.inside, opponent.point.strategy], axis=1)
    earned = matrix[:, opponent.support] @ against
    value = earned[own.support].max(axis=0)
    close = (earned > value - CLEARLY_LESS).any(axis=1)
    close[known] = False
    return _where(close)


def _where(condition: NDArray[np.bool_]) -> IntArray:
    return np.flatnonzero(condition).astype(np.int32)


def _scaled_to_one(weights: FloatArray) -> FloatArray:
    return weights / weights.sum()
