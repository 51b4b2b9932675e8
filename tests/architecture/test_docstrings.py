"""Every public function is documented with parameters and a true example."""

import doctest
import importlib
import inspect
import pkgutil

import pytest

import gametheory_core.leaders
import gametheory_core.mediation
import learners
import solvers.leaders
import solvers.mediation

PACKAGES = (gametheory_core, solvers, learners)
ROOMS = (
    *PACKAGES,
    gametheory_core.leaders,
    gametheory_core.mediation,
    solvers.leaders,
    solvers.mediation,
)


def is_called(thing):
    """Functions, and learners, which are made by calling their class."""
    is_learner = inspect.isclass(thing) and hasattr(thing, "improve")
    return inspect.isfunction(thing) or (is_learner and not getattr(thing, "_is_protocol", False))


FUNCTIONS = [
    (package.__name__, name)
    for package in ROOMS
    for name in getattr(package, "__all__", [])
    if is_called(getattr(package, name))
]
MODULES = [
    module.name
    for package in PACKAGES
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
    if not module.name.endswith("__main__")
]


@pytest.mark.parametrize(("package", "name"), FUNCTIONS)
def test_public_function_is_documented(package, name):
    function = getattr(importlib.import_module(package), name)
    text = inspect.getdoc(function) or ""
    assert ">>> " in text


@pytest.mark.parametrize("module", MODULES)
def test_examples_are_true(module):
    found = doctest.testmod(importlib.import_module(module))
    assert found.failed == 0


def test_there_are_many_examples():
    finder = doctest.DocTestFinder()
    found = [test for name in MODULES for test in finder.find(importlib.import_module(name))]
    assert sum(len(test.examples) for test in found) > 1000
