"""What is written reads back as the same game, profile or certificate, whatever its labels."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import formats, testing
from gametheory_core.certificates import certify_completeness
from tests.core.formats.strange_games import strange_normal_forms, strange_trees
from tests.sample_sizes import examples


def checked(record):
    """The record after a trip through text."""
    return formats.parse_json(json.dumps(record), name="record")


def deep_tree(moves):
    """The text of a tree in which each move either ends the game or goes on."""
    lines = ['EFG 2 R "deep" { "A" "B" }']
    for i in range(moves):
        lines.append(f'p "" {i % 2 + 1} {i + 1} "" {{ "go on" "stop" }} 0')
    lines.append(f't "" {moves + 1} "" {{ 0 0 }}')
    for i in reversed(range(moves)):
        lines.append(f't "" {i + 1} "" {{ {i}, {-i} }}')
    return "\n".join(lines)


@given(strange_normal_forms())
def test_nfg_text_reads_back(game):
    back = formats.parse_nfg(formats.format_nfg(game))
    assert back.digest == game.digest
    assert back.title == game.title


@given(testing.normal_form_games(kinds=(testing.PayoffKind.FLOAT,)))
def test_floats_are_written_as_the_rationals_they_are(game):
    assert formats.parse_nfg(formats.format_nfg(game)).digest == game.digest


@given(strange_trees())
def test_efg_text_reads_back(game):
    back = formats.parse_efg(formats.format_efg(game))
    assert back.digest == game.digest
    assert (back.title, back.node_labels or ("",) * game.num_nodes) == (
        game.title,
        game.node_labels,
    )
    used = set(game.node_outcome.tolist()) - {-1}
    assert {o.label for o in back.outcomes} == {game.outcomes[o].label for o in used}


@given(strange_normal_forms() | strange_trees())
def test_game_record_reads_back(game):
    back = formats.game_from(checked(formats.game_record(game)))
    assert back.digest == game.digest
    assert formats.game_record(back) == formats.game_record(game)


@examples(20)
@given(game=strange_normal_forms() | strange_trees())
def test_files_read_back(tmp_path_factory, game):
    folder = tmp_path_factory.mktemp("games")
    for suffix in (".nfg" if hasattr(game, "payoffs") else ".efg", ".json"):
        path = folder / f"game{suffix}"
        gt.write_game(game, path)
        assert gt.read_game(path).digest == game.digest
    assert len(list(folder.iterdir())) == 2


@given(st.data(), testing.normal_form_games() | testing.extensive_form_games())
def test_profile_and_nash_certificate_read_back(data, game):
    profiles = testing.mixed_profiles if hasattr(game, "payoffs") else testing.behavioral_profiles
    profile = data.draw(profiles(game))
    assert formats.profile_from(checked(formats.profile_record(game, profile)), game) == profile
    certificate = gt.certify_nash(game, profile)
    back = formats.certificate_from(checked(formats.certificate_record(certificate)))
    assert back == certificate
    back.verify()
    claim = formats.claim_record(certificate)
    assert "game" not in claim
    assert formats.claim_from(checked(claim), game) == certificate


def test_profile_record_has_the_documented_shape():
    game = formats.parse_efg('EFG 2 R "" { "A" } p "" 1 7 "h" { "l" "r" } 0 t "" 1 { 1 } t "" 1')
    assert formats.profile_record(game, gt.pure_behavior(game, [1])) == {
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


@examples(20)
@given(testing.zero_sum_games(max_actions=2))
def test_bimatrix_certificates_read_back(game):
    for certificate in (
        gt.certify_minimax(game, gt.uniform_profile(game)),
        certify_completeness(game),
    ):
        back = formats.certificate_from(checked(formats.certificate_record(certificate)))
        assert back == certificate
        back.verify()


def test_tampered_certificate_is_rejected_after_reading():
    game = formats.parse_nfg('NFG 1 R "" { "A" "B" } { 2 2 } 1 0 0 1 0 1 1 0')
    record = formats.certificate_record(gt.certify_nash(game, gt.uniform_profile(game)))
    record["payoffs"] = ["1/2", "1"]
    with pytest.raises(gt.CertificateRejected, match=r"payoffs \(1/2, 1\)"):
        formats.certificate_from(checked(record)).verify()


@pytest.mark.parametrize("moves", [5_000, pytest.param(50_000, marks=pytest.mark.slow)])
def test_deep_and_large_trees_read_and_write(moves):
    text = deep_tree(moves)
    started = time.process_time()
    game = formats.parse_efg(text)
    assert formats.parse_efg(formats.format_efg(game)) == game
    assert game.num_nodes == 2 * moves + 1
    assert len(game.level_offset) == moves + 2
    assert time.process_time() - started < 20  # seconds; recursion or a quadratic step fails
