"""What players collect under labels, against plays added up one by one, at all sizes of numbers."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.evaluation import collected_payoffs as module
from gametheory_core.evaluation import sequence_payoffs
from gametheory_core.evaluation.collected_payoffs import collected_payoffs, expected_payoff
from gametheory_core.strategies import player_sequences
from gametheory_core.testing import behavioral_profiles, extensive_form_games, forgetful_games
from tests.core.naive_trees import payoffs, plays, pure_payoffs, weight


def by_definition(game, profile, player, labels, num_labels):
    totals = [Fraction(0)] * num_labels
    for play in plays(game):
        share = weight(game, profile, play.steps, without=player)
        totals[labels[play.node]] += share * play.paid[player]
    return totals


def require_all_payoffs(game, profile, labels):
    num_labels = int(labels.max()) + 1
    for player in range(game.num_players):
        found = collected_payoffs(
            game, profile, player=player, node_label=labels, num_labels=num_labels
        )
        values = [Fraction(value) / found.denominator for value in found.numerators]
        assert values == by_definition(game, profile, player, labels.tolist(), num_labels)
    expected = [expected_payoff(game, profile, player=i) for i in range(game.num_players)]
    assert expected == payoffs(game, profile)


@pytest.mark.parametrize("most_bits", [module.MOST_BITS, 8])  # integers; fractions
@given(data=st.data())
def test_labels_collect_what_their_plays_pay(data, most_bits):
    game = data.draw(forgetful_games(num_players=(1, 3)))
    profile = data.draw(behavioral_profiles(game))
    labels = np.array(
        data.draw(st.lists(st.integers(0, 3), min_size=game.num_nodes, max_size=game.num_nodes)),
        dtype=np.int32,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_BITS", most_bits)
        require_all_payoffs(game, profile, labels)


@given(st.data())
def test_sequences_collect_what_best_responses_are_made_of(data):
    game = data.draw(extensive_form_games(max_moves=5))
    profile = data.draw(behavioral_profiles(game))
    for player in range(game.num_players):
        own = player_sequences(game, player)
        exact = sequence_payoffs(game, profile, player=player)
        sequence = own.node_sequence.tolist()
        wanted = by_definition(game, profile, player, sequence, own.num_sequences)
        assert exact.tolist() == wanted
        floats = sequence_payoffs(game, profile.to_float(), player=player)
        np.testing.assert_allclose(floats.astype(float), exact.astype(float), atol=1e-9)
        plans = pure_payoffs(game, profile, player)
        response = gt.best_response(game, profile, player=player)
        assert plans[response.actions] == response.value == max(plans.values())


@pytest.mark.parametrize("size", [1, 2**31, 2**59, 2**61, 2**62, 2**63, 2**80])
def test_products_and_sums_do_not_wrap(size):
    """Payoffs, chance's shares and the sum over plays stay exact around the size of a word."""
    share = Fraction(1, 3)
    deals = {str(k): (share, gt.Terminal([size, 1 - size])) for k in range(3)}
    tree = gt.from_sketch(
        gt.Decision(0, "", {"deal": gt.Chance(deals), "stop": gt.Terminal([-size, size])}),
        players=("Ann", "Bob"),
    )
    require_all_payoffs(tree, gt.uniform_behavior(tree), np.zeros(tree.num_nodes, dtype=np.int32))
    assert gt.best_response(tree, gt.uniform_behavior(tree), player=0).value == size


def test_ties_go_to_the_first_action():
    tree = gt.from_sketch(
        gt.Decision(0, "", {"a": gt.Terminal([0]), "b": gt.Terminal([1]), "c": gt.Terminal([1])}),
        players=("Ann",),
    )
    for profile in (gt.uniform_behavior(tree), gt.uniform_behavior(tree).to_float()):
        assert gt.best_response(tree, profile, player=0).actions == (1,)


def test_a_player_who_is_paid_nothing_needs_no_small_chances():
    """Numerators of chance may be beyond 64 bits where all payoffs of a player are 0."""
    end = gt.Decision(0, "choice", {"l": gt.Terminal([1, 0]), "r": gt.Terminal([0, 0])})
    rare = Fraction(1, 3**60)
    game = gt.from_sketch(
        gt.Chance({"rare": (rare, end), "usual": (1 - rare, gt.Terminal([0, 0]))}),
        players=("A", "B"),
    )
    profile = gt.uniform_behavior(game)
    assert gt.best_response(game, profile, player=1).value == 0
    assert gt.expected_payoffs(game, profile).tolist() == [rare / 2, 0]
