"""Policies of leaders and followers are checked, listed and written by label or as digits."""

from fractions import Fraction
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, InvalidStrategy, NormalFormGame, UnsupportedGame
from gametheory_core.catalog import RepeatedGame, iterated_prisoners_dilemma
from gametheory_core.catalog.ordinal import prisoners_dilemma
from gametheory_core.distributions import uniform
from gametheory_core.leaders import (
    DeterministicLeader,
    MemoizedLeader,
    PlannedFollower,
    StationaryFollower,
    StochasticLeader,
    TimedFollower,
    deterministic_leaders,
    leader_from_text,
    leader_games,
    leader_policies,
    leader_policy,
    leader_to_text,
    leader_view,
    memoized_leaders,
    num_leader_policies,
    stationary_followers,
    stochastic_leaders,
    timed_followers,
    to_policy,
)
from gametheory_core.leaders.policies import check_follower_policy, check_leader_policy
from tests.sample_sizes import examples

HALF = Fraction(1, 2)
ONE = Fraction(1)
SOME = examples(25)


@pytest.fixture(scope="module")
def view():
    return leader_view(iterated_prisoners_dilemma(rounds=2))


@SOME
@given(st.data())
def test_drawn_policies_fit(data):
    view = data.draw(leader_games())
    for leaders in (deterministic_leaders, stochastic_leaders, memoized_leaders):
        check_leader_policy(view, data.draw(leaders(view)))
    for followers in (timed_followers, stationary_followers):
        check_follower_policy(view, data.draw(followers(view)))


@SOME
@given(leader_games())
def test_all_leader_policies_are_listed_once(view):
    listed = list(leader_policies(view))
    assert len(set(listed)) == len(listed) == num_leader_policies(view)
    for policy in listed:
        check_leader_policy(view, policy)


def test_leader_policies_are_listed_lazily():
    stage = NormalFormGame.bimatrix([[0] * 2] * 9, [[0] * 2] * 9, actions=("abcdefghi", "xy"))
    view = leader_view(RepeatedGame(stage, rounds=3, recall=1))
    assert num_leader_policies(view) == 9**19
    assert len(list(islice(leader_policies(view), 5))) == 5


@SOME
@given(st.data())
def test_text_and_labels_say_the_same_policy(data):
    view = data.draw(leader_games())
    policy = data.draw(deterministic_leaders(view))
    assert leader_from_text(view, leader_to_text(view, policy)) == policy
    seen, labels = view.game.observations[view.leader], view.game.actions[view.leader]
    by_label = {o: labels[a] for o, a in zip(seen, policy.actions, strict=True) if a >= 0}
    assert leader_policy(view, by_label) == policy


@SOME
@given(st.data())
def test_lotteries_by_label_make_a_stochastic_policy(data):
    view = data.draw(leader_games())
    policy = data.draw(stochastic_leaders(view))
    seen = view.game.observations[view.leader]
    written = to_policy(view, policy)
    by_label = {o: written[(o,)] for o, own in zip(seen, policy.lotteries, strict=True) if own}
    assert leader_policy(view, by_label) == policy


def test_digits_read_as_in_the_source(view):
    seen = view.game.observations[0]
    tit_for_tat = {o: o[0][1] if o else "C" for o in seen}
    assert leader_to_text(view, leader_policy(view, tit_for_tat)) == "00101"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1010", r"one digit for each of 5 observations"),
        ("10102", r"one of 0, 1 for observation \(\('D', 'D'\),\), but got '2' in '10102'"),
        ("-0101", r"one of 0, 1 for observation \(\)"),
    ],
)
def test_wrong_text_is_refused(view, text, reason):
    with pytest.raises(InvalidStrategy, match=reason):
        leader_from_text(view, text)


def test_wrong_types_are_refused(view):
    with pytest.raises(InvalidArgument, match=r"leader_from_text: .*str, but got 10 .*quotes"):
        leader_from_text(view, 10)
    with pytest.raises(InvalidArgument, match=r"leader_policy: .*Mapping, but got None"):
        leader_policy(view, None)


def test_too_many_actions_for_digits_are_refused():
    size = 37
    stage = NormalFormGame.bimatrix(
        [[0]] * size, [[0]] * size, actions=([f"a{k}" for k in range(size)], ["x"])
    )
    view = leader_view(RepeatedGame(stage))
    with pytest.raises(UnsupportedGame, match="at most 36 actions, but the leader has 37"):
        leader_from_text(view, "0")


