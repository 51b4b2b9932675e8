"""Zero-sum trees: known exact values, degenerate shapes, refusals."""

import random
import time
from fractions import Fraction

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core.catalog import (
    OshiZumoRules,
    goofspiel,
    goofspiel_points,
    kuhn_poker,
    leduc_poker,
    liars_dice,
    random_tree,
)
from gametheory_core.games import lay_out_rules
from solvers import Budget, quasi_perfect, sequence_form_lp
from tests.solvers.trees.trees import with_payoffs
from tests.solvers.useless_floats import USELESS, float_solves

BOTH = ("Ann", "Bob")
LEDUC_6_VALUE = Fraction(
    -318316018936505055995424450545100470555555281, 3044815867409980405093176184584827956368717240
)
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
        (gt.Terminal([3, -3]), 3),
        (gt.Chance({"a": ("1/3", gt.Terminal([3, -3])), "b": ("2/3", gt.Terminal([0, 0]))}), 1),
        (gt.Decision(0, "", {"only": gt.Terminal([0, 0])}), 0),
        (gt.Decision(1, "", {"a": gt.Terminal([2, -2]), "b": gt.Terminal([1, -1])}), 1),
        (gt.Decision(0, "", {"a": gt.Terminal([2, 3]), "b": gt.Terminal([1, 4])}), 2),
    ],
)
def test_degenerate_tree_is_solved(root, value):
    certificate = sequence_form_lp(gt.from_sketch(root, players=BOTH)).certificate
    certificate.verify()
    assert (certificate.lower, certificate.upper) == (value, value)


def test_tolerance_is_kept():
    certificate = sequence_form_lp(leduc_poker(), tolerance=1e-6).certificate
    certificate.verify()
    assert certificate.lower <= LEDUC_VALUE <= certificate.upper
    assert certificate.epsilon <= Fraction(1, 10**6)


@pytest.mark.parametrize(
    ("build", "value"),
    [
        pytest.param(lambda: leduc_poker(ranks=6), LEDUC_6_VALUE, marks=pytest.mark.slow),
        pytest.param(lambda: liars_dice(sides=6), Fraction(-7, 258), marks=pytest.mark.slow),
        (lambda: goofspiel(cards=5), Fraction(0)),  # symmetric
        pytest.param(lambda: goofspiel_points(cards=5), Fraction(0), marks=pytest.mark.slow),
    ],
)
def test_large_classics_are_solved_exactly(build, value):
    """Found here; the float interior-point method of HiGHS agrees to nine digits."""
    certificate = sequence_form_lp(build()).certificate
    certificate.verify()
    assert (certificate.lower, certificate.upper) == (value, value)


NUMBERS = random.Random(5)  # noqa: S311 no secret
HARD_PAYOFFS = {
    "floats": lambda k: Fraction(NUMBERS.gauss(0, 1)),
    "thirds": lambda k: Fraction(NUMBERS.randint(-9, 9), 3),
    "over twelve orders of magnitude": lambda k: Fraction((-1) ** k * 10 ** (7 * k % 13)),
    "equal but for the ninth digit": lambda k: (-1) ** k + Fraction(NUMBERS.randint(-9, 9), 10**9),
    "equal but for what floats hold": lambda k: (-1) ** k + Fraction(k % 7 - 3, 10**30),
    "beyond floats": lambda k: Fraction((-1) ** k * 10**400 * (k % 5 + 1)),
}


@pytest.mark.parametrize("kind", HARD_PAYOFFS)
def test_payoffs_that_mislead_floats_are_solved_exactly(kind):
    tree = liars_dice(sides=3)
    paid = map(HARD_PAYOFFS[kind], range(len(tree.terminals)))
    tree = with_payoffs(tree, [(value, -value) for value in paid])
    certificate = sequence_form_lp(tree, budget=Budget(seconds=60)).certificate
    certificate.verify()
    assert certificate.epsilon == 0


def test_large_tree_meets_its_tolerance_without_exact_solving(monkeypatch):
    monkeypatch.setattr("solvers.trees.linear_program.refine", None)  # would fail if called
    tolerance = 1e-8
    certificate = sequence_form_lp(leduc_poker(ranks=6), tolerance=tolerance).certificate
    certificate.verify()
    assert certificate.lower <= LEDUC_6_VALUE <= certificate.upper
    assert certificate.epsilon <= Fraction(tolerance)
    assert max(v.denominator for v in certificate.profile.flat.tolist()) <= 2**50


def test_tolerance_beyond_floats_is_kept_by_exact_solving():
    certificate = sequence_form_lp(leduc_poker(), tolerance=1e-300).certificate
    certificate.verify()
    assert certificate.epsilon <= Fraction(1, 10**300)


def test_progress_is_reported_within_the_float_solve_and_can_stop_it():
    tree = leduc_poker(ranks=6)
    reports = []

    def stop(progress):
        reports.append(progress.done)
        if len(reports) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="^$"):
        sequence_form_lp(tree, on_iteration=stop)
    assert reports == sorted(reports)
    assert 0 < reports[-1] < 10_000


def test_time_limit_holds_within_the_float_solve():
    tree = leduc_poker(ranks=6)
    before = time.perf_counter()
    with pytest.raises(gt.NotConverged, match="the budget ended with epsilon") as caught:
        sequence_form_lp(tree, budget=Budget(seconds=0.1))
    assert time.perf_counter() - before < 10  # of about half a second, on a busy machine
    caught.value.best.certificate.verify()


def test_program_beyond_memory_is_refused_with_the_estimate():
    with pytest.raises(
        gt.UnsupportedGame, match=r"5\.411 MiB of memory for the 9,457 nodes .*at most 1 MiB"
    ):
        sequence_form_lp(leduc_poker(), budget=Budget(memory=2**20))


@USELESS
@pytest.mark.parametrize("solver", [sequence_form_lp, quasi_perfect])
def test_minimax_strategies_do_not_rest_on_floats(solver, useless):
    for seed in range(4):
        game = random_tree(rng=np.random.default_rng(seed), depth=4, zero_sum=True)
        expected = sequence_form_lp(game).payoffs
        with float_solves(useless):
            found = solver(game)
        found.certificate.verify()
        assert found.payoffs == expected


def test_estimate_of_memory_counts_actions_where_most_nodes_are_information_sets():
    tree = lay_out_rules(OshiZumoRules(coins=6))  # 2,612 nodes
    actions = int(tree.action_offset[-1])
    assert 1_100 * actions > 600 * tree.num_nodes
    with pytest.raises(gt.UnsupportedGame, match=r"2\.178 MiB of memory .*at most 1 MiB"):
        sequence_form_lp(tree, budget=Budget(memory=2**20))
