"""The command line of the solvers: what people see, what machines read, how it refuses."""

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from gametheory_core import NormalFormGame, certify_nash, load_game, pure_profile, write_game
from gametheory_core.__main__ import main as core_main
from gametheory_core.catalog import load
from gametheory_core.formats import certificate_record
from solvers import pure
from solvers.__main__ import main

TWO_BY_TWO = 'NFG 1 R "Choice" { "Ann" "Bob" } { 2 2 }\n\n3 1/2 0 0 0 0 2 3\n'


@pytest.fixture
def game_file(tmp_path):
    path = tmp_path / "choice.nfg"
    path.write_text(TWO_BY_TWO, encoding="utf-8")
    return str(path)


def answer_of(capsys, *arguments):
    assert main([*arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def refusal_of(capsys, *arguments):
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


def test_json_answer_has_the_documented_shape(capsys, game_file):
    answer = answer_of(capsys, game_file, "--concept", "all-nash")
    assert answer["schema"] == "gametheory-core/solution/1"
    assert answer["game"]["title"] == "Choice"
    assert answer["game"]["players"] == ["Ann", "Bob"]
    assert len(answer["game"]["digest"]) == 64
    assert (answer["concept"], answer["algorithm"]) == ("all-nash", "vertex_enumeration")
    assert answer["complete"] is True
    assert answer["seconds"] >= 0
    profiles = [solution["profile"] for solution in answer["solutions"]]
    assert {"kind": "mixed", "strategies": [["1", "0"], ["1", "0"]]} in profiles
    assert {"kind": "mixed", "strategies": [["6/7", "1/7"], ["2/5", "3/5"]]} in profiles
    for solution in answer["solutions"]:
        assert solution["certificate"]["kind"] == "nash"
        assert solution["certificate"]["epsilon"] == "0"
        assert all(isinstance(payoff, str) for payoff in solution["payoffs"])


def test_memory_limit_is_a_size_and_is_named_in_refusals(capsys):
    assert "raise max_bytes or the cap (--memory-limit)" in refusal_of(
        capsys, "leduc_poker", "--memory-limit", "1M"
    )
    assert main(["kuhn_poker", "--memory-limit", "0.5G"]) == 0


@pytest.mark.parametrize("size", ["0", "-1", "much", "1X", "nan"])
def test_memory_limits_that_are_no_sizes_are_refused(size, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["kuhn_poker", f"--memory-limit={size}"])
    assert "needs a size, such as 500M or 4G" in capsys.readouterr().err


def test_json_answer_of_a_tree_carries_the_file_s_numbers(capsys):
    answer = answer_of(capsys, "kuhn_poker", "--concept", "minimax")
    (solution,) = answer["solutions"]
    assert answer["complete"] is None
    assert solution["payoffs"] == ["-1/18", "1/18"]
    assert solution["certificate"]["kind"] == "minimax"
    infosets = solution["profile"]["infosets"]
    assert {entry["player"] for entry in infosets} == {1, 2}
    for player in (1, 2):
        numbers = [entry["number"] for entry in infosets if entry["player"] == player]
        assert sorted(numbers) == list(range(1, 7))
    for entry in infosets:
        assert len(entry["actions"]) == len(entry["probabilities"])
        assert sum(map(Fraction, entry["probabilities"])) == 1


@pytest.mark.parametrize("concept", ["nash", "all-nash", "pure-nash", "stackelberg"])
def test_solution_file_verifies_without_the_solver(capsys, tmp_path, game_file, concept):
    assert main([game_file, "--concept", concept, "--format", "json"]) == 0
    path = tmp_path / "answer.json"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    assert core_main(["verify", str(path)]) == 0
    assert "verified" in capsys.readouterr().out


def test_tampered_solution_file_is_rejected(capsys, tmp_path, game_file):
    assert main([game_file, "--format", "json"]) == 0
    text = capsys.readouterr().out
    answer = json.loads(text)
    path = tmp_path / "answer.json"
    (solution,) = answer["solutions"]
    for profile in (solution["profile"], solution["certificate"]["record"]["profile"]):
        profile["strategies"] = [["1/2", "1/2"], ["1/3", "2/3"]]
    path.write_text(json.dumps(answer), encoding="utf-8")
    assert core_main(["verify", str(path)]) == 1
    assert capsys.readouterr().err.startswith("REJECTED: ")


@pytest.mark.parametrize(
    ("game", "concept"),
    [
        ("battle_of_the_sexes", "all-nash"),
        ("battle_of_the_sexes", "pure-nash"),
        ("beer_quiche", "all-nash"),
        ("selten_horse", "pure-nash"),
    ],
)
def test_a_list_that_says_it_is_complete_is_proved_so(capsys, tmp_path, game, concept):
    path = tmp_path / "answer.json"
    answer = answer_of(capsys, game, "--concept", concept)
    path.write_text(json.dumps(answer), encoding="utf-8")
    assert core_main(["verify", str(path)]) == 0
    assert "complete" in capsys.readouterr().out
    path.write_text(json.dumps(answer | {"solutions": answer["solutions"] * 2}), encoding="utf-8")
    assert core_main(["verify", str(path)]) == 1
    assert "one of the answers is listed twice" in capsys.readouterr().err
    answer["solutions"].pop()
    path.write_text(json.dumps(answer), encoding="utf-8")
    assert core_main(["verify", str(path)]) == 1
    assert "the list that is proved complete is another one" in capsys.readouterr().err
    answer["completeness"]["profiles"].pop()
    path.write_text(json.dumps(answer), encoding="utf-8")
    assert core_main(["verify", str(path)]) == 1
    assert "REJECTED" in capsys.readouterr().err


def test_an_equilibrium_is_no_proof_of_a_quantal_response(capsys, tmp_path):
    answer = answer_of(capsys, "chicken", "--concept", "quantal-response")
    assert answer["solutions"][0]["certificate"]["kind"] == "quantal-response"
    equilibrium = answer_of(capsys, "chicken", "--concept", "nash")
    path = tmp_path / "answer.json"
    path.write_text(json.dumps(equilibrium | {"concept": "quantal-response"}), encoding="utf-8")
    assert core_main(["verify", str(path)]) == 1
    assert "only quantal-response proves what was asked for" in capsys.readouterr().err


ONLY_FIRST = NormalFormGame.bimatrix([[1, 1], [0, 0]], [[1, 0], [1, 0]])  # (1, 1) is all


@pytest.mark.parametrize(
    ("proof", "complaint"),
    [
        (certificate_record(pure(ONLY_FIRST).completeness), "this is about another game"),
        (
            certificate_record(certify_nash(ONLY_FIRST, pure_profile(ONLY_FIRST, (0, 0)))),
            "only compact-pure or pure-completeness proves that all answers to pure-nash are",
        ),
        (None, "there is no proof that these are all"),
    ],
)
def test_a_list_proved_complete_for_another_game_is_rejected(capsys, tmp_path, proof, complaint):
    answer = answer_of(capsys, "battle_of_the_sexes", "--concept", "pure-nash")
    answer["solutions"].pop()
    answer["completeness"] = proof
    path = tmp_path / "answer.json"
    path.write_text(json.dumps(answer), encoding="utf-8")
    assert core_main(["verify", str(path)]) == 1
    assert complaint in capsys.readouterr().err


def test_text_answer_shows_fractions_decimals_and_the_verdict(capsys):
    assert main(["kuhn_poker"]) == 0
    shown = capsys.readouterr().out
    for part in ("sequence_form_lp", "1/3", "0.333333", "-1/18", "verified", "exactly"):
        assert part in shown


def test_second_player_can_lead(capsys, game_file):
    first = answer_of(capsys, game_file, "--concept", "stackelberg", "--leader", "1")
    second = answer_of(capsys, game_file, "--concept", "stackelberg", "--leader", "2")
    assert Fraction(first["solutions"][0]["payoffs"][0]) == 3
    assert Fraction(second["solutions"][0]["payoffs"][1]) == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no_such_game"], "no_such_game"),
        (["missing.efg"], "missing.efg"),
        (["kuhn_poker:cards=two"], "cards"),
        (["prisoners_dilemma", "--concept", "minimax"], "constant-sum) game, but payoffs at"),
        (["matching_pennies", "--algorithm", "magic"], "Choose from"),
        (["matching_pennies", "--concept", "stackelberg", "--leader", "3"], "1..2, but got 3"),
        (["matching_pennies", "--time-limit", "-1"], "at least 0, but got -1"),
        (["matching_pennies", "--time-limit", "nan"], "at least 0, but got nan"),
        (["absent_minded_driver"], "forgets"),
        (
            ["leduc_poker", "--algorithm", "sequence_form_lp", "--memory-limit", "4M"],
            "--memory-limit",
        ),
    ],
)
def test_refusals_are_one_line_and_exit_2(capsys, arguments, message):
    assert message in refusal_of(capsys, *arguments)


