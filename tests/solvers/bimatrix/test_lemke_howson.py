"""Lemke-Howson: from every label to an extreme equilibrium, also where ties abound."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, NormalFormGame, NotConverged, UnsupportedGame
from gametheory_core.strategies import supports
from solvers import Budget, lemke_howson, vertex_enumeration
from tests.sample_sizes import many

SMALL = st.integers(-1, 1)
LARGE = st.integers(-50, 50)
BATTLE = NormalFormGame.bimatrix([[3, 0], [0, 2]], [[2, 0], [0, 3]])


@st.composite
def bimatrix_games(draw, payoffs):
    m, n = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    tables = st.lists(st.lists(payoffs, min_size=n, max_size=n), min_size=m, max_size=m)
    return NormalFormGame.bimatrix(draw(tables), draw(tables))


@many
@given(bimatrix_games(SMALL) | bimatrix_games(LARGE))
def test_every_label_leads_to_an_extreme_equilibrium(game):
    extreme = {solution.profile for solution in vertex_enumeration(game).equilibria}
    for label in range(sum(game.num_actions)):
        solution = lemke_howson(game, initial_label=label)
        solution.certificate.verify()
        assert solution.certificate.epsilon == 0
        assert solution.profile in extreme


def test_labels_of_best_actions_lead_to_their_pure_equilibria():
    found = [supports(lemke_howson(BATTLE, initial_label=label).profile) for label in range(4)]
    assert set(found) == {((0,), (0,)), ((1,), (1,))}


@pytest.mark.parametrize("shape", [(1, 1), (1, 6), (6, 1), (7, 7), (20, 20)])
def test_path_ends_where_all_payoffs_are_equal(shape):
    game = NormalFormGame.from_payoffs(np.ones((2, *shape), dtype=int))
    for label in range(sum(shape)):
        assert lemke_howson(game, initial_label=label).payoffs == (1, 1)


def test_large_game_of_large_payoffs_is_solved_exactly():
    rng = np.random.default_rng(2)
    payoffs = rng.integers(-(10**12), 10**12, (2, 15, 15)).astype(object) * Fraction(10) ** 300
    solution = lemke_howson(NormalFormGame.from_payoffs(payoffs))
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0


@pytest.mark.parametrize("label", [-1, 4, 100])
def test_label_that_does_not_exist_is_refused(label):
    with pytest.raises(
        InvalidArgument, match="needs initial_label to be an integer from 0 to 3, but got"
    ):
        lemke_howson(BATTLE, initial_label=label)


@pytest.mark.parametrize("pivots", [0, 1])
def test_budget_ends_the_path_with_a_certified_point(pivots):
    with pytest.raises(NotConverged, match=f"the budget ended after {pivots} pivots") as caught:
        lemke_howson(BATTLE, budget=Budget(iterations=pivots))
    caught.value.best.certificate.verify()
    assert caught.value.best.certificate.epsilon > 0


def test_progress_counts_pivots():
    reports = []
    solution = lemke_howson(BATTLE, on_iteration=reports.append)
    assert [report.done for report in reports] == list(range(1, solution.run.iterations + 1))


def test_three_players_are_refused():
    game = NormalFormGame.from_payoffs(np.zeros((3, 2, 2, 2), dtype=int))
    with pytest.raises(UnsupportedGame, match="lemke_howson: needs two players, but"):
        lemke_howson(game)
