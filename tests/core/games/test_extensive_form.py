"""Trees as tables: what is refused, how they are ordered, and every array against plain reading."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import Chance, Decision, ExtensiveFormGame, InvalidGame, Terminal, from_sketch
from gametheory_core.catalog import load
from gametheory_core.games import (
    CHANCE,
    TERMINAL,
    InformationSet,
    extensive_form,
    path_to,
    player_infosets,
)
from gametheory_core.games.tree_table import Outcome, breadth_first_order, describe_infoset
from gametheory_core.testing import extensive_form_games, forgetful_games
from tests.core.naive_trees import histories, plays
from tests.sample_sizes import examples

SOME = examples(35)
TREES = st.one_of(extensive_form_games(), forgetful_games())
MOVE = InformationSet(0, 1, "start", ("left", "right"))
PAID = Outcome((1, -1), "win")


def table(**changes):
    """A decision between two ends of play, with any field replaced."""
    fields = {
        "players": ("Ann", "Bob"),
        "infosets": (MOVE,),
        "node_infoset": [0, -1, -1],
        "outcomes": (PAID,),
        "node_outcome": [-1, 0, 0],
    }
    return ExtensiveFormGame(**{**fields, **changes})


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"players": ("Ann", "Ann")}, "different player labels, but 'Ann'"),
        ({"node_infoset": [], "node_outcome": []}, r"at least 1, but their shapes are \(0,\)"),
        ({"node_outcome": [-1, 0]}, r"shapes are \(3,\) and \(2,\)"),
        ({"node_infoset": [[0, -1, -1]], "node_outcome": [[0, 0, 0]]}, r"shapes are \(1, 3\)"),
        ({"node_labels": ("root",)}, "label for each of 3 nodes, or none, but got 1"),
        ({"node_infoset": [1, -1, -1]}, r"node_infoset in -1\.\.0, but node 0 has 1"),
        ({"node_infoset": [0, -1, -2]}, r"node_infoset in -1\.\.0, but node 2 has -2"),
        ({"node_outcome": [-1, 0, 3]}, r"node_outcome in -1\.\.0, but node 2 has 3"),
        ({"outcomes": (Outcome((1,), "win"),)}, "outcome 'win': needs a payoff for each of 2"),
        ({"infosets": (replace(MOVE, player=2),)}, r"movers in -1 \(chance\)\.\.1, .* player 2"),
        ({"infosets": (MOVE, replace(MOVE, label="idle"))}, "needs a number of its own, but 1"),
        ({"infosets": (MOVE, replace(MOVE, number=2))}, "'start' names both number 1 and number 2"),
        (
            {"infosets": (MOVE, replace(MOVE, number=2, label="idle"))},
            "'idle' of player 1: needs at least one node, but has none",
        ),
        (
            {"node_infoset": [0, -1], "node_outcome": [-1, 0]},
            "2 nodes were given and their actions lead to 3",
        ),
        (
            {"node_infoset": [0, -1, -1, -1], "node_outcome": [-1, 0, 0, 0]},
            "4 nodes were given and their actions lead to 3",
        ),
        (
            {"node_infoset": [-1, 0, -1, -1], "node_outcome": [-1] * 4},
            "4 nodes were given and their actions lead to 1",
        ),
    ],
)
def test_malformed_tables_are_refused_with_the_witness(changes, complaint):
    with pytest.raises(InvalidGame, match=complaint):
        table(**changes)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ((0, 1, "here", ()), "'here' of player 1: needs at least one action"),
        ((0, 3, "", ("a", "a")), "information set #3 of player 1: needs different action labels"),
        ((0, 1, "here", ("a",), (1,)), "chance, and only chance, needs probabilities"),
        ((CHANCE, 1, "coin", ("a",)), "'coin' of chance: chance, and only chance"),
        ((CHANCE, 1, "coin", ("a", "b"), (1,)), "probability for each of 2 actions, but got 1"),
        ((CHANCE, 1, "coin", ("a", "b"), ("1/2", "1/3")), "exactly 1, but they sum to 5/6"),
        ((CHANCE, 1, "coin", ("a", "b"), (2, -1)), "at least 0, but 'b' has -1"),
        ((CHANCE, 1, "coin", ("a",), ("one",)), "'coin' of chance: weight of 'a': needs a finite"),
    ],
)
def test_malformed_information_sets_are_refused(fields, complaint):
    with pytest.raises(InvalidGame, match=complaint):
        InformationSet(*fields)


def test_payoffs_that_are_no_numbers_are_refused():
    with pytest.raises(InvalidGame, match="payoff of outcome 'win': needs a finite number"):
        Outcome((1, float("nan")), "win")


def test_numbers_in_trees_are_read_exactly():
    coin = InformationSet(CHANCE, 1, "", ("a", "b"), ("1/3", Fraction(2, 3)))
    assert coin.probabilities == (Fraction(1, 3), Fraction(2, 3))
    assert Outcome((0.1, "0.1")).payoffs == (Fraction(0.1), Fraction(1, 10))


@SOME
@given(TREES)
def test_every_node_array_is_what_plain_reading_finds(game):
    known = histories(game)
    assert game.num_nodes == len(known)
    for here in known:
        node = here.node
        record = game.infosets[here.infoset] if here.infoset >= 0 else None
        assert game.parent[node] == (here.above[-1] if here.above else -1)
        assert game.node_player[node] == (record.player if record else TERMINAL)
        assert game.num_children[node] == (len(record.actions) if record else 0)
        if here.steps:
            infoset, action = here.steps[-1]
            assert game.node_action[node] == game.action_offset[infoset] + action
            assert game.first_child[here.above[-1]] + action == node
        depth = int(np.searchsorted(game.level_offset, node, side="right")) - 1
        assert depth == len(here.steps)
        assert path_to(game, node) == tuple(game.infosets[s].actions[a] for s, a in here.steps)
    assert game.node_action[0] == -1
    assert game.level_offset[-1] == game.num_nodes
    assert game.terminals.tolist() == [play.node for play in plays(game)]


@SOME
@given(TREES)
def test_terminal_payoffs_add_up_what_is_paid_on_the_way(game):
    paid = [list(play.paid) for play in plays(game)]
    assert game.exact_terminal_payoffs.tolist() == paid
    assert game.terminal_payoffs.tolist() == [[float(p) for p in row] for row in paid]


@SOME
@given(TREES)
def test_information_sets_are_sorted_by_player_and_first_visit(game):
    first = {}
    for here in histories(game):
        first.setdefault(here.infoset, here.node)
    keys = [(s.player == CHANCE, s.player, first[i]) for i, s in enumerate(game.infosets)]
    assert keys == sorted(keys)
    assert game.num_decision_infosets == sum(s.player != CHANCE for s in game.infosets)
    for player in range(game.num_players):
        own = [i for i, s in enumerate(game.infosets) if s.player == player]
        assert list(player_infosets(game, player)) == own


@SOME
@given(st.data())
def test_the_order_in_which_information_sets_are_given_does_not_matter(data):
    game = data.draw(TREES)
    order = data.draw(st.permutations(range(len(game.infosets))))
    place = {infoset: position for position, infoset in enumerate(order)} | {-1: -1}
    shuffled = replace(
        game,
        infosets=tuple(game.infosets[i] for i in order),
        node_infoset=[place[i] for i in game.node_infoset.tolist()],
    )
    assert shuffled.infosets == game.infosets
    assert shuffled.node_infoset.tolist() == game.node_infoset.tolist()
    assert shuffled == game


@SOME
@given(TREES)
def test_chance_probabilities_lie_at_their_flat_actions(game):
    flat = [p for s in game.infosets for p in s.probabilities or [0] * len(s.actions)]
    assert game.exact_chance_probabilities.tolist() == flat


def test_tables_are_copied_in():
    nodes, paid, outcomes = np.array([0, -1, -1]), np.array([-1, 0, 0]), [PAID]
    game = table(node_infoset=nodes, node_outcome=paid, outcomes=outcomes)
    nodes[1], paid[1] = 0, -1
    outcomes.clear()
    assert game == table()
    assert game.exact_terminal_payoffs.tolist() == [[1, -1], [1, -1]]
    for array in (game.node_infoset, game.node_outcome, game.parent, game.terminals):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_the_digest_ignores_titles_node_labels_and_how_outcomes_are_shared():
    same = [
        table(title="Choice"),
        table(node_labels=("root", "x", "y")),
        table(outcomes=(PAID, Outcome((1, -1), "copy")), node_outcome=[-1, 0, 1]),
        table(outcomes=(Outcome((9, 9)), PAID), node_outcome=[-1, 1, 1]),
        table(outcomes=(PAID, Outcome((0, 0))), node_outcome=[1, 0, 0]),
        table(outcomes=(Outcome(("1.0", Fraction(-2, 2))),)),
    ]
    assert {game.digest for game in same} == {table().digest}


def test_the_digest_sees_players_information_sets_shape_and_payoffs():
    other = InformationSet(1, 1, "start", ("left", "right"))
    games = [
        table(),
        table(players=("Ann", "Carl")),
        table(infosets=(replace(MOVE, label="begin"),)),
        table(infosets=(replace(MOVE, number=2),)),
        table(infosets=(replace(MOVE, actions=("left", "up")),)),
        table(infosets=(other,)),
        table(node_outcome=[-1, -1, 0]),
        table(node_outcome=[0, -1, -1]),
        table(outcomes=(Outcome((1, 0)),)),
        table(infosets=(InformationSet(CHANCE, 1, "", ("left", "right"), ("1/2", "1/2")),)),
        table(infosets=(InformationSet(CHANCE, 1, "", ("left", "right"), ("1/3", "2/3")),)),
    ]
    assert len({game.digest for game in games}) == len(games)
    assert table() != "a tree"


def test_a_chain_of_five_thousand_moves_is_laid_out():
    root = Terminal([1])
    for _ in range(5_000):
        root = Decision(0, object(), {"on": root}, payoffs=[1])
    game = from_sketch(root, players=("Ann",))
    assert game.num_nodes == 5_001
    assert len(game.level_offset) == 5_002
    assert game.exact_terminal_payoffs.tolist() == [[5_001]]
    assert path_to(game, 5_000) == ("on",) * 5_000


def test_a_wide_tree_is_laid_out():
    law = {str(k): ("1/20000", Terminal([k % 7])) for k in range(20_000)}
    game = from_sketch(Chance(law), players=("Ann",))
    assert game.num_nodes == 20_001
    assert len(game.outcomes) == 7
    assert game.level_offset.tolist() == [0, 1, 20_001]


def test_a_game_may_end_before_it_starts():
    game = from_sketch(Terminal([1, 2]), players=("Ann", "Bob"))
    assert game.terminals.tolist() == [0]
    assert game.parent.tolist() == [-1]
    assert game.level_offset.tolist() == [0, 1]
    assert game.exact_terminal_payoffs.tolist() == [[1, 2]]


def test_unnamed_things_are_described_by_number():
    unnamed = InformationSet(1, 4, "", ("", ""))
    assert describe_infoset(unnamed) == "information set #4 of player 2"
    game = table(infosets=(InformationSet(0, 1, "", ("", "")),))
    assert path_to(game, 2) == ("#2",)
    assert repr(game) == "ExtensiveFormGame('', 2 players, 3 nodes, 1 information set)"


@given(st.recursive(st.just([]), lambda tree: st.lists(tree, min_size=1, max_size=3), max_leaves=9))
def test_breadth_first_order_sorts_a_preorder_by_depth(tree):
    counts, depths = [], []

    def visit(node, depth):
        counts.append(len(node))
        depths.append(depth)
        for child in node:
            visit(child, depth + 1)

    visit(tree, 0)
    order = breadth_first_order(counts).tolist()
    assert order == sorted(range(len(counts)), key=lambda position: (depths[position], position))


@pytest.mark.parametrize(
    ("counts", "complaint"),
    [
        ([0, 0], "ends after 1 nodes, but 2 were given"),
        ([2, 0], "2 nodes were given, but more are needed"),
        ([1], "1 nodes were given, but more are needed"),
    ],
)
def test_breadth_first_order_refuses_counts_of_no_tree(counts, complaint):
    with pytest.raises(InvalidGame, match=complaint):
        breadth_first_order(counts)


def test_indices_that_are_no_integers_are_refused():
    with pytest.raises(
        InvalidGame, match="needs integers in node_infoset, but its type is float64"
    ):
        ExtensiveFormGame(("Ann",), (), np.array([-1.0]), (), np.array([-1]))


@pytest.mark.parametrize("at_once", [1, 7, 55, 1000])
def test_digest_does_not_depend_on_how_many_nodes_are_read_at_once(at_once, monkeypatch):
    expected = load("kuhn_poker").digest
    monkeypatch.setattr(extensive_form, "DIGESTED_AT_ONCE", at_once)
    assert load("kuhn_poker").digest == expected
