"""What is written reads back as the same game, profile or certificate, whatever its labels."""

import json
import time
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gametheory_core.catalog.index import load
from gametheory_core.certificates.absent_equilibrium import AbsentEquilibriumCertificate
from gametheory_core.certificates.alpha_rank import AlphaRankCertificate, Populations
from gametheory_core.certificates.bayesian_stackelberg import (
    LEAF,
    BayesianStackelbergCertificate,
    BoundNode,
    ResponseMultiplier,
)
from gametheory_core.certificates.completeness import certify_completeness
from gametheory_core.certificates.components import certify_nash_components
from gametheory_core.certificates.correlated import certify_correlated
from gametheory_core.certificates.correlated_commitment import CorrelatedCommitmentCertificate
from gametheory_core.certificates.correlated_payoffs import CorrelatedPayoffsCertificate
from gametheory_core.certificates.dominance import (
    Dominance,
    DominanceCertificate,
    DominatedBy,
    Elimination,
    Survival,
)
from gametheory_core.certificates.equilibrium_bounds import (
    AbsenceWeight,
    IncentiveWeight,
    Label,
    Leaf,
)
from gametheory_core.certificates.incentives import CorrelatedKind, IncentivePrice
from gametheory_core.certificates.isolated_equilibrium import IsolatedEquilibriumCertificate
from gametheory_core.certificates.max_entropy import MaxEntropyCertificate
from gametheory_core.certificates.max_entropy_correlated import certify_max_entropy_correlated
from gametheory_core.certificates.max_gini_correlated import certify_max_gini_correlated
from gametheory_core.certificates.minimax import certify_minimax
from gametheory_core.certificates.nash import certify_nash
from gametheory_core.certificates.optimal_equilibrium import (
    EquilibriumObjective,
    OptimalEquilibriumCertificate,
)
from gametheory_core.certificates.pure_completeness import PureCompletenessCertificate
from gametheory_core.certificates.pure_followers import ChangeMultiplier, PureFollowersCertificate
from gametheory_core.certificates.security import SecurityCertificate
from gametheory_core.certificates.stackelberg import StackelbergCertificate
from gametheory_core.certificates.subgame_perfect import SubgamePerfectCertificate
from gametheory_core.certificates.weak_stackelberg import WeakStackelbergCertificate
from gametheory_core.errors import CertificateRejected
from gametheory_core.formats.certificate_records import (
    CERTIFICATES,
    certificate_from,
    certificate_record,
    claim_from,
    claim_record,
)
from gametheory_core.formats.checked_json import parse_json
from gametheory_core.formats.files import read_game, write_game
from gametheory_core.formats.gambit_extensive import format_efg, parse_efg
from gametheory_core.formats.gambit_normal import format_nfg, parse_nfg
from gametheory_core.formats.game_records import (
    game_from,
    game_record,
    profile_from,
    profile_record,
)
from gametheory_core.strategies.behavioral import pure_behavior, uniform_behavior
from gametheory_core.strategies.correlated import product_distribution
from gametheory_core.strategies.coverage import CoverageLottery
from gametheory_core.strategies.mixed import uniform_profile
from gametheory_core.testing.generators import (
    PayoffKind,
    behavioral_profiles,
    extensive_form_games,
    mixed_profiles,
    normal_form_games,
    zero_sum_games,
)
from tests.core.formats.strange_games import strange_normal_forms, strange_trees

SOME = settings(max_examples=60)


def checked(record):
    """The record after a trip through text."""
    return parse_json(json.dumps(record), name="record")


def deep_tree(moves):
    """The text of a tree in which each move either ends the game or goes on."""
    lines = ['EFG 2 R "deep" { "A" "B" }']
    for i in range(moves):
        lines.append(f'p "" {i % 2 + 1} {i + 1} "" {{ "go on" "stop" }} 0')
    lines.append(f't "" {moves + 1} "" {{ 0 0 }}')
    for i in reversed(range(moves)):
        lines.append(f't "" {i + 1} "" {{ {i}, {-i} }}')
    return "\n".join(lines)


