"""Equilibria of trees of several players: exact where play without regret shows the supports."""

from contextlib import suppress
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.strategies import sequence_form
from gametheory_core.testing import behavioral_profiles, extensive_form_games
from solvers import Budget, logit_homotopy, solve
from solvers.counterfactual import polished_average, regret_equilibrium
from solvers.counterfactual.indifference import continuation_payoffs, indifference, solution_near
from tests.sample_sizes import examples

THREE = gt.load_game("kuhn_poker:players=3,cards=4")


def by_sequence(form, profile):
    return [
        np.concatenate([[1.0], *(np.array(profile.probabilities[s], float) for s in own.infosets)])
        for own in form.players
    ]


def profile_of(form, behavior):
    return gt.BehavioralProfile(
        tuple(
            behavior[own.player][start:stop]
            for own in form.players
            for start, stop in pairwise(own.first_sequence.tolist())
        )
    )


def odd_one_out(payoffs):
    """Three players name a or b, unseen; the payoffs are of (a, a, a), (a, a, b), ..."""
    ends = iter(payoffs)

    def grow(mover):
        if mover == 3:
            return gt.Terminal(next(ends))
        return gt.Decision(mover, "", {name: grow(mover + 1) for name in "ab"})

    return gt.from_sketch(grow(0), players=("A", "B", "C"))


def test_poker_for_three_is_solved_exactly():
    """Its plans are far too many to list; the equilibria form a family."""
    (found,) = solve(THREE, "nash").solutions
    found.certificate.verify()
    assert found.certificate.epsilon == 0
    assert gt.nash_conv(THREE, found.profile) == 0
    assert sum(found.payoffs) == 0
    mixing = [lottery for lottery in found.profile.probabilities if len(set(lottery)) > 1]
    assert any(0 < p < 1 for lottery in mixing for p in lottery)


@examples(15)
@given(extensive_form_games(num_players=(2, 3), max_moves=8))
def test_what_is_returned_is_an_equilibrium(game):
    with suppress(gt.NotConverged):
        found = regret_equilibrium(game, steps=500)
        found.certificate.verify()
        assert gt.nash_conv(game, found.profile) <= 3e-12 * np.ptp(game.terminal_payoffs)


@given(st.data(), extensive_form_games(num_players=(3, 3), max_moves=8))
def test_continuation_payoffs_are_what_deviations_earn(data, game):
    """From the empty sequence on it is the payoff; and a sequence chosen surely earns its own."""
    form = sequence_form(game)
    profile = data.draw(behavioral_profiles(game))
    behavior = [
        np.concatenate([[Fraction(1)], *(profile.probabilities[s] for s in own.infosets)])
        for own in form.players
    ]
    earned = continuation_payoffs(form, [own.astype(object) for own in behavior])
    assert [own[0] for own in earned] == gt.expected_payoffs(game, profile).tolist()


def test_mixing_of_three_is_found_exactly():
    """Each player must be odd with the same chance from the others' view: all mix evenly."""
    values = []
    for named in np.ndindex(2, 2, 2):
        odd = [i for i in range(3) if named.count(named[i]) == 1]
        values.append([2 if i in odd else -1 for i in range(3)] if odd else [0, 0, 0])
    game = odd_one_out(values)
    form = sequence_form(game)
    start = [np.array([1.0, 0.45, 0.55]) for _ in range(3)]
    equations = indifference(form, start, least=0.01)
    assert len(equations.unknowns) == 3
    behavior = solution_near(equations, start, grain=2)
    profile = profile_of(form, behavior)
    assert gt.certify_nash(game, profile).epsilon == 0


def test_irrational_equilibria_are_found_to_seventy_digits():
    matrix = gt.load_game("irrational_equilibrium")
    found = logit_homotopy(matrix).solution
    game = gt.normal_to_extensive(matrix).target
    form = sequence_form(game)
    start = [np.concatenate([[1.0], np.array(x, float)]) for x in found.profile.strategies]
    behavior = solution_near(indifference(form, start, least=0.01), start, grain=2)
    epsilon = gt.certify_nash(game, profile_of(form, behavior)).epsilon
    assert 0 < epsilon < Fraction(1, 10**60)


def test_derivatives_are_differences():
    form = sequence_form(THREE)
    start = by_sequence(form, gt.uniform_behavior(THREE))
    equations = indifference(form, start, least=0.01)
    assert len(equations.unknowns) == 48
    rng = np.random.default_rng(1)
    point, step = rng.uniform(0.2, 0.8, 48), 1e-6
    slopes = equations.derivatives(point)
    for column in (0, 17, 40):
        moved = point.copy()
        moved[column] += step
        change = np.array(equations.residuals(moved)) - np.array(equations.residuals(point))
        assert np.allclose(change / step, slopes[:, column], atol=1e-8)


def test_supports_keep_the_likeliest_action():
    form = sequence_form(THREE)
    uniform = by_sequence(form, gt.uniform_behavior(THREE))
    equations = indifference(form, uniform, least=0.9)
    assert not equations.unknowns
    profile = profile_of(form, solution_near(equations, uniform, grain=2))
    assert all(sum(lottery) == 1 for lottery in profile.probabilities)


def test_answers_to_what_nobody_plays_are_threats_and_no_unknowns():
    """Where the first player always checks, nobody is indifferent in answering a bet of his."""
    form = sequence_form(THREE)
    labels = [infoset.label for infoset in THREE.infosets[: THREE.num_decision_infosets]]
    mixed = {labels.index("Q, bet"), labels.index("Q, check")}
    lotteries = [[0.5, 0.5] if k in mixed else [1.0, 0.0] for k in range(len(labels))]
    profile = by_sequence(form, gt.BehavioralProfile(tuple(map(np.array, lotteries))))
    (unknown,) = indifference(form, profile, least=0.1).unknowns
    own = form.players[1]
    place = int(np.searchsorted(own.first_sequence, unknown.sequence, side="right")) - 1
    assert labels[own.infosets[place]] == "Q, check"


def test_budgets_and_tolerances():
    for budget in (Budget(seconds=0), Budget(iterations=0)):
        with pytest.raises(gt.NotConverged, match="an epsilon of at most") as caught:
            regret_equilibrium(THREE, steps=500, budget=budget)
        caught.value.best.certificate.verify()
    found = regret_equilibrium(THREE, steps=200, tolerance=2, budget=Budget(iterations=0))
    assert 0 < found.certificate.epsilon <= 2


@pytest.mark.parametrize("name", ["beer_quiche", "centipede:rounds=3", "kuhn_poker"])
def test_averages_of_a_few_steps_are_measured_too(name):
    game = gt.load_game(name)
    for steps in range(1, 6):
        with suppress(gt.NotConverged):
            regret_equilibrium(game, steps=steps, budget=Budget(iterations=2)).certificate.verify()


def test_huge_trees_are_refused(monkeypatch):
    monkeypatch.setattr(polished_average, "MOST_NODES", 100)
    with pytest.raises(gt.UnsupportedGame, match="at most 100 nodes, but .* has 601"):
        regret_equilibrium(THREE)
