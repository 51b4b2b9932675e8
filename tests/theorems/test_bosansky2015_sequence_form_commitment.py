"""Bosansky and Cermak 2015: in trees of perfect recall behavioral commitments are as good as mixed.

The program over realization plans finds what the exponentially larger normal form has: the optimal
mixed commitment, a lottery over plans, is worth exactly the optimal behavioral one (by Kuhn 1953).
Checked in rationals on generated trees with chance, hidden moves and ties.

Why it matters (commitment): The optimal commitment in a tree is found over realization plans, of
the size of the tree, instead of over exponentially many plans.
"""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import UnsupportedGame, extensive_to_normal
from gametheory_core.conversions import count_plans
from gametheory_core.testing import extensive_form_games
from solvers import extensive_stackelberg, strong_stackelberg
from tests.theorems.forgetful_leader import behavioral_value, two_bits

kuhn = pytest.mark.theorem(
    source="Bosansky and Cermak 2015",
    statement="Behavioral commitments in trees of perfect recall are as good as mixed ones.",
)


@kuhn
@given(extensive_form_games(num_players=(2, 2), max_moves=10), st.sampled_from([0, 1]))
def test_behavioral_commitment_is_worth_the_mixed_one(game, leader):
    assume(count_plans(game, 0) * count_plans(game, 1) <= 400)
    behavioral = extensive_stackelberg(game, leader=leader)
    mixed = strong_stackelberg(extensive_to_normal(game).target, leader=leader)
    behavioral.certificate.verify()
    mixed.certificate.verify()
    assert behavioral.payoffs[leader] == mixed.payoffs[leader]


@kuhn
def test_forgetful_leader_twin():
    """A leader who forgets the first of two bits needs one coin for both."""
    mixed = strong_stackelberg(extensive_to_normal(two_bits()).target)
    mixed.certificate.verify()
    assert mixed.payoffs[0] == Fraction(1, 2) > behavioral_value() == Fraction(1, 4)
    with pytest.raises(UnsupportedGame, match="needs perfect recall"):
        extensive_stackelberg(two_bits())
