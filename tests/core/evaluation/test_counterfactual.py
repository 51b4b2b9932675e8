"""Counterfactual values against their definition, node by node and end by end."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import BehavioralProfile, best_response, expected_payoffs
from gametheory_core.evaluation import counterfactual_values
from gametheory_core.games import player_infosets
from gametheory_core.strategies import player_sequences
from gametheory_core.testing import behavioral_profiles, extensive_form_games
from tests.core.naive_trees import own_steps, plays, weight


def by_definition(game, profile, player):
    """Sum over ends below each own action: others' reach of the node, everybody's below the
    action, times the payoff."""
    values = {s: Fraction(0) for s in player_infosets(game, player)}
    actions = {(s, a): Fraction(0) for s in values for a in range(len(game.infosets[s].actions))}
    for play in plays(game):
        for k, (infoset, action) in enumerate(play.steps):
            if infoset in values:
                above = weight(game, profile, play.steps[:k], without=player)
                worth = above * weight(game, profile, play.steps[k + 1 :]) * play.paid[player]
                actions[infoset, action] += worth
                values[infoset] += profile.probabilities[infoset][action] * worth
    return values, actions


@given(st.data())
def test_values_are_those_of_the_definition(data):
    game = data.draw(extensive_form_games())
    profile = data.draw(behavioral_profiles(game))
    for player in range(game.num_players):
        found = counterfactual_values(game, profile, player=player)
        values, actions = by_definition(game, profile, player)
        assert dict(zip(found.infosets, found.values.tolist(), strict=True)) == values
        for s, own in zip(found.infosets, found.action_values, strict=True):
            assert own.tolist() == [actions[s, a] for a in range(len(own))]


@given(st.data())
def test_regrets_average_to_zero(data):
    game = data.draw(extensive_form_games())
    profile = data.draw(behavioral_profiles(game))
    for player in range(game.num_players):
        found = counterfactual_values(game, profile, player=player)
        for s, regrets in zip(found.infosets, found.regrets, strict=True):
            assert regrets @ profile.probabilities[s] == 0
            assert not regrets.flags.writeable


@given(st.data())
def test_floats_agree_with_fractions(data):
    game = data.draw(extensive_form_games())
    profile = data.draw(behavioral_profiles(game))
    for player in range(game.num_players):
        exact = counterfactual_values(game, profile, player=player)
        floats = counterfactual_values(game, profile.to_float(), player=player)
        assert not profile.probabilities or floats.values.dtype == np.float64
        np.testing.assert_allclose(
            floats.values.astype(float), exact.values.astype(float), rtol=1e-12, atol=1e-12
        )


@given(st.data())
def test_against_a_best_response_no_reached_action_has_regret(data):
    """Best-response value via counterfactual values: what is collected before any own move, plus
    the values of the information sets met first, is the value of the game."""
    game = data.draw(extensive_form_games())
    profile = data.draw(behavioral_profiles(game))
    for player in range(game.num_players):
        response = best_response(game, profile, player=player)
        vectors = list(profile.probabilities)
        for s, action in zip(player_infosets(game, player), response.actions, strict=True):
            count = len(vectors[s])
            vectors[s] = [Fraction(int(a == action)) for a in range(count)]
        improved = BehavioralProfile(tuple(vectors))
        found = counterfactual_values(game, improved, player=player)
        assert all(max(regrets) <= 0 for regrets in found.regrets)
        assert expected_payoffs(game, improved)[player] == response.value
        own = player_sequences(game, player)
        first = [k for k, parent in enumerate(own.parent_sequence) if parent == 0]
        before = sum(
            weight(game, improved, play.steps) * play.paid[player]
            for play in plays(game)
            if not own_steps(game, play, player)
        )
        assert before + sum(found.values[k] for k in first) == response.value
