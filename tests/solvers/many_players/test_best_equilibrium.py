"""The best of all equilibria of several players, against the list; and claims that are too high."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from gametheory_core import (
    CertificateRejected,
    MixedProfile,
    NormalFormGame,
    NotConverged,
    certify_nash,
)
from gametheory_core.catalog import load
from gametheory_core.certificates import EquilibriumObjective
from gametheory_core.certificates.all_equilibria import certify_all_equilibria
from gametheory_core.certificates.best_of_all import certify_best_of_all
from gametheory_core.certificates.support_solutions import is_equilibrium, profile_of
from gametheory_core.evaluation import expected_payoffs
from gametheory_core.evaluation.support_rows import DifferenceTables
from gametheory_core.strategies import supports
from solvers import Budget, polynomial_support_enumeration, solve
from solvers.many_players import best_of_all_equilibria
from tests.planted_games import with_dominated_and_copies
from tests.sample_sizes import examples

SHAPES = [(2, 2, 2), (2, 3, 2), (2, 2, 2, 2)]


def value(game, profile, objective, player):
    if "support" in objective.value:
        return sum(map(len, supports(profile)))
    payoffs = expected_payoffs(game, profile)
    return sum(payoffs) if "welfare" in objective.value else payoffs[player]


@given(
    st.sampled_from(SHAPES),
    st.integers(0, 10**6),
    st.sampled_from(list(EquilibriumObjective)),
    st.integers(0, 1),
)
def test_no_equilibrium_on_the_list_is_better(shape, seed, objective, player):
    rng = np.random.default_rng(seed)
    game = NormalFormGame.from_payoffs(rng.integers(-99, 100, (len(shape), *shape)))
    listed = polynomial_support_enumeration(game).found
    assume(listed.is_complete)
    whose = player if "payoff" in objective.value else None
    best = best_of_all_equilibria(game, objective=objective, player=whose)
    best.certificate.verify()
    values = [value(game, s.profile, objective, player) for s in listed.equilibria]
    is_largest = "largest" in objective.value or objective is EquilibriumObjective.LARGEST_SUPPORT
    expected = max(values) if is_largest else min(values)
    assert abs(best.certificate.value - expected) <= Fraction(1, 10**6)
    assert 0 <= best.certificate.epsilon <= Fraction(1, 10**6)


@examples(8)
@given(st.integers(0, 10**6), st.sampled_from(list(EquilibriumObjective)))
def test_copies_that_pay_others_differently_are_compared(seed, objective):
    rng = np.random.default_rng(seed)
    base = NormalFormGame.from_payoffs(rng.integers(-(10**6), 10**6, (3, 2, 2, 2)))
    game, _ = with_dominated_and_copies(rng, base, dominated=1, copies=2)
    listed = polynomial_support_enumeration(game).found
    assume(listed.is_complete)
    try:
        best = best_of_all_equilibria(game, objective=objective)
    except NotConverged:
        assert objective is EquilibriumObjective.LARGEST_SUPPORT
        return
    best.certificate.verify()
    values = [value(game, s.profile, objective, 0) for s in listed.equilibria]
    expected = max(values) if "largest" in objective.value else min(values)
    assert abs(best.certificate.value - expected) <= Fraction(1, 10**6)


def test_spreading_weight_over_copies_plays_more_actions():
    game = NormalFormGame.from_payoffs(np.zeros((3, 2, 2, 2)))
    smallest = best_of_all_equilibria(game, objective=EquilibriumObjective.SMALLEST_SUPPORT)
    assert smallest.certificate.value == 3
    with pytest.raises(NotConverged, match="weight may be spread over more copies"):
        best_of_all_equilibria(game, objective=EquilibriumObjective.LARGEST_SUPPORT)


def test_another_equilibrium_cannot_be_called_best():
    game = load("nine_equilibria")
    best = best_of_all_equilibria(game).certificate
    others = set(polynomial_support_enumeration(game).found.completeness.profiles)
    for profile in others - {best.profile}:
        with pytest.raises(CertificateRejected, match="claims score"):
            replace(best, profile=profile).verify()
    low = Fraction(20)
    with pytest.raises(CertificateRejected, match="claims upper bound 20"):
        replace(best, upper_bound=low).verify()


def test_an_irrational_equilibrium_is_said_to_be_near_the_profile():
    best = best_of_all_equilibria(load("irrational_equilibrium")).certificate
    assert certify_nash(best.game, best.profile).epsilon > 0
    p = best.profile.strategies[1][0]  # near a root of 12 p^2 + 13 p - 9
    ends = [12 * x * x + 13 * x - 9 for x in (p - best.radius, p + best.radius)]
    assert best.radius > 0 > min(ends) * max(ends)
    assert "near the profile (within" in best.statement
    with pytest.raises(CertificateRejected, match="radius"):
        replace(best, radius=Fraction(0)).verify()
    rational = best_of_all_equilibria(load("nine_equilibria")).certificate
    assert rational.radius == certify_nash(rational.game, rational.profile).epsilon == 0
    assert rational.statement.startswith("a Nash equilibrium with")


def test_a_profile_that_is_not_listed_is_rejected():
    best = best_of_all_equilibria(load("irrational_equilibrium")).certificate
    own = best.profile.strategies[0]
    moved = np.array([own[0] + Fraction(1, 10**30), own[1] - Fraction(1, 10**30)], dtype=object)
    profile = replace(best.profile, strategies=(moved, *best.profile.strategies[1:]))
    with pytest.raises(CertificateRejected, match="none of the 1 equilibrium"):
        replace(best, profile=profile).verify()


GRID = [Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(1)]


def grid_equilibria(game):
    """All equilibria of a game with two actions each whose probabilities are simple."""
    for chances in product(GRID, repeat=game.num_players):
        profile = MixedProfile(tuple(np.array([1 - p, p], dtype=object) for p in chances))
        if certify_nash(game, profile).epsilon == 0:
            yield profile


def tied_game(rng, shape):
    return NormalFormGame.from_payoffs(rng.integers(0, 3, (len(shape), *shape)))


@examples(30)
@given(st.integers(0, 10**6), st.sampled_from(list(EquilibriumObjective)), st.integers(0, 2))
def test_no_equilibrium_of_a_continuum_is_better(seed, objective, player):
    game = tied_game(np.random.default_rng(seed), (2, 2, 2))
    whose = player if "payoff" in objective.value else None
    try:
        best = best_of_all_equilibria(game, objective=objective, player=whose)
    except NotConverged:
        reject()
    best.certificate.verify()
    assert certify_nash(game, best.profile).epsilon <= Fraction(1, 10**9)
    values = [value(game, each, objective, player) for each in grid_equilibria(game)]
    if values:
        found = best.certificate.value
        excess = max(values) - found if "largest" in objective.value else found - min(values)
        assert excess <= best.certificate.epsilon


@pytest.mark.parametrize("shape", [(2, 2, 2), (3, 2, 2)], ids=str)
def test_most_games_with_continua_have_a_best_payoff(shape):
    """Of those whose list of equilibria has gaps: above 95 %, and 80 % are asked for."""
    with_gaps = solved = 0
    for seed in range(14):
        game = tied_game(np.random.default_rng([seed, *shape]), shape)
        if polynomial_support_enumeration(game).found.is_complete:
            continue
        with_gaps += 1
        try:
            best = best_of_all_equilibria(game)
        except NotConverged:
            continue
        solved += best.certificate.epsilon == 0
    assert with_gaps >= 5
    assert solved >= 0.8 * with_gaps


def test_a_best_equilibrium_that_is_left_out_is_missed():
    """Where the bound is lower, cells that were closed by it are open."""
    left_out = 0
    for seed in range(20):
        game = tied_game(np.random.default_rng([seed, 7]), (2, 2, 2))
        if polynomial_support_enumeration(game).found.is_complete:
            continue
        best = best_of_all_equilibria(game).certificate
        tables = DifferenceTables(game)
        kept = tuple(
            solution
            for solution in best.solutions
            if sum(expected_payoffs(game, profile_of(game, solution))) < best.value
            or not is_equilibrium(tables.rows(solution.supports), solution)
        )
        lower = [profile_of(game, s) for s in kept if is_equilibrium(tables.rows(s.supports), s)]
        if best.eliminations or best.merges_copies or not lower:
            continue
        left_out += 1
        profile = max(lower, key=lambda each: sum(expected_payoffs(game, each)))
        with pytest.raises(CertificateRejected, match="unproved"):
            certify_best_of_all(
                game, profile, objective=best.objective, solutions=kept, steps=best.steps
            )
    assert left_out


def test_a_list_of_all_has_no_weight_for_scores():
    """What proves that none is better does not prove that none is missing."""
    best = best_of_all_equilibria(continuum()).certificate
    with pytest.raises(CertificateRejected, match="says nothing about a cell"):
        certify_all_equilibria(
            best.game,
            best.solutions,
            best.steps,
            eliminations=best.eliminations,
            merges_copies=best.merges_copies,
        )


def continuum():
    payoffs = np.zeros((3, 2, 2, 2))
    payoffs[1, 0, 0] = payoffs[2, 1, :, 0] = 1  # the others care what the first one does
    return NormalFormGame.from_payoffs(payoffs)


def test_nothing_is_best_where_a_continuum_may_be_better():
    most = EquilibriumObjective.LARGEST_SUPPORT  # that of mixtures, which are not listed
    with pytest.raises(NotConverged, match="may hold a better one") as caught:
        best_of_all_equilibria(continuum(), objective=most)
    assert caught.value.best is None
    with pytest.raises(NotConverged, match="budget ended") as caught:
        best_of_all_equilibria(load("irrational_equilibrium"), budget=Budget(iterations=1))
    assert caught.value.best is None


def test_solve_asks_it_for_three_players():
    answer = solve(load("nine_equilibria"), "best-nash", objective="least-welfare")
    assert answer.algorithm == "best_of_all_equilibria"
    assert answer.solutions[0].certificate.value == Fraction(20, 3)
