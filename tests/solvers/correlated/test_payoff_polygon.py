"""Payoff polygons: proved, and the hull of the payoffs at all vertices of the equilibrium set."""

import time
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import load
from gametheory_core.certificates import CorrelatedKind, IncentivePrice, certify_correlated_payoffs
from gametheory_core.certificates.correlated_payoffs import PayoffEdge
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import Budget
from solvers._programs import refinement
from solvers._programs.simplex import multipliers_of
from solvers.correlated import correlated_payoff_vertices
from tests.solvers.correlated.brute_force import deviations, most

KINDS = list(CorrelatedKind)
CHICKEN = gt.NormalFormGame.symmetric([[6, 2], [7, 0]])
ZERO = Fraction(0)


def cross(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def hull(points):
    """The corners of a set of points, by Andrew's monotone chain."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return set(ordered)
    chains = []
    for line in (ordered, ordered[::-1]):
        chain = []
        for point in line:
            while len(chain) > 1 and cross(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        chains.append(chain[:-1])
    return set(chains[0] + chains[1])


def vertices_by_brute_force(game, kind):
    """All vertices of the set of equilibria: every choice of tight inequalities."""
    size = game.given_payoffs[0].size
    rows = [list(map(Fraction, row)) for row in deviations(game, kind)]
    rows = [row for row in rows if any(row)]
    rows += [[-Fraction(int(i == j)) for i in range(size)] for j in range(size)]
    found = set()
    for chosen in combinations(rows, size - 1):
        table = [[1] * size, *chosen]
        matrix = flint.fmpq_mat(
            size,
            size,
            [flint.fmpq(Fraction(v).numerator, Fraction(v).denominator) for r in table for v in r],
        )
        if matrix.det() == 0:
            continue
        right = flint.fmpq_mat(size, 1, [1] + [0] * (size - 1))
        point = [Fraction(int(v.p), int(v.q)) for v in matrix.solve(right).entries()]
        if all(sum(a * x for a, x in zip(row, point, strict=True)) <= 0 for row in rows):
            found.add(tuple(point))
    return found


@given(
    normal_form_games(num_players=(2, 2), max_actions=2, kinds=tuple(PayoffKind)),
    st.sampled_from(KINDS),
)
def test_corners_are_those_of_the_set_of_equilibria(game, kind):
    polygon = correlated_payoff_vertices(game, kind=kind)
    polygon.certificate.verify()
    first, second = (own.ravel() for own in game.exact_payoffs)
    points = vertices_by_brute_force(game, kind)
    paid = [(sum(first * np.array(x)), sum(second * np.array(x))) for x in points]
    assert set(polygon.vertices) == hull(paid)


@given(
    normal_form_games(num_players=(2, 3), max_actions=3),
    st.sampled_from(KINDS),
    st.tuples(st.integers(-3, 3), st.integers(-3, 3)),
)
def test_no_direction_leads_outside(game, kind, direction):
    players = (0, game.num_players - 1)
    polygon = correlated_payoff_vertices(game, kind=kind, players=players)
    polygon.certificate.verify()
    x, y = direction
    weighed = x * game.exact_payoffs[players[0]] + y * game.exact_payoffs[players[1]]
    farthest = most(game, kind, weighed.ravel().tolist())
    assert farthest == max(x * a + y * b for a, b in polygon.vertices)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(6, 6), (3, 4, 3)])
@pytest.mark.parametrize("spread", [1, 20])
def test_larger_games(shape, spread, kind):
    rng = np.random.default_rng(spread)
    game = gt.NormalFormGame.from_payoffs(rng.integers(-spread, spread + 1, (len(shape), *shape)))
    polygon = correlated_payoff_vertices(game, kind=kind)
    polygon.certificate.verify()
    assert set(polygon.vertices) == hull(polygon.vertices)


def test_polygon_of_chicken():
    """Aumann 1974: two corners are the pure equilibria, one pays both more than their middle."""
    polygon = correlated_payoff_vertices(CHICKEN)
    assert set(polygon.vertices) == {(2, 7), (7, 2), (Fraction(21, 4),) * 2, (Fraction(18, 5),) * 2}
    assert "and no others" in polygon.certificate.statement
    assert polygon.run.iterations > 0


@pytest.mark.parametrize(
    ("game", "vertices"),
    [
        (load("prisoners_dilemma"), {(1, 1)}),
        (gt.NormalFormGame.from_payoffs(np.zeros((2, 2, 2))), {(0, 0)}),
        (gt.NormalFormGame.from_payoffs([[[1, 1], [1, 1]], [[0, 0], [4, 4]]]), {(1, 0), (1, 4)}),
        (
            gt.NormalFormGame.bimatrix([[2, 0], [0, 1]], [[2, 0], [0, 1]]),
            {(2, 2), (Fraction(2, 3),) * 2},
        ),
    ],
    ids=["point", "nothing at stake", "vertical segment", "common interest"],
)
def test_polygons_without_area(game, vertices):
    polygon = correlated_payoff_vertices(game)
    assert set(polygon.vertices) == vertices
    polygon.certificate.verify()


def test_changed_claims_are_rejected():
    claim = correlated_payoff_vertices(CHICKEN).certificate
    moved = ((*claim.vertices[0][:1], claim.vertices[0][1] + 1), *claim.vertices[1:])
    even = gt.correlated_distribution([["1/4", "1/4"], ["1/4", "1/4"]])
    pure = gt.correlated_distribution([[0, 1], [0, 0]])
    free = tuple(replace(edge, prices=()) for edge in claim.edges)
    for change, message in [
        ({"vertices": moved}, "claims vertices"),
        ({"distributions": claim.distributions[:-1]}, "needs an edge with outer normal"),
        ({"distributions": claim.distributions[::-1]}, "counterclockwise"),
        ({"distributions": (even, *claim.distributions[1:])}, "lets a deviation gain 1/4"),
        ({"distributions": (pure, *claim.distributions)}, "needs different vertices"),
        ({"distributions": ()}, "needs different vertices, at least one"),
        ({"edges": claim.edges[1:]}, "needs an edge with outer normal"),
        ({"edges": free}, "needs prices that prove at most"),
        ({"players": (0, 0)}, "needs two different players"),
        ({"players": (1, 0)}, "counterclockwise"),
    ]:
        with pytest.raises(gt.CertificateRejected, match=message):
            replace(claim, **change).verify()


def test_edges_of_negative_prices_are_rejected():
    claim = correlated_payoff_vertices(load("prisoners_dilemma")).certificate
    wrong = PayoffEdge((Fraction(1), ZERO), (IncentivePrice(0, 0, 1, Fraction(-1)),))
    with pytest.raises(gt.CertificateRejected, match="needs prices of at least 0"):
        replace(claim, edges=(*claim.edges, wrong)).verify()


def test_time_limit_holds_between_exact_solutions(monkeypatch):
    """With 900 joint actions each of two takes a second, and so does certifying them."""
    solved = []

    def counted(*args):
        solved.append(args)
        return multipliers_of(*args)

    monkeypatch.setattr(refinement, "multipliers_of", counted)
    with pytest.raises(gt.NotConverged, match="needs all corners, but the budget ended"):
        correlated_payoff_vertices(
            CHICKEN, budget=Budget(seconds=1.0), on_iteration=lambda _: time.sleep(0.6)
        )
    assert not solved


@pytest.mark.parametrize("place", [0, 1])
def test_segment_with_an_end_moved_inwards_is_rejected(place):
    """The sides of the segment stay proved; only what bounds the end tells."""
    game = gt.NormalFormGame.bimatrix([[2, 0], [0, 1]], [[2, 0], [0, 1]])
    claim = correlated_payoff_vertices(game).certificate
    middle = Fraction(3, 2)
    vertices, distributions = list(claim.vertices), list(claim.distributions)
    x, y = (out - far for out, far in zip(vertices[place], vertices[1 - place], strict=True))
    vertices[place] = (middle, middle)
    distributions[place] = gt.correlated_distribution([["1/2", 0], [0, "1/2"]])
    shorter = replace(claim, vertices=tuple(vertices), distributions=tuple(distributions))
    with pytest.raises(gt.CertificateRejected, match="needs prices that prove at most"):
        shorter.verify()
    others = tuple(edge for edge in claim.edges if edge.normal[0] * x + edge.normal[1] * y <= 0)
    assert len(others) == len(claim.edges) - 1
    with pytest.raises(gt.CertificateRejected, match="needs an edge with outer normal"):
        replace(shorter, edges=others).verify()


@pytest.mark.parametrize("step", [1, 2])
def test_star_that_winds_twice_is_rejected(step):
    """Every corner of a pentagram turns left, but not all corners lie left of every side."""
    corners = [(10, 0), (3, 9), (-8, 6), (-8, -6), (3, -9)]
    # a third player chooses the corner, and does not care
    table = np.array([*zip(*corners, strict=True), (0,) * 5]).reshape(3, 1, 1, 5)
    game = gt.NormalFormGame.from_payoffs(table)
    order = [step * k % 5 for k in range(6)]
    pure = [gt.correlated_distribution([[[int(j == k) for j in range(5)]]]) for k in order[:5]]
    edges = []
    for start, end in pairwise(order):
        (a, b), (c, d) = corners[start], corners[end]
        edges.append(PayoffEdge((Fraction(d - b), Fraction(a - c)), ()))
    if step == 1:
        assert certify_correlated_payoffs(game, pure, edges).vertices == tuple(corners)
    else:
        with pytest.raises(gt.CertificateRejected, match="corners of a convex polygon"):
            certify_correlated_payoffs(game, pure, edges)
