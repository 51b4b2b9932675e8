"""Ritzberger 1994: the indices of the equilibria of a regular game sum to one.

Checked on games of two to four players, with integers and at scales from 10^-15 to 10^15. The twin:
where one equilibrium is not regular, those of the others may sum to something else.

Why it matters (equilibria): Indices add up to one, which is a check on a list of equilibria that
knows nothing of how it was made.
"""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame
from solvers import polynomial_support_enumeration
from tests.planted_games import planted, regular_supports

theorem = pytest.mark.theorem(
    source="Ritzberger 1994",
    statement="The indices of the equilibria of a regular game sum to one.",
)


def indices(game):
    proof = polynomial_support_enumeration(game).found.completeness
    assume(proof is not None and None not in proof.indices)
    return proof.indices


@theorem
@given(
    st.sampled_from([(2, 2, 2), (2, 3, 2), (2, 2, 2, 2), (3, 3), (2, 4)]), st.integers(0, 2**32 - 1)
)
def test_indices_sum_to_one_and_those_of_pure_equilibria_are_one(shape, seed):
    rng = np.random.default_rng(seed)
    game = NormalFormGame.from_payoffs(rng.integers(-99, 100, (len(shape), *shape)))
    proof = polynomial_support_enumeration(game).found.completeness
    assume(proof is not None and None not in proof.indices)
    assert sum(proof.indices) == 1
    for index, profile in zip(proof.indices, proof.profiles, strict=True):
        if all(1 in own for own in profile.strategies):
            assert index == 1


@theorem
@given(st.sampled_from([(2, 2, 2), (2, 3, 2), (3, 3)]), st.integers(0, 2**32 - 1))
def test_indices_sum_to_one_at_every_scale(shape, seed):
    rng = np.random.default_rng(seed)
    game, _ = planted(rng, shape, regular_supports(rng, shape))
    assert sum(indices(game)) == 1


@theorem
def test_degenerate_twin_has_another_sum():
    """Two pure equilibria, of which one is in weakly dominated actions and has no index."""
    game = NormalFormGame.bimatrix([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    proof = polynomial_support_enumeration(game).found.completeness
    assert sorted(proof.indices, key=str) == [1, None]
