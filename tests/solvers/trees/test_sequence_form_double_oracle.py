"""Double oracle in trees: values that are known, few sequences, budgets."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.arrays import object_array
from gametheory_core.catalog import goofspiel, kuhn_poker, leduc_poker
from gametheory_core.strategies import behavioral_profile, sequence_form
from gametheory_core.strategies.sequences import RealizationPlan
from gametheory_core.testing import extensive_form_games
from solvers import Budget, minimax, sequence_form_lp, solve
from solvers.trees import sequence_form_double_oracle
from solvers.trees.integer_plans import behavior, integer_plan


@pytest.mark.parametrize(
    ("build", "value"),
    [
        (kuhn_poker, Fraction(-1, 18)),
        (lambda: goofspiel(cards=3), Fraction(0)),
        (lambda: gt.load_game("one_card_poker"), None),
    ],
)
def test_known_values(build, value):
    tree = build()
    certificate = sequence_form_double_oracle(tree).solution.certificate
    certificate.verify()
    expected = sequence_form_lp(tree).certificate.game_value if value is None else value
    assert certificate.lower == certificate.upper == expected


def guess(numbers, *, total=0):
    """The second player names what the first has chosen; all but three choices are given away.

    Payoffs add up to ``total``.
    """
    ends = {a: {b: (0 if a < 3 and a != b else -1) for b in range(numbers)} for a in range(numbers)}
    choices = {
        f"{a}": gt.Decision(
            1, "unseen", {f"{b}": gt.Terminal([paid, total - paid]) for b, paid in own.items()}
        )
        for a, own in ends.items()
    }
    return gt.from_sketch(gt.Decision(0, "", choices), players=("Ann", "Bob"))


def test_few_of_many_sequences_are_looked_at():
    run = sequence_form_double_oracle(guess(40))
    assert run.solution.certificate.game_value == Fraction(-1, 3)
    assert run.solution.certificate.epsilon == 0
    assert max(run.rounds[-1].sizes) <= 5
    assert [len(own) for own in run.actions] == list(run.rounds[-1].sizes)


def test_constant_sums_are_shared():
    run = sequence_form_double_oracle(guess(5, total=7))
    assert run.rounds
    assert run.solution.payoffs == (Fraction(-1, 3), Fraction(22, 3))
    assert run.rounds[-1].lower == run.rounds[-1].upper == Fraction(-1, 3)


def test_a_run_is_stopped_with_bounds_and_goes_on():
    tree = goofspiel(cards=4)
    with pytest.raises(
        gt.NotConverged, match="the budget ended with epsilon .* after 4 rounds"
    ) as e:
        sequence_form_double_oracle(tree, budget=Budget(iterations=4))
    best = e.value.best
    best.solution.certificate.verify()
    assert best.solution.certificate.epsilon > 0
    assert best.solution.certificate.lower == best.rounds[-1].lower
    run = sequence_form_double_oracle(tree, start=best)
    assert run.solution.certificate.epsilon == 0
    assert set(best.actions[0]) <= set(run.actions[0])
    assert all(np.array(run.rounds[0].sizes) >= best.rounds[-1].sizes)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("unit", [10**400, Fraction(1e308), Fraction(5e-324), Fraction(1, 10**400)])
def test_payoffs_that_are_no_floats_are_solved(unit):
    rows = [[3, -1, 0], [-2, 2, 1], [0, 1, -1]]
    ends = [{f"{b}": gt.Terminal([unit * v, -unit * v]) for b, v in enumerate(row)} for row in rows]
    hidden = {f"{a}": gt.Decision(1, "unseen", own) for a, own in enumerate(ends)}
    tree = gt.from_sketch(gt.Decision(0, "", hidden), players=("Ann", "Bob"))
    run = sequence_form_double_oracle(tree)
    run.solution.certificate.verify()
    assert run.rounds
    assert run.solution.certificate.epsilon == 0
    plain = gt.NormalFormGame.zero_sum(rows)
    assert run.solution.certificate.game_value == unit * minimax(plain).certificate.game_value


@given(extensive_form_games(num_players=(2, 2), zero_sum=True), st.sampled_from([0.1, 0.5, 2.0]))
def test_payoffs_are_those_of_the_strategies(tree, tolerance):
    solution = sequence_form_double_oracle(tree, tolerance=tolerance).solution
    assert list(solution.payoffs) == gt.expected_payoffs(tree, solution.profile).tolist()


@given(extensive_form_games(num_players=(2, 2), zero_sum=True), st.integers(0, 2**32))
def test_plans_of_integers_are_plans(tree, seed):
    form, rng = sequence_form(tree), np.random.default_rng(seed)
    weights = [rng.integers(0, 3, own.num_sequences).astype(float) for own in form.players]
    plans = [integer_plan(own, own_w) for own, own_w in zip(form.players, weights, strict=True)]
    rational = tuple(
        RealizationPlan(i, object_array([Fraction(part, plan[0]) for part in plan]))
        for i, plan in enumerate(plans)
    )
    assert behavior(form, plans) == behavioral_profile(form, rational)


def test_starts_from_larger_trees_are_refused():
    start = sequence_form_double_oracle(kuhn_poker())
    with pytest.raises(gt.InvalidArgument, match="start.actions to be an integer from 0 to 2"):
        sequence_form_double_oracle(guess(2), start=start)


@pytest.mark.slow
def test_leduc_poker_exactly_and_to_a_tolerance():
    tree = leduc_poker()
    run = sequence_form_double_oracle(tree)
    assert run.solution.certificate.epsilon == 0
    assert np.isclose(float(run.solution.certificate.game_value), -0.0856064241)
    rough = sequence_form_double_oracle(tree, tolerance=0.5)
    assert 0 < rough.solution.certificate.epsilon <= 0.5
    assert len(rough.rounds) < len(run.rounds)


def test_it_is_asked_by_name():
    answer = solve(kuhn_poker(), "minimax", algorithm="sequence_form_double_oracle")
    assert str(answer.solutions[0].payoffs[0]) == "-1/18"


def test_other_trees_are_refused_with_what_takes_them():
    with pytest.raises(gt.UnsupportedGame, match=r"needs a zero-sum .* Try"):
        sequence_form_double_oracle(gt.load_game("beer_quiche"))
    with pytest.raises(gt.UnsupportedGame, match="needs perfect recall"):
        sequence_form_double_oracle(gt.load_game("forgetful_bit"))
