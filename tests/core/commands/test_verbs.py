"""The command ``gametheory``: verbs by name, one line for each mistake, no early imports."""

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import gametheory_core
import learners
import solvers
from gametheory_core.commands import verbs
from gametheory_core.commands.verbs import VERBS, run
from gametheory_core.errors import MissingDependency
from learners.__main__ import main as learners_main
from solvers.__main__ import main as solvers_main

ROOT = Path(__file__).parents[3]
HEAVY = ("numpy", "rich", "numba", "scipy", "torch", "flint", "highspy", "solvers", "learners")


def exit_of(*arguments):
    """The exit code, returned or raised, of the command."""
    try:
        return run(arguments)
    except SystemExit as left:
        return left.code


@pytest.mark.parametrize("word", ["--help", "--version", "slve"])
def test_help_version_and_refusals_import_nothing_heavy(word):
    code = (
        "import sys; from gametheory_core.commands.verbs import run; code = run([sys.argv[1]]); "
        f"print(code, *[name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, word], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.splitlines()[-1] == ("2" if word == "slve" else "0")


def test_help_takes_no_time():
    resource = pytest.importorskip("resource")

    def seconds():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    taken = []
    for _ in range(3):
        before = seconds()
        command = [sys.executable, "-m", "gametheory_core", "--help"]
        subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
        taken.append(seconds() - before)
    assert min(taken) < 0.15  # of CPU; 0.03 where nothing else runs


def test_help_names_each_verb(capsys):
    assert exit_of("--help") == 0
    shown = capsys.readouterr().out
    for verb in VERBS:
        assert re.search(rf"^  {verb} +\w", shown, re.MULTILINE), verb


def test_each_verb_can_be_found_and_explains_itself(capsys):
    for verb, (_, target) in VERBS.items():
        if target.endswith(":main"):
            continue  # reads its arguments itself
        assert exit_of(verb, "--help") == 0
        assert f"usage: gametheory {verb}" in capsys.readouterr().out


def test_versions_are_the_distribution_s(capsys):
    installed = version("gametheory-core")
    assert {p.__version__ for p in (gametheory_core, solvers, learners)} == {installed}
    assert exit_of("--version") == 0
    assert capsys.readouterr().out == f"gametheory {installed}\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["slve"], "got 'slve'. Did you mean solve?"),
        (["warmup"], "Did you mean warm-up?"),
        (["--versoin"], "Did you mean --version?"),
        (["kuhn_poker"], "To solve a game: gametheory solve kuhn_poker"),
        ([], "needs a verb, one of solve, describe,"),
        (["solve", "stag_hunt", "--fromat", "json"], "'--fromat'. Did you mean --format?"),
        (["solve", "stag_hunt", "--fromat=json"], "'--fromat'. Did you mean --format?"),
        (["solve", "stag_hunt", "--format", "jsn"], "but got 'jsn'. Did you mean json?"),
        (["solve", "stag_hunt", "more"], "gametheory solve: takes no argument 'more'."),
        (["solve", "stag_hnt"], "Did you mean stag_hunt"),
        (["solve", "stag_hunt", "--concept", "nsh"], "Did you mean nash?"),
        (["solve"], "gametheory solve: the following arguments are required: GAME."),
        (["list", "learnes"], "Did you mean learners?"),
        (["train", "file.toml", "--quit"], "'--quit'. Did you mean --quiet?"),
        (["convert", "stag_hunt", "--to", "efgg"], "Did you mean efg?"),
        (["describe", "stag_hunt", "--import", "no_such"], "'no_such' is not one"),
        (["verify", "no_such.json"], "no_such.json: needs a file"),
    ],
)
def test_mistakes_are_one_line_that_asks_what_was_meant_and_exit_2(capsys, arguments, told):
    assert exit_of(*arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert told in shown.err
    assert shown.err.count("\n") == 1
    assert "usage:" not in shown.err


@pytest.mark.parametrize("what", ["games", "solvers", "learners", "studies"])
def test_list_shows_what_can_be_named(capsys, what):
    known = {
        "games": "kuhn_poker",
        "solvers": "lemke_howson",
        "learners": "QLearning",
        "studies": "rrps",
    }
    assert exit_of("list", what) == 0
    shown = capsys.readouterr().out
    assert [name for name in known.values() if name in shown][:1] == [known[what]]


def test_the_packages_command_lines_are_the_same_command(capsys):
    answers = []
    for answer in (
        lambda: run(["solve", "stag_hunt", "--format", "csv"]),
        lambda: solvers_main(["stag_hunt", "--format", "csv"]),
        lambda: learners_main(["solve", "stag_hunt", "--format", "csv"]),
    ):
        assert answer() == 0
        answers.append(capsys.readouterr().out)
    assert "stag" in answers[0]
    assert len(set(answers)) == 1


def test_a_verb_that_is_not_installed_says_so_on_one_line(capsys, monkeypatch):
    absent = verbs.Verb("do nothing", "solvers.no_such_room.command:main")
    monkeypatch.setattr(verbs, "VERBS", {"absent": absent})
    assert exit_of("absent") == 2
    told = capsys.readouterr().err
    assert (
        "needs the module solvers.no_such_room, but this installation of solvers has none" in told
    )


def test_a_verb_that_reads_for_itself_is_given_the_rest(monkeypatch, tmp_path):
    (tmp_path / "own_verb.py").write_text("def main(arguments):\n    return len(arguments)\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(verbs, "require_own", lambda _: None)
    monkeypatch.setattr(verbs, "VERBS", {"own": verbs.Verb("count", "own_verb:main")})
    assert exit_of("own", "kuhn_poker", "--import", "own_verb", "--out", "a.html") == 3


def test_what_a_module_lacks_of_others_is_not_hidden(monkeypatch, tmp_path):
    (tmp_path / "needy.py").write_text("import no_such_library\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(verbs, "require_own", lambda _: None)
    with pytest.raises(ModuleNotFoundError, match="no_such_library") as error:
        verbs.named("needy:main")
    assert not isinstance(error.value, MissingDependency)


def test_a_module_of_the_current_folder_can_be_imported_first(tmp_path):
    (tmp_path / "my_games.py").write_text(
        "from gametheory_core import NormalFormGame\n"
        "from gametheory_core.extensions import add_to_catalog\n"
        "def my_own_game():\n"
        '    """Mine."""\n'
        "    return NormalFormGame.zero_sum([[1, 0], [0, 1]])\n"
        "add_to_catalog(my_own_game)\n"
    )
    code = (
        f"import sys; sys.path[0] = {str(ROOT)!r}; "  # a console script does not look in the folder
        "from gametheory_core.commands.verbs import run; "
        "sys.exit(run(['describe', 'my_own_game', '--import', 'my_games']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "zero-sum: yes" in done.stdout


def test_an_interruption_while_modules_are_imported_is_one_line(monkeypatch, capsys):
    def interrupted(name):
        assert name == "learners.command_line"
        raise KeyboardInterrupt

    monkeypatch.setattr(verbs, "import_module", interrupted)
    assert exit_of("train", "--help") == 130
    assert capsys.readouterr().err == "interrupted: nothing was written.\n"


@pytest.mark.parametrize(
    ("package", "code"),
    [
        ("solvers", "import learners"),
        ("solvers", "from gametheory_core.commands.verbs import run; run(['solve', 'stag_hunt'])"),
        ("learners", "from gametheory_core.commands.verbs import run; run(['train', 'a.toml'])"),
    ],
)
def test_another_package_of_the_same_name_is_told_with_its_place(tmp_path, package, code):
    (tmp_path / f"{package}.py").write_text("print('hello')\n")
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[1:1] = [{str(ROOT)!r}]; {code}"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    told = done.stderr.splitlines()[-1]
    assert f"needs the package '{package}' of gametheory-core, but {tmp_path}" in told
    assert "Rename that file" in told
    assert "hello" not in done.stdout  # nobody's script is run
