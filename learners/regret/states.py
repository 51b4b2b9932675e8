"""States of many decision makers at once: nested mappings of arrays, one row a decision maker."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

State: TypeAlias = Mapping[str, Any]  # arrays whose first axis is the batch, or such mappings
Values: TypeAlias = NDArray[np.float64]  # (batch, actions)


def mapped(function: Callable[..., Any], *states: State) -> dict[str, Any]:
    """Return the state of what a function makes of each array of states of one kind.

    >>> mapped(lambda own: own + 1, {"base": {"memory": np.zeros(2)}})
    {'base': {'memory': array([1., 1.])}}
    """
    return {
        name: mapped(function, *(state[name] for state in states))
        if isinstance(value, Mapping)
        else function(*(state[name] for state in states))
        for name, value in states[0].items()
    }


def rows_of(state: State, rows: NDArray[Any]) -> dict[str, Any]:
    """Return the state of some decision makers, copied."""

    def take(own: NDArray[Any]) -> NDArray[Any]:
        return own[rows].copy()

    return mapped(take, state)


def with_rows(state: State, rows: NDArray[Any], part: State) -> dict[str, Any]:
    """Return the state in which some decision makers, all different, stand elsewhere."""

    def put(own: NDArray[Any], new: NDArray[Any]) -> NDArray[Any]:
        changed = own.copy()
        changed[rows] = new
        return changed

    return mapped(put, state, part)


def chosen(mask: NDArray[np.bool_], state: State, other: State) -> dict[str, Any]:
    """Return one state where the mask, of shape (batch,), holds and another elsewhere."""

    def choose(one: NDArray[Any], two: NDArray[Any]) -> NDArray[Any]:
        return np.where(mask.reshape(-1, *(1,) * (one.ndim - 1)), one, two)

    return mapped(choose, state, other)


def folded(state: State) -> dict[str, Any]:
    """Return arrays (batch, m, ...) as (batch * m, ...)."""

    def fold(own: NDArray[Any]) -> NDArray[Any]:
        return own.reshape(own.shape[0] * own.shape[1], *own.shape[2:])

    return mapped(fold, state)


def unfolded(state: State, size: int) -> dict[str, Any]:
    """Return arrays (batch * m, ...) as (batch, m, ...), for ``size`` = m."""

    def unfold(own: NDArray[Any]) -> NDArray[Any]:
        return own.reshape(-1, size, *own.shape[1:])

    return mapped(unfold, state)


def copied(state: State) -> dict[str, Any]:
    """Return the state with arrays of its own."""

    def copy(own: NDArray[Any]) -> NDArray[Any]:
        return own.copy()

    return mapped(copy, state)
