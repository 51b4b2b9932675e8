"""Whole processes: the command line, and importing the solvers, beside importing numpy alone."""

import subprocess
import sys
from functools import partial

from tests.benchmarks.measure import Row, interleaved

FLOOR = "import numpy"
COMMANDS = {
    "import solvers": ["-c", "import solvers"],
    "gametheory --help": ["-m", "gametheory_core", "--help"],
    "python -m solvers kuhn_poker": ["-m", "solvers", "kuhn_poker"],
    "python -m solvers leduc_poker --format json": [
        "-m",
        "solvers",
        "leduc_poker",
        "--format=json",
    ],
}


def rows(*, rounds: int = 5) -> list[Row]:
    """Compare each command with the interpreter that imports numpy, CPU seconds."""
    contenders = {FLOOR: partial(run, ["-c", FLOOR])}
    contenders |= {name: partial(run, arguments) for name, arguments in COMMANDS.items()}
    best = interleaved(contenders, rounds=rounds)
    return [Row(f"process: {name}", best[name], FLOOR, best[FLOOR]) for name in COMMANDS]


def run(arguments: list[str]) -> None:
    """Run a Python process and wait for it."""
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
