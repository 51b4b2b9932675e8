"""The program over plans, against its definition written entry by entry; exact and float alike."""

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from gametheory_core import Decision, Terminal, from_sketch
from gametheory_core.catalog import kuhn_poker, leduc_poker
from gametheory_core.strategies import sequence_form
from gametheory_core.testing import PayoffKind, extensive_form_games
from solvers._programs import refinement
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import Basis, FloatOutcome, solve_float
from solvers._programs.refinement import refine, solve_model
from solvers.trees.sequence_program import sequence_program
from tests.solvers.trees.trees import with_payoffs

TREES = extensive_form_games(zero_sum=True, kinds=tuple(PayoffKind))


def entries_by_definition(form):
    """Coefficients (row, column) -> value with ``-A'`` in payoff units."""
    own, opponent = form.players
    root, first = own.num_sequences, opponent.num_sequences
    found = {}
    paid = form.chance_weight * form.game.exact_terminal_payoffs[:, 0]
    for column, row, value in zip(*form.terminal_sequences.tolist(), paid.tolist(), strict=True):
        found[row, column] = found.get((row, column), 0) - value
    found[0, root] = Fraction(1)
    found[first, 0] = Fraction(1)
    for k, parent in enumerate(opponent.parent_sequence.tolist()):
        for s in range(opponent.first_sequence[k], opponent.first_sequence[k + 1]):
            found[s, root + 1 + k] = Fraction(1)
        found[parent, root + 1 + k] = Fraction(-1)
    for k, parent in enumerate(own.parent_sequence.tolist()):
        for s in range(own.first_sequence[k], own.first_sequence[k + 1]):
            found[first + 1 + k, s] = Fraction(1)
        found[first + 1 + k, parent] = Fraction(-1)
    return {place: value for place, value in found.items() if value}


def entries(program):
    triples = (program.rows.tolist(), program.columns.tolist(), program.values.tolist())
    return {(row, column): value for row, column, value in zip(*triples, strict=True)}


@given(TREES)
def test_program_is_that_of_the_definition_up_to_the_unit_of_payoffs(game):
    form = sequence_form(game)
    program = sequence_program(form)
    expected, found = entries_by_definition(form), entries(program.exact)
    assert found.keys() == expected.keys()
    assert all(type(value) is int for value in found.values())
    is_payoff = {(i, j) for i, j in found if i < program.num_opponent and j < program.num_own}
    factors = {found[place] / expected[place] for place in is_payoff}
    assert len(factors) <= 1
    assert all(factor > 0 for factor in factors)
    assert all(found[place] == expected[place] for place in found.keys() - is_payoff)
    floats = entries(program.floats)
    for place, value in found.items():
        assert floats[place] == (value / program.unit if place in is_payoff else value)
    order = list(found)
    assert order == sorted(order)
    assert (program.exact.num_rows, program.exact.num_columns) == (
        program.num_opponent + 1 + len(form.players[0].infosets),
        program.num_own + 1 + len(form.players[1].infosets),
    )


@given(TREES)
def test_refinement_ends_at_the_exact_optimum_from_any_basis(game):
    program = sequence_program(sequence_form(game))
    twofold = program.twofold
    expected = solve_exactly(program.exact, None).value
    nonsense = Basis((0, 1), (0, 1))
    found = solve_model(twofold)
    assert found.outcome is FloatOutcome.OPTIMAL
    floats = solve_float(program.floats)
    for basis in (found.basis, floats.basis, nonsense):
        optimum = refine(twofold, basis, time_limit=lambda: None, tick=lambda: None)
        assert optimum.value == expected
    objective = float(found.primal @ program.floats.objective)
    assert objective * program.unit == pytest.approx(float(expected), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("digits", [9, 12])
def test_bases_that_floats_get_wrong_are_put_right_without_exact_pivots(monkeypatch, digits):
    """Payoffs of 1 and -1 but for their last digit: floats choose among them at random."""
    monkeypatch.setattr(refinement, "solve_exactly", None)  # would fail if called
    numbers = random.Random(7)  # noqa: S311 no secret
    leduc = leduc_poker()
    paid = [
        Fraction(numbers.choice([-1, 1])) + Fraction(numbers.randint(-9, 9), 10**digits)
        for _ in leduc.terminals
    ]
    tree = with_payoffs(leduc, [(value, -value) for value in paid])
    program = sequence_program(sequence_form(tree))
    basis = solve_float(program.floats).basis
    rounds = []
    optimum = refine(program.twofold, basis, time_limit=lambda: None, tick=lambda: rounds.append(1))
    assert 1 < len(rounds) <= 8
    plans = optimum.primal[: program.num_own], optimum.dual[: program.num_opponent]
    assert all(min(plan) >= 0 for plan in plans)


def test_what_is_left_to_do_is_in_the_units_of_the_float_program():
    """Slacks and reduced costs follow from columns and prices by the float coefficients."""
    program = sequence_program(sequence_form(leduc_poker()))
    twofold, floats = program.twofold, program.floats
    candidate = refinement._candidate(twofold, solve_float(floats).basis, lambda: None)
    rest = refinement._rest(twofold, candidate)
    used, charged = np.zeros(floats.num_rows), np.zeros(floats.num_columns)
    np.add.at(used, floats.rows, floats.values * rest.columns[floats.columns])
    np.add.at(charged, floats.columns, floats.values * rest.charges[floats.rows])
    np.testing.assert_allclose(rest.slacks, floats.bounds - used, atol=1e-12)
    np.testing.assert_allclose(rest.costs, floats.objective - charged, atol=1e-12)
    assert np.abs(rest.slacks).max() > 1e-3
    assert np.abs(rest.costs).max() > 1e-3
    assert rest.columns @ floats.objective == pytest.approx(rest.charges @ floats.bounds)


def test_values_are_measured_in_the_largest_payoff():
    tree = from_sketch(
        Decision(0, "", {"a": Terminal([10**40, -(10**40)]), "b": Terminal([7, -7])}),
        players=("Ann", "Bob"),
    )
    program = sequence_program(sequence_form(tree))
    assert program.unit == 10**40
    assert np.abs(program.floats.values).max() == 1.0

    program = sequence_program(sequence_form(kuhn_poker()))
    assert program.unit == 2
    assert set(program.exact.values.tolist()) == {-2, -1, 1, 2}
