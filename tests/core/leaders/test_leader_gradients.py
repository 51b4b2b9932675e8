"""Gradients of a leader's return are those of the polynomial that the return is."""

from fractions import Fraction
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, InvalidStrategy, UnsupportedGame, leaders
from gametheory_core.catalog import RepeatedGame
from gametheory_core.leaders import gradients as leader_gradients
from tests.sample_sizes import examples

SMALL = leaders.leader_games(max_states=3, max_actions=2, max_horizon=3)


@st.composite
def commitments(draw):
    """Draw a view, a leader of it and a follower of either class."""
    view = draw(SMALL)
    followers = st.one_of(leaders.timed_followers(view), leaders.stationary_followers(view))
    return view, draw(leaders.stochastic_leaders(view)), draw(followers)


def towards(leader, observation, action, share):
    """Return the leader moved towards one action at one observation."""
    rows = [list(own) for own in leader.lotteries]
    rows[observation] = [(1 - share) * p for p in rows[observation]]
    rows[observation][action] += share
    return leaders.StochasticLeader(tuple(map(tuple, rows)))


def slope_at_zero(function, degree):
    """The derivative at 0 of a polynomial, from its values at degree + 1 rational points."""
    nodes = [Fraction(k, max(1, degree)) for k in range(degree + 1)]
    total = Fraction(0)
    for node in nodes:
        others = [x for x in nodes if x != node]
        scale = prod((node - x for x in others), start=Fraction(1))
        terms = (prod((-x for x in others if x != y), start=Fraction(1)) for y in others)
        total += function(node) * sum(terms) / scale
    return total


def directions(view, leader):
    for observation in range(len(leader.lotteries)):
        for action in view.leader_actions(observation):
            yield observation, action


@given(st.data())
def test_gradient_is_the_slope_of_the_return(data):
    view, leader, follower = data.draw(commitments())
    found = leaders.leader_gradient(view, leader, follower)
    assert found.value == leaders.leader_returns(view, leader, follower)[0]
    for o, a in directions(view, leader):

        def moved(share, o=o, a=a):
            return leaders.leader_returns(view, towards(leader, o, a, share), follower)[0]

        mean = sum(p * q for p, q in zip(leader.lotteries[o], found.partials[o], strict=True))
        assert found.partials[o][a] - mean == slope_at_zero(moved, view.horizon)


@examples(25)
@given(st.data())
def test_queried_gradient_is_the_slope_of_the_mean_over_answers(data):
    view = data.draw(
        leaders.leader_games(max_states=3, max_observations=2, max_actions=2, max_horizon=2)
    )
    leader = data.draw(leaders.stochastic_leaders(view))
    kind = data.draw(st.sampled_from(leaders.FollowerClass))

    def oracle(plan):
        return leaders.follower_response(view, plan, follower_class=kind).policy

    def mean_return(policy):
        total = Fraction(0)
        for plan in leaders.leader_policies(view):
            pairs = zip(policy.lotteries, plan.actions, strict=True)
            chance = prod((own[a] for own, a in pairs if a >= 0), start=Fraction(1))
            if chance:
                total += chance * leaders.leader_returns(view, policy, oracle(plan))[0]
        return total

    found = leaders.queried_gradient(view, leader, oracle)
    assert found.value == mean_return(leader)
    for o, a in directions(view, leader):
        mean = sum(p * q for p, q in zip(leader.lotteries[o], found.partials[o], strict=True))
        slope = slope_at_zero(
            lambda share, o=o, a=a: mean_return(towards(leader, o, a, share)), view.horizon + 1
        )
        assert found.partials[o][a] - mean == slope


def scores(view, leader, follower, *, weigh):
    """The expected REINFORCE update of logits, summed over all plays."""
    total = [[Fraction(0)] * len(own) for own in leader.lotteries]

    def act(state, step):
        if isinstance(follower, leaders.StationaryFollower):
            return follower.actions[view.follower_observation[state]]
        return follower.actions[step][state]

    def walk(state, step, chance, taken):
        """Return nothing; ``taken`` lists (observation, action, reward to go so far)."""
        o = int(view.leader_observation[state])
        if o < 0 or step == view.horizon:
            for t, (seen, action, to_go) in enumerate(taken):
                for other, p in enumerate(leader.lotteries[seen]):
                    score = (other == action) - p
                    total[seen][other] += weigh**t * chance * to_go * score
            return
        for action, p in enumerate(leader.lotteries[o]):
            if p:
                done = view.step(state, action, act(state, step))
                paid = [
                    (seen, a, to_go + view.discount ** (step - t) * done.rewards[0])
                    for t, (seen, a, to_go) in enumerate(taken)
                ]
                for following, weight in done.next:
                    more = [*paid, (o, action, done.rewards[0])]
                    walk(following, step + 1, chance * p * weight, more)

    for state, weight in view.initial:
        walk(state, 0, weight, [])
    return tuple(map(tuple, total))


