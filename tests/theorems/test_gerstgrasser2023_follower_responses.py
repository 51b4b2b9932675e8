"""Gerstgrasser and Parkes 2023, section 3: which follower is the best-responding one.

Once the leader has committed to a memoryless policy the follower faces a decision process over
time and state. (1) Her optimal timed policies are exactly those that choose a best action at every
time and state that play reaches, so ties can be broken one by one, for or against the leader.
(2) The source's learning followers see no clock. The best deterministic one among these may return
her less than a timed policy, and even less than a lottery at each observation. Quantified over
random games with all timed policies tried; in rationals.

Why it matters (followers): "The best-responding follower" is not one policy: what a follower can
see, and how ties break, decide what a leader earns.
"""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import leaders, load_game, uniform_policies
from gametheory_core.catalog import iterated_prisoners_dilemma
from gametheory_core.conversions import posg_from_tables
from gametheory_core.evaluation import best_response_returns
from tests.core.leaders.naive_leaders import naive_returns, timed_policies

SOURCE = "Gerstgrasser and Parkes 2023"
greedy = pytest.mark.theorem(
    source=SOURCE,
    statement="A follower who knows time and state responds best iff she does so wherever play is.",
)
clockless = pytest.mark.theorem(
    source=SOURCE, statement="A follower without a clock does at best as well as one with a clock."
)
ZERO, ONE = Fraction(0), Fraction(1)


def law_of(view, leader, state):
    o = view.leader_observation[state]
    if isinstance(leader, leaders.DeterministicLeader):
        return [(leader.actions[o], ONE)]
    return [(a, w) for a, w in enumerate(leader.lotteries[o]) if w]


def action_values(view, leader):
    """Return the follower's optimal value of each action, by step, state and action."""
    later = {}
    out = {}
    for step in reversed(range(view.horizon)):
        now = {}
        for state, seen in enumerate(view.follower_observation.tolist()):
            if seen < 0:
                continue
            for b in view.follower_actions(seen):
                total = ZERO
                for a, weight in law_of(view, leader, state):
                    moved = view.step(state, a, b)
                    after = sum(w * later.get(s, ZERO) for s, w in moved.next)
                    total += weight * (moved.rewards[1] + view.discount * after)
                out[step, state, b] = total
                now[state] = max(now.get(state, total), total)
        later = now
    return out


def visited(view, leader, follower):
    """Return every step and state that play reaches."""
    level = {s for s, _ in view.initial}
    out = []
    for step in range(view.horizon):
        level = {s for s in level if view.follower_observation[s] >= 0}
        out.extend((step, s) for s in level)
        level = {
            after
            for s in level
            for a, _ in law_of(view, leader, s)
            for after, _ in view.step(s, a, follower.actions[step][s]).next
        }
    return out


def is_greedy(values, places, follower):
    return all(
        values[t, s, follower.actions[t][s]]
        == max(v for (t2, s2, _), v in values.items() if (t2, s2) == (t, s))
        for t, s in places
    )


@greedy
@given(st.data())
def test_optimal_policies_are_those_greedy_wherever_play_is(data):
    view = data.draw(leaders.leader_games(max_states=3, max_actions=2, max_horizon=3))
    leader = data.draw(
        st.one_of(leaders.deterministic_leaders(view), leaders.stochastic_leaders(view))
    )
    plans = timed_policies(view, most=600)
    assume(plans is not None)
    returns = [naive_returns(view, leader, plan) for plan in plans]
    best = max(other for _, other in returns)
    values = action_values(view, leader)
    optimal = [other == best for _, other in returns]
    assert optimal == [is_greedy(values, visited(view, leader, p), p) for p in plans]
    for ties, pick in ((leaders.FollowerTies.STRONG, max), (leaders.FollowerTies.WEAK, min)):
        own = pick(own for own, other in returns if other == best)
        assert leaders.follower_response(view, leader, ties=ties).returns == (own, best)


@greedy
def test_where_play_never_is_anything_goes():
    view = leaders.leader_view(iterated_prisoners_dilemma(rounds=2))
    leader = leaders.leader_from_text(view, "11111")
    best = leaders.follower_response(view, leader)
    values = action_values(view, leader)
    careless = [
        plan
        for plan in timed_policies(view, most=2000)
        if naive_returns(view, leader, plan) == best.returns
        and not is_greedy(values, [(0, 0), *((1, s) for s in range(1, 5))], plan)
    ]
    assert careless


