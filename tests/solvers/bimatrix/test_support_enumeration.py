"""Support enumeration: complete where it is meant for, and honest about where it is not.

Its equality with two other enumerations on random games is tested with vertex enumeration.
"""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import NormalFormGame, NotConverged, UnsupportedGame, uniform_profile
from gametheory_core.catalog import load
from solvers import Budget, support_enumeration

SHAPLEY = NormalFormGame.bimatrix(
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
)
ALL_EQUAL = NormalFormGame.bimatrix(np.zeros((4, 4), dtype=int), np.zeros((4, 4), dtype=int))


def test_game_without_pure_equilibria_has_its_one_mixed_one():
    found = support_enumeration(SHAPLEY)
    third = Fraction(1, 3)
    assert [solution.payoffs for solution in found.equilibria] == [(third, third)]
    assert found.equilibria[0].profile == uniform_profile(SHAPLEY)
    found.completeness.verify()


def test_degenerate_game_is_complete():
    found = support_enumeration(ALL_EQUAL)
    assert len(found.equilibria) == 16
    assert found.is_complete
    found.completeness.verify()


def test_game_too_large_is_refused_with_its_size():
    game = NormalFormGame.bimatrix(np.eye(10, dtype=int), np.eye(10, dtype=int))
    with pytest.raises(UnsupportedGame, match=r"has 184,755 pairs of supports .* vertex_enumer"):
        support_enumeration(game)


def test_game_too_large_is_tried_within_a_budget():
    game = NormalFormGame.bimatrix(np.eye(10, dtype=int), np.eye(10, dtype=int))
    with pytest.raises(NotConverged, match="support_enumeration: needs all extreme equilibria"):
        support_enumeration(game, budget=Budget(iterations=50))


def test_budget_ends_with_the_certified_equilibria_so_far():
    """The last system, of full supports, finds the last equilibrium."""
    game = load("coordination:size=4")
    with pytest.raises(NotConverged, match="with 14 found: 137 of 138 pairs of supports") as caught:
        support_enumeration(game, budget=Budget(iterations=137))
    best = caught.value.best
    assert not best.is_complete
    assert "137 of 138 pairs of supports were tried" in best.evidence
    for solution in best.equilibria:
        solution.certificate.verify()
        assert solution.certificate.epsilon == 0


def test_budget_that_is_just_enough_is_enough():
    game = load("coordination:size=4")
    assert len(support_enumeration(game, budget=Budget(iterations=138)).equilibria) == 15


def test_progress_knows_the_total():
    reports = []
    support_enumeration(SHAPLEY, on_iteration=reports.append)
    assert (reports[-1].done, reports[-1].total) == (38, 38)


def test_three_players_are_refused():
    game = NormalFormGame.from_payoffs(np.zeros((3, 2, 2, 2), dtype=int))
    with pytest.raises(UnsupportedGame, match="support_enumeration: needs two players, but"):
        support_enumeration(game)
