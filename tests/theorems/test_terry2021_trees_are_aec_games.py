"""Trees with perfect recall are AEC games: there and back, the tree is the same.

The mover of the AEC game sees the name of the information set. Unrolled again, the tree has the
canonical form of the first: trivial chance nodes contracted, payoffs at the ends, information sets
numbered by first visit. Profiles pay and gain the same. Generated trees with perfect recall, chance
and inner payoffs. Twin: a player who forgets; in the AEC game agents remember.

Why it matters (models): Nothing of a tree is lost in the form that learners play.
"""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import forgetful_bit
from gametheory_core.conversions import canonical_tree, extensive_to_aec
from gametheory_core.conversions.static_games import TreeWalk
from gametheory_core.evaluation import aec_trajectories, outcome_distribution, return_gains
from gametheory_core.testing import behavioral_profiles, extensive_form_games, forgetful_games
from tests.theorems.printed_constructions import best_common_payoff

theorem = pytest.mark.theorem(
    source="Terry et al. 2021, and Osborne and Rubinstein 1994, with perfect recall",
    statement="A tree with perfect recall is an AEC game, which unrolls to the same tree.",
)


@st.composite
def trees_and_profiles(draw):
    tree = draw(extensive_form_games(max_depth=3, max_moves=7))
    return tree, draw(behavioral_profiles(tree))


@theorem
@given(extensive_form_games())
def test_there_and_back_is_the_same_canonical_tree(tree):
    back = gt.aec_to_extensive(extensive_to_aec(tree).target).target
    assert canonical_tree(back).target == canonical_tree(tree).target


@theorem
@given(trees_and_profiles())
def test_profiles_pay_and_gain_the_same(drawn):
    tree, profile = drawn
    conversion = extensive_to_aec(tree)
    policies = conversion.correspondence.to_target(profile)
    assert conversion.correspondence.to_source(policies) == profile
    paid = gt.expected_payoffs(tree, profile).tolist()
    assert gt.expected_returns(conversion.target, policies).tolist() == paid
    gains = gt.deviation_gains(tree, profile).tolist()
    assert return_gains(conversion.target, policies).tolist() == gains
    ends = dict.fromkeys(tree.terminals.tolist(), Fraction(0))
    for play, weight in aec_trajectories(conversion.target, policies):
        ends[play.final_state] += weight
    assert list(ends.values()) == outcome_distribution(tree, profile).tolist()


@theorem
@given(st.data())
def test_the_canonical_tree_plays_the_same(data):
    tree = data.draw(st.one_of(extensive_form_games(), forgetful_games()))
    profile = data.draw(behavioral_profiles(tree))
    conversion = canonical_tree(tree)
    image = conversion.correspondence.to_target(profile)
    paid = gt.expected_payoffs(tree, profile).tolist()
    assert gt.expected_payoffs(conversion.target, image).tolist() == paid
    again = canonical_tree(conversion.target)
    assert again.target == conversion.target
    drawn = data.draw(behavioral_profiles(conversion.target))
    back = conversion.correspondence.to_source(drawn)
    assert conversion.correspondence.to_target(back) == drawn


@theorem
@given(extensive_form_games())
def test_trees_that_pay_differently_have_other_canonical_forms(tree):
    """The canonical form forgets names, and nothing that matters."""
    paid = tuple(
        replace(o, payoffs=tuple(p + 1 + k for p in o.payoffs)) for k, o in enumerate(tree.outcomes)
    )
    if tree.exact_terminal_payoffs.any():
        other = replace(tree, outcomes=paid)
        same = (other.exact_terminal_payoffs == tree.exact_terminal_payoffs).all()
        assert (canonical_tree(other).target == canonical_tree(tree).target) == bool(same)


@theorem
def test_unless_a_player_forgets():
    """Who must name a forgotten bit wins half of the time; an agent who remembers, always."""
    tree = forgetful_bit()
    with pytest.raises(gt.UnsupportedGame, match="extensive_to_aec: needs perfect recall"):
        extensive_to_aec(tree)
    assert best_common_payoff(tree) == Fraction(1, 2)
    assert best_common_payoff(gt.aec_to_extensive(TreeWalk(tree)).target) == 1
