"""Studies by name, and the command that makes them."""

import json
import os

import pytest

from gametheory_core.errors import InvalidArgument, MissingDependency
from learners.__main__ import main
from learners.experiments import config_from, run
from learners.studies import Kind, Piece, Request, Study, declare_studies, reproduce, study_named
from learners.studies.registry import STUDIES

SMALL = ["--scale", "0.01", "--seeds", "0", "--quiet"]


def half_made(request):
    raise InvalidArgument(needs="something else")


def lacking(request):
    raise MissingDependency("t-SNE needs a library. Run pip install 'gametheory-core[study]'.")


OWN = Study(
    name="own",
    title="A study of one's own",
    source="nobody",
    takes="no time",
    pieces=(
        Piece(Kind.FIGURE, 7, "nothing", lambda request: {"seven.txt": b"7"}),
        Piece(Kind.FIGURE, 8, "nothing at all", half_made),
    ),
)
LACKING = Study(
    name="lacking",
    title="A study of which one figure cannot be made here",
    source="nobody",
    takes="no time",
    pieces=(Piece(Kind.FIGURE, 1, "what is lacking", lacking), OWN.pieces[0]),
)


def test_a_study_of_ones_own_is_one_declaration(tmp_path, monkeypatch):
    monkeypatch.setattr("learners.studies.registry.STUDIES", {})
    monkeypatch.setattr("learners.studies.registry.defined_at", {"papers.own:STUDY": OWN}.get)
    declare_studies("papers", {"own": "own:STUDY"})
    made = reproduce(study_named("own").chosen(figures=[7]), Request(tmp_path))
    assert made == {"figure 7": (tmp_path / "seven.txt",)}
    assert (tmp_path / "seven.txt").read_bytes() == b"7"


def test_what_cannot_be_made_leaves_no_file(tmp_path):
    with pytest.raises(InvalidArgument, match="needs something else"):
        reproduce(OWN.chosen(figures=[8]), Request(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_needs_a_missing_library_is_left_out_and_the_rest_is_made(
    tmp_path, capsys, monkeypatch, form
):
    monkeypatch.setattr("learners.command_line.study_named", lambda _: LACKING)
    command = ["reproduce", "lacking", "--out", str(tmp_path), "--format", form]
    assert main(command) == 3
    shown = capsys.readouterr()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["seven.txt", "study.txt"]
    assert "figure 1 was left out: t-SNE needs a library. Run pip install" in shown.err
    if form == "json":
        found = json.loads(shown.out)
        assert (set(found["files"]), set(found["left_out"])) == ({"figure 7"}, {"figure 1"})
    assert main([*command, "--figure", "1"]) == 2  # nothing at all could be made
    with pytest.raises(MissingDependency, match="needs a library"):
        reproduce(LACKING.pieces, Request(tmp_path))


def test_all_is_chosen_by_default_and_in_the_order_of_the_study():
    assert OWN.chosen() == OWN.pieces
    assert [piece.number for piece in OWN.chosen(figures=[8, 7])] == [7, 8]


@pytest.mark.parametrize("asked", [[], *([name] for name in STUDIES)], ids=str)
def test_list_shows_studies_with_figures_and_tables(capsys, asked):
    assert main(["reproduce", *asked, "--list"]) == 0
    shown = capsys.readouterr().out
    assert len(STUDIES) > 1
    for name in STUDIES:
        study = study_named(name)
        assert (study.title in shown) == (asked in ([], [name]))
        for piece in study.pieces if study.title in shown else ():
            assert piece.name in shown
            assert piece.words in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rirps"], "no study 'rirps'. Did you mean rirrps? Studies are fair_leaders"),
        (["rirrps", "--figure", "12"], "rirrps has no figure 12. It has figure 1, "),
        (["rirrps", "--table", "3"], "rirrps has no table 3. It has figure 1, "),
        (["rirrps", "--scale", "0"], "needs a finite scale above 0 and at most 1000"),
        (["rirrps", "--scale", "-1"], "needs a finite scale above 0"),
        (["rirrps", "--scale", "nan"], "needs a finite scale above 0"),
        (["rirrps", "--scale", "1e9"], "needs a finite scale above 0 and at most 1000"),
        (["rirrps", "--scale", "x"], "--scale: invalid float value: 'x'"),
        (["rirrps", "--jobs", "0"], "--jobs: needs at least one run at once, or -1"),
        (["rirrps", "--jobs", "-2"], "--jobs: needs at least one run at once, or -1"),
        (["rirrps", "--seeds", "x"], "--seeds: needs numbers"),
        (["rirrps", "--seeds", "3-"], "--seeds: needs numbers, such as 0,1,2 or 0-9, but got '3-'"),
        (["rirrps", "--seeds", "0,0"], "needs at least one seed, each once, but got (0, 0)"),
        ([], "reproduce: needs the name of a study, but got none. Studies are fair_leaders"),
        (["rirps", "--list"], "no study 'rirps'. Did you mean rirrps?"),
    ],
)
def test_refusals_are_one_line_and_leave_nothing(tmp_path, capsys, arguments, message):
    out = tmp_path / "out"
    try:
        code = main(["reproduce", *arguments, "--out", str(out)])
    except SystemExit as error:
        code = error.code
    shown = capsys.readouterr()
    assert code == 2
    assert message in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""
    assert not out.exists()


