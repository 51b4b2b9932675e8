"""Both players' most entropic optimal strategies of a matrix, in floats.

The central path ends in the maximal supports, which span each player's face of optimal strategies;
the entropy is then maximized on each face. A *working set* of actions may be solved first: its
answer holds in the whole matrix if every action left out earns strictly less, against a strategy
inside the opponent's face and against the most entropic one, so that no optimal strategy plays it.
Otherwise the actions that do not are taken in.

The game is first written as one float matrix near 1, a *board*; what is found is rounded later.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray, IntArray
from gametheory_core.certificates.max_entropy import is_symmetric_table
from gametheory_core.games.normal_form import NormalFormGame
from solvers._programs.entropy_face import FacePoint, Tick, most_entropic_point

CLEARLY_LESS = 1e-9  # of payoffs on a board: surely not by rounding


@dataclass(frozen=True)
class Board:
    """A constant-sum game as one float matrix.

    Attributes:
        matrix (num_rows, num_columns): Payoffs to player 0 less a constant, at most 1 in absolute
            value; skew if symmetric.
        unit: Payoff units that an entry of 1 means.
        symmetric: Whether the game looks the same from both seats.
    """

    matrix: FloatArray
    unit: Fraction
    symmetric: bool

    @property
    def span(self) -> Fraction:
        """Largest less smallest payoff, rounded."""
        return Fraction(float(self.matrix.max()) - float(self.matrix.min())) * self.unit

    def own_first(self, player: int) -> FloatArray:
        """Return the player's own payoffs, with a row for each own action."""
        return self.matrix if player == 0 else -self.matrix.T


def board_of(game: NormalFormGame) -> Board:
    """Scale and shift the payoffs of a constant-sum game; skew if it is symmetric."""
    symmetric = is_symmetric_table(game)
    floats = game.scaled_floats[0]
    if floats is not None:
        exponent = int(np.frexp(np.abs(floats.numerators).max())[1])
        table = np.ldexp(floats.numerators, -exponent)  # so that differences cannot overflow
        table = (table - table.T) / 2 if symmetric else table - table[0, 0]
        unit = Fraction(2) ** exponent / floats.denominator
    else:
        scaled = game.scaled_payoffs[0]
        integers = scaled.numerators
        integers = integers - integers.T if symmetric else integers - integers[0, 0]
        bits = max(abs(value) for value in integers.ravel().tolist()).bit_length()
        table = (integers / (1 << bits)).astype(np.float64)
        unit = Fraction(1 << bits, scaled.denominator * (2 if symmetric else 1))
    spread = int(np.frexp(np.abs(table).max())[1])
    return Board(np.ldexp(table, -spread), unit * Fraction(2) ** spread, symmetric)


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
    from solvers._programs.central_paths import solve_skew_game  # noqa: PLC0415 loads scipy
    from solvers._programs.interior_point import solve_matrix_game  # noqa: PLC0415 loads scipy

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
