"""Follower responses are best among all follower policies of their class, with the right ties."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core.catalog.iterated import iterated_game, iterated_prisoners_dilemma
from gametheory_core.catalog.ordinal import ORDINAL_GAMES
from gametheory_core.catalog.repeated import RepeatedGame
from gametheory_core.errors import InvalidArgument, InvalidStrategy, UnsupportedGame
from gametheory_core.evaluation.returns import best_response_returns, expected_returns
from gametheory_core.leaders.follower_responses import (
    FollowerClass,
    FollowerTies,
    follower_response,
    leader_returns,
    num_stationary_followers,
    response_returns,
)
from gametheory_core.leaders.generators import (
    deterministic_leaders,
    leader_games,
    memoized_leaders,
    stationary_followers,
    stochastic_leaders,
    timed_followers,
)
from gametheory_core.leaders.policies import (
    DeterministicLeader,
    MemoizedLeader,
    PlannedFollower,
    StationaryFollower,
    TimedFollower,
    leader_policies,
)
from gametheory_core.leaders.policy_forms import leader_from_text, to_policy
from gametheory_core.leaders.view import leader_view
from gametheory_core.strategies.policies import uniform_policies
from tests.core.leaders.naive_leaders import (
    naive_returns,
    stationary_policies,
    timed_policies,
)
from tests.sample_sizes import examples

SOME = examples(25)
KINDS = [(kind, ties) for kind in FollowerClass for ties in FollowerTies]
MANY = 3000  # policies to compare with


def simple_leaders(view):
    return st.one_of(deterministic_leaders(view), stochastic_leaders(view))


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
    sign = 1 if ties is FollowerTies.STRONG else -1
    return lambda pair: (pair[1], sign * pair[0])


@SOME
@given(st.data())
def test_returns_are_those_of_the_tree_of_plays(data):
    view = data.draw(leader_games())
    leader = data.draw(simple_leaders(view))
    follower = data.draw(st.one_of(timed_followers(view), stationary_followers(view)))
    assert leader_returns(view, leader, follower) == naive_returns(view, leader, follower)


@pytest.mark.parametrize("ties", FollowerTies)
@SOME
@given(st.data())
def test_time_aware_response_is_best_of_all_timed_policies(ties, data):
    view = data.draw(leader_games(max_states=3, max_actions=2, max_horizon=3))
    leader = data.draw(simple_leaders(view))
    plans = timed_policies(view, most=MANY)
    assume(plans is not None)
    answer = follower_response(view, leader, ties=ties)
    assert answer.returns == max(
        (naive_returns(view, leader, plan) for plan in plans), key=ranked(ties)
    )
    assert answer.returns == naive_returns(view, leader, answer.policy)


@pytest.mark.parametrize("ties", FollowerTies)
@SOME
@given(st.data())
def test_stationary_response_is_best_of_all_stationary_policies(ties, data):
    view = data.draw(leader_games())
    leader = data.draw(simple_leaders(view))
    answer = follower_response(view, leader, follower_class=FollowerClass.STATIONARY, ties=ties)
    plans = stationary_policies(view)
    assert num_stationary_followers(view) == len(plans)
    assert answer.policy in plans
    assert answer.returns == max(
        (naive_returns(view, leader, plan) for plan in plans), key=ranked(ties)
    )
    assert answer.returns == naive_returns(view, leader, answer.policy)


@SOME
@given(st.data())
def test_no_follower_gets_more_than_the_time_aware_one(data):
    """Against a policy of the POSG the follower may remember all she saw, and it is no use."""
    view = data.draw(leader_games())
    leader = data.draw(simple_leaders(view))
    profile = list(uniform_policies(view.game))
    profile[view.leader] = to_policy(view, leader)
    best = best_response_returns(view.game, tuple(profile))[view.follower]
    own = follower_response(view, leader).returns[1]
    assert best <= own
    seen = view.follower_observation[view.follower_observation >= 0].tolist()
    if len(set(seen)) == len(seen):  # she sees the state
        assert best == own


@SOME
@given(st.data())
def test_ties_change_the_leaders_return_only_and_in_his_favor(data):
    view = data.draw(leader_games())
    leader = data.draw(simple_leaders(view))
    for kind in FollowerClass:
        strong, weak = (
            follower_response(view, leader, follower_class=kind, ties=ties).returns
            for ties in (FollowerTies.STRONG, FollowerTies.WEAK)
        )
        assert strong[1] == weak[1]
        assert strong[0] >= weak[0]


@pytest.mark.parametrize(("kind", "ties"), KINDS)
@examples(20)
@given(st.data())
def test_many_leaders_at_once_get_what_each_gets_alone(kind, ties, data):
    view = data.draw(leader_games(max_actions=2))
    policies = list(leader_policies(view))
    table = response_returns(
        view, np.array([p.actions for p in policies]), follower_class=kind, ties=ties
    )
    alone = [follower_response(view, p, follower_class=kind, ties=ties) for p in policies]
    assert [table.pair(k) for k in range(len(policies))] == [answer.returns for answer in alone]


@SOME
@given(st.data())
def test_response_to_plans_is_the_mean_of_responses_to_each(data):
    view = data.draw(leader_games())
    leader = data.draw(memoized_leaders(view))
    for kind in FollowerClass:
        answer = follower_response(view, leader, follower_class=kind)
        parts = [follower_response(view, plan, follower_class=kind) for plan in leader.plans]
        assert answer.policy == PlannedFollower(tuple(part.policy for part in parts))
        assert answer.returns == tuple(
            sum(w * part.returns[i] for w, part in zip(leader.weights, parts, strict=True))
            for i in (0, 1)
        )
        assert leader_returns(view, leader, answer.policy) == answer.returns


@SOME
@given(st.data())
def test_policies_return_the_same_as_policies_of_the_posg(data):
    view = data.draw(leader_games(max_horizon=3))
    leader = data.draw(st.one_of(simple_leaders(view), memoized_leaders(view)))
    follower = data.draw(stationary_followers(view))
    profile = {view.leader: leader, view.follower: follower}
    returns = expected_returns(view.game, tuple(to_policy(view, profile[i]) for i in (0, 1)))
    own, other = leader_returns(view, leader, follower)
    assert (returns[view.leader], returns[view.follower]) == (own, other)


@SOME
@given(st.data())
def test_timed_policies_are_policies_of_the_posg_where_the_follower_sees_the_state(data):
    view = data.draw(leader_games(max_horizon=3))
    leader = data.draw(deterministic_leaders(view))
    follower = follower_response(view, leader).policy
    if acts_on_what_is_hidden(view, follower):
        with pytest.raises(UnsupportedGame, match="needs a follower who sees the states apart"):
            to_policy(view, follower)
        return
    profile = {view.leader: to_policy(view, leader), view.follower: to_policy(view, follower)}
    returns = expected_returns(view.game, (profile[0], profile[1]))
    own, other = leader_returns(view, leader, follower)
    assert (returns[view.leader], returns[view.follower]) == (own, other)


def test_how_ties_are_broken_matters():
    """Without the second criterion the leader's return would not be determined."""
    view = leader_view(iterated_game(ORDINAL_GAMES["hero"](), rounds=2))
    differ = [
        leader
        for leader in leader_policies(view)
        if follower_response(view, leader).returns
        != follower_response(view, leader, ties=FollowerTies.WEAK).returns
    ]
    assert differ


