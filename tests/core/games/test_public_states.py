"""Public-state games: counts are those of trees, and what is no game is refused with its place."""

import pickle
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, InvalidGame, UnsupportedGame
from gametheory_core.catalog import (
    KuhnRules,
    LeducRules,
    LiarsDiceRules,
    Suits,
    kuhn_poker_ranges,
    leduc_poker_by_ranks_ranges,
    leduc_poker_ranges,
    liars_dice_ranges,
)
from gametheory_core.conversions.public_extensive import public_to_extensive
from gametheory_core.games import (
    Deal,
    Paid,
    PayoffTable,
    PublicDraw,
    PublicMove,
    PublicStateGame,
    Showdown,
    count_nodes,
    public_history,
    public_layout,
    public_state_game,
)
from gametheory_core.games.public_states import Situation
from gametheory_core.memory import memory_limit
from gametheory_core.strategies import sequence_form
from tests.public_games import random_public_game
from tests.sample_sizes import examples

ONCE = np.ones((1, 2), dtype=int)
TWO = (("x", "y"), ("x", "y"))


@dataclass(frozen=True)
class OneMove:
    """Player 0 moves once, and what follows is as told."""

    nodes: dict = field(hash=False)
    deal: Deal = field(default_factory=lambda: Deal(ONCE, ONCE))
    root: str = "start"
    title: str = "one move"
    players: tuple[str, str] = ("A", "B")
    hands: tuple = TWO

    def expand(self, position):
        return self.nodes[position]


def game_with(end, **fields):
    nodes = {"start": PublicMove(0, {"go": "end"}), "end": end}
    return public_state_game(OneMove(nodes, **fields))


# Counts


@examples(30)
@given(seed=st.integers(0, 10**6))
def test_nodes_and_sequences_are_counted_as_the_tree_has_them(seed):
    game = random_public_game(seed)
    tree = public_to_extensive(game)
    assert game.num_nodes == tree.num_nodes
    layout = public_layout(game)
    assert len(layout.situation) == game.num_histories
    assert layout.num_sequences == game.num_sequences
    forms = [own.num_sequences for own in sequence_form(tree).players]
    assert all(own >= form for own, form in zip(game.num_sequences, forms, strict=True))


@pytest.mark.parametrize(
    ("game", "rules", "first_cards"),
    [
        (kuhn_poker_ranges(cards=5), KuhnRules(cards=5), 0),  # one chance move there too
        (leduc_poker_ranges(), LeducRules(), 6),
        (leduc_poker_ranges(ranks=5, suits=4), LeducRules(5, 4), 20),
        (leduc_poker_by_ranks_ranges(), LeducRules(shown=Suits.HIDDEN), 3),
        (leduc_poker_ranges(ranks=60), LeducRules(60), 120),
        (liars_dice_ranges(sides=10), LiarsDiceRules(10), 10),
    ],
)
def test_named_games_have_the_nodes_of_the_catalog_s_trees(game, rules, first_cards):
    """Those trees deal hand after hand, and so have a node for each first hand besides."""
    if isinstance(rules, LeducRules) and rules.ranks == 60:
        preflop, later = 9, 5 * 15  # histories before the public card (with ends), and after
        pairs = 120 * 119
        assert game.num_nodes == 1 + pairs * (preflop + 5 + 1) + pairs * 118 * later
    else:
        assert game.num_nodes + first_cards == count_nodes(rules).nodes


def test_possible_pairs_are_counted_as_the_table_has_them():
    for first, second, same in [
        ([[0, 2, 1]], [[3, 0, 1]], [0, 0, -1]),
        ([[0, 2, 1]], [[3, 0, 1]], [4, 1, 0]),
        ([[1, 0, 1], [0, 1, 0]], [[1, 1, 0], [0, 1, 1]], []),
        ([[1, 1, 1]], [[1, 1, 1]], [-1, -1, -1]),
        ([[2, -1, 0], [1, 1, 1]], [[0, 1, 1], [3, 1, 1]], [0, 1, 2]),
    ]:
        deal = Deal(np.array(first), np.array(second), np.array(same, dtype=int))
        table = deal.rows(0, 3)
        assert deal.num_pairs == np.count_nonzero(table)
        assert deal.total == table.sum()
        assert deal.least() == min(table.min(), deal.least())
        assert (deal.least() < 0) == (table.min() < 0)


def test_histories_are_found_by_labels():
    game = kuhn_poker_ranges(cards=3)
    layout = public_layout(game)
    numbers = {public_history(game, layout, seen) for seen in [(), ("check",), ("check", "bet")]}
    assert len(numbers) == 3
    with pytest.raises(InvalidArgument, match="a label of 'fold', 'call' after"):
        public_history(game, layout, ("bet", "raise"))
    with pytest.raises(InvalidArgument, match="play has ended"):
        public_history(game, layout, ("bet", "fold", "call"))


