"""What leaders earn who answer queries by one policy and play by another."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import UnsupportedGame, leaders
from gametheory_core.catalog import RepeatedGame, iterated_prisoners_dilemma
from solvers.leaders import deceiving_leader
from solvers.leaders.deception import LeaderPlay

KINDS = [(kind, ties) for kind in leaders.FollowerClass for ties in leaders.FollowerTies]


@given(leaders.leader_games(max_states=3, max_horizon=3), st.sampled_from(KINDS))
def test_value_is_that_of_all_pairs_of_answers_and_play(view, kind):
    follower_class, ties = kind
    found = deceiving_leader(view, follower_class=follower_class, ties=ties)
    plans = list(leaders.leader_policies(view))
    responses = [
        leaders.follower_response(view, w, follower_class=follower_class, ties=ties) for w in plans
    ]
    values = {
        leaders.leader_returns(view, p, response.policy)[0] for response in responses for p in plans
    }
    assert found.returns[0] == max(values)
    assert found.honest_value == max(response.returns[0] for response in responses)
    asked = leaders.follower_response(view, found.answers, follower_class=follower_class, ties=ties)
    assert asked.policy == found.response


@given(leaders.leader_games(max_states=3, max_horizon=3))
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
        deceiving_leader(leaders.leader_view(game))
