"""What leaders earn who answer queries by one policy and play by another."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gametheory_core.catalog.iterated import iterated_prisoners_dilemma
from gametheory_core.catalog.repeated import RepeatedGame
from gametheory_core.errors import UnsupportedGame
from gametheory_core.leaders.follower_responses import (
    FollowerClass,
    FollowerTies,
    follower_response,
    leader_returns,
)
from gametheory_core.leaders.generators import leader_games
from gametheory_core.leaders.policies import leader_policies
from gametheory_core.leaders.view import leader_view
from solvers.leaders.deception import LeaderPlay, deceiving_leader

KINDS = [(kind, ties) for kind in FollowerClass for ties in FollowerTies]


@settings(max_examples=30, deadline=None)
@given(leader_games(max_states=3, max_horizon=3), st.sampled_from(KINDS))
def test_value_is_that_of_all_pairs_of_answers_and_play(view, kind):
    follower_class, ties = kind
    found = deceiving_leader(view, follower_class=follower_class, ties=ties)
    plans = list(leader_policies(view))
    responses = [
        follower_response(view, w, follower_class=follower_class, ties=ties) for w in plans
    ]
    values = {leader_returns(view, p, response.policy)[0] for response in responses for p in plans}
    assert found.returns[0] == max(values)
    assert found.honest_value == max(response.returns[0] for response in responses)
    asked = follower_response(view, found.answers, follower_class=follower_class, ties=ties)
    assert asked.policy == found.response


@settings(max_examples=30, deadline=None)
@given(leader_games(max_states=3, max_horizon=3))
def test_timed_play_earns_what_it_says_and_no_less_than_memoryless_play(view):
    found = deceiving_leader(view, play=LeaderPlay.TIMED)
    assert played(view, found) == found.returns
    assert found.returns[0] >= deceiving_leader(view).returns[0]


def played(view, found):
    """Follow both players' actions forwards, by the law of the state."""
    law, totals, weight = dict(view.initial), [Fraction(0), Fraction(0)], Fraction(1)
    for time in range(view.horizon):
        after = {}
        for state, chance in law.items():
            if view.leader_observation[state] < 0:
                continue
            mine, theirs = found.play[time][state], found.response.actions[time][state]
            step = view.step(state, mine, theirs)
            for i in (0, 1):
                totals[i] += weight * chance * step.rewards[i]
            for s, share in step.next:
                after[s] = after.get(s, 0) + chance * share
        law, weight = after, weight * view.discount
    return tuple(totals)


def test_gain_is_what_deception_adds():
    found = deceiving_leader(iterated_prisoners_dilemma(rounds=10))
    assert (found.honest_value, found.returns[0], found.gain) == (-11, -2, 9)


def test_too_many_policies_are_refused():
    game = RepeatedGame.of("rock_paper_scissors", rounds=3, recall=2)
    with pytest.raises(UnsupportedGame, match="needs at most 4,096 deterministic leader policies"):
        deceiving_leader(leader_view(game))
