"""Faces of polytopes: their vertices are those among all vertices where the sum is largest."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np

from solvers.bimatrix.faces import face_vertices, largest_sum
from solvers.solution import UNLIMITED, Meter
from tests.solvers.stackelberg.region_vertices import solve_square


def best_vertices(table, weights):
    """By hand: solve each square system of tight inequalities, and keep what is best."""
    size = len(weights)
    unit = np.eye(size, dtype=int).tolist()
    sides = [*((row, 1) for row in table), *(([-v for v in row], 0) for row in unit)]
    points = set()
    for tight in combinations(sides, size):
        rows, right = zip(*tight, strict=True)
        point = solve_square([list(map(Fraction, row)) for row in rows], right)
        if point and all(np.dot(row, point) <= b for row, b in sides):
            points.add(tuple(point))
    best = max(np.dot(weights, point) for point in points)
    return {point for point in points if np.dot(weights, point) == best}


def shares(weights):
    return tuple(Fraction(weight, 1) / sum(weights) for weight in weights)


def test_vertices_of_faces_are_the_best_of_all_vertices():
    """Copied rows, zeros, and sums that are those of rows make faces of all dimensions."""
    sizes = Counter()
    for seed in range(300):
        rng = np.random.default_rng(seed)
        rows, size = rng.integers(1, 6), rng.integers(1, 5)
        table = rng.integers(0, 3, (rows, size))
        if rng.random() < 0.5:
            table = table[rng.integers(0, rows, rows)]
        table += table.sum(axis=0) == 0
        weights = rng.integers(1, 3, size)
        if rng.random() < 0.5:
            weights = rng.integers(0, 2, rows) @ table
        if not weights.any():
            continue
        meter = Meter(UNLIMITED, "vertices")
        best = largest_sum(table.tolist(), weights.tolist(), meter)
        found = face_vertices(best, size, meter)
        assert found.is_complete
        expected = best_vertices(table.tolist(), weights.tolist())
        assert len(found.weights) == len(expected)
        assert set(map(shares, found.weights)) == set(map(shares, expected))
        sizes[min(3, len(expected))] += 1
    assert min(sizes.values()) > 10
    assert len(sizes) == 3
