"""Koller, Megiddo and von Stengel 1994: the sequence form has the value of the normal form.

For two-player zero-sum trees with perfect recall, the value found over realization plans equals
that of the normal form over pure plans, by a program that is linear in the size of the tree. On
generated trees with chance and moves unseen, in rationals, without tolerance. Twins: where a player
forgets, sequences promise more than plans can keep; without a constant sum equilibria of one tree
pay differently (both kinds of tree are refused); and the normal form is exponential in the tree.

Why it matters (trees): Zero-sum trees are solved by a linear program of their own size: the
library's solver for poker rests on it.
"""

from fractions import Fraction

import pytest
from hypothesis import given

import gametheory_core as gt
from gametheory_core.catalog import forgetful_bit
from gametheory_core.strategies import sequence_form
from gametheory_core.testing import PayoffKind, extensive_form_games, zero_sum_games
from solvers import minimax, sequence_form_lp, vertex_enumeration
from solvers.reduced_normal_form import all_through_normal_form
from solvers.trees.sequence_program import sequence_program

OVER = gt.Terminal([0, 0])

theorem = pytest.mark.theorem(
    source="Koller, Megiddo and von Stengel 1994",
    statement="With perfect recall, a zero-sum tree has the value of its normal form.",
)


@theorem
@given(extensive_form_games(zero_sum=True, kinds=tuple(PayoffKind)))
def test_tree_and_normal_form_have_one_value(tree):
    solution = sequence_form_lp(tree)
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    normal = minimax(gt.extensive_to_normal(tree).target)
    assert solution.certificate.game_value == normal.certificate.game_value


@theorem
@given(zero_sum_games(kinds=tuple(PayoffKind)))
def test_simultaneous_moves_have_the_value_of_their_matrix(game):
    """The second player moves at one information set: nothing of the first move is seen."""

    def second(a):
        ends = {
            f"b{b}": gt.Terminal(paid) for b, paid in enumerate(game.exact_payoffs[:, a].T.tolist())
        }
        return gt.Decision(1, "unseen", ends)

    first = {f"a{a}": second(a) for a in range(game.num_actions[0])}
    tree = gt.from_sketch(gt.Decision(0, "first", first), players=game.players)
    solution = sequence_form_lp(tree)
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    assert solution.certificate.game_value == minimax(game).certificate.game_value


@theorem
@given(extensive_form_games(zero_sum=True))
def test_the_program_is_linear_in_the_tree(tree):
    program = sequence_program(sequence_form(tree)).exact
    sets = tree.num_decision_infosets
    sequences = int(tree.action_offset[sets])  # those of one action and more
    assert program.num_rows + program.num_columns == sequences + 2 + sets + 2
    assert len(program.values) <= len(tree.terminals) + sequences + 2 + sets + 2


@theorem
def test_the_normal_form_is_exponential_in_the_tree():
    """Twelve cards, two actions at each: 25 sequences, and 4096 plans."""
    cards = 12
    deals = {
        str(c): (
            Fraction(1, cards),
            gt.Decision(0, f"card {c}", {"l": gt.Terminal([c, -c]), "r": OVER}),
        )
        for c in range(cards)
    }
    tree = gt.from_sketch(gt.Chance(deals), players=("Ann", "Bob"))
    assert sequence_form(tree).players[0].num_sequences == 2 * cards + 1
    assert gt.extensive_to_normal(tree).target.num_actions[0] == 2**cards
    normal = minimax(gt.extensive_to_normal(tree).target).certificate
    assert sequence_form_lp(tree).certificate.game_value == normal.game_value == Fraction(11, 2)


@theorem
def test_without_recall_the_tree_is_refused():
    with pytest.raises(gt.UnsupportedGame, match="needs perfect recall"):
        sequence_form_lp(forgetful_bit())


def bit_remembered():
    """The forgetful bit with the guess told apart by own history, as sequences tell it apart."""

    def seen(bit):
        guess = {g: gt.Terminal([1, -1] if g == bit else [0, 0]) for g in ("0", "1")}
        return gt.Decision(0, f"sees {bit}", {"look away": gt.Decision(0, f"after {bit}", guess)})

    children = {bit: ("1/2", seen(bit)) for bit in ("0", "1")}
    return gt.from_sketch(gt.Chance(children), players=("Forgetful", "Payer"))


@theorem
def test_without_recall_plans_over_own_histories_promise_too_much():
    """Sequences are own histories, and would let the guess depend on the forgotten bit."""
    promised = sequence_form_lp(bit_remembered()).certificate.game_value
    possible = minimax(gt.extensive_to_normal(forgetful_bit()).target).certificate.game_value
    assert (possible, promised) == (Fraction(1, 2), 1)


@theorem
def test_without_a_constant_sum_equilibria_pay_differently():
    """No number is the value of the tree, so there is none to find: it is refused."""
    paid = {"ballet": {"ballet": [2, 1], "boxing": [0, 0]}}
    paid["boxing"] = {"ballet": [0, 0], "boxing": [1, 2]}
    second = {
        a: gt.Decision(1, "unseen", {b: gt.Terminal(paid[a][b]) for b in paid[a]}) for a in paid
    }
    tree = gt.from_sketch(gt.Decision(0, "first", second), players=("Ann", "Bob"))
    equilibria = all_through_normal_form(tree, vertex_enumeration).equilibria
    for equilibrium in equilibria:
        equilibrium.certificate.verify()
        assert equilibrium.certificate.epsilon == 0
    assert sorted(equilibrium.payoffs[0] for equilibrium in equilibria) == [Fraction(2, 3), 1, 2]
    with pytest.raises(gt.UnsupportedGame, match="needs a zero-sum"):
        sequence_form_lp(tree)
