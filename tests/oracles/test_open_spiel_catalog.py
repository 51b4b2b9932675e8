"""Our card and dice games are OpenSpiel's, node by node.

Both trees are walked side by side. Equal are: who moves, the number of actions, chance's exact
probabilities, payoffs, and which nodes a player can tell apart. That is an isomorphism, so every
profile is worth the same in both; uniform play is evaluated on OpenSpiel's side as well.
"""

import pytest

from gametheory_core.catalog.index import load
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.extensive_form import TERMINAL, player_infosets
from gametheory_core.games.information_sets import CHANCE
from gametheory_core.strategies.behavioral import uniform_behavior

pytestmark = pytest.mark.peer
pyspiel = pytest.importorskip("pyspiel")

GOOFSPIEL = (
    "turn_based_simultaneous_game(game=goofspiel(imp_info=True,points_order=descending,"
    "num_cards={},returns_type={}))"
)
PAIRS = {
    "leduc_poker": "leduc_poker",
    "liars_dice:sides=2": "liars_dice(numdice=1,dice_sides=2)",
    "liars_dice:sides=4": "liars_dice(numdice=1,dice_sides=4)",
    "goofspiel:cards=3": GOOFSPIEL.format(3, "win_loss"),
    "goofspiel:cards=4": GOOFSPIEL.format(4, "win_loss"),
}


def walk_together(game, state, node, infosets):
    """Compare the subtrees and return the payoffs of uniform play in OpenSpiel's."""
    player = int(game.node_player[node])
    if player == TERMINAL:
        assert state.is_terminal()
        payoffs = game.exact_terminal_payoffs[game.terminals.searchsorted(node)].tolist()
        assert state.returns() == payoffs
        return state.returns()
    children = range(int(game.first_child[node]), int(game.first_child[node + 1]))
    if player == CHANCE:
        assert state.is_chance_node()
        actions, weights = zip(*state.chance_outcomes(), strict=True)
        ours = game.exact_chance_probabilities[game.node_action[list(children)]].astype(float)
        assert weights == pytest.approx(tuple(ours), abs=1e-15)
    else:
        assert state.current_player() == player
        infosets.add((player, int(game.node_infoset[node]), state.information_state_string()))
        actions = state.legal_actions()
        weights = [1 / len(actions)] * len(actions)
    values = [0.0, 0.0]
    for action, weight, child in zip(actions, weights, children, strict=True):
        below = walk_together(game, state.child(action), child, infosets)
        values = [v + weight * b for v, b in zip(values, below, strict=True)]
    return values


@pytest.mark.parametrize(("ours", "theirs"), PAIRS.items(), ids=list(PAIRS))
def test_tree_is_isomorphic_to_open_spiel(ours, theirs):
    game = load(ours)
    infosets = set()
    state = pyspiel.load_game(theirs).new_initial_state()
    values = walk_together(game, state, 0, infosets)
    assert len(infosets) == game.num_decision_infosets
    assert len({(player, index) for player, index, _ in infosets}) == len(infosets)
    assert len({(player, text) for player, _, text in infosets}) == len(infosets)
    uniform = expected_payoffs(game, uniform_behavior(game)).astype(float)
    assert list(uniform) == pytest.approx(values, abs=1e-12)


def kuhn_payoffs(state, cards, word):
    """Return {(deal, betting): payoffs} of OpenSpiel's tree, which deals the cards one by one."""
    if state.is_terminal():
        return {(cards, word): state.returns()}
    found = {}
    for action in state.legal_actions():
        chance = state.is_chance_node()
        below = (cards + "JQK"[action], word) if chance else (cards, word + "pb"[action])
        found |= kuhn_payoffs(state.child(action), *below)
    return found


def test_kuhn_poker_is_open_spiels_with_both_cards_dealt_at_once():
    game = load("kuhn_poker")
    found = {}
    stack = [(0, "", "")]
    while stack:
        node, deal, word = stack.pop()
        if game.node_player[node] == TERMINAL:
            payoffs = game.exact_terminal_payoffs[game.terminals.searchsorted(node)].tolist()
            found[deal, word] = payoffs
            continue
        actions = game.infosets[game.node_infoset[node]].actions
        for position, action in enumerate(actions):
            child = int(game.first_child[node]) + position
            if game.node_player[node] == CHANCE:
                stack.append((child, action, ""))
            else:
                move = "p" if action in {"check", "fold"} else "b"
                stack.append((child, deal, word + move))
    theirs = kuhn_payoffs(pyspiel.load_game("kuhn_poker").new_initial_state(), "", "")
    assert len(found) == 30
    assert found == theirs
    assert [len(player_infosets(game, player)) for player in range(2)] == [6, 6]
