"""Follower responses are best among all follower policies of their class, with the right ties."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import catalog, leaders
from gametheory_core.evaluation import best_response_returns
from tests.core.leaders.naive_leaders import naive_returns, stationary_policies, timed_policies
from tests.sample_sizes import examples

SOME = examples(25)
KINDS = [(kind, ties) for kind in leaders.FollowerClass for ties in leaders.FollowerTies]
MANY = 3000  # policies to compare with


def simple_leaders(view):
    return st.one_of(leaders.deterministic_leaders(view), leaders.stochastic_leaders(view))


def acts_on_what_is_hidden(view, follower):
    """Tell whether two states that look alike and may occur at one step get different actions."""
    return any(
        len({actions[s] for s in range(view.num_states) if reached[s] and seen[s] == o}) > 1
        for seen in [view.follower_observation.tolist()]
        for step, actions in enumerate(follower.actions)
        for reached in [view.reachable(step)]
        for o in set(seen)
    )


def ranked(ties):
    sign = 1 if ties is leaders.FollowerTies.STRONG else -1
    return lambda pair: (pair[1], sign * pair[0])


@SOME
@given(st.data())
def test_returns_are_those_of_the_tree_of_plays(data):
    view = data.draw(leaders.leader_games())
    leader = data.draw(simple_leaders(view))
    follower = data.draw(
        st.one_of(leaders.timed_followers(view), leaders.stationary_followers(view))
    )
    assert leaders.leader_returns(view, leader, follower) == naive_returns(view, leader, follower)


@pytest.mark.parametrize("ties", leaders.FollowerTies)
@SOME
@given(st.data())
def test_time_aware_response_is_best_of_all_timed_policies(ties, data):
    view = data.draw(leaders.leader_games(max_states=3, max_actions=2, max_horizon=3))
    leader = data.draw(simple_leaders(view))
    plans = timed_policies(view, most=MANY)
    assume(plans is not None)
    answer = leaders.follower_response(view, leader, ties=ties)
    assert answer.returns == max(
        (naive_returns(view, leader, plan) for plan in plans), key=ranked(ties)
    )
    assert answer.returns == naive_returns(view, leader, answer.policy)


@pytest.mark.parametrize("ties", leaders.FollowerTies)
@SOME
@given(st.data())
def test_stationary_response_is_best_of_all_stationary_policies(ties, data):
    view = data.draw(leaders.leader_games())
    leader = data.draw(simple_leaders(view))
    answer = leaders.follower_response(
        view, leader, follower_class=leaders.FollowerClass.STATIONARY, ties=ties
    )
    plans = stationary_policies(view)
    assert leaders.num_stationary_followers(view) == len(plans)
    assert answer.policy in plans
    assert answer.returns == max(
        (naive_returns(view, leader, plan) for plan in plans), key=ranked(ties)
    )
    assert answer.returns == naive_returns(view, leader, answer.policy)


@SOME
@given(st.data())
def test_no_follower_gets_more_than_the_time_aware_one(data):
    """Against a policy of the POSG the follower may remember all she saw, and it is no use."""
    view = data.draw(leaders.leader_games())
    leader = data.draw(simple_leaders(view))
    profile = list(gt.uniform_policies(view.game))
    profile[view.leader] = leaders.to_policy(view, leader)
    best = best_response_returns(view.game, tuple(profile))[view.follower]
    own = leaders.follower_response(view, leader).returns[1]
    assert best <= own
    seen = view.follower_observation[view.follower_observation >= 0].tolist()
    if len(set(seen)) == len(seen):  # she sees the state
        assert best == own


@SOME
@given(st.data())
def test_ties_change_the_leaders_return_only_and_in_his_favor(data):
    view = data.draw(leaders.leader_games())
    leader = data.draw(simple_leaders(view))
    for kind in leaders.FollowerClass:
        strong, weak = (
            leaders.follower_response(view, leader, follower_class=kind, ties=ties).returns
            for ties in (leaders.FollowerTies.STRONG, leaders.FollowerTies.WEAK)
        )
        assert strong[1] == weak[1]
        assert strong[0] >= weak[0]


@pytest.mark.parametrize(("kind", "ties"), KINDS)
@examples(20)
@given(st.data())
def test_many_leaders_at_once_get_what_each_gets_alone(kind, ties, data):
    view = data.draw(leaders.leader_games(max_actions=2))
    policies = list(leaders.leader_policies(view))
    table = leaders.response_returns(
        view, np.array([p.actions for p in policies]), follower_class=kind, ties=ties
    )
    alone = [leaders.follower_response(view, p, follower_class=kind, ties=ties) for p in policies]
    assert [table.pair(k) for k in range(len(policies))] == [answer.returns for answer in alone]


@SOME
@given(st.data())
def test_response_to_plans_is_the_mean_of_responses_to_each(data):
    view = data.draw(leaders.leader_games())
    leader = data.draw(leaders.memoized_leaders(view))
    for kind in leaders.FollowerClass:
        answer = leaders.follower_response(view, leader, follower_class=kind)
        parts = [
            leaders.follower_response(view, plan, follower_class=kind) for plan in leader.plans
        ]
        assert answer.policy == leaders.PlannedFollower(tuple(part.policy for part in parts))
        assert answer.returns == tuple(
            sum(w * part.returns[i] for w, part in zip(leader.weights, parts, strict=True))
            for i in (0, 1)
        )
        assert leaders.leader_returns(view, leader, answer.policy) == answer.returns


@SOME
@given(st.data())
def test_policies_return_the_same_as_policies_of_the_posg(data):
    view = data.draw(leaders.leader_games(max_horizon=3))
    leader = data.draw(st.one_of(simple_leaders(view), leaders.memoized_leaders(view)))
    follower = data.draw(leaders.stationary_followers(view))
    profile = {view.leader: leader, view.follower: follower}
    returns = gt.expected_returns(
        view.game, tuple(leaders.to_policy(view, profile[i]) for i in (0, 1))
    )
    own, other = leaders.leader_returns(view, leader, follower)
    assert (returns[view.leader], returns[view.follower]) == (own, other)


@SOME
@given(st.data())
def test_timed_policies_are_policies_of_the_posg_where_the_follower_sees_the_state(data):
    view = data.draw(leaders.leader_games(max_horizon=3))
    leader = data.draw(leaders.deterministic_leaders(view))
    follower = leaders.follower_response(view, leader).policy
    if acts_on_what_is_hidden(view, follower):
        with pytest.raises(gt.UnsupportedGame, match="needs a follower who sees the states apart"):
            leaders.to_policy(view, follower)
        return
    profile = {
        view.leader: leaders.to_policy(view, leader),
        view.follower: leaders.to_policy(view, follower),
    }
    returns = gt.expected_returns(view.game, (profile[0], profile[1]))
    own, other = leaders.leader_returns(view, leader, follower)
    assert (returns[view.leader], returns[view.follower]) == (own, other)


def test_how_ties_are_broken_matters():
    """Without the second criterion the leader's return would not be determined."""
    view = leaders.leader_view(catalog.iterated_game(catalog.ORDINAL_GAMES["hero"](), rounds=2))
    differ = [
        leader
        for leader in leaders.leader_policies(view)
        if leaders.follower_response(view, leader).returns
        != leaders.follower_response(view, leader, ties=leaders.FollowerTies.WEAK).returns
    ]
    assert differ


