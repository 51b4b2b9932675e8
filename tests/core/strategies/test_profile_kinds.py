"""A profile of the wrong kind is refused wherever one is given."""

import pytest

import gametheory_core as gt
from gametheory_core.catalog import load

MATRIX, TREE = load("matching_pennies"), load("one_card_poker")
MIXED, BEHAVIORAL = gt.uniform_profile(MATRIX), gt.uniform_behavior(TREE)


@pytest.mark.parametrize(("game", "profile"), [(MATRIX, BEHAVIORAL), (TREE, MIXED)])
@pytest.mark.parametrize(
    "function",
    [
        gt.expected_payoffs,
        gt.deviation_gains,
        gt.certify_nash,
        gt.certify_minimax,
        lambda game, profile: gt.best_response(game, profile, player=0),
    ],
)
def test_profile_of_the_wrong_kind_is_refused(function, game, profile):
    with pytest.raises(gt.InvalidStrategy, match="needs a MixedProfile for a normal form or a"):
        function(game, profile)
