"""Rules, POSG and tree of one OpenSpiel game are one game: every route leads to the same tree."""

import pytest

import gametheory_core as gt
from gametheory_core.conversions import canonical_tree

pytestmark = pytest.mark.peer
pytest.importorskip("pyspiel")

AT_ONCE = [
    "matrix_rps",
    "goofspiel(num_cards=3,imp_info=True,points_order=descending)",
    "goofspiel(num_cards=3,imp_info=True,points_order=random)",
    "oshi_zumo(coins=2,size=1,horizon=3)",
    "repeated_game(stage_game=matrix_pd(),num_repetitions=2)",
]
BY_RULES = [  # in turn, or chance moves several times in a row, which is one step of a POSG
    "coop_box_pushing(horizon=1)",
    "kuhn_poker",
    "hanabi(players=2,colors=1,ranks=2,hand_size=1,max_information_tokens=1,max_life_tokens=1)",
    "tiny_hanabi",
    "liars_dice(numdice=1,dice_sides=3)",
]
LONGEST = 8  # steps, more than any of these games takes


def canonical(game):
    return canonical_tree(game).target


@pytest.mark.parametrize("name", [*AT_ONCE, *BY_RULES])
def test_rules_unroll_to_the_tree(name):
    from gametheory_core.adapters import open_spiel_rules, open_spiel_tree

    unrolled = gt.aec_to_extensive(open_spiel_rules(name)).target
    assert canonical(unrolled) == canonical(open_spiel_tree(name))


@pytest.mark.parametrize("name", AT_ONCE)
def test_posg_unrolls_to_the_tree(name):
    from gametheory_core.adapters import open_spiel_posg, open_spiel_tree

    unrolled = gt.posg_to_extensive(open_spiel_posg(name), horizon=LONGEST).target
    assert canonical(unrolled) == canonical(open_spiel_tree(name))


@pytest.mark.parametrize("name", [*BY_RULES, *AT_ONCE])
def test_returns_of_rules_are_payoffs_of_the_tree_exactly(name):
    from gametheory_core.adapters import open_spiel_rules, open_spiel_tree

    rules, tree = open_spiel_rules(name), open_spiel_tree(name)
    returns = gt.expected_returns(rules, gt.uniform_policies(rules))
    assert list(returns) == gt.expected_payoffs(tree, gt.uniform_behavior(tree)).tolist()
