"""Games of pygambit come in, and go out again, without loss."""

from fractions import Fraction

import pytest
from hypothesis import given, settings

from gametheory_core import load_game
from gametheory_core.catalog import KuhnRules
from gametheory_core.errors import GameTheoryError, InvalidArgument
from gametheory_core.formats import from_gambit, to_gambit
from gametheory_core.formats.gambit_text import DuplicateLabels
from gametheory_core.testing import extensive_form_games, normal_form_games
from tests.oracles.test_gambit_files import our_nodes

pygambit = pytest.importorskip("pygambit")
pytestmark = pytest.mark.peer


@given(game=extensive_form_games())
@settings(max_examples=30)
def test_trees_come_back_as_they_went(game):
    back = from_gambit(to_gambit(game))
    assert (back.players, back.title) == (game.players, game.title)
    assert our_nodes(back) == our_nodes(game)  # Gambit numbers information sets depth first


@given(game=normal_form_games())
@settings(max_examples=30)
def test_normal_forms_come_back_as_they_went(game):
    back = from_gambit(to_gambit(game))
    assert back.actions == game.actions
    assert (back.exact_payoffs == game.exact_payoffs).all()


def test_a_tree_made_in_gambit_is_read():
    peer = pygambit.Game.new_tree(players=["A", "B"], title="entry")
    peer.append_move(peer.root, "A", ["out", "in"])
    for child, payoffs in zip(peer.root.children, ([0, 2], ["1/3", 1]), strict=True):
        outcome = peer.add_outcome(f"pays {payoffs}", [pygambit.Rational(own) for own in payoffs])
        peer.set_outcome(child, outcome)
    game = from_gambit(peer)
    assert game.title == "entry"
    assert game.exact_terminal_payoffs.tolist() == [[0, 2], [Fraction(1, 3), 1]]


@pytest.mark.filterwarnings("ignore:In a future version:FutureWarning")
def test_labels_that_repeat_are_refused_or_told_apart():
    peer = pygambit.Game.new_tree(players=["A"], title="twice")
    peer.append_move(peer.root, "A", ["x", "x"])
    with pytest.raises(GameTheoryError, match="'x'"):
        from_gambit(peer)
    game = from_gambit(peer, duplicates=DuplicateLabels.RENAME)
    assert len(set(game.infosets[0].actions)) == 2


@pytest.mark.parametrize("wrong", [None, 3, "game.efg", load_game("kuhn_poker")])
def test_what_is_no_game_of_gambit_is_refused(wrong):
    with pytest.raises(InvalidArgument, match=r"from_gambit: needs a pygambit.Game"):
        from_gambit(wrong)


@pytest.mark.parametrize("wrong", [None, "kuhn_poker", KuhnRules()])
def test_what_is_neither_tree_nor_matrix_does_not_go_out(wrong):
    with pytest.raises(InvalidArgument, match="an extensive-form or a normal-form game"):
        to_gambit(wrong)
