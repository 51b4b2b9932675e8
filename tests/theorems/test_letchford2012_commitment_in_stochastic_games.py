"""Letchford et al. 2012: what leaders of stochastic games can earn by committing to correlation.

A leader of a Markov game who may announce things commits best by a plan that tells the follower at
each step what to do, and that is obeyed because deviations are punished by minmax ever after. So
the best such commitment is found by backward induction over what both can get. It is an upper
bound for leaders who announce nothing. (1) In the iterated prisoner's dilemma the bound is attained
by lotteries that depend on the last round only: -(h + 3)/2 over h rounds, although the bound of
one price, minmax in the whole game alone, is -h/2. (2) With other payoffs memory earns more.

Only a follower who remembers holds every commitment to the bound: she can deviate after one past
alone. One who acts by step and state holds leaders to it who draw afresh at each use, or whose plan
she is told, since then no memory would help her; others may exceed it.

Why it matters (commitment): It bounds what any leader of a Markov game can earn, so that a learned
leader's shortfall can be stated.
"""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import leaders
from gametheory_core.catalog import RepeatedGame, iterated_prisoners_dilemma
from gametheory_core.conversions import posg_from_tables
from solvers.leaders import BoundMethod, commitment_upper_bound, stochastic_markov_commitment
from tests.solvers.leaders.announced_commitment import announced_value

SOURCE = "Letchford et al. 2012"
bounded = pytest.mark.theorem(
    source=SOURCE, statement="Announcing and punishing is best against a follower who remembers."
)
attained = pytest.mark.theorem(
    source=SOURCE, statement="In the iterated dilemma lotteries after each round are optimal."
)
HALF = Fraction(1, 2)
SMALL = {"max_states": 3, "max_horizon": 3}


def bound_of(game, method=BoundMethod.PROMISES):
    found = commitment_upper_bound(game, method=method)
    found.verify()
    return found.upper_bound


@bounded
@given(leaders.leader_games(**SMALL))
def test_bound_is_the_best_announced_commitment(view):
    assert float(bound_of(view)) == pytest.approx(announced_value(view), abs=1e-6)


@bounded
@given(st.data(), st.sampled_from(leaders.FollowerTies))
def test_leaders_who_announce_nothing_earn_no_more(data, ties):
    view = data.draw(leaders.leader_games())
    policy = data.draw(st.one_of(leaders.stochastic_leaders(view), leaders.memoized_leaders(view)))
    assert leaders.follower_response(view, policy, ties=ties).returns[0] <= bound_of(view)


@bounded
def test_unless_the_follower_is_stationary():
    """Who cannot act by the step cannot defend herself."""
    view = leaders.leader_view(iterated_prisoners_dilemma(rounds=10))
    policy = mixing(Fraction(1, 3))
    stationary = leaders.FollowerClass.STATIONARY
    assert leaders.follower_response(view, policy, follower_class=stationary).returns[0] > bound_of(
        view
    )


@bounded
@given(st.data())
def test_secret_draws_earn_no_more_from_a_follower_who_remembers(data):
    view = data.draw(leaders.leader_games(max_horizon=3))
    secret = data.draw(leaders.memoized_leaders(view))
    assert remembering_returns(view, secret)[0] <= bound_of(view)


@bounded
def test_unless_a_forgetful_follower_cannot_see_what_was_drawn():
    """Who forgets by which way she came does what is best on average, which pays the leader more.

    So does a leader who draws nothing before play, but remembers his own first action.
    """
    view = two_ways_game()
    bound = bound_of(view)
    first, second = plan(view, s="in", z="hold"), plan(view, s="by", z="hit")
    secret = leaders.MemoizedLeader((first, second), (Fraction(9, 10), Fraction(1, 10)))
    returns = [leaders.leader_returns(view, secret, own) for own in timed_followers(view)]
    best = max(follower for _, follower in returns)
    answers = {leader for leader, follower in returns if follower == best}
    assert (bound, best, answers) == (Fraction(785, 4), Fraction(9, 20), {Fraction(1991, 10)})
    assert remembering_returns(view, secret) == (Fraction(1091, 10), Fraction(189, 20))
    assert leaders.follower_response(view, secret).returns == (
        Fraction(1091, 10),
        Fraction(189, 20),
    )
    assert stochastic_markov_commitment(view).certificate.upper_bound == bound


