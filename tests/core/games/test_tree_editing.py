"""Edited trees: what is put in can be taken out again, and nothing else changes."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import (
    Chance,
    Decision,
    ExtensiveFormGame,
    Terminal,
    from_sketch,
    load_game,
    uniform_behavior,
)
from gametheory_core.errors import InvalidArgument, InvalidGame, UnsupportedGame
from gametheory_core.evaluation import expected_payoffs
from gametheory_core.games import CHANCE, add_action, path_to, relabel, remove_action, set_subtree
from gametheory_core.testing.generators import extensive_form_games

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
KUHN = load_game("kuhn_poker")


def histories(game):
    return [path_to(game, node) for node in range(game.num_nodes)]


def plays(game):
    """Each play with its chance, information sets and payoffs: the game without its arrays."""
    paid = dict(zip(game.terminals.tolist(), game.exact_terminal_payoffs.tolist(), strict=True))
    return {path_to(game, node): tuple(payoffs) for node, payoffs in paid.items()}


def knowledge(game):
    """Which histories each player cannot tell apart."""
    known = {}
    for node, index in enumerate(game.node_infoset.tolist()):
        if index >= 0 and game.infosets[index].player != CHANCE:
            known.setdefault(index, set()).add(path_to(game, node))
    return {(game.infosets[k].player, frozenset(own)) for k, own in known.items()}


@given(game=extensive_form_games(), data=st.data())
def test_an_action_that_is_added_and_removed_leaves_the_tree_as_it_was(game, data):
    moves = [node for node in range(game.num_nodes) if game.node_infoset[node] >= 0]
    assume(moves)
    place = path_to(game, data.draw(st.sampled_from(moves)))
    zeros = Terminal([0] * game.num_players)
    is_chance = game.infosets[game.node_infoset[_node(game, place)]].player == CHANCE
    more = {"probability": THIRD} if is_chance else {}
    longer = add_action(game, place, "new", zeros, **more)
    assert longer.num_nodes > game.num_nodes
    again = remove_action(longer, place, "new")
    assert plays(again) == plays(game)
    assert knowledge(again) == knowledge(game)
    assert _chances(again) == _chances(game)


def _node(game, history):
    return histories(game).index(history)


def _chances(game):
    return {
        (path_to(game, node), action): share
        for node, index in enumerate(game.node_infoset.tolist())
        if index >= 0 and game.infosets[index].probabilities is not None
        for action, share in zip(
            game.infosets[index].actions, game.infosets[index].probabilities, strict=True
        )
    }


@given(game=extensive_form_games(), data=st.data())
def test_a_place_cut_short_by_what_uniform_play_earns_there_earns_the_same(game, data):
    """Replacing a subtree by its value keeps the value of the whole under uniform play."""
    node = data.draw(st.integers(0, game.num_nodes - 1))
    before = expected_payoffs(game, uniform_behavior(game))
    cut = set_subtree(game, path_to(game, node), Terminal(_worth(game, node)))
    assert list(expected_payoffs(cut, uniform_behavior(cut))) == list(before)


def _worth(game, node):
    """Expected payoffs from a node on under uniform play, its own outcome included."""
    index = int(game.node_infoset[node])
    outcome = int(game.node_outcome[node])
    own = np.array(
        game.outcomes[outcome].payoffs if outcome >= 0 else [Fraction(0)] * game.num_players
    )
    if index < 0:
        return own
    known = game.infosets[index]
    count = len(known.actions)
    shares = known.probabilities or [Fraction(1, count)] * count
    first = int(game.first_child[node])
    return own + sum(share * _worth(game, first + k) for k, share in enumerate(shares))


@given(game=extensive_form_games())
def test_names_may_be_changed_and_changed_back(game):
    players = {own: f"<{own}>" for own in game.players}
    sets = {own.label: f"at {own.label}" for own in game.infosets if own.label}
    actions = {action: f"do {action}" for own in game.infosets for action in own.actions}
    named = relabel(game, players=players, infosets=sets, actions=actions, title="named")
    assert named.title == "named"
    assert named.players == tuple(players.values())
    back = relabel(
        named,
        players={new: old for old, new in players.items()},
        infosets={new: old for old, new in sets.items()},
        actions={new: old for old, new in actions.items()},
        title=game.title,
    )
    assert back == game


def test_the_old_tree_stays():
    before = KUHN.digest
    set_subtree(KUHN, [], Terminal([0, 0]))
    remove_action(KUHN, path_to(KUHN, 1), KUHN.infosets[KUHN.node_infoset[1]].actions[0])
    assert load_game("kuhn_poker").digest == KUHN.digest == before


def test_an_action_is_added_at_all_nodes_of_an_information_set():
    place = path_to(KUHN, 1)
    index = KUHN.node_infoset[1]
    size = int(np.sum(KUHN.node_infoset == index))
    assert size > 1
    seen = []

    def follows(history):
        seen.append(history)
        return Terminal([-1, 1])

    longer = add_action(KUHN, place, "fold now", follows)
    assert longer.num_nodes == KUHN.num_nodes + size
    assert sorted(seen) == sorted(
        path_to(KUHN, node) for node in np.flatnonzero(KUHN.node_infoset == index)
    )


def test_a_new_part_may_join_a_known_information_set():
    first = Decision(0, "start", {"l": Decision(1, "blind", _ends()), "r": Terminal([0, 0])})
    game = from_sketch(first, players=("A", "B"))
    both = set_subtree(game, ["r"], Decision(1, "blind", _ends()))
    assert knowledge(both) == {(0, frozenset({()})), (1, frozenset({("l",), ("r",)}))}
    with pytest.raises(InvalidGame, match="the same actions at all its nodes"):
        set_subtree(game, ["r"], Decision(1, "blind", {"x": Terminal([1, 1])}))


def _ends():
    return {"x": Terminal([1, 0]), "y": Terminal([0, 1])}


def test_information_sets_without_names_stay_apart():
    blind = {a: Decision(1, (a,), _ends()) for a in "lr"}
    game = from_sketch(Decision(0, "", blind), players=("A", "B"))
    nameless = relabel(game, infosets={"('l',)": "", "('r',)": ""})
    longer = add_action(nameless, [], "m", Terminal([0, 0]))
    assert len(knowledge(longer)) == 3


def test_chance_is_conditioned_on_what_is_left():
    sides = {
        "a": (HALF, Terminal([1])),
        "b": (THIRD, Terminal([2])),
        "c": (1 - HALF - THIRD, Terminal([3])),
    }
    game = from_sketch(Chance(sides), players=("A",))
    assert remove_action(game, [], "a").infosets[0].probabilities == (2 * THIRD, THIRD)


def test_probabilities_may_be_text():
    game = from_sketch(Chance({"a": (1, Terminal([1]))}), players=("A",))
    longer = add_action(game, [], "b", Terminal([0]), probability="1/3")
    assert longer.infosets[0].probabilities == (2 * THIRD, THIRD)


def test_other_moves_of_chance_stay_as_they_are():
    coin = Chance({side: (HALF, Terminal([k])) for k, side in enumerate("HT")})
    game = from_sketch(Decision(0, "s", {"l": coin, "r": coin}), players=("A",))
    edged = add_action(game, ["l"], "edge", Terminal([2]), probability=THIRD)
    assert plays(edged).keys() - plays(game).keys() == {("l", "edge")}
    assert _chances(edged)[("l",), "H"] == THIRD
    assert _chances(edged)[("r",), "H"] == HALF
    short = remove_action(game, ["r"], "H")
    assert plays(game).keys() - plays(short).keys() == {("r", "H")}


def test_an_action_may_be_renamed_at_one_information_set():
    game = from_sketch(
        Decision(0, "first", {"x": Decision(1, "second", _ends()), "y": Terminal([0, 0])}),
        players=("A", "B"),
    )
    named = relabel(game, actions={("second", "x"): "hit", "y": "stop"})
    assert [own.actions for own in named.infosets] == [("x", "stop"), ("hit", "stop")]


def test_labels_of_nodes_and_outcomes_stay_where_nodes_do():
    game = from_sketch(Decision(0, "s", _ends()), players=("A", "B"))
    named = ExtensiveFormGame(
        players=game.players,
        infosets=game.infosets,
        node_infoset=game.node_infoset,
        outcomes=tuple(
            type(own)(own.payoffs, label)
            for own, label in zip(game.outcomes, ("won", "lost"), strict=True)
        ),
        node_outcome=game.node_outcome,
        node_labels=("root", "left", "right"),
    )
    longer = add_action(named, [], "z", Terminal([1, 0]))
    assert longer.node_labels == ("root", "left", "right", "")
    labels = [longer.outcomes[k].label if k >= 0 else None for k in longer.node_outcome]
    assert labels == [None, "won", "lost", ""]


TWINS = from_sketch(
    Decision(0, "x", {"a": Decision(1, "x", {"a": Terminal([0, 0])})}), players=("A", "B")
)
REFUSED = [
    (lambda: set_subtree(KUHN, [], None), "a Decision, a Chance or a Terminal"),
    (lambda: relabel(TWINS, actions={("x", "a"): "z"}), "2 are called 'x'"),
    (lambda: relabel(KUHN, players=["X", "Y"]), "players as old label -> new label"),
    (lambda: set_subtree(KUHN, ["no"], Terminal([0, 0])), "at the root, .*but got 'no'"),
    (lambda: set_subtree(KUHN, 5, Terminal([0, 0])), "history"),
    (lambda: add_action(KUHN, [], "new", Terminal([0, 0])), "probability"),
    (
        lambda: add_action(KUHN, path_to(KUHN, 1), "new", Terminal([0, 0]), probability=HALF),
        "moves of chance only",
    ),
    (
        lambda: add_action(KUHN, path_to(KUHN, 1), "bet", Terminal([0, 0])),
        "a new action at .*'bet' is one of",
    ),
    (lambda: add_action(KUHN, path_to(KUHN, 54), "x", Terminal([0, 0])), "play is over there"),
    (lambda: remove_action(KUHN, path_to(KUHN, 1), "jump"), "an action at .*but got 'jump'"),
    (
        lambda: remove_action(
            from_sketch(Decision(0, "", {"a": Terminal([1])}), players=("A",)), [], "a"
        ),
        "'a' is all there is",
    ),
    (lambda: relabel(KUHN, players={"Nobody": "x"}), "label of an old player: .*but got 'Nobody'"),
    (lambda: relabel(KUHN, actions={"jump": "x"}), "label of an old action: "),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_bad_input_is_refused(call, message):
    with pytest.raises(InvalidArgument, match=message):
        call()


@pytest.mark.parametrize("edit", [relabel, lambda game: remove_action(game, [], "swerve")])
def test_only_trees_are_edited(edit):
    with pytest.raises(UnsupportedGame, match="needs an extensive-form game"):
        edit(load_game("chicken"))
