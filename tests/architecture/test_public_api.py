"""The public names are a promise: adding or removing one must be meant."""

import importlib
from pathlib import Path

import pytest

STORED = Path(__file__).parent / "public_names.txt"


@pytest.mark.parametrize("package", ["gametheory_core", "solvers", "learners"])
def test_public_names_are_the_stored_ones(package):
    stored = {
        line.split(".")[1]
        for line in STORED.read_text(encoding="utf-8").split()
        if line.split(".")[0] == package
    }
    module = importlib.import_module(package)
    assert set(getattr(module, "__all__", [])) == stored
    assert all(hasattr(module, name) for name in stored)
