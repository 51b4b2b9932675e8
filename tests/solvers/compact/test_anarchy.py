"""Prices of anarchy and stability, against all joint actions."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given

from gametheory_core import NotConverged, UnsupportedGame, compact, load_game, pure_profile
from solvers import Budget
from solvers.compact import price_of_anarchy


@given(compact.congestion_games(affine=True))
def test_prices_are_those_of_all_joint_actions(game):
    joints = list(product(*map(range, game.num_actions)))
    costs = {joint: compact.social_cost(game, joint) for joint in joints}
    least = min(costs.values())
    assume(least > 0)
    profiles = {joint: pure_profile(game, joint) for joint in joints}
    stable = [
        costs[joint]
        for joint in joints
        if not compact.certify_compact(game, profiles[joint]).epsilon
    ]
    certificate = price_of_anarchy(game).certificate
    certificate.verify()
    assert certificate.price_of_anarchy == max(stable) / least
    assert certificate.price_of_stability == min(stable) / least


def test_a_free_optimum_is_refused():
    free = compact.CongestionGame.from_delays({"r": [0]}, {"a": ["r"]}, num_players=1)
    with pytest.raises(UnsupportedGame, match="the least is 0"):
        price_of_anarchy(free)


def test_many_drivers_come_near_to_four_thirds():
    found = price_of_anarchy(load_game("pigou:players=100")).certificate
    assert found.price_of_anarchy == Fraction(4, 3)
    assert found.best_cost < found.worst_cost


def test_the_worst_may_come_first():
    """Two roads with the wide one first: the worst equilibrium is the first that is listed."""
    roads = compact.CongestionGame.from_delays(
        {"wide": [4] * 4, "narrow": [1, 2, 3, 4]},
        {"wide": ["wide"], "narrow": ["narrow"]},
        num_players=4,
    )
    found = price_of_anarchy(roads).certificate
    found.verify()
    assert found.price_of_anarchy == Fraction(4, 3)


def test_no_budget_no_price():
    with pytest.raises(NotConverged, match="budget"):
        price_of_anarchy(load_game("pigou"), budget=Budget(seconds=0))
