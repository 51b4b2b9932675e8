"""The public names are a promise: adding or removing one must be meant."""

import importlib
import pkgutil
from pathlib import Path
from types import ModuleType

import pytest

STORED = Path(__file__).parent / "public_names.txt"


PACKAGES = (
    "gametheory_core",
    "gametheory_core.leaders",
    "gametheory_core.mediation",
    "solvers",
    "solvers.leaders",
    "solvers.mediation",
    "learners",
)


@pytest.mark.parametrize("package", PACKAGES)
def test_public_names_are_the_stored_ones(package):
    stored = {
        line.rpartition(".")[2]
        for line in STORED.read_text(encoding="utf-8").split()
        if line.rpartition(".")[0] == package
    }
    module = importlib.import_module(package)
    assert set(getattr(module, "__all__", [])) == stored
    assert all(hasattr(module, name) for name in stored)


def packages_of(root):
    found = importlib.import_module(root)
    yield found
    for module in pkgutil.walk_packages(found.__path__, f"{root}."):
        if module.ispkg:
            yield importlib.import_module(module.name)


@pytest.mark.parametrize("root", ["learners"])
def test_no_public_name_of_a_package_shadows_a_module_of_it(root):
    """Where ``a.b`` is a function, ``import a.b.c`` fails: the function has no ``c``."""
    seen = 0
    for package in packages_of(root):
        modules = {module.name for module in pkgutil.iter_modules(package.__path__)}
        for name in getattr(package, "__all__", []):
            seen += 1
            if name in modules:
                assert isinstance(getattr(package, name), ModuleType), f"{package.__name__}.{name}"
    assert seen > 20