@SOME
@given(strange_normal_forms())
def test_nfg_text_reads_back(game):
    back = parse_nfg(format_nfg(game))
    assert back.digest == game.digest
    assert back.title == game.title


@SOME
@given(normal_form_games(kinds=(PayoffKind.FLOAT,)))
def test_floats_are_written_as_the_rationals_they_are(game):
    assert parse_nfg(format_nfg(game)).digest == game.digest


@SOME
@given(strange_trees())
def test_efg_text_reads_back(game):
    back = parse_efg(format_efg(game))
    assert back.digest == game.digest
    assert (back.title, back.node_labels or ("",) * game.num_nodes) == (
        game.title,
        game.node_labels,
    )
    used = set(game.node_outcome.tolist()) - {-1}
    assert {o.label for o in back.outcomes} == {game.outcomes[o].label for o in used}


@SOME
@given(strange_normal_forms() | strange_trees())
def test_game_record_reads_back(game):
    back = game_from(checked(game_record(game)))
    assert back.digest == game.digest
    assert game_record(back) == game_record(game)


@settings(max_examples=20)
@given(game=strange_normal_forms() | strange_trees())
def test_files_read_back(tmp_path_factory, game):
    folder = tmp_path_factory.mktemp("games")
    for suffix in (".nfg" if hasattr(game, "payoffs") else ".efg", ".json"):
        path = folder / f"game{suffix}"
        write_game(game, path)
        assert read_game(path).digest == game.digest
    assert len(list(folder.iterdir())) == 2


@SOME
@given(st.data(), normal_form_games() | extensive_form_games())
def test_profile_and_nash_certificate_read_back(data, game):
    profiles = mixed_profiles if hasattr(game, "payoffs") else behavioral_profiles
    profile = data.draw(profiles(game))
    assert profile_from(checked(profile_record(game, profile)), game) == profile
    certificate = certify_nash(game, profile)
    back = certificate_from(checked(certificate_record(certificate)))
    assert back == certificate
    back.verify()
    claim = claim_record(certificate)
    assert "game" not in claim
    assert claim_from(checked(claim), game) == certificate


def test_profile_record_has_the_documented_shape():
    game = parse_efg('EFG 2 R "" { "A" } p "" 1 7 "h" { "l" "r" } 0 t "" 1 { 1 } t "" 1')
    assert profile_record(game, pure_behavior(game, [1])) == {
        "kind": "behavioral",
        "infosets": [
            {
                "player": 1,
                "number": 7,
                "label": "h",
                "actions": ["l", "r"],
                "probabilities": ["0", "1"],
            }
        ],
    }


@settings(max_examples=20)
@given(zero_sum_games(max_actions=2))
def test_bimatrix_certificates_read_back(game):
    for certificate in (certify_minimax(game, uniform_profile(game)), certify_completeness(game)):
        back = certificate_from(checked(certificate_record(certificate)))
        assert back == certificate
        back.verify()


def bayesian_claim():
    game = load("house_patrol:types=1")
    node = BoundNode(LEAF, (ResponseMultiplier(0, 1, 2, Fraction(1, 3)),))
    third = Fraction(1, 3)
    return BayesianStackelbergCertificate(game, uniform_profile(game), third, third, (node,))


def dominance_claim(game):
    third = (Fraction(1, 3), Fraction(2, 3))
    gone, stays = Elimination(1, 0, 2, (1,), third), Survival(0, 0, ((0,), (1,)), third)
    return DominanceCertificate(
        game, Dominance.WEAK, DominatedBy.MIXED, (gone,), ((0,), (1,)), (stays,), True
    )


def commitment_claims(game):
    third = Fraction(1, 3)
    distribution = product_distribution(uniform_profile(game))
    change = ChangeMultiplier(0, 1, third)
    price = IncentivePrice(0, 0, 1, third)
    guarded, lottery = load("guarded_targets"), CoverageLottery(((), (0, 2)), (1, 10**40))
    return [
        PureFollowersCertificate(game, 0, uniform_profile(game), third, third, ((change,), ())),
        CorrelatedCommitmentCertificate(game, 0, distribution, (third,), third, (price,)),
        SecurityCertificate(guarded, lottery, 1, third, -third, third, third),
    ]


