"""Zero-sum trees: known exact values, degenerate shapes, refusals."""

from fractions import Fraction

import pytest

from gametheory_core.catalog.goofspiel import goofspiel
from gametheory_core.catalog.liars_dice import liars_dice
from gametheory_core.catalog.poker import kuhn_poker, leduc_poker
from gametheory_core.errors import NotConverged, UnsupportedGame
from gametheory_core.games.sketch import Chance, Decision, Terminal, from_sketch
from solvers.solution import Budget
from solvers.trees.sequence_form_lp import sequence_form_lp

BOTH = ("Ann", "Bob")
LEDUC_VALUE = Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930)


@pytest.mark.parametrize(
    ("build", "value"),
    [
        (kuhn_poker, Fraction(-1, 18)),  # Kuhn 1950
        (leduc_poker, LEDUC_VALUE),  # float solvers agree: -0.0856064
        (goofspiel, Fraction(0)),  # symmetric
        (liars_dice, Fraction(1, 16)),
    ],
)
def test_value_of_a_classic_is_exact(build, value):
    certificate = sequence_form_lp(build()).certificate
    certificate.verify()
    assert certificate.epsilon == 0
    assert certificate.game_value == value


@pytest.mark.parametrize(
    ("root", "value"),
    [
        (Terminal([3, -3]), 3),
        (Chance({"a": ("1/3", Terminal([3, -3])), "b": ("2/3", Terminal([0, 0]))}), 1),
        (Decision(0, "", {"only": Terminal([0, 0])}), 0),
        (Decision(1, "", {"a": Terminal([2, -2]), "b": Terminal([1, -1])}), 1),
        (Decision(0, "", {"a": Terminal([2, 3]), "b": Terminal([1, 4])}), 2),
    ],
)
def test_degenerate_tree_is_solved(root, value):
    certificate = sequence_form_lp(from_sketch(root, players=BOTH)).certificate
    certificate.verify()
    assert (certificate.lower, certificate.upper) == (value, value)


def test_ended_budget_gives_the_best_so_far():
    with pytest.raises(NotConverged, match="the budget ended with epsilon") as caught:
        sequence_form_lp(kuhn_poker(), budget=Budget(seconds=0.0))
    caught.value.best.certificate.verify()


def test_tolerance_is_kept():
    certificate = sequence_form_lp(leduc_poker(), tolerance=1e-6).certificate
    certificate.verify()
    assert certificate.lower <= LEDUC_VALUE <= certificate.upper
    assert certificate.epsilon <= Fraction(1, 10**6)


def test_third_player_is_refused():
    tree = from_sketch(Terminal([0, 0, 0]), players=(*BOTH, "Cyd"))
    with pytest.raises(UnsupportedGame, match="sequence_form_lp: needs two players"):
        sequence_form_lp(tree)


def test_changing_sum_is_refused():
    tree = from_sketch(
        Decision(0, "", {"a": Terminal([1, 1]), "b": Terminal([1, 0])}), players=BOTH
    )
    with pytest.raises(UnsupportedGame, match=r"play \('b',\) sum to 1, not 2"):
        sequence_form_lp(tree)


def test_forgetting_is_refused_with_the_histories():
    tree = from_sketch(
        Decision(
            0,
            "first",
            {
                a: Decision(0, "again", {b: Terminal([int(a == b), -int(a == b)]) for b in "LR"})
                for a in "LR"
            },
        ),
        players=BOTH,
    )
    with pytest.raises(UnsupportedGame, match="needs perfect recall, but player 'Ann' forgets"):
        sequence_form_lp(tree)
