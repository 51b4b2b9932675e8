"""Equilibria of general-sum trees beside Gambit's Lemke method on the sequence form."""

import io
from fractions import Fraction

import pytest
from hypothesis import given

from gametheory_core import BehavioralProfile, certify_nash
from gametheory_core.catalog import load
from gametheory_core.formats import format_efg
from gametheory_core.testing import extensive_form_games
from solvers import sequence_form_lcp

gambit = pytest.importorskip("pygambit")
pytestmark = pytest.mark.peer


def gambits(game):
    return gambit.read_efg(io.StringIO(format_efg(game)))


def their_infoset(theirs, infoset):
    """Find an information set by its label, which Gambit keeps."""
    own = list(theirs.players)[infoset.player].infosets
    (match,) = [s for s in own if s.label == infoset.label]
    return match


def profile_from(game, theirs, equilibrium):
    """Read Gambit's behavior; where it leaves some open, all actions are equally likely."""
    vectors = []
    for infoset in game.infosets[: game.num_decision_infosets]:
        actions = their_infoset(theirs, infoset).actions
        weights = [Fraction(str(equilibrium[action])) for action in actions]
        count = len(weights)
        vectors.append(weights if sum(weights) == 1 else [Fraction(1, count)] * count)
    return BehavioralProfile(tuple(vectors))


@pytest.mark.parametrize("name", ["kuhn_poker", "beer_quiche", "one_card_poker"])
def test_gambits_equilibrium_is_certified_as_ours_is(name):
    game = load(name)
    theirs = gambits(game)
    (found,) = gambit.nash.lcp_solve(theirs, rational=True).equilibria
    assert certify_nash(game, profile_from(game, theirs, found)).epsilon == 0
    assert sequence_form_lcp(game).certificate.epsilon == 0


@given(extensive_form_games(num_players=(2, 2), max_depth=4, max_moves=8))
def test_gambit_measures_no_regret_in_our_equilibrium(game):
    theirs = gambits(game)
    solution = sequence_form_lcp(game)
    mixed = theirs.mixed_behavior_profile(rational=True)
    for infoset, vector in zip(
        game.infosets[: game.num_decision_infosets], solution.profile.probabilities, strict=True
    ):
        for action, probability in zip(their_infoset(theirs, infoset).actions, vector, strict=True):
            mixed[action] = gambit.Rational(probability.numerator, probability.denominator)
    paid = tuple(Fraction(str(mixed.payoff(player))) for player in theirs.players)
    assert paid == solution.payoffs
    assert mixed.as_strategy().max_regret() == 0