def test_integers_beyond_64_bits_are_exact():
    """The same game with payoffs and a discount that overflow every machine integer."""
    big, discount = 10**25 + 1, Fraction(10**9 + 7, 10**9 + 9)
    stage = catalog.ORDINAL_GAMES["prisoners_dilemma"]()
    huge = type(stage).from_payoffs(
        stage.exact_payoffs * big, players=stage.players, actions=stage.actions
    )
    small = leaders.leader_view(catalog.RepeatedGame(stage, rounds=5, discount=discount))
    large = leaders.leader_view(catalog.RepeatedGame(huge, rounds=5, discount=discount))
    for text in ("10101", "00101", "01101"):
        leader = leaders.leader_from_text(small, text)
        for kind, ties in KINDS:
            expected = leaders.follower_response(small, leader, follower_class=kind, ties=ties)
            found = leaders.follower_response(large, leader, follower_class=kind, ties=ties)
            assert found.policy == expected.policy
            assert found.returns == tuple(big * value for value in expected.returns)
            assert expected.returns == naive_returns(small, leader, expected.policy)


def test_time_ends_after_no_step_at_once():
    view = leaders.leader_view(catalog.iterated_prisoners_dilemma(), horizon=0)
    leader = leaders.DeterministicLeader((-1,) * len(view.game.observations[0]))
    answer = leaders.follower_response(view, leader)
    assert answer.returns == (0, 0)
    assert answer.policy == leaders.TimedFollower(())


