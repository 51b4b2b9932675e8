"""Signaling forms: who sends, what each signal is, and what is no signaling game."""

import pytest

import gametheory_core as gt
from gametheory_core.catalog import load
from gametheory_core.strategies import is_signaling, signaling_form

ENDS = {"l": gt.Terminal([0, 0]), "r": gt.Terminal([1, 1])}


def tree_of(root):
    return gt.from_sketch(root, players=("Ann", "Bob"))


def test_the_second_player_may_send():
    tree = tree_of(gt.Decision(1, "first", {"a": gt.Decision(0, "second", ENDS), **ENDS}))
    form = signaling_form(tree)
    assert (form.sender, form.receiver, form.signals) == (1, 0, ((1,),))


def test_choices_at_once_share_a_signal():
    tree = tree_of(gt.Decision(0, "Ann", dict.fromkeys("abc", gt.Decision(1, "Bob", ENDS))))
    assert signaling_form(tree).signals == ((1, 2, 3),)


NOISE = gt.Chance(
    {"n": ("1/2", gt.Decision(1, "noise", ENDS)), "s": ("1/2", gt.Decision(1, "sound", ENDS))}
)


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (load("selten_horse"), "has 3 players"),
        (load("forgetful_bit"), "."),
        (load("kuhn_poker"), "moves twice in a play"),
        (tree_of(gt.Decision(0, "Ann", ENDS)), "player 'Bob' never moves"),
        (
            tree_of(
                gt.Chance(
                    {
                        "a": ("1/2", gt.Decision(0, "A", ENDS)),
                        "b": ("1/2", gt.Decision(1, "B", ENDS)),
                    }
                )
            ),
            "at information set 'B' .*player 'Ann' has not moved",
        ),
        (tree_of(gt.Decision(0, "Ann", {"a": NOISE, "b": ENDS["l"]})), "leads to .* and to"),
    ],
)
def test_what_is_no_signaling_game_is_refused_with_the_reason(tree, message):
    assert not is_signaling(tree)
    with pytest.raises(gt.UnsupportedGame, match=f"a signaling game.*{message}"):
        signaling_form(tree)