def test_what_memory_cannot_hold_is_refused_with_its_size():
    game = liars_dice_ranges(sides=10)
    with (
        memory_limit(2**20),
        pytest.raises(UnsupportedGame, match=r"240 MiB .*the 2,097,151 histories"),
    ):
        public_layout(game)


def test_content_is_what_a_game_is():
    game = leduc_poker_ranges(ranks=2, suits=2)
    assert game == leduc_poker_ranges(ranks=2, suits=2) == pickle.loads(pickle.dumps(game))
    assert hash(game) == hash(leduc_poker_ranges(ranks=2, suits=2))
    assert game != leduc_poker_ranges(ranks=2, suits=2, raises=1)
    one, other = (game_with(Paid(paid)) for paid in (1, 2))
    assert one.digest != other.digest
    assert repr(one) == "PublicStateGame('one move', 9 nodes)"


# Refusals


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Deal(ONCE * 0.5, ONCE), "integers in 2 axes as first"),
        (lambda: Deal(ONCE[0], ONCE), "integers in 2 axes as first"),
        (lambda: Deal(ONCE, np.ones((2, 2), dtype=int)), "as many terms"),
        (lambda: Deal(ONCE, ONCE, ONCE[0, :1]), "one entry a hand or none"),
        (lambda: Deal(ONCE * 2**40, ONCE * 2**40), "below 2..62"),
        (lambda: game_with(Paid(1), deal=Deal(ONCE, ONCE, -2 * ONCE[0])), "none negative"),
        (lambda: game_with(Paid(1), deal=Deal(0 * ONCE, ONCE)), "not all zero"),
        (lambda: game_with(Paid(1), hands=(("x",), ("y",))), r"over \(1, 1\) hands"),
        (lambda: game_with(Paid(1), hands=(("x", "x"), ("y", "z"))), "different hand labels"),
        (lambda: game_with(Paid(1), hands=(("", ""), ("y", "z"))), "hands that have names"),
        (
            lambda: public_state_game(OneMove({"start": PublicMove(0, {"": "e"}), "e": Paid(1)})),
            "a name for each",
        ),
        (lambda: game_with(Paid("much")), "situation 1"),
        (lambda: game_with(Showdown(((1,), (1, 2)), 1, 0, -1)), r"strengths of \(2, 2\)"),
        (lambda: game_with(PayoffTable(((1, 2),))), r"a table of \(2, 2\)"),
        (lambda: game_with(PublicMove(0, {})), "later situations as children"),
        (lambda: game_with(PublicMove(2, {"on": "end"})), "play that ends"),
        (lambda: game_with(PublicMove(1, {"back": "start"})), "play that ends"),
        (lambda: game_with(3), "PublicMove, PublicDraw, Paid, Showdown or PayoffTable"),
        (lambda: kuhn_poker_ranges(cards=1), "cards"),
        (lambda: leduc_poker_ranges(ranks=1), "ranks"),
        (lambda: liars_dice_ranges(sides=0), "sides"),
        (lambda: liars_dice_ranges(sides=100, dice=20), r"1,000,000 hands .* over 2\^74"),
    ],
)
def test_what_is_no_game_is_refused(make, words):
    with pytest.raises((InvalidGame, InvalidArgument), match=words):
        make()


@pytest.mark.parametrize("share", [1, 3])
def test_chance_that_loses_or_makes_weight_is_refused(share):
    whole, part = Deal(4 * ONCE, ONCE), Deal(share * ONCE, ONCE)
    draw = PublicDraw({"heads": (part, "end"), "tails": (part, "end")})
    rules = OneMove({"start": draw, "end": Paid(1)}, deal=whole)
    with pytest.raises(InvalidGame, match="sum to the deal before"):
        public_state_game(rules)


def test_equal_positions_after_other_deals_are_other_situations():
    parts = [Deal(share * ONCE, ONCE) for share in (1, 3)]
    draw = PublicDraw({"a": (parts[0], "end"), "b": (parts[1], "end")})
    game = public_state_game(OneMove({"start": draw, "end": Paid(1)}, deal=Deal(4 * ONCE, ONCE)))
    assert [one.deal for one in game.situations] != [0, 0, 0]
    assert len(game.situations) == 3


@pytest.mark.parametrize("mover", [0, 1])
def test_a_player_s_move_keeps_the_deal(mover):
    deals = (Deal(2 * ONCE, ONCE), Deal(ONCE, ONCE))
    situations = (Situation(mover, 0, ("go",), (1,)), Situation(-2, 1, end=Paid(1)))
    with pytest.raises(InvalidGame, match="the deal to stay"):
        PublicStateGame(("A", "B"), TWO, deals, situations)
