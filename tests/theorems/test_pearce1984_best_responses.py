"""Pearce 1984, lemmas 3 and 4: dominated actions are those that are no best responses.

An action is strictly dominated by a mixed strategy exactly if it is a best response to no belief,
correlated if there are several others; weakly, exactly if to none that excludes nothing. With two
players there is nothing to correlate, and what iterated strict dominance leaves are the
rationalizable actions. Checked on random games, in rationals; best responses are read off the
vertices of polytopes, dominance is decided by linear programs.

Why it matters (dominance): Being dominated can be proved by a mixture, and not being dominated by a
belief: the two halves of a dominance certificate.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import MixedProfile, NormalFormGame
from gametheory_core.certificates import Dominance, DominatedBy
from gametheory_core.evaluation import action_payoffs
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import iterated_dominance
from solvers.dominance import is_strictly_dominated, is_weakly_dominated
from tests.sample_sizes import many
from tests.solvers.dominance.reply_regions import matrix_of, reduced_by_hand, undominated

rationalizable = pytest.mark.theorem(
    source="Pearce 1984",
    statement="With two players, iterated strict dominance leaves the rationalizable actions.",
)
full_support = pytest.mark.theorem(
    source="Pearce 1984, lemma 4",
    statement="An action is weakly undominated if and only if some belief that excludes nothing "
    "makes it a best response.",
)

KINDS = (PayoffKind.GENERIC, PayoffKind.DEGENERATE, PayoffKind.RATIONAL)


@rationalizable
@given(normal_form_games(num_players=(2, 2), max_actions=5, kinds=KINDS))
def test_survivors_are_the_actions_that_stay_best_responses(game):
    assert iterated_dominance(game).survivors == reduced_by_hand(game, weakly=False)


# All three get the same; the third player chooses the matrix (Osborne and Rubinstein 1994, 4.1).
MATRICES = [[[8, 0], [0, 0]], [[4, 0], [0, 4]], [[0, 0], [0, 8]], [[3, 3], [3, 3]]]
COMMON = np.moveaxis(np.array(MATRICES), 0, -1)
THREE_PLAYERS = NormalFormGame.from_payoffs(np.stack([COMMON] * 3))


@rationalizable
@many
@given(st.fractions(0, 1, max_denominator=50), st.fractions(0, 1, max_denominator=50))
def test_three_player_twin_survives_by_a_correlated_belief_only(p, q):
    """The second matrix is best if the others surely match, whatever they play on their own.

    Independent beliefs that make it as good as the first and the third make it worth 2 at most.
    """
    sides = [np.array([x, 1 - x], dtype=object) for x in (p, q)]
    idle = np.array([Fraction(1, 4)] * 4, dtype=object)
    values = action_payoffs(THREE_PLAYERS, MixedProfile((*sides, idle)), player=2)
    assert values[1] < max(values)
    verdict = is_strictly_dominated(THREE_PLAYERS, player=2, action=1)
    assert not verdict
    (survival,) = verdict.certificate.survivals
    assert set(survival.joint_actions) == {(0, 0), (1, 1)}
    assert 1 in iterated_dominance(THREE_PLAYERS).survivors[2]


@rationalizable
def test_pure_twin_leaves_an_action_that_is_never_best():
    """Where only pure strategies may dominate, more is left than is rationalizable."""
    game = NormalFormGame.bimatrix([[4, 0], [0, 4], [1, 1]], [[0, 0], [0, 0], [0, 0]])
    assert iterated_dominance(game, dominated_by=DominatedBy.PURE).survivors == ((0, 1, 2), (0, 1))
    assert reduced_by_hand(game, weakly=False) == ((0, 1), (0, 1))


@full_support
@given(normal_form_games(num_players=(1, 3), max_actions=4, kinds=KINDS))
def test_weakly_undominated_actions_are_best_responses_to_full_beliefs(game):
    left = tuple(tuple(range(count)) for count in game.num_actions)
    for player, count in enumerate(game.num_actions):
        stay = undominated(matrix_of(game, left, player), weakly=True)
        for action in range(count):
            verdict = is_weakly_dominated(game, player=player, action=action)
            assert bool(verdict) == (action not in stay)


@full_support
def test_narrow_belief_twin_makes_a_weakly_dominated_action_best():
    game = NormalFormGame.bimatrix([[1, 1], [1, 0]], [[0, 0], [0, 0]])
    profile = MixedProfile(tuple(np.array([Fraction(1), Fraction(0)]) for _ in range(2)))
    first, second = action_payoffs(game, profile, player=0)
    assert first == second
    assert is_weakly_dominated(game, player=0, action=1)
    reduction = iterated_dominance(game, dominance=Dominance.WEAK)
    assert reduction.survivors == ((0,), (0, 1))
