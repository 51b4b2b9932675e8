"""Every public function is documented with parameters and a true example."""

import doctest
import importlib
import inspect
import pkgutil

import pytest

import gametheory_core
import learners
import solvers
from tests.public_rooms import public_rooms

PACKAGES = (gametheory_core, solvers, learners)
SHOWN_ELSEWHERE = {"catalog", "testing", "generators", "formats", "experiments"}
ROOMS = public_rooms("gametheory_core", "solvers", "learners")


def is_called(thing):
    """Functions, and learners, which are made by calling their class."""
    is_learner = inspect.isclass(thing) and hasattr(thing, "improve")
    return inspect.isfunction(thing) or (is_learner and not getattr(thing, "_is_protocol", False))


FUNCTIONS = [
    (package.__name__, name)
    for package in ROOMS
    for name in getattr(package, "__all__", [])
    if is_called(thing := getattr(package, name))
    and SHOWN_ELSEWHERE.isdisjoint(thing.__module__.split("."))
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
    try:
        doctest.testmod(importlib.import_module(module), raise_on_error=True)
    except doctest.DocTestFailure as failure:
        pytest.fail(f"{failure.test.name}: {failure.example.source} gave {failure.got}")
    except doctest.UnexpectedException as failure:  # of a missing package: then it is skipped
        raise failure.exc_info[1] from None


def test_there_are_many_examples():
    finder = doctest.DocTestFinder()
    found = [test for name in MODULES for test in finder.find(importlib.import_module(name))]
    assert sum(len(test.examples) for test in found) > 1000
