"""The best mixed actions by branch and bound: known optima, proved intervals, and their limits."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, NotConverged, UnsupportedGame, catalog, leaders
from gametheory_core.leaders.commitment_cells import AnswerRate, Cell, CellGame, cell_bound
from gametheory_core.leaders.stochastic_stackelberg import AnswerSplit, BoundedCell
from solvers import Budget, strong_stackelberg
from solvers.leaders import (
    commitment_upper_bound,
    stochastic_markov_commitment,
    stochastic_markov_stackelberg,
)
from solvers.leaders.cell_rates import improve_rates
from solvers.leaders.cell_search import coordinates
from solvers.leaders.float_cells import FloatCell, float_cells, pass_back
from solvers.leaders.lottery_polish import polished, polisher
from solvers.leaders.lottery_search import float_leaders
from tests.benchmarks.stochastic_stackelberg import CLOSED, random_game, span_of
from tests.core.leaders.test_commitment_cells import points
from tests.sample_sizes import examples

KINDS = {"follower_class": leaders.FollowerClass.TIME_AWARE, "ties": leaders.FollowerTies.STRONG}
SMALL = {"max_states": 2, "max_observations": 2, "max_horizon": 2}


def test_one_round_is_commitment_in_normal_form():
    rng = np.random.default_rng(7)
    for _ in range(6):
        own, other = rng.integers(-5, 6, (2, 3, 3)).tolist()
        stage = NormalFormGame.bimatrix(own, other, actions=("abc", "xyz"))
        solution = stochastic_markov_stackelberg(catalog.RepeatedGame(stage, rounds=1))
        assert solution.payoffs[0] == strong_stackelberg(stage).payoffs[0]
        assert solution.certificate.epsilon == 0


@pytest.mark.parametrize("seed", range(4))
def test_play_that_is_over_before_it_begins_is_worth_nothing(seed):
    view = random_game("seen", 5, seed)
    solution = stochastic_markov_stackelberg(replace(view.game, horizon=0))
    solution.certificate.verify()
    assert solution.payoffs == (0, 0)
    assert solution.certificate.epsilon == 0


@pytest.mark.parametrize("rounds", [2, 4])
def test_dilemma_optimum_is_found_and_proved(rounds):
    solution = stochastic_markov_stackelberg(catalog.iterated_prisoners_dilemma(rounds=rounds))
    solution.certificate.verify()
    assert solution.payoffs == (-Fraction(rounds + 3, 2), -2 * rounds)
    assert solution.certificate.epsilon == 0


def test_bound_by_prices_is_out_of_reach_of_leaders_who_forget():
    game = catalog.RepeatedGame.of("prisoners_dilemma", rounds=3)
    found = stochastic_markov_stackelberg(game, tolerance=0.1).certificate
    found.verify()
    assert Fraction(41, 4) < found.upper_bound < Fraction(21, 2) - Fraction(1, 10)
    assert commitment_upper_bound(game).upper_bound == Fraction(21, 2)


@pytest.mark.parametrize("seed", [6, 8])
def test_gap_is_closed_where_prices_leave_one(seed):
    view = random_game("seen", 99, seed)
    certificate = stochastic_markov_stackelberg(view).certificate
    certificate.verify()
    assert certificate.epsilon <= CLOSED * span_of(view)
    assert not certificate.prices.nodes
    by_prices = stochastic_markov_commitment(view).certificate
    assert by_prices.leader_payoff <= certificate.upper_bound < by_prices.upper_bound
    deterministic = leaders.response_returns(
        view, [policy.actions for policy in leaders.leader_policies(view)]
    )
    best = Fraction(int(deterministic.numerators[:, 0].max()), deterministic.denominator)
    assert best <= certificate.leader_payoff


@examples(10)
@given(st.data(), st.sampled_from(leaders.FollowerTies))
def test_answers_verify_and_hold_what_any_leader_earns(data, ties):
    view = data.draw(leaders.leader_games(**SMALL))
    try:
        solution = stochastic_markov_stackelberg(view, ties=ties, budget=Budget(iterations=30))
    except NotConverged as error:
        solution = error.best
    solution.certificate.verify()
    policy = data.draw(leaders.stochastic_leaders(view))
    earned = leaders.follower_response(view, policy).returns[0]
    assert earned <= solution.certificate.upper_bound
    if ties is leaders.FollowerTies.STRONG and solution.run.iterations < 30:
        assert solution.certificate.epsilon <= CLOSED * span_of(view)


def test_all_kinds_of_nodes_are_used():
    nodes = stochastic_markov_stackelberg(random_game("mixed", 77, 2)).certificate.nodes
    assert any(isinstance(node, AnswerSplit) for node in nodes)
    assert any(isinstance(node, BoundedCell) and node.rates for node in nodes)


@examples(20)
@given(st.data())
def test_floats_bound_cells_as_integers_do(data):
    view = data.draw(leaders.leader_games(max_states=3, max_horizon=3))
    game, floats = CellGame(view), float_leaders(view, **KINDS)
    simplices, _ = data.draw(points(game))
    cells = float_cells(game, floats)
    own = FloatCell(tuple(np.array(s, dtype=float) for s in simplices), {})
    improve_rates(cells, own, enough=-np.inf)
    unit = floats.unit / floats.follower_unit
    rates = tuple(AnswerRate(*key, Fraction(rate) * unit) for key, rate in own.rates.items())
    exact = cell_bound(game, Cell(simplices, {}), rates)
    assert own.bound * float(floats.unit) == pytest.approx(float(exact), abs=1e-6)
    before = FloatCell(own.simplices, {})
    pass_back(cells, before, {})
    assert own.bound <= before.bound + 1e-9


def test_polishing_finds_what_lines_do_not():
    """Two ties at once; the search along lines stops short of them."""
    view = random_game("seen", 99, 5)
    game, floats = CellGame(view), float_leaders(view, **KINDS)
    own = polisher(game, floats)
    start = stochastic_markov_commitment(view)
    point = np.array([float(start.profile.lotteries[o][a]) for o, a in own.places])
    best = max(
        leaders.follower_response(view, policy).returns[0] for policy in polished(own, point)
    )
    assert best > start.payoffs[0]


def test_coordinates_of_flat_simplices_are_unknown():
    half = Fraction(1, 2)
    assert coordinates(((half, half), (half, half)), [half, half]) is None


def test_second_player_may_lead():
    game = catalog.RepeatedGame.of("commitment_example", rounds=2)
    turned = stochastic_markov_stackelberg(game, leader=1)
    turned.certificate.verify()
    assert turned.payoffs[1] == turned.certificate.leader_payoff


@pytest.mark.parametrize(("own", "other"), [(400, 400), (-400, -400), (305, -320)])
def test_payoffs_of_any_size_are_only_units(own, other):
    units = Fraction(10) ** own, Fraction(10) ** other
    pairs = [[(0, 1), (0, 0)], [(1, 0), (0, 9)]]
    tables = [[[u * pair[i] for pair in row] for row in pairs] for i, u in enumerate(units)]
    stage = NormalFormGame.bimatrix(*tables, actions=("ab", "xy"))
    solution = stochastic_markov_stackelberg(catalog.RepeatedGame(stage, rounds=1))
    assert solution.payoffs[0] == units[0] / 10
    assert solution.certificate.epsilon <= units[0] / 10**6


@pytest.mark.parametrize("budget", [Budget(iterations=0), Budget(iterations=3), Budget(seconds=0)])
def test_budget_ends_with_a_proved_interval(budget):
    view = random_game("seen", 99, 4)
    with pytest.raises(NotConverged, match="cells were split: .* may be .* below") as caught:
        stochastic_markov_stackelberg(view, budget=budget)
    certificate = caught.value.best.certificate
    certificate.verify()
    assert certificate.leader_payoff < certificate.upper_bound


def test_what_a_run_has_used_suffices_and_less_does_not():
    view = random_game("seen", 99, 6)
    solution = stochastic_markov_stackelberg(view)
    used = solution.run.iterations
    again = stochastic_markov_stackelberg(view, budget=Budget(iterations=used))
    assert again.certificate == solution.certificate
    with pytest.raises(NotConverged, match="cells were split"):
        stochastic_markov_stackelberg(view, budget=Budget(iterations=used - 1))


def test_tolerance_spares_splits():
    view = random_game("seen", 99, 6)
    wide = stochastic_markov_stackelberg(view, tolerance=2.0)
    narrow = stochastic_markov_stackelberg(view)
    assert wide.certificate.epsilon <= 2
    assert wide.run.iterations <= narrow.run.iterations
    assert wide.certificate.upper_bound >= narrow.certificate.leader_payoff


def test_splits_are_reported():
    seen = []
    solution = stochastic_markov_stackelberg(random_game("seen", 99, 6), on_iteration=seen.append)
    assert seen[-1].unit == "cells"
    assert seen[-1].done >= solution.run.iterations > 0


def test_long_games_are_refused_with_what_bounds_them():
    with pytest.raises(UnsupportedGame, match="commitment_upper_bound bounds its leaders"):
        stochastic_markov_stackelberg(catalog.iterated_prisoners_dilemma(rounds=12))
