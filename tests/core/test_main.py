"""The core's command line: what it shows, what it writes, how it refuses."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import formats
from gametheory_core.__main__ import main
from gametheory_core.catalog import catalog
from gametheory_core.commands import arguments
from gametheory_core.formats.gambit_text import DuplicateLabels
from tests.sample_sizes import many

ROOT = Path(__file__).parents[2]
UMBRELLA = str(ROOT / "docs" / "examples" / "games" / "umbrella.efg")
ENTRY = str(ROOT / "docs" / "examples" / "games" / "entry.nfg")


def solution_record(tree, profile):
    """A solution file as ``python -m solvers`` writes it, with one solution."""
    certificate = gt.certify_nash(tree, profile)
    return {
        "schema": "gametheory-core/solution/1",
        "game": {
            "title": tree.title,
            "digest": tree.digest,
            "players": list(tree.players),
            "record": formats.game_record(tree),
        },
        "concept": "nash",
        "complete": None,
        "solutions": [
            {
                "profile": formats.profile_record(tree, profile),
                "payoffs": list(map(str, certificate.payoffs)),
                "certificate": {
                    "kind": certificate.kind,
                    "epsilon": str(certificate.epsilon),
                    "statement": certificate.statement,
                    "record": formats.claim_record(certificate),
                },
            }
        ],
    }


def small_records():
    """A certificate of a matrix, of a tree, and a solution."""
    matrix, tree = gt.load_game("matching_pennies"), gt.load_game(UMBRELLA)
    profile = gt.uniform_behavior(tree)
    return [
        formats.certificate_record(gt.certify_nash(matrix, gt.uniform_profile(matrix))),
        formats.certificate_record(gt.certify_nash(tree, profile)),
        solution_record(tree, profile),
    ]


def save(folder, record):
    path = folder / "record.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    return str(path)


def refusal(capsys, *arguments, code=2):
    assert main(arguments) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "Traceback" not in captured.err
    return captured.err


def test_list_names_every_game_of_the_catalogue(capsys):
    assert main(["list"]) == 0
    shown = capsys.readouterr().out
    assert len(catalog()) > 10
    for entry in catalog().values():
        assert entry.name in shown


def test_describe_shows_sizes_and_witnesses_of_a_tree(capsys):
    assert main(["describe", UMBRELLA]) == 0
    shown = capsys.readouterr().out
    assert "Walker, Lender" in shown
    assert "11, of which 6 end the game" in shown
    assert "cannot tell ('rain',) from ('sun',)" in shown
    assert "perfect recall: yes" in shown
    assert gt.load_game(UMBRELLA).digest in shown


def test_describe_takes_catalogue_games(capsys):
    assert main(["describe", "matching_pennies"]) == 0
    shown = capsys.readouterr().out
    assert "zero-sum: yes" in shown
    assert "degenerate: no" in shown


@pytest.mark.parametrize("suffix", [".efg", ".json"])
def test_convert_keeps_the_game(capsys, tmp_path, suffix):
    target = str(tmp_path / f"game{suffix}")
    assert main(["convert", UMBRELLA, target]) == 0
    assert "wrote" in capsys.readouterr().out
    assert gt.read_game(target).digest == gt.load_game(UMBRELLA).digest


def test_convert_takes_trees_to_matrices(capsys, tmp_path):
    target = str(tmp_path / "game.nfg")
    assert main(["convert", UMBRELLA, target]) == 0
    assert "wrote" in capsys.readouterr().out
    assert gt.read_game(target).num_actions == (2, 2)


def test_duplicate_labels_are_renamed_only_on_request(capsys, tmp_path):
    path = tmp_path / "game.nfg"
    path.write_text('NFG 1 R "" { "A" "A" } { 1 1 } 0 0', encoding="utf-8")
    assert "line 1, column 22" in refusal(capsys, "describe", str(path))
    assert main(["describe", str(path), "--rename-duplicate-labels"]) == 0
    assert "A, A (2)" in capsys.readouterr().out


def test_repeated_branches_of_chance_are_renamed_and_exported(capsys, tmp_path):
    """As Gambit's own examples have them; the refusal names the option."""
    path, target = tmp_path / "game.efg", str(tmp_path / "named.efg")
    chance = 'c "" 1 "" { "deal" 1/2 "deal" 1/4 "" 1/4 } 0'
    ends = " ".join(f't "" {k} "" {{ {k} }}' for k in (1, 2, 3))
    path.write_text(f'EFG 2 R "" {{ "A" }} {chance} {ends}', encoding="utf-8")
    complaint = refusal(capsys, "convert", str(path), target)
    assert "'deal' stands at positions 1 and 2" in complaint
    assert "--rename-duplicate-labels" in complaint
    assert main(["convert", str(path), target, "--rename-duplicate-labels"]) == 0
    named = gt.read_game(target)
    assert named.infosets[0].actions == ("deal", "deal (2)", "")
    assert named.digest == gt.load_game(path, duplicates=DuplicateLabels.RENAME).digest


