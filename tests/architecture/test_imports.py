"""Importing is light: nothing heavy before it is needed, and each module stands alone."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = {"numba", "scipy", "cvxpy", "torch", "networkx", "matplotlib", "pandas", "rich"}
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in ("gametheory_core", "solvers", "learners")
    for path in (ROOT / package).rglob("*.py")
    if path.name != "__main__.py"
)


def loaded_after(*modules: str) -> set[str]:
    lines = ["import sys, json", *(f"import {module}" for module in modules)]
    lines.append("print(json.dumps([name for name in sys.modules if '.' not in name]))")
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout))


def test_import_solvers_loads_nothing_heavy():
    loaded = loaded_after("solvers")
    assert "solvers" in loaded
    assert not loaded & HEAVY


def test_import_core_loads_numpy_only():
    assert not loaded_after("gametheory_core") & (HEAVY | {"highspy", "flint"})


@pytest.mark.parametrize("module", MODULES)
def test_module_imports_first(module):
    assert module.split(".")[0] in loaded_after(module)
