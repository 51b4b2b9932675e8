"""Two players mix two actions each: found wherever it is, and exact."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, certify_nash
from gametheory_core.errors import NotConverged, UnsupportedGame
from solvers import Budget
from solvers.many_players import two_mixers
from solvers.many_players.support_newton import exact_on_supports
from tests.sample_sizes import examples


def brute(game):
    """All equilibria of the kind, one support after the other, exactly."""
    players = range(game.num_players)
    for pair in combinations(players, 2):
        choices = [
            list(combinations(range(count), 2 if player in pair else 1))
            for player, count in enumerate(game.num_actions)
        ]
        for supports in product(*choices):
            profile = exact_on_supports(game, supports)
            if profile is not None and not certify_nash(game, profile).epsilon:
                yield profile


@st.composite
def games(draw):
    shape = tuple(draw(st.lists(st.integers(1, 3), min_size=3, max_size=4)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = (len(shape), *shape)
    kind = draw(st.sampled_from(["floats", "integers", "few", "thirds"]))
    if kind == "floats":
        return NormalFormGame.from_payoffs(rng.standard_normal(size))
    high = 3 if kind == "few" else 50
    whole = rng.integers(0, high, size)
    if kind == "thirds":
        thirds = np.array([Fraction(int(n), 3) for n in whole.ravel()], dtype=object)
        return NormalFormGame.from_payoffs(thirds.reshape(size))
    return NormalFormGame.from_payoffs(whole)


@examples(150)
@given(games())
def test_it_finds_one_if_and_only_if_there_is_one(game):
    expected = list(brute(game)) if game.num_players > 2 else []
    try:
        found = two_mixers(game)
    except UnsupportedGame:
        assert expected == []
        return
    assert found.profile in expected
    assert found.certificate.epsilon == 0
    found.certificate.verify()


def test_the_third_player_must_not_gain_either():
    pennies = [[[1, 1], [0, 0]], [[0, 0], [1, 1]]]
    against = [[[0, 0], [1, 1]], [[1, 1], [0, 0]]]
    content = NormalFormGame.from_payoffs([pennies, against, [[[1, 0]] * 2] * 2])
    assert two_mixers(content).profile.strategies[2].tolist() == [1, 0]
    torn = [[[3, 0], [0, 2]], [[0, 2], [3, 0]]]
    choosy = NormalFormGame.from_payoffs([pennies, against, torn])
    assert two_mixers(choosy).profile.strategies[2].tolist() == [1, 0]


def test_payoffs_of_any_size():
    pennies = [[[1, 1], [0, 0]], [[0, 0], [1, 1]]]
    against = [[[0, 0], [1, 1]], [[1, 1], [0, 0]]]
    third = [[[1, 0]] * 2] * 2
    huge = [np.array(own, dtype=object) * 10**400 for own in (pennies, against, third)]
    game = NormalFormGame.from_payoffs([own.tolist() for own in huge])
    assert two_mixers(game).certificate.epsilon == 0


def test_where_there_is_none_it_says_so():
    game = NormalFormGame.from_payoffs([[[[1, 0]]], [[[0, 1]]], [[[1, 1]]]])
    with pytest.raises(UnsupportedGame, match="two players mix two actions.*none was found"):
        two_mixers(game)


def test_a_budget_that_ends_is_told():
    pennies = [[[1, 1], [0, 0]], [[0, 0], [1, 1]]]
    against = [[[0, 0], [1, 1]], [[1, 1], [0, 0]]]
    game = NormalFormGame.from_payoffs([pennies, against, [[[1, 0]] * 2] * 2])
    with pytest.raises(NotConverged, match="budget ended after 0"):
        two_mixers(game, budget=Budget(iterations=0))
