"""Our card, dice and board games are OpenSpiel's, node by node.

Both trees are walked side by side. Equal are: who moves, the number of actions, chance's exact
probabilities, payoffs, and which nodes a player can tell apart. That is an isomorphism, so every
profile is worth the same in both; uniform play is evaluated on OpenSpiel's side as well.
"""

import numpy as np
import pytest

from gametheory_core import Chance, Decision, Terminal, catalog, expected_payoffs, uniform_behavior
from gametheory_core.games import CHANCE, TERMINAL, lay_out_rules
from solvers import sequence_form_lp

pytestmark = pytest.mark.peer
pyspiel = pytest.importorskip("pyspiel")

GOOFSPIEL = (
    "turn_based_simultaneous_game(game=goofspiel(imp_info={},points_order={},"
    "num_cards={},returns_type={}))"
)
OSHI_ZUMO = "turn_based_simultaneous_game(game=oshi_zumo(coins={},size={},min_bid={},horizon={}))"
PAIRS = {
    catalog.LeducRules(): "leduc_poker",
    catalog.LeducRules(shown=catalog.Suits.HIDDEN): "leduc_poker(suit_isomorphism=true)",
    catalog.LiarsDiceRules(2): "liars_dice(numdice=1,dice_sides=2)",
    catalog.LiarsDiceRules(4): "liars_dice(numdice=1,dice_sides=4)",
    catalog.LiarsDiceRules(2, dice=2): "liars_dice(numdice=2,dice_sides=2)",
    catalog.GoofspielRules(3): GOOFSPIEL.format("True", "descending", 3, "win_loss"),
    catalog.GoofspielRules(4): GOOFSPIEL.format("True", "descending", 4, "win_loss"),
    catalog.GoofspielRules(4, catalog.Prizes.ASCENDING): GOOFSPIEL.format(
        "True", "ascending", 4, "win_loss"
    ),
    catalog.GoofspielRules(3, catalog.Prizes.RANDOM): GOOFSPIEL.format(
        "True", "random", 3, "win_loss"
    ),
    catalog.OshiZumoRules(4): OSHI_ZUMO.format(4, 1, 1, 1000),
    catalog.OshiZumoRules(5, size=2, min_bid=2): OSHI_ZUMO.format(5, 2, 2, 1000),
    catalog.OshiZumoRules(3, min_bid=0, horizon=3): OSHI_ZUMO.format(3, 1, 0, 3),
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


@pytest.mark.parametrize(("rules", "theirs"), PAIRS.items(), ids=map(repr, PAIRS))
def test_tree_is_isomorphic_to_open_spiel(rules, theirs):
    game = lay_out_rules(rules)
    infosets = set()
    state = pyspiel.load_game(theirs).new_initial_state()
    values = walk_together(game, state, 0, infosets)
    assert len(infosets) == game.num_decision_infosets
    assert len({(player, index) for player, index, _ in infosets}) == len(infosets)
    assert len({(player, text) for player, _, text in infosets}) == len(infosets)
    uniform = expected_payoffs(game, uniform_behavior(game)).astype(float)
    assert list(uniform) == pytest.approx(values, abs=1e-12)


def follow(rules, state, position, pairs, *, payoff=1, deals=None):
    """Compare the rules with OpenSpiel's state, payoffs being ``payoff`` times as large."""
    node = rules.expand(position)
    if isinstance(node, Terminal):
        assert state.is_terminal()
        assert state.returns() == [amount / payoff for amount in node.payoffs]
        return
    children = node.children
    if isinstance(node, Chance):
        assert state.is_chance_node()
        children = {label: child for label, (_, child) in children.items()}
        weights = [weight for weight, _ in node.children.values()]
        found = deals(state) if deals else [(state.child(a), w) for a, w in state.chance_outcomes()]
        assert [w for _, w in found] == pytest.approx([float(w) for w in weights], abs=1e-15)
        states = [s for s, _ in found]
    else:
        assert state.current_player() == node.player
        pairs.add((node.player, node.infoset, state.information_state_string()))
        states = [state.child(action) for action in state.legal_actions()]
    for below, child in zip(states, children.values(), strict=True):
        follow(rules, below, child, pairs, payoff=payoff, deals=deals)


def dealt(state):
    """Return (state, probability) after all private cards, which OpenSpiel deals one by one."""
    if not state.is_chance_node():
        return [(state, 1.0)]
    return [
        (below, weight * share)
        for action, weight in state.chance_outcomes()
        for below, share in dealt(state.child(action))
    ]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_kuhn_poker_is_open_spiels_with_all_cards_dealt_at_once(players):
    rules, pairs = catalog.KuhnRules(players + 1, players), set()
    state = pyspiel.load_game(f"kuhn_poker(players={players})").new_initial_state()
    follow(rules, state, rules.root, pairs, deals=dealt)
    assert len(pairs) == lay_out_rules(rules).num_decision_infosets
    assert len({(player, known) for player, known, _ in pairs}) == len(pairs)
    assert len({(player, text) for player, _, text in pairs}) == len(pairs)


@pytest.mark.parametrize("prizes", catalog.Prizes)
@pytest.mark.parametrize("payment", catalog.Payment)
def test_goofspiel_with_open_bids_is_open_spiels_but_for_its_forgetting(prizes, payment):
    """There players see hands, prizes and results, but not in which order cards were played."""
    rules, pairs = catalog.GoofspielRules(4, prizes, catalog.Bids.OPEN, payment), set()
    points = payment is catalog.Payment.POINT_DIFFERENCE
    returns = "point_difference" if points else "win_loss"
    name = GOOFSPIEL.format("False", prizes.value, 4, returns)
    state = pyspiel.load_game(name).new_initial_state()
    follow(rules, state, rules.root, pairs, payoff=2 if points else 1)
    remembered = {(player, known) for player, known, _ in pairs}
    forgotten = {(player, text) for player, _, text in pairs}
    assert len(remembered) == len(pairs) > len(forgotten)


def test_phantom_tic_tac_toe_is_open_spiels_in_random_plays():
    """The tree is too large, so that plays drawn at random are compared, move by move."""
    rules, rng = catalog.PhantomTicTacToeRules(), np.random.default_rng(5)
    knowledge, ends = {}, set()
    for _ in range(2_000):
        state, position = pyspiel.load_game("phantom_ttt").new_initial_state(), rules.root
        while isinstance(node := rules.expand(position), Decision):
            assert state.current_player() == node.player
            text = state.information_state_string()
            assert knowledge.setdefault((node.player, node.infoset), text) == text
            actions = state.legal_actions()
            assert len(actions) == len(node.children)
            choice = int(rng.integers(len(actions)))
            state.apply_action(actions[choice])
            position = list(node.children.values())[choice]
        assert state.is_terminal()
        assert state.returns() == list(node.payoffs)
        ends.add(node.payoffs)
    assert len({(player, text) for (player, _), text in knowledge.items()}) == len(knowledge)
    assert ends == {(1, -1), (-1, 1), (0, 0)}


@pytest.mark.parametrize(
    "rules",
    [
        catalog.LeducRules(shown=catalog.Suits.HIDDEN),
        catalog.LiarsDiceRules(2, dice=2),
        catalog.GoofspielRules(3, catalog.Prizes.RANDOM),
        catalog.OshiZumoRules(4),
    ],
    ids=repr,
)
def test_value_is_exactly_that_of_open_spiels_tree(rules):
    from gametheory_core.adapters import open_spiel_tree

    values = [
        sequence_form_lp(tree).certificate.game_value
        for tree in (lay_out_rules(rules), open_spiel_tree(PAIRS[rules]))
    ]
    assert values[0] == values[1]
