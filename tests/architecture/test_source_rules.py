"""Rules of the house style that a scan of the source can see."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = [
    path
    for package in ("gametheory_core", "solvers", "learners")
    for path in (ROOT / package).rglob("*.py")
]


@cache
def trees():
    assert len(SOURCES) > 20
    return [(path, ast.parse(path.read_text(encoding="utf-8"))) for path in SOURCES]


def test_packages_contain_no_assert():
    found = [
        f"{path}:{node.lineno}"
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert)
    ]
    assert found == []


def test_print_stands_only_in_main():
    found = [
        f"{path}:{node.lineno}"
        for path, tree in trees()
        if path.name not in {"__main__.py", "command_line.py"}
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
    ]
    assert found == []


def test_every_zip_is_strict():
    found = [
        f"{path}:{node.lineno}"
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "zip"
        and not any(keyword.arg == "strict" for keyword in node.keywords)
    ]
    assert found == []


def test_every_exception_test_says_what_it_expects():
    """``pytest.raises`` without ``match`` passes on the wrong error."""
    found = []
    for path in (ROOT / "tests").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "raises"
                and not any(keyword.arg == "match" for keyword in node.keywords)
            ):
                found.append(f"{path}:{node.lineno}")
    assert found == []


def test_no_global_random_numbers():
    """Randomness is a parameter: no ``np.random.<function>`` but generator types."""
    found = [
        f"{path}:{node.lineno}"
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "random"
        and isinstance(node.value.value, ast.Name)
        and node.value.value.id in {"np", "numpy"}
        and node.attr not in {"Generator", "PCG64", "SeedSequence"}
    ]
    assert found == []
