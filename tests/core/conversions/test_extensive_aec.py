"""Trees as AEC games: who moves, what they see and may do, and where that leads."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.conversions import extensive_to_aec
from gametheory_core.games import CHANCE
from gametheory_core.testing import extensive_form_games
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
