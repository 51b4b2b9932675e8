"""What both command lines share: one line for trouble, whatever the trouble."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gametheory_core.command_line import LONGEST_LINE, one_line

ROOT = Path(__file__).parents[2]
LONG = "1" * 1400
LONG_GAME = (
    f'NFG 1 R "Long" {{ "A" "B" }} {{ 2 2 }} {LONG}/{LONG[1:]}3 0 0 7/{LONG}9 0 1 1/{LONG} 2\n'
)


def shell(command, **environment):
    return subprocess.run(
        command,
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, **environment},
    )


def python(arguments):
    return f'"{sys.executable}" {arguments}'


def test_messages_stay_on_one_line_of_bearable_length():
    assert one_line("a\nb\x1b[1m\tc") == "a\\nb\\x1b[1m\\tc"
    long = one_line("x" * 10 * LONGEST_LINE)
    assert len(long) < 1.1 * LONGEST_LINE
    assert " ... " in long


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    "arguments",
    ["-m solvers stag_hunt", "-m solvers stag_hunt --format json", "-m gametheory_core list"],
)
def test_a_full_disk_is_one_line_and_exit_2(arguments):
    done = shell(python(arguments) + " > /dev/full")
    assert done.returncode == 2
    assert done.stderr == "output: needs to be written, but: No space left on device.\n"


@pytest.mark.parametrize("arguments", ["-m solvers stag_hunt", "-m gametheory_core list"])
def test_a_reader_that_goes_away_is_no_error(arguments):
    done = subprocess.run(
        ["bash", "-c", "set -o pipefail; " + python(arguments) + " | true"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0
    assert done.stderr == ""


def test_letters_that_the_terminal_lacks_are_escaped(tmp_path):
    path = tmp_path / "snow.nfg"
    path.write_text('NFG 1 R "\u2603" { "A" "B" } { 1 1 } 1 2\n', encoding="utf-8")
    done = shell(python(f'-m solvers "{path}"'), PYTHONIOENCODING="latin-1")
    assert done.returncode == 0, done.stderr
    assert "\\u2603" in done.stdout


@pytest.mark.parametrize("options", ["", "--format json", "--concept stackelberg --format json"])
def test_numbers_of_thousands_of_digits_are_solved_and_shown(tmp_path, options):
    path = tmp_path / "long.nfg"
    path.write_text(LONG_GAME, encoding="utf-8")
    done = shell(python(f'-m solvers "{path}" {options}'))
    assert done.returncode == 0, done.stderr[-300:]
    assert done.stdout.count("\n") > 10
    assert (LONG in done.stdout) == ("json" in options)


def test_unnamed_players_are_told_apart(tmp_path):
    path = tmp_path / "unnamed.nfg"
    path.write_text('NFG 1 R "" { "" "" } { 1 2 } 1 2 3 4\n', encoding="utf-8")
    done = shell(python(f'-m solvers "{path}"'))
    assert "payoff of player 1:" in done.stdout
    assert "payoff of player 2:" in done.stdout
