"""Alpha-rank: takeovers by hand, limits of limits, strong selection, bad input."""

import math
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import random_game
from gametheory_core.certificates import Populations
from gametheory_core.testing import PayoffKind, normal_form_games, symmetric_games
from solvers import Budget, alpha_rank
from solvers._programs.markov_chains import limit_stationary
from solvers.populations import alpha_rank_limit
from solvers.populations.rank import response_graph
from tests.sample_sizes import examples

GENERIC = (PayoffKind.RATIONAL, PayoffKind.DEGENERATE)


def direct_takeover(strength, size):
    """The sum over the members of a birth-death chain that has the closed form."""
    return 1 / (1 + sum(math.exp(-strength * k) for k in range(1, size)))


@pytest.mark.parametrize("gain", [-2.0, -0.5, 0.0, 1e-12, 0.3, 2.0])
def test_takeover_probability_is_the_birth_death_sum(gain):
    game = gt.NormalFormGame.bimatrix(np.array([[0.0], [gain]]), np.array([[0.0], [0.0]]))
    ranked = alpha_rank(game, alpha=0.7, population_size=5)
    assert ranked.transition_matrix[0, 1] == pytest.approx(direct_takeover(0.7 * gain, 5))
    assert ranked.transition_matrix[1, 0] == pytest.approx(direct_takeover(-0.7 * gain, 5))


@given(
    game=normal_form_games(num_players=(1, 3), kinds=GENERIC), alpha=st.sampled_from([0, 0.1, 2])
)
def test_distribution_is_stationary(game, alpha):
    ranked = alpha_rank(game, alpha=alpha, population_size=6)
    matrix = ranked.transition_matrix
    assert matrix.min() >= 0
    assert np.allclose(matrix.sum(axis=1), 1)
    assert np.allclose(ranked.distribution @ matrix, ranked.distribution, atol=1e-12)
    assert ranked.distribution.sum() == pytest.approx(1)
    assert ranked.ranking[0] == ranked.states[int(np.argmax(ranked.distribution))]


def test_no_selection_makes_all_states_equal():
    ranked = alpha_rank(gt.load_game("chicken"), alpha=0)
    assert ranked.distribution == pytest.approx(0.25)


@pytest.mark.parametrize("seed", range(6))
def test_strong_selection_approaches_the_exact_limit_where_one_class_is_closed(seed):
    """The limit's noise is uniform, so the two agree where noise does not decide."""
    game = random_game((3, 3), rng=np.random.default_rng(seed), payoff_range=(-50, 50))
    limit = alpha_rank_limit(game)
    if len(limit.closed_classes) == 1:
        strong = alpha_rank(game, alpha=30.0)
        exact = [float(p) for p in limit.distribution.tensor.ravel()]
        assert strong.distribution == pytest.approx(exact, abs=1e-6)


def test_some_seed_above_has_one_closed_class():
    games = [
        random_game((3, 3), rng=np.random.default_rng(seed), payoff_range=(-50, 50))
        for seed in range(6)
    ]
    assert sum(len(alpha_rank_limit(game).closed_classes) == 1 for game in games) >= 3


@pytest.mark.parametrize("alpha", [1.0, 100.0, 1e4])
def test_very_strong_selection_keeps_its_accuracy(alpha):
    """Two strict equilibria; the takeover ratio out of each decides, far below any float rate."""
    game = gt.NormalFormGame.symmetric([[1, 0], [0, 1]])
    ranked = alpha_rank(game, alpha=alpha)
    assert ranked.distribution[[0, 3]] == pytest.approx(ranked.distribution[0], rel=1e-9)
    assert ranked.distribution.sum() == pytest.approx(1)
    lopsided = alpha_rank(gt.NormalFormGame.symmetric([[1, 0], [0, 2]]), alpha=alpha)
    # leaving (1, 1) costs twice as much: the ratio is exp((m - 1) alpha) for large alpha
    assert lopsided.distribution[3] == pytest.approx(1, abs=1e-9)


