"""Signaling completeness: lists with one less or more, or wrongly isolated, are rejected."""

from dataclasses import replace

import pytest

import gametheory_core as gt
from gametheory_core import CertificateRejected
from gametheory_core.catalog import load
from gametheory_core.certificates import certify_signaling_completeness

QUICHE = certify_signaling_completeness(load("beer_quiche"))


def test_four_extreme_equilibria_of_beer_quiche_are_complete():
    QUICHE.verify()
    assert len(QUICHE.profiles) == 4
    assert "4 profiles, 0 of them isolated" in QUICHE.statement


@pytest.mark.parametrize("left_out", range(4))
def test_a_list_without_one_is_rejected(left_out):
    fewer = QUICHE.profiles[:left_out] + QUICHE.profiles[left_out + 1 :]
    with pytest.raises(CertificateRejected, match="claims profiles without .*, which is missing"):
        replace(QUICHE, profiles=fewer).verify()


def test_an_equilibrium_that_is_not_sequential_is_rejected():
    """Nobody duels whatever was had: the types separate, which is no equilibrium either."""
    separating = gt.pure_behavior(QUICHE.game, (0, 1, 1, 0))
    with pytest.raises(CertificateRejected, match="which is not one of the 4 that there are"):
        replace(QUICHE, profiles=(*QUICHE.profiles, separating)).verify()


def test_an_equilibrium_in_a_family_is_not_isolated():
    with pytest.raises(
        CertificateRejected, match="claims isolated with .* of the 0 that there are"
    ):
        replace(QUICHE, isolated=QUICHE.profiles[:1]).verify()


def test_two_equilibria_whose_mixture_no_belief_explains_are_isolated():
    """Ann stays out for 1; Bob's second and fourth answers alone do not let her gain by entering.

    Bob answers best by guessing how likely the first entrance is, of 1, 3, 5, 7 or 9 tenths: a
    belief of 3 tenths explains the second answer, one of 7 tenths the fourth. None explains both.
    """
    paid = {1: (3, 3), 3: (0, 1), 5: (3, 3), 7: (1, 0), 9: (3, 3)}  # Ann, by entrance

    def entrance(number):
        return gt.Decision(
            1,
            "entered",
            {
                str(guess): gt.Terminal([paid[guess][number], 20 * guess * (not number) - guess**2])
                for guess in paid
            },
        )

    ways = {"out": gt.Terminal([1, 0]), "first": entrance(0), "second": entrance(1)}
    tree = gt.from_sketch(gt.Decision(0, "door", ways), players=("Ann", "Bob"))
    found = certify_signaling_completeness(tree)
    out = {p for p in found.profiles if p.probabilities[0].tolist() == [1, 0, 0]}
    assert out == {gt.pure_behavior(tree, (0, 1)), gt.pure_behavior(tree, (0, 3))}
    assert out <= set(found.isolated)
    both = gt.BehavioralProfile((gt.arrays.exact_array([1, 0, 0]), gt.arrays.exact_array(HALVES)))
    assert gt.certify_nash(tree, both).epsilon == 0  # but not sequential


HALVES = [0, "1/2", 0, "1/2", 0]