def test_integers_beyond_64_bits_are_exact():
    """The same game with payoffs and a discount that overflow every machine integer."""
    big, discount = 10**25 + 1, Fraction(10**9 + 7, 10**9 + 9)
    stage = ORDINAL_GAMES["prisoners_dilemma"]()
    huge = type(stage).from_payoffs(
        stage.exact_payoffs * big, players=stage.players, actions=stage.actions
    )
    small = leader_view(RepeatedGame(stage, rounds=5, discount=discount))
    large = leader_view(RepeatedGame(huge, rounds=5, discount=discount))
    for text in ("10101", "00101", "01101"):
        leader = leader_from_text(small, text)
        for kind, ties in KINDS:
            expected = follower_response(small, leader, follower_class=kind, ties=ties)
            found = follower_response(large, leader, follower_class=kind, ties=ties)
            assert found.policy == expected.policy
            assert found.returns == tuple(big * value for value in expected.returns)
            assert expected.returns == naive_returns(small, leader, expected.policy)


def test_time_ends_after_no_step_at_once():
    view = leader_view(iterated_prisoners_dilemma(), horizon=0)
    leader = DeterministicLeader((-1,) * len(view.game.observations[0]))
    answer = follower_response(view, leader)
    assert answer.returns == (0, 0)
    assert answer.policy == TimedFollower(())


def test_too_many_stationary_policies_are_refused_with_their_number():
    view = leader_view(iterated_prisoners_dilemma())
    leader = leader_from_text(view, "10101")
    with pytest.raises(UnsupportedGame, match=r"at most max_policies = 31 .* has 32 in .*TIME_AW"):
        follower_response(view, leader, follower_class=FollowerClass.STATIONARY, max_policies=31)
    with pytest.raises(UnsupportedGame, match="at most max_policies = 31"):
        response_returns(
            view, [leader.actions], follower_class=FollowerClass.STATIONARY, max_policies=31
        )


def test_malformed_questions_are_refused():
    view = leader_view(iterated_prisoners_dilemma(rounds=1))
    leader = leader_from_text(view, "1----")
    with pytest.raises(InvalidArgument, match="follower_response: needs view to be of type"):
        follower_response(view.game, leader)
    with pytest.raises(InvalidArgument, match="needs a member of FollowerClass"):
        follower_response(view, leader, follower_class="time-aware")
    with pytest.raises(InvalidArgument, match="needs a member of FollowerTies"):
        follower_response(view, leader, ties="strong")
    with pytest.raises(InvalidStrategy, match=r"one of the actions \[0, 1\] at observation 0"):
        response_returns(view, [[0, -1, -1, -1, -1], [2, -1, -1, -1, -1]])
    with pytest.raises(InvalidStrategy, match="an integer array with 5 columns"):
        response_returns(view, [[0.5] * 5])
    with pytest.raises(InvalidStrategy, match="needs a MemoizedLeader beside a PlannedFollower"):
        leader_returns(view, leader, PlannedFollower((TimedFollower(((0, -1, -1, -1, -1),)),)))
    plans = MemoizedLeader((leader,), (Fraction(1),))
    own = StationaryFollower((0, -1, -1, -1, -1))
    with pytest.raises(InvalidStrategy, match="one follower policy for each of 1 plans, but got 2"):
        leader_returns(view, plans, PlannedFollower((own, own)))
    assert response_returns(view, np.zeros((0, 5), dtype=int)).numerators.shape == (0, 2)


def test_source_values_of_defecting_first_then_tit_for_tat():
    """Gerstgrasser and Parkes 2023, iterated prisoner's dilemma of ten rounds."""
    view = leader_view(iterated_prisoners_dilemma())
    leader = leader_from_text(view, "10101")
    assert follower_response(view, leader).returns == (-11, -11)
    stationary = follower_response(view, leader, follower_class=FollowerClass.STATIONARY)
    assert stationary.returns == (-9, -12)