@greedy
def test_twin_follower_who_ignores_the_leader_at_ties_gives_another_value():
    """Both of her actions pay her the same at once; only one lets the leader earn later."""
    view = leaders.leader_view(indifferent_follower())
    leader = leaders.DeterministicLeader((0,) * len(view.game.observations[0]))
    strong, weak = (
        leaders.follower_response(view, leader, ties=t).returns for t in leaders.FollowerTies
    )
    assert (strong, weak) == ((7, 0), (-5, 0))


def indifferent_follower():
    return posg_from_tables(
        players=("leader", "follower"),
        actions=(("go",), ("left", "right")),
        initial={"fork": 1},
        transitions={
            ("fork", ("go", "left")): {"good": 1},
            ("fork", ("go", "right")): {"bad": 1},
            **{(s, ("go", b)): {s: 1} for s in ("good", "bad") for b in ("left", "right")},
        },
        rewards={
            **{("good", ("go", b), "good"): (7, 0) for b in ("left", "right")},
            **{("bad", ("go", b), "bad"): (-5, 0) for b in ("left", "right")},
        },
        horizon=2,
    )


@greedy
def test_twin_follower_who_does_not_see_the_state_gets_less():
    """A coin is tossed unseen: with the state she always guesses right, else half the time."""
    sides = ("heads", "tails")
    game = posg_from_tables(
        players=("leader", "follower"),
        actions=(("wait",), sides),
        initial=dict.fromkeys(sides, "1/2"),
        transitions={(s, ("wait", b)): {s: 1} for s in sides for b in sides},
        rewards={(s, ("wait", s), s): (0, 1) for s in sides},
        horizon=1,
    )
    view = leaders.leader_view(game)
    leader = leaders.DeterministicLeader((0,))
    assert leaders.follower_response(view, leader).returns[1] == 1
    stationary = leaders.follower_response(
        view, leader, follower_class=leaders.FollowerClass.STATIONARY
    )
    profile = (leaders.to_policy(view, leader), uniform_policies(game)[1])
    assert stationary.returns[1] == best_response_returns(game, profile)[1] == Fraction(1, 2)


@clockless
@given(st.data())
def test_clock_never_hurts_the_follower(data):
    view = data.draw(leaders.leader_games())
    leader = data.draw(
        st.one_of(leaders.deterministic_leaders(view), leaders.stochastic_leaders(view))
    )
    aware = leaders.follower_response(view, leader).returns[1]
    without = leaders.follower_response(
        view, leader, follower_class=leaders.FollowerClass.STATIONARY
    )
    assert without.returns[1] <= aware


@clockless
def test_twin_clock_pays_in_the_prisoners_dilemma():
    """The last round is for defecting; who does not know it is the last cooperates throughout."""
    view = leaders.leader_view(iterated_prisoners_dilemma())
    leader = leaders.leader_from_text(view, "10101")
    aware = leaders.follower_response(view, leader).returns
    stationary = leaders.follower_response(
        view, leader, follower_class=leaders.FollowerClass.STATIONARY
    ).returns
    assert (aware[1], stationary[1]) == (-11, -12)
    assert stationary[0] > aware[0]


@clockless
@pytest.mark.parametrize(
    ("name", "text", "defect"),
    [
        ("prisoners_dilemma", "01101", (1, 0, "4/25", 1, 0)),
        ("stag_hunt", "01101", (0, "4/25", 1, 0, 0)),
        ("noconflict", "01110", (0, "21/25", 0, 1, 0)),
        ("chicken", "01110", (1, 0, "21/25", 1, 1)),
    ],
)
def test_lottery_beats_every_deterministic_policy_without_a_clock(name, text, defect):
    """So the best deterministic stationary policy is no best response among stationary ones.

    The lottery is evaluated with the roles exchanged, where it is a leader's policy.
    """
    game = load_game(f"iterated_{name}")
    view, exchanged = leaders.leader_view(game), leaders.leader_view(game, leader=1)
    leader = leaders.leader_from_text(view, text)
    best = leaders.follower_response(
        view, leader, follower_class=leaders.FollowerClass.STATIONARY
    ).returns[1]
    lottery = leaders.StochasticLeader(tuple((1 - Fraction(p), Fraction(p)) for p in defect))
    reached, _ = leaders.leader_returns(
        exchanged, lottery, leaders.StationaryFollower(leader.actions)
    )
    assert best == -15
    assert reached > Fraction(-1465, 100)
    assert leaders.follower_response(view, leader).returns[1] >= reached
