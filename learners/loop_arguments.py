"""What compiled loops are called with, as words in a file: types of arrays and of numbers.

``int64`` is a number, ``float64 2d C`` an array, with ``readonly`` at the end if it is; the type of
a structured array is the ``module:NAME`` of the constant that holds it. A list is a tuple, and a
mapping from ``module:Class`` to a list a named tuple.
"""

import sys
from importlib import import_module
from typing import Any

import numpy as np

GENERATOR = "generator"  # of random numbers


def example(told: Any) -> Any:
    """Return a value of a type; arrays have two entries along each axis.

    >>> example(["int64", "float64 2d C"])
    (np.int64(0), array([[0., 0.],
           [0., 0.]]))
    """
    if isinstance(told, list):
        return tuple(map(example, told))
    if isinstance(told, dict):
        ((name, parts),) = told.items()
        return _named(name)(*map(example, parts))
    kind, *shape = told.split()
    if kind == GENERATOR:
        return np.random.Generator(np.random.PCG64(0))
    entry = np.dtype(_named(kind) if ":" in kind else kind)
    return _array(entry, *shape) if shape else entry.type(0)


def _array(entry: np.dtype[Any], dimensions: str, layout: str, access: str = "") -> Any:
    ndim = int(dimensions.removesuffix("d"))
    made = np.zeros((2,) * ndim, dtype=entry, order="F" if layout == "F" else "C")
    if layout == "A":  # neither rows nor columns lie side by side
        made = np.zeros((4,) * ndim, dtype=entry)[(slice(None, None, 2),) * ndim]
    made.flags.writeable = access != "readonly"
    return made


def told(kind: Any) -> Any:
    """Say what a type of numba's is: what ``example`` is given to make a value of it."""
    if hasattr(kind, "instance_class"):
        name = f"{kind.instance_class.__module__}:{kind.instance_class.__qualname__}"
        return {name: [told(part) for part in kind.types]}
    if hasattr(kind, "types"):
        return [told(part) for part in kind.types]
    if hasattr(kind, "layout"):
        readonly = "" if kind.mutable else " readonly"
        return f"{_entry(kind.dtype)} {kind.ndim}d {kind.layout}{readonly}"
    return GENERATOR if "Generator" in str(kind) else str(kind)


def _entry(kind: Any) -> str:
    """Name the type of an array's entries."""
    if not hasattr(kind, "members"):
        return str(kind)
    fields = tuple(name for name, _ in kind.members)
    return next(
        f"{module}:{name}"
        for module, found in sorted(sys.modules.items())
        if "._kernels." in module
        for name, value in vars(found).items()
        if isinstance(value, np.dtype) and value.names == fields
    )


def _named(name: str) -> Any:
    module, _, constant = name.partition(":")
    return getattr(import_module(module), constant)
