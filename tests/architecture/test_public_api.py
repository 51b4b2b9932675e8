"""What is public stands once, in the stub of a package, and can be taken as it stands there."""

import importlib
import inspect
import pkgutil
from pathlib import Path
from typing import get_type_hints

import pytest

import gametheory_core
import learners
import solvers

MOST = {"gametheory_core": 65, "solvers": 57, "learners": 45}
ROOMS = [
    name
    for root in (gametheory_core, solvers, learners)
    for name in (
        root.__name__,
        *(m.name for m in pkgutil.iter_modules(root.__path__, f"{root.__name__}.")),
    )
    if (Path(root.__path__[0]).parent / name.replace(".", "/") / "__init__.pyi").exists()
]


@pytest.mark.parametrize("package", MOST)
def test_top_is_a_selection(package):
    assert len(importlib.import_module(package).__all__) <= MOST[package]


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_name_is_there_and_its_types_are_known(room):
    package = importlib.import_module(room)
    assert package.__all__
    for name in package.__all__:
        value = getattr(package, name)
        if inspect.isfunction(value):
            assert "return" in get_type_hints(value), name
        elif inspect.isclass(value):
            for method in (value, *filter(inspect.isfunction, vars(value).values())):
                get_type_hints(method)


@pytest.mark.parametrize("room", ROOMS)
def test_no_public_name_shadows_a_module(room):
    """Where ``a.b`` is a function, what ``a.b`` is depends on who imported what first."""
    package = importlib.import_module(room)
    stub = (Path(package.__path__[0]) / "__init__.pyi").read_text(encoding="utf-8")
    for module in pkgutil.iter_modules(package.__path__):
        name = module.name
        assert name not in package.__all__ or f"from {room} import {name} as {name}\n" in stub, name
