"""Budgets are checked where they are made, and answers are summed up in a line."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import InvalidArgument
from gametheory_core.catalog import load
from solvers import Budget, Solution, lemke_howson, pure, solve, vertex_enumeration
from solvers.solution import RunRecord


@pytest.mark.parametrize("value", [-1, float("nan"), "a", True, [1]])
@pytest.mark.parametrize("name", ["seconds", "iterations"])
def test_impossible_limit_is_refused_by_name_and_value(name, value):
    with pytest.raises(InvalidArgument, match=f"needs {name} of at least 0, or None for no limit"):
        Budget(**{name: value})


def test_limits_may_be_zero_or_absent():
    assert Budget(seconds=0.0, iterations=None).seconds == 0.0


def test_budgets_count_whole_iterations():
    with pytest.raises(
        InvalidArgument, match=r"needs iterations of at least 0.* but got 1\.5. Give a whole"
    ):
        Budget(iterations=1.5)
    assert Budget(seconds=1.5, iterations=np.int64(3)).iterations == 3


def test_solution_is_a_line():
    found = lemke_howson(load("stag_hunt"))
    payoffs = ", ".join(map(str, found.payoffs))
    assert repr(found) == (
        f"Solution(by lemke_howson: MixedProfile, payoffs ({payoffs}), NashCertificate, epsilon 0)"
    )


def test_long_numbers_and_many_payoffs_are_shortened_in_a_solution():
    long = (Fraction(10**30 + 1, 3 * 10**30),) * 40
    text = repr(Solution(None, long, None, RunRecord("by_hand", seconds=0.0)))
    shown = ", ".join(["≈0.3333"] * 6)
    assert text == f"Solution(by by_hand: NoneType, payoffs ({shown}, ...), NoneType)"


@pytest.mark.parametrize(
    ("find", "text"),
    [
        (vertex_enumeration, "SolutionSet(by vertex_enumeration: 3 equilibria of {}, complete)"),
        (pure, "SolutionSet(by pure: 2 equilibria of {}, complete)"),
    ],
)
def test_set_of_equilibria_is_a_line(find, text):
    game = load("chicken")
    assert repr(find(game)) == text.format(repr(game))


@pytest.mark.parametrize(
    ("name", "concept", "text"),
    [
        (
            "stag_hunt",
            "all-nash",
            "Answer(all-nash by vertex_enumeration: 3 solutions of {}, complete)",
        ),
        ("prisoners_dilemma", "nash", "Answer(nash by lemke_howson: 1 solution of {})"),
        (
            "prisoners_dilemma",
            "dominance",
            "Answer(dominance by iterated_dominance: 1 solution of {})",
        ),
    ],
)
def test_answer_is_a_line(name, concept, text):
    game = load(name)
    assert repr(solve(game, concept)) == text.format(repr(game))
