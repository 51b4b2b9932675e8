"""Optima for all small epsilon are those at one tiny epsilon, and basis signs decide which."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.strategies import value_at
from solvers._programs.linear import Basis, LinearProgram
from solvers._programs.perturbed import (
    FIRST_BITS,
    UNBOUNDED,
    PerturbedProgram,
    float_start,
    solve_perturbed,
)


def integers(values):
    return np.array([*values, 0], dtype=object)[:-1]


def matrix_program(table):
    """Player 0's program for a matrix game: columns are the mix and the value, last row the sum."""
    count, width = table.shape
    entries = [(j, i, -int(table[i, j])) for j in range(width) for i in range(count) if table[i, j]]
    entries += [(j, count, 1) for j in range(width)] + [(width, i, 1) for i in range(count)]
    rows, columns, values = zip(*sorted(entries), strict=True)
    return LinearProgram(
        objective=integers([*[0] * count, 1]),
        rows=np.array(rows, dtype=np.int32),
        columns=np.array(columns, dtype=np.int32),
        values=integers(values),
        bounds=integers([*[0] * width, 1]),
        is_equation=np.arange(width + 1) == width,
        is_free=np.arange(count + 1) == count,
    )


@st.composite
def perturbed_games(draw):
    """Small matrix games with ties, and each action's least share a power of epsilon or free."""
    count, width = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    cells = st.lists(st.sampled_from([0, 1, -1, 2, 3]), min_size=width, max_size=width)
    table = np.array([draw(cells) for _ in range(count)])
    order = st.sampled_from([UNBOUNDED, 1, 2, 3])
    primal = tuple(draw(order) for _ in range(count))
    dual = tuple(draw(order) for _ in range(width))
    program = matrix_program(table)
    return table, PerturbedProgram(program, (*primal, UNBOUNDED), (*dual, UNBOUNDED))


def bound(order, epsilon):
    return Fraction(0) if order == UNBOUNDED else epsilon**order


@given(perturbed_games(), st.booleans())
def test_polynomials_are_equilibria_of_the_restricted_game(drawn, from_floats):
    """By the definition, at a tiny epsilon: what exceeds its bound is a best reply."""
    table, perturbed = drawn
    done = []
    start = None
    if from_floats:
        start = float_start(
            perturbed, time_limit=lambda: None, pivot_limit=lambda: None, tick=done.append
        )
        assert start is not None
    optimum = solve_perturbed(perturbed, start, tick=done.append)
    assert done
    count, width = table.shape
    for epsilon in (Fraction(1, 2**150), Fraction(1, 2**300)):
        mixed = [value_at(p, epsilon) for p in optimum.primal[:count]]
        other = [value_at(p, epsilon) for p in optimum.dual[:width]]
        for shares, orders in ((mixed, perturbed.primal_orders), (other, perturbed.dual_orders)):
            assert sum(shares) == 1
            least = [bound(order, epsilon) for order in orders[: len(shares)]]
            assert all(share >= low for share, low in zip(shares, least, strict=True))
        earned, conceded = table @ integers(other), integers(mixed) @ table
        for share, order, value in zip(mixed, perturbed.primal_orders, earned, strict=False):
            assert share == bound(order, epsilon) or value == max(earned)
        for share, order, value in zip(other, perturbed.dual_orders, conceded, strict=False):
            assert share == bound(order, epsilon) or value == min(conceded)


def tempting(prize):
    """Row 0 pays 1; row 1 pays 0 or, if the opponent slips, a prize."""
    program = matrix_program(np.array([[1, 1], [0, prize]], dtype=object))
    return PerturbedProgram(program, (1, 1, UNBOUNDED), (1, 1, UNBOUNDED))


@pytest.mark.parametrize("prize", [3, 10**15, 2 ** (2 * FIRST_BITS), 10**100])
@pytest.mark.parametrize("seat", [0, 1])
def test_smaller_numbers_are_tried_until_signs_hold_for_all_small_ones(prize, seat):
    """At ``2**-64`` the larger prizes are worth a try; for all small epsilon they are not."""
    table = np.array([[1, 1], [0, prize]], dtype=object)
    program = matrix_program(-table.T if seat else table)
    perturbed = PerturbedProgram(program, (1, 1, UNBOUNDED), (1, 1, UNBOUNDED))
    optimum = solve_perturbed(perturbed, None, tick=lambda _: None)
    assert optimum.primal[:2] == ((1, -1), (0, 1))
    assert optimum.dual[:2] == ((1, -1), (0, 1))


def test_any_basis_will_do_as_a_start():
    perturbed = tempting(3)
    for basis in (None, Basis((), ()), Basis((0, 1), (0, 1)), Basis((1, 2), (1, 2))):
        assert solve_perturbed(perturbed, basis, tick=lambda _: None).primal[:2] == (
            (1, -1),
            (0, 1),
        )


def test_floats_that_find_nothing_leave_the_start_open():
    nothing = float_start(
        tempting(3), time_limit=lambda: None, pivot_limit=lambda: 0, tick=lambda _: None
    )
    assert nothing is None
