"""Reach, payoffs and best responses against brute force over paths and pure strategies."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import evaluation, testing
from tests.core.naive_trees import histories, own_steps, payoffs, pure_payoffs, weight


@given(st.data())
def test_reach_is_the_product_of_the_steps(data):
    game = data.draw(testing.forgetful_games())
    profile = data.draw(testing.behavioral_profiles(game))
    known = histories(game)
    everybody = [weight(game, profile, h.steps) for h in known]
    assert evaluation.reach_probabilities(game, profile).tolist() == everybody
    for i in range(game.num_players):
        own = [weight(game, profile, own_steps(game, h, i)) for h in known]
        others = [weight(game, profile, h.steps, without=i) for h in known]
        assert evaluation.player_reach(game, profile, player=i).tolist() == own
        assert evaluation.counterfactual_reach(game, profile, player=i).tolist() == others
    law = [everybody[node] for node in game.terminals]
    assert evaluation.outcome_distribution(game, profile).tolist() == law
    assert sum(law) == 1
    assert gt.expected_payoffs(game, profile).tolist() == payoffs(game, profile)


@given(st.data())
def test_a_best_response_in_a_tree_beats_all_pure_strategies(data):
    game = data.draw(testing.extensive_form_games(max_moves=6))
    profile = data.draw(testing.behavioral_profiles(game))
    values = gt.expected_payoffs(game, profile)
    gains = gt.deviation_gains(game, profile)
    for player in range(game.num_players):
        best = max(pure_payoffs(game, profile, player).values())
        assert gt.best_response(game, profile, player=player).value == best
        assert gains[player] == best - values[player] >= 0
    assert gt.epsilon(game, profile) == max(gains)
    assert gt.nash_conv(game, profile) == sum(gains)


@given(st.data())
def test_a_best_response_in_a_normal_form_beats_all_actions(data):
    game = data.draw(testing.normal_form_games(kinds=tuple(testing.PayoffKind)))
    profile = data.draw(testing.mixed_profiles(game))
    for player in range(game.num_players):
        totals = []
        for action in range(game.num_actions[player]):
            total = Fraction(0)
            for joint in product(*map(range, game.num_actions)):
                weight = Fraction(int(joint[player] == action))
                for other, a in enumerate(joint):
                    weight *= profile.strategies[other][a] if other != player else 1
                total += weight * game.exact_payoffs[(player, *joint)]
            totals.append(total)
        assert evaluation.action_payoffs(game, profile, player=player).tolist() == totals
        response = gt.best_response(game, profile, player=player)
        assert response.value == max(totals)
        assert response.actions == (totals.index(max(totals)),)
    assert min(gt.deviation_gains(game, profile)) >= 0


@given(st.data())
def test_floats_agree_with_fractions(data):
    tree = data.draw(testing.extensive_form_games())
    behavior = data.draw(testing.behavioral_profiles(tree))
    game = data.draw(testing.normal_form_games())
    mixed = data.draw(testing.mixed_profiles(game))
    for measure in (gt.expected_payoffs, gt.deviation_gains):
        for subject, profile in ((tree, behavior), (game, mixed)):
            exact = measure(subject, profile).astype(float)
            found = measure(subject, profile.to_float())
            np.testing.assert_allclose(found.astype(float), exact, rtol=1e-12, atol=1e-12)


@given(st.data())
def test_exploitability_is_half_of_nash_conv(data):
    game = data.draw(testing.zero_sum_games())
    profile = data.draw(testing.mixed_profiles(game))
    assert gt.exploitability(game, profile) * 2 == gt.nash_conv(game, profile)


def test_exploitability_is_refused_where_it_means_nothing():
    prisoners = gt.NormalFormGame.symmetric([[3, 0], [5, 1]])
    with pytest.raises(
        gt.UnsupportedGame, match=r"needs a constant-sum game, but payoffs at joint"
    ):
        gt.exploitability(prisoners, gt.uniform_profile(prisoners))
    alone = gt.NormalFormGame.from_payoffs([[1, 2]])
    with pytest.raises(
        gt.UnsupportedGame, match=r"exploitability: needs two players, but .* has 1"
    ):
        gt.exploitability(alone, gt.uniform_profile(alone))


def test_best_response_is_refused_to_one_who_forgets_only():
    def second(first):
        ends = {b: gt.Terminal([int(first == b), 0]) for b in "ab"}
        return gt.Decision(0, "again", ends)

    game = gt.from_sketch(
        gt.Decision(1, "", {"go": gt.Decision(0, "now", {a: second(a) for a in "ab"})}),
        players=("A", "B"),
    )
    profile = gt.uniform_behavior(game)
    assert gt.best_response(game, profile, player=1).value == 0
    with pytest.raises(
        gt.UnsupportedGame, match=r"best_response: needs perfect recall.*'A' forgets"
    ):
        gt.best_response(game, profile, player=0)


def test_ties_go_to_the_first_action():
    game = gt.NormalFormGame.zero_sum([[1, 1], [1, 1]])
    assert gt.best_response(game, gt.pure_profile(game, (1, 1)), player=0).actions == (0,)


def test_a_float_profile_means_its_normalised_fractions():
    exact = gt.MixedProfile((np.array([0.1, 0.2, 0.7]),)).to_exact()
    total = Fraction(0.1) + Fraction(0.2) + Fraction(0.7)
    assert total != 1
    assert exact.strategies[0].tolist() == [Fraction(x) / total for x in (0.1, 0.2, 0.7)]
