"""The size and the weight of the library in one table: ``python tools/measure.py [--json]``.

Counts lines, modules, imports, docstrings, public names and what tests import, and times
``import solvers`` in fresh processes. It reads the tree it stands in.
"""

import argparse
import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[1]
PACKAGES = ("gametheory_core", "solvers", "learners")
OWN_ROOMS = {
    "leaders",
    "mediation",
}  # rooms that only leaders with query oracles, or mediators, need
DEFINITIONS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
Tree = tuple[Path, str, ast.Module]


def parse(folder: str) -> list[Tree]:
    """Every Python file below a folder: its path in the project, its text, its syntax tree."""
    found = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        found.append((path.relative_to(ROOT), text, ast.parse(text)))
    return found


def line_count(trees: Iterable[Tree]) -> int:
    """All lines, blank ones and comments included."""
    return sum(len(text.splitlines()) for _, text, _ in trees)


def share(trees: list[Tree], *, docstrings: bool) -> float:
    """Percentage of lines that docstrings cover, or else import statements with continuations."""
    covered = 0
    for _, _, tree in trees:
        for node in ast.walk(tree):
            if docstrings:
                if isinstance(node, DEFINITIONS) and ast.get_docstring(node) is not None:
                    covered += span(node.body[0])
            elif isinstance(node, ast.Import | ast.ImportFrom):
                covered += span(node)
    return round(100 * covered / line_count(trees), 1)


def span(statement: ast.stmt) -> int:
    """Lines of one statement."""
    return (statement.end_lineno or statement.lineno) - statement.lineno + 1


def public_modules(trees: list[Tree]) -> set[str]:
    """Modules that declare what they offer, in ``__all__``, and those that the tops name."""
    declared = {
        ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        for path, text, _ in trees
        if re.search(r"^[\w, ]*__all__ =", text, re.MULTILINE)
    }
    named = {
        f"{package}.{name}"
        for package in PACKAGES
        for name in re.findall(
            rf"^from {package} import (\w+)",
            (ROOT / package / "__init__.pyi").read_text(),
            re.MULTILINE,
        )
    }
    return declared | named


def imports_of_tests(tests: list[Tree], public: set[str]) -> tuple[int, int]:
    """How many imports in the tests name an internal module, and how many a public one."""
    modules = [
        node.module
        for _, _, tree in tests
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and node.module
        and node.module.partition(".")[0] in PACKAGES
    ]
    outside = sum(module in public for module in modules)
    return len(modules) - outside, outside


def run(*arguments: str) -> str:
    """What a fresh interpreter prints that may store what it compiles, as a user's does."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": ""}
    return subprocess.run(  # noqa: S603
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=environment,
    ).stdout


def import_seconds(package: str, *, times: int = 5) -> float:
    """CPU seconds of an import in a fresh process, the least of several."""
    code = f"import time; t = time.process_time(); import {package}; print(time.process_time() - t)"
    return round(min(float(run("-c", code)) for _ in range(times)), 3)


def measure() -> dict[str, object]:
    """Every figure by its name."""
    trees = [tree for package in PACKAGES for tree in parse(package)]
    tests = parse("tests")
    general = [tree for tree in trees if not OWN_ROOMS & set(tree[0].parts)]
    internal, public = imports_of_tests(tests, public_modules(trees))
    figures: dict[str, object] = {
        "product lines": line_count(trees),
        "product lines outside leaders and mediation": line_count(general),
        "modules": len(trees),
        "import lines, %": share(trees, docstrings=False),
        "docstring lines, %": share(trees, docstrings=True),
        "test lines": line_count(tests),
        "imports of internal modules in tests": internal,
        "imports of public modules in tests": public,
        "import solvers, CPU seconds": import_seconds("solvers"),
    }
    for package in PACKAGES:
        names = run("-c", f"import {package}; print(len({package}.__all__))")
        figures[f"public names of {package}"] = int(names)
    if (ROOT / "tools" / "hops.py").exists():
        for line in run("tools/hops.py").splitlines():
            call, _, hops = line.rpartition(": ")
            figures[f"hops of {call}"] = hops
    return figures


def main() -> None:
    """Print the table, or the same as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    figures = measure()
    if parser.parse_args().json:
        sys.stdout.write(json.dumps(figures, indent=2) + "\n")
        return
    table = Table("measure", "value")
    table.columns[1].justify = "right"
    for name, value in figures.items():
        table.add_row(name, f"{value:,}" if isinstance(value, int | float) else str(value))
    Console().print(table)


if __name__ == "__main__":
    main()
