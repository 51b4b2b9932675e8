"""Johanson et al. 2011: best responses over public states are those of the tree.

Where all that is hidden is one hand of each player, histories of what both see, each met by all
hands at once, have the value of the tree that is the product of histories and pairs of hands. Two
directions, in rationals and without tolerance, on generated rules with chance, deals and payoffs of
all kinds: what is certified over ranges encloses the value of the tree, and an exact solution of
the tree is one over ranges. Twins: where players see both hands, or do not see a move, the tree has
another value, which no certificate over ranges encloses.

Why it matters (counterfactual): Proofs about trees of 10^9 nodes are computed without a tree; these
are what they must agree with where there is one.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.catalog import kuhn_poker_ranges
from gametheory_core.certificates import certify_public_minimax
from gametheory_core.conversions import public_to_extensive
from gametheory_core.conversions.public_extensive import PublicTreeRules, places_in_tree
from gametheory_core.games import (
    Deal,
    Decision,
    Paid,
    PublicMove,
    lay_out_rules,
    public_layout,
    public_state_game,
)
from gametheory_core.strategies import PublicProfile
from solvers import sequence_form_lp
from solvers.counterfactual import range_counterfactual_regret
from tests.public_games import Listed, random_public_game
from tests.sample_sizes import examples

theorem = pytest.mark.theorem(
    source="Johanson, Waugh, Bowling and Zinkevich 2011",
    statement="Play over histories and ranges of hands has the value of the tree.",
)
SEEDS = st.integers(0, 10**6)


def value_of(tree):
    """Return the value of a tree, exactly."""
    solution = sequence_form_lp(tree)
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    return solution.certificate.game_value


def over_ranges(game, tree, profile):
    """Return a profile of the tree as plans; hands that are never dealt take the first action."""
    layout = public_layout(game)
    known = {
        (place.player, place.first): probabilities.tolist()
        for place, probabilities in zip(
            places_in_tree(game, tree), profile.probabilities, strict=True
        )
    }
    plans = []
    for player, moves in enumerate(layout.moves):
        plan = [Fraction(1)] * layout.num_sequences[player]
        for move, actions in enumerate(moves.actions.tolist()):
            for hand in range(game.num_hands[player]):
                first = int(moves.base[move]) + hand * actions
                parent = int(moves.start[move] + hand * moves.stride[move])
                shares = known.get((player, first), [1] + [0] * (actions - 1))
                plan[first : first + actions] = [plan[parent] * share for share in shares]
        whole = lcm(*(part.denominator for part in plan))
        plans.append(np.array([int(part * whole) for part in plan], dtype=object))
    return PublicProfile(tuple(plans))


@theorem
@examples(25)
@given(seed=SEEDS)
def test_what_is_certified_over_ranges_encloses_the_value_of_the_tree(seed):
    game = random_public_game(seed)
    found = range_counterfactual_regret(game, steps=30).certificate
    found.verify()
    value = value_of(public_to_extensive(game))
    assert found.lower <= value <= found.upper
    assert abs(found.game_value - value) <= found.epsilon / 2


@theorem
@examples(25)
@given(seed=SEEDS)
def test_a_solution_of_the_tree_is_one_over_ranges(seed):
    game = random_public_game(seed)
    tree = public_to_extensive(game)
    solution = sequence_form_lp(tree)
    found = certify_public_minimax(game, over_ranges(game, tree, solution.profile))
    found.verify()
    assert found.epsilon == solution.certificate.epsilon == 0
    assert found.game_value == solution.certificate.game_value


@dataclass(frozen=True)
class Open:
    """The tree of a game in which both players see both hands."""

    hidden: PublicTreeRules

    def __getattr__(self, name):
        return getattr(self.hidden, name)

    def expand(self, position):
        node = self.hidden.expand(position)
        _, first, second, _ = position
        if isinstance(node, Decision):
            return replace(node, infoset=f"{first} {second} {node.infoset}")
        return node


@theorem
def test_hands_that_both_see_have_another_value():
    """Twin: hands are hidden from the other player."""
    game = kuhn_poker_ranges(cards=3)
    found = range_counterfactual_regret(game, tolerance=1e-3).certificate
    assert found.lower <= value_of(lay_out_rules(PublicTreeRules(game))) <= found.upper
    assert not found.lower <= value_of(lay_out_rules(Open(PublicTreeRules(game)))) <= found.upper


@dataclass(frozen=True)
class Unseen:
    """The tree of a game in which players do not see each other's moves."""

    seen: PublicTreeRules

    def __getattr__(self, name):
        return getattr(self.seen, name)

    def expand(self, position):
        node = self.seen.expand(position)
        if isinstance(node, Decision):
            return replace(node, infoset="")
        return node


@theorem
def test_moves_that_are_not_seen_have_another_value():
    """Twin: moves are seen by both. Matching pennies is lost if the other sees the coin."""
    nodes = {(): PublicMove(0, {"heads": (0,), "tails": (1,)})}
    for coin in (0, 1):
        nodes[coin,] = PublicMove(1, {"heads": (coin, 0), "tails": (coin, 1)})
        nodes |= {(coin, guess): Paid(-1 if coin == guess else 1) for guess in (0, 1)}
    game = public_state_game(Listed(Deal([[1]], [[1]]), nodes, (("a",), ("b",))))
    found = range_counterfactual_regret(game, tolerance=1e-3).certificate
    assert found.lower <= value_of(lay_out_rules(PublicTreeRules(game))) == -1 <= found.upper
    assert value_of(lay_out_rules(Unseen(PublicTreeRules(game)))) == 0 > found.upper
