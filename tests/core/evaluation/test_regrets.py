"""Regrets equal what their definitions say, summed by hand over joint actions and deviations."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.evaluation import external_regret, internal_regret, swap_regret
from gametheory_core.strategies import product_distribution
from gametheory_core.testing import PayoffKind, mixed_profiles, normal_form_games

KINDS = tuple(PayoffKind)
PENNIES = gt.NormalFormGame.zero_sum([[1, -1], [-1, 1]])


@st.composite
def distributions(draw, game):
    """Draw any distribution over the joint actions; zeros are likely."""
    size = game.given_payoffs[0].size
    weights = draw(st.lists(st.sampled_from([0, 0, 1, 2, 7]), min_size=size, max_size=size))
    weights[draw(st.integers(0, size - 1))] += 1
    shares = [Fraction(weight, sum(weights)) for weight in weights]
    table = iter(shares)

    def nested(shape):
        return next(table) if not shape else [nested(shape[1:]) for _ in range(shape[0])]

    return gt.correlated_distribution(nested(game.num_actions))


def gain_of_map(game, distribution, player, swapped):
    """What playing ``swapped[a]`` where ``a`` is recommended gains, from the definition."""
    gain = Fraction(0)
    pairs = zip(distribution.joint_actions, distribution.probabilities, strict=True)
    for joint_action, probability in pairs:
        instead = list(joint_action)
        instead[player] = swapped[joint_action[player]]
        own = game.exact_payoffs[player]
        gain += probability * (own[tuple(instead)] - own[joint_action])
    return gain


@given(st.data())
def test_each_regret_is_the_best_deviation_of_its_kind(data):
    game = data.draw(normal_form_games(kinds=KINDS))
    distribution = data.draw(distributions(game))
    for player, count in enumerate(game.num_actions):

        def gain(swapped, player=player):
            return gain_of_map(game, distribution, player, swapped)

        obey = tuple(range(count))
        fixed = max(gain((b,) * count) for b in range(count))
        single = max(
            gain((*obey[:a], b, *obey[a + 1 :])) for a in range(count) for b in range(count)
        )
        every = max(gain(swapped) for swapped in product(range(count), repeat=count))
        assert external_regret(game, distribution, player=player) == fixed
        assert internal_regret(game, distribution, player=player) == single
        assert swap_regret(game, distribution, player=player) == every
        assert max(0, fixed) <= every
        assert single <= every <= count * single


@given(st.data())
def test_external_regret_of_independent_play_is_the_deviation_gain(data):
    game = data.draw(normal_form_games(kinds=KINDS))
    profile = data.draw(mixed_profiles(game))
    distribution = product_distribution(profile)
    found = [external_regret(game, distribution, player=i) for i in range(game.num_players)]
    assert found == gt.deviation_gains(game, profile).tolist()


def test_being_obeyed_can_beat_every_fixed_action():
    matched = gt.correlated_distribution([["1/2", 0], [0, "1/2"]])
    assert external_regret(PENNIES, matched, player=0) == -1
    assert internal_regret(PENNIES, matched, player=0) == 0
    assert swap_regret(PENNIES, matched, player=1) == 2


def test_distribution_of_another_game_is_refused():
    with pytest.raises(gt.InvalidStrategy, match=r"joint actions of shape \(2, 2\)"):
        external_regret(PENNIES, gt.correlated_distribution([[1, 0, 0], [0, 0, 0]]), player=0)
