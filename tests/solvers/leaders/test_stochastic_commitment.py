"""Stochastic commitment: known optima are found and proved, and every answer verifies."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, NormalFormGame, NotConverged, catalog, leaders
from solvers import Budget, strong_stackelberg
from solvers.leaders import stochastic_markov_commitment
from solvers.leaders.lottery_search import float_leaders, leader_values

KINDS = [(kind, ties) for kind in leaders.FollowerClass for ties in leaders.FollowerTies]
HALF = Fraction(1, 2)


@pytest.mark.parametrize("rounds", [2, 3, 5, 8, 10, 12])
def test_dilemma_optimum_is_found_and_proved(rounds):
    solution = stochastic_markov_commitment(catalog.iterated_prisoners_dilemma(rounds=rounds))
    solution.certificate.verify()
    assert solution.payoffs == (-Fraction(rounds + 3, 2), -2 * rounds)
    assert solution.certificate.epsilon == 0
    assert "no mixed actions by step and state get more, nor" in solution.certificate.statement


def test_dilemma_optimum_is_the_known_one():
    solution = stochastic_markov_commitment(catalog.iterated_prisoners_dilemma(rounds=10))
    defections = [lottery[1] for lottery in solution.profile.lotteries]
    assert defections == [1, HALF, 1, HALF, 1]


def test_dilemma_optimum_is_approached_when_ties_break_against_the_leader():
    solution = stochastic_markov_commitment(
        catalog.iterated_prisoners_dilemma(rounds=10), ties=leaders.FollowerTies.WEAK
    )
    solution.certificate.verify()
    assert 0 < solution.certificate.epsilon < Fraction(1, 10_000)


@pytest.mark.parametrize("name", sorted(set(catalog.ORDINAL_GAMES) - {"prisoners_dilemma"}))
@pytest.mark.parametrize("ties", leaders.FollowerTies)
def test_other_iterated_games_gain_nothing_from_lotteries(name, ties):
    view = leaders.leader_view(catalog.iterated_game(catalog.ORDINAL_GAMES[name](), rounds=10))
    solution = stochastic_markov_commitment(view, ties=ties)
    rows = [policy.actions for policy in leaders.leader_policies(view)]
    returns = leaders.response_returns(view, rows, ties=ties)
    deterministic = Fraction(int(returns.numerators[:, 0].max()), returns.denominator)
    assert solution.payoffs[0] == deterministic
    assert solution.certificate.epsilon == 0


@given(leaders.leader_games(max_states=3, max_horizon=3), st.sampled_from(KINDS))
def test_answers_verify_and_lose_to_no_deterministic_leader(view, kind):
    follower_class, ties = kind
    solution = stochastic_markov_commitment(view, follower_class=follower_class, ties=ties)
    solution.certificate.verify()
    response = leaders.follower_response(
        view, solution.profile, follower_class=follower_class, ties=ties
    )
    leader_first = solution.payoffs if view.leader == 0 else solution.payoffs[::-1]
    assert response.returns == leader_first
    rows = [policy.actions for policy in leaders.leader_policies(view)]
    returns = leaders.response_returns(view, rows, follower_class=follower_class, ties=ties)
    best = Fraction(int(returns.numerators[:, 0].max()), returns.denominator)
    assert best <= response.returns[0] <= solution.certificate.upper_bound


@given(st.data(), st.sampled_from(KINDS))
def test_floats_value_leaders_as_rationals_do(data, kind):
    follower_class, ties = kind
    view = data.draw(leaders.leader_games(max_states=3, max_horizon=3))
    game = float_leaders(view, follower_class=follower_class, ties=ties)
    policies = data.draw(st.lists(leaders.stochastic_leaders(view), min_size=1, max_size=3))
    width = len(view.game.actions[view.leader])
    table = np.array(
        [[[float(w) for w in own] or [0.0] * width for own in p.lotteries] for p in policies]
    )
    exact = [
        float(
            leaders.follower_response(view, p, follower_class=follower_class, ties=ties).returns[0]
        )
        for p in policies
    ]
    assert leader_values(game, table) * float(game.unit) == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize(("follower_class", "ties"), KINDS)
def test_floats_break_ties_as_rationals_do(follower_class, ties):
    """In hero some deterministic leaders leave the follower indifferent at every step."""
    options = {"follower_class": follower_class, "ties": ties}
    view = leaders.leader_view(catalog.iterated_game(catalog.ORDINAL_GAMES["hero"](), rounds=10))
    plans = list(leaders.leader_policies(view))
    table = np.array([[[float(a == b) for b in (0, 1)] for a in plan.actions] for plan in plans])
    exact = [float(leaders.follower_response(view, plan, **options).returns[0]) for plan in plans]
    game = float_leaders(view, **options)
    assert (leader_values(game, table) * float(game.unit)).tolist() == exact


@pytest.mark.parametrize(("own", "other"), [(400, 400), (-400, -400), (305, -320), (-400, 400)])
def test_payoffs_of_any_size_are_only_units(own, other):
    """Floats end near 10^308 and 10^-324; the search does not depend on either player's unit."""
    units = Fraction(10) ** own, Fraction(10) ** other
    dilemma = {("c", "c"): (3, 3), ("c", "d"): (0, 5), ("d", "c"): (5, 0), ("d", "d"): (1, 1)}
    tables = [[[u * dilemma[a, b][i] for b in "cd"] for a in "cd"] for i, u in enumerate(units)]
    game = catalog.RepeatedGame(NormalFormGame.bimatrix(*tables, actions=["cd", "cd"]), rounds=2)
    solution = stochastic_markov_commitment(game)
    solution.certificate.verify()
    assert solution.payoffs[0] == Fraction(23, 4) * units[0]
    assert solution.certificate.epsilon <= units[0] / 10**12  # prices with long digits are rounded


