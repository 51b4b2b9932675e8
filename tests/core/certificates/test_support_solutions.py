"""What is said of solutions of supports' equations is what their definitions say, box by box."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.certificates.halved_cells import whole_cell
from gametheory_core.certificates.support_solutions import (
    SupportSolution,
    are_apart,
    is_equilibrium,
    is_within,
    profile_of,
    region_of,
    sign_at,
)
from gametheory_core.evaluation.support_rows import DifferenceTables

SMALL = st.integers(-2, 2)
RADII = st.sampled_from([Fraction(0), Fraction(1, 16), Fraction(1, 4), Fraction(1)])


@st.composite
def claims(draw, radii=RADII):
    """A game with many ties, supports, and a point of these that may be no solution."""
    shape = draw(st.sampled_from([(2, 2), (3, 2), (2, 3), (2, 2, 2)]))
    size = len(shape) * int(np.prod(shape))
    payoffs = np.array(draw(st.lists(SMALL, min_size=size, max_size=size)))
    game = gt.NormalFormGame.from_payoffs(payoffs.reshape(len(shape), *shape))
    supports = tuple(
        tuple(sorted(draw(st.sets(st.integers(0, k - 1), min_size=1, max_size=k)))) for k in shape
    )
    return game, draw(solutions(supports, radii))


@st.composite
def solutions(draw, supports, radii=RADII):
    rest = [[Fraction(draw(st.integers(-1, 4)), 4) for _ in own[1:]] for own in supports]
    point = tuple((1 - sum(own), *own) for own in rest)
    return SupportSolution(supports, point, draw(radii), ())


def rows_of(game, solution):
    return DifferenceTables(game).rows(solution.supports)


def corners(solution):
    """The points of a box all whose unknowns are least or largest."""
    unknowns = [p for own in solution.point for p in own[1:]]
    for signs in product((-1, 1), repeat=len(unknowns)):
        moved = iter([p + s * solution.radius for p, s in zip(unknowns, signs, strict=True)])
        rest = [[next(moved) for _ in own[1:]] for own in solution.point]
        yield tuple((1 - sum(own), *own) for own in rest)


def lead(game, supports, point):
    """What each first supported action earns more than those that are not supported."""
    out = []
    for player, own in enumerate(supports):
        earned = [Fraction(0)] * game.num_actions[player]
        others = [list(zip(s, p, strict=True)) for s, p in zip(supports, point, strict=True)]
        others[player] = [(a, Fraction(1)) for a in range(game.num_actions[player])]
        for cell in product(*others):
            weight = np.prod([w for _, w in cell])
            played = tuple(a for a, _ in cell)
            earned[played[player]] += weight * game.exact_payoffs[(player, *played)]
        out += [earned[own[0]] - v for a, v in enumerate(earned) if a not in own]
    return out


def holds(game, supports, point, *, strictly):
    numbers = [*(p for own in point for p in own), *lead(game, supports, point)]
    return all(number > 0 if strictly else number >= 0 for number in numbers)


@given(claims(st.just(Fraction(0))))
def test_points_are_equilibria_if_all_is_played_and_nothing_earns_more(claim):
    game, at = claim
    (point,) = set(corners(at))
    played = all(p > 0 for own in point for p in own)
    wanted = played and all(value >= 0 for value in lead(game, at.supports, point))
    assert is_equilibrium(rows_of(game, at), at) is wanted


@given(claims(RADII.filter(bool)))
def test_boxes_are_said_to_hold_equilibria_only_where_every_point_is_one(claim):
    """None is said where some point has a tie; what is said is true of all corners."""
    game, box = claim
    found = is_equilibrium(rows_of(game, box), box)
    every = [holds(game, box.supports, point, strictly=True) for point in corners(box)]
    some = [holds(game, box.supports, point, strictly=False) for point in corners(box)]
    if found:
        assert all(every)
    elif found is False:
        assert not any(some)
    else:
        assert not all(every) or len(every) > 1


@pytest.mark.parametrize(
    ("first", "wanted"), [(1, True), (0, None), (-1, False)], ids=["better", "as good", "worse"]
)
def test_a_tie_in_a_box_is_left_open(first, wanted):
    """Player 0 has one supported action that earns more than, as much as, or less than another."""
    game = gt.NormalFormGame.bimatrix([[first, first], [0, 0]], [[1, 1], [1, 1]])
    half = Fraction(1, 2)
    for radius in (Fraction(0), Fraction(1, 8)):
        at = SupportSolution(((0,), (0, 1)), ((Fraction(1),), (half, half)), radius, ())
        told = (first >= 0) if not radius else wanted
        assert is_equilibrium(rows_of(game, at), at) is told


@given(st.data())
def test_boxes_are_apart_or_within_by_their_unknowns(data):
    supports = data.draw(st.sampled_from([((0, 1), (0, 1)), ((0,), (0, 1, 2))]))
    one, other = data.draw(solutions(supports)), data.draw(solutions(supports))
    ends = [
        [(p - s.radius, p + s.radius) for own in s.point for p in own[1:]] for s in (one, other)
    ]
    pairs = list(zip(*ends, strict=True))
    assert are_apart(one, other) == any(a[1] < b[0] or b[1] < a[0] for a, b in pairs)
    assert is_within(one, other) == all(b[0] <= a[0] and a[1] <= b[1] for a, b in pairs)


@given(claims())
def test_a_region_holds_the_box_and_profiles_keep_its_middle(claim):
    game, box = claim
    region = region_of(box)
    for matrix, scale, room, own in zip(
        region.matrices, region.denominators, region.rooms, box.point, strict=True
    ):
        rows = [[Fraction(v, scale) for v in row] for row in matrix.tolist()]
        least = [min(column) for column in zip(*rows, strict=True)]
        assert all(sum(row) == 1 for row in rows)
        if len(own) > 1:
            assert least == [
                own[0] - (len(own) - 1) * box.radius,
                *(p - box.radius for p in own[1:]),
            ]
            assert Fraction(room, scale) == 1 - sum(least)
    if all(p >= 0 for own in box.point for p in own):
        profile = profile_of(game, box)
        for own, point, strategy in zip(box.supports, box.point, profile.strategies, strict=True):
            assert [strategy[a] for a in own] == list(point)
            assert sum(strategy) == 1


@given(st.integers(1, 4), st.data())
def test_the_sign_is_that_of_the_determinant(count, data):
    """Of the inverse, by Leibniz' formula."""
    entry = st.integers(-2, 2).map(Fraction)
    inverse = tuple(tuple(data.draw(entry) for _ in range(count)) for _ in range(count))
    determinant = leibniz([list(row) for row in inverse])
    if not determinant:
        return
    game = gt.NormalFormGame.zero_sum([[0] * (count + 1)])
    supports = ((0,), tuple(range(count + 1)))
    point = ((Fraction(1),), (Fraction(1, count + 1),) * (count + 1))
    found = sign_at(rows_of(game, SupportSolution(supports, point, Fraction(0), inverse)),
                    SupportSolution(supports, point, Fraction(1), inverse))  # fmt: skip
    assert found == (1 if determinant > 0 else -1)


