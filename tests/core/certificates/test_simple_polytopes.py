"""Layers of vertices: the same equilibria as by the double description method, or none at all."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import CertificateRejected, NormalFormGame
from gametheory_core.certificates import certify_completeness, extreme_equilibria, simple_polytopes
from gametheory_core.certificates.extreme_equilibria import extreme_strategies
from gametheory_core.certificates.simple_polytopes import Doubt, simple_pairs
from solvers import vertex_enumeration
from tests.sample_sizes import many

LARGE = 10**6


@st.composite
def tables(draw, largest=6):
    """Payoffs of two players, positive integers of one size or of very different ones, ties too."""
    shape = draw(st.tuples(*[st.integers(1, largest)] * 2))
    seed = draw(st.integers(0, 2**32 - 1))
    most = draw(st.sampled_from([3, 50, LARGE, 10**40]))
    rng = np.random.default_rng(seed)
    drawn = rng.integers(1, min(most, LARGE) + 1, (2, *shape)).astype(object)
    if most > LARGE:
        drawn *= 10 ** rng.integers(0, 8, shape).astype(object)
    return drawn[0], drawn[1]


def plain(first, second):
    """By the double description method."""
    game = NormalFormGame.bimatrix(first, second)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extreme_equilibria, "MANY_LABELS", 10**9)
        return set(extreme_strategies(game))


def strategies(pairs):
    def strategy(weights):
        return tuple(Fraction(weight, sum(weights)) for weight in weights)

    return {(strategy(x), strategy(y)) for x, y in pairs}


def nearly_tied(rng, shape):
    """Replies of one player, or of both, that differ by less than floats can tell."""
    both = [rng.integers(1, 9, shape).astype(object) * 10**30 for _ in range(2)]
    for table, axis in ((both[0], 0), (both[1], 1)):
        if table.shape[axis] > 1 and rng.random() < 0.7:
            lines = np.moveaxis(table, axis, 0)
            lines[1] = lines[0] + rng.integers(-1, 2, lines[0].shape)
    return both[0] + rng.integers(0, 2, shape), both[1]


def test_replies_that_floats_cannot_tell_apart_are_told_apart_or_doubted():
    rng = np.random.default_rng(4)
    answered = 0
    for _ in range(200):
        first, second = nearly_tied(rng, tuple(rng.integers(1, 5, 2)))
        try:
            pairs = simple_pairs(first, second)
        except Doubt:
            continue
        answered += 1
        assert strategies(pairs) == plain(first, second)
    assert answered > 40


@many
@given(tables())
def test_layers_end_with_all_extreme_equilibria_or_in_doubt(payoffs):
    try:
        pairs = simple_pairs(*payoffs)
    except Doubt:
        return
    assert strategies(pairs) == plain(*payoffs)
    assert len(strategies(pairs)) == len(pairs)


def test_games_drawn_from_many_numbers_leave_no_doubt():
    rng = np.random.default_rng(12)
    for shape in [(2, 9), (9, 2), (4, 6), (7, 7)] * 5:
        first, second = rng.integers(1, LARGE, (2, *shape)).astype(object)
        assert strategies(simple_pairs(first, second)) == plain(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [([[1, 2], [2, 1]], [[1, 1], [1, 2]]), ([[1, 1], [1, 1]], [[1, 2], [2, 1]])],
    ids=["tied replies to a pure strategy", "no vertex is simple"],
)
def test_ties_are_doubted(first, second):
    tied = [np.array(table, dtype=object) for table in (first, second)]
    with pytest.raises(Doubt, match="not simple"):
        simple_pairs(*tied)


def test_nearly_tied_replies_are_doubted():
    """They differ by less than floats can tell."""
    first = np.array([[10**30 + 1, 1], [10**30, 1]], dtype=object)
    with pytest.raises(Doubt, match="not simple"):
        simple_pairs(first.T, first.T)


@pytest.fixture(scope="module")
def large():
    payoffs = np.random.default_rng(5).integers(-LARGE, LARGE, (2, 11, 11))
    return vertex_enumeration(NormalFormGame.from_payoffs(payoffs)).completeness


def test_lists_of_large_games_are_checked(large, monkeypatch):
    monkeypatch.setattr(extreme_equilibria, "extreme_rays", None)  # far too slow for them
    large.verify()
    for wrong in (large.profiles[1:], (*large.profiles, large.profiles[0])):
        with pytest.raises(CertificateRejected, match="completeness"):
            replace(large, profiles=wrong).verify()
    others = np.random.default_rng(6).integers(-LARGE, LARGE, (2, 11, 11))
    with pytest.raises(CertificateRejected, match="completeness"):
        replace(large, game=NormalFormGame.from_payoffs(others)).verify()


def test_vertices_of_a_layer_are_worked_out_in_parts(large, monkeypatch):
    monkeypatch.setattr(simple_polytopes, "BATCH", 7)
    assert set(certify_completeness(large.game).profiles) == set(large.profiles)


def test_simple_pairs_says_doubt_or_answers_without_warning_when_floats_overflow():
    rng = np.random.default_rng(3)
    answered = 0
    for _ in range(60):
        shape = tuple(rng.integers(2, 7, 2))
        tables = [
            np.array(
                [[1 + 10 ** int(e) for e in row] for row in rng.integers(0, 400, shape)],
                dtype=object,
            )
            for _ in range(2)
        ]
        try:
            simple_pairs(*tables)
        except Doubt:
            continue
        answered += 1
    assert answered
