"""``convert``: every kind of game to every other kind, in files and on stdout."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import gametheory_core as gt
from gametheory_core import conversions
from gametheory_core.__main__ import main
from gametheory_core.commands.convert import MAX_NODES, MAX_STATES, Limits, converted
from gametheory_core.formats import parse_efg, parse_json, parse_nfg, rules_from
from gametheory_core.games import stop_aec, stop_posg

ROOT = Path(__file__).parents[3]
UMBRELLA = str(ROOT / "docs" / "examples" / "games" / "umbrella.efg")


def refusal(capsys, *arguments):
    assert main(["convert", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "Traceback" not in captured.err
    return captured.err


def posg_table(rules):
    return conversions.label_by_text(conversions.posg_to_tabular(rules).target).target


def aec_table(rules):
    return conversions.label_by_text(conversions.aec_to_tabular(rules).target).target


def chicken():
    return gt.load_game("chicken")


def team():
    return gt.load_game("random_order_team")


EXPECTED = {
    ("chicken", "posg"): lambda: posg_table(conversions.normal_to_posg(chicken()).target),
    ("chicken", "aec"): lambda: aec_table(
        conversions.posg_to_aec(
            conversions.posg_to_tabular(conversions.normal_to_posg(chicken()).target).target
        ).target
    ),
    ("chicken", "efg"): lambda: gt.normal_to_extensive(chicken()).target,
    ("chicken", "nfg"): chicken,
    ("chicken", "json"): chicken,
    (UMBRELLA, "aec"): lambda: aec_table(
        conversions.extensive_to_aec(gt.load_game(UMBRELLA)).target
    ),
    (UMBRELLA, "posg"): lambda: posg_table(
        conversions.aec_to_posg(
            conversions.aec_to_tabular(
                conversions.extensive_to_aec(gt.load_game(UMBRELLA)).target
            ).target
        ).target
    ),
    (UMBRELLA, "nfg"): lambda: gt.extensive_to_normal(gt.load_game(UMBRELLA)).target,
    (UMBRELLA, "efg"): lambda: gt.load_game(UMBRELLA),
    (UMBRELLA, "json"): lambda: gt.load_game(UMBRELLA),
    ("tiger:horizon=1", "aec"): lambda: aec_table(
        conversions.posg_to_aec(
            conversions.posg_to_tabular(gt.load_game("tiger:horizon=1")).target
        ).target
    ),
    ("tiger:horizon=1", "efg"): lambda: (
        gt.posg_to_extensive(gt.load_game("tiger:horizon=1")).target
    ),
    ("tiger:horizon=1", "nfg"): lambda: (
        gt.extensive_to_normal(gt.posg_to_extensive(gt.load_game("tiger:horizon=1")).target).target
    ),
    ("tiger:horizon=1", "json"): lambda: posg_table(gt.load_game("tiger:horizon=1")),
    ("tiger:horizon=1", "posg"): lambda: posg_table(gt.load_game("tiger:horizon=1")),
    ("random_order_team", "posg"): lambda: posg_table(
        conversions.aec_to_posg(conversions.aec_to_tabular(team()).target).target
    ),
    ("random_order_team", "efg"): lambda: gt.aec_to_extensive(team()).target,
    ("random_order_team", "nfg"): lambda: (
        gt.extensive_to_normal(gt.aec_to_extensive(team()).target).target
    ),
    ("random_order_team", "aec"): lambda: aec_table(team()),
}


def parsed(text):
    """The game in a text, whichever format it is in."""
    if text.startswith("NFG"):
        return parse_nfg(text)
    if text.startswith("EFG"):
        return parse_efg(text)
    record = parse_json(text, name="stdout")
    if record["kind"].value in {"posg", "aec"}:
        return rules_from(record)
    from gametheory_core.formats import game_from

    return game_from(record)


@pytest.mark.parametrize(("name", "kind"), EXPECTED, ids=lambda value: Path(value).stem)
def test_every_kind_becomes_every_kind_on_stdout_and_in_a_file(capsys, tmp_path, name, kind):
    expected = EXPECTED[name, kind]()
    assert main(["convert", name, "--to", kind]) == 0
    piped = parsed(capsys.readouterr().out)
    assert piped.digest == expected.digest
    assert piped.title == expected.title
    target = tmp_path / "game.json"
    assert main(["convert", name, str(target), "--to", kind]) == 0
    assert capsys.readouterr().out == f"wrote {expected!r} to {target}\n"
    assert gt.read_game(target).digest == expected.digest
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_suffix_decides_where_nothing_is_asked_for(capsys, tmp_path):
    for suffix, kind in ((".efg", "efg"), (".nfg", "nfg"), (".json", "json")):
        target = tmp_path / f"game{suffix}"
        assert main(["convert", "tiger:horizon=1", str(target)]) == 0
        assert gt.read_game(target).digest == EXPECTED["tiger:horizon=1", kind]().digest
    assert capsys.readouterr().out.count("wrote ") == 3


def test_kuhn_poker_as_aec_game_and_back_is_the_same_tree(tmp_path):
    first, back = str(tmp_path / "kuhn.json"), str(tmp_path / "kuhn.efg")
    assert main(["convert", "kuhn_poker", first, "--to", "aec"]) == 0
    assert main(["convert", first, back]) == 0
    returned = conversions.canonical_tree(gt.read_game(back)).target
    original = conversions.canonical_tree(gt.load_game("kuhn_poker")).target
    assert returned.num_nodes == original.num_nodes == 55
    assert (returned.exact_terminal_payoffs == original.exact_terminal_payoffs).all()
    assert [s.probabilities for s in returned.infosets] == [
        s.probabilities for s in original.infosets
    ]


def test_simulation_is_warned_about_on_stderr_only(capsys):
    assert main(["convert", "random_order_team", "--to", "posg"]) == 0
    shown = capsys.readouterr()
    assert shown.err.startswith(
        "warning: the POSG only simulates the AEC game: player '1' reaches information state "
        "(NULL,) after 1 move and also after 2 moves."
    )
    assert shown.err.count("\n") == 1
    assert parsed(shown.out).num_joint_actions == 9  # two actions, or idle, each


def test_equivalence_is_not_warned_about(capsys):
    assert main(["convert", "reversing_order", "--to", "posg"]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert parsed(shown.out).title == "Reversing order"


def test_labels_that_json_cannot_hold_are_written_as_texts_and_said(capsys):
    assert main(["convert", "pursuit_paid_after:side=2", "--to", "json"]) == 0
    shown = capsys.readouterr()
    assert (
        shown.err
        == "note: observations are written as texts, because JSON cannot hold their labels.\n"
    )
    table = parsed(shown.out)
    rules = gt.load_game("pursuit_paid_after:side=2")
    assert (
        gt.expected_returns(table, gt.uniform_policies(table)).tolist()
        == gt.expected_returns(rules, gt.uniform_policies(rules)).tolist()
    )


@pytest.mark.parametrize(
    ("name", "stop", "steps"), [("rir_rps", stop_posg, 1), ("reversing_order", stop_aec, 3)]
)
def test_horizon_stops_rules(capsys, name, stop, steps):
    options = {"steps" if stop is stop_posg else "moves": steps}
    stopped = stop(gt.load_game(name), **options)
    assert main(["convert", name, "--to", "json", "--horizon", str(steps)]) == 0
    table = parsed(capsys.readouterr().out)
    assert table.horizon == steps
    uniform = gt.uniform_policies(stopped)
    assert (
        gt.expected_returns(table, gt.uniform_policies(table)).tolist()
        == gt.expected_returns(stopped, uniform).tolist()
    )


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("chicken",), "needs a FILE or --to, but got neither. Give --to aec|posg|efg|nfg|json."),
        (("chicken", "--to", "aec", "--horizon", "2"), "--horizon: needs the rules of a POSG or"),
        (
            ("tiger:horizon=8", "--to", "efg"),
            "Give a shorter horizon (--horizon N), or raise --max-nodes.",
        ),
        (("forgetful_bit", "--to", "aec"), "extensive_to_aec: needs perfect recall, but player"),
        (("tiger", "--to", "efg", "--max-nodes", "1000"), "at most --max-nodes = 1,000 nodes, but"),
        (("tiger", "--to", "aec", "--max-states", "9"), "at most --max-states = 9 pairs of state"),
        (("reversing_order", "--to", "efg", "--max-nodes", "100"), "--max-nodes = 100 nodes, but"),
        (("reversing_order", "--to", "posg", "--max-states", "100"), "or raise --max-states."),
        (
            ("random_order_team", "--to", "efg", "--max-states", "2"),
            "(--horizon N), or raise --max-states.",
        ),
        (("leduc_poker", "--to", "nfg"), "or raise --max-profiles."),
        (
            ("one_card_poker", "--to", "nfg", "--max-profiles", "3"),
            "at most --max-profiles = 3 joint",
        ),
        (("no_such_game", "--to", "aec"), "catalogue: needs the name of a game"),
    ],
)
def test_refusals_are_one_line_and_write_nothing(capsys, tmp_path, arguments, complaint):
    assert complaint in refusal(capsys, *arguments)
    if len(arguments) > 1:
        target = str(tmp_path / "game.json")
        assert complaint in refusal(capsys, arguments[0], target, *arguments[1:])
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("file", "options", "complaint"),
    [
        (
            "game.efg",
            ("--to", "aec"),
            "needs a file name that ends in .json, but it ends in '.efg'",
        ),
        ("game.nfg", ("--to", "efg"), "ends in .efg or .json, but it ends in '.nfg'"),
        ("game", ("--to", "json"), "needs a file name that ends in .json, but it ends in ''"),
        ("game.txt", (), "ends in .nfg or .efg or .csv or .json, but it ends in '.txt'"),
        ("none/game.json", (), "No such file"),
    ],
)
def test_file_that_does_not_fit_is_refused(capsys, tmp_path, file, options, complaint):
    assert complaint in refusal(capsys, "tiger", str(tmp_path / file), *options)
    assert not list(tmp_path.iterdir())


def test_old_file_stays_when_the_conversion_fails(capsys, tmp_path):
    target = tmp_path / "game.json"
    target.write_text("old", encoding="utf-8")
    refusal(capsys, "forgetful_bit", str(target), "--to", "aec")
    assert target.read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize("word", ["many", "-1", "0", "1.5"])
@pytest.mark.parametrize("option", ["--max-nodes", "--max-states", "--max-profiles"])
def test_size_below_one_is_refused(capsys, option, word):
    with pytest.raises(SystemExit, match="2"):
        main(["convert", "tiger", "--to", "efg", f"{option}={word}"])
    shown = capsys.readouterr().err
    assert f"argument {option}: needs a whole number of at least 1, but got {word!r}" in shown


@pytest.mark.parametrize(
    ("most", "moves"), [(2_000, r"\d"), pytest.param(MAX_STATES, "6", marks=pytest.mark.slow)]
)
def test_rules_far_too_large_are_refused_before_long(most, moves):
    """Of more than 10^16 positions as many are looked at as, by default, a few seconds allow."""
    with pytest.raises(gt.UnsupportedGame, match=f"has more than {most:,} within {moves} moves"):
        converted(gt.load_game("take_away"), "json", Limits(MAX_NODES, most, 1))


def test_posg_that_surely_ends_needs_no_horizon(capsys, tmp_path):
    path, target = str(tmp_path / "team.json"), str(tmp_path / "team.efg")
    assert main(["convert", "random_order_team", path, "--to", "posg"]) == 0
    assert gt.read_game(path).horizon is None
    assert main(["convert", path, target]) == 0
    assert gt.read_game(target).digest == gt.posg_to_extensive(gt.read_game(path)).target.digest


def test_posg_that_need_not_end_is_refused_by_option(capsys, tmp_path):
    path = tmp_path / "endless.json"
    gt.write_game(replace(posg_table(gt.load_game("tiger")), horizon=None), path)
    shown = refusal(capsys, str(path), "--to", "efg")
    assert "need not end by itself. Give --horizon N, a number of steps." in shown
    assert main(["convert", str(path), "--to", "efg", "--horizon", "1"]) == 0


@pytest.mark.parametrize("word", ["many", "-1", "1.5", "9" * 30])
def test_horizon_that_is_no_number_is_refused(capsys, word):
    with pytest.raises(SystemExit, match="2"):
        main(["convert", "rir_rps", "--to", "efg", f"--horizon={word}"])
    assert "needs a whole number of at least 0, but got" in capsys.readouterr().err


def test_piped_json_is_utf8_in_any_locale(tmp_path):
    path = tmp_path / "game.nfg"
    path.write_text('NFG 1 R "Überzahl" { "Jörg" "B" } { 1 1 } 0 0', encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "gametheory_core", "convert", str(path), "--to", "posg"],
        capture_output=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"},
    )
    assert parsed(done.stdout.decode("utf-8")).players == ("Jörg", "B")


def test_reader_that_goes_away_is_no_error():
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "gametheory_core", "convert", "kuhn_poker", "--to", "aec"],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        cwd=ROOT,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")
