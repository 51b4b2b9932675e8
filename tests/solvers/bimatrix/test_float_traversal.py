"""Vertices found in floats are all vertices, exactly, or nothing is claimed."""

from fractions import Fraction
from math import lcm

import numpy as np
import pytest
from hypothesis import given

from gametheory_core import NormalFormGame, NotConverged
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import UNLIMITED, Budget, vertex_enumeration
from solvers._programs.rational_systems import solve_dense
from solvers.bimatrix import float_traversal
from solvers.bimatrix.best_response_polytopes import best_response_polytopes
from solvers.bimatrix.float_traversal import enclosed, traverse_in_floats
from solvers.bimatrix.vertices import traverse_in_integers
from solvers.solution import Meter


def of_meter(budget=UNLIMITED):
    return Meter(budget, "vertices")


def polytopes(payoffs):
    return best_response_polytopes(NormalFormGame.from_payoffs(payoffs))


def strategies(table):
    """Tight labels -> weights, divided by their sum."""
    found = {}
    for vertex, labels in enumerate(table.labels.tolist()):
        weights = table.weights(vertex)
        found[labels] = [Fraction(weight, sum(weights)) for weight in weights]
    return found


def is_simple(polytope, table):
    return all(labels.bit_count() == len(polytope.own_labels) for labels in table.labels.tolist())


@given(normal_form_games(num_players=(2, 2), max_actions=5, kinds=tuple(PayoffKind)))
def test_same_vertices_as_integers_unless_degenerate(game):
    for polytope in best_response_polytopes(game):
        exact = traverse_in_integers(polytope, of_meter()).table
        found = traverse_in_floats(polytope, of_meter())
        assert (found is not None) == is_simple(polytope, exact)
        if found is not None:
            assert found.is_complete
            assert strategies(found.table) == strategies(exact)


@pytest.mark.parametrize(
    "scale",
    [1.0, 1e-9, 1e9, 10.0 ** np.random.default_rng(1).integers(-9, 10, (2, 7, 7))],
    ids=["unit", "tiny", "huge", "all magnitudes"],
)
def test_same_vertices_of_float_payoffs(scale):
    for polytope in polytopes(scale * np.random.default_rng(2).random((2, 7, 7))):
        exact = traverse_in_integers(polytope, of_meter()).table
        found = traverse_in_floats(polytope, of_meter())
        assert found is not None
        assert strategies(found.table) == strategies(exact)


@pytest.mark.parametrize(("gap", "is_proved"), [(2**30, True), (1, False), (0, False)])
def test_gaps_below_the_error_bounds_prove_nothing(gap, is_proved):
    """Three replies that are best together at (1/2, 1/2), but for a gap of parts of 2**60."""
    unit = 2**60
    table = [[0, 2 * unit], [2 * unit, 0], [unit + gap, unit]]
    _, second = polytopes([table, table])
    assert (traverse_in_floats(second, of_meter()) is not None) == is_proved


