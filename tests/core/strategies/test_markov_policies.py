"""Markov profiles: what does not fit is refused by time, state and player; the rest is policies."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidStrategy, correlated_distribution, expected_returns, strategies
from gametheory_core.catalog import RepeatedGame, fish_war
from gametheory_core.conversions import markov_view
from gametheory_core.distributions import point_mass
from gametheory_core.evaluation import markov_values
from gametheory_core.strategies.markov import check_markov_correlation, check_markov_profile
from gametheory_core.testing import markov_games, markov_profiles

HALF, ZERO, ONE = Fraction(1, 2), Fraction(0), Fraction(1)
EVENLY = (HALF, HALF)


def pennies(rounds=1):
    return markov_view(RepeatedGame.of("matching_pennies", rounds=rounds, recall=0))


def stationary(*lotteries):
    return strategies.MarkovProfile(((lotteries,),), is_stationary=True)


@given(st.data())
def test_policies_do_what_the_profile_says(data):
    view = data.draw(markov_games())
    profile = data.draw(markov_profiles(view, stationary=data.draw(st.booleans())))
    first = markov_values(view, profile)[0]
    returns = [
        sum(w * first[s][i] for s, w in view.initial if first[s]) for i in range(view.num_players)
    ]
    policies = strategies.markov_policies(view, profile)
    assert expected_returns(view.game, policies).tolist() == returns


@pytest.mark.parametrize(
    ("profile", "match"),
    [
        (strategies.MarkovProfile((), is_stationary=True), "one row of lotteries for all times"),
        (
            strategies.MarkovProfile((), is_stationary=False),
            "a row of lotteries for each of 1 times",
        ),
        (
            strategies.MarkovProfile(((),), is_stationary=True),
            "an entry for each of 1 states at time 0",
        ),
        (strategies.MarkovProfile((((),),), is_stationary=True), "it has nothing there"),
        (stationary(EVENLY), "a lottery of each of 2 players at time 0 in state"),
        (stationary(EVENLY, (ONE, ONE)), "2 probabilities that sum to 1 for 'Odd'"),
        (stationary(EVENLY, (ONE,)), "2 probabilities that sum to 1 for 'Odd'"),
        (stationary(EVENLY, (2 * ONE, -ONE)), "2 probabilities that sum to 1 for 'Odd'"),
        (stationary((0.5, 0.5), EVENLY), "2 probabilities that sum to 1 for 'Even'"),
    ],
)
def test_what_does_not_fit_is_refused(profile, match):
    with pytest.raises(InvalidStrategy, match=match):
        check_markov_profile(pennies(), profile)


def test_lotteries_where_nobody_acts_are_refused():
    view = markov_view(fish_war(fishers=2, stock=4, rounds=2))
    fits = strategies.uniform_markov_profile(view)
    check_markov_profile(view, fits)
    full = tuple(own or fits.lotteries[0][0] for own in fits.lotteries[0])
    with pytest.raises(InvalidStrategy, match="it has some"):
        check_markov_profile(view, replace(fits, lotteries=(full,)))


def test_illegal_actions_are_refused_by_name():
    view = markov_view(fish_war(fishers=2, stock=4, rounds=2))
    row = list(strategies.uniform_markov_profile(view).lotteries[0])
    state = view.game.state_index[2]
    row[state] = ((ZERO, ZERO, ONE),) * 2
    with pytest.raises(InvalidStrategy, match="'1' plays 2 at time 0 in state 2"):
        check_markov_profile(view, strategies.MarkovProfile((tuple(row),), is_stationary=True))


def test_tables_of_labels_must_name_states_and_actions():
    with pytest.raises(InvalidStrategy, match="needs a law of 'Odd' in state"):
        strategies.markov_profile(pennies(), [{(): point_mass("heads")}, {}])
    with pytest.raises(InvalidStrategy, match="'edge' is not one"):
        strategies.markov_profile(pennies(), [{(): point_mass("heads")}, {(): point_mass("edge")}])


@pytest.mark.parametrize(
    ("distributions", "match"),
    [
        ((), "a row of lotteries for each of 1 times"),
        (((None,),), "it has nothing there"),
        (((correlated_distribution([[1]]),),), r"joint actions of shape \(2, 2\) at time 0"),
    ],
)
def test_correlations_that_do_not_fit_are_refused(distributions, match):
    with pytest.raises(InvalidStrategy, match=match):
        check_markov_correlation(pennies(), strategies.MarkovCorrelation(distributions))


def test_recommended_actions_are_legal():
    view = markov_view(fish_war(fishers=2, stock=3, rounds=1))
    law = correlated_distribution([[0, 0], [0, 1]])
    check_markov_correlation(
        view, strategies.MarkovCorrelation(((law, *(None,) * (view.num_states - 1)),))
    )
    lone = markov_view(fish_war(fishers=2, stock=4, rounds=2))
    both = correlated_distribution([[0, 0, 0], [0, 0, 0], [0, 0, 1]])
    rows = [[None] * lone.num_states for _ in range(2)]
    for time, layer in enumerate(lone.layers):
        for state in layer.tolist():
            rows[time][state] = both
    with pytest.raises(InvalidStrategy, match="it may tell '1' to play 2"):
        check_markov_correlation(lone, strategies.MarkovCorrelation(tuple(map(tuple, rows))))
