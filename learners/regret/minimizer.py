"""Regret minimizers: what a decision maker plays next, from what actions earned so far.

The *external regret* after ``T`` steps, with ``p_t`` the strategies and ``u_t`` the utilities, is
``max over a of sum_t u_t(a) - p_t.u_t``. A minimizer keeps it below a bound that grows more slowly
than ``T``, on every sequence of utilities, even one chosen by somebody who sees ``p_t``.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.errors import InvalidArgument
from learners.regret.states import State, Values
from solvers.local_rules import LocalRule


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
