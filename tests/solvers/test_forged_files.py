"""Solution files that claim more than their certificates prove are rejected, true ones are not."""

import copy

import pytest

import gametheory_core as gt
from gametheory_core import formats
from gametheory_core.catalog import load
from gametheory_core.certificates import CommitmentKind
from solvers import perfect_information_commitment, pure, solve


def verify(record):
    assert formats.verified_certificates(formats.Checked(record, "", "answer"))


def record_of(game, concept, **options):
    record = solve(game, concept, **options).to_record()
    verify(record)
    return copy.deepcopy(record)


def test_a_list_of_all_equilibria_needs_the_proof_for_mixed_ones():
    game = load("battle_of_the_sexes")
    forged = record_of(game, "all-nash")
    forged["solutions"] = forged["solutions"][:2]
    forged["completeness"] = formats.certificate_record(pure(game).completeness)
    with pytest.raises(gt.CertificateRejected, match="only completeness proves a list of all"):
        verify(forged)


def test_an_empty_list_needs_the_proof_that_it_is_complete():
    """Matching pennies has no pure equilibrium, and the file proves it; nothing else is a proof."""
    record = record_of(load("matching_pennies"), "pure-nash")
    assert record["solutions"] == []
    for forged in (
        record | {"complete": False},
        record | {"complete": None, "completeness": None},
        record | {"concept": "nash", "complete": None},
    ):
        with pytest.raises(
            gt.CertificateRejected, match="no answer, and no proof that there is none"
        ):
            verify(forged)


@pytest.mark.parametrize("claim", [1, "true", [True]])
def test_completeness_is_claimed_by_true_alone(claim):
    forged = record_of(load("battle_of_the_sexes"), "all-nash")
    forged |= {"complete": claim, "completeness": None, "solutions": forged["solutions"][:1]}
    with pytest.raises(gt.MalformedFile, match="complete: needs true or false"):
        verify(forged)


@pytest.mark.parametrize(
    ("concept", "claimed"),
    [("coarse-correlated", "correlated"), ("correlated", "coarse-correlated")],
)
@pytest.mark.parametrize("even", ["", "max_entropy_", "max_gini_"])
def test_coarse_equilibria_are_not_passed_off_as_correlated_ones(concept, claimed, even):
    algorithm = f"{even}correlated_equilibrium"
    forged = record_of(load("rock_paper_scissors"), concept, algorithm=algorithm)
    forged["concept"] = claimed
    with pytest.raises(
        gt.CertificateRejected, match=f"this is about {concept.replace('-', ' ')} eq"
    ):
        verify(forged)


@pytest.mark.parametrize(
    ("concept", "claimed"), [("dominance", "weak-dominance"), ("weak-dominance", "dominance")]
)
def test_weak_dominance_is_not_passed_off_as_strict(concept, claimed):
    game = gt.NormalFormGame.bimatrix([[1, 1], [1, 0]], [[1, 0], [1, 0]])
    forged = record_of(game, concept)
    forged["concept"] = claimed
    with pytest.raises(gt.CertificateRejected, match="dominance"):
        verify(forged)


def test_mixed_equilibria_are_not_passed_off_as_pure_ones():
    forged = record_of(load("matching_pennies"), "nash", algorithm="lemke_howson")
    forged |= {"concept": "pure-nash", "complete": None}
    with pytest.raises(gt.CertificateRejected, match="not pure"):
        verify(forged)


def test_pure_plans_of_a_tree_may_mix_where_they_never_come():
    """The centipede's reduced plans leave what comes after the own exit open."""
    game = load("centipede:rounds=3")
    shown = record_of(game, "pure-nash")["solutions"][0]["profile"]["infosets"]
    assert any(p not in {"0", "1"} for infoset in shown for p in infoset["probabilities"])


