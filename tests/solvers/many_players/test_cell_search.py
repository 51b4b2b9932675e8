"""Searches of cells keep their limits, and know a solution again from any cell nearby."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from gametheory_core import NormalFormGame
from gametheory_core.certificates.support_cells import Cell
from gametheory_core.evaluation.support_rows import DifferenceTables
from solvers.many_players.cell_search import DEEPEST, CellSearch
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
