"""Bayes-Nash equilibria: complete lists against the core's method and the normal form of plans."""

from fractions import Fraction

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core.certificates import certify_bayes_nash
from gametheory_core.conversions import harsanyi_transform
from solvers import Budget, solve, vertex_enumeration
from solvers.trees import bayes_nash, bayes_nash_enumeration
from solvers.trees.bayesian import tree_of


def meet_or_avoid():
    """Both like Bach or Stravinsky; the second wishes to meet or to avoid the first, 1/2 each.

    Osborne, An Introduction to Game Theory (2004), section 9.1.
    """
    own = [[2, 0], [0, 1]]
    return gt.BayesianGame.from_payoffs(
        [own, own], [[[1, 0], [0, 2]], [[0, 2], [1, 0]]], prior=["1/2", "1/2"]
    )


def random_bayesian(seed):
    rng = np.random.default_rng(seed)
    rows, counts = 2 + seed % 3, [int(n) for n in rng.integers(1, 4, 1 + seed % 3)]
    weights = [int(n) for n in rng.integers(1, 5, len(counts))]
    tables = [[rng.integers(-2, 3, (rows, n)).tolist() for n in counts] for _ in range(2)]
    prior = [Fraction(w, sum(weights)) for w in weights]
    return gt.BayesianGame.from_payoffs(*tables, prior=prior)


def written(profile):
    return [[str(p) for p in strategy] for strategy in profile.strategies]


def test_meet_or_avoid_has_one_pure_equilibrium():
    game = meet_or_avoid()
    found = bayes_nash_enumeration(game)
    found.completeness.verify()
    profiles = [written(s.profile) for s in found.equilibria]
    pure = [p for p in profiles if all(share in "01" for own in p for share in own)]
    assert pure == [[["1", "0"], ["1", "0"], ["0", "1"]]]
    assert [["2/3", "1/3"], ["2/3", "1/3"], ["0", "1"]] in profiles  # x = 2 (1 - x), 2 q = 2 - q
    assert all(s.certificate.epsilon == 0 for s in found.equilibria)


@pytest.mark.parametrize("seed", range(24))
def test_lists_are_complete_by_another_method_and_in_plans(seed):
    """Every extreme equilibrium of the normal form of plans has its marginals among mixtures.

    Extreme pairs of the game in strategies are extreme in plans for some way to correlate types,
    so that all of them come back.
    """
    game = random_bayesian(seed)
    found = bayes_nash_enumeration(game)
    found.completeness.verify()
    listed = {s.profile for s in found.equilibria}
    for solution in found.equilibria:
        solution.certificate.verify()
        assert solution.certificate.epsilon == 0
    conversion = harsanyi_transform(game)
    plans = vertex_enumeration(conversion.target)
    assert listed <= {conversion.correspondence.to_source(s.profile) for s in plans.equilibria}


@pytest.mark.parametrize("seed", range(24))
def test_one_equilibrium_mixes_listed_ones(seed):
    game = random_bayesian(seed)
    solution = bayes_nash(game)
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    played = gt.strategies.supports(solution.profile)
    assert any(
        all(
            set(a) <= set(b) for a, b in zip(gt.strategies.supports(s.profile), played, strict=True)
        )
        for s in bayes_nash_enumeration(game).equilibria
    )


def test_gains_are_those_of_the_normal_form_of_plans():
    """Twin: what no plan gains before the draw, no type gains; what a type gains, a plan does."""
    for seed in range(12):
        game = random_bayesian(seed)
        conversion = harsanyi_transform(game)
        for profile in (gt.uniform_profile(game).to_exact(), bayes_nash(game).profile):
            certificate = certify_bayes_nash(game, profile)
            leader, *types = certificate.deviation_gains
            plans = gt.certify_nash(conversion.target, conversion.correspondence.to_target(profile))
            average = sum(p * gain for p, gain in zip(game.prior, types, strict=True))
            assert plans.deviation_gains == (leader, average)


def test_the_tree_pays_what_the_game_does():
    game = random_bayesian(5)
    profile = gt.uniform_profile(game).to_exact()
    paid = gt.expected_payoffs(tree_of(game), gt.BehavioralProfile(profile.strategies)).tolist()
    leader, *types = certify_bayes_nash(game, profile).payoffs
    assert paid == [leader, sum(p * own for p, own in zip(game.prior, types, strict=True))]


def test_solve_answers_both_concepts():
    one, every = (solve(meet_or_avoid(), concept) for concept in ("nash", "all-nash"))
    assert (one.algorithm, every.algorithm) == ("bayes_nash", "bayes_nash_enumeration")
    assert len(every.solutions) == 3


def test_what_was_found_before_the_budget_ended_is_kept():
    with pytest.raises(gt.NotConverged, match="ended after 6 supports") as caught:
        bayes_nash_enumeration(meet_or_avoid(), budget=Budget(iterations=6))
    assert 0 < len(caught.value.best.equilibria) < 3
    with pytest.raises(gt.NotConverged, match="ended after 0 pivots") as caught:
        bayes_nash(meet_or_avoid(), budget=Budget(iterations=0))
    caught.value.best.certificate.verify()
    assert caught.value.best.certificate.epsilon > 0