def test_many_states_agree_with_few_by_the_sparse_route(monkeypatch):
    from solvers._programs import markov_chains

    game = random_game((5, 4, 3), rng=np.random.default_rng(1), payoff_range=(-3, 3))
    dense = alpha_rank(game, alpha=0.5).distribution
    monkeypatch.setattr(markov_chains, "MOST_DENSE", 10)
    assert alpha_rank(game, alpha=0.5).distribution == pytest.approx(dense, abs=1e-10)


def test_logarithmic_route_agrees_with_the_plain_one(monkeypatch):
    from solvers._programs import markov_chains

    game = random_game((4, 4), rng=np.random.default_rng(2), payoff_range=(-3, 3))
    plain = alpha_rank(game, alpha=0.05).distribution
    monkeypatch.setattr(markov_chains, "LOWEST_PLAIN", 0.0)
    assert alpha_rank(game, alpha=0.05).distribution == pytest.approx(plain, rel=1e-12)


@examples(20)
@given(normal_form_games(num_players=(1, 3), kinds=GENERIC))
def test_small_noise_is_near_the_limit(game):
    limit = alpha_rank_limit(game)
    near = alpha_rank_limit(game, noise=Fraction(1, 10**8))
    near.certificate.verify()
    assert np.abs(limit.distribution.tensor - near.distribution.tensor).max() < 1e-4


@examples(20)
@given(symmetric_games(max_actions=4, kinds=GENERIC))
def test_small_noise_is_near_the_limit_in_one_population(game):
    limit = alpha_rank_limit(game, populations=Populations.ONE)
    near = alpha_rank_limit(game, populations=Populations.ONE, noise=Fraction(1, 10**8))
    assert np.abs(limit.distribution.tensor - near.distribution.tensor).max() < 1e-4


def test_cycle_ranks_equals_in_one_population():
    game = gt.load_game("rock_paper_scissors")
    found = alpha_rank_limit(game, populations=Populations.ONE)
    assert found.distribution.probabilities == (Fraction(1, 3),) * 3
    assert found.closed_classes == (((0, 0), (1, 1), (2, 2)),)


def test_strict_equilibria_are_closed_classes():
    found = alpha_rank_limit(gt.load_game("coordination"))
    assert found.closed_classes == (((0, 0),), ((1, 1),), ((2, 2),))


def test_one_state_alone():
    game = gt.NormalFormGame.zero_sum([[3]])
    assert alpha_rank(game, alpha=1.0).distribution.tolist() == [1.0]
    assert alpha_rank_limit(game).distribution.probabilities == (Fraction(1),)
    assert alpha_rank_limit(game, noise=Fraction(1, 9)).distribution.probabilities == (1,)


def test_tiny_and_huge_payoffs_keep_their_order():
    payoffs = np.array([[3.0, 0.0], [5.0, 1.0]])
    for scale in (1e-9, 1e9):
        found = alpha_rank_limit(gt.NormalFormGame.symmetric(payoffs * scale))
        assert found.distribution.joint_actions == ((1, 1),)


def test_budget_that_ends_raises():
    game = gt.load_game("coordination")
    with pytest.raises(
        gt.NotConverged, match="needs 3 closed classes weighed, but the budget ended"
    ):
        alpha_rank_limit(game, budget=Budget(iterations=2))


def test_time_limit_holds_for_the_certificate():
    """Two closed classes of 225 states: found at once, but proved in half a minute."""
    game = gt.NormalFormGame.from_payoffs(np.random.default_rng(0).random((2, 15, 15)))
    started = time.process_time()
    with pytest.raises(
        gt.NotConverged, match="needs 2 closed classes weighed, but the budget ended"
    ):
        alpha_rank_limit(game, budget=Budget(seconds=0.7))
    assert time.process_time() - started < 3


