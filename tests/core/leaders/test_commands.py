"""Bayesian and security games on the command line: described, checked, converted, not drawn."""

import json

import pytest

from gametheory_core import load_game, read_game
from gametheory_core.__main__ import main
from gametheory_core.conversions import harsanyi_transform, security_to_normal

BOTH = pytest.mark.parametrize("name", ["house_patrol", "guarded_targets:types=2"])


def shown(capsys, *arguments, code=0):
    assert main(list(arguments)) == code
    captured = capsys.readouterr()
    return captured.err if code else captured.out


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "house_patrol",
            ["kind: Bayesian game", "types: robber 1 (1/2), robber 2 (1/2)", "6, 3, 3"],
        ),
        (
            "guarded_targets",
            ["kind: security game", "attacker 1 (1)", "targets: 6", "resources: 2"],
        ),
    ],
)
def test_sizes_are_described(capsys, name, lines):
    text = shown(capsys, "describe", name)
    assert all(line in text for line in lines)
    assert load_game(name).digest in text


def test_description_for_machines(capsys):
    record = json.loads(shown(capsys, "describe", "guarded_targets:types=2", "--json"))
    assert record["kind"] == "security"
    assert record["sizes"]["types"] == {"attacker 1": "1/2", "attacker 2": "1/2"}
    assert record["sizes"]["targets"] == 6


@BOTH
def test_laws_hold(capsys, name):
    text = shown(capsys, "check", name)
    assert text.count("passed") == 3
    assert "broken" not in text


@BOTH
def test_file_keeps_the_kind(capsys, tmp_path, name):
    path = tmp_path / "game.json"
    shown(capsys, "convert", name, str(path))
    assert read_game(path) == load_game(name)


def test_matrix_has_all_plans_and_coverages(capsys, tmp_path):
    patrol, guarded = str(tmp_path / "patrol.nfg"), str(tmp_path / "guarded.nfg")
    shown(capsys, "convert", "house_patrol", patrol)
    assert read_game(patrol) == harsanyi_transform(load_game("house_patrol")).target
    shown(capsys, "convert", "guarded_targets:targets=3", guarded)
    assert read_game(guarded) == security_to_normal(load_game("guarded_targets:targets=3"))


def test_tree_follows_from_the_matrix(capsys, tmp_path):
    path = tmp_path / "game.efg"
    shown(capsys, "convert", "house_patrol:houses=2,length=1,types=1", str(path))
    assert len(read_game(path).terminals) == 4


def test_matrix_that_is_too_large_is_refused(capsys):
    text = shown(capsys, "convert", "house_patrol:types=12", "--to", "nfg", code=2)
    assert "raise --max-profiles" in text


@BOTH
def test_pictures_and_horizons_are_refused(capsys, tmp_path, name):
    assert "a tree or an AEC game, but" in shown(
        capsys, "draw", name, str(tmp_path / "game.png"), code=2
    )
    text = shown(capsys, "convert", name, "--to", "nfg", "--horizon", "3", code=2)
    assert "no steps or moves" in text
