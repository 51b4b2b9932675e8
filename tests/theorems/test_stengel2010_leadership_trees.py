"""Von Stengel and Zamir 2010, in trees: leading is worth at least as much as any equilibrium.

(1) In a two-player tree of perfect recall the optimal commitment, ties of the follower broken for
the leader, pays the leader at least what each Nash equilibrium does. (2) In zero-sum trees it pays
exactly the value of the game. Checked in rationals on generated trees with chance, hidden moves and
ties; the extreme equilibria of the reduced normal form stand for all, as payoffs are linear on the
convex sets between them.

Why it matters (commitment): The advantage of the leader is not lost in trees, though commitment
there is hard to compute.
"""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.conversions import count_plans
from gametheory_core.games import has_perfect_recall
from gametheory_core.testing import extensive_form_games
from solvers import extensive_stackelberg, sequence_form_lp, vertex_enumeration, weak_stackelberg
from tests.theorems.forgetful_leader import behavioral_value, two_bits

SOURCE = "von Stengel and Zamir 2010"
leading = pytest.mark.theorem(
    source=SOURCE, statement="In trees of perfect recall the leader gets at least any Nash payoff."
)
zero_sum = pytest.mark.theorem(
    source=SOURCE, statement="In zero-sum trees leading is worth the value of the game."
)
LEADERS = st.sampled_from([0, 1])


def value(game, leader):
    solution = extensive_stackelberg(game, leader=leader)
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    return solution.payoffs[leader]


def nash_payoffs(game, leader):
    found = vertex_enumeration(gt.extensive_to_normal(game).target).equilibria
    assert found
    return [solution.payoffs[leader] for solution in found]


@leading
@given(extensive_form_games(num_players=(2, 2), max_moves=8), LEADERS)
def test_leader_gets_at_least_every_nash_payoff(game, leader):
    assume(count_plans(game, 0) <= 12 and count_plans(game, 1) <= 12)
    assert value(game, leader) >= max(nash_payoffs(game, leader))


@leading
def test_hostile_follower_twin():
    """If ties break against the leader, an equilibrium may pay more."""
    tree = gt.Decision(1, "", {"kind": gt.Terminal([2, 0]), "unkind": gt.Terminal([0, 0])})
    game = gt.from_sketch(tree, players=("Ann", "Bob"))
    weak = weak_stackelberg(gt.extensive_to_normal(game).target).payoffs[0]
    assert weak == 0 < max(nash_payoffs(game, 0)) == 2 == value(game, 0)


@leading
def test_forgetful_leader_twin():
    """A leader who forgets wins a quarter by behavioral commitments; an equilibrium, half."""
    game = two_bits()
    assert not has_perfect_recall(game, player=0)
    normal = gt.extensive_to_normal(game).target
    half = Fraction(1, 2)
    plans = [half if plan in ("00", "11") else 0 for plan in normal.actions[0]]
    equilibrium = gt.MixedProfile((plans, [half, half]))
    assert gt.certify_nash(normal, equilibrium).epsilon == 0
    assert gt.expected_payoffs(normal, equilibrium)[0] == half
    assert behavioral_value() == Fraction(1, 4) < half


@leading
def test_leading_can_be_worth_more_than_all_equilibria():
    reward = gt.Decision(0, "trusted", {"keep": gt.Terminal([3, -1]), "share": gt.Terminal([1, 1])})
    trust = gt.Decision(1, "", {"no": gt.Terminal([0, 0]), "yes": reward})
    game = gt.from_sketch(trust, players=("Firm", "Buyer"))
    assert value(game, 0) == 2 > max(nash_payoffs(game, 0)) == 0


@zero_sum
@given(extensive_form_games(zero_sum=True, max_moves=10), LEADERS)
def test_zero_sum_trees_are_worth_their_value(game, leader):
    assert value(game, leader) == sequence_form_lp(game).payoffs[leader]


@zero_sum
def test_general_sum_twin():
    """Elsewhere leading may be worth more than what one can secure."""
    entry = gt.Decision(0, "in", {"fight": gt.Terminal([0, -1]), "share": gt.Terminal([2, 1])})
    game = gt.from_sketch(
        gt.Decision(1, "", {"out": gt.Terminal([4, 0]), "in": entry}), players=("Old", "New")
    )
    opposed = gt.from_sketch(
        gt.Decision(
            1,
            "",
            {
                "out": gt.Terminal([4, -4]),
                "in": gt.Decision(
                    0, "in", {"fight": gt.Terminal([0, 0]), "share": gt.Terminal([2, -2])}
                ),
            },
        ),
        players=("Old", "New"),
    )
    assert value(game, 0) == 4 > sequence_form_lp(opposed).payoffs[0] == 2