def test_no_folder_is_not_the_one_where_one_stands(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for command in (["reproduce", "rirrps"], ["train", "config.toml"]):
        with pytest.raises(SystemExit, match="2"):
            main([*command, "--out", ""])
        assert "--out: needs the name of a folder, but got ''" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def train_a_little(request):
    table = {
        "game": {"name": "matching_pennies"},
        "learner": {"name": "QLearning"},
        "training": {"iterations": request.scaled(2)},
        "output": str(request.folder / "runs"),
    }
    run(config_from(table, path="test.toml"), 0)
    return {}


def test_a_smaller_scale_than_that_of_the_runs_is_refused_by_its_name(tmp_path):
    pieces = (Piece(Kind.FIGURE, 1, "a run", train_a_little),)
    for scale in (1, 2, 2):
        reproduce(pieces, Request(tmp_path, scale=scale))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    said = r"seed-0.jsonl: needs a --scale of at least that of the runs in .*, but 1 asks for less"
    with pytest.raises(InvalidArgument, match=said):
        reproduce(pieces, Request(tmp_path, scale=1))
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}


def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_made(tmp_path, capsys):
    file = tmp_path / "file"
    file.write_text("")
    assert main(["reproduce", "rirrps", "--table", "1", "--out", str(file / "in")]) == 2
    assert "needs a folder that can be written, but: " in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(os.name == "nt" or os.getuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_refused(tmp_path, capsys):
    tmp_path.chmod(0o500)
    assert main(["reproduce", "rirrps", "--table", "1", "--out", str(tmp_path)]) == 2
    assert "no permission" in capsys.readouterr().err


def test_json_names_the_files_that_were_written(tmp_path, capsys):
    command = ["reproduce", "rirrps", "--table", "1", "--out", str(tmp_path), "--format", "json"]
    assert main(command) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["files"] == {"table 1": [str(tmp_path / "table-1.csv")]}


def test_text_names_the_files_that_were_written(tmp_path, capsys):
    assert main(["reproduce", "rirrps", "--table", "1", "--out", str(tmp_path)]) == 0
    assert "table-1.csv" in capsys.readouterr().out


def test_an_interruption_says_how_to_go_on(tmp_path, capsys, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("learners.command_line.reproduce", interrupted)
    assert main(["reproduce", "rirrps", "--table", "1", "--out", str(tmp_path)]) == 130
    assert "interrupted: nothing was written yet." in capsys.readouterr().err
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "seed-0.jsonl").touch()
    assert main(["reproduce", "rirrps", "--table", "1", "--out", str(tmp_path)]) == 130
    assert "kept in" in (said := capsys.readouterr().err)
    assert "The same command goes on from there." in said


def test_a_folder_of_another_study_is_refused_and_kept(tmp_path, capsys):
    out = ["--out", str(tmp_path), "--quiet"]
    assert main(["reproduce", "fair_leaders", "--table", "2", *out]) == 0
    before = (tmp_path / "table-2.csv").read_bytes()
    assert main(["reproduce", "oracles_followers", "--table", "2", *out]) == 2
    assert "has the figures of fair_leaders. Give another --out." in capsys.readouterr().err
    assert (tmp_path / "table-2.csv").read_bytes() == before
    assert main(["reproduce", "fair_leaders", "--table", "3", *out]) == 0