def test_malformed_file_names_line_and_column(capsys, tmp_path):
    path = tmp_path / "bad.nfg"
    path.write_text('NFG 1 R "Choice" { "Ann" "Bob" } { 2 2 }\n\n3 1/2 0 0 0 oops 2 3\n', "utf-8")
    message = refusal_of(capsys, str(path))
    assert "bad.nfg" in message
    assert "line 3, column 13" in message
    assert "oops" in message


def test_directory_is_refused(capsys, tmp_path):
    assert str(tmp_path) in refusal_of(capsys, str(tmp_path))


def test_time_limit_shows_the_best_certified_answer(capsys):
    assert main(["leduc_poker", "--time-limit", "0", "--format", "json"]) == 3
    captured = capsys.readouterr()
    answer = json.loads(captured.out)
    assert Fraction(answer["solutions"][0]["certificate"]["epsilon"]) > 0
    assert captured.err.strip()


def test_written_catalogue_game_gives_the_same_answer(capsys, tmp_path):
    path = tmp_path / "kuhn.efg"
    write_game(load("kuhn_poker"), path)
    from_file = answer_of(capsys, str(path), "--concept", "minimax")
    from_rules = answer_of(capsys, "kuhn_poker", "--concept", "minimax")
    assert from_file["game"]["digest"] == from_rules["game"]["digest"]
    assert from_file["solutions"] == from_rules["solutions"]


