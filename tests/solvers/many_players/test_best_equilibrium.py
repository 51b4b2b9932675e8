"""The best of all equilibria of several players, against the list; and claims that are too high."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import CertificateRejected, NormalFormGame, NotConverged
from gametheory_core.catalog import load
from gametheory_core.certificates import EquilibriumObjective
from gametheory_core.evaluation import expected_payoffs
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


def test_a_profile_that_is_not_listed_is_rejected():
    best = best_of_all_equilibria(load("irrational_equilibrium")).certificate
    own = best.profile.strategies[0]
    moved = np.array([own[0] + Fraction(1, 10**30), own[1] - Fraction(1, 10**30)], dtype=object)
    profile = replace(best.profile, strategies=(moved, *best.profile.strategies[1:]))
    with pytest.raises(CertificateRejected, match="none of the 1 equilibrium"):
        replace(best, profile=profile).verify()


def test_nothing_is_best_of_a_list_with_gaps():
    payoffs = np.zeros((3, 2, 2, 2))
    payoffs[1, 0, 0] = payoffs[2, 1, :, 0] = 1  # the others care what the first one does
    game = NormalFormGame.from_payoffs(payoffs)
    with pytest.raises(NotConverged, match="needs a complete list") as caught:
        best_of_all_equilibria(game)
    assert caught.value.best is None
    with pytest.raises(NotConverged, match="budget ended") as caught:
        best_of_all_equilibria(load("irrational_equilibrium"), budget=Budget(iterations=1))
    assert caught.value.best is None


def test_solve_asks_it_for_three_players():
    answer = solve(load("nine_equilibria"), "best-nash", objective="least-welfare")
    assert answer.algorithm == "best_of_all_equilibria"
    assert answer.solutions[0].certificate.value == Fraction(20, 3)