def test_too_many_stationary_policies_are_refused_with_their_number():
    view = leaders.leader_view(catalog.iterated_prisoners_dilemma())
    leader = leaders.leader_from_text(view, "10101")
    with pytest.raises(
        gt.UnsupportedGame, match=r"at most max_policies = 31 .* has 32 in .*TIME_AW"
    ):
        leaders.follower_response(
            view, leader, follower_class=leaders.FollowerClass.STATIONARY, max_policies=31
        )
    with pytest.raises(gt.UnsupportedGame, match="at most max_policies = 31"):
        leaders.response_returns(
            view, [leader.actions], follower_class=leaders.FollowerClass.STATIONARY, max_policies=31
        )


def test_malformed_questions_are_refused():
    view = leaders.leader_view(catalog.iterated_prisoners_dilemma(rounds=1))
    leader = leaders.leader_from_text(view, "1----")
    with pytest.raises(gt.InvalidArgument, match="follower_response: needs view to be of type"):
        leaders.follower_response(view.game, leader)
    with pytest.raises(gt.InvalidArgument, match="needs a member of FollowerClass"):
        leaders.follower_response(view, leader, follower_class="time-aware")
    with pytest.raises(gt.InvalidArgument, match="needs a member of FollowerTies"):
        leaders.follower_response(view, leader, ties="strong")
    with pytest.raises(gt.InvalidStrategy, match=r"one of the actions \[0, 1\] at observation 0"):
        leaders.response_returns(view, [[0, -1, -1, -1, -1], [2, -1, -1, -1, -1]])
    with pytest.raises(gt.InvalidStrategy, match="an integer array with 5 columns"):
        leaders.response_returns(view, [[0.5] * 5])
    with pytest.raises(gt.InvalidStrategy, match="needs a MemoizedLeader beside a PlannedFollower"):
        leaders.leader_returns(
            view, leader, leaders.PlannedFollower((leaders.TimedFollower(((0, -1, -1, -1, -1),)),))
        )
    plans = leaders.MemoizedLeader((leader,), (Fraction(1),))
    own = leaders.StationaryFollower((0, -1, -1, -1, -1))
    with pytest.raises(
        gt.InvalidStrategy, match="one follower policy for each of 1 plans, but got 2"
    ):
        leaders.leader_returns(view, plans, leaders.PlannedFollower((own, own)))
    assert leaders.response_returns(view, np.zeros((0, 5), dtype=int)).numerators.shape == (0, 2)


def test_source_values_of_defecting_first_then_tit_for_tat():
    """Gerstgrasser and Parkes 2023, iterated prisoner's dilemma of ten rounds."""
    view = leaders.leader_view(catalog.iterated_prisoners_dilemma())
    leader = leaders.leader_from_text(view, "10101")
    assert leaders.follower_response(view, leader).returns == (-11, -11)
    stationary = leaders.follower_response(
        view, leader, follower_class=leaders.FollowerClass.STATIONARY
    )
    assert stationary.returns == (-9, -12)