def leibniz(rows):
    if not rows:
        return Fraction(1)
    first, *rest = rows
    minors = ([row[:k] + row[k + 1 :] for row in rest] for k in range(len(first)))
    return sum(
        (-1) ** k * v * leibniz(m) for k, (v, m) in enumerate(zip(first, minors, strict=True))
    )


@given(claims(), st.data())
def test_cells_keep_their_simplices_when_they_are_halved(claim, data):
    """Both halves have corners that sum to one; they share all corners but the moved one."""
    _, at = claim
    cell = whole_cell(at.supports)
    for _ in range(data.draw(st.integers(0, 4))):
        wide = [player for player, own in enumerate(at.supports) if len(own) > 1]
        if not wide:
            break
        player = data.draw(st.sampled_from(wide))
        size = len(at.supports[player])
        kept, moved = data.draw(st.permutations(range(size)))[:2]
        before, after = (
            corners_of(cell, player),
            corners_of(half := cell.halved(player, kept, moved), player),
        )
        middle = [(a + b) / 2 for a, b in zip(before[kept], before[moved], strict=True)]
        assert after == [*before[:moved], middle, *before[moved + 1 :]]
        cell = half
    for player in range(len(at.supports)):
        own = corners_of(cell, player)
        assert cell.lowest()[player] == [min(column) for column in zip(*own, strict=True)]
        assert cell.matrices()[player].tolist() == [[float(v) for v in row] for row in own]
        odd = any(v % 2 for row in cell.corners[player] for v in row)
        assert odd or cell.bits[player] == 0


def corners_of(cell, player):
    return [[Fraction(v, 1 << cell.bits[player]) for v in row] for row in cell.corners[player]]
