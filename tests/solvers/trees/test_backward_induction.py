"""Backward induction: the recursion's payoffs, exact comparisons, wide and deep trees."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from gametheory_core import Chance, Decision, NotConverged, Terminal, from_sketch
from gametheory_core.games import lay_out
from solvers import Budget, backward_induction
from tests.sample_sizes import many
from tests.solvers.trees.trees import recursive_payoffs, sketches, tree_of

PAIR = ("Ann", "Bob")


def actions(solution):
    return [int(np.argmax(vector)) for vector in solution.profile.probabilities]


@many
@given(sketches())
def test_payoffs_equal_plain_recursion(sketch):
    solution = backward_induction(tree_of(sketch))
    solution.certificate.verify()
    assert solution.payoffs == recursive_payoffs(sketch)
    assert all(sorted(set(v.tolist())) in ([0, 1], [1]) for v in solution.profile.probabilities)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("1", "1.0000000000000000000000000000001"),
        (str(10**40), str(10**40 + 1)),
        ("1e-400", "2e-400"),
        (str(2**63 - 1), str(2**63)),
    ],
)
def test_comparisons_are_exact(first, second):
    """Floats cannot tell these numbers apart."""
    leaves = {"a": Terminal([first, 0]), "b": Terminal([second, 0])}
    game = from_sketch(Decision(0, "", leaves), players=PAIR)
    assert actions(backward_induction(game)) == [1]


def test_chance_is_averaged_exactly():
    """A third of 1 beats 333/1000."""
    lottery = Chance({"hit": ("1/3", Terminal([1, 0])), "miss": ("2/3", Terminal([0, 0]))})
    sure = Terminal(["0.333", 0])
    game = from_sketch(Decision(0, "", {"sure": sure, "lottery": lottery}), players=PAIR)
    assert backward_induction(game).payoffs == (Fraction(1, 3), 0)


def test_tree_of_one_node():
    game = from_sketch(Terminal(["1/2", 3]), players=PAIR)
    assert backward_induction(game).payoffs == (Fraction(1, 2), 3)


def test_deep_tree():
    """A centipede of 5,000 rounds: stopping at once, although 5,000 were to be had."""

    def expand(position):
        if position < 0:
            round_ = -position
            return Terminal([round_ + 1, round_ - 1][:: 1 if round_ % 2 else -1])
        following = position + 1 if position < 5000 else -5001
        return Decision(position % 2, position, {"go": following, "stop": -(position + 1)})

    game = lay_out(0, expand=expand, players=PAIR)
    solution = backward_induction(game)
    assert solution.payoffs == (2, 0)
    assert solution.run.iterations == 5002


def test_wide_tree():
    """Thirteen bits, one after the other; the last mover chooses the parity."""

    def expand(position):
        depth, bits = position
        if depth == 13:
            return Terminal([1, -1] if bits.bit_count() % 2 else [-1, 1])
        following = {"0": (depth + 1, 2 * bits), "1": (depth + 1, 2 * bits + 1)}
        return Decision(depth % 2, position, following)

    game = lay_out((0, 0), expand=expand, players=PAIR)
    assert game.num_nodes == 2**14 - 1
    assert backward_induction(game).payoffs == (1, -1)


def test_budget_ends_with_first_actions_and_their_distance_from_equilibrium():
    choices = {"bad": Terminal([0, 0]), "good": Terminal([3, 0])}
    with pytest.raises(NotConverged, match="needs all 2 levels of the tree") as error:
        backward_induction(
            from_sketch(Decision(0, "", choices), players=PAIR), budget=Budget(iterations=1)
        )
    error.value.best.certificate.verify()
    assert error.value.best.certificate.epsilon == 3
