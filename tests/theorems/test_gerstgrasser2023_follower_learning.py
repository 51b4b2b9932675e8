"""Gerstgrasser and Parkes 2023, appendices C.3 and C.4: what a learning follower must not change.

If the leader is paid while the follower still learns, the problem is another one and the leader
may prefer a policy that is learned fast. If learning does not start anew in each episode, the
leader may never see the better policy's reward. Both in a battle of the sexes, with a follower that
learns by Q-learning on a fixed schedule, in rationals.

Why it matters (followers): Two shortcuts that look harmless in code, paying the leader during
learning and not resetting the follower, change the problem that is solved.
"""

from fractions import Fraction

import pytest

from gametheory_core import NormalFormGame, leaders
from gametheory_core.conversions import normal_to_posg
from solvers.leaders import GreedyTies, q_learning_queries
from tests.theorems.leader_problem_values import LEMMA, problem_value

SOURCE = "Gerstgrasser and Parkes 2023"
paying = pytest.mark.theorem(
    source=SOURCE, statement="The leader must not be paid while the follower learns."
)
resetting = pytest.mark.theorem(
    source=SOURCE, statement="The follower's learning must start anew in each episode."
)


def rows(view):
    """The two pure policies of the leader, row A first."""
    return sorted(leaders.leader_policies(view), key=lambda pi: max(pi.actions))


def slow_and_fast(penalty, steps):
    """Row A pays 2 but is learned slowly; row B pays 1 and is what the follower starts with."""
    game = NormalFormGame.bimatrix([[2, -penalty], [-penalty, 1]], [["1/10", 0], [0, 2]])
    view = leaders.leader_view(normal_to_posg(game).target)
    oracle = q_learning_queries(
        view,
        episodes=steps,
        rate=Fraction(1, 10),
        initial=((Fraction(0), Fraction(2)),),
        explore_every=5,
        ties=GreedyTies.LAST,
    )
    return view, oracle


def learning_and_final(view, oracle):
    """For each row, what the leader is paid while the follower learns, and after."""
    final = leaders.leader_problem(view, oracle, max_states=None).target
    total = leaders.leader_problem(view, oracle, reward_queries=True, max_states=None).target
    values = [(problem_value(total, pi), problem_value(final, pi)) for pi in rows(view)]
    return [(whole - last, last) for whole, last in values]


@LEMMA
@paying
@pytest.mark.parametrize(
    ("penalty", "steps", "row_a", "row_b"),
    [(0, 60, (44, 2), (48, 1)), (1, 60, (6, 2), (36, 1)), (1, 80, (34, 2), (48, 1))],
)
def test_pay_during_learning_twin(penalty, steps, row_a, row_b):
    view, oracle = slow_and_fast(penalty, steps)
    assert learning_and_final(view, oracle) == [row_a, row_b]
    assert row_a[1] > row_b[1]
    assert sum(row_a) < sum(row_b)
    for pi in rows(view):  # the follower has learned to respond best: condition 1 holds
        assert (
            leaders.oracle_returns(view, oracle, pi) == leaders.follower_response(view, pi).returns
        )


@paying
def test_long_learning_hides_the_flaw():
    view, oracle = slow_and_fast(0, 200)
    assert learning_and_final(view, oracle) == [(268, 2), (160, 1)]


@LEMMA
@paying
@pytest.mark.parametrize("steps", [20, 40])
def test_short_learning_twin(steps):
    """The follower does not respond best yet: condition 1 of the lemma fails, the argmax flips."""
    view, oracle = slow_and_fast(0, steps)
    slow, fast = rows(view)
    assert leaders.oracle_returns(view, oracle, slow)[0] == 0
    assert leaders.oracle_returns(view, oracle, fast)[0] == 1
    assert leaders.follower_response(view, slow).returns[0] == 2


def three_steps(view, table):
    """A follower that learns for three steps from a table."""
    return q_learning_queries(
        view, episodes=3, rate=Fraction(1, 2), initial=table, explore_every=3, ties=GreedyTies.LAST
    )


def after_learning(view, policy, table):
    """What the leader then gets, and the table learned."""
    oracle = three_steps(view, table)
    action = view.game.actions[0][max(policy.actions)]
    ((state, _),) = leaders.halting_states(oracle, lambda _: action)
    return problem_value(leaders.leader_problem(view, oracle).target, policy), state.table


@pytest.fixture(name="battle")
def make_battle():
    game = NormalFormGame.bimatrix([[2, 0], [0, 1]], [[1, 0], [0, 2]])
    return leaders.leader_view(normal_to_posg(game).target)


@resetting
def test_a_fresh_table_shows_the_better_row(battle):
    blank = ((Fraction(0), Fraction(0)),)
    assert [after_learning(battle, pi, blank)[0] for pi in rows(battle)] == [2, 1]


@resetting
def test_kept_table_twin(battle):
    """After row B, one episode of row A pays 0; only a second one in a row pays 2."""
    better, worse = rows(battle)
    kept = ((Fraction(0), Fraction(2)),)
    assert after_learning(battle, worse, kept) == (1, kept)
    once, table = after_learning(battle, better, kept)
    assert once == 0
    assert after_learning(battle, better, table)[0] == 2
