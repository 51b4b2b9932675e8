"""Trees from nested records and from rules: same table, and faults named."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import Chance, Decision, InvalidGame, Terminal, from_sketch
from gametheory_core.games import CHANCE, NO_OUTCOME, lay_out
from gametheory_core.testing import extensive_form_games
from tests.core.naive_trees import written

END = Terminal([0, 0])
PAIR = ("Ann", "Bob")


@pytest.mark.parametrize(
    ("root", "complaint"),
    [
        ("up", r"needs Decision, Chance and Terminal records, but found 'up' \(type str\)"),
        (Decision(0, "", {"a": None}), r"but found None \(type NoneType\)"),
    ],
)
def test_what_is_no_record_is_named(root, complaint):
    with pytest.raises(InvalidGame, match=complaint):
        from_sketch(root, players=PAIR)


def test_equal_keys_of_one_player_are_one_information_set():
    game = from_sketch(
        Decision(0, "k", {a: Decision(1, "k", dict.fromkeys("xy", END)) for a in "lr"}),
        players=PAIR,
    )
    assert [(s.player, s.number, s.label) for s in game.infosets] == [(0, 1, "k"), (1, 1, "k")]
    assert game.node_infoset.tolist() == [0, 1, 1, -1, -1, -1, -1]


def test_equal_lotteries_are_stored_once_and_different_ones_apart():
    def coin(p):
        return Chance({"h": (p, END), "t": (1 - p, END)})

    root = Decision(0, "", {"a": coin(Fraction(1, 2)), "b": coin(0.5), "c": coin(Fraction(1, 3))})
    game = from_sketch(root, players=PAIR)
    lotteries = [s.probabilities for s in game.infosets if s.player == CHANCE]
    assert lotteries == [(Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 3), Fraction(2, 3))]


def test_inner_nodes_pay_on_the_way():
    root = Decision(
        0, "", {"a": Chance({"h": (1, Terminal([1, 2]))}, payoffs=["1/2", 0])}, payoffs=[10, 20]
    )
    game = from_sketch(root, players=PAIR)
    assert game.exact_terminal_payoffs.tolist() == [[Fraction(23, 2), 22]]


def test_nothing_is_paid_where_nothing_is_said():
    game = from_sketch(Decision(0, "", {"a": Terminal([1, 2])}), players=PAIR)
    assert game.node_outcome.tolist() == [NO_OUTCOME, 0]


@given(extensive_form_games())
def test_a_tree_written_again_as_records_is_the_same_tree(game):
    assert from_sketch(written(game), players=game.players) == game


@given(st.integers(0, 6))
def test_rules_are_unfolded_and_each_position_expanded_once(depth):
    seen = []

    def expand(position):
        seen.append(position)
        if len(position) == depth:
            return Terminal([len(position)])
        return Decision(0, position, {a: (*position, a) for a in "ab"})

    game = lay_out((), expand=expand, players=("Ann",), title="Words")
    assert game.num_nodes == 2 ** (depth + 1) - 1
    assert len(seen) == len(set(seen)) == game.num_nodes
    assert sorted(seen, key=len) == seen
    assert game.title == "Words"


def test_progress_is_told_every_ten_thousand_nodes():
    told = []

    def expand(position):
        return Decision(0, position, {"on": position + 1}) if position < 25_000 else Terminal([0])

    lay_out(0, expand=expand, players=("Ann",), on_iteration=told.append)
    assert told == [10_000, 20_000]
