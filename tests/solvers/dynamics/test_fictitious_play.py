"""Fictitious play against a direct simulation in integers, and smoothed play's rest points."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import MixedProfile, NormalFormGame, load_game
from gametheory_core.catalog import random_game
from gametheory_core.evaluation import action_payoffs
from gametheory_core.testing import normal_form_games
from solvers import fictitious_play
from solvers.dynamics import Order, smoothed_fictitious_play
from solvers.local_rules import TieRule
from tests.sample_sizes import examples


def simulate(game, first, ties, order, steps):
    """Return counts of joint actions, straight from the definition, in rationals."""
    played, history = list(first), []
    if order is Order.ALTERNATING:
        for player in range(1, game.num_players):
            beliefs = [_pure(n, a) for n, a in zip(game.num_actions, played, strict=True)]
            played[player] = _reply(game, beliefs, player, played[player], ties)
    for _ in range(steps):
        history.append(tuple(played))
        counts = [
            [sum(joint[i] == a for joint in history) for a in range(n)]
            for i, n in enumerate(game.num_actions)
        ]
        chosen = list(played)
        for player in range(game.num_players):
            beliefs = [
                np.array([Fraction(c, sum(own)) for c in own], dtype=object) for own in counts
            ]
            chosen[player] = _reply(game, beliefs, player, played[player], ties)
            if order is Order.ALTERNATING:
                counts[player][chosen[player]] += 1
        played = chosen
    return history


def _pure(count, action):
    own = np.full(count, Fraction(0))
    own[action] = Fraction(1)
    return own


def _reply(game, beliefs, player, last, ties):
    values = action_payoffs(game, MixedProfile(tuple(beliefs)), player=player).tolist()
    best = [a for a, value in enumerate(values) if value == max(values)]
    return last if ties is TieRule.REPEAT and last in best else best[0]


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("ties", TieRule)
@examples(15)
@given(game=normal_form_games(num_players=(1, 3)), data=st.data())
def test_play_is_what_the_definition_says(order, ties, game, data):
    first = tuple(data.draw(st.integers(0, n - 1)) for n in game.num_actions)
    play = fictitious_play(game, first_actions=first, ties=ties, order=order, steps=12)
    expected = np.zeros(game.num_actions)
    for joint in simulate(game, first, ties, order, 12):
        expected[joint] += 1
    assert np.array_equal(play.state.totals, expected)


def test_dominance_solvable_play_reaches_the_equilibrium():
    play = fictitious_play(load_game("prisoners_dilemma"), steps=200)
    assert play.last.strategies[0].tolist() == [0, 1]


def test_three_players_are_taken():
    game = random_game((2, 3, 2), rng=np.random.default_rng(2))
    play = fictitious_play(game, steps=500)
    play.certificate.verify()
    assert play.certificate is play.coarse_correlated


@pytest.mark.parametrize("temperature", [0.1, 1.0])
def test_smoothed_play_rests_at_the_logit_equilibrium(temperature):
    game = NormalFormGame.zero_sum([[2, -1], [-1, 1]])
    play = smoothed_fictitious_play(game, temperature=temperature, steps=40_000)
    average = [own.astype(float) for own in play.average.strategies]
    for player in range(2):
        payoffs = action_payoffs(game, MixedProfile(tuple(average)), player=player)
        logit = np.exp(payoffs / temperature)
        assert average[player] == pytest.approx(logit / logit.sum(), abs=5e-3)


def test_smoothed_play_of_three_players_rests_at_the_logit_equilibrium():
    game = random_game((2, 2, 2), rng=np.random.default_rng(4), payoff_range=(-3, 3))
    play = smoothed_fictitious_play(game, temperature=4.0, steps=3_000)
    average = [own.astype(float) for own in play.average.strategies]
    for player in range(3):
        payoffs = action_payoffs(game, MixedProfile(tuple(average)), player=player)
        logit = np.exp(payoffs / 4.0)
        assert average[player] == pytest.approx(logit / logit.sum(), abs=5e-3)


def test_colder_play_is_nearer_to_nash():
    game = NormalFormGame.zero_sum([[2, -1], [-1, 1]])
    warm, cold = (
        smoothed_fictitious_play(game, temperature=t, steps=20_000).epsilon for t in (1.0, 0.1)
    )
    assert cold < warm / 5


@pytest.mark.parametrize("unit", [Fraction(1, 10), Fraction(10**9, 7)])
def test_ties_are_exact_whatever_the_unit(unit):
    """Sums of floats of a tenth drift apart, and would break ties that are there."""
    pennies = load_game("matching_pennies")
    scaled = NormalFormGame.from_payoffs(pennies.exact_payoffs * unit)
    plain, ours = (fictitious_play(game, steps=500) for game in (pennies, scaled))
    assert np.array_equal(plain.state.totals, ours.state.totals)
