"""Importing is light: nothing heavy before it is needed, and each module stands alone."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = {"numba", "scipy", "cvxpy", "torch", "networkx", "matplotlib", "pandas", "rich", "jax"}
PACKAGES = ("gametheory_core", "solvers", "learners")
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
    if path.name != "__main__.py"
)


def loaded_after(*modules: str, call: str = "") -> set[str]:
    lines = ["import sys, json", *(f"import {module}" for module in modules), call]
    lines.append("print(json.dumps([name for name in sys.modules if '.' not in name]))")
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout))


def test_import_solvers_loads_nothing_heavy():
    loaded = loaded_after("solvers")
    assert "solvers" in loaded
    assert not loaded & HEAVY


def test_looking_for_a_solver_loads_nothing_heavy():
    loaded = loaded_after("solvers.solver", call="assert solvers.solver.declarations()")
    assert "flint" in loaded  # so the modules of solvers are there
    assert not loaded & HEAVY


def test_import_learners_loads_nothing_heavy():
    assert not loaded_after("learners") & (HEAVY | {"joblib", "distributed", "gymnasium"})


def test_import_core_loads_numpy_only():
    assert not loaded_after("gametheory_core") & (HEAVY | {"highspy", "flint"})


OPTIONAL = [
    "hypothesis",
    "torch",
    "pandas",
    "polars",
    "matplotlib",
    "networkx",
    "gymnasium",
    "pettingzoo",
    "pyspiel",
    "pygambit",
    "jax",
    "sklearn",
    "distributed",
    "transformers",
    "ale_py",
    "multi_agent_ale_py",
]
REFUSE_WHOLLY = {"gametheory_core.figures", "learners.figures", "learners.deep"}
IMPORT_ALL_NAMES = """
import json, sys
optional, packages = map(json.loads, sys.argv[1:])
for name in optional:
    sys.modules[name] = None  # as if it were not installed
from gametheory_core.errors import MissingDependency
refused = []
for package in packages:
    try:
        exec(f"from {package} import *", {})
    except MissingDependency:
        refused.append(package)
print(json.dumps(refused))
"""


def test_all_names_are_imported_where_no_optional_package_is_installed():
    """What needs one is left out, and says what to install if it is asked for by name."""
    packages = [module for module in MODULES if (ROOT / module.replace(".", "/")).is_dir()]
    given = map(json.dumps, (OPTIONAL, packages))
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL_NAMES, *given],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert set(json.loads(done.stdout)) == REFUSE_WHOLLY


def test_a_name_that_needs_a_missing_package_says_what_to_install():
    lines = (
        "import sys; sys.modules['hypothesis'] = None",
        "from gametheory_core import compact; from gametheory_core.errors import MissingDependency",
        "assert 'graphical_games' in dir(compact) and 'GraphicalGame' in compact.__all__",
        "try: compact.graphical_games\nexcept MissingDependency as error: print(error)",
    )
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True
    )
    assert "gametheory-core[laws]" in done.stdout


IMPORT_EACH = """
import importlib, os, sys
package, *modules = sys.argv[1:]
importlib.import_module(package)  # as Python does before any module of it
failed = []
for module in modules:
    child = os.fork()
    if not child:
        try:
            importlib.import_module(module)
        except BaseException as error:
            print(f"{module}: {error!r}", flush=True)
            os._exit(1)
        os._exit(0)
    failed += [module] if os.waitpid(child, 0)[1] else []
sys.exit(bool(failed))
"""


@pytest.mark.parametrize("share", [12, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("package", PACKAGES)
def test_each_module_can_be_the_first_of_its_package_to_be_imported(package, share):
    modules = [module for module in MODULES if module.split(".")[0] == package][::share]
    assert len(modules) > 5
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_EACH, package, *modules],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_command_line_of_learners_loads_networks_and_loops_when_they_are_needed():
    loaded = loaded_after("learners.command_line")
    assert not loaded & {"torch", "numba", "matplotlib", "joblib", "gymnasium", "pettingzoo"}
