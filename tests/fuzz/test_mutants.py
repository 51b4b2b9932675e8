"""The tool that plants faults in a room: which it plants, what its tests notice, what is shown."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"
SOURCE = '''"""A room."""


def total(values):
    """Add up what is not negative, and how many that are."""
    out = 0
    for value in values:
        if value < 0:
            continue
        out += value + 1
    return out


def untested(value):
    """Count down."""
    return value - 1


def weakly_tested(value):
    """Nobody looks at what comes out."""
    return max(value, 3)
'''
TESTS = """from solvers.room.sums import total, weakly_tested


def test_total():
    assert total([1, -2, 0, 5]) == 9
    assert total([-1]) == 0


def test_weakly():
    assert weakly_tested(2)
"""


@pytest.fixture
def tools(monkeypatch):
    monkeypatch.syspath_prepend(TOOLS)
    import mutants
    import mutate

    return mutants, mutate


@pytest.fixture
def tree(tmp_path):
    room, mirror = tmp_path / "solvers" / "room", tmp_path / "tests" / "solvers" / "room"
    for folder in (room, mirror):
        folder.mkdir(parents=True)
    (tmp_path / "solvers" / "__init__.py").write_text("")
    (room / "__init__.py").write_text("")
    (room / "sums.py").write_text(SOURCE)
    (mirror / "test_sums.py").write_text(TESTS)
    return tmp_path


def test_every_kind_of_change_is_made(tools):
    mutants, _ = tools
    made = {
        (operator, text)
        for source in (
            "out += -min(a, 1) if not done else zip(a, b, strict=True)",
            "if a < b and c:\n    raise ValueError",
            "check(a)",
            "done = True",
        )
        for statement in ast.walk(ast.parse(source))
        if isinstance(statement, ast.stmt)
        for _, operator, text in mutants.changes(statement)
    }
    assert {operator for operator, _ in made} == {
        *("arithmetic", "drop statement", "sign", "min/max", "constant", "drop not", "negate"),
        *("compare", "and/or", "drop guard", "drop raise", "drop call", "flag"),
    }
    assert ("min/max", "max") in made
    assert ("flag", "False") in made
    assert [text for operator, text in made if operator == "flag"] == ["False"]


def test_the_tests_of_a_room_are_its_mirror_and_the_theorems_that_import_it(tools, tree):
    _, mutate = tools
    theorems = tree / "tests" / "theorems"
    theorems.mkdir()
    (theorems / "test_one.py").write_text("from solvers.room.sums import total\n")
    (theorems / "test_other.py").write_text("from solvers.rooms import total\n")
    wanted = ["tests/solvers/room", "tests/theorems/test_one.py"]
    assert mutate.tests_of_room(tree, "solvers/room") == wanted


def test_mutants_of_a_room_are_drawn_again_from_the_seed(tools, tree):
    _, mutate = tools
    first = mutate.drawn_from(tree, "solvers/room", 5, 1)
    assert first == mutate.drawn_from(tree, "solvers/room", 5, 1)
    assert first != mutate.drawn_from(tree, "solvers/room", 5, 2)
    places = [(m["function"], m["before"], m["occurrence"]) for m in first]
    assert len(set(places)) == len(places) == 5


def test_noticed_mutants_die_and_others_are_shown(tree):
    """Each statement gets a fault: those of ``total`` are noticed, that of ``untested`` is not."""
    command = [sys.executable, TOOLS / "mutate.py", "solvers/room", "--count", "50"]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=True)
    assert re.match(r"solvers/room: \d of \d killed .* 1 not reached", done.stdout)
    shown = re.findall(r"^(?:survived|not reached) \(.*\), (\w+):$", done.stdout, re.MULTILINE)
    assert "untested" in shown
    assert "total" not in shown
    assert "-    return value - 1\n+    return " in done.stdout
    assert (tree / "solvers" / "room" / "sums.py").read_text() == SOURCE
    assert (tree / "build" / "mutants" / "solvers.room.txt").read_text() == done.stdout
