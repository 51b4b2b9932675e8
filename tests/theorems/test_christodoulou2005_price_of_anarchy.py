"""Christodoulou and Koutsoupias 2005: with affine delays anarchy costs at most 5/2 of the optimum.

In a congestion game whose delays are affine in the number of users, with coefficients of at least
0, every pure equilibrium costs at most 5/2 times the least cost of all players together, and three
players can attain it. Checked exactly on generated games, symmetric ones and others.

Why it matters (compact): How much is lost for want of a coordinator is bounded by the kind of delay
alone, not by the roads or the number of drivers.
"""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given

from gametheory_core import compact, load_game
from solvers.compact import price_of_anarchy

theorem = pytest.mark.theorem(
    source="Christodoulou and Koutsoupias 2005",
    statement="The price of anarchy of affine congestion games is at most 5/2, and attains it.",
)
BOUND = Fraction(5, 2)


@theorem
@given(compact.congestion_games(affine=True, num_players=(1, 5)))
def test_pure_equilibria_cost_at_most_five_halves_of_the_optimum(game):
    joints = product(*map(range, game.num_actions))
    assume(all(compact.social_cost(game, joint) > 0 for joint in joints))
    found = price_of_anarchy(game).certificate
    assert 1 <= found.price_of_stability <= found.price_of_anarchy <= BOUND


@theorem
def test_three_players_attain_it():
    found = price_of_anarchy(load_game("affine_triangle")).certificate
    found.verify()
    assert found.price_of_anarchy == BOUND


@theorem
def test_twin_of_square_delays():
    """The same ways, with delays that grow as the square: 9/2."""
    triangle = load_game("affine_triangle")
    squares = compact.CongestionGame(
        triangle.players,
        triangle.resources,
        triangle.actions,
        triangle.uses,
        triangle.exact_delays**2,
    )
    assert price_of_anarchy(squares).certificate.price_of_anarchy == Fraction(9, 2)
