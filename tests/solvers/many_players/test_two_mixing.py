"""Equilibria in which two of several players mix over two actions each."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, NotConverged, UnsupportedGame, certify_nash, load_game
from gametheory_core.strategies import supports
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import Budget, solve
from solvers.many_players import two_mixing
from solvers.many_players.support_newton import exact_on_supports
from tests.sample_sizes import examples


@given(normal_form_games(num_players=(3, 4), max_actions=3, kinds=tuple(PayoffKind)))
def test_what_is_found_is_an_equilibrium_of_these_supports(game):
    try:
        found = two_mixing(game)
    except UnsupportedGame:
        return
    found.certificate.verify()
    assert found.certificate.epsilon == 0
    assert sorted(map(len, supports(found.profile)))[-2:] == [2, 2]
    assert sum(map(len, supports(found.profile))) == game.num_players + 2


@pytest.mark.parametrize("places", [(0, 1), (0, 2), (1, 2)])
def test_pennies_are_found_between_any_two_of_three(places):
    """The third one likes its second action best, where it does not matter to the others."""
    payoffs = np.zeros((3, 2, 2, 2), dtype=object)
    for joint in np.ndindex(2, 2, 2):
        same = 1 if joint[places[0]] == joint[places[1]] else -1
        payoffs[(places[0], *joint)], payoffs[(places[1], *joint)] = 3 * same, -same
        (third,) = {0, 1, 2} - set(places)
        payoffs[(third, *joint)] = joint[third]
    found = two_mixing(NormalFormGame.from_payoffs(payoffs))
    half = [Fraction(1, 2)] * 2
    assert [found.profile.strategies[player].tolist() for player in places] == [half, half]
    assert found.profile.strategies[third].tolist() == [0, 1]


def test_random_games_mostly_have_a_pure_equilibrium_or_one_of_these():
    rng = np.random.default_rng(7)
    games = [NormalFormGame.from_payoffs(rng.standard_normal((3, 3, 3, 3))) for _ in range(60)]
    small = [solve(game).algorithm in {"pure", "two_mixing"} for game in games]
    assert sum(small) >= 50


def test_a_game_without_one_is_refused_with_what_finds_another():
    game = load_game("irrational_equilibrium")
    with pytest.raises(UnsupportedGame, match="Try logit_homotopy"):
        two_mixing(game)
    assert solve(game).algorithm == "logit_homotopy"


def test_too_many_ways_are_refused_before_they_are_tried():
    game = NormalFormGame.from_payoffs(np.zeros((3, 40, 40, 40)))
    with pytest.raises(UnsupportedGame, match="73,008,000"):
        two_mixing(game)


def test_no_budget_no_answer():
    with pytest.raises(NotConverged, match="0"):
        two_mixing(load_game("irrational_equilibrium"), budget=Budget(iterations=0))


def brute(game):
    """All equilibria of the kind, one support after the other, exactly."""
    players = range(game.num_players)
    for pair in combinations(players, 2):
        choices = [
            list(combinations(range(count), 2 if player in pair else 1))
            for player, count in enumerate(game.num_actions)
        ]
        for played in product(*choices):
            profile = exact_on_supports(game, played)
            if profile is not None and not certify_nash(game, profile).epsilon:
                yield profile


@st.composite
def small_games(draw):
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
@given(small_games())
def test_it_finds_one_if_and_only_if_there_is_one(game):
    expected = list(brute(game))
    try:
        found = two_mixing(game)
    except UnsupportedGame:
        assert expected == []
        return
    assert found.profile in expected
    assert found.certificate.epsilon == 0
    found.certificate.verify()
