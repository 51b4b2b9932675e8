"""Chance nodes told apart: one information set each, and nothing else changed."""

import numpy as np

from gametheory_core.catalog import leduc_poker, liars_dice
from gametheory_core.conversions import separate_chance
from gametheory_core.games import CHANCE
from gametheory_core.testing import check_conversion


def test_each_chance_node_has_a_lottery_of_its_own_and_the_same_one():
    game = leduc_poker()
    target = separate_chance(game).target
    nodes = np.flatnonzero(target.node_player == CHANCE)
    own = target.node_infoset[nodes].tolist()
    assert len(set(own)) == len(nodes) > len({int(s) for s in game.node_infoset[nodes]})
    for node, index in zip(nodes.tolist(), own, strict=True):
        before = game.infosets[game.node_infoset[node]]
        assert target.infosets[index].probabilities == before.probabilities
    again = separate_chance(target).target
    assert again == target


def test_profiles_keep_their_payoffs_and_gains():
    check_conversion(separate_chance(liars_dice(sides=2)), rng=np.random.default_rng(0))