def test_single_equilibria_are_no_components():
    forged = record_of(load("matching_pennies"), "nash", algorithm="lemke_howson")
    forged["concept"] = "nash-components"
    with pytest.raises(gt.CertificateRejected, match="a part of the answer"):
        verify(forged)
    verify(forged | {"complete": False})


def test_correlated_play_that_hides_internal_regret_has_another_certificate():
    """Rock-paper-scissors on the diagonal: no external regret, but an internal one of 1/3."""
    diagonal = gt.correlated_distribution([["1/3", 0, 0], [0, "1/3", 0], [0, 0, "1/3"]])
    forged = record_of(load("rock_paper_scissors"), "correlated")
    forged["solutions"][0]["certificate"]["record"]["distribution"]["joint_actions"] = [
        list(joint_action) for joint_action in diagonal.joint_actions
    ]
    forged["solutions"][0]["certificate"]["record"]["distribution"]["probabilities"] = ["1/3"] * 3
    with pytest.raises(gt.CertificateRejected, match="needs to show what is certified|claims"):
        verify(forged)


def commitment_tree():
    reward = gt.Decision(0, "trusted", {"keep": gt.Terminal([3, -1]), "share": gt.Terminal([1, 1])})
    trust = gt.Decision(1, "start", {"no": gt.Terminal([0, 0]), "yes": reward})
    return gt.from_sketch(trust, players=("Firm", "Buyer"))


@pytest.mark.parametrize("key", ["actions", "label"])
def test_profiles_of_trees_name_the_actions_of_the_game(key):
    record = record_of(commitment_tree(), "subgame-perfect")
    shown = record["solutions"][0]["certificate"]["record"]["profile"]["infosets"][0]
    shown[key] = ["share", "keep"] if key == "actions" else "elsewhere"
    with pytest.raises(gt.MalformedFile, match=rf"infosets\[0\]\.{key}: .*as in the game"):
        verify(record)


def test_mixtures_over_trees_name_the_actions_of_the_game():
    record = record_of(load("centipede:rounds=2"), "extensive-form-correlated")
    claim = record["solutions"][0]["certificate"]["record"]
    claim["mixture"]["profiles"][0]["infosets"][0]["actions"].reverse()
    with pytest.raises(gt.MalformedFile, match="as in the game"):
        verify(record)


def test_the_best_pure_commitment_is_not_shown_as_the_best():
    record = record_of(commitment_tree(), "stackelberg")
    pure_only = perfect_information_commitment(commitment_tree(), commitment=CommitmentKind.PURE)
    certificate = pure_only.certificate
    record["solutions"] = [
        {
            "profile": formats.profile_record(certificate.game, certificate.profile),
            "payoffs": list(map(str, pure_only.payoffs)),
            "certificate": {
                "kind": certificate.kind,
                "epsilon": str(certificate.epsilon),
                "statement": certificate.statement,
                "record": formats.claim_record(certificate),
            },
        }
    ]
    with pytest.raises(gt.CertificateRejected, match="pure commitments only"):
        verify(record)


@pytest.mark.parametrize(
    ("concept", "field", "value"),
    [
        ("extensive-form-correlated", "gains", []),
        ("correlated-commitment", "leader", 7),
        ("correlated-commitment", "payoffs", []),
        ("stackelberg", "leader", -3),
        ("nash", "payoffs", []),
    ],
)
def test_claims_that_cannot_be_put_in_words_are_rejected(concept, field, value):
    record = record_of(load("centipede:rounds=2"), concept)
    record["solutions"][0]["certificate"]["record"][field] = value
    with pytest.raises(gt.CertificateRejected, match="certificate"):
        verify(record)


def test_a_concept_that_no_certificate_proves_is_refused_with_the_declaration_to_change():
    record = record_of(load("prisoners_dilemma"), "pure-nash") | {"concept": "saddle-points"}
    with pytest.raises(
        gt.MalformedFile,
        match=r"which no kind .* the file has 'nash', whose .* proves=\('saddle-points',\)",
    ):
        verify(record)
