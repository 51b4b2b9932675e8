"""Ways out that refusals name: each is tried on the game that was refused, and takes it."""

import re

import pytest

import solvers
from gametheory_core import (
    expected_payoffs,
    extensive_to_normal,
    load_game,
    one_shot_deviations,
    uniform_behavior,
)
from gametheory_core.catalog.poker import KuhnRules
from gametheory_core.errors import InvalidArgument, NotConverged, UnsupportedGame
from gametheory_core.games.tree_draft import Decision, Terminal, from_sketch
from gametheory_core.games.tree_layout import lay_out_rules
from solvers.solution import Budget

SOON = Budget(seconds=0.2)
CATALOG = (
    "absent_minded_driver",
    "forgetful_bit",
    "beer_quiche",
    "selten_horse",
    "centipede:rounds=4",
    "kuhn_poker:cards=4,players=3",
    "one_card_poker",
    "school_signalling",
)
TREE_SOLVERS = (
    solvers.backward_induction,
    solvers.counterfactual_regret,
    solvers.extensive_correlated_commitment,
    solvers.extensive_form_coarse_correlated_equilibrium,
    solvers.extensive_form_correlated_equilibrium,
    solvers.extensive_stackelberg,
    solvers.perfect_information_commitment,
    solvers.quasi_perfect,
    solvers.sequence_form_lcp,
    solvers.sequence_form_lp,
    solvers.sequential_equilibrium,
    solvers.subgame_perfect,
)


def normal(tree):
    return extensive_to_normal(tree).target


WAYS = {
    "subgame_perfect": lambda tree: solvers.subgame_perfect(tree, budget=SOON),
    "sequence_form_lcp": lambda tree: solvers.sequence_form_lcp(tree, budget=SOON),
    "counterfactual_regret": lambda tree: solvers.counterfactual_regret(tree, steps=2, budget=SOON),
    "logit_homotopy": lambda tree: solvers.logit_homotopy(normal(tree), budget=SOON),
    "coarse_correlated_equilibrium": lambda tree: solvers.coarse_correlated_equilibrium(
        normal(tree), budget=SOON
    ),
    "correlated_equilibrium": lambda tree: solvers.correlated_equilibrium(
        normal(tree), budget=SOON
    ),
    "pure_followers_stackelberg": lambda tree: solvers.pure_followers_stackelberg(
        normal(tree), budget=SOON
    ),
    "correlated_commitment": lambda tree: solvers.correlated_commitment(normal(tree), budget=SOON),
    "extensive_stackelberg": lambda tree: solvers.extensive_stackelberg(tree, budget=SOON),
    "extensive_to_normal": normal,
    "expected_payoffs": lambda tree: expected_payoffs(tree, uniform_behavior(tree)),
    "one_shot_deviations": lambda tree: one_shot_deviations(tree, uniform_behavior(tree)),
}


def forgetful_pair(depth):
    """Two players who forget more and more bits: plans soon are far too many."""

    def below(past):
        if len(past) == depth:
            return Terminal([sum(past), 0])
        player = len(past) % 2
        seen = (player, *past[1:]) if len(past) > 1 else (player, *past)
        return Decision(player, seen, {str(a): below((*past, a)) for a in range(2)})

    return from_sketch(below(()), players=("Ann", "Bob"))


def trees():
    games = {name: load_game(name) for name in CATALOG}
    games["forgetful pair"] = forgetful_pair(9)
    return games


TREES = trees()


@pytest.mark.parametrize("solver", TREE_SOLVERS, ids=lambda solver: solver.__name__)
@pytest.mark.parametrize("name", TREES)
def test_ways_out_of_trees_take_them(solver, name):
    tree = TREES[name]
    try:
        solver(tree, budget=SOON)
    except NotConverged:
        return
    except UnsupportedGame as error:
        _, _, message = str(error).rpartition(" but ")
    else:
        return
    named = [way for way in WAYS if re.search(rf"\b{way}\b", message)]
    assert named or message.endswith("Solve a smaller tree."), message
    for way in named:
        try:
            WAYS[way](tree)
        except NotConverged:
            continue


def test_forgetful_trees_are_told_apart():
    with pytest.raises(UnsupportedGame, match=r"Solve extensive_to_normal\(game\).target instead"):
        solvers.backward_induction(TREES["forgetful_bit"])
    with pytest.raises(UnsupportedGame, match="No solver takes players who forget that they have"):
        solvers.sequence_form_lcp(TREES["absent_minded_driver"])
    with pytest.raises(UnsupportedGame, match="No solver takes so large a tree with players who"):
        solvers.subgame_perfect(TREES["forgetful pair"])


@pytest.mark.parametrize("solver", [solvers.quasi_perfect, solvers.sequential_equilibrium])
def test_refinements_do_not_send_trees_to_normal_forms(solver):
    for name in ("selten_horse", "beer_quiche"):
        with pytest.raises(UnsupportedGame, match="Try subgame_perfect"):
            solver(TREES[name])


def test_rules_of_trees_are_to_be_laid_out():
    rules = KuhnRules()
    for solver in TREE_SOLVERS:
        with pytest.raises(UnsupportedGame, match=r"rules of a tree, .* Use lay_out_rules\(rules"):
            solver(rules)
    with pytest.raises(UnsupportedGame, match=r"Use lay_out_rules\(rules\), and then extensive_to"):
        solvers.lemke_howson(rules)
    with pytest.raises(UnsupportedGame, match=r"Lay it out with lay_out_rules\(rules\)"):
        solvers.solve(rules, "nash")
    assert solvers.solve(lay_out_rules(rules), "nash").solutions


def test_articles_fit_the_names():
    with pytest.raises(InvalidArgument, match="needs an ExtensiveFormGame, but got 'kuhn'"):
        solvers.sequence_form_lp("kuhn")
    with pytest.raises(InvalidArgument, match="needs a NormalFormGame, but got 'kuhn'"):
        solvers.lemke_howson("kuhn")
