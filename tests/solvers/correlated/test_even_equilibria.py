"""The most even equilibria: proved, and what a convex-programming library finds in floats."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import solvers
from gametheory_core import NormalFormGame, NotConverged, UnsupportedGame
from gametheory_core.catalog import load
from gametheory_core.certificates import CorrelatedKind
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers._programs.separable_convex import EvenPoint
from solvers.correlated.even_faces import most_gini
from solvers.correlated.incentive_program import incentive_rows
from solvers.solution import BudgetOver, Meter
from tests.solvers.correlated.brute_force import deviations

KINDS = list(CorrelatedKind)
GAMES = normal_form_games(num_players=(1, 3), max_actions=3, kinds=tuple(PayoffKind))
CHICKEN = NormalFormGame.symmetric([[6, 2], [7, 0]])
DILEMMA = NormalFormGame.symmetric([[3, 0], [5, 1]])
SOLVERS = (solvers.max_entropy_correlated_equilibrium, solvers.max_gini_correlated_equilibrium)


def shares(solution):
    return solution.profile.tensor.ravel()


@given(GAMES, st.sampled_from(KINDS))
def test_most_impurity_is_proved_exactly(game, kind):
    solution = solvers.max_gini_correlated_equilibrium(game, kind=kind)
    certificate = solution.certificate
    certificate.verify()
    assert certificate.epsilon == certificate.optimality_gap == 0
    assert certificate.optimality.value == 1 - sum(shares(solution) ** 2)
    gains = [sum(np.array(row) * shares(solution)) for row in deviations(game, kind)]
    assert max(gains, default=0) <= 0


@given(GAMES, st.sampled_from(KINDS))
def test_most_entropy_is_proved_to_a_millionth(game, kind):
    solution = solvers.max_entropy_correlated_equilibrium(game, kind=kind)
    certificate = solution.certificate
    certificate.verify()
    assert certificate.epsilon <= 1e-6
    assert abs(certificate.optimality_gap) <= 1e-6
    floats = shares(solution).astype(float)
    entropy = -sum(p * math.log(p) for p in floats if p)
    assert float(certificate.optimality.value) == pytest.approx(entropy, abs=1e-9)


def by_convex_programming(game, kind, evenness):
    """The same program by cvxpy and Clarabel."""
    cvxpy = pytest.importorskip("cvxpy")
    rows = np.array(deviations(game, kind)).astype(float).reshape(-1, game.given_payoffs[0].size)
    x = cvxpy.Variable(rows.shape[1], nonneg=True)
    value = cvxpy.sum(cvxpy.entr(x)) if evenness == "entropy" else 1 - cvxpy.sum_squares(x)
    held = [cvxpy.sum(x) == 1] + ([rows @ x <= 0] if len(rows) else [])
    return cvxpy.Problem(cvxpy.Maximize(value), held).solve(solver="CLARABEL")


@pytest.mark.peer
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(4, 4), (3, 5), (2, 3, 4), (1, 3)])
@pytest.mark.parametrize("spread", [1, 9])
def test_same_evenness_as_a_convex_programming_library(shape, spread, kind):
    rng = np.random.default_rng(spread + len(shape))
    game = NormalFormGame.from_payoffs(rng.integers(-spread, spread + 1, (len(shape), *shape)))
    gini = solvers.max_gini_correlated_equilibrium(game, kind=kind).certificate.optimality.value
    assert float(gini) == pytest.approx(by_convex_programming(game, kind, "gini"), abs=1e-5)
    entropy = solvers.max_entropy_correlated_equilibrium(
        game, kind=kind
    ).certificate.optimality.value
    expected = by_convex_programming(game, kind, "entropy")
    assert float(entropy) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kind", KINDS)
def test_without_incentives_all_joint_actions_are_alike(solver, kind):
    game = NormalFormGame.from_payoffs(np.zeros((3, 2, 3, 2)))
    assert set(solver(game, kind=kind).profile.probabilities) == {Fraction(1, 12)}


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_unique_equilibrium_is_found_exactly(solver, kind):
    found = solver(DILEMMA, kind=kind)
    assert found.profile.joint_actions == ((1, 1),)
    assert found.payoffs == (1, 1)
    assert found.certificate.epsilon == 0


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kind", KINDS)
def test_players_may_change_seats(solver, kind):
    """The answer is unique, so it is symmetric in a symmetric game."""
    table = solver(CHICKEN, kind=kind).profile.tensor
    assert float(abs(table - table.T).max()) < 1e-8


def test_entropy_and_impurity_want_different_equilibria():
    gini = solvers.max_gini_correlated_equilibrium(CHICKEN)
    assert gini.profile.probabilities == tuple(Fraction(k, 34) for k in (9, 10, 10, 5))
    entropy = solvers.max_entropy_correlated_equilibrium(CHICKEN)
    assert abs(shares(gini) - shares(entropy)).max() > Fraction(1, 10_000)
    assert entropy.certificate.optimality_gap < Fraction(1, 10**12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(10, 10), (5, 5, 5), (3, 3, 3, 3)])
@pytest.mark.parametrize("spread", [1, 100])
def test_larger_games(shape, spread, kind):
    rng = np.random.default_rng(7)
    game = NormalFormGame.from_payoffs(rng.integers(-spread, spread + 1, (len(shape), *shape)))
    gini = solvers.max_gini_correlated_equilibrium(game, kind=kind).certificate
    gini.verify()
    assert gini.epsilon == gini.optimality_gap == 0
    entropy = solvers.max_entropy_correlated_equilibrium(game, kind=kind).certificate
    entropy.verify()
    assert max(entropy.epsilon, entropy.optimality_gap) <= 1e-6


@pytest.mark.parametrize("unit", [Fraction(1, 3), Fraction(1, 10**9), Fraction(10**9)])
def test_units_of_payoffs_do_not_matter(unit):
    first, second = load("chicken").exact_payoffs
    game = NormalFormGame.bimatrix(first * unit + 10**12, second)
    plain = solvers.max_gini_correlated_equilibrium(load("chicken"))
    assert solvers.max_gini_correlated_equilibrium(game).profile == plain.profile


@pytest.mark.parametrize("solver", SOLVERS)
def test_budget_that_ends_leaves_a_certified_answer(solver):
    with pytest.raises(NotConverged, match="needs errors of at most .* after 1 steps") as caught:
        solver(DILEMMA, budget=solvers.Budget(iterations=1))
    best = caught.value.best
    best.certificate.verify()
    assert max(best.certificate.epsilon, best.certificate.optimality_gap) > 0
    assert "above the most of an equilibrium, as this is not one" in str(caught.value)


def test_tolerance_spares_the_exact_face():
    game = NormalFormGame.from_payoffs(np.random.default_rng(3).integers(-9, 10, (2, 6, 6)))
    rough = solvers.max_gini_correlated_equilibrium(game, tolerance=1e-6).certificate
    rough.verify()
    assert 0 < max(rough.epsilon, abs(rough.optimality_gap)) <= 1e-6


@pytest.mark.parametrize("solver", SOLVERS)
def test_games_that_are_too_large_are_refused(solver):
    with pytest.raises(UnsupportedGame, match="at most 4000 joint actions, but .* has 10000"):
        solver(NormalFormGame.from_payoffs(np.zeros((2, 100, 100))))


def unequal_fractions(rng, count):
    return [Fraction(int(rng.integers(-10, 10)), int(rng.integers(1, 10**6))) for _ in range(count)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_most_impurity_is_exact_where_payoffs_differ_widely(seed, kind):
    """Floats guess the tight rows of these games badly; then exact steps mend the guess."""
    rng = np.random.default_rng(seed)
    tables = [np.array(unequal_fractions(rng, 20), dtype=object).reshape(4, 5) for _ in range(2)]
    sizes = 10.0 ** rng.uniform(-12, 6, (8, 4)) * rng.choice([-1, 1], (8, 4))
    games = [NormalFormGame.bimatrix(*tables)]
    games += [NormalFormGame.from_payoffs([own.tolist()]) for own in sizes]
    for game in games:
        certificate = solvers.max_gini_correlated_equilibrium(game, kind=kind).certificate
        certificate.verify()
        assert certificate.epsilon == certificate.optimality_gap == 0


@given(GAMES, st.sampled_from(KINDS), st.data())
def test_most_impurity_does_not_depend_on_the_guess(game, kind, data):
    """From any guess of tight rows and played columns the exact method ends at the same point."""
    rows = incentive_rows(game, kind)
    count, joint = rows.first[-1], rows.num_joint
    drawn = data.draw(st.lists(st.booleans(), min_size=count + joint, max_size=count + joint))
    guess = np.array(drawn, dtype=float)
    point = EvenPoint(guess[count:], np.full(count, 0.5), guess[:count], np.full(joint, 0.5), 0, 0)
    found = most_gini(rows, point, Meter(solvers.UNLIMITED, "steps", None))
    assert found[0] == solvers.max_gini_correlated_equilibrium(game, kind=kind).profile


@pytest.mark.parametrize("prime", [2, 3])
def test_rows_that_only_look_dependent_end_in_no_wrong_claim(prime, monkeypatch):
    """Modulo a small prime independent rows look dependent; what is returned is proved."""
    monkeypatch.setattr("solvers.correlated.even_faces.PRIME", prime)
    found = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        game = NormalFormGame.from_payoffs(rng.integers(-4, 5, (2, 3, 3)))
        try:
            certificate = solvers.max_gini_correlated_equilibrium(game).certificate
        except NotConverged:
            continue
        certificate.verify()
        found += certificate.epsilon == certificate.optimality_gap == 0
    assert found


@pytest.mark.parametrize("moment", [0, 1, 2, 5, 6, 9, 12])
def test_time_may_end_in_the_middle_of_an_exact_face(moment, monkeypatch):
    """It is looked at for each weight and each multiplier: long fractions take long each."""
    moments = iter(range(10**6))

    def require_time(_):
        if next(moments) >= moment:
            raise BudgetOver

    monkeypatch.setattr(Meter, "require_time", require_time)
    with pytest.raises(NotConverged, match="Give a larger budget") as caught:
        solvers.max_gini_correlated_equilibrium(CHICKEN)
    caught.value.best.certificate.verify()
    assert next(moments) == moment + 1
