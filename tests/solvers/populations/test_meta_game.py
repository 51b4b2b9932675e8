"""Meta-games: win rates checked with a witness, and the laws of relative performance."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, InvalidGame, NotConverged
from gametheory_core.testing import rationals
from solvers import Budget
from solvers.populations import (
    bipartite_meta_game,
    evaluation_matrix,
    meta_game,
    relative_performance_curve,
    relative_population_performance,
    win_rates_from_wins,
)
from solvers.populations.win_rates import measured_array

HALF = Fraction(1, 2)
RATE = rationals(low=0, high=1)


@st.composite
def tables(draw, *, most=4):
    rows, columns = draw(st.integers(1, most)), draw(st.integers(1, most))
    return np.array(
        [[draw(RATE) for _ in range(columns)] for _ in range(rows)], dtype=object
    ).reshape(rows, columns)


@st.composite
def populations(draw, *, most=5):
    """Win rates within one population."""
    count = draw(st.integers(1, most))
    rates = np.full((count, count), HALF)
    for i in range(count):
        for j in range(i):
            rates[i, j] = draw(RATE)
            rates[j, i] = 1 - rates[i, j]
    return rates


def performance(rates):
    solution = relative_population_performance(rates)
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    return solution.certificate.game_value


@given(populations())
def test_leading_principal_parts_of_a_population_have_value_zero(rates):
    for size in range(1, len(rates) + 1):
        assert performance(rates[:size, :size]) == 0


@given(tables())
def test_performance_changes_sign_with_the_seats(rates):
    assert performance(1 - rates.T) == -performance(rates)


@given(tables())
def test_performance_is_at_most_a_half(rates):
    assert abs(performance(rates)) <= HALF


@given(tables(), st.data())
def test_an_agent_more_never_hurts_its_own_side(rates, data):
    row = np.array([[data.draw(RATE) for _ in range(rates.shape[1])]], dtype=object)
    column = np.array([[data.draw(RATE)] for _ in range(rates.shape[0])], dtype=object)
    value = performance(rates)
    assert performance(np.concatenate([rates, row])) >= value
    assert performance(np.concatenate([rates, column], axis=1)) <= value


@given(tables(), st.data())
def test_copies_change_no_performance(rates, data):
    i = data.draw(st.integers(0, rates.shape[0] - 1))
    j = data.draw(st.integers(0, rates.shape[1] - 1))
    copied = np.concatenate([rates, rates[[i]]])
    copied = np.concatenate([copied, copied[:, [j]]], axis=1)
    assert performance(copied) == performance(rates)


def test_curve_is_not_monotone():
    """Each newcomer may turn the tables: up to 1/2, down to 0, up again."""
    rates = [[0, 1, 0], [1, 0, 0], [1, 1, 1]]
    curve = relative_performance_curve(rates)
    assert curve.values == (-HALF, 0, HALF)
    turned = relative_performance_curve([[1, 0, 0], [1, HALF, 0], [1, 1, 1]])
    assert turned.values == (HALF, 0, HALF)
    assert all(solution.certificate.epsilon == 0 for solution in turned.solutions)


def test_curve_follows_the_sizes_asked_for():
    rates = np.random.default_rng(0).integers(0, 31, (6, 8)) / 30
    curve = relative_performance_curve(rates, sizes=(2, 5), tolerance=1e-9)
    assert curve.sizes == (2, 5)
    for size, value in zip(curve.sizes, curve.values, strict=True):
        assert float(value) == pytest.approx(float(performance(rates[:size, :size])), abs=1e-9)


def test_curve_that_runs_out_of_budget_gives_what_there_is():
    rates = np.full((5, 5), 0.5)
    with pytest.raises(NotConverged, match="needs 5 linear programs, but .* after 2") as caught:
        relative_performance_curve(rates, budget=Budget(iterations=2))
    assert caught.value.best.sizes == (1, 2)
    assert len(caught.value.best.values) == 2


def test_progress_counts_programs():
    seen = []
    relative_performance_curve(np.full((3, 4), 0.5), on_iteration=lambda p: seen.append(p.total))
    assert seen == [3, 3, 3]


@given(populations())
def test_evaluation_matrix_is_antisymmetric_and_half_less(rates):
    found = evaluation_matrix(rates)
    assert (found == rates - HALF).all()
    assert (found == -found.T).all()


def test_float_win_rates_give_an_exactly_antisymmetric_game():
    rates = np.array([[0.5, 0.3, 0.1], [0.7, 0.5, 0.6], [0.9, 0.4, 0.5]])
    game = meta_game(rates, agents=("a", "b", "c"))
    assert (game.exact_payoffs[0] == -game.exact_payoffs[0].T).all()
    assert game.actions == (("a", "b", "c"),) * 2


def test_counts_of_wins_become_exact_shares():
    rates = win_rates_from_wins([[7, 2, 0], [1, 0, 5], [4, 5, 0]])
    assert rates.tolist() == [
        [HALF, Fraction(2, 3), 0],
        [Fraction(1, 3), HALF, HALF],
        [1, HALF, HALF],
    ]
    evaluation_matrix(rates)


@pytest.mark.parametrize(
    ("call", "table", "message"),
    [
        (evaluation_matrix, [[0.5, 0.7], [0.4, 0.5]], r"needs pairs with W\[i, j\] \+ W\[j, i\]"),
        (evaluation_matrix, [["1/2", 1], [0, 1]], r"1/2 on the diagonal, but W\[1, 1\] is 1\. An"),
        (evaluation_matrix, [["1/2", 70], [30, "1/2"]], r"from 0 to 1, but W\[0, 1\] is 70 and"),
        (evaluation_matrix, [["1/2", 1, 0], [0, "1/2", 1]], r"a square table.*\(2, 3\)"),
        (evaluation_matrix, np.array([[0.5, 0.7 + 1e-6], [0.3, 0.5]]), "needs pairs with"),
        (meta_game, [[1]], r"1/2 on the diagonal"),
        (bipartite_meta_game, [[0, 2]], r"from 0 to 1, but W\[0, 1\] is 2\. Give shares"),
        (bipartite_meta_game, [[0, float("nan")]], "win rates: entry"),
        (bipartite_meta_game, [0, 1], r"needs a table of win rates, but its shape is \(2,\)"),
        (win_rates_from_wins, [[0, 1], [-1, 0]], r"at least 0, but W\[1, 0\] is -1"),
        (win_rates_from_wins, [[0, 0], [0, 0]], "0 and 1 never met. Play them"),
        (win_rates_from_wins, [[0, 1]], r"needs a square table.*\(1, 2\)"),
        (relative_population_performance, [[-1]], r"from 0 to 1, but W\[0, 0\] is -1"),
        (relative_performance_curve, [[3]], "relative_performance_curve: needs win rates from 0"),
    ],
)
def test_malformed_tables_are_refused_with_the_entry(call, table, message):
    with pytest.raises(InvalidGame, match=message):
        call(table)


def test_float_rates_may_miss_one_by_rounding_only():
    rates = np.array([[0.5, 0.1 + 0.2], [0.7, 0.5]])
    assert evaluation_matrix(rates)[0, 1] == pytest.approx(-0.2)


def test_sizes_beyond_a_population_are_refused():
    with pytest.raises(
        InvalidArgument, match="needs each of sizes to be an integer from 1 to 2, but got 3"
    ):
        relative_performance_curve([[0, 1, 1], [1, 0, 1]], sizes=(1, 3))


def test_best_so_far_is_given_when_the_budget_of_one_program_ends():
    rng = np.random.default_rng(1)
    with pytest.raises(NotConverged, match="needs an exact solution, but the budget") as caught:
        relative_population_performance(rng.random((8, 8)), budget=Budget(iterations=0))
    caught.value.best.certificate.verify()


@pytest.mark.parametrize(
    ("values", "is_float"),
    [
        ([[0.5, 1], [0, 0.5]], True),
        (np.array([[0.5, 1.0], [0.0, 0.5]]), True),
        ([[np.float64(0.5), 1], [0, 0]], True),
        ([[0.5, "1"], [0, 0]], False),
        ([[0.5, Fraction(1, 3)], [0, 0]], False),
        ([[1, 2], [3, 4]], False),
    ],
)
def test_tables_with_floats_are_measured_unless_something_exact_stands_there(values, is_float):
    found = measured_array(values, where="here")
    assert (found.dtype == np.float64) == is_float
    assert found.astype(float).tolist() == [[float(v) for v in row] for row in values]
