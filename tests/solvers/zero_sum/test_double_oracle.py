"""Double oracle on tables, functions and oracles: ends, bounds, budgets, and refusals."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

import gametheory_core as gt
from gametheory_core.distributions import distribution, point_mass
from gametheory_core.games import ImplicitGame, OracleGame
from gametheory_core.memory import resident_memory
from gametheory_core.testing import PayoffKind, zero_sum_games
from solvers import Budget, minimax, solve
from solvers.zero_sum import double_oracle, implicit_double_oracle, restricted_game

MILLION = 10**6


def mendelsohn(rows, columns):
    """Who names one more than the other wins 1, who names two more or further loses 2."""
    more = rows - columns
    return np.where(abs(more) < 2, more, -2 * np.sign(more))


def grid_distance(side):
    """The squared distance of two cells of a square grid."""

    def payoffs(hidden, sought):
        across, down = hidden // side - sought // side, hidden % side - sought % side
        return across * across + down * down

    return ImplicitGame(payoffs, (side * side, side * side), title="Grid")


def test_a_game_of_a_million_actions_a_player_is_solved_exactly():
    """The hider takes corners, the seeker the four middle cells; a table takes 8 terabytes.

    Along each axis an even mixture of the ends is (999^2 + 1) / 4 from either middle cell.
    """
    before = resident_memory()
    run = implicit_double_oracle(grid_distance(1000))
    certificate = run.solution.certificate
    certificate.verify()
    assert certificate.lower == certificate.upper == Fraction(999**2 + 1, 2)
    assert max(run.rounds[-1].sizes) < 60
    assert resident_memory() - before < 400 * 2**20


def test_mendelsohns_game_is_won_by_small_numbers():
    run = implicit_double_oracle(ImplicitGame(mendelsohn, (MILLION, MILLION)))
    run.solution.certificate.verify()
    assert run.solution.certificate.game_value == 0
    assert run.solution.payoffs == (0, 0)
    weights = dict(run.solution.profile[0])
    assert weights == {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}


@given(zero_sum_games(max_actions=6, kinds=tuple(PayoffKind)))
def test_functions_and_tables_have_one_end(game):
    table = game.given_payoffs[0]
    inner = ImplicitGame(lambda rows, columns: table[rows, columns], game.num_actions)
    found = implicit_double_oracle(inner).solution.certificate
    found.verify()
    assert found.lower == found.upper == minimax(game).certificate.game_value


@pytest.mark.parametrize(
    "payoffs",
    [
        [[10**400, 0], [0, 1]],
        [[0, -(10**400)], [-1, 0]],
        np.array([[1e300, 0.0], [1e-300, 1.0]]),
        np.array([[1.7e308, -1.7e308], [-1.7e308, 1.7e308]]),
        np.array([[2.0, 0.0, 0.0], [0.0, 1.0, 2.0], [1.0, 1.0, 0.0]]) * 2.0**-1074,
    ],
)
def test_payoffs_beyond_floats_are_solved(payoffs):
    game = gt.NormalFormGame.zero_sum(payoffs)
    value = minimax(game).certificate.game_value
    table = np.array(payoffs, dtype=object if isinstance(payoffs, list) else float)
    inner = ImplicitGame(lambda rows, columns: table[rows, columns], game.num_actions)
    for found in (double_oracle(game), implicit_double_oracle(inner)):
        certificate = found.solution.certificate
        certificate.verify()
        assert certificate.lower == certificate.upper == value


def test_starts_from_other_games_are_refused():
    small, large = (gt.NormalFormGame.zero_sum(np.eye(size)) for size in (2, 5))
    start = double_oracle(large)
    with pytest.raises(gt.InvalidArgument, match="start.actions to be an integer from 0 to 1"):
        double_oracle(small, start=start)
    with pytest.raises(gt.InvalidArgument, match="start.actions to be an integer from 0 to 3"):
        implicit_double_oracle(grid_distance(2), start=start)
    grown = double_oracle(large, start=double_oracle(small))
    assert grown.solution.certificate.game_value == Fraction(1, 5)


@settings(max_examples=20)
@given(zero_sum_games(max_actions=6))
def test_large_supports_are_settled_exactly_too(game):
    before, restricted_game.MOST_EXACT = restricted_game.MOST_EXACT, 0
    try:
        certificate = double_oracle(game).solution.certificate
    finally:
        restricted_game.MOST_EXACT = before
    assert certificate.epsilon == 0


def test_time_that_ends_in_an_exact_solution_ends_the_search_with_bounds(monkeypatch):
    def out_of_time(*_):
        raise gt.NotConverged(needs="time")

    monkeypatch.setattr(restricted_game, "MOST_EXACT", 0)
    monkeypatch.setattr(restricted_game.RestrictedGame, "solve_exactly", out_of_time)
    game = gt.NormalFormGame.zero_sum([[2, -1, 3], [-1, 1, 3]])
    with pytest.raises(gt.NotConverged, match="after 9 rounds") as caught:
        double_oracle(game, budget=Budget(iterations=9))
    certificate = caught.value.best.solution.certificate
    certificate.verify()
    assert certificate.lower < Fraction(1, 5) < certificate.upper


def test_constant_sums_are_shared():
    game = gt.NormalFormGame.bimatrix([["1/3", 0], [0, "2/3"]], [["2/3", 1], [1, "1/3"]])
    solution = double_oracle(game).solution
    assert solution.payoffs == (Fraction(2, 9), Fraction(7, 9))
    assert (
        solve(game, "minimax", algorithm="double_oracle").solutions[0].payoffs == solution.payoffs
    )


def test_a_run_is_stopped_with_bounds_and_goes_on():
    payoffs = np.random.default_rng(4).integers(-50, 50, (60, 60))
    game = gt.NormalFormGame.zero_sum(payoffs)
    reports = []
    with pytest.raises(
        gt.NotConverged, match="the budget ended with epsilon .* after 7 rounds"
    ) as e:
        double_oracle(game, budget=Budget(iterations=7), on_iteration=reports.append)
    best = e.value.best
    assert [(report.done, report.unit) for report in reports] == [
        (k, "rounds") for k in range(1, 8)
    ]
    best.solution.certificate.verify()
    assert len(best.rounds) == 7
    assert best.rounds[-1].lower == best.solution.certificate.lower
    value = minimax(game).certificate.game_value
    assert best.solution.certificate.lower < value < best.solution.certificate.upper
    run = double_oracle(game, start=best)
    assert run.solution.certificate.game_value == value
    assert set(best.actions[0]) <= set(run.actions[0])
    assert len(run.rounds) < len(double_oracle(game).rounds)


def test_a_budget_of_nothing_looks_once():
    game = ImplicitGame(lambda rows, columns: rows - columns, (5, 7))
    with pytest.raises(gt.NotConverged, match="after 0 rounds") as caught:
        implicit_double_oracle(game, budget=Budget(iterations=0))
    certificate = caught.value.best.solution.certificate
    certificate.verify()
    assert (certificate.lower, certificate.upper) == (-6, 4)


def test_a_tolerance_is_met_and_no_more_is_done():
    game = gt.NormalFormGame.zero_sum(np.random.default_rng(4).random((80, 80)))
    rough, fine = (double_oracle(game, tolerance=width) for width in (0.3, 1e-6))
    assert 1e-6 < rough.solution.certificate.epsilon <= Fraction(0.3)
    assert fine.solution.certificate.epsilon <= 1e-6
    assert len(rough.rounds) < len(fine.rounds)


@pytest.mark.parametrize("tolerance", [0, -1, float("nan"), "x"])
def test_tolerances_that_promise_nothing_are_refused(tolerance):
    with pytest.raises(gt.InvalidArgument, match="needs a finite tolerance above 0"):
        implicit_double_oracle(grid_distance(2), tolerance=tolerance)


def test_payoffs_that_change_are_refused():
    calls = iter(range(10**9))
    game = ImplicitGame(lambda rows, columns: rows + columns + next(calls) * 10, (3, 3))
    with pytest.raises(gt.InvalidGame, match="payoffs that are always the same"):
        implicit_double_oracle(game)


def pennies(**changed):
    """Matching pennies by name, with oracles."""
    names = "heads", "tails"

    def best(mixture, *, matching):
        other = max(names, key=lambda name: mixture[name])
        weight = mixture[other]
        mine = other if matching else names[other == "heads"]
        return mine, 2 * weight - 1 if matching else 1 - 2 * weight

    given = {
        "payoff": lambda row, column: 1 if row == column else -1,
        "best_row": lambda mixture: best(mixture, matching=True),
        "best_column": lambda mixture: best(mixture, matching=False),
        "first_actions": ("heads", "heads"),
    }
    return OracleGame(**{**given, **changed})


def test_oracles_find_actions_that_are_no_numbers():
    run = implicit_double_oracle(pennies())
    run.solution.certificate.verify()
    even = distribution({"heads": "1/2", "tails": "1/2"})
    assert dict(run.solution.profile[0]) == dict(even)
    assert run.solution.certificate.lower == run.solution.certificate.upper == 0


def test_an_oracle_that_overlooks_a_known_action_is_refused_with_it():
    def first(mixture):
        return "heads", 2 * mixture["heads"] - 1

    with pytest.raises(gt.InvalidGame, match="needs best_row to return a best response") as caught:
        implicit_double_oracle(pennies(best_row=first, first_actions=("tails", "tails")))
    assert caught.value.witness == ("tails", point_mass("tails"))


def test_other_games_are_refused_with_what_takes_them():
    with pytest.raises(gt.UnsupportedGame, match="Use double_oracle for tables"):
        implicit_double_oracle(gt.load_game("matching_pennies"))
    with pytest.raises(gt.UnsupportedGame, match="needs two players"):
        double_oracle(gt.NormalFormGame.from_payoffs(np.zeros((3, 2, 2, 2))))
    with pytest.raises(gt.UnsupportedGame, match=r"needs a zero-sum .* Try lemke_howson"):
        double_oracle(gt.load_game("prisoners_dilemma"))


def test_functions_are_asked_of_some_rows_and_some_columns():
    def payoffs(rows, columns):
        assert rows.size
        assert columns.size
        return abs(rows - columns) + 0 * columns.max()

    run = implicit_double_oracle(ImplicitGame(payoffs, (50, 50)))
    assert run.solution.certificate.game_value == Fraction(49, 2)


def test_payoffs_that_wrap_around_are_no_solution():
    with pytest.raises(gt.InvalidGame, match="whose computation stays within 64-bit integers"):
        implicit_double_oracle(ImplicitGame(lambda i, j: i**4 + j, (10**5, 100)))


@pytest.mark.skipif(np.can_cast(np.longdouble, np.float64), reason="no longer floats here")
def test_longer_floats_are_exact():
    def payoffs(rows, columns):
        return np.longdouble(1) + np.where(rows == columns, np.longdouble(2) ** -60, 0)

    found = implicit_double_oracle(ImplicitGame(payoffs, (2, 2))).solution.certificate
    assert found.game_value == 1 + Fraction(1, 2**61)
