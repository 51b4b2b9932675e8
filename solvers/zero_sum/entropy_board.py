"""A constant-sum game as one float matrix near 1, for solvers that round at the end."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.certificates.max_entropy import is_symmetric_table
from gametheory_core.games.normal_form import NormalFormGame

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
