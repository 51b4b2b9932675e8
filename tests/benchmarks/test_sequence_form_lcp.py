"""The benchmark's functions run, and its contenders pay alike where they must. Nothing is timed."""

from fractions import Fraction

import pytest

from gametheory_core.games.properties import has_perfect_recall, is_constant_sum
from solvers.trees.sequence_form_lcp import sequence_form_lcp
from tests.benchmarks.sequence_form_lcp import by_gambit, general_sum_tree, peer_tree, rows, trees

pytestmark = pytest.mark.peer


def test_trees_are_general_sum_with_recall():
    for name, game in trees().items():
        assert has_perfect_recall(game)
        assert bool(is_constant_sum(game)) == (name == "Kuhn poker")


def test_contenders_find_the_value_of_kuhn_poker():
    pytest.importorskip("pygambit")
    game = trees()["Kuhn poker"]
    theirs = peer_tree(game)
    (found,) = by_gambit(theirs, rational=True)
    value = Fraction(str(found.payoff(next(iter(theirs.players)))))
    assert sequence_form_lcp(game).payoffs[0] == value == Fraction(-1, 18)


def test_contenders_solve_a_drawn_tree():
    pytest.importorskip("pygambit")
    game = general_sum_tree(3, 2)
    assert sequence_form_lcp(game).certificate.epsilon == 0
    assert len(by_gambit(peer_tree(game), rational=True)) == 1


def test_rows_name_each_comparison_once():
    pytest.importorskip("pygambit")
    found = rows(sizes=((4, 2),), rounds=1)
    assert len({(row.task, row.peer_name) for row in found}) == len(found) == 4
    assert all(row.ours > 0 for row in found)
