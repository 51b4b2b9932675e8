"""Trees as AEC games: who moves, what they see and may do, and where that leads."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidStrategy, policy_from, pure_behavior
from gametheory_core.conversions import aec_to_extensive, extensive_to_aec
from gametheory_core.distributions import point_mass
from gametheory_core.games import CHANCE
from gametheory_core.testing import check_conversion, extensive_form_games
from tests.laws.impossible_branch import IMPOSSIBLE
from tests.sample_sizes import examples


def partly_named(game, data):
    """The tree with names of some information sets and actions, and others without."""
    infosets = []
    for number, own in enumerate(game.infosets):
        size = len(own.actions) + 1
        named, *kept = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
        actions = tuple(f"act {k}" if is_kept else "" for k, is_kept in enumerate(kept))
        infosets.append(replace(own, label=f"set {number}" if named else "", actions=actions))
    return replace(game, infosets=tuple(infosets))


@examples(40)
@given(st.data())
def test_actions_are_names_or_positions_and_lead_to_children_in_their_order(data):
    game = partly_named(data.draw(extensive_form_games()), data)
    rules = extensive_to_aec(game).target
    for node in range(game.num_nodes):
        infoset = game.node_infoset[node]
        assert rules.is_terminal(node) == (infoset < 0)
        if infoset < 0 or game.node_player[node] == CHANCE:
            continue
        own, player = game.infosets[infoset], int(game.node_player[node])
        ((seen, _),) = rules.observation(player, node)
        assert seen == (own.label or own.number)
        actions = rules.legal_actions(player, seen)
        assert actions == tuple(own.actions[k] or k + 1 for k in range(len(own.actions)))
        children = [child for child in range(game.num_nodes) if game.parent[child] == node]
        assert [rules.move(player, node, action) for action in actions] == children


def test_profiles_come_back_from_tables_that_say_nothing_where_chance_never_leads():
    walk = extensive_to_aec(IMPOSSIBLE)
    table = {("seen",): point_mass("b")}
    back = walk.correspondence.to_source((table,))
    half = [Fraction(1, 2)] * 2
    assert [own.tolist() for own in back.probabilities] == [[0, 1], half, half]


def test_what_tables_say_where_chance_never_leads_comes_back():
    walk = extensive_to_aec(IMPOSSIBLE).correspondence
    profile = pure_behavior(IMPOSSIBLE, (0, 1, 1))
    assert walk.to_source(walk.to_target(profile)) == profile


def test_policies_by_functions_are_not_asked_where_chance_never_leads():
    table = {("seen",): point_mass("b")}
    back = extensive_to_aec(IMPOSSIBLE).correspondence.to_source((policy_from(table.__getitem__),))
    assert back.probabilities[0].tolist() == [0, 1]


def test_tables_must_say_what_is_played_wherever_chance_leads():
    with pytest.raises(
        InvalidStrategy, match=r"needs a distribution at .* \('seen',\), but has none"
    ):
        extensive_to_aec(IMPOSSIBLE).correspondence.to_source(({},))


def test_a_tree_with_an_impossible_branch_goes_to_an_aec_game_and_back_to_a_tree():
    walk = extensive_to_aec(IMPOSSIBLE)
    around = walk.then(aec_to_extensive(walk.target))
    for conversion in (walk, around):
        check_conversion(conversion, rng=np.random.default_rng(0))