@examples(30)
@given(st.data())
def test_expected_updates_are_sums_over_plays(data):
    view, leader, follower = data.draw(commitments())
    update = leaders.expected_reinforce(view, leader, follower)
    assert update.logits == scores(view, leader, follower, weigh=1)
    exact = leaders.leader_gradient(view, leader, follower)
    assert exact.logits == scores(view, leader, follower, weigh=view.discount)
    assert update.value == exact.value
    if view.discount == 1:
        assert update == exact


def test_discounted_update_is_no_gradient_twin():
    """With discounting REINFORCE weighs later steps more than the gradient does."""
    view = leaders.leader_view(
        RepeatedGame.of("prisoners_dilemma", rounds=2, recall=0, discount=Fraction(1, 2))
    )
    half = leaders.StochasticLeader(((Fraction(1, 2), Fraction(1, 2)),))
    defect = leaders.StationaryFollower((1,))
    assert leaders.leader_gradient(view, half, defect).slope(0, 1, instead_of=0) == Fraction(3, 2)
    assert leaders.expected_reinforce(view, half, defect).slope(0, 1, instead_of=0) == 2


def test_long_games_are_exact():
    view = leaders.leader_view(RepeatedGame.of("prisoners_dilemma", rounds=40))
    leader = leaders.StochasticLeader(((Fraction(1, 3), Fraction(2, 3)),) * 5)
    follower = leaders.StationaryFollower((1, 0, 1, 0, 1))
    found = leaders.leader_gradient(view, leader, follower)
    assert found.value == leaders.leader_returns(view, leader, follower)[0]
    chances = [sum(row) for row in found.logits]
    assert chances == [0] * 5


def test_wrong_slopes_are_refused():
    view = leaders.leader_view(RepeatedGame.of("prisoners_dilemma"))
    half = leaders.StochasticLeader(((Fraction(1, 2), Fraction(1, 2)), (), (), (), ()))
    found = leaders.leader_gradient(view, half, leaders.StationaryFollower((1, -1, -1, -1, -1)))
    assert found.slope(0, 0, instead_of=1) == -1
    for observation, action in ((0, 2), (1, 0), (0, -1)):
        with pytest.raises(InvalidArgument, match="needs two actions at an observation after"):
            found.slope(observation, action, instead_of=0)


def test_policies_that_do_not_fit_are_refused():
    view = leaders.leader_view(RepeatedGame.of("prisoners_dilemma"))
    half = leaders.StochasticLeader(((Fraction(1, 2), Fraction(1, 2)), (), (), (), ()))
    with pytest.raises(InvalidStrategy, match="needs a tuple of 5 actions"):
        leaders.leader_gradient(view, half, leaders.StationaryFollower((1,)))
    with pytest.raises(InvalidStrategy, match="sum to exactly 1"):
        leaders.leader_gradient(
            view,
            leaders.StochasticLeader(((Fraction(1, 2), Fraction(1, 3)), (), (), (), ())),
            leaders.StationaryFollower((1, -1, -1, -1, -1)),
        )


def test_wrong_types_are_refused():
    view = leaders.leader_view(RepeatedGame.of("prisoners_dilemma", rounds=2))
    half = leaders.StochasticLeader(((Fraction(1, 2), Fraction(1, 2)),) * 5)
    follower = leaders.StationaryFollower((1,) * 5)
    for gradient in (leaders.leader_gradient, leaders.expected_reinforce):
        with pytest.raises(InvalidArgument, match="needs view to be .* LeaderView"):
            gradient(view.game, half, follower)
        with pytest.raises(InvalidArgument, match="mixed actions of 0 and 1"):
            gradient(view, leaders.DeterministicLeader((0,) * 5), follower)
        with pytest.raises(InvalidStrategy, match="but got a PlannedFollower"):
            gradient(view, half, leaders.PlannedFollower((follower,)))
    with pytest.raises(InvalidArgument, match="needs a function from answers"):
        leaders.queried_gradient(view, half, follower)
    with pytest.raises(InvalidStrategy, match="queried_gradient: .* but got a PlannedFollower"):
        leaders.queried_gradient(view, half, lambda plan: leaders.PlannedFollower((follower,)))
    with pytest.raises(InvalidStrategy, match="needs a TimedFollower, StationaryFollower"):
        leaders.queried_gradient(view, half, lambda plan: plan)


def test_too_many_answers_are_refused(monkeypatch):
    monkeypatch.setattr(leader_gradients, "MAX_PLANS", 31)
    view = leaders.leader_view(RepeatedGame.of("prisoners_dilemma", rounds=2))
    leader = leaders.StochasticLeader(((Fraction(1, 2), Fraction(1, 2)),) * 5)
    with pytest.raises(UnsupportedGame, match="at most 31 answers .* has 32"):
        leaders.queried_gradient(
            view, leader, lambda plan: leaders.StationaryFollower(plan.actions)
        )
