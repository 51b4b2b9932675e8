"""Harsanyi 1973, Wilson 1971: almost all finite games have a finite and odd number of equilibria.

Checked on games of three and four players with random payoffs: where every equilibrium found is
certified to be isolated and regular, and the list is complete, its length is odd. The twins are
degenerate: finitely many equilibria but an even number, and infinitely many.

Why it matters (equilibria): A list of equilibria with an even length is suspect: one is missing, or
the game is degenerate.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import MixedProfile, NormalFormGame, certify_nash
from solvers import polynomial_support_enumeration
from tests.sample_sizes import examples

theorem = pytest.mark.theorem(
    source="Harsanyi 1973",
    statement="Almost every game of any number of players has an odd number of equilibria.",
)


@theorem
@given(
    st.sampled_from([(2, 2, 2), (2, 2, 2), (2, 3, 2), (3, 3, 2), (2, 2, 2, 2), (3, 3, 3)]),
    st.integers(0, 2**32 - 1),
)
def test_generic_games_have_an_odd_number_of_equilibria(shape, seed):
    rng = np.random.default_rng(seed)
    game = NormalFormGame.from_payoffs(rng.standard_normal((len(shape), *shape)))
    answer = polynomial_support_enumeration(game)
    assert answer.found.is_complete
    for isolated in answer.isolated:
        isolated.verify()
    assert len(answer.found.equilibria) % 2 == 1


def with_a_judge(rows):
    """Add a third player who is always better off with the first action, and whom nobody heeds."""
    payoffs = np.zeros((3, len(rows), len(rows), 2), dtype=int)
    payoffs[0] = payoffs[1] = np.array(rows)[:, :, np.newaxis]
    payoffs[2, ..., 0] = 1
    return NormalFormGame.from_payoffs(payoffs)


@theorem
def test_degenerate_twin_can_be_finite_and_even():
    """Two equilibria, one of them in weakly dominated actions (Myerson 1978)."""
    answer = polynomial_support_enumeration(with_a_judge([[1, 0], [0, 0]]))
    assert answer.found.is_complete
    assert len(answer.found.equilibria) == 2
    assert [isolated is None for isolated in answer.isolated] == [False, True]


@theorem
@examples(20)
@given(st.fractions(0, 1))
def test_degenerate_twin_can_have_infinitely_many(share):
    """Against the second action, the first player is indifferent: all mixtures are equilibria."""
    game = NormalFormGame.from_payoffs(
        np.array([[[[0], [0]], [[1], [0]]], [[[1], [1]], [[0], [1]]], [[[0], [0]], [[0], [0]]]])
    )
    own = np.array([share, 1 - share], dtype=object)
    one = np.array([1], dtype=object)
    second = np.array([0, 1], dtype=object)
    assert certify_nash(game, MixedProfile((own, second, one))).epsilon == 0
    answer = polynomial_support_enumeration(game)
    assert not answer.found.is_complete
    assert ((0, 1), (1,), (0,)) in {box.supports for box in answer.undecided}
