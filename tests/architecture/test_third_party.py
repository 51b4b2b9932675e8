"""Another package adds a kind of game, a claim and a solver in one file; all else follows."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INSTALLED = Path(__file__).parent / "third_party"

FORGE = """
import auction_room
from gametheory_core.errors import CertificateRejected
from gametheory_core.testing.forgeries import forged_claims, forged_types
from solvers import solve

certificate = solve(auction_room.small_auction(), "efficient").solutions[0].certificate
certificate.verify()
forgeries = [*forged_claims(certificate), *forged_types(certificate)]
for where, forged in forgeries:
    try:
        forged.verify()
    except CertificateRejected:
        continue
    raise SystemExit(f"accepted: {where}")
print(len(forgeries))
"""


def run(*arguments):
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{INSTALLED}"}
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("list", "small_auction"),
        ("describe small_auction:players=4", "bidders: 4"),
        ("check small_auction", "values are not negative"),
        ("convert small_auction --to json", '"kind": "auction"'),
    ],
)
def test_commands_know_the_game(command, expected):
    assert expected in run("-m", "gametheory_core", *command.split())


def test_solve_finds_the_solver_and_files_keep_the_answer(tmp_path):
    command = ("-m", "solvers", "small_auction", "--concept", "efficient")
    assert "P2" in run(*command)
    answer = tmp_path / "answer.json"
    answer.write_text(run(*command, "--format", "json"), encoding="utf-8")
    assert json.loads(answer.read_text(encoding="utf-8"))
    assert "verified" in run("-m", "gametheory_core", "verify", str(answer))


def test_forgeries_of_its_claim_are_rejected():
    assert int(run("-c", FORGE)) > 1
