"""Trees of public-state games are the catalog's, and information sets are found in them."""

import pytest

from gametheory_core import InvalidGame, load_game
from gametheory_core.catalog import (
    LeducRules,
    Suits,
    kuhn_poker_ranges,
    leduc_poker_by_ranks_ranges,
    leduc_poker_ranges,
    liars_dice_ranges,
)
from gametheory_core.conversions.public_extensive import (
    places_in_tree,
    plans_to_profile,
    public_to_extensive,
)
from gametheory_core.evaluation import expected_payoffs
from gametheory_core.games import CHANCE, lay_out_rules
from gametheory_core.strategies import BehavioralProfile, PublicProfile
from tests.public_games import random_plans


def histories(tree):
    """Return the information set and label of each decision node by the labels that lead there.

    Hands are two labels, whether they are dealt one by one, as "a | b", or as two letters.
    """
    found, stack = {}, [(0, ())]
    while stack:
        node, seen = stack.pop()
        first, count = int(tree.first_child[node]), int(tree.num_children[node])
        infoset = int(tree.node_infoset[node]) if count else -1
        if infoset >= 0 and tree.node_player[node] != CHANCE:
            found[seen] = infoset
        for k in range(count):
            label = tree.infosets[infoset].actions[k]
            hands = label.split(" | ") if "|" in label else (label,)
            if not seen and len(label) == 2 and label[1].isupper():  # of two letters, each a card
                hands = label
            stack.append((first + k, (*seen, *hands)))
    return found


@pytest.mark.parametrize(
    ("game", "tree"),
    [
        (kuhn_poker_ranges(cards=4), lambda: load_game("kuhn_poker:cards=4")),
        (leduc_poker_ranges(), lambda: load_game("leduc_poker")),
        (
            leduc_poker_by_ranks_ranges(suits=3, raises=1),
            lambda: lay_out_rules(LeducRules(3, 3, 1, Suits.HIDDEN)),
        ),
        (liars_dice_ranges(sides=4), lambda: load_game("liars_dice")),
    ],
    ids=["kuhn", "leduc", "leduc by ranks", "dice"],
)
def test_strategies_pay_the_same_in_the_catalog_s_trees(game, tree):
    """Information sets correspond by what was seen on the way there."""
    ours, theirs = public_to_extensive(game), tree()
    plans = random_plans(game, 5)
    profile = plans_to_profile(game, ours, plans)
    here, there = histories(ours), histories(theirs)
    assert here.keys() == there.keys()
    vectors = [None] * theirs.num_decision_infosets
    for seen, infoset in there.items():
        vector = profile.probabilities[here[seen]]
        assert theirs.infosets[infoset].actions == ours.infosets[here[seen]].actions
        known = vectors[infoset]
        assert known is None or known is vector  # one information set of theirs is one of ours
        vectors[infoset] = vector
    other = BehavioralProfile(tuple(vectors))
    assert list(expected_payoffs(ours, profile)) == list(expected_payoffs(theirs, other))


def test_information_sets_of_other_trees_are_not_found():
    game = kuhn_poker_ranges(cards=3)
    with pytest.raises(InvalidGame, match="an information set 'T'"):
        places_in_tree(game, load_game("kuhn_poker:cards=4"))


def test_hands_that_never_come_play_evenly():
    game = kuhn_poker_ranges(cards=3)
    plans = [plan.copy() for plan in random_plans(game, 1).plans]
    plans[0][1:3] = plans[0][0], 0  # the jack always checks
    plans[0][7:9] = 0
    plans[0][7] = plans[0][1]
    tree = public_to_extensive(game)
    places = places_in_tree(game, tree)
    profile = plans_to_profile(game, tree, PublicProfile(tuple(plans)))
    for place, own in zip(places, profile.probabilities, strict=True):
        if not plans[place.player][place.parent]:
            assert [str(share) for share in own] == ["1/2", "1/2"]
