"""McKelvey and Palfrey 1995: quantal responses approach equilibria as rationality grows.

The limit of the principal branch is a Nash equilibrium, and where there is only one equilibrium,
the branch selects it. Limits are certified in rationals, to 1e-12 of the payoff span; that there is
only one equilibrium is known from a complete enumeration. The twins keep rationality finite, or
allow several equilibria. Generated games are made generic by small noise, as the limit of a
branch in a degenerate game may be out of reach of floats.

Why it matters (equilibria): It is how one equilibrium is found and selected with many players:
follow the responses of ever less noisy players.
"""

from fractions import Fraction
from math import log

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame
from gametheory_core.catalog import load
from gametheory_core.strategies import supports
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import logit_homotopy, polynomial_support_enumeration, quantal_response

theorem = pytest.mark.theorem(
    source="McKelvey and Palfrey 1995",
    statement="The principal branch of logit quantal responses leads to a Nash equilibrium.",
)


@theorem
@given(normal_form_games(num_players=(2, 4), kinds=tuple(PayoffKind)))
def test_limit_of_the_branch_is_an_equilibrium(game):
    rng = np.random.default_rng(6)
    noise = rng.integers(1, 10**6, size=game.given_payoffs.shape).astype(object)
    game = NormalFormGame.from_payoffs(game.exact_payoffs + noise * Fraction(1, 10**6))
    limit = logit_homotopy(game).solution
    limit.certificate.verify()
    span = max(table.max() - table.min() for table in game.exact_payoffs)
    assert limit.certificate.epsilon <= span / 10**12


@theorem
@given(normal_form_games(num_players=(2, 3)), st.sampled_from([1.0, 10.0, 50.0]))
def test_gains_vanish_along_the_branch(game, rationality):
    """Nobody gains more than log(number of actions) / rationality, up to rounding of logarithms."""
    response = quantal_response(game, rationality=rationality)
    response.nash.verify()
    most = max(map(log, game.num_actions)) / rationality
    assert response.nash.epsilon <= Fraction(most + 1e-9)


@theorem
@given(st.sampled_from([(2, 2, 2), (2, 3, 2), (3, 3), (2, 2, 2, 2)]), st.integers(0, 2**32 - 1))
def test_only_equilibrium_is_selected(shape, seed):
    rng = np.random.default_rng(seed)
    game = NormalFormGame.from_payoffs(rng.standard_normal((len(shape), *shape)))
    answer = polynomial_support_enumeration(game)
    assume(answer.found.is_complete and len(answer.found.equilibria) == 1)
    only = answer.found.equilibria[0].profile
    limit = logit_homotopy(game).solution.profile
    assert supports(limit) == supports(only)
    for ours, theirs in zip(limit.strategies, only.strategies, strict=True):
        assert max(abs(ours - theirs)) <= Fraction(1, 10**8)


@theorem
def test_twin_at_finite_rationality_quantal_responses_are_no_equilibria():
    response = quantal_response(
        NormalFormGame.bimatrix([[9, 0], [0, 1]], [[0, 1], [1, 0]]), rationality=1.0
    )
    response.nash.verify()
    assert response.nash.epsilon > Fraction(1, 10)


@theorem
def test_twin_with_several_equilibria_all_but_one_are_missed():
    """The stag hunt: hunting the stag is an equilibrium, better for both, and not the limit."""
    hunt = load("stag_hunt")
    assert len(polynomial_support_enumeration(hunt).found.equilibria) == 3
    limit = logit_homotopy(hunt).solution
    assert supports(limit.profile) == ((1,), (1,))
    assert limit.payoffs == (3, 3)
