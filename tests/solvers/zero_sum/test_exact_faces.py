"""Exact faces: what extreme equilibria span, and the most entropic points in them."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from gametheory_core import NormalFormGame
from gametheory_core.certificates.max_entropy import certify_max_entropy
from gametheory_core.strategies.mixed import MixedProfile
from gametheory_core.testing import PayoffKind, zero_sum_games
from solvers import UNLIMITED, vertex_enumeration
from solvers.solution import Meter
from solvers.zero_sum.exact_faces import exact_answer


def solved(game, near=None, *, symmetric=False):
    every = tuple(np.arange(count, dtype=np.int32) for count in game.num_actions)
    meter = Meter(UNLIMITED, "Newton steps")
    return exact_answer(game, near or every, symmetric=symmetric, meter=meter)


def certified(game, answer):
    certificate = certify_max_entropy(
        game,
        answer.profile,
        opposition=MixedProfile((answer.prices[1].strategy, answer.prices[0].strategy)),
        weights=tuple(price.weight for price in answer.prices),
    )
    certificate.verify()
    return certificate


@given(zero_sum_games(max_actions=4, kinds=tuple(PayoffKind)))
def test_answers_are_exact_and_play_all_that_extreme_equilibria_play(game):
    answer = solved(game)
    certificate = certified(game, answer)
    assert certificate.epsilon == 0
    assert certificate.entropy_gap < Fraction(1, 10**15)
    extreme = [found.profile.strategies for found in vertex_enumeration(game).equilibria]
    for player, strategy in enumerate(answer.profile.strategies):
        largest = np.any([profile[player] > 0 for profile in extreme], axis=0)
        assert np.array_equal(strategy > 0, largest)


@pytest.mark.parametrize(
    ("matrix", "expected"),
    [
        ([[0, 0], [0, 0]], ["1/2", "1/2"]),
        ([[1, 1], [0, 0]], ["1", "0"]),
        ([[0, 0, -2], [0, 0, 1], [2, -1, 0]], ["1/3", "2/3", "0"]),  # an inequality presses
        ([[0, 0, -1], [0, 0, 1], [1, -1, 0]], ["1/2", "1/2", "0"]),  # one that just does
    ],
)
def test_simple_fractions_are_found(matrix, expected):
    answer = solved(NormalFormGame.zero_sum(matrix))
    assert [str(value) for value in answer.profile.strategies[0]] == expected


def test_there_is_no_answer_where_an_action_left_out_earns_more():
    game = NormalFormGame.zero_sum([[1, -1], [-1, 1], [2, 2]])
    near = (np.array([0, 1], dtype=np.int32), np.array([0, 1], dtype=np.int32))
    assert solved(game, near) is None
    assert solved(game) is not None


def test_nearly_equal_payoffs_are_told_apart():
    hair = Fraction(1, 10**30)
    answer = solved(NormalFormGame.zero_sum([[1 + hair, 0], [0, 1]]))
    expected = [1 / (2 + hair), (1 + hair) / (2 + hair)]
    assert answer.profile.strategies[0].tolist() == expected


def test_tiny_faces_beside_large_ones_are_searched():
    """Two probabilities of the face are at most 1e-15 and 1e-30."""
    tiny, large = Fraction(-1, 10**8), -(10**7)
    game = NormalFormGame.zero_sum([[tiny, 0, large], [tiny, large, 0], [tiny, tiny, 0]])
    certificate = certified(game, solved(game))
    assert certificate.epsilon == 0
    assert 0 < certificate.profile.strategies[0][1] < Fraction(1, 10**29)
    assert certificate.entropy_gap < Fraction(1, 10**15)
