"""Dropped actions are those that earn less by the definition, and derivatives are inverted."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, NotConverged, UnsupportedGame
from gametheory_core.evaluation.support_rows import DifferenceTables
from gametheory_core.memory import memory_limit
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import Budget, polynomial_support_enumeration
from solvers.many_players import support_solutions
from solvers.many_players.support_tree import SupportTree
from tests.sample_sizes import many


@st.composite
def choices(draw):
    """A game, and for each player actions that are played and others that may be."""
    game = draw(
        normal_form_games(num_players=(1, 3), max_actions=3, kinds=(PayoffKind.DEGENERATE,))
    )
    marks = [draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)) for n in game.num_actions]
    played, perhaps = (
        tuple(tuple(a for a, mark in enumerate(own) if mark == kind) for own in marks)
        for kind in (0, 1)
    )
    return game, played, perhaps


def is_worse(game, sets, player, action, better):
    """Less at all that others may do; or nowhere more, and less at something that they do."""
    table = np.moveaxis(game.exact_payoffs[player], player, 0)
    gaps = np.array(table[better] - table[action], dtype=object)
    sure, possible = (
        [gaps[joint] for joint in product(*(own for j, own in enumerate(kind) if j != player))]
        for kind in (sets[0], [(*a, *b) for a, b in zip(*sets, strict=True)])
    )
    return all(g > 0 for g in possible) or (
        all(g >= 0 for g in possible) and any(g > 0 for g in sure)
    )


@many
@given(choices())
def test_an_action_is_dropped_where_another_one_is_better(case):
    game, *sets = case
    if not all(a or b for a, b in zip(*sets, strict=True)):
        return
    worse = {
        (player, action, better)
        for player, count in enumerate(game.num_actions)
        for action in (*sets[0][player], *sets[1][player])
        for better in range(count)
        if better != action and is_worse(game, sets, player, action, better)
    }
    found = SupportTree(DifferenceTables(game), lambda: None)._worse(*sets)
    assert found in worse if worse else found is None


@many
@given(normal_form_games(num_players=(1, 3), max_actions=3, kinds=(PayoffKind.DEGENERATE,)))
def test_no_action_is_worse_than_another_one_where_supports_are_left(game):
    tree = SupportTree(DifferenceTables(game), lambda: None)
    left = [step.supports for step in tree.steps() if not step.step]
    none = ((),) * game.num_players
    assert left
    assert all(tree._worse(supports, none) is None for supports in left)


@given(
    st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=3, max_size=3),
    st.sampled_from([0, 100, -900]),
    st.sampled_from([0, 400]),
)
def test_derivatives_of_any_scale_are_inverted_unless_singular(rows, power, step):
    factors = [Fraction(2) ** (power + step * k) for k in range(3)]
    slopes = [[factor * v for v in row] for factor, row in zip(factors, rows, strict=True)]
    unit = 2**900
    integers = [[int(v * unit) for v in row] for row in slopes]
    inverse = support_solutions._inverse(integers, unit)
    if inverse is None:
        assert abs(np.linalg.det(np.array(rows, dtype=float))) < 0.5
        return
    if abs(np.linalg.det(np.array(rows, dtype=float))) > 0.5:
        product = np.array(inverse, dtype=object) @ np.array(slopes, dtype=object)
        assert np.abs(product - np.eye(3, dtype=int)).max() < 1e-9


def test_comparisons_of_many_actions_end_with_the_budget_and_fit_into_memory():
    rng = np.random.default_rng(0)
    game = NormalFormGame.from_payoffs(rng.random((3, 30, 30, 30)))
    seen = []
    SupportTree(DifferenceTables(game), lambda: seen.append(None))
    assert len(seen) == 90  # looks at the clock for each action
    with pytest.raises(NotConverged, match="budget ended after 0 cells") as caught:
        polynomial_support_enumeration(game, budget=Budget(seconds=0))
    assert caught.value.best.found.equilibria  # a pure one
    small = NormalFormGame.from_payoffs(rng.random((3, 12, 12, 12)))
    tables = DifferenceTables(small)
    with (
        memory_limit(100_000),
        pytest.raises(UnsupportedGame, match="memory for comparisons of actions"),
    ):
        SupportTree(tables, lambda: None)
