"""Snapshots of environments: bytes that say where one stands, and from which it is made again.

Environments are pickled by their attributes, also those that say they are pickled by their
constructor (``EzPickle``), from which a copy would begin anew. Functions, classes, modules, and
spaces from which nothing was drawn do not change in play: all copies hold the same ones.
"""

import io
import pickle
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from gymnasium import Env
from gymnasium.spaces import Space
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv, ParallelEnv

_FIXED = (FunctionType, BuiltinFunctionType, ModuleType, type)
_PLAIN = frozenset({str, int, float, bool, type(None), list, dict, tuple, set, bytes})
_BY_ATTRIBUTES = (AECEnv, ParallelEnv, Env, EzPickle)


class Snapshots:
    """Takes snapshots of one environment, and makes environments from them."""

    def __init__(self) -> None:
        self._held: list[Any] = []
        self._places: dict[int, int] = {}

    def take(self, env: Any) -> bytes:
        """Return what an environment holds: equal bytes only if it goes on alike.

        Raises:
            Exception: Whatever pickling raises, if some of it cannot be pickled.
        """
        written = io.BytesIO()
        _Writer(written, self).dump(env)
        return written.getvalue()

    def restore(self, snapshot: bytes) -> Any:
        """Return a new environment that stands where the snapshot was taken."""
        return _Reader(io.BytesIO(snapshot), self._held).load()

    def place(self, thing: object) -> int | None:
        """Return the number of a thing that all copies hold, None for what is copied."""
        fixed = isinstance(thing, _FIXED)
        if not fixed and isinstance(thing, Space):
            fixed = getattr(thing, "_np_random", None) is None
        if not fixed:
            return None
        number = self._places.setdefault(id(thing), len(self._held))
        if number == len(self._held):
            self._held.append(thing)
        return number


class _Writer(pickle.Pickler):
    def __init__(self, written: io.BytesIO, snapshots: Snapshots) -> None:
        super().__init__(written, protocol=pickle.HIGHEST_PROTOCOL)
        self._snapshots = snapshots

    def persistent_id(self, obj: Any) -> int | None:
        return None if type(obj) in _PLAIN else self._snapshots.place(obj)

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, _BY_ATTRIBUTES) and hasattr(obj, "__dict__"):
            return (object.__new__, (type(obj),), vars(obj), None, None, _set_attributes)
        return NotImplemented


class _Reader(pickle.Unpickler):
    def __init__(self, read: io.BytesIO, held: list[Any]) -> None:
        super().__init__(read)
        self._held = held

    def persistent_load(self, pid: int) -> Any:
        return self._held[pid]


def _set_attributes(made: Any, attributes: dict[str, Any]) -> None:
    made.__dict__.update(attributes)