def test_closed_pipe_is_quiet():
    done = subprocess.run(
        f'"{sys.executable}" -m solvers kuhn_poker --format json | head -n 1',
        shell=True,
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
        env=os.environ,
    )
    assert done.stdout == "{\n"
    assert done.stderr == ""


def test_duplicate_labels_are_renamed_on_request(capsys, tmp_path):
    path = tmp_path / "game.nfg"
    path.write_text('NFG 1 R "" { "A" "B" } { { "l" "l" } { "c" } } 0 0 1 0', encoding="utf-8")
    assert main([str(path)]) == 2
    assert "--rename-duplicate-labels" in capsys.readouterr().err
    assert main([str(path), "--rename-duplicate-labels"]) == 0
    assert "l (2)" in capsys.readouterr().out


def test_a_spreadsheet_is_solved_as_the_game_that_it_holds(capsys, tmp_path):
    sheet = tmp_path / "game.csv"
    sheet.write_bytes(
        "\ufeff;links;rechts\r\noben;2,5 | 1;0 | 0\r\nunten;0 | 0;1 | 2,5\r\n".encode()
    )
    assert main([str(sheet), "--concept", "pure-nash"]) == 0
    shown = capsys.readouterr().out
    assert "oben" in shown
    assert "5/2" in shown
    sheet.write_text(",l\nu,x\n")
    assert main([str(sheet)]) == 2
    said = capsys.readouterr().err
    assert f"{sheet}, line 2, column 3 (cell B2): needs a pair of payoffs" in said
    assert said.count("\n") == 1


def test_matrices_are_converted_to_spreadsheets_and_back(capsys, tmp_path):
    sheet, back = tmp_path / "game.csv", tmp_path / "game.nfg"
    assert core_main(["convert", "chicken", str(sheet)]) == 0
    assert core_main(["convert", str(sheet), str(back)]) == 0
    assert load_game(back) == load("chicken")
    assert core_main(["convert", "kuhn_poker", str(tmp_path / "plans.csv")]) == 0
    assert core_main(["convert", "kuhn_poker", str(sheet), "--to", "efg"]) == 2
    assert "ends in .efg or .json" in capsys.readouterr().err


def test_rounded_chance_is_recovered_if_asked(capsys, tmp_path):
    file = tmp_path / "die.efg"
    ends = " ".join(f't "" {k} "" {{ {k} }}' for k in (1, 2, 3))
    sides = '"1" 0.3333333333333333 "2" 0.3333333333333333 "3" 0.3333333333333333'
    file.write_text(f'EFG 2 R "die" {{ "A" }} c "" 1 "" {{ {sides} }} 0 {ends}')
    assert core_main(["describe", str(file)]) == 2
    assert "--recover on the command line" in capsys.readouterr().err
    assert core_main(["describe", str(file), "--recover"]) == 0


def test_numbers_of_json_files_are_read_as_decimals_if_asked(capsys, tmp_path):
    file = tmp_path / "game.json"
    write_game(load("matching_pennies"), file)
    record = json.loads(file.read_text())
    record["payoffs"][0] = 0.1
    file.write_text(json.dumps(record))
    assert core_main(["describe", str(file)]) == 2
    assert "--decimals" in capsys.readouterr().err
    assert core_main(["convert", str(file), "--decimals", "--to", "nfg"]) == 0
    assert "1/10" in capsys.readouterr().out


def test_games_whose_states_are_pairs_are_written_as_json(capsys):
    concept = ["--concept", "markov-stackelberg"]
    assert main(["bilateral_trade:steps=2,prices=2", *concept, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)
