"""Solution files that claim more than their certificates prove are rejected, true ones are not."""

import copy

import pytest

from gametheory_core.catalog.index import load
from gametheory_core.errors import CertificateRejected, MalformedFile
from gametheory_core.formats.certificate_records import certificate_record
from gametheory_core.formats.checked_json import Checked
from gametheory_core.formats.solution_records import certificates_in
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.correlated import correlated_distribution
from solvers.many_players.pure import pure
from solvers.report import answer_record
from solvers.solve import solve


def verify(record):
    for certificate in certificates_in(Checked(record, "", "answer")):
        certificate.verify()


def record_of(game, concept, **options):
    record = answer_record(solve(game, concept, **options))
    verify(record)
    return copy.deepcopy(record)


def test_a_list_of_all_equilibria_needs_the_proof_for_mixed_ones():
    game = load("battle_of_the_sexes")
    forged = record_of(game, "all-nash")
    forged["solutions"] = forged["solutions"][:2]
    forged["completeness"] = certificate_record(pure(game).completeness)
    with pytest.raises(CertificateRejected, match="only completeness proves a list of all"):
        verify(forged)


@pytest.mark.parametrize("claim", [1, "true", [True]])
def test_completeness_is_claimed_by_true_alone(claim):
    forged = record_of(load("battle_of_the_sexes"), "all-nash")
    forged |= {"complete": claim, "completeness": None, "solutions": forged["solutions"][:1]}
    with pytest.raises(MalformedFile, match="complete: expected true or false"):
        verify(forged)


@pytest.mark.parametrize(
    ("concept", "claimed"),
    [("coarse-correlated", "correlated"), ("correlated", "coarse-correlated")],
)
@pytest.mark.parametrize("objective", ["largest-welfare", "max-entropy", "max-gini"])
def test_coarse_equilibria_are_not_passed_off_as_correlated_ones(concept, claimed, objective):
    forged = record_of(load("rock_paper_scissors"), concept, objective=objective)
    forged["concept"] = claimed
    with pytest.raises(CertificateRejected, match=f"this is about {concept.replace('-', ' ')} eq"):
        verify(forged)


@pytest.mark.parametrize(
    ("concept", "claimed"), [("dominance", "weak-dominance"), ("weak-dominance", "dominance")]
)
def test_weak_dominance_is_not_passed_off_as_strict(concept, claimed):
    game = NormalFormGame.bimatrix([[1, 1], [1, 0]], [[1, 0], [1, 0]])
    forged = record_of(game, concept)
    forged["concept"] = claimed
    with pytest.raises(CertificateRejected, match="dominance"):
        verify(forged)


def test_mixed_equilibria_are_not_passed_off_as_pure_ones():
    forged = record_of(load("matching_pennies"), "nash", algorithm="lemke_howson")
    forged |= {"concept": "pure-nash", "complete": None}
    with pytest.raises(CertificateRejected, match="not pure"):
        verify(forged)


def test_pure_plans_of_a_tree_may_mix_where_they_never_come():
    """The centipede's reduced plans leave what comes after the own exit open."""
    game = load("centipede:rounds=3")
    shown = record_of(game, "pure-nash")["solutions"][0]["profile"]["infosets"]
    assert any(p not in {"0", "1"} for infoset in shown for p in infoset["probabilities"])


def test_single_equilibria_are_no_components():
    forged = record_of(load("matching_pennies"), "nash", algorithm="lemke_howson")
    forged["concept"] = "nash-components"
    with pytest.raises(CertificateRejected, match="a part of the answer"):
        verify(forged)
    verify(forged | {"complete": False})


def test_correlated_play_that_hides_internal_regret_has_another_certificate():
    """Rock-paper-scissors on the diagonal: no external regret, but an internal one of 1/3."""
    diagonal = correlated_distribution([["1/3", 0, 0], [0, "1/3", 0], [0, 0, "1/3"]])
    forged = record_of(load("rock_paper_scissors"), "correlated")
    forged["solutions"][0]["certificate"]["record"]["distribution"]["joint_actions"] = [
        list(joint_action) for joint_action in diagonal.joint_actions
    ]
    forged["solutions"][0]["certificate"]["record"]["distribution"]["probabilities"] = ["1/3"] * 3
    with pytest.raises(CertificateRejected, match="needs to show what is certified|claims"):
        verify(forged)