def test_one_round_is_commitment_in_normal_form():
    """Lotteries of three actions, found by a search that moves weight between two at a time."""
    rng = np.random.default_rng(7)
    for _ in range(10):
        own, other = rng.integers(-5, 6, (2, 2, 3)).tolist()
        stage = NormalFormGame.bimatrix(own, other, actions=(("a", "b"), ("x", "y", "z")))
        solution = stochastic_markov_commitment(catalog.RepeatedGame(stage, rounds=1))
        assert solution.payoffs[0] == strong_stackelberg(stage).payoffs[0]
        assert solution.certificate.epsilon == 0


def test_history_may_earn_more_than_lotteries_at_each_state():
    """Leaders who recall two rounds do better in three; the bound knew, whatever is recalled."""
    short, longer = (
        stochastic_markov_commitment(
            catalog.RepeatedGame.of("prisoners_dilemma", rounds=3, recall=recall), starts=2
        ).certificate
        for recall in (1, 2)
    )
    assert short.upper_bound == longer.upper_bound == Fraction(21, 2)
    assert short.leader_payoff < longer.leader_payoff


def test_second_player_may_lead():
    game = catalog.RepeatedGame.of("commitment_example", rounds=2)
    turned = stochastic_markov_commitment(game, leader=1)
    assert turned.certificate.leader == 1
    assert turned.payoffs[1] == turned.certificate.leader_payoff
    turned.certificate.verify()


def test_random_starts_need_a_generator():
    game = catalog.iterated_prisoners_dilemma(rounds=3)
    with pytest.raises(InvalidArgument, match="needs an rng for random_starts = 2"):
        stochastic_markov_commitment(game, random_starts=2)
    rng = np.random.default_rng(3)
    found = stochastic_markov_commitment(game, starts=0, random_starts=2, rng=rng)
    found.certificate.verify()


def test_tolerance_is_a_promise():
    game = catalog.RepeatedGame.of("prisoners_dilemma", rounds=3)
    with pytest.raises(NotConverged, match="needs a commitment within 0.01") as caught:
        stochastic_markov_commitment(game, tolerance=0.01, starts=1)
    caught.value.best.certificate.verify()
    assert stochastic_markov_commitment(game, tolerance=0.5).certificate.epsilon <= HALF


def test_budget_ends_with_the_best_so_far():
    game = catalog.RepeatedGame.of("prisoners_dilemma", rounds=5)
    with pytest.raises(NotConverged, match="needs a larger budget .* may be .* below") as caught:
        stochastic_markov_commitment(game, budget=Budget(iterations=200))
    caught.value.best.certificate.verify()


def test_no_time_at_all_gives_a_bound_and_a_leader():
    game = catalog.iterated_prisoners_dilemma(rounds=10)
    with pytest.raises(NotConverged, match="needs a larger budget") as caught:
        stochastic_markov_commitment(game, budget=Budget(seconds=0))
    certificate = caught.value.best.certificate
    certificate.verify()
    assert (certificate.leader_payoff, certificate.upper_bound) == (-11, 0)


def test_search_is_reported():
    seen = []
    stochastic_markov_commitment(
        catalog.iterated_prisoners_dilemma(rounds=3), on_iteration=seen.append
    )
    assert seen
    assert seen[-1].unit == "leaders"
