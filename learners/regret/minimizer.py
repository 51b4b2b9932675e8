"""Regret minimizers: what a decision maker plays next, and what was regretted after the fact.

The *external regret* after ``T`` steps, with ``p_t`` the strategies and ``u_t`` the utilities, is
``max over a of sum_t u_t(a) - p_t.u_t``. A minimizer keeps it below a bound that grows more slowly
than ``T``, on every sequence of utilities, even one chosen by somebody who sees ``p_t``.

States of many decision makers at once: nested mappings of arrays, one row a decision maker.
Sequences have shape (T, ..., actions), steps first, then any batch; their entries may be floats or
exact.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_integer
from gametheory_core.errors import InvalidArgument
from solvers.local_rules import LocalRule

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


class Minimizer(Protocol):
    """How decision makers learn from what *all* actions earned; functions of a state."""

    @property
    def name(self) -> str:
        """Name of the algorithm."""
        ...

    def start(self, batch: int, actions: int) -> State:
        """Return the state of ``batch`` decision makers with ``actions`` actions each."""
        ...

    def strategies(self, state: State) -> Values:
        """Return what is played next, shape (batch, actions)."""
        ...

    def observe(self, state: State, utilities: Values) -> State:
        """Return the state after actions earned ``utilities``, shape (batch, actions)."""
        ...


@dataclass(frozen=True)
class LocalMinimizer:
    """A local rule of ``solvers.local_rules`` for many decision makers at once.

    Attributes:
        rule: ``BestReply`` follows the leader: its regret may be linear. After ``s`` steps,
            ``Hedge`` plays by ``rate / s**decay``.

    >>> from solvers.local_rules import RegretMatching
    >>> minimizer = LocalMinimizer(RegretMatching())
    >>> state = minimizer.start(batch=1, actions=3)
    >>> state = minimizer.observe(state, np.array([[3.0, 0.0, 1.5]]))
    >>> minimizer.strategies(state).tolist()
    [[1.0, 0.0, 0.0]]
    """

    rule: LocalRule

    @property
    def name(self) -> str:
        """Name of the rule."""
        return type(self.rule).__name__

    def start(self, batch: int, actions: int) -> State:
        """Return the state before the first step: uniform strategies."""
        require_sizes(batch, actions)
        return {
            "memory": np.zeros((batch, actions)),
            "strategies": np.full((batch, actions), 1.0 / actions),
            "steps": np.zeros(batch, dtype=np.int64),
        }

    def strategies(self, state: State) -> Values:
        """Return what is played next."""
        return state["strategies"].copy()

    def observe(self, state: State, utilities: Values) -> State:
        """Return the state after a step in which actions earned ``utilities``."""
        require_shape(utilities, state["memory"].shape)
        earned, played = np.asarray(utilities, dtype=np.float64), state["strategies"]
        memory = self.rule.remember(state["memory"], earned, played)
        steps = state["steps"] + 1
        return {
            "memory": memory,
            "strategies": self.rule.strategy(memory, played, steps),
            "steps": steps,
        }


def require_sizes(batch: int, actions: int) -> None:
    """Refuse an empty batch, and decision makers without actions."""
    require_integer(batch, name="batch", low=1)
    require_integer(actions, name="actions", low=1)


def require_shape(values: Values, shape: tuple[int, ...]) -> None:
    """Refuse utilities that do not fit the decision makers, or are not finite."""
    if np.shape(values) != shape:
        raise InvalidArgument(
            needs=f"utilities of shape {shape}, decision makers by actions",
            found=f"got {np.shape(values)}",
        )
    if not np.isfinite(values).all():
        row = int(np.flatnonzero(~np.isfinite(values).reshape(len(values), -1).all(axis=1))[0])
        raise InvalidArgument(
            needs="finite utilities", found=f"decision maker {row} got {values[row]}"
        )


def instantaneous_regrets(strategies: NDArray[Any], utilities: NDArray[Any]) -> NDArray[Any]:
    """Return what each action earned beyond the strategy at each step, shape (T, ..., actions).

    >>> instantaneous_regrets(np.array([[0.5, 0.5]]), np.array([[1.0, 0.0]])).tolist()
    [[0.5, -0.5]]
    """
    if np.shape(strategies) != np.shape(utilities):
        raise InvalidArgument(
            needs="a strategy for each step's utilities",
            found=f"the shapes are {np.shape(strategies)} and {np.shape(utilities)}",
        )
    return utilities - (strategies * utilities).sum(axis=-1)[..., None]


def sequence_external_regret(strategies: NDArray[Any], utilities: NDArray[Any]) -> NDArray[Any]:
    """Return what the best single action would have earned more over all steps.

    >>> played = np.array([[1.0, 0.0], [1.0, 0.0]])
    >>> float(sequence_external_regret(played, np.array([[0.0, 1.0], [1.0, 1.0]])))
    1.0
    """
    return instantaneous_regrets(strategies, utilities).sum(axis=0).max(axis=-1)


def sequence_swap_regret(strategies: NDArray[Any], utilities: NDArray[Any]) -> NDArray[Any]:
    """Return what the best map from played to better actions would have earned more.

    >>> played = np.eye(2)
    >>> float(sequence_swap_regret(played, 1 - played))
    2.0
    """
    instantaneous_regrets(strategies, utilities)  # checks shapes
    gains = (strategies[..., :, None] * (utilities[..., None, :] - utilities[..., :, None])).sum(
        axis=0
    )
    return gains.max(axis=-1).sum(axis=-1)


def sequence_interval_regret(strategies: NDArray[Any], utilities: NDArray[Any]) -> NDArray[Any]:
    """Return the largest external regret over all intervals of steps.

    >>> played = np.array([[1.0, 0.0]] * 3)
    >>> earned = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    >>> float(sequence_interval_regret(played, earned))
    2.0
    """
    regrets = instantaneous_regrets(strategies, utilities)
    ending = best = regrets[0]
    for own in regrets[1:]:  # the largest sum that ends here, by action
        ending = own + np.maximum(ending, ending * 0)
        best = np.maximum(best, ending)
    return best.max(axis=-1)


def sequence_switching_regret(
    strategies: NDArray[Any], utilities: NDArray[Any], *, switches: int
) -> NDArray[Any]:
    """Return what the best sequence of actions with few switches would have earned more.

    Args:
        strategies, utilities (T, ..., actions): By step.
        switches: How often the action may change, at most.

    >>> played = np.array([[0.5, 0.5]] * 2)
    >>> earned = np.eye(2)
    >>> [float(sequence_switching_regret(played, earned, switches=k)) for k in (0, 1)]
    [0.0, 1.0]
    """
    require_integer(switches, name="switches", low=0)
    regrets = instantaneous_regrets(strategies, utilities)
    worth = [regrets[0]] * (switches + 1)  # by switches made so far, and the current action
    for own in regrets[1:]:
        best = [after.max(axis=-1)[..., None] for after in worth]
        worth = [
            own + (np.maximum(worth[k], best[k - 1]) if k else worth[0])
            for k in range(switches + 1)
        ]
    return worth[-1].max(axis=-1)
