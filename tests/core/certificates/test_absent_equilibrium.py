"""Certificates that no equilibrium avoids some actions: true ones pass, forged ones do not."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import CertificateRejected, NormalFormGame, certificates
from gametheory_core.certificates.equilibrium_bounds import Leaf
from gametheory_core.errors import InfeasibleProgram
from gametheory_core.formats import certificate_from, certificate_record, parse_json
from solvers import mixed_integer

DILEMMA = NormalFormGame.symmetric([[3, 0], [5, 1]], actions=("cooperate", "defect"))
PENNIES = NormalFormGame.zero_sum([[1, -1], [-1, 1]])
DEFECT = certificates.Label(0, 1)


def claimed(game, *unplayed):
    with pytest.raises(InfeasibleProgram, match="there is none; the exception's witness") as caught:
        mixed_integer(game, unplayed=unplayed)
    return caught.value.witness


@pytest.mark.parametrize(
    ("game", "label"),
    [(DILEMMA, DEFECT), (PENNIES, certificates.Label(0, 0)), (PENNIES, certificates.Label(1, 1))],
)
def test_true_claim_survives_its_check_and_a_file(game, label):
    certificate = claimed(game, label)
    certificate.verify()
    again = certificate_from(parse_json(json.dumps(certificate_record(certificate)), name="claim"))
    assert again == certificate
    again.verify()


def test_ruling_out_all_actions_of_a_player_needs_no_weights():
    certificates.AbsentEquilibriumCertificate(
        DILEMMA, (certificates.Label(0, 0), DEFECT), (None,), (Leaf(),)
    ).verify()


def test_statement_names_the_actions():
    assert claimed(DILEMMA, DEFECT).statement == (
        "there is no Nash equilibrium without 'defect' of player '1'"
    )


def test_dominance_is_proved_by_one_weight():
    """Cooperation is dominated: one incentive shows it absent, and then no action is left."""
    leaf = Leaf(
        (certificates.IncentiveWeight(0, 0, 1, Fraction(1)),),
        (certificates.AbsenceWeight(0, 0, Fraction(1)),),
    )
    claim = certificates.AbsentEquilibriumCertificate(DILEMMA, (DEFECT,), (None,), (leaf,))
    claim.verify()
    for other in ((), (certificates.Label(0, 0),), (certificates.Label(1, 0),)):
        with pytest.raises(CertificateRejected, match=r"nothing shows|weights that should show"):
            replace(claim, unplayed=other).verify()


def test_a_case_is_empty_where_what_it_plays_is_dominated():
    """Asked whether cooperation is played: no leaves no action, and yes is refuted by a weight."""
    dominated = Leaf(
        (certificates.IncentiveWeight(0, 0, 1, Fraction(1)),),
        (certificates.AbsenceWeight(0, 0, Fraction(1)),),
    )
    claim = certificates.AbsentEquilibriumCertificate(
        DILEMMA, (DEFECT,), (certificates.Label(0, 0), None, None), (Leaf(), dominated)
    )
    claim.verify()
    with pytest.raises(CertificateRejected, match="and 'cooperate' of player '1' are played"):
        replace(claim, leaves=(Leaf(), Leaf())).verify()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"unplayed": ()}, "no equilibrium where nothing is unplayed and nothing is played"),
        ({"unplayed": (certificates.Label(0, 2),)}, "names no action of the game"),
        ({"unplayed": (certificates.Label(2, 0),)}, "names no action of the game"),
        ({"leaves": (Leaf(),)}, "where 'defect' of player '1' are unplayed and nothing is"),
        ({"leaves": ()}, "lacks a leaf"),
        ({"questions": ()}, "leaves 1 cases open"),
        ({"game": PENNIES}, "weights that should show actions absent leave 3"),
        (
            {"game": NormalFormGame.from_payoffs(np.zeros((3, 2, 2, 2), dtype=int))},
            "needs two players",
        ),
    ],
)
def test_forged_claim_is_rejected(changes, words):
    leaf = Leaf(
        (certificates.IncentiveWeight(0, 0, 1, Fraction(1)),),
        (certificates.AbsenceWeight(0, 0, Fraction(1)),),
    )
    claim = certificates.AbsentEquilibriumCertificate(DILEMMA, (DEFECT,), (None,), (leaf,))
    claim.verify()
    forged = replace(claim, **changes)
    with pytest.raises(CertificateRejected, match=f"absent-equilibrium certificate: .*{words}"):
        forged.verify()


EVERY_ACTION = (certificates.Label(0, 0), certificates.Label(0, 1))


@pytest.mark.parametrize(
    "label",
    [
        certificates.Label(2, 0),
        certificates.Label(-3, 0),
        certificates.Label(-1, 0),
        certificates.Label(0, -1),
        certificates.Label(1, 2),
    ],
)
def test_every_label_of_a_proof_must_name_an_action(label):
    weight = Fraction(1)
    asked = certificates.AbsentEquilibriumCertificate(
        DILEMMA, (), (label, None, None), (Leaf(), Leaf())
    )
    leaves = [
        Leaf(absences=(certificates.AbsenceWeight(label.player, label.action, weight),)),
        Leaf((certificates.IncentiveWeight(label.player, label.action, 0, weight),)),
        Leaf((certificates.IncentiveWeight(label.player, 0, label.action, weight),)),
    ]
    # a case without actions is empty, whatever its leaf holds
    forged = [
        certificates.AbsentEquilibriumCertificate(DILEMMA, EVERY_ACTION, (None,), (own,))
        for own in leaves
    ]
    for claim in (asked, *forged):
        with pytest.raises(CertificateRejected, match="names no action of the game"):
            claim.verify()


@pytest.mark.parametrize("action", [False, 0.0])
def test_an_absence_that_indexes_all_actions_is_rejected(action):
    game = NormalFormGame.bimatrix([[3, 0], [0, 2]], [[2, 0], [0, 3]])
    leaf = Leaf(absences=(certificates.AbsenceWeight(0, action, Fraction(1)),))
    with pytest.raises(CertificateRejected, match=r"as leaves\[0\].absences\[0\].action, but"):
        certificates.AbsentEquilibriumCertificate(game, (), (None,), (leaf,)).verify()
