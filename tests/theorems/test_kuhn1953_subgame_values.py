"""Kuhn 1953: a subgame may be replaced by its value.

In a two-player zero-sum tree, let play end where a subgame starts and pay what the subgame is
worth: the value of the tree stays what it was. Optimal strategies of what is left and of the
subgame are together optimal in the whole. Checked on generated trees with chance and hidden moves,
for each of their subgames, in rationals; values come from the linear program of the whole tree.

Why it matters (zero-sum): A tree that falls into subgames costs what these cost one by one, and
alike ones cost nothing.
"""

import numpy as np
import pytest
from hypothesis import given

import gametheory_core as gt
from gametheory_core.games import subgame, subgame_roots
from gametheory_core.strategies import sequence_form
from gametheory_core.testing import PayoffKind, extensive_form_games
from solvers._programs.exact import solve_exactly
from solvers.trees.linear_program import plan_profile
from solvers.trees.sequence_program import sequence_program

TREES = extensive_form_games(max_depth=5, max_moves=12, zero_sum=True, kinds=tuple(PayoffKind))
theorem = pytest.mark.theorem(
    source="Kuhn 1953",
    statement="A subgame of a zero-sum tree may be replaced by its value, and solved apart.",
)


def solved(game):
    """Optimal strategies, and the value to the first player, by one linear program."""
    form = sequence_form(game)
    optimum = solve_exactly(sequence_program(form).exact, None)
    profile = plan_profile(form, optimum.primal, optimum.dual)
    certificate = gt.certify_minimax(game, profile)
    assert certificate.epsilon == 0
    return profile, certificate.game_value


def cut(game, root, value):
    """The tree in which play ends at a node and pays a value; whether or not that is a subgame."""
    ends = dict(zip(game.terminals.tolist(), game.exact_terminal_payoffs.tolist(), strict=True))

    def drawn(node):
        if node == root:
            return gt.Terminal([value, -value])
        if node in ends:
            return gt.Terminal(ends[node])
        infoset = game.infosets[game.node_infoset[node]]
        first = int(game.first_child[node])
        below = {a: drawn(first + k) for k, a in enumerate(infoset.actions)}
        if infoset.player == gt.games.CHANCE:
            shares = zip(below.items(), infoset.probabilities, strict=True)
            return gt.Chance({a: (p, child) for (a, child), p in shares})
        return gt.Decision(infoset.player, int(game.node_infoset[node]), below)

    return gt.from_sketch(drawn(0), players=game.players)


def paid_before(game, node):
    """What the first player has been paid on the way, before a node."""
    paid = 0
    while node > 0:
        node = int(game.parent[node])
        if game.node_outcome[node] >= 0:
            paid += game.outcomes[game.node_outcome[node]].payoffs[0]
    return paid


@theorem
@given(TREES)
def test_value_is_that_of_the_tree_with_a_subgame_replaced(game):
    _, value = solved(game)
    for root in subgame_roots(game).tolist():
        _, worth = solved(subgame(game, root).game)
        assert solved(cut(game, root, paid_before(game, root) + worth))[1] == value


@theorem
@given(TREES)
def test_optimal_strategies_of_both_parts_are_optimal_together(game):
    for root in subgame_roots(game).tolist()[1:]:
        part = subgame(game, root)
        below, worth = solved(part.game)
        rest = cut(game, root, paid_before(game, root) + worth)
        above, value = solved(rest)
        vectors = list(gt.uniform_behavior(game).probabilities)
        kept = [int(s.label) for s in rest.infosets[: rest.num_decision_infosets]]
        for infoset, vector in zip(kept, above.probabilities, strict=True):
            vectors[infoset] = vector
        own = part.infosets[: part.game.num_decision_infosets].tolist()
        for infoset, vector in zip(own, below.probabilities, strict=True):
            vectors[infoset] = vector
        whole = gt.certify_minimax(game, gt.BehavioralProfile(tuple(vectors)))
        assert (whole.lower, whole.upper) == (value, value)


def matching_pennies():
    """Bob chooses without seeing what Ann has chosen."""

    def answer(a):
        return gt.Decision(
            1, "blind", {b: gt.Terminal([1, -1] if a == b else [-1, 1]) for b in "HT"}
        )

    tree = gt.Decision(0, "start", {a: answer(a) for a in "HT"})
    return gt.from_sketch(tree, players=("Ann", "Bob"))


@theorem
def test_subtree_that_cuts_an_information_set_has_no_value_to_replace_it_by():
    """Twin: alone, Bob knows where the subtree starts, which he does not in the tree."""
    game = matching_pennies()
    after_heads = int(game.first_child[0])
    assert after_heads not in subgame_roots(game)
    worth = int(np.min(game.exact_terminal_payoffs[:2, 0]))  # Bob chooses, and knows
    assert solved(game)[1] == 0
    assert solved(cut(game, after_heads, worth))[1] == -1


@theorem
def test_any_optimal_strategies_of_the_rest_do_not_make_any_play_below_optimal():
    """Twin: play in the subgame must be optimal there; with a poor one the whole is not."""
    game = cut_before(matching_pennies())
    vectors = list(gt.uniform_behavior(game).probabilities)
    vectors[1] = gt.BehavioralProfile(([1, 0],)).probabilities[0]  # Ann always shows heads
    assert gt.certify_minimax(game, gt.uniform_behavior(game)).epsilon == 0
    assert gt.certify_minimax(game, gt.BehavioralProfile(tuple(vectors))).epsilon == 1


def cut_before(game):
    """The same after a move of Ann's that changes nothing."""

    def answer(a):
        paid = {b: gt.Terminal([1, -1] if a == b else [-1, 1]) for b in "HT"}
        return gt.Decision(1, "blind", paid)

    pennies = gt.Decision(0, "again", {a: answer(a) for a in "HT"})
    return gt.from_sketch(gt.Decision(0, "start", {"on": pennies}), players=game.players)