def tied_polytope(seed):
    """Where two replies are best, a third one between them is too; in floats it rarely is."""
    rng = np.random.default_rng(seed)
    first, second = rng.integers(-(10**6), 10**6, (2, 3)).tolist()
    between = [(a + 2 * b) // 3 for a, b in zip(first, second, strict=True)]
    second = [Fraction(3 * c - a, 2) for a, c in zip(first, between, strict=True)]
    table = [first, second, between]
    return polytopes([table, table])[1]


def test_ties_that_rounding_hides_prove_nothing():
    degenerate = [
        polytope
        for polytope in map(tied_polytope, range(60))
        if not is_simple(polytope, traverse_in_integers(polytope, of_meter()).table)
    ]
    assert len(degenerate) > 20
    assert all(traverse_in_floats(polytope, of_meter()) is None for polytope in degenerate)


def exact_enclosure(numbers, rows, columns):
    """Weights and slacks of one basis in rationals."""
    system = [[numbers[row][column] for column in columns] for row in rows]
    scale = lcm(*(value.denominator for row in system for value in row))
    integers = [[int(value * scale) for value in row] for row in system]
    solved = solve_dense(integers, [scale] * len(rows))
    weights = [Fraction(value, solved.denominator) for value in solved.numerators]
    slacks = [
        1 - sum(row[column] * weight for column, weight in zip(columns, weights, strict=True))
        for row in numbers
    ]
    return weights, slacks


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("kind", ["random", "nearly singular"])
def test_errors_are_within_their_bounds(kind, seed):
    """Entries are rationals that floats do not hold; the bound covers their rounding too."""
    rng = np.random.default_rng(seed)
    size = 1 + seed % 6
    if kind == "random":
        parts = rng.integers(1, 10**6, (7, 7)).tolist()
        numbers = [[Fraction(part, 10**6) for part in row] for row in parts]
    else:  # like Hilbert's matrix
        numbers = [[Fraction(1, i + j + 1 + seed) for j in range(7)] for i in range(7)]
    rows, columns = rng.permutation(7)[:size], rng.permutation(7)[:size]
    matrix = np.array([[float(value) for value in row] for row in numbers])
    found = enclosed(matrix, rows[None, :], columns[None, :])
    if found is None:
        assert kind == "nearly singular"
        return
    weights, slacks = exact_enclosure(numbers, rows, columns)
    for value, exact in zip(found.weights[0], weights, strict=True):
        assert abs(Fraction(value) - exact) < Fraction(found.weight_errors[0])
    for value, error, exact in zip(found.slacks[0], found.slack_errors[0], slacks, strict=True):
        assert abs(Fraction(value) - exact) < Fraction(error)
    assert kind == "nearly singular" or found.weight_errors[0] < 1e-6


def simple_bases(size=4):
    polytope = polytopes(np.random.default_rng(4).random((2, size, size)))[0]
    labels = traverse_in_integers(polytope, of_meter()).table.labels
    return polytope, float_traversal._scaled(polytope), np.asarray(labels)


def test_bases_that_are_no_vertices_are_not_proved():
    """Every set of as many labels as dimensions is tried: the vertices pass, nothing else does."""
    polytope, matrix, vertices = simple_bases()
    known = set(vertices.tolist()) | {sum(1 << label for label in polytope.own_labels)}
    candidates = [bits for bits in range(1 << 8) if bits.bit_count() == 4]
    for bits in candidates:
        bases = np.array([bits], dtype=np.int64)
        proved = float_traversal._are_simple_vertices(bases, matrix, polytope)
        assert proved == (bits in known)
    assert len(known) < len(candidates)


def test_one_wrong_basis_among_many_spoils_the_proof():
    polytope, matrix, vertices = simple_bases()
    assert float_traversal._are_simple_vertices(vertices, matrix, polytope)
    wrong = next(
        bits
        for bits in range(1 << 8)
        if bits.bit_count() == 4
        and bits not in vertices
        and bits != sum(1 << label for label in polytope.own_labels)
    )
    spoiled = np.append(vertices, wrong)
    assert not float_traversal._are_simple_vertices(spoiled, matrix, polytope)


def test_singular_systems_prove_nothing():
    polytope = polytopes([[[1, 1], [1, 1]], [[2, 4], [1, 2]]])[0]
    matrix = np.array([[0.5, 1.0], [0.5, 1.0]])
    bases = np.array([0b1100], dtype=np.int64)
    assert not float_traversal._are_simple_vertices(bases, matrix, polytope)


def test_budget_stops_between_vertices():
    polytope = polytopes(np.random.default_rng(2).random((2, 9, 9)))[0]
    meter = of_meter(Budget(iterations=50))
    found = traverse_in_floats(polytope, meter)
    assert meter.iterations == 50
    assert not found.is_complete


def test_games_of_floats_beyond_words_are_enumerated():
    payoffs = np.random.default_rng(5).random((2, 9, 9))
    found = vertex_enumeration(NormalFormGame.from_payoffs(payoffs))
    assert found.is_complete
    assert len(found.equilibria) % 2 == 1
    for solution in found.equilibria:
        assert solution.certificate.epsilon == 0


def test_room_is_enlarged(monkeypatch):
    monkeypatch.setattr(float_traversal, "FIRST_ROOM", 4)
    polytope = polytopes(np.random.default_rng(2).random((2, 7, 7)))[0]
    expected = traverse_in_integers(polytope, of_meter()).table.labels
    found = traverse_in_floats(polytope, of_meter()).table.labels
    assert sorted(found.tolist()) == sorted(expected.tolist())


def test_budget_reaches_enumeration_of_floats():
    game = NormalFormGame.from_payoffs(np.random.default_rng(5).random((2, 12, 12)))
    with pytest.raises(NotConverged, match="needs all extreme equilibria, but the budget ended"):
        vertex_enumeration(game, budget=Budget(iterations=100))