def two_ways_game():
    """Lead to ``z`` by one of two ways that a follower who forgets cannot tell apart there."""
    moves = {"leader": ("hold", "hit", "in", "by"), "follower": ("H", "G")}
    legal = {"s": ("in", "by"), "s1": ("hold",), "s2": ("hold",), "z": ("hold", "hit")}
    nobody, end = (0, 0), "end"
    outcomes = {
        ("s", "in"): [("s1", nobody)] * 2,
        ("s", "by"): [("s2", (91, 0))] * 2,
        ("s1", "hold"): [("z", (100, Fraction(-19, 2))), (end, nobody)],
        ("s2", "hold"): [("z", nobody)] * 2,
        ("z", "hold"): [(end, (100, 10)), (end, (0, 20))],
        ("z", "hit"): [(end, (100, 0)), (end, (0, -100))],
    }
    rows = [
        (state, (own, other), after, paid)
        for (state, own), found in outcomes.items()
        for other, (after, paid) in zip(moves["follower"], found, strict=True)
    ]
    game = posg_from_tables(
        players=tuple(moves),
        actions=tuple(moves.values()),
        initial={"s": 1},
        transitions={(state, joint): {after: 1} for state, joint, after, _ in rows},
        rewards={(state, joint, after): paid for state, joint, after, paid in rows},
        observations={
            (joint, after): {(after, after): 1} for _, joint, after, _ in rows if after != end
        },
        initial_observations={"s": {("s", "s"): 1}},
        legal_actions={(0, state): own for state, own in legal.items()}
        | {(1, state): moves["follower"] for state in legal},
        terminal=[end],
        discount=Fraction(1),
    )
    return leaders.leader_view(game, horizon=3)


def plan(view, **chosen):
    """Return the leader who does what is chosen, and holds elsewhere."""
    labels = view.game.actions[view.leader]
    return leaders.DeterministicLeader(
        tuple(
            labels.index(chosen.get(seen, "hold")) if view.leader_actions(k) else -1
            for k, seen in enumerate(view.game.observations[view.leader])
        )
    )


def timed_followers(view):
    """Return all followers who act by the state, which tells the step in this game."""
    choices = [
        view.follower_actions(int(o)) if o >= 0 else (-1,) for o in view.follower_observation
    ]
    return [leaders.TimedFollower((actions,) * view.horizon) for actions in product(*choices)]


def remembering_returns(view, secret):
    """Return the best reply, and then the best for the leader, of one who sees and keeps states.

    She does not know the plan; how likely each is, given what she has seen, is all that matters.
    """

    @cache
    def best(time, state, masses):
        if time == view.horizon or view.leader_observation[state] < 0:
            return (Fraction(0), Fraction(0))
        seen = int(view.leader_observation[state])
        replies = []
        for b in view.follower_actions(int(view.follower_observation[state])):
            total, later = [Fraction(0), Fraction(0)], {}
            for k, own in enumerate(secret.plans):
                step = view.step(state, own.actions[seen], b)
                total = [x + masses[k] * r for x, r in zip(total, step.rewards, strict=True)]
                for after, chance in step.next:
                    later.setdefault(after, [Fraction(0)] * len(masses))[k] += masses[k] * chance
            for after, others in later.items():
                found = best(time + 1, after, tuple(others))
                total = [x + view.discount * y for x, y in zip(total, found, strict=True)]
            replies.append(tuple(total))
        return max(replies, key=lambda pair: (pair[1], pair[0]))

    starts = [best(0, s, tuple(w * own for own in secret.weights)) for s, w in view.initial]
    return tuple(map(sum, zip(*starts, strict=True)))


def mixing(after_cooperation):
    """Defect first, with a chance after (C, C), always after (C, D), and half after (D, C)."""
    chances = (Fraction(1), after_cooperation, Fraction(1), HALF, Fraction(1))
    return leaders.StochasticLeader(tuple((1 - x, x) for x in chances))


@attained
@pytest.mark.parametrize("rounds", [2, 3, 5, 8, 10, 12, 20])
def test_half_after_cooperation_attains_the_bound(rounds):
    view = leaders.leader_view(iterated_prisoners_dilemma(rounds=rounds))
    earned = leaders.follower_response(view, mixing(HALF)).returns[0]
    assert earned == bound_of(view) == -Fraction(rounds + 3, 2)
    assert bound_of(view, BoundMethod.SINGLE_PRICE) == -Fraction(rounds, 2)


@attained
def test_unless_ties_break_against_the_leader():
    """Then the bound is approached: less than half makes cooperation strictly better."""
    view = leaders.leader_view(iterated_prisoners_dilemma(rounds=10))

    def weakly(chance):
        chances = (Fraction(1), chance, Fraction(1), chance, Fraction(1))
        policy = leaders.StochasticLeader(tuple((1 - x, x) for x in chances))
        return leaders.follower_response(view, policy, ties=leaders.FollowerTies.WEAK).returns[0]

    assert weakly(HALF) < -10
    assert -Fraction(66, 10) < weakly(HALF - Fraction(1, 100)) < -Fraction(65, 10)
    assert -Fraction(6501, 1000) < weakly(HALF - Fraction(1, 10_000)) < -Fraction(65, 10)


@attained
def test_unless_payoffs_are_others():
    """With 3, 0, 5 and 1 a grid of lotteries stays below the bound over three rounds."""
    view = leaders.leader_view(RepeatedGame.of("prisoners_dilemma", rounds=3))
    grid = [Fraction(k, 8) for k in range(9)]
    earned = max(
        leaders.follower_response(
            view, leaders.StochasticLeader(tuple((1 - x, x) for x in chances))
        ).returns[0]
        for one in grid
        for other in grid
        for third in grid
        for chances in [(Fraction(1), one, Fraction(1), other, third)]
    )
    assert earned < bound_of(view) == Fraction(21, 2)