@pytest.mark.parametrize("index", range(3))
def test_verify_accepts_true_records(capsys, tmp_path, index):
    assert main(["verify", save(tmp_path, small_records()[index])]) == 0
    assert capsys.readouterr().out.startswith("verified: ")


def test_verify_rejects_a_false_number(capsys, tmp_path):
    record = small_records()[0]
    record["deviation_gains"] = ["0", "1"]
    shown = refusal(capsys, "verify", save(tmp_path, record), code=1)
    assert shown.startswith("REJECTED: nash certificate: claims deviation gains (0, 1)")


def change(record, path, value):
    """Set the entry at a path of keys and indices."""
    *way, last = path
    for key in way:
        record = record[key]
    record[last] = value


INFOSET = ("solutions", 0, "profile", "infosets", 0)
CLAIM = ("solutions", 0, "certificate")


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ((*INFOSET, "probabilities"), ["1", "0"], "solutions[0].profile"),
        ((*INFOSET, "actions"), ["other", "words"], "solutions[0].profile"),
        ((*INFOSET, "label"), "elsewhere", "solutions[0].profile"),
        ((*INFOSET, "player"), True, "solutions[0].profile"),
        ((*INFOSET, "player"), 1.0, "solutions[0].profile"),
        (("solutions", 0, "payoffs", 0), "7", "solutions[0].payoffs"),
        ((*CLAIM, "kind"), "minimax", "solutions[0].certificate.kind"),
        ((*CLAIM, "epsilon"), "0", "solutions[0].certificate.epsilon"),
        ((*CLAIM, "statement"), "all is well", "solutions[0].certificate.statement"),
        (("concept",), "subgame-perfect", "solutions[0].certificate.kind"),
        (("game", "record", "outcomes", 0, "payoffs", 0), "7", "game.digest"),
        (("game", "players"), ["Lender", "Walker"], "game.players"),
        (("game", "title"), "Another game", "game.title"),
    ],
)
def test_verify_rejects_whatever_is_shown_and_not_certified(capsys, tmp_path, path, value, where):
    record = small_records()[2]
    change(record, path, value)
    shown = refusal(capsys, "verify", save(tmp_path, record), code=1)
    assert f" at {where}: needs to show what is certified" in shown


def test_verify_refuses_a_key_that_stands_twice(capsys, tmp_path):
    path = Path(save(tmp_path, small_records()[2]))
    text = path.read_text(encoding="utf-8")
    path.write_text(text[:-1] + ', "solutions": []}', encoding="utf-8")
    assert "the key 'solutions' stands twice" in refusal(capsys, "verify", str(path))


@pytest.mark.parametrize("complete", [None, False])
def test_verify_rejects_a_solution_file_without_any_certificate(capsys, tmp_path, complete):
    record = {**small_records()[2], "solutions": [], "complete": complete}
    shown = refusal(capsys, "verify", save(tmp_path, record), code=1)
    assert "solutions: needs to show what is certified, but there is no answer, and" in shown


def test_unknown_schema_is_named(capsys, tmp_path):
    shown = refusal(capsys, "verify", save(tmp_path, {"schema": "gametheory-core/certificate/2"}))
    assert "at schema: needs one of 'gametheory-core/certificate/1'" in shown
    assert 'found "gametheory-core/certificate/2"' in shown


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"schema": 1}', "[" * 100_000, "9" * 5000, '{"schema": "\\ud800"}'],
    ids=range(8),
)
def test_verify_refuses_what_is_no_record(capsys, tmp_path, text):
    path = tmp_path / "record.json"
    path.write_text(text, encoding="utf-8")
    assert "record.json" in refusal(capsys, "verify", str(path))


