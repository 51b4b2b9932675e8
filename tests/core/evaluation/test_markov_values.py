"""Values of Markov profiles: they solve their equations, and best responses are the best."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import UnsupportedGame
from gametheory_core.catalog import BigMatch, RepeatedGame, Soccer
from gametheory_core.conversions import markov_view
from gametheory_core.evaluation import best_values, markov_values, stage_payoffs
from gametheory_core.evaluation import markov as module
from gametheory_core.evaluation.markov import chain_values, dense_values
from gametheory_core.evaluation.stages import action_payoffs
from gametheory_core.strategies import MarkovProfile, uniform_markov_profile
from gametheory_core.strategies.markov import pure_lottery
from gametheory_core.testing import markov_games, markov_profiles


def residuals(view, profile, values):
    """What the profile pays in each stage beyond its values, for each player."""
    dense = dense_values(view, values[0])
    paid = stage_payoffs(view, dense)
    return [
        action_payoffs(view, s, i, profile.at(0)[s], paid[i]).own - dense[s, i]
        for s in view.acting.tolist()
        for i in range(view.num_players)
    ]


def pure_replies(view, profile, player):
    """The profile with each pure stationary strategy of one player."""
    states = view.acting.tolist()
    for actions in product(*(view.legal[s][player] for s in states)):
        row = list(profile.lotteries[0])
        for state, action in zip(states, actions, strict=True):
            own = list(row[state])
            own[player] = pure_lottery(action, len(view.game.actions[player]))
            row[state] = tuple(own)
        yield MarkovProfile((tuple(row),), is_stationary=True)


@given(st.data())
def test_stationary_values_solve_their_equations_exactly(data):
    view = data.draw(markov_games(max_horizon=None))
    profile = data.draw(markov_profiles(view, stationary=True))
    values = markov_values(view, profile)
    assert not any(residuals(view, profile, values))


@given(st.data())
def test_best_responses_are_the_best_of_all_pure_stationary_strategies(data):
    view = data.draw(markov_games(max_horizon=None, max_states=2))
    profile = data.draw(markov_profiles(view, stationary=True))
    best = best_values(view, profile, markov_values(view, profile))
    for player in range(view.num_players):
        found = [markov_values(view, own)[0] for own in pure_replies(view, profile, player)]
        for state in view.acting.tolist():
            assert best[0][state][player] == max(values[state][player] for values in found)


def test_long_values_are_refined_far_beyond_floats():
    view = markov_view(Soccer(rows=2, columns=4, discount=Fraction(99, 100)))
    profile = uniform_markov_profile(view)
    skewed = tuple(
        own
        and ((Fraction(1, 7), Fraction(2, 7), Fraction(4, 7), 0 * own[0][0], 0 * own[0][0]), own[1])
        for own in profile.lotteries[0]
    )
    profile = MarkovProfile((skewed,), is_stationary=True)
    values = markov_values(view, profile)
    assert max(map(abs, residuals(view, profile, values))) < Fraction(1, 2**500)
    assert any(values[0][0])


def test_sweeps_find_what_elimination_finds(monkeypatch):
    view = markov_view(BigMatch())
    row = uniform_markov_profile(view).at(0)
    by_elimination = chain_values(view, row)
    monkeypatch.setattr(module, "DENSE", 0)
    assert chain_values(view, row).tolist() == by_elimination.tolist()


def test_endless_games_without_discount_are_refused_with_a_witness():
    view = markov_view(RepeatedGame.of("matching_pennies", rounds=None, recall=0))
    with pytest.raises(UnsupportedGame, match=r"discount 1, and play surely continues after .* in"):
        markov_values(view, uniform_markov_profile(view))


def test_long_denominators_take_the_other_road_to_the_same_payoffs(monkeypatch):
    view = markov_view(RepeatedGame.of("prisoners_dilemma", rounds=4))
    profile = uniform_markov_profile(view)
    expected = markov_values(view, profile)
    monkeypatch.setattr("gametheory_core.evaluation.stages.LONG_DENOMINATOR", 0)
    assert markov_values(view, profile) == expected
