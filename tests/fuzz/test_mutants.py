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
    """Add up what is not negative."""
    return sum(max(value, 0) for value in values)


def untested(value):
    """Turn round."""
    return -value


def weakly_tested(value):
    """Nobody looks at what comes out."""
    return max(value, 3)
'''
TESTS = """from solvers.room.sums import total, weakly_tested


def test_total():
    assert total([1, -2, 0, 5]) == 6
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


def test_a_threshold_between_quick_ways_is_left_as_it_is_and_a_limit_is_not(tools):
    mutants, _ = tools

    def left(source):
        tree = ast.parse(source)
        marked = mutants.thresholds(tree.body[0])
        return {ast.unparse(node) for node in ast.walk(tree) if id(node) in marked}

    assert left("if n > MANY:\n    quick()") == {"n > MANY", "n", "MANY"}
    assert "MANY * 2" in left("if n > MANY * 2:\n    quick()")
    assert left("if c and n + 1 > MANY:\n    quick()") >= {"n + 1 > MANY", "1"}
    for limit in (
        "if n > MANY:\n    raise ValueError",
        "if n > ZERO:\n    quick()",
        "if n == MANY:\n    quick()",
        "if n > many:\n    quick()",
        "if n > MANY - least:\n    quick()",
    ):
        assert not left(limit)


def test_what_words_an_error_is_left_as_it_is(tools, tree):
    mutants, _ = tools
    refusal = "def f(a):\n    refuse(a + 1, needs=str(a + 2), found=a > 3 or None, where=max(a))\n"
    (tree / "solvers" / "room" / "sums.py").write_text(refusal)
    changed = [record["after"] for record, *_ in mutants.candidates(tree)]
    assert changed == ["pass", "(a - 1)", "2", "(0)"]


def test_the_tests_of_a_room_are_its_mirror_and_those_that_import_it(tools, tree):
    _, mutate = tools
    theorems = tree / "tests" / "theorems"
    theorems.mkdir()
    for name, line in (
        ("one", "from solvers.room.sums import total"),
        ("two", "from solvers import room"),
        ("three", "from solvers import (\n    other,\n    room,\n)"),
        ("no", "from solvers.rooms import total"),
        ("nor", "from solvers import rooms, solve  # not a room, alas\nimport solvers"),
    ):
        (theorems / f"test_{name}.py").write_text(line + "\n")
    wanted = ["tests/solvers/room"]
    wanted += [f"tests/theorems/test_{name}.py" for name in ("one", "three", "two")]
    assert mutate.tests_of_room(tree, "solvers/room") == wanted


def test_mutants_of_a_room_are_drawn_again_from_the_seed(tools, tree):
    _, mutate = tools
    first = mutate.drawn_from(tree, "solvers/room", 5, 1)
    assert first == mutate.drawn_from(tree, "solvers/room", 5, 1)
    assert first != mutate.drawn_from(tree, "solvers/room", 5, 2)
    everything = mutate.drawn_from(tree, "solvers/room", 10**6, 1)
    assert len({str(mutant) for mutant in everything}) == len(everything)
    assert all(mutant in everything for mutant in first)


def test_the_interval_of_a_rate_is_that_of_wilson(tools):
    """Its ends are the rates p with (killed - n p)^2 = z^2 n p (1 - p)."""
    _, mutate = tools
    for killed, count in ((0, 5), (3, 10), (38, 40), (40, 40)):
        ends = mutate.wilson(killed, count)
        assert 0 <= ends[0] < ends[1] <= 1
        for p in ends:
            assert (killed - count * p) ** 2 == pytest.approx(1.96**2 * count * p * (1 - p))
    assert mutate.wilson(0, 0) == (0, 1)


def test_noticed_mutants_die_and_others_are_shown(tree):
    """Every fault is planted: those of ``total`` are noticed, that of ``untested`` is not."""
    command = [sys.executable, TOOLS / "mutate.py", "solvers/room", "--count", "50"]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=True)
    rate = r"\d+ of \d+ killed \(\d+%, interval \d+% to \d+%\); \d survived, 1 not reached"
    assert re.match(f"solvers/room: {rate}", done.stdout)
    shown = re.findall(r"^(?:survived|not reached) \(.*\), (\w+):$", done.stdout, re.MULTILINE)
    assert "untested" in shown
    assert "total" not in shown
    assert "-    return -value\n+    return (value)" in done.stdout
    assert (tree / "solvers" / "room" / "sums.py").read_text() == SOURCE
    assert (tree / "build" / "mutants" / "solvers.room.txt").read_text() == done.stdout
