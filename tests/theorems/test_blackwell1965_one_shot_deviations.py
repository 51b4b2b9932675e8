"""Blackwell 1965: against Markov play, no plan gains if no single action does, anywhere.

Others who look at time and state alone leave a player with a Markov decision problem, in which a
policy is optimal from every time and state on if no action pays more once, its own values coming
after. (1) With a horizon: compared with best responses among *all* policies, which remember
everything, in the game begun anew at each time and state. (2) Without one, discounted: compared
with all pure stationary strategies. Exact, on generated games. The twins: looking only where play
goes shows a Nash equilibrium, not perfection; without discount or horizon values are no witness.

Why it matters (markov): Perfection of play in a Markov game can be checked state by state and
action by action: what the Markov-perfect certificate does.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import CertificateRejected, UnsupportedGame, expected_returns, policy_from
from gametheory_core.catalog import RepeatedGame
from gametheory_core.certificates import certify_markov_perfect
from gametheory_core.conversions import markov_view
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.evaluation import best_response_returns, markov_values, stage_payoffs
from gametheory_core.evaluation.markov import dense_values
from gametheory_core.evaluation.stages import action_payoffs
from gametheory_core.strategies import MarkovProfile, markov_policies, markov_profile
from gametheory_core.testing import markov_games, markov_profiles
from solvers.markov import stage_nash_induction

theorem = pytest.mark.theorem(
    source="Blackwell 1965",
    statement="Markov play is optimal from everywhere on if no one-shot deviation gains anywhere.",
)


class BegunAt:
    """The rules of a view's game, begun at a time in a state, everybody seeing it."""

    def __init__(self, view, time, state):
        self.game, self.state = view.game, view.game.states[state]
        self.horizon = view.game.horizon - time

    def __getattr__(self, name):
        return getattr(self.game, name)

    def initial(self):
        return point_mass(self.state)

    def initial_observation(self, state):
        return point_mass((state,) * len(self.game.players))


def later(profile, time):
    """The same play, from a time on."""
    return MarkovProfile(profile.lotteries[time:], is_stationary=False)


def one_shot_gain(view, profile, values):
    """The largest gain of one action at one time and state, by values of the profile."""
    gains = [Fraction(0)]
    nothing = ((),) * view.num_states
    for time, layer in enumerate(view.layers):
        after = values[time + 1] if time + 1 < len(values) else nothing
        paid = stage_payoffs(view, dense_values(view, after))
        for state in layer.tolist():
            for i in range(view.num_players):
                found = action_payoffs(view, state, i, profile.at(time)[state], paid[i])
                gains.append(max(found.each) - found.own)
    return max(gains)


def gain_of_all_policies(view, profile):
    """The largest gain of any policy, in the game begun at each time and state."""
    gains = [Fraction(0)]
    for time, layer in enumerate(view.layers):
        for state in layer.tolist():
            game = BegunAt(view, time, state)
            begun = markov_view(game)
            rows = []
            for own in later(profile, time).lotteries:
                numbers = {view.game.states[s]: lotteries for s, lotteries in enumerate(own)}
                rows.append([numbers[s] for s in begun.game.states])
            policies = tuple(
                _policy(view, begun, rows, player) for player in range(view.num_players)
            )
            returns = expected_returns(game, policies)
            gains.extend((best_response_returns(game, policies) - returns).tolist())
    return max(gains)


def _policy(view, begun, rows, player):
    def act(seen):
        own = rows[len(seen) // 2][begun.game.state_index[seen[-1]]][player]
        labels = view.game.actions[player]
        return Distribution(tuple((a, w) for a, w in zip(labels, own, strict=True) if w))

    return policy_from(act)


@theorem
@given(st.data())
def test_one_shot_gains_vanish_together_with_gains_of_all_policies(data):
    view = data.draw(markov_games(num_players=(1, 2), max_horizon=2))
    profile = data.draw(markov_profiles(view))
    values = markov_values(view, profile)
    once = one_shot_gain(view, profile, values)
    ever = gain_of_all_policies(view, profile)
    assert once <= ever
    assert (once == 0) == (ever == 0)
    assert certify_markov_perfect(view, profile, tolerance=None).epsilon == ever


@theorem
@given(markov_games(num_players=(1, 2), max_horizon=2))
def test_stage_by_stage_equilibria_withstand_all_policies(view):
    profile = stage_nash_induction(view).profile
    assert gain_of_all_policies(view, profile) == 0


@theorem
def test_looking_only_where_play_goes_is_not_enough():
    """In the second round player 2 answers a deviation with what pays neither of them."""
    view = markov_view(RepeatedGame.of("battle_of_the_sexes", rounds=2))
    ballet, fight = view.game.actions[0]
    windows = view.game.states
    usual = {s: point_mass(ballet) for s in windows}
    angry = {s: point_mass(ballet if s in ((), ((ballet, ballet),)) else fight) for s in windows}
    profile = markov_profile(view, [[usual, usual], [usual, angry]])
    policies = markov_policies(view, profile)
    returns = expected_returns(view.game, policies)
    assert not any(best_response_returns(view.game, policies) - returns)
    assert one_shot_gain(view, profile, markov_values(view, profile)) > 0
    with pytest.raises(CertificateRejected, match="at time 1 in state"):
        certify_markov_perfect(view, profile)


@theorem
def test_without_discount_or_horizon_values_are_no_witness():
    """All constants solve the equations of a game that pays nothing, so that they prove nothing."""
    endless = RepeatedGame.of("indifference", rounds=None, recall=0)
    zeros = replace(
        endless.stage, given_payoffs=np.full_like(endless.stage.given_payoffs, Fraction(0))
    )
    view = markov_view(replace(endless, stage=zeros))
    label = view.game.actions[0][0], view.game.actions[1][0]
    profile = markov_profile(view, [{(): point_mass(a)} for a in label])
    for value in (Fraction(0), Fraction(5)):
        paid = stage_payoffs(view, dense_values(view, ((value, value),) * 1))
        found = action_payoffs(view, 0, 0, profile.at(0)[0], paid[0])
        assert found.own == max(found.each) == value
    with pytest.raises(UnsupportedGame, match="play surely continues"):
        certify_markov_perfect(view, profile)
