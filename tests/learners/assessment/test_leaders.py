"""Learned leaders are judged by a best-responding follower; learned followers by what they miss."""

from fractions import Fraction

import pytest

from gametheory_core import InvalidStrategy, leaders
from gametheory_core.catalog import RepeatedGame
from learners import Standing
from learners.leaders import assess_leader

VIEW = leaders.leader_view(RepeatedGame.of("prisoners_dilemma", rounds=3))
TIT_FOR_TAT = leaders.DeterministicLeader((0, 0, 1, 0, 1))
HALF = (Fraction(1, 2),) * 2


@pytest.mark.parametrize("ties", leaders.FollowerTies)
def test_value_of_each_leader_is_proved(ties):
    for policy in leaders.leader_policies(VIEW):
        found = assess_leader(VIEW, policy, ties=ties)
        found.verify()
        best = leaders.follower_response(VIEW, policy, ties=ties).returns
        assert (found["leader_value"], found["follower_value"]) == best
        assert found["leader_value/none_exceeds"] >= found["leader_value"]
        assert {finding.standing for finding in found.findings} == {Standing.PROVED}


@pytest.mark.parametrize(
    ("ties", "words"),
    [
        (leaders.FollowerTies.STRONG, "ties for the leader"),
        (leaders.FollowerTies.WEAK, "ties against the leader"),
    ],
)
def test_method_says_whom_ties_favor(ties, words):
    assert assess_leader(VIEW, TIT_FOR_TAT, ties=ties).method.endswith(words)


def test_learned_follower_is_told_what_she_misses():
    always = leaders.StationaryFollower((1, 1, 1, 1, 1))
    found = assess_leader(VIEW, TIT_FOR_TAT, follower_policy=always)
    found.verify()
    assert (found["return/player 1"], found["return/player 2"]) == (2, 7)
    assert found["follower_regret"] == 11 - 7


def test_best_response_misses_nothing():
    best = leaders.follower_response(VIEW, TIT_FOR_TAT).policy
    found = assess_leader(VIEW, TIT_FOR_TAT, follower_policy=best)
    assert found["follower_regret"] == 0


@pytest.mark.parametrize(
    "policy",
    [
        leaders.StochasticLeader((HALF,) * 5),
        leaders.MemoizedLeader((TIT_FOR_TAT, leaders.DeterministicLeader((1,) * 5)), HALF),
    ],
)
def test_drawing_leaders_are_exact_without_a_certificate(policy):
    found = assess_leader(VIEW, policy)
    assert not found.certificates
    assert found["leader_value"] == leaders.follower_response(VIEW, policy).returns[0]
    assert {finding.standing for finding in found.findings} == {Standing.EXACT}


def test_stationary_followers_are_asked_for_by_class():
    found = assess_leader(VIEW, TIT_FOR_TAT, follower_class=leaders.FollowerClass.STATIONARY)
    best = leaders.follower_response(
        VIEW, TIT_FOR_TAT, follower_class=leaders.FollowerClass.STATIONARY
    )
    assert found["leader_value"] == best.returns[0]
    assert "stationary follower" in found.method


def test_policy_of_another_game_is_refused():
    with pytest.raises(InvalidStrategy, match="needs a tuple of 5 actions, one for each obs"):
        assess_leader(VIEW, leaders.DeterministicLeader((0,)))
