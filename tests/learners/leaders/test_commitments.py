"""Learned commitments beside the certified values, by hand: the dilemma of ten rounds."""

import pytest

from gametheory_core import leaders
from learners.leaders import LearnedCommitment, StackelbergGap, judge_commitment, stackelberg_gap
from learners.leaders.commitments import StackelbergValues
from tests.learners.leaders.led_games import iterated

DILEMMA = iterated("prisoners_dilemma")
VALUES = StackelbergValues(-9, -11)
# The leader betrays in the first round alone, the follower never.
BETRAYED = LearnedCommitment(
    leaders.DeterministicLeader((1, 0, 0, 0, 0)), leaders.StationaryFollower((0,) * 5)
)
# The leader betrays after his betrayed cooperation alone, the follower in the first round alone.
EVEN = LearnedCommitment(
    leaders.DeterministicLeader((0, 0, 1, 0, 0)), leaders.StationaryFollower((1, 0, 0, 0, 0))
)


def test_regrets_are_what_the_follower_misses():
    judged = judge_commitment(DILEMMA, BETRAYED)
    assert judged.returns == (-9, -12)
    best = leaders.follower_response(DILEMMA, BETRAYED.leader).returns[1]
    assert best == -2  # betrays in every round
    assert judged.regret_time_aware == judged.regret_stationary == best + 12


def test_gaps_are_values_less_what_the_leader_gets():
    found = stackelberg_gap(DILEMMA, BETRAYED)
    assert found.values == VALUES
    assert found.gap_stationary == 0
    assert found.gap_time_aware == -2


@pytest.mark.parametrize(
    ("learned", "follower_class", "missed"),
    [(BETRAYED, leaders.FollowerClass.STATIONARY, 10), (EVEN, leaders.FollowerClass.TIME_AWARE, 2)],
)
def test_what_the_follower_regrets_is_no_equilibrium_even_without_a_gap(
    learned, follower_class, missed
):
    found = StackelbergGap(learned, judge_commitment(DILEMMA, learned), VALUES)
    is_aware = follower_class is leaders.FollowerClass.TIME_AWARE
    gap = found.gap_time_aware if is_aware else found.gap_stationary
    judged = found.judged
    assert (judged.regret_time_aware if is_aware else judged.regret_stationary) == missed
    assert gap == 0
    assert not found.is_equilibrium(follower_class)
