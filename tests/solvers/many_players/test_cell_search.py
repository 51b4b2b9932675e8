"""Searches of cells keep their limits, and know a solution again from any cell nearby."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from gametheory_core import NormalFormGame
from gametheory_core.certificates.halved_cells import Cell
from gametheory_core.certificates.support_solutions import SupportSolution
from gametheory_core.evaluation.support_rows import DifferenceTables
from solvers import polynomial_support_enumeration
from solvers._kernels import equilibrium_cells
from solvers.many_players.cell_loops import DEEPEST, FEW_CELLS, looped_alone, looped_at_once
from solvers.many_players.cell_search import CellSearch
from solvers.many_players.support_tree import SupportTree
from solvers.solution import UNLIMITED, Meter

ALL = ((0, 1),) * 3


def begun(payoffs, *, most_cells):
    rows = DifferenceTables(NormalFormGame.from_payoffs(payoffs)).rows(ALL)
    tolerances = (Fraction(1, 10**12),) * 3
    return CellSearch(rows, Meter(UNLIMITED, "cells"), most_cells, tolerances)


def never_settled():
    """Gains y - z, (2x - 1)(2z - 1) and x - y of first actions vanish at x = y = z = 1/2, twice."""
    payoffs = np.zeros((3, 2, 2, 2), dtype=int)
    for x, y, z in product((0, 1), repeat=3):
        gains = x * (y - z), y * (2 * x - 1) * (2 * z - 1), z * (x - y)
        payoffs[:, 1 - x, 1 - y, 1 - z] = gains
    return payoffs


@pytest.mark.parametrize("most", [1, 10, 100, 1000])
def test_no_more_cells_are_looked_at_than_asked_for_but_for_halves_left(most):
    search = begun(never_settled(), most_cells=most)
    outcome = search.run()
    assert outcome.is_finished
    assert outcome.open_cells
    assert most <= search.looked_at <= most + DEEPEST


def test_solutions_are_known_again_from_small_cells_beside_them():
    """From two cells away the point is not the solution, but leads to it."""
    known_again = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        search = begun(rng.integers(-99, 100, (3, 2, 2, 2)), most_cells=10_000)
        search.run()
        for number, solution in enumerate(tuple(search.solutions)):
            starts = [int(own[0] * (1 << 30)) + 2 for own in solution.point]
            corners = tuple(tuple((at + k, (1 << 30) - at - k) for k in (0, 1)) for at in starts)
            middle = np.full(6, 0.5)
            assert search._number(Cell(corners, (30,) * 3), middle) == number
            known_again += 1
        assert len(search.solutions) == len({s.point for s in search.solutions})
    assert known_again > 10


@pytest.mark.parametrize("widths", [(1, 2), (2, 1), (1, 1), (1, Fraction(1, 2**30))])
@pytest.mark.parametrize("shift", [0, 1])
def test_boxes_that_meet_are_told_to_hold_one_solution(widths, shift):
    """Irrational solutions are known by boxes; two of one solution overlap, or one is within."""
    told = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        search = begun(rng.integers(-99, 100, (3, 2, 2, 2)), most_cells=10_000)
        search.run()
        for known in [s for s in search.solutions if s.radius]:
            moved = shift * known.radius / 2
            point = tuple((own[0] - moved, own[1] + moved) for own in known.point)
            first, second = (width * known.radius for width in widths)
            other = replace(known, point=point, radius=second)
            assert search._told_apart(other, replace(known, radius=first)) is not other
            told += search._told_apart(other, known) is known
    assert told > 2


def test_solutions_apart_are_no_repeats():
    search = begun(never_settled(), most_cells=10)
    points = [((Fraction(k, 8), 1 - Fraction(k, 8)),) * 3 for k in (1, 3)]
    one, other = (SupportSolution(ALL, point, Fraction(1, 16), ()) for point in points)
    assert search._told_apart(one, other) is one
    meeting = replace(one, radius=Fraction(3, 16))
    assert search._told_apart(meeting, other) is None  # nothing nearby decides


def test_a_solution_found_twice_at_two_scales_is_listed_once():
    """Payoffs go over 45 powers of ten; its cell needs some 60,000 looks."""
    table = [
        ["-9e25", "-7.2e31", "1.13e32", "0", "0", "0", "0", "-1e14"],
        ["0", "7.85e9", "-2.77e25", "-9.57e9", "-3.96e20", "970", "4.49e20", "6.69e32"],
        ["-744", "-5.5e-13", "-872000", "9.13e-6", "2.8e-6", "-6.04e17", "-452000", "-0.514"],
    ]
    payoffs = np.array([[Fraction(v) for v in row] for row in table], dtype=object)
    game = NormalFormGame.from_payoffs(payoffs.reshape(3, 2, 2, 2))
    found = polynomial_support_enumeration(game, cells_per_support=200_000).found
    found.completeness.verify()
    assert len(found.equilibria) == 3


def said(looped):
    return [
        (kind, edge if kind == equilibrium_cells.SPLIT else weights)
        for (kind, *edge), weights in zip(looped.kinds, looped.weights, strict=True)
        if kind != equilibrium_cells.ALONE
    ]


@pytest.mark.parametrize("shape", [(3, 3, 3), (2, 3, 4), (2, 2, 2, 2), (1, 4, 4)])
def test_supports_are_settled_together_as_each_on_its_own(shape):
    """Payoffs over many powers of ten and shifted ones are among them."""
    rooms = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        payoffs = rng.integers(-99, 100, (len(shape), *shape)).astype(object)
        if seed % 2:
            payoffs = payoffs * 10 ** rng.integers(0, 15, payoffs.shape).astype(object) + 10**16
        tables = DifferenceTables(NormalFormGame.from_payoffs(payoffs))
        supports = [step.supports for step in SupportTree(tables, lambda: None).steps()]
        rows = [own for own in map(tables.rows, filter(None, supports)) if own.num_equations]
        for own, found in zip(rows, looped_at_once(rows) if rows else (), strict=True):
            alone = looped_alone(
                own, own.floats, own.shifts, FEW_CELLS, limit=FEW_CELLS, is_first=False
            )
            assert said(found) == said(alone)
            assert found.had_room == alone.had_room
            rooms.append(found.had_room)
            width = sum(map(len, own.supports))
            here = np.array([kind for kind, *_ in alone.kinds]) == equilibrium_cells.ALONE
            assert np.allclose(found.points[here, :width], alone.points[here, :width], atol=1e-12)
            assert not found.points[:, width:].any()
    assert sum(rooms) > 20
    assert not all(rooms) or shape == (1, 4, 4)
