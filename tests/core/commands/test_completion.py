"""What ``completion`` prints works in the shells themselves, and offers what the verbs take."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gametheory_core.commands.completion import arguments_of
from gametheory_core.commands.verbs import VERBS, run

ROOT = Path(__file__).parents[3]
ASK = {
    "bash": """source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gametheory
        printf '%s\\n' "${COMPREPLY[@]}" """,
    "zsh": """compdef() {}; _files() { print -l *(N) }; source "$1"; shift
        compadd() { shift; print -l -- "${(@M)@:#$current*}" }
        words=("$@"); CURRENT=$#; _gametheory""",
    "fish": 'source $argv[1]; complete -C "$argv[2..]"',
}


@pytest.fixture(scope="module", params=ASK)
def offered(request, tmp_path_factory):
    """What a shell offers for a line, the last word being typed; in a folder with one file."""
    shell = shutil.which(request.param)
    if shell is None:
        pytest.skip(f"{request.param} is not installed")
    folder = tmp_path_factory.mktemp(request.param)
    code = f"from gametheory_core.commands.verbs import run; run(['completion', '{request.param}'])"
    script = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout
    (folder / "script").write_text(script)
    (folder / "kuhn.efg").touch()
    no_settings = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[request.param]

    def offer(*line):
        name = [] if request.param == "fish" else ["_"]
        done = subprocess.run(
            [shell, *no_settings, "-c", ASK[request.param], *name, "./script", *line],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
        )
        assert done.stderr == ""
        return {row.split("\t")[0] for row in done.stdout.splitlines()}

    return offer


def test_verbs_are_offered(offered):
    assert {"solve", "warm-up", "completion"} <= offered("gametheory", "")
    assert offered("gametheory", "desc") == {"describe"}


def test_options_of_the_verb_are_offered(offered):
    assert {"--concept", "--leader", "--import"} <= offered("gametheory", "solve", "--")
    assert offered("gametheory", "describe", "--max") == {"--max-states"}


def test_words_that_an_option_takes_are_offered(offered):
    assert offered("gametheory", "solve", "--format", "j") == {"json"}
    assert offered("gametheory", "solve", "kuhn_poker", "--concept", "mini") == {"minimax"}
    assert offered("gametheory", "solve", "--commitment", "behav") == {"behavioral"}


def test_games_and_files_are_offered(offered):
    assert {"kuhn_poker", "kuhn.efg"} <= offered("gametheory", "solve", "kuhn")
    assert offered("gametheory", "solve", "tig") >= {"tiger"}
    assert offered("gametheory", "list", "learn") >= {"learners"}
    assert offered("gametheory", "solve", "--all", "tig") >= {"tiger"}  # nothing follows a flag


@pytest.mark.parametrize("verb", VERBS)
def test_each_option_of_each_verb_is_known(verb, capsys):
    names = {name for own in arguments_of(verb) for name in own.names}
    if VERBS[verb].target.endswith(":main"):
        assert names == set()
        return
    with pytest.raises(SystemExit, match="0"):
        run([verb, "--help"])
    shown = capsys.readouterr().out
    assert {"--help", "--import"} <= names
    assert all(name in shown for name in names)


def test_printing_the_script_loads_no_network_no_loop_and_no_picture():
    code = (
        "import sys; from gametheory_core.commands.verbs import run; run(['completion', 'bash']); "
        "print(*{'numba', 'torch', 'matplotlib', 'pandas'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert "complete -o filenames" in done.stdout
    assert done.stdout.splitlines()[-1] == ""
