"""Linear programs of correlated equilibria: proved, and the same optimum as by the definition."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, NormalFormGame, NotConverged, UnsupportedGame
from gametheory_core.arrays import scaled_integers
from gametheory_core.certificates import CorrelatedKind, LinearObjective
from gametheory_core.certificates.correlated import PayoffFloor
from gametheory_core.errors import InfeasibleProgram
from gametheory_core.testing import PayoffKind, normal_form_games, rationals, zero_sum_games
from solvers import Budget, correlated_equilibrium, minimax
from solvers._programs.rational_systems import RationalVector
from solvers.correlated.incentive_program import (
    exact_multipliers,
    incentive_rows,
    shortfall_program,
    twofold_program,
)
from tests.sample_sizes import examples
from tests.solvers.correlated.brute_force import most

SOLVERS = {
    CorrelatedKind.CORRELATED: correlated_equilibrium,
    CorrelatedKind.COARSE: partial(correlated_equilibrium, kind=CorrelatedKind.COARSE),
}
KINDS = list(CorrelatedKind)
GAMES = normal_form_games(num_players=(1, 4), max_actions=3, kinds=tuple(PayoffKind))
CHICKEN = NormalFormGame.symmetric([[6, 2], [7, 0]])


def proved(solution, kind):
    """Verify, and return the certificate."""
    certificate = solution.certificate
    certificate.verify()
    assert certificate.correlated_kind is kind
    assert solution.profile == certificate.distribution
    assert solution.payoffs == certificate.payoffs
    return certificate


def welfare_of(game):
    return game.exact_payoffs.sum(axis=0).ravel().tolist()


@given(GAMES, st.sampled_from(KINDS))
def test_welfare_is_the_most_that_the_definition_allows(game, kind):
    certificate = proved(SOLVERS[kind](game), kind)
    assert certificate.epsilon == certificate.optimality_gap == 0
    assert sum(certificate.payoffs) == most(game, kind, welfare_of(game))


@given(st.data(), GAMES, st.sampled_from(KINDS))
def test_any_objective_is_maximized(data, game, kind):
    size = game.given_payoffs[0].size
    flat = data.draw(st.lists(rationals(), min_size=size, max_size=size))
    table = np.array(flat, dtype=object).reshape(game.num_actions)
    objective = LinearObjective.of_outcomes(game, table)
    certificate = proved(SOLVERS[kind](game, objective=objective), kind)
    assert certificate.epsilon == certificate.optimality_gap == 0
    assert certificate.optimality.value == most(game, kind, flat)


@given(GAMES, st.sampled_from(KINDS), st.data())
def test_payoffs_of_one_player_are_bounded_from_both_sides(game, kind, data):
    player = data.draw(st.integers(0, game.num_players - 1))
    own = game.exact_payoffs[player].ravel()
    high = SOLVERS[kind](game, objective=LinearObjective.payoff(game, player=player))
    low = SOLVERS[kind](game, objective=LinearObjective.least_payoff(game, player=player))
    assert high.payoffs[player] == most(game, kind, own.tolist())
    assert low.payoffs[player] == -most(game, kind, (-own).tolist())


@given(st.data(), normal_form_games(num_players=(2, 3)), st.sampled_from(KINDS))
def test_floors_are_met_or_proved_to_be_out_of_reach(data, game, kind):
    players = data.draw(st.sets(st.integers(0, game.num_players - 1), min_size=1))
    floors = {player: data.draw(rationals(low=-2, high=2)) for player in players}
    try:
        certificate = proved(SOLVERS[kind](game, payoff_floors=floors), kind)
    except InfeasibleProgram as error:
        witness = error.witness
        witness.verify()
        weights = witness.optimality.objective.payoff_weights
        demanded = sum(weights[player] * least for player, least in floors.items())
        assert min(weights) >= 0
        assert {i for i, weight in enumerate(weights) if weight} <= set(floors)
        assert witness.optimality.upper_bound < demanded
        with pytest.raises(InfeasibleProgram, match="cannot reach its bound"):
            most(game, kind, welfare_of(game), floors=floors)
    else:
        assert certificate.epsilon == certificate.shortfall == certificate.optimality_gap == 0
        assert sum(certificate.payoffs) == most(game, kind, welfare_of(game), floors=floors)


@pytest.mark.parametrize("kind", KINDS)
def test_the_price_of_a_binding_floor_is_part_of_the_bound(kind):
    certificate = proved(SOLVERS[kind](CHICKEN, payoff_floors={0: Fraction(13, 2)}), kind)
    assert certificate.floors[0].price > 0
    assert certificate.optimality_gap == 0


@pytest.mark.parametrize("kind", KINDS)
def test_floors_out_of_reach_in_chicken(kind):
    with pytest.raises(InfeasibleProgram, match="pays more than") as caught:
        SOLVERS[kind](CHICKEN, payoff_floors={0: 6, 1: Fraction(27, 7) + Fraction(1, 10**12)})
    caught.value.witness.verify()
    met = SOLVERS[kind](CHICKEN, payoff_floors={0: 6, 1: Fraction(27, 7)})
    assert proved(met, kind).shortfall == 0


@given(GAMES, st.sampled_from(KINDS), st.sampled_from([1e-3, 1e-7]))
def test_tolerance_is_kept(game, kind, tolerance):
    certificate = proved(SOLVERS[kind](game, tolerance=tolerance), kind)
    assert certificate.epsilon <= tolerance
    assert abs(certificate.optimality_gap) <= tolerance


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(12, 12), (4, 5, 6), (3, 3, 3, 3), (1, 7), (20, 1, 2)])
@pytest.mark.parametrize("spread", [1, 100])
def test_larger_games_are_solved_exactly(shape, spread, kind):
    rng = np.random.default_rng(sum(shape) + spread)
    game = NormalFormGame.from_payoffs(rng.integers(-spread, spread + 1, (len(shape), *shape)))
    certificate = proved(SOLVERS[kind](game), kind)
    assert certificate.epsilon == certificate.optimality_gap == 0


@pytest.mark.parametrize("kind", KINDS)
def test_tiny_probabilities_are_found_exactly(kind):
    """Here the optimum has probabilities far below what floats resolve, unless magnified."""
    rng = np.random.default_rng(2)
    game = NormalFormGame.from_payoffs(rng.integers(-100, 101, (2, 40, 40)))
    certificate = proved(SOLVERS[kind](game), kind)
    assert certificate.epsilon == certificate.optimality_gap == 0
    smallest = min(certificate.distribution.probabilities)
    assert smallest < Fraction(1, 10**9) or kind is CorrelatedKind.COARSE


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "unit", [Fraction(1, 3), Fraction(1, 10**9), Fraction(10**9), Fraction(10**400), 1e-9]
)
def test_units_and_offsets_of_payoffs_do_not_matter(unit, kind):
    first, second = CHICKEN.exact_payoffs
    game = NormalFormGame.bimatrix(first * Fraction(unit) + 10**30, second - 1)
    objective = LinearObjective((1 / Fraction(unit), Fraction(1)))
    certificate = proved(SOLVERS[kind](game, objective=objective), kind)
    assert certificate.epsilon == certificate.optimality_gap == 0
    plain = SOLVERS[kind](CHICKEN).payoffs
    assert certificate.payoffs == (plain[0] * Fraction(unit) + 10**30, plain[1] - 1)


@pytest.mark.parametrize("kind", KINDS)
def test_budget_that_ends_leaves_a_certified_answer(kind):
    with pytest.raises(NotConverged, match="needs an exact solution, but the budget") as caught:
        SOLVERS[kind](CHICKEN, budget=Budget(iterations=0))
    best = proved(caught.value.best, kind)
    assert best.epsilon + best.optimality_gap > 0


@pytest.mark.parametrize("solver", SOLVERS.values())
def test_objectives_of_other_games_are_refused(solver):
    with pytest.raises(InvalidArgument, match="needs 2 payoff weights"):
        solver(CHICKEN, objective=LinearObjective((Fraction(1),)))


@pytest.mark.parametrize("solver", SOLVERS.values())
def test_huge_games_are_refused_by_their_number_of_joint_actions(solver):
    payoffs = np.zeros((2, 1000, 1000))
    payoffs[:, 0, 0] = 1  # both gain: no case for minimax strategies
    game = NormalFormGame.from_payoffs(payoffs)
    with pytest.raises(UnsupportedGame, match="1000000 joint actions"):
        solver(game)


@pytest.mark.parametrize("solver", SOLVERS.values())
@pytest.mark.parametrize("floors", [[1], "12", 5, {("a",), 1}])
def test_floors_are_given_by_player(solver, floors):
    with pytest.raises(InvalidArgument, match="payoff_floors to be"):
        solver(CHICKEN, payoff_floors=floors)


@given(zero_sum_games(max_actions=4), st.sampled_from(KINDS))
def test_players_of_opposed_interests_need_no_mediator(game, kind):
    """Minimax strategies are played apart from each other, for no pivots of the general program."""
    solution = SOLVERS[kind](game)
    tensor = solution.profile.tensor
    apart = np.outer(tensor.sum(axis=1), tensor.sum(axis=0))
    assert (tensor == apart).all()
    assert solution.payoffs == minimax(game).payoffs


@pytest.mark.parametrize("solver", SOLVERS.values())
def test_the_size_of_the_program_does_not_matter_where_no_mediator_is_needed(solver, monkeypatch):
    monkeypatch.setattr("solvers.correlated.incentive_program.BYTES_PER_ENTRY", 2**60)
    pennies = NormalFormGame.zero_sum([[1, -1, 0], [-1, 1, 0]])
    assert solver(pennies).payoffs == (0, 0)
    with pytest.raises(UnsupportedGame, match="program of .* coefficients"):
        solver(CHICKEN)


@examples(40)
@given(GAMES, st.sampled_from(KINDS), st.data())
def test_floats_are_scaled_exact_rows_and_slacks_what_these_leave_of_bounds(game, kind, data):
    rows = incentive_rows(game, kind)
    floors = [PayoffFloor(player, data.draw(rationals())) for player in range(game.num_players)]
    objective = scaled_integers(game.exact_payoffs.sum(axis=0))
    for program in (twofold_program(rows, objective, floors), shortfall_program(rows, floors)):
        size = len(program.objective)
        numerators = data.draw(st.lists(st.integers(0, 9), min_size=size, max_size=size))
        columns = RationalVector(numerators, data.draw(st.integers(1, 9)))
        entries = program.entries(range(len(program.bounds)))
        expected = [
            bound * columns.denominator - sum(value * numerators[j] for j, value in own)
            for bound, own in zip(program.bounds, entries, strict=True)
        ]
        assert program.slacks(columns) == expected
        floats = np.zeros((len(entries), size))
        floats[program.floats.rows, program.floats.columns] = program.floats.values
        for own, row, span in zip(entries, floats, program.row_spans, strict=True):
            exact = dict(own)
            assert [exact.get(j, 0) / span for j in range(size)] == pytest.approx(row.tolist())


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_multipliers_of_scaled_rows_and_objective_are_scaled_back(span, objective_span):
    """For ``max c x / C`` with ``r x / R <= b``, the price of ``r x <= b R`` is ``y C / R``."""
    found = exact_multipliers(np.array([2.5, -1.0, 0.0]), [span, 3, 3], objective_span)
    assert found == [Fraction(5, 2) * objective_span / span, 0, 0]


def test_objectives_are_read_exactly_or_refused():
    floats = LinearObjective((0.5, Fraction(1)), (0, 1, "1/3", 2))
    assert floats == LinearObjective(
        (Fraction(1, 2), Fraction(1)), (Fraction(0), Fraction(1), Fraction(1, 3), Fraction(2))
    )
    best = correlated_equilibrium(CHICKEN, objective=floats, tolerance=np.float32(0.5))
    best.certificate.verify()
    with pytest.raises(InvalidArgument, match=r"payoff_weights\[1\]: needs a finite number"):
        LinearObjective((1, float("nan")))
    with pytest.raises(InvalidArgument, match="Give Objective.LARGEST_WELFARE or another one"):
        correlated_equilibrium(CHICKEN, objective="largest-welfare")
