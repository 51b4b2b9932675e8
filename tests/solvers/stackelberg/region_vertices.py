"""Commitment by brute force: every vertex of every best-reply region, in rationals.

A linear objective is largest at a vertex, and a vertex is where enough constraints are tight. So:
solve the linear system of every choice of tight constraints, and keep the feasible points. Shares
nothing with the solver; for a handful of actions.
"""

from fractions import Fraction
from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from gametheory_core import NormalFormGame

POOR = st.sampled_from([-1, 0, 1])
RICH = st.fractions(min_value=-9, max_value=9, max_denominator=6)


@st.composite
def bimatrix_games(draw, largest=4):
    """Games of up to ``largest`` x ``largest`` actions; half of them as degenerate as can be."""
    m, n = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    numbers = draw(st.sampled_from([POOR, RICH]))
    tables = st.lists(st.lists(numbers, min_size=n, max_size=n), min_size=m, max_size=m)
    return NormalFormGame.bimatrix(draw(tables), draw(tables))


def from_the_leaders_side(game, leader):
    """Payoff tables (leader's actions x follower's) of leader and follower."""
    own, others = game.exact_payoffs[leader], game.exact_payoffs[1 - leader]
    return (own, others) if leader == 0 else (own.T, others.T)


def solve_square(matrix, right):
    """Gauss-Jordan elimination; None if the matrix is singular."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for i in range(len(rows)):
            if i != k and rows[i][k]:
                factor = rows[i][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[-1] for row in rows]


def polytope_vertices(half_spaces, size):
    """Vertices of the strategies ``x`` with ``normal @ x >= 0``; the simplex is added."""
    normals = [*np.eye(size, dtype=int).astype(object), *half_spaces]
    found = set()
    for tight in combinations(normals, size - 1):
        matrix = [[Fraction(1)] * size, *([Fraction(v) for v in normal] for normal in tight)]
        point = solve_square(matrix, [Fraction(1)] + [Fraction(0)] * (size - 1))
        if point is not None and all(np.array(point) @ normal >= 0 for normal in normals):
            found.add(tuple(point))
    return [np.array(point, dtype=object) for point in sorted(found)]


def region_vertices(follower, answer):
    """Vertices of the mixed strategies to which ``answer`` is a best response."""
    preferences = [follower[:, answer] - column for column in follower.T]
    return polytope_vertices(preferences, len(follower))


def strong_value(game, leader):
    """The largest payoff at a vertex of a region."""
    own, others = from_the_leaders_side(game, leader)
    return max(
        vertex @ own[:, b] for b in range(own.shape[1]) for vertex in region_vertices(others, b)
    )


def interior_point(follower, answer):
    """The mean of the region's vertices: strictly inside if anything is. None if there is none."""
    vertices = region_vertices(follower, answer)
    return sum(vertices) / Fraction(len(vertices)) if vertices else None


def is_somewhere_strictly_best(follower, answer):
    """Whether some mixed strategy makes the answer better than all others not equal to it."""
    point = interior_point(follower, answer)
    others = [column for column in follower.T if column.tolist() != follower[:, answer].tolist()]
    return point is not None and all(point @ (follower[:, answer] - c) > 0 for c in others)


def worst_payoff(own, others, strategy):
    """What a commitment earns when the follower breaks ties against the leader."""
    values = strategy @ others
    return min(strategy @ own[:, b] for b in np.flatnonzero(values == max(values)))
