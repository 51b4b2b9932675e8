"""Values of zero-sum games beside Gambit's rational linear programs."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from gametheory_core.testing import zero_sum_games
from solvers import minimax

gambit = pytest.importorskip("pygambit")


@pytest.mark.peer
@given(zero_sum_games(max_actions=5))
def test_value_is_gambits(game):
    rows, columns = game.exact_payoffs
    theirs = gambit.Game.from_arrays(
        *(
            np.vectorize(lambda v: gambit.Rational(v.numerator, v.denominator), otypes=[object])(a)
            for a in (rows, columns)
        )
    )
    found = gambit.nash.lp_solve(theirs, rational=True).equilibria[0]
    value = found.payoff(next(iter(theirs.players)))
    assert minimax(game).certificate.game_value == Fraction(value.numerator, value.denominator)