def best_equilibrium_claims(game, profile):
    third, labels = Fraction(1, 3), (Label(0, 0), Label(1, 1))
    leaf = Leaf((IncentiveWeight(1, 0, 1, third),), (AbsenceWeight(1, 0, third),))
    questions, leaves = (labels[1], None, None), (leaf, Leaf())
    objective = EquilibriumObjective.LEAST_PAYOFF
    return [
        OptimalEquilibriumCertificate(
            game, profile, objective, 1, labels, third, Fraction(2), questions, leaves
        ),
        AbsentEquilibriumCertificate(game, labels, questions, leaves),
    ]


def max_entropy_claim(game):
    profile, third = uniform_profile(game), Fraction(1, 3)
    gaps = (Fraction(1, 10**26), Fraction(0))
    return MaxEntropyCertificate(game, profile, -third, third, gaps, profile, (third, Fraction(0)))


def test_certificate_fields_of_every_type_read_back():
    """The codec alone: the claims need not hold."""
    game = parse_nfg('NFG 1 R "" { "A" "B" } { 1 2 } 1 0 0 1')
    tree = parse_efg('EFG 2 R "" { "A" } p "" 1 1 "" { "l" "r" } 0 t "" 1 { 1 } t "" 1')
    third, profile = Fraction(1, 3), uniform_profile(game)
    rows = ((third, Fraction(-2)), (Fraction(0), Fraction(10**30)))
    certificates = [
        StackelbergCertificate(game, 1, profile, third, Fraction(2), rows),
        WeakStackelbergCertificate(
            game, 0, profile, third, Fraction(2), (third, Fraction(2, 3)), True, rows, ()
        ),
        SubgamePerfectCertificate(tree, uniform_behavior(tree), (third,)),
        certify_completeness(game),
        PureCompletenessCertificate(game, (profile,)),
        IsolatedEquilibriumCertificate(game, profile, third, rows),
        bayesian_claim(),
        *commitment_claims(game),
        dominance_claim(game),
        certify_nash_components(load("degenerate")),
        certify_correlated(game, product_distribution(profile)),
        certify_max_entropy_correlated(game, product_distribution(profile)),
        certify_max_gini_correlated(game, product_distribution(profile)),
        CorrelatedPayoffsCertificate(game, CorrelatedKind.COARSE, (0, 1), (), (), ()),
        *best_equilibrium_claims(game, profile),
        certify_minimax(game, profile),
        max_entropy_claim(game),
        AlphaRankCertificate(game, Populations.ONE_EACH, third, product_distribution(profile)),
        certify_nash(tree, uniform_behavior(tree)),
    ]
    assert {certificate.kind for certificate in certificates} == set(CERTIFICATES)
    for certificate in certificates:
        assert certificate_from(checked(certificate_record(certificate))) == certificate


def test_tampered_certificate_is_rejected_after_reading():
    game = parse_nfg('NFG 1 R "" { "A" "B" } { 2 2 } 1 0 0 1 0 1 1 0')
    record = certificate_record(certify_nash(game, uniform_profile(game)))
    record["payoffs"] = ["1/2", "1"]
    with pytest.raises(CertificateRejected, match=r"payoffs \(1/2, 1\)"):
        certificate_from(checked(record)).verify()


@pytest.mark.parametrize("moves", [5_000, 50_000])
def test_deep_and_large_trees_read_and_write(moves):
    text = deep_tree(moves)
    started = time.process_time()
    game = parse_efg(text)
    assert parse_efg(format_efg(game)) == game
    assert game.num_nodes == 2 * moves + 1
    assert len(game.level_offset) == moves + 2
    assert time.process_time() - started < 20  # seconds; recursion or a quadratic step fails
