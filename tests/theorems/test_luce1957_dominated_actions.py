"""Luce and Raiffa 1957, section 5.5: strictly dominated actions are played in no equilibrium.

So iterated elimination leaves the equilibria what they are. Checked on random games, in rationals:
two-player games keep all extreme equilibria, games of three players all pure ones. What is left
after weak elimination has equilibria of the game, but perhaps not all.
"""

import pytest
from hypothesis import given

from gametheory_core import NormalFormGame, certify_nash, expected_payoffs, pure_profile
from gametheory_core.catalog import load
from gametheory_core.certificates import Dominance
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import iterated_dominance, pure, vertex_enumeration

theorem = pytest.mark.theorem(
    source="Luce and Raiffa 1957",
    statement="Iterated strict dominance loses no equilibrium and adds none.",
)

KINDS = (PayoffKind.GENERIC, PayoffKind.DEGENERATE, PayoffKind.RATIONAL)


def profiles(equilibria):
    return {solution.profile for solution in equilibria.equilibria}


def carried_back(reduction, solver):
    to_source = reduction.restriction.correspondence.to_source
    return {to_source(profile) for profile in profiles(solver(reduction.reduced))}


@theorem
@given(normal_form_games(num_players=(2, 2), max_actions=4, kinds=KINDS))
def test_extreme_equilibria_are_those_of_what_is_left(game):
    reduction = iterated_dominance(game)
    assert carried_back(reduction, vertex_enumeration) == profiles(vertex_enumeration(game))


@theorem
@given(normal_form_games(num_players=(3, 3), kinds=KINDS))
def test_pure_equilibria_of_three_players_are_those_of_what_is_left(game):
    reduction = iterated_dominance(game)
    assert carried_back(reduction, pure) == profiles(pure(game))


@theorem
@given(normal_form_games(num_players=(2, 2), max_actions=4, kinds=KINDS))
def test_weak_elimination_adds_no_equilibrium(game):
    reduction = iterated_dominance(game, dominance=Dominance.WEAK)
    for profile in carried_back(reduction, vertex_enumeration):
        assert certify_nash(game, profile).epsilon == 0


@theorem
def test_weak_twin_loses_an_equilibrium():
    game = NormalFormGame.bimatrix([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    reduction = iterated_dominance(game, dominance=Dominance.WEAK)
    assert reduction.survivors == ((0,), (0,))
    assert certify_nash(game, pure_profile(game, (1, 1))).epsilon == 0


@theorem
def test_best_joint_outcome_twin_is_no_equilibrium_and_may_go():
    """Only equilibria are safe: what both like better than the equilibrium is not."""
    dilemma = load("prisoners_dilemma")
    assert iterated_dominance(dilemma).survivors == ((1,), (1,))
    together, apart = (pure_profile(dilemma, (action, action)) for action in (0, 1))
    assert certify_nash(dilemma, together).epsilon > 0
    assert certify_nash(dilemma, apart).epsilon == 0
    liked, left = expected_payoffs(dilemma, together), expected_payoffs(dilemma, apart)
    assert all(more > less for more, less in zip(liked, left, strict=True))
