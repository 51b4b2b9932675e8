"""Component certificates: all maximal Nash subsets, rightly sorted, and nothing else passes."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import CertificateRejected, NormalFormGame, UnsupportedGame
from gametheory_core.catalog import load
from gametheory_core.certificates import NashComponentsCertificate, certify_nash_components
from gametheory_core.certificates.completeness import NashComponent, NashSubset

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)
LEFT, RIGHT = (ONE, ZERO), (ZERO, ONE)

# Top pays the row player 1, bottom 0, and the column player does not care; but for one corner.
EDGE = NormalFormGame.bimatrix([[1, 1], [0, 1]], [[1, 1], [0, 1]])
TOP_EDGE = NashSubset((LEFT,), (LEFT, RIGHT))
RIGHT_EDGE = NashSubset((LEFT, RIGHT), (RIGHT,))
PATH = NashComponent((TOP_EDGE, RIGHT_EDGE))

# Two isolated equilibria, one of them in weakly dominated actions.
TWO_POINTS = NormalFormGame.bimatrix([[1, 0], [0, 0]], [[1, 0], [0, 0]])
GOOD, BAD = (NashComponent((NashSubset((side,), (side,)),)) for side in (LEFT, RIGHT))


def test_two_edges_that_meet_are_one_component():
    certificate = certify_nash_components(EDGE)
    assert [set(component.subsets) for component in certificate.components] == [
        {TOP_EDGE, RIGHT_EDGE}
    ]
    assert not certificate.components[0].is_point
    assert certificate.statement == (
        "the set of equilibria has 1 connected component, of which 0 isolated, made of 2 maximal "
        "Nash subsets"
    )
    certificate.verify()
    NashComponentsCertificate(EDGE, (PATH,)).verify()


def test_two_points_are_two_components():
    certificate = certify_nash_components(TWO_POINTS)
    assert all(component.is_point for component in certificate.components)
    assert set(certificate.components) == {GOOD, BAD}
    NashComponentsCertificate(TWO_POINTS, (GOOD, BAD)).verify()


def test_whole_square_is_one_subset():
    (component,) = certify_nash_components(load("indifference:size=2")).components
    (subset,) = component.subsets
    assert set(subset.first) == set(subset.second) == {LEFT, RIGHT}
    assert len(subset.profiles) == 4


def test_ring_of_six_edges_and_a_point():
    """The catalogue's degenerate game."""
    components = certify_nash_components(load("degenerate")).components
    assert sorted(len(component.subsets) for component in components) == [1, 6]
    assert sorted(component.is_point for component in components) == [False, True]


@pytest.mark.parametrize(
    ("components", "problem"),
    [
        ((NashComponent((TOP_EDGE,)),), "is missing"),
        ((), "is missing"),
        ((NashComponent((TOP_EDGE, RIGHT_EDGE, TOP_EDGE)),), "listed twice"),
        ((PATH, PATH), "listed twice"),
        (
            (NashComponent((TOP_EDGE,)), NashComponent((RIGHT_EDGE,))),
            "2 connected ones, but .* in 1",
        ),
        ((PATH, NashComponent(())), "2 connected ones, but .* in 1"),
        ((NashComponent((TOP_EDGE, NashSubset((LEFT,), (RIGHT,)))),), "is not one of the 2"),
        ((NashComponent((TOP_EDGE, NashSubset((), (RIGHT,)))),), "is not one of the 2"),
        ((NashComponent((NashSubset((LEFT, RIGHT), (LEFT, RIGHT)),)),), "is not one of the 2"),
        (
            (NashComponent((NashSubset((LEFT,), ((HALF, HALF),)), RIGHT_EDGE)),),
            r"\{\(1, 0\)\} x \{\(1/2, 1/2\)\}, which is not one",
        ),
        (
            (NashComponent((TOP_EDGE, NashSubset((LEFT, RIGHT, LEFT), (RIGHT,)))),),
            "lists a strategy twice",
        ),
    ],
)
def test_forged_components_are_rejected(components, problem):
    with pytest.raises(CertificateRejected, match=problem):
        NashComponentsCertificate(EDGE, components).verify()


def test_components_joined_wrongly_are_rejected():
    joined = NashComponent((*GOOD.subsets, *BAD.subsets))
    with pytest.raises(CertificateRejected, match="1 connected ones, but .* in 2"):
        NashComponentsCertificate(TWO_POINTS, (joined,)).verify()


def test_other_game_is_rejected():
    certificate = certify_nash_components(EDGE)
    with pytest.raises(CertificateRejected, match="is not one of the 2"):
        replace(certificate, game=TWO_POINTS).verify()


def test_three_players_are_refused():
    game = NormalFormGame.from_payoffs(np.zeros((3, 2, 2, 2), dtype=int))
    with pytest.raises(UnsupportedGame, match="needs two players"):
        certify_nash_components(game)
    with pytest.raises(CertificateRejected, match="needs two players"):
        NashComponentsCertificate(game, ()).verify()