@pytest.mark.parametrize(
    ("limit", "options", "message"),
    [
        ("MOST_ELIMINATED", {}, "at most 8 states with 3 closed classes to be exact, but .* 9"),
        ("MOST_STATES", {"noise": Fraction(1, 9)}, "at most 8 states with noise .* has 9"),
    ],
)
def test_limits_of_too_many_states_are_refused(monkeypatch, limit, options, message):
    game = gt.load_game("coordination")
    monkeypatch.setattr(f"solvers.populations.rank_limit.{limit}", 9)
    alpha_rank_limit(game, **options)
    monkeypatch.setattr(f"solvers.populations.rank_limit.{limit}", 8)
    with pytest.raises(gt.UnsupportedGame, match=message):
        alpha_rank_limit(game, **options)


def test_large_closed_class_is_refused_but_not_a_small_one_among_many_states(monkeypatch):
    monkeypatch.setattr("solvers.populations.rank_limit.MOST_STATES", 3)
    assert alpha_rank_limit(gt.load_game("prisoners_dilemma")).distribution.joint_actions == (
        (1, 1),
    )
    with pytest.raises(gt.UnsupportedGame, match="at most 3 states in its one closed class"):
        alpha_rank_limit(gt.load_game("matching_pennies"))


@pytest.mark.parametrize("alpha", [0.1, 100.0])
def test_budget_of_finite_selection_counts_states(alpha):
    game = random_game((3, 4), rng=np.random.default_rng(4), payoff_range=(-9, 9))
    seen = []
    assert alpha_rank(game, alpha=alpha, on_iteration=seen.append).run.iterations == 11
    assert [report.done for report in seen] == list(range(1, 12))
    with pytest.raises(
        gt.NotConverged, match="all states eliminated, but the budget ended after 10"
    ):
        alpha_rank(game, alpha=alpha, budget=Budget(iterations=10))


def test_finite_selection_refuses_many_states():
    game = gt.NormalFormGame.from_payoffs(np.zeros((2, 73, 69)))
    with pytest.raises(gt.UnsupportedGame, match="at most 5,000 states, but .* has 5,037"):
        alpha_rank(game, alpha=1.0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: alpha_rank(g, alpha=-1), "needs a finite alpha of at least 0"),
        (lambda g: alpha_rank(g, alpha=float("inf")), "Use alpha_rank_limit for infinitely str"),
        (
            lambda g: alpha_rank(g, alpha=1, population_size=1),
            "population_size to be an integer of at least 2",
        ),
        (
            lambda g: alpha_rank_limit(g, noise=Fraction(1)),
            "needs a finite noise of at least 0 and below 1",
        ),
        (
            lambda g: alpha_rank_limit(g, noise=Fraction(-1)),
            "needs a finite noise of at least 0 and below 1",
        ),
    ],
)
def test_impossible_options_are_refused(call, message):
    with pytest.raises(gt.InvalidArgument, match=message):
        call(gt.load_game("chicken"))


@given(normal_form_games(num_players=(2, 3), max_actions=2, kinds=(PayoffKind.DEGENERATE,)))
def test_single_mistakes_and_polynomials_give_one_limit(game):
    """The two routes to the limit agree wherever the quick one gives an answer."""
    graph = response_graph(game, Populations.ONE_EACH)
    signs = graph.signs.tolist()
    constants = [{1: Fraction(1), 0: Fraction(1, 2), -1: Fraction(0)}[sign] for sign in signs]
    slopes = [Fraction(-sign) for sign in signs]
    slow = limit_stationary(graph.moves, constants, slopes, lambda: None)
    assert slow == [alpha_rank_limit(game).distribution.tensor[state] for state in graph.states]


def test_a_distribution_that_is_not_stationary_is_not_returned(monkeypatch):
    monkeypatch.setattr("solvers.populations.rank.NEGLIGIBLE", -1.0)
    with pytest.raises(gt.NotConverged, match="needs a residual of at most -1.0") as caught:
        alpha_rank(gt.load_game("chicken"), alpha=1.0)
    assert 0 <= caught.value.best.residual < 1e-9
