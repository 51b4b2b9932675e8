"""The public names are a promise: adding or removing one must be meant."""

import importlib
from pathlib import Path

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
