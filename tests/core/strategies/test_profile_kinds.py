"""A profile of the wrong kind is refused wherever one is given."""

import pytest

from gametheory_core.catalog.index import load
from gametheory_core.certificates.minimax import certify_minimax
from gametheory_core.certificates.nash import certify_nash
from gametheory_core.errors import InvalidStrategy
from gametheory_core.evaluation.deviations import best_response, deviation_gains
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.strategies.behavioral import uniform_behavior
from gametheory_core.strategies.mixed import uniform_profile

MATRIX, TREE = load("matching_pennies"), load("one_card_poker")
MIXED, BEHAVIORAL = uniform_profile(MATRIX), uniform_behavior(TREE)


@pytest.mark.parametrize(("game", "profile"), [(MATRIX, BEHAVIORAL), (TREE, MIXED)])
@pytest.mark.parametrize(
    "function",
    [
        expected_payoffs,
        deviation_gains,
        certify_nash,
        certify_minimax,
        lambda game, profile: best_response(game, profile, player=0),
    ],
)
def test_profile_of_the_wrong_kind_is_refused(function, game, profile):
    with pytest.raises(InvalidStrategy, match="needs a MixedProfile for a normal form or a"):
        function(game, profile)
