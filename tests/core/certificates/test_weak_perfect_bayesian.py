"""Weak perfect Bayesian certificates, and how much less they claim than sequential ones."""

from fractions import Fraction

import pytest
from hypothesis import assume, given

import gametheory_core as gt
from gametheory_core import CertificateRejected, InvalidStrategy, strategies
from gametheory_core.catalog import load
from gametheory_core.certificates import (
    certify_sequential,
    certify_subgame_perfect,
    certify_weak_perfect_bayesian,
)
from gametheory_core.testing import extensive_form_games
from solvers import sequential_equilibrium

SURE, HALF = (Fraction(1),), Fraction(1, 2)


def entry():
    """An entrant stays out, or goes in and then chooses at once with the incumbent.

    Mas-Colell, Whinston and Green (1995), Example 9.C.5 in spirit: fighting is best for the
    incumbent against a fight only, and a fight never is for the entrant.
    """

    def reply(own, other):
        return gt.Decision(
            1,
            "in",
            {"fight": gt.Terminal([own[0], other[0]]), "yield": gt.Terminal([own[1], other[1]])},
        )

    inside = gt.Decision(
        0, "inside", {"fight": reply((-3, 1), (-1, -2)), "yield": reply((-2, 3), (-1, 1))}
    )
    return gt.from_sketch(
        gt.Decision(0, "door", {"out": gt.Terminal([0, 2]), "in": inside}),
        players=("Entrant", "Incumbent"),
    )


def test_a_weak_perfect_bayesian_equilibrium_need_not_be_sequential():
    """The incumbent fights as it believes that the entrant has fought, who would not."""
    tree = entry()
    out = gt.pure_behavior(tree, (0, 1, 0))
    certificate = certify_weak_perfect_bayesian(tree, out, (SURE, SURE, (SURE[0], Fraction(0))))
    certificate.verify()
    assert certificate.payoffs == (0, 2)
    assert certify_subgame_perfect(tree, out, tolerance=None).epsilon == 2
    for a, b, order in ((1, 1, 1), (1, 9, 1), (9, 1, 2)):
        rare = [*[0] * order, Fraction(a, 10)], [*[0] * (3 - order), Fraction(b, 10)]
        often = [[1, *(-c for c in slip[1:])] for slip in rare]
        trembles = strategies.trembling_profile(
            tree, [[often[0], rare[0]], [rare[1], often[1]], [often[0], rare[0]]]
        )
        with pytest.raises(CertificateRejected, match="action 'yield', .* gains 2 over"):
            certify_sequential(tree, trembles)


@given(extensive_form_games(num_players=(1, 2)))
def test_sequential_equilibria_are_weak_perfect_bayesian(tree):
    assume(strategies.chance_excludes_no_infoset(tree))
    found = sequential_equilibrium(tree).certificate
    certificate = certify_weak_perfect_bayesian(tree, found.profile, found.beliefs)
    certificate.verify()
    assert gt.certify_nash(tree, certificate.profile).epsilon == 0


def quiche(first, belief):
    """All have beer, a duel follows quiche; beliefs in the strong after beer, and after quiche."""
    game = load("beer_quiche")
    after = (belief, 1 - belief)
    beliefs = (SURE, SURE, (first, 1 - first), after)
    return certify_weak_perfect_bayesian(game, gt.pure_behavior(game, (0, 0, 1, 0)), beliefs)


def test_beliefs_where_play_comes_are_those_of_bayes():
    quiche(Fraction(9, 10), HALF).verify()
    with pytest.raises(CertificateRejected, match="needs Bayes' rule where play comes"):
        quiche(HALF, HALF)


def test_beliefs_elsewhere_must_make_play_best():
    quiche(Fraction(9, 10), Fraction(0)).verify()
    with pytest.raises(CertificateRejected, match="at information set 'quiche' .* gains 1/50 over"):
        quiche(Fraction(9, 10), Fraction(51, 100))


@pytest.mark.parametrize("belief", [Fraction(-1), Fraction(2)])
def test_beliefs_that_are_no_distributions_are_refused(belief):
    with pytest.raises(InvalidStrategy, match="a distribution over 2 nodes at .* 'quiche'"):
        quiche(Fraction(9, 10), belief)


def test_a_belief_for_each_information_set_is_asked_for():
    game = load("beer_quiche")
    with pytest.raises(InvalidStrategy, match="a belief at each of 4 information sets"):
        certify_weak_perfect_bayesian(game, gt.pure_behavior(game, (0, 0, 1, 0)), (SURE,))
