"""Shapley value iteration: known values, any width, budgets, and what it refuses."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, NotConverged, UnsupportedGame
from gametheory_core.arrays import exact_array
from gametheory_core.catalog import BigMatch, FishWar, RepeatedGame, Soccer, StoppingPennies
from gametheory_core.conversions import markov_view, posg_from_tables
from gametheory_core.testing import markov_games
from solvers import Budget, minimax, shapley_value_iteration
from solvers.markov import float_stages as module
from solvers.markov.float_stages import float_stages, solve_stages, values_of_play


def verified(game, **options):
    solution = shapley_value_iteration(game, **options)
    solution.certificate.verify()
    return solution


@pytest.mark.parametrize("percent", [0, 50, 90, 99])
def test_the_big_match_is_worth_half_of_all_rounds(percent):
    gamma = Fraction(percent, 100)
    solution = verified(BigMatch(gamma))
    assert solution.certificate.epsilon == 0
    assert solution.payoffs == (1 / (2 * (1 - gamma)), -1 / (2 * (1 - gamma)))


@given(st.data())
def test_one_state_without_a_future_is_a_matrix_game(data):
    view = data.draw(markov_games(zero_sum=True, max_horizon=None, max_states=1, max_actions=4))
    certificate = verified(view, tolerance=Fraction(1, 10**15)).certificate
    if not view.acting.size:
        assert certificate.game_value == 0
        return
    rows = view.stage_rows(0)
    paid = [Fraction(x, view.rewards.denominator) for x in view.rewards.numerators[rows, 0].ravel()]
    table = np.array(paid, dtype=object).reshape(rows.shape)
    stage = minimax(NormalFormGame.zero_sum(table)).certificate.game_value
    assert certificate.lower <= stage / (1 - view.game.discount) <= certificate.upper


@given(markov_games(zero_sum=True, max_horizon=None, max_actions=3), st.sampled_from([3, 9, 40]))
def test_the_promised_width_is_kept(view, digits):
    tolerance = Fraction(1, 10**digits)
    assert verified(view, tolerance=tolerance).certificate.epsilon <= tolerance


def growing_pennies(size, gamma):
    """One state; who matches pays three times as much on one side."""
    paid = {("a", "a"): (size, -size), ("b", "b"): (size, -size)}
    paid |= {("a", "b"): (-3 * size, 3 * size), ("b", "a"): (-3 * size, 3 * size)}
    return posg_from_tables(
        players=("1", "2"),
        actions=[("a", "b")] * 2,
        initial={"s": 1},
        transitions={("s", joint): {"s": 1} for joint in paid},
        rewards={("s", joint, "s"): pair for joint, pair in paid.items()},
        discount=gamma,
    )


@pytest.mark.parametrize("power", [-400, -320, -300, 20, 305, 308, 400])
@pytest.mark.parametrize("gamma", [Fraction(0), Fraction(1, 2), Fraction(999, 1000)])
def test_rewards_of_any_size_are_only_units(power, gamma):
    """Floats end near 10^308 and 10^-324; half of the time each side, -1 a step."""
    size = Fraction(10) ** power
    solution = verified(growing_pennies(size, gamma))
    assert solution.certificate.epsilon == 0
    assert solution.payoffs[0] == -size / (1 - gamma)


@pytest.mark.parametrize(
    ("power", "digits"),
    [(0, 3), (0, 12), (0, 30), (0, 200), (0, 400), (-400, 30), (308, 30), (400, 30)],
)
def test_irrational_values_of_any_size_are_enclosed_to_any_width(power, digits):
    """Stopping pennies for other coins: the quadratic that values solve, in these units."""
    size = Fraction(10) ** power
    usual = StoppingPennies()
    tables = markov_view(usual).game
    game = replace(tables, reward_vectors=exact_array(tables.reward_vectors * size))
    certificate = verified(game, tolerance=size / 10**digits).certificate
    assert 0 < certificate.epsilon <= size / 10**digits
    low, high = certificate.lower / size, certificate.upper / size
    assert (2 * low + 3) ** 2 <= 17 <= (2 * high + 3) ** 2


def test_players_exchanged_exchange_the_value():
    """Soccer seen from the other side: the half turn maps each state to one of opposite value."""
    game = Soccer(rows=2, columns=4)
    certificate = verified(game).certificate
    values = dict(zip(certificate.game.states, certificate.values, strict=True))
    for state, value in values.items():
        turned = tuple((1 - r, 3 - c) for r, c in reversed(state.cells))
        other = values[type(state)(turned, 1 - state.holder)]
        assert abs(value + other) <= 2 * certificate.epsilon


def test_a_budget_that_ends_leaves_the_best_so_far():
    with pytest.raises(NotConverged, match="the budget ended after 1 sweeps") as caught:
        shapley_value_iteration(Soccer(rows=2, columns=4), budget=Budget(iterations=1))
    best = caught.value.best
    best.certificate.verify()
    assert best.certificate.epsilon > Fraction(1, 10)


@pytest.mark.parametrize(
    ("game", "match"),
    [
        (FishWar(fishers=3, rounds=None), "shapley_value_iteration: needs two players"),
        (FishWar(fishers=2, rounds=None), r"needs rewards that sum to 0, but in state 6"),
        (BigMatch(Fraction(1)), r"play surely continues after .* Stop it: stop_posg"),
        (RepeatedGame.of("matching_pennies"), "needs a game without a horizon"),
    ],
)
def test_other_games_are_refused_with_a_witness(game, match):
    with pytest.raises(UnsupportedGame, match=match):
        shapley_value_iteration(game)


def test_sweeps_value_play_as_elimination_does(monkeypatch):
    stages = float_stages(markov_view(Soccer(rows=2, columns=4)))
    optimum = solve_stages(stages, np.zeros(stages.num_stages))
    paid = np.ones(stages.num_stages)
    exact = values_of_play(stages, optimum.strategy, paid)
    monkeypatch.setattr(module, "DENSE", 0)
    monkeypatch.setattr(module, "SETTLED", 1e-13)
    assert values_of_play(stages, optimum.strategy, paid) == pytest.approx(exact, rel=1e-9)
    assert exact == pytest.approx(np.full(stages.num_stages, 10.0))


def test_games_too_large_for_elimination_converge_too(monkeypatch):
    monkeypatch.setattr(module, "DENSE", 0)
    certificate = verified(Soccer(rows=2, columns=4), tolerance=1e-10).certificate
    assert certificate.epsilon <= Fraction(1, 10**10)


def test_a_stage_on_which_the_kernel_breaks_down_is_solved_by_another_road(monkeypatch):
    from solvers._kernels import matrix_game_simplex as kernel

    stages = float_stages(markov_view(Soccer(rows=2, columns=4)))
    values = np.linspace(-1, 1, stages.num_stages)
    expected = solve_stages(stages, values).values
    usual = kernel.solve_stages
    calls = []

    def breaks_down(*arguments):
        calls.append(None)
        usual(*arguments)
        return 2 if len(calls) < 4 else -1

    monkeypatch.setattr(kernel, "solve_stages", breaks_down)
    assert solve_stages(stages, values).values == pytest.approx(expected)
    assert len(calls) == 4


def test_newtons_method_alone_would_go_in_circles():
    """Van der Wal 1978: from 0 to 12, then 4, 12, 4, ...; the contraction leads out."""
    paid = {("a", "a"): 3, ("a", "b"): 6, ("b", "a"): 2, ("b", "b"): 1}
    third = Fraction(1, 3)
    on = {joint: {"on": 1} for joint in paid} | {("a", "b"): {"on": third, "off": 1 - third}}
    game = posg_from_tables(
        players=("1", "2"),
        actions=[("a", "b")] * 2,
        initial={"on": 1},
        transitions={("on", joint): law for joint, law in on.items()},
        rewards={("on", j, s): (x, -x) for j, x in paid.items() for s in on[j]},
        observations={(joint, "on"): {("on", "on"): 1} for joint in paid},
        initial_observations={"on": {("on", "on"): 1}},
        terminal=["off"],
        discount="3/4",
    )
    stages = float_stages(markov_view(game))
    values = np.zeros(1)
    visited = []
    for _ in range(5):
        strategy = solve_stages(stages, values).strategy
        values = values_of_play(stages, strategy, np.array([_paid(stages, strategy)]))
        visited.append(round(float(values[0] * stages.unit), 9))
    assert visited == [12, 4, 12, 4, 12]
    assert verified(game, tolerance=Fraction(1, 10**20)).certificate.epsilon < 1


def _paid(stages, strategy):
    """What a pair of strategies pays at once in the only stage."""
    return float((strategy[stages.cell_row] * strategy[stages.cell_column]) @ stages.rewards)


def test_a_width_may_be_reached_exactly():
    for digits in range(1, 8):
        found = verified(StoppingPennies(), tolerance=Fraction(1, 10**digits)).certificate
        again = verified(StoppingPennies(), tolerance=found.epsilon).certificate
        assert again.epsilon <= found.epsilon