def places_of(value):
    """Every place below the top of a JSON value, as a path of keys."""
    found, pending = [], [((), value)]
    while pending:
        path, inner = pending.pop()
        found.append(path)
        if isinstance(inner, dict):
            pending.extend(((*path, key), item) for key, item in inner.items())
        elif isinstance(inner, list):
            pending.extend(((*path, key), item) for key, item in enumerate(inner))
    return found[1:]


@many
@given(st.data())
def test_damaged_record_is_verified_refused_or_rejected(data):
    """One value replaced or removed anywhere: never any other exception."""
    record = json.loads(json.dumps(data.draw(st.sampled_from(small_records()))))
    *path, last = data.draw(st.sampled_from(places_of(record)))
    holder = record
    for key in path:
        holder = holder[key]
    worst = [None, True, 0, -1, 7, 2**40, "", "x", "1/0", "1e999999999", "-1/2", "2", [], {}, [[]]]
    if data.draw(st.booleans()):
        del holder[last]
    else:
        holder[last] = data.draw(st.sampled_from(worst))
    try:
        formats.verified_certificates(formats.Checked(record, "", "record"))
    except gt.GameTheoryError as error:
        assert isinstance(error, gt.CertificateRejected) or str(error).startswith("record")  # noqa: PT017


@pytest.mark.parametrize("command", ["describe", "verify"])
def test_missing_file_and_folder_are_refused(capsys, tmp_path, command):
    assert "No such file" in refusal(capsys, command, str(tmp_path / "none.json"))
    folder = tmp_path / "folder.json"
    folder.mkdir()
    assert "Is a directory" in refusal(capsys, command, str(folder))


def test_file_that_may_not_be_read_is_refused(capsys, monkeypatch):
    def forbid(_path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", forbid)
    assert "Permission denied" in refusal(capsys, "describe", ENTRY)


def test_unknown_game_is_refused_with_close_names(capsys):
    assert "Did you mean matching_pennies" in refusal(capsys, "describe", "matching_penies")


def test_folder_that_is_not_there_is_refused(capsys, tmp_path):
    target = str(tmp_path / "none" / "game.nfg")
    assert "No such file" in refusal(capsys, "convert", ENTRY, target)


def test_interruption_ends_with_its_own_code(capsys, monkeypatch):
    def interrupt(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(arguments, "load_game", interrupt)
    assert "interrupted" in refusal(capsys, "describe", ENTRY, code=130)


def test_information_set_given_twice_is_refused(capsys, tmp_path):
    record = small_records()[1]
    infosets = record["profile"]["infosets"]
    infosets.append(infosets[0])
    shown = refusal(capsys, "verify", save(tmp_path, record))
    assert "profile.infosets[2]: needs each information set once" in shown


def test_certificate_of_another_kind_of_game_is_refused(capsys, tmp_path):
    record = {**small_records()[1], "kind": "completeness", "profiles": []}
    shown = refusal(capsys, "verify", save(tmp_path, record))
    assert "at kind: needs a certificate for ExtensiveFormGame" in shown


@pytest.mark.parametrize("name", ["entry.nfg", "umbrella.efg"])
def test_verify_of_a_game_says_that_it_is_one_and_what_to_do(capsys, name):
    complaint = refusal(capsys, "verify", f"docs/examples/games/{name}")
    assert f"{name} is a file of a game" in complaint
    assert "--format json > answer.json" in complaint


@pytest.mark.parametrize("arguments", [["convert"], ["describe", "chicken", "--max-sates", "3"]])
def test_wrong_options_are_told_on_one_line_without_the_usage(capsys, arguments):
    with pytest.raises(SystemExit, match="2") as left:
        main(arguments)
    assert left.value.code == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "usage:" not in told
    assert "--help" in told


def test_file_endings_are_named_where_a_name_looks_like_a_file(capsys):
    assert ".nfg, .efg, .csv or .json" in refusal(capsys, "describe", "entry.txt")
    assert ".nfg" not in refusal(capsys, "describe", "chickn")
