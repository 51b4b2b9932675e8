"""Bayesian and security games in JSON: they read back the same, and slips are named by path."""

import json

import pytest
from hypothesis import given

import gametheory_core as gt
import solvers
from gametheory_core import formats
from tests.sample_sizes import examples
from tests.solvers.stackelberg.leader_games import bayesian_games, games_of_three, security_games

PATROL, GUARDED = gt.load_game("house_patrol"), gt.load_game("guarded_targets:types=2")
SOME = examples(30)


def checked(record):
    return formats.parse_json(json.dumps(record), name="file")


def again(certificate):
    read = formats.certificate_from(checked(formats.certificate_record(certificate)))
    assert read == certificate
    read.verify()
    return read


@SOME
@given(bayesian_games())
def test_bayesian_games_and_their_certificates_read_back(game):
    assert formats.game_from(checked(formats.game_record(game))) == game
    assert again(solvers.bayesian_stackelberg(game).certificate).game == game


@SOME
@given(security_games(most_types=2))
def test_security_games_and_their_certificates_read_back(game):
    read = formats.game_from(checked(formats.game_record(game)))
    assert (read, read.title) == (game, game.title)
    if game.num_types == 1:
        assert again(solvers.security_stackelberg(game).certificate).game == game


@SOME
@given(games_of_three())
def test_certificates_of_other_commitments_read_back(game):
    again(solvers.correlated_commitment(game).certificate)
    if all(len(own) < 2 for own in game.actions[2:]):  # one follower counts: never infeasible
        again(solvers.pure_followers_stackelberg(game).certificate)


@pytest.mark.parametrize("game", [PATROL, GUARDED], ids=["bayesian", "security"])
def test_files_read_back(tmp_path, game):
    path = tmp_path / "game.json"
    gt.write_game(game, path)
    assert gt.read_game(path) == gt.load_game(str(path)) == game
    assert gt.read_game(path).title == game.title
    for suffix in (".nfg", ".efg"):
        with pytest.raises(gt.UnsupportedGame, match=r"Use the suffix \.json, or write .*_t"):
            gt.write_game(game, tmp_path / f"game{suffix}")


@pytest.mark.parametrize(
    ("name", "game"), [("house_patrol", PATROL), ("guarded_targets:types=2", GUARDED)]
)
def test_solvers_are_given_these_games_by_name(name, game):
    assert gt.load_game(name) == game


@pytest.mark.parametrize(
    ("game", "change", "message"),
    [
        (PATROL, {"players": ["a"]}, "at players: needs two players"),
        (PATROL, {"types": ["a"]}, "at follower_actions: needs one entry for each of 1 types"),
        (PATROL, {"types": ["a", "a"]}, "different type labels"),
        (PATROL, {"prior": ["1/2", "1/3"]}, "sum to 5/6"),
        (PATROL, {"prior": ["1/2", 0.5]}, r"at prior\[1\]"),
        (PATROL, {"payoffs": []}, "at payoffs: needs one entry for each of 2 types"),
        (PATROL, {"payoffs": [["1"], ["2"]]}, r"at payoffs\[0\]: .*shape \(2, 6, 3\).*1 of them"),
        (PATROL, {"leader_actions": "up"}, "at leader_actions: needs an array"),
        (GUARDED, {"players": ["a", "b"]}, "at players: needs the players 'Defender'"),
        (GUARDED, {"resources": 7}, "from 0 to the number of targets, 6"),
        (GUARDED, {"resources": "2"}, "at resources: needs an integer"),
        (GUARDED, {"targets": []}, r"at payoffs: .*shape \(2, 2, 2, 0\)"),
        (GUARDED, {"payoffs": ["1", "2"]}, r"shape \(2, 2, 2, 6\), but found 2 of them"),
        (GUARDED, {"prior": ["1"]}, "1 probabilities"),
    ],
)
def test_slips_are_named(game, change, message):
    with pytest.raises(gt.MalformedFile, match=message):
        formats.game_from(checked({**formats.game_record(game), **change}))


@pytest.mark.parametrize("kind", ["mixed", "behavioral"])
def test_security_games_have_no_such_profiles(kind):
    from gametheory_core.formats import profile_from

    with pytest.raises(gt.MalformedFile, match=f"needs a profile of SecurityGame.* a {kind} one"):
        profile_from(checked({"kind": kind, "strategies": []}), GUARDED)


def test_certificate_of_another_kind_of_game_is_refused():
    claim = formats.certificate_record(
        solvers.security_stackelberg(gt.load_game("guarded_targets")).certificate
    )
    with pytest.raises(gt.MalformedFile, match="needs a certificate for BayesianGame"):
        formats.certificate_from(checked({**claim, "game": formats.game_record(PATROL)}))


def test_nothing_is_read_without_a_file():
    with pytest.raises(gt.InvalidArgument, match="needs a file that can be read"):
        gt.load_game("nowhere.json")
