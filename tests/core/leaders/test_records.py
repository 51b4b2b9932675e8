"""Bayesian and security games in JSON: they read back the same, and slips are named by path."""

import json

import pytest
from hypothesis import given

from gametheory_core.errors import InvalidArgument, MalformedFile, UnsupportedGame
from gametheory_core.formats.certificate_records import certificate_from, certificate_record
from gametheory_core.formats.checked_json import parse_json
from gametheory_core.formats.files import read_game, write_game
from gametheory_core.formats.game_records import game_from, game_record
from gametheory_core.loading import load_game
from solvers.stackelberg.bayesian import bayesian_stackelberg
from solvers.stackelberg.commitment import correlated_commitment
from solvers.stackelberg.pure_followers import pure_followers_stackelberg
from solvers.stackelberg.security import security_stackelberg
from tests.sample_sizes import examples
from tests.solvers.stackelberg.leader_games import (
    bayesian_games,
    games_of_three,
    security_games,
)

PATROL, GUARDED = load_game("house_patrol"), load_game("guarded_targets:types=2")
SOME = examples(30)


def checked(record):
    return parse_json(json.dumps(record), name="file")


def again(certificate):
    read = certificate_from(checked(certificate_record(certificate)))
    assert read == certificate
    read.verify()
    return read


@SOME
@given(bayesian_games())
def test_bayesian_games_and_their_certificates_read_back(game):
    assert game_from(checked(game_record(game))) == game
    assert again(bayesian_stackelberg(game).certificate).game == game


@SOME
@given(security_games(most_types=2))
def test_security_games_and_their_certificates_read_back(game):
    read = game_from(checked(game_record(game)))
    assert (read, read.title) == (game, game.title)
    if game.num_types == 1:
        assert again(security_stackelberg(game).certificate).game == game


@SOME
@given(games_of_three())
def test_certificates_of_other_commitments_read_back(game):
    again(correlated_commitment(game).certificate)
    if all(len(own) < 2 for own in game.actions[2:]):  # one follower counts: never infeasible
        again(pure_followers_stackelberg(game).certificate)


@pytest.mark.parametrize("game", [PATROL, GUARDED], ids=["bayesian", "security"])
def test_files_read_back(tmp_path, game):
    path = tmp_path / "game.json"
    write_game(game, path)
    assert read_game(path) == load_game(str(path)) == game
    assert read_game(path).title == game.title
    for suffix in (".nfg", ".efg"):
        with pytest.raises(UnsupportedGame, match=r"Use the suffix \.json, or write .*_t"):
            write_game(game, tmp_path / f"game{suffix}")


@pytest.mark.parametrize(
    ("name", "game"), [("house_patrol", PATROL), ("guarded_targets:types=2", GUARDED)]
)
def test_solvers_are_given_these_games_by_name(name, game):
    assert load_game(name) == game


@pytest.mark.parametrize(
    ("game", "change", "message"),
    [
        (PATROL, {"players": ["a"]}, "at players: expected two players"),
        (PATROL, {"types": ["a"]}, "at follower_actions: expected one entry for each of 1 types"),
        (PATROL, {"types": ["a", "a"]}, "different type labels"),
        (PATROL, {"prior": ["1/2", "1/3"]}, "sum to 5/6"),
        (PATROL, {"prior": ["1/2", 0.5]}, r"at prior\[1\]"),
        (PATROL, {"payoffs": []}, "at payoffs: expected one entry for each of 2 types"),
        (PATROL, {"payoffs": [["1"], ["2"]]}, r"at payoffs\[0\]: .*shape \(2, 6, 3\).*1 of them"),
        (PATROL, {"leader_actions": "up"}, "at leader_actions: expected an array"),
        (GUARDED, {"players": ["a", "b"]}, "at players: expected the players 'Defender'"),
        (GUARDED, {"resources": 7}, "from 0 to the number of targets, 6"),
        (GUARDED, {"resources": "2"}, "at resources: expected an integer"),
        (GUARDED, {"targets": []}, r"at payoffs: .*shape \(2, 2, 2, 0\)"),
        (GUARDED, {"payoffs": ["1", "2"]}, r"shape \(2, 2, 2, 6\), but found 2 of them"),
        (GUARDED, {"prior": ["1"]}, "1 probabilities"),
    ],
)
def test_slips_are_named(game, change, message):
    with pytest.raises(MalformedFile, match=message):
        game_from(checked({**game_record(game), **change}))


@pytest.mark.parametrize("kind", ["mixed", "behavioral"])
def test_security_games_have_no_such_profiles(kind):
    from gametheory_core.formats.game_records import profile_from

    with pytest.raises(MalformedFile, match=f"expected a profile of SecurityGame.* a {kind} one"):
        profile_from(checked({"kind": kind, "strategies": []}), GUARDED)


def test_certificate_of_another_kind_of_game_is_refused():
    claim = certificate_record(security_stackelberg(load_game("guarded_targets")).certificate)
    with pytest.raises(MalformedFile, match="expected a certificate for BayesianGame"):
        certificate_from(checked({**claim, "game": game_record(PATROL)}))


def test_nothing_is_read_without_a_file():
    with pytest.raises(InvalidArgument, match="needs a file that can be read"):
        load_game("nowhere.json")
