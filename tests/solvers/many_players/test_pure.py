"""Pure equilibria: every cell compared, exactly, for any number of players."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, NotConverged
from gametheory_core.strategies import supports
from solvers import Budget, pure
from tests.sample_sizes import many


@st.composite
def games(draw, payoffs):
    counts = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    size = len(counts) * int(np.prod(counts))
    flat = np.empty(size, dtype=object)
    flat[:] = draw(st.lists(payoffs, min_size=size, max_size=size))
    return NormalFormGame.from_payoffs(flat.reshape(len(counts), *counts))


def cells(found):
    return [tuple(own[0] for own in supports(s.profile)) for s in found.equilibria]


def cells_by_definition(game):
    """Straight from the definition, in rationals."""
    payoffs = game.exact_payoffs
    return [
        cell
        for cell in product(*map(range, game.num_actions))
        if all(
            payoffs[(i, *cell)] >= payoffs[(i, *cell[:i], other, *cell[i + 1 :])]
            for i in range(game.num_players)
            for other in range(game.num_actions[i])
        )
    ]


@many
@given(games(st.sampled_from([0, 1, 2])) | games(st.fractions(0, 2, max_denominator=3)))
def test_pure_finds_the_cells_of_the_definition(game):
    found = pure(game)
    assert cells(found) == cells_by_definition(game)
    assert found.is_complete
    for solution in found.equilibria:
        solution.certificate.verify()
        assert solution.certificate.epsilon == 0


def test_difference_below_float_resolution_counts():
    nearly = 1 + Fraction(1, 10**40)
    assert cells(pure(NormalFormGame.bimatrix([[nearly], [1]], [[0], [0]]))) == [(0, 0)]


def test_floats_are_compared_as_the_numbers_they_are():
    rows = np.array([[0.1 + 0.2], [0.3]])
    assert cells(pure(NormalFormGame.bimatrix(rows, np.zeros((2, 1))))) == [(0, 0)]


def test_payoffs_past_every_float_are_compared():
    game = NormalFormGame.bimatrix([[10**400], [10**400 + 1]], [[0], [0]])
    assert cells(pure(game)) == [(1, 0)]


def test_game_without_pure_equilibria_has_an_empty_complete_set():
    found = pure(NormalFormGame.zero_sum([[1, -1], [-1, 1]]))
    assert found.equilibria == ()
    assert found.is_complete
    assert "each of the 4 joint actions" in found.evidence


def test_budget_ends_with_the_certified_equilibria_so_far():
    game = NormalFormGame.from_payoffs(np.zeros((3, 2, 2, 2), dtype=int))
    with pytest.raises(NotConverged, match="the budget ended with 3 of 8") as caught:
        pure(game, budget=Budget(iterations=3))
    best = caught.value.best
    assert cells(best) == [(0, 0, 0), (0, 0, 1), (0, 1, 0)]
    assert not best.is_complete
    assert "5 of 8 cells" in best.evidence


def test_progress_knows_the_total():
    reports = []
    pure(
        NormalFormGame.bimatrix(np.eye(3, dtype=int), np.eye(3, dtype=int)),
        on_iteration=reports.append,
    )
    assert [(report.done, report.total) for report in reports] == [(1, 3), (2, 3), (3, 3)]
