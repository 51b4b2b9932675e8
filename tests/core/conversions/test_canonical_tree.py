"""Canonical trees: what is contracted, what is kept, and how profiles come back."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

import gametheory_core as gt
from gametheory_core.conversions import Preserved, canonical_tree
from gametheory_core.games import CHANCE
from gametheory_core.testing import extensive_form_games
from tests.sample_sizes import examples

PLAYERS = ("Ann", "Bob")
THIRD = Fraction(1, 3)


def decision(player, infoset, *, pay=(0, 0), ends=((1, 2), (3, 4))):
    left, right = (gt.Terminal(end) for end in ends)
    return gt.Decision(player, infoset, {"left": left, "right": right}, pay)


def tree_of(root):
    return gt.from_sketch(root, players=PLAYERS)


def canonical(root):
    return canonical_tree(tree_of(root)).target


def test_sure_draws_are_contracted_and_impossible_branches_dropped():
    plain = decision(0, "now")
    sure = gt.Chance({"so": (1, gt.Chance({"be it": (1, plain)}))})
    never = gt.Chance({"so": (1, plain), "never": (0, decision(1, "never met"))})
    assert canonical(sure) == canonical(never) == canonical(plain)
    assert canonical(sure).num_nodes == 3


def test_sure_draws_below_the_root_and_at_the_end_are_contracted():
    ends = {"left": gt.Chance({"so": (1, gt.Terminal((1, 2)))}), "right": gt.Terminal((3, 4))}
    assert canonical(gt.Decision(0, "now", ends)) == canonical(decision(0, "now"))


def test_payoffs_on_the_way_move_to_the_ends():
    early = gt.Chance(
        {"a": (THIRD, decision(0, "x", pay=(5, 6))), "b": (2 * THIRD, gt.Terminal((0, 0)))}
    )
    late = gt.Chance(
        {
            "a": (THIRD, decision(0, "x", ends=((6, 8), (8, 10)))),
            "b": (2 * THIRD, gt.Terminal((0, 0))),
        }
    )
    assert canonical(early) == canonical(late)
    sure = gt.Chance({"so": (1, decision(0, "x", pay=(5, 6)))}, (1, 1))
    assert canonical(sure) == canonical(decision(0, "x", ends=((7, 9), (9, 11))))


def test_names_of_information_sets_and_draws_are_forgotten():
    def two(first, second, draws):
        children = (decision(0, first), decision(0, second))
        return gt.Chance({d: ("1/2", child) for d, child in zip(draws, children, strict=True)})

    assert canonical(two("h", "t", "ht")) == canonical(two("t", "h", "xy"))
    assert canonical(two("h", "t", "ht")) != canonical(two("h", "h", "ht"))


@examples(30)
@given(extensive_form_games())
def test_draws_are_numbered_from_one_and_nothing_is_left_to_contract(game):
    target = canonical_tree(game).target
    for infoset in target.infosets:
        if infoset.player == CHANCE:
            assert infoset.actions == tuple(map(str, range(1, len(infoset.actions) + 1)))
            assert len(infoset.actions) > 1
    assert canonical_tree(target).target == target


@pytest.mark.parametrize(
    "other",
    [
        decision(1, "now"),
        decision(0, "now", ends=((1, 2), (3, 5))),
        decision(0, "now", ends=((3, 4), (1, 2))),
        gt.Decision(0, "now", {"left": gt.Terminal((1, 2)), "north": gt.Terminal((3, 4))}),
        gt.Decision(0, "now", {"left": gt.Terminal((1, 2))}),
    ],
)
def test_movers_payoffs_and_actions_are_kept(other):
    assert canonical(other) != canonical(decision(0, "now"))


def test_actions_without_a_name_are_numbered():
    tree = gt.from_sketch(
        gt.Decision(0, "now", {"": gt.Terminal((1,)), "b": gt.Terminal((2,))}), players=("Ann",)
    )
    target = canonical_tree(tree).target
    assert target.infosets[0].actions == ("#1", "b")


def test_odds_are_kept():
    def drawn(odds):
        return gt.Chance({"a": (odds, decision(0, "x")), "b": (1 - odds, decision(1, "y"))})

    assert canonical(drawn(THIRD)) != canonical(drawn(Fraction(1, 2)))


def test_profiles_come_back_with_uniform_play_where_nobody_gets():
    never = decision(1, "never met")
    root = gt.Chance({"so": (1, decision(0, "now")), "never": (0, never)})
    conversion = canonical_tree(tree_of(root))
    back = conversion.correspondence.to_source(gt.BehavioralProfile(([THIRD, 2 * THIRD],)))
    played = [v.tolist() for v in back.probabilities]
    assert played == [[THIRD, 2 * THIRD], [Fraction(1, 2)] * 2]
    floats = gt.BehavioralProfile((np.array([0.25, 0.75]),))
    again = conversion.correspondence.to_source(floats)
    assert not again.is_exact
    assert [v.tolist() for v in again.probabilities] == [[0.25, 0.75], [0.5, 0.5]]
    paid = gt.expected_payoffs(conversion.source, back).tolist()
    assert paid == [Fraction(7, 3), Fraction(10, 3)]
    assert conversion.preserves == frozenset(Preserved)


def test_ends_come_back_as_the_ends_they_were():
    root = gt.Chance({"so": (1, decision(0, "now"))})
    conversion = canonical_tree(tree_of(root))
    ends = [
        conversion.correspondence.outcome_to_source(node).items
        for node in conversion.target.terminals.tolist()
    ]
    assert ends == [((2, 1),), ((3, 1),)]


def test_forgetful_trees_keep_payoffs_and_outcomes():
    def again(first):
        return decision(0, "again", ends=((int(first == "l"), 0), (int(first == "r"), 0)))

    tree = tree_of(gt.Decision(0, "now", {first: again(first) for first in "lr"}))
    conversion = canonical_tree(tree)
    assert Preserved.PAYOFFS_TO_TARGET in conversion.preserves
    assert Preserved.NASH not in conversion.preserves
    assert conversion.target.num_nodes == tree.num_nodes


def test_profiles_must_fit():
    conversion = canonical_tree(tree_of(decision(0, "now")))
    two = tree_of(gt.Decision(0, "a", {"l": decision(1, "b"), "r": gt.Terminal((0, 0))}))
    with pytest.raises(gt.InvalidStrategy, match="information set"):
        conversion.correspondence.to_target(gt.uniform_behavior(two))
    with pytest.raises(gt.InvalidStrategy, match="information set"):
        conversion.correspondence.to_source(gt.uniform_behavior(two))