@pytest.mark.parametrize(
    ("choices", "reason"),
    [
        ({}, r"after each observation, but \(\) has none"),
        ({"start": "C"}, "but not 'start'. They are"),
        ({(): "X"}, r"legal actions \['C', 'D'\] after \(\), but got 'X'"),
        ({(): {"C": 0.5, "D": 0.5}}, r"but got the mapping .*Give distribution\("),
        ({(): uniform("CX")}, r"legal actions \['C', 'D'\] after \(\), but got 'X'"),
    ],
)
def test_wrong_labels_are_refused(choices, reason):
    view = leader_view(iterated_prisoners_dilemma(rounds=1))
    with pytest.raises(InvalidStrategy, match=reason):
        leader_policy(view, choices)


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        (DeterministicLeader((0, 0)), "a tuple of 5 actions, one for each observation"),
        (DeterministicLeader([0] * 5), "a tuple of 5 actions"),
        (DeterministicLeader((0, 0, 2, 0, 0)), r"one of the actions \[0, 1\] at observation 2"),
        (DeterministicLeader((0, 0, True, 0, 0)), "at observation 2, but has True"),
        (DeterministicLeader((-1, 0, 0, 0, 0)), "at observation 0, but has -1"),
        (StochasticLeader(((ONE, 0 * ONE),)), "a tuple of 5 mixed actions"),
        (StochasticLeader(((1, 0),) * 5), "tuples of Fractions"),
        (StochasticLeader(((0.5, 0.5),) * 5), r"weights as Fraction\(1, 2\), or .*uniform\("),
        (StochasticLeader((("1/2", "1/2"),) * 5), r"weights as Fraction\(1, 2\), or .*uniform\("),
        (StochasticLeader(((HALF, HALF),) * 4 + ((),)), "sum to exactly 1, but has .* 4"),
        (StochasticLeader(((HALF, HALF, HALF - HALF),) * 5), "needs 2 weights"),
        (StochasticLeader(((3 * HALF, -HALF),) * 5), "weights of at least 0"),
        (StochasticLeader(((HALF, HALF / 2),) * 5), "sum to exactly 1"),
        (MemoizedLeader((), ()), "sum to exactly 1"),
        (MemoizedLeader((DeterministicLeader((0,) * 5),), ()), "of one length"),
        (MemoizedLeader((DeterministicLeader((0,) * 5),) * 2, (HALF, HALF)), "different plans"),
        (MemoizedLeader((DeterministicLeader((0,) * 5),), (HALF,)), "sum to exactly 1"),
        (MemoizedLeader((DeterministicLeader((0,) * 5),), (1,)), "positive Fractions"),
        (MemoizedLeader((StochasticLeader(()),), (ONE,)), "plans of type DeterministicLeader"),
        ("10101", "needs a DeterministicLeader, StochasticLeader or MemoizedLeader"),
    ],
)
def test_malformed_leader_is_refused(view, policy, reason):
    with pytest.raises(InvalidStrategy, match=reason):
        check_leader_policy(view, policy)


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        (StationaryFollower((0, 0)), "a tuple of 5 actions, one for each observation"),
        (TimedFollower(((0,) * 5,)), "actions for each of 2 steps"),
        (TimedFollower(((0,) * 5, (0,) * 4 + (7,))), "at step 1: needs one .* state 4, but has 7"),
        (PlannedFollower((PlannedFollower(()),)), "timed or stationary, but one is planned"),
        (PlannedFollower((StationaryFollower(()),)), "a tuple of 5 actions"),
        (DeterministicLeader((0,) * 5), "a TimedFollower, StationaryFollower or Planned"),
    ],
)
def test_malformed_follower_is_refused(view, policy, reason):
    with pytest.raises(InvalidStrategy, match=reason):
        check_follower_policy(view, policy)


def test_actions_are_asked_only_where_somebody_acts():
    view = leader_view(RepeatedGame(prisoners_dilemma(), rounds=1))
    check_leader_policy(view, DeterministicLeader((1, -1, -1, -1, -1)))
    with pytest.raises(InvalidStrategy, match=r"one of the actions \[-1\] at observation 1"):
        check_leader_policy(view, DeterministicLeader((1, 0, -1, -1, -1)))
    with pytest.raises(InvalidStrategy, match="an empty tuple at observation 1"):
        check_leader_policy(view, StochasticLeader(((HALF, HALF),) * 5))


def test_memoized_leader_acts_by_what_the_past_tells_of_the_plan(view):
    start, after = view.game.observations[0][0], view.game.observations[0][1]
    plans = (DeterministicLeader((0, 0, 0, 0, 0)), DeterministicLeader((1, 1, 1, 1, 1)))
    policy = to_policy(view, MemoizedLeader(plans, (Fraction(1, 3), Fraction(2, 3))))
    assert policy[(start,)]["D"] == Fraction(2, 3)
    assert policy[(start, "C", after)]["C"] == 1
    assert policy[(start, "D", view.game.observations[0][3])]["D"] == 1


def test_plan_aware_follower_is_no_policy_of_the_posg(view):
    own = PlannedFollower((StationaryFollower((0,) * 5),))
    with pytest.raises(UnsupportedGame, match="also knows the leader's plan"):
        to_policy(view, own)


def test_a_text_has_no_place_for_lotteries():
    view = leader_view(iterated_prisoners_dilemma(rounds=2))
    drawn = leader_policy(view, dict.fromkeys(view.game.observations[0], uniform(["C", "D"])))
    with pytest.raises(InvalidStrategy, match="deterministic policy.* but got a StochasticLeader"):
        leader_to_text(view, drawn)
