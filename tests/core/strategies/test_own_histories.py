"""Own histories and their weights, against own steps read node by node."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import Chance, Decision, Terminal, from_sketch, uniform_behavior
from gametheory_core.evaluation.collected_payoffs import history_weights, own_histories
from gametheory_core.games import CHANCE
from gametheory_core.strategies import player_sequences, sequence_form
from gametheory_core.testing import behavioral_profiles, extensive_form_games, forgetful_games
from tests.core.naive_trees import histories, own_steps
from tests.sample_sizes import examples


@given(st.data())
def test_nodes_share_a_history_when_own_steps_and_their_times_agree(data):
    game = data.draw(forgetful_games())
    profile = data.draw(behavioral_profiles(game))
    flat = np.concatenate([profile.flat, game.exact_chance_probabilities[len(profile.flat) :]])
    for player in (CHANCE, *range(game.num_players)):
        own = own_histories(game, player)
        weights = history_weights(own, flat)
        steps_of = {}
        for history in histories(game):
            steps = own_steps(game, history, player)
            number = int(own.node_history[history.node])
            assert steps_of.setdefault(number, steps) == steps
            expected = Fraction(1)
            for infoset, action in steps:
                expected *= flat[game.action_offset[infoset] + action]
            assert weights[number] == expected
            assert (number == 0) == (not steps)
        assert sorted(steps_of) == list(range(len(own.parent)))  # none is idle
        for number, steps in steps_of.items():
            if number:
                above = int(own.parent[number])
                assert above < number
                assert steps_of[above] == steps[:-1]


@given(extensive_form_games())
def test_with_perfect_recall_histories_tell_sequences_apart(game):
    for player in range(game.num_players):
        sequences = player_sequences(game, player).node_sequence.tolist()
        own = own_histories(game, player)
        sequence_of = dict(zip(own.node_history.tolist(), sequences, strict=True))
        assert [sequence_of[history] for history in own.node_history.tolist()] == sequences


def test_one_history_at_two_depths_is_kept_twice():
    """Chance may hold a player up without a sign: the same action ends at two depths."""
    end = Terminal([0])
    early = Decision(0, "now", {"a": end, "b": end})
    late = Chance({"wait": (1, Decision(0, "now", {"a": end, "b": end}))})
    tree = from_sketch(Chance({"e": ("1/2", early), "l": ("1/2", late)}), players=("Ann",))
    assert len(set(player_sequences(tree, 0).node_sequence.tolist())) == 3
    assert len(own_histories(tree, 0).parent) == 5


@examples(20)
@given(extensive_form_games())
def test_float_weights_are_near_the_exact_ones(game):
    exact = uniform_behavior(game)
    for player in range(game.num_players):
        own = own_histories(game, player)
        floats = history_weights(own, exact.to_float().flat)
        assert floats.dtype == (np.float64 if game.num_decision_infosets else object)
        found = history_weights(own, exact.flat).astype(np.float64)
        np.testing.assert_allclose(floats.astype(np.float64), found, rtol=1e-12)
    assert len(sequence_form(game).players) == game.num_players
