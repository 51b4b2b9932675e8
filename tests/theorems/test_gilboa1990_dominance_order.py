"""Gilboa, Kalai and Zemel 1990: the order of eliminating strictly dominated actions is irrelevant.

Checked on random games of up to three players: whichever dominated actions go first, one or several
at a time, the same actions are left in the end as when all go at once, whether mixtures dominate or
pure strategies only. In rationals, so without tolerance.

Why it matters (dominance): Reduction by strict dominance has one result, so that solvers may reduce
first, in any order, without changing the answer.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame
from gametheory_core.certificates import Dominance, DominatedBy
from gametheory_core.conversions import restrict_actions
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import iterated_dominance
from solvers.dominance import is_strictly_dominated, is_weakly_dominated

theorem = pytest.mark.theorem(
    source="Gilboa, Kalai and Zemel 1990",
    statement="What iterated strict dominance leaves does not depend on the order.",
)

JUDGES = {Dominance.STRICT: is_strictly_dominated, Dominance.WEAK: is_weakly_dominated}


def reduced_in_random_order(game, dominance, dominated_by, rng):
    """Let some of the dominated actions go, at least one, until there are none."""
    left = [list(range(count)) for count in game.num_actions]
    while True:
        smaller = restrict_actions(game, left).target
        dominated = [
            (player, own[row])
            for player, own in enumerate(left)
            for row in range(len(own))
            if JUDGES[dominance](smaller, player=player, action=row, dominated_by=dominated_by)
        ]
        if not dominated:
            return tuple(map(tuple, left))
        chosen = rng.permutation(len(dominated))[: rng.integers(1, len(dominated) + 1)]
        for player, action in (dominated[k] for k in chosen):
            left[player].remove(action)


@theorem
@pytest.mark.parametrize("dominated_by", list(DominatedBy))
@given(
    normal_form_games(
        num_players=(2, 3), max_actions=4, kinds=(PayoffKind.GENERIC, PayoffKind.RATIONAL)
    ),
    st.integers(0, 2**32 - 1),
)
def test_strict_elimination_leaves_the_same_in_every_order(dominated_by, game, seed):
    expected = iterated_dominance(game, dominated_by=dominated_by)
    expected.certificate.verify()
    for rng in np.random.default_rng(seed).spawn(3):
        found = reduced_in_random_order(game, Dominance.STRICT, dominated_by, rng)
        assert found == expected.survivors


# Middle weakly dominates top and bottom. Without top, right is weakly better; without bottom, left.
ORDER_MATTERS = NormalFormGame.bimatrix([[1, 0], [1, 2], [0, 2]], [[1, 0], [1, 1], [0, 1]])


@theorem
def test_weak_twin_leaves_what_the_order_decides():
    found = {
        reduced_in_random_order(
            ORDER_MATTERS, Dominance.WEAK, DominatedBy.PURE, np.random.default_rng(seed)
        )
        for seed in range(30)
    }
    left, right = ((1,), (0,)), ((1,), (1,))
    assert {own for own in found if own in (left, right)} == {left, right}
    assert len(found) > 2  # all at once, both columns stay


@theorem
def test_weak_twin_changes_the_payoffs():
    """Both orders solve the game, with different payoffs."""
    ends = set()
    for first in ((1, 2), (0, 1)):  # without top, or without bottom
        smaller = restrict_actions(ORDER_MATTERS, [first, (0, 1)]).target
        reduction = iterated_dominance(smaller, dominance=Dominance.WEAK)
        assert len(reduction.survivors[1]) == 1
        ends.add(tuple(reduction.reduced.exact_payoffs.reshape(2, -1)[:, 0].tolist()))
    assert ends == {(1, 1), (2, 1)}
