"""Letchford and Conitzer 2010: commitment in trees of perfect information, pure and mixed.

(1) Without chance moves, commitment to a pure strategy, ties broken for the leader, is worth at
least backward induction, and commitment to a behavioral one at least that. (2) Dynamic programming
over payoffs of subtrees finds both in polynomial time; what it finds is what the exponential normal
form has. Checked in rationals on generated trees.

Why it matters (commitment): Where everything is seen and nothing drawn, optimal commitment is as
quick to find as backward induction.
"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import solvers
from gametheory_core import Decision, Terminal, extensive_to_normal, from_sketch
from gametheory_core.certificates import CommitmentKind
from gametheory_core.testing import extensive_form_games

SOURCE = "Letchford and Conitzer 2010"
order = pytest.mark.theorem(
    source=SOURCE,
    statement="Under perfect information: backward induction <= pure <= behavioral commitment.",
)
program = pytest.mark.theorem(
    source=SOURCE,
    statement="Payoffs of subtrees suffice to find optimal commitments in open trees.",
)
LEADERS = st.sampled_from([0, 1])
BOTH = ("Firm", "Buyer")
open_trees = extensive_form_games(
    num_players=(2, 2), perfect_information=True, has_chance=False, max_depth=5, max_moves=10
)


def value(game, leader, kind):
    solution = solvers.perfect_information_commitment(game, leader=leader, commitment=kind)
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    return solution.payoffs[leader]


def trust():
    reward = Decision(0, "trusted", {"keep": Terminal([3, -1]), "share": Terminal([1, 1])})
    return from_sketch(Decision(1, "", {"no": Terminal([0, 0]), "yes": reward}), players=BOTH)


@order
@given(open_trees, LEADERS)
def test_mixing_is_worth_at_least_pure_commitment_and_that_at_least_none(game, leader):
    pure, mixed = (value(game, leader, kind) for kind in CommitmentKind)
    assert solvers.backward_induction(game).payoffs[leader] <= pure <= mixed


@order
def test_all_three_can_differ():
    game = trust()
    pure, mixed = (value(game, 0, kind) for kind in CommitmentKind)
    assert (solvers.backward_induction(game).payoffs[0], pure, mixed) == (0, 1, 2)


@order
def test_hostile_follower_twin():
    """If ties break against the leader, backward induction may pay more than commitment."""
    tree = Decision(1, "", {"kind": Terminal([2, 0]), "unkind": Terminal([0, 0])})
    game = from_sketch(tree, players=BOTH)
    assert solvers.backward_induction(game).payoffs[0] == 2
    assert solvers.weak_stackelberg(extensive_to_normal(game).target).payoffs[0] == 0


@order
def test_being_led_twin():
    """It is the leader who gains: the follower may lose against backward induction."""
    game = from_sketch(
        Decision(
            1,
            "",
            {
                "out": Terminal([4, 0]),
                "in": Decision(0, "in", {"fight": Terminal([0, -1]), "share": Terminal([2, 1])}),
            },
        ),
        players=("Old", "New"),
    )
    led = solvers.perfect_information_commitment(game)
    assert solvers.backward_induction(game).payoffs == (2, 1)
    assert led.payoffs == (4, 0)
    assert value(game, 1, CommitmentKind.BEHAVIORAL) == 1  # it matters who commits


@program
@given(open_trees, LEADERS)
def test_payoffs_of_subtrees_suffice(game, leader):
    expected = solvers.strong_stackelberg(extensive_to_normal(game).target, leader=leader)
    assert value(game, leader, CommitmentKind.BEHAVIORAL) == expected.payoffs[leader]


@program
def test_hidden_move_twin():
    """An unseen move is answered once for both, and no subtree says what that is worth."""

    def game(*labels):
        answers = {
            "u": {"l": Terminal([5, 1]), "r": Terminal([0, 2])},
            "d": {"l": Terminal([3, 4]), "r": Terminal([4, 0])},
        }
        moves = {a: Decision(1, label, answers[a]) for a, label in zip("ud", labels, strict=True)}
        return from_sketch(Decision(0, "", moves), players=BOTH)

    assert value(game("after u", "after d"), 0, CommitmentKind.BEHAVIORAL) == 3
    assert solvers.extensive_stackelberg(game("somewhere", "somewhere")).payoffs[0] == Fraction(
        23, 5
    )
