"""Generators of mediated games: valid games of both sorts, within the sizes asked for."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import find, given
from hypothesis import strategies as st

from gametheory_core.mediation import FairnessKind, gini_weights, mediated_games
from gametheory_core.mediation.generators import fairness_measures
from tests.sample_sizes import to_reach


@given(mediated_games(num_players=(2, 3), max_states=3, max_actions=3, max_horizon=4))
def test_games_keep_to_their_sizes_and_play_starts(game):
    assert 2 <= game.num_players <= 3
    assert 1 <= game.num_states <= 3
    assert 1 <= game.max_actions <= 3
    assert 1 <= game.horizon <= 4
    first = game.initial_kernel.outcome.tolist()
    assert not game.is_terminal(first[0])


@pytest.mark.parametrize(
    "wanted",
    [
        lambda game: not game.is_deterministic,
        lambda game: game.is_deterministic and game.num_states > 1,
        lambda game: any(map(game.is_terminal, range(game.num_states))),
        lambda game: len(game.initial_kernel.outcome) > 1,
        lambda game: len({game.legal(0, i) for i in range(game.num_players)}) > 1,
        lambda game: game.discount < 1 and game.horizon == 4,
    ],
)
def test_generator_reaches_games_of_every_sort(wanted):
    assert wanted(find(mediated_games(), wanted, settings=to_reach))


@given(mediated_games(deterministic=True, lowest=1))
def test_deterministic_games_draw_nothing_and_rewards_start_at_the_lowest(game):
    assert game.is_deterministic
    assert all(1 <= r <= 10 and r.denominator == 1 for r in game.rewards.ravel().tolist())


@given(st.data())
def test_weights_fit_a_measure_and_strict_ones_decrease(data):
    count = data.draw(st.integers(1, 4))
    weights = data.draw(gini_weights(num_players=count, strict=True))
    assert sum(weights) == 1
    assert weights[-1] > 0
    assert all(v > w for v, w in pairwise(weights))
    loose = data.draw(gini_weights(num_players=count))
    assert sum(loose) == 1
    assert list(loose) == sorted(loose, reverse=True)


def test_measures_without_nash_are_the_others():
    assert find(fairness_measures(num_players=2), lambda f: f.kind is FairnessKind.NASH)
    gini = find(fairness_measures(num_players=2, nash=False), lambda f: f.kind is FairnessKind.GINI)
    assert gini.weights == (Fraction(1, 2), Fraction(1, 2))
