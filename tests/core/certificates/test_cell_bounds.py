"""Floats say that combinations of rows are below 0 where they are, and only there."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame
from gametheory_core.certificates import cell_bounds
from gametheory_core.certificates.cell_bounds import are_surely_below
from gametheory_core.certificates.halved_cells import CellTree, Part, whole_cell
from gametheory_core.evaluation.support_rows import DifferenceTables, at_corners


@st.composite
def batches(draw):
    """Parts of cells of several supports of one game, halved at random, with weights."""
    shape = draw(st.sampled_from([(2, 2), (3, 2), (1, 3), (2, 2, 2), (3, 1, 2), (2, 3, 3)]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    scale = draw(st.sampled_from([1, 10**6, 10**20]))
    payoffs = [
        [int(v) * scale ** int(rng.integers(2)) for v in rng.integers(-9, 10, shape).ravel()]
        for _ in shape
    ]
    game = NormalFormGame.from_payoffs(np.array(payoffs, dtype=object).reshape(len(shape), *shape))
    tables = DifferenceTables(game)
    parts = []
    for _ in range(draw(st.integers(1, 4))):
        supports = tuple(
            tuple(sorted(rng.choice(n, rng.integers(1, n + 1), replace=False).tolist()))
            for n in shape
        )
        first = whole_cell(supports)
        mixed = [j for j, own in enumerate(supports) if len(own) > 1]
        for _ in range(draw(st.sampled_from([0, 0, 3, 45])) if mixed else 0):
            first = first.halved(*halving(rng, supports, mixed))
        tree = CellTree(tables.rows(supports), first)
        cells = [0]
        for _ in range(draw(st.sampled_from([0, 2, 6, 120])) if mixed else 0):
            at = cells.pop(int(rng.integers(len(cells))) if rng.random() < 0.5 else -1)
            cells += tree.halve(at, *halving(rng, supports, mixed))
        large = draw(st.sampled_from([10, 10**12, 10**400]))
        for place in cells:
            weights = tuple(int(v) * large for v in rng.integers(-9, 10, len(tree.rows.actions)))
            if rng.random() < 0.8:  # such as are below 0 in the middle
                middle = sum(
                    weight * row
                    for weight, row in zip(
                        weights, corner_values(tree, place).sum(axis=1).tolist(), strict=True
                    )
                )
                weights = tuple(-v for v in weights) if middle > 0 else weights
            parts.append(Part(len(parts), tree, place, -1, weights))
    return parts


def halving(rng, supports, mixed):
    player = int(rng.choice(mixed))
    kept, moved = rng.choice(len(supports[player]), 2, replace=False).tolist()
    return player, kept, moved


def corner_values(tree, place):
    """Rows at the joint corners of a cell, exactly, up to a positive factor."""
    matrices = [np.array(own, dtype=object) for own in tree.cell(place).corners]
    values = at_corners(tree.rows.values, matrices)
    return values.reshape(len(values), -1)


def combined(part):
    values = corner_values(part.tree, part.place)
    return [
        sum(w * row[c] for w, row in zip(part.weights, values, strict=True))
        for c in range(values.shape[1])
    ]


@given(batches())
def test_what_is_surely_below_0_is_so_exactly(parts):
    for part, is_sure in zip(parts, are_surely_below(parts), strict=True):
        assert not is_sure or max(combined(part)) < 0


@given(batches())
def test_what_is_clearly_below_0_is_seen_unless_cells_are_tiny(parts):
    for part, is_sure in zip(parts, are_surely_below(parts), strict=True):
        rows, cell = part.tree.rows, part.cell
        unit = 1 << sum(cell.bits)
        references = [own[0] for own in rows.supports]
        sizes = [
            max(map(abs, rows.tables.exact(j, references[j])[a].ravel().tolist()))
            for j, a in rows.actions
        ]
        bound = sum(abs(w) * size for w, size in zip(part.weights, sizes, strict=True))
        is_clear = 10**6 * max(combined(part)) < -bound * unit
        if is_clear and part.tree.depths[part.place] <= cell_bounds.MOST_HALVINGS:
            assert is_sure


def test_both_are_met_in_most_batches():
    sure = []

    @given(batches())
    def look(parts):
        sure.extend(are_surely_below(parts))

    look()
    assert 0.05 < np.mean(sure) < 0.95


@given(st.integers(1, 2**200), st.integers(1, 2**200))
def test_rounding_is_never_taken_for_a_value_below_0(x, y):
    """Rows are ``x`` and ``y``, and the combination ``y x - x y``."""
    payoffs = np.zeros((2, 3, 2), dtype=object)
    payoffs[0, 1:] = [[-x, -x], [-y, -y]]
    rows = DifferenceTables(NormalFormGame.from_payoffs(payoffs)).rows(((0,), (0, 1)))
    weights = [{(0, 1): s * y, (0, 2): -s * x} for s in (1, -1)]
    tree = CellTree(rows, whole_cell(rows.supports))
    parts = [
        Part(0, tree, 0, -1, tuple(own.get(action, 0) for action in rows.actions))
        for own in weights
    ]
    assert are_surely_below(parts) == [False, False]


def test_small_rows_are_measured_by_their_own_size():
    payoffs = np.zeros((2, 3, 2), dtype=object)
    payoffs[0, 1:] = [[1, 1], [10**20, 10**20]]
    rows = DifferenceTables(NormalFormGame.from_payoffs(payoffs)).rows(((0,), (0, 1)))
    weights = tuple(int(action == (0, 1)) for action in rows.actions)
    part = Part(0, CellTree(rows, whole_cell(rows.supports)), 0, -1, weights)
    assert are_surely_below([part]) == [True]


@given(batches(), st.integers(1, 20), st.integers(1, 100))
def test_batches_of_any_size_tell_the_same(parts, together, chunk):
    whole = are_surely_below(parts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cell_bounds, "TOGETHER", together)
        patch.setattr(cell_bounds, "CHUNK", chunk)
        assert are_surely_below(parts) == whole
    assert [are_surely_below([part]) for part in parts] == [[is_sure] for is_sure in whole]


def test_a_cell_is_the_same_by_whatever_way_it_is_asked_for():
    rows = DifferenceTables(NormalFormGame.from_payoffs(np.zeros((2, 2, 3), dtype=int))).rows(
        ((0, 1), (0, 1, 2))
    )
    for order in ((0, 1), (1, 0)):
        tree = CellTree(rows, whole_cell(rows.supports))
        first, second = tree.halve(0, 1, 0, 2)
        inner = tree.halve(second, 0, 1, 0)
        both = {place: tree.cell((*inner, first)[place]) for place in order}
        halved = whole_cell(rows.supports).halved(1, 2, 0)
        assert both[0] == halved.halved(0, 1, 0)
        assert both[1] == halved.halved(0, 0, 1)
        assert tree.cell(first) == whole_cell(rows.supports).halved(1, 0, 2)


def test_no_parts_are_no_answers():
    assert are_surely_below([]) == []


def test_players_without_choices_have_nothing_below_0():
    rows = DifferenceTables(NormalFormGame.from_payoffs(np.ones((2, 1, 1)))).rows(((0,), (0,)))
    part = Part(0, CellTree(rows, whole_cell(rows.supports)), 0, -1, ())
    assert are_surely_below([part]) == [False]
