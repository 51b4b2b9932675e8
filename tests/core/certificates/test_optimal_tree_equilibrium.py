"""Best equilibria of trees: what is no equilibrium, or has a gap in its proof, is rejected."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.certificates import (
    EquilibriumObjective,
    Label,
    certify_optimal_tree_equilibrium,
)
from gametheory_core.certificates.equilibrium_bounds import Leaf
from gametheory_core.conversions import count_plans
from gametheory_core.testing import extensive_form_games
from solvers import extensive_best_nash, vertex_enumeration

BY = EquilibriumObjective
BEER = gt.load_game("beer_quiche")
BEST = extensive_best_nash(BEER, objective=BY.LARGEST_PAYOFF).certificate


def changed(**changes):
    fields = {
        "objective": BEST.objective,
        "player": BEST.player,
        "questions": BEST.questions,
        "leaves": BEST.leaves,
        "eliminations": BEST.eliminations,
        "profile": BEST.profile,
    }
    fields.update(changes)
    return certify_optimal_tree_equilibrium(BEER, fields.pop("profile"), **fields)


def test_what_is_no_equilibrium_is_rejected():
    with pytest.raises(gt.CertificateRejected, match="needs an equilibrium, but somebody gains"):
        changed(profile=gt.uniform_behavior(BEER))


def test_a_worse_equilibrium_is_not_called_best():
    worse = extensive_best_nash(BEER, objective=BY.LEAST_PAYOFF).profile
    found = changed(profile=worse)
    assert found.epsilon == Fraction(8, 10)
    with pytest.raises(gt.CertificateRejected, match="claims upper bound 21/10, but"):
        replace(found, upper_bound=Fraction(21, 10)).verify()


def test_without_cases_interests_must_be_opposed():
    with pytest.raises(gt.CertificateRejected, match="needs a strictly competitive game"):
        changed(questions=(), leaves=(), eliminations=())
    kuhn = gt.load_game("kuhn_poker")
    opposed = extensive_best_nash(kuhn).certificate
    assert opposed.questions == opposed.leaves == ()
    with pytest.raises(gt.CertificateRejected, match="somebody gains"):
        replace(opposed, profile=gt.uniform_behavior(kuhn)).verify()


def test_proofs_about_other_plans_are_rejected():
    with pytest.raises(gt.CertificateRejected, match=r"\w"):
        changed(questions=(Label(0, 99), None, None), leaves=(Leaf(), Leaf()))


def test_objectives_about_numbers_of_actions_are_rejected():
    with pytest.raises(gt.CertificateRejected, match="an objective about payoffs"):
        changed(objective=BY.LARGEST_SUPPORT)


@given(extensive_form_games(num_players=(2, 2), max_moves=8), st.sampled_from([0, 1]))
def test_the_trivial_proof_bounds_all_equilibria(game, player):
    """One case, nothing weighed: the bound is the largest payoff of a pair of plans."""
    assume(count_plans(game, 0) * count_plans(game, 1) <= 40)
    normal = gt.extensive_to_normal(game)
    for found in vertex_enumeration(normal.target).equilibria:
        profile = normal.correspondence.to_source(found.profile)
        certificate = certify_optimal_tree_equilibrium(
            game,
            profile,
            objective=BY.LARGEST_PAYOFF,
            player=player,
            questions=(None,),
            leaves=(Leaf(),),
        )
        assert certificate.score == found.payoffs[player]
        assert certificate.upper_bound == max(normal.target.exact_payoffs[player].ravel().tolist())
