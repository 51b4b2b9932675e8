"""Exploration: how the actions that are played differ from the ones that look best.

Of several best actions the first is *the* greedy one, always: exploration is the only chance in
play. Only legal actions are played.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance
from gametheory_core.errors import InvalidArgument, refusing_as
from learners.policies import as_probabilities
from learners.schedules import Constant, Schedule, as_schedule
from learners.snapshots import Kept


@dataclass(frozen=True)
class EpsilonGreedy:
    """At each turn, with some probability any legal action, all equally likely; else the greedy.

    Attributes:
        epsilon: The probability, from 0 to 1; at 1 play is uniform.
    """

    epsilon: float | Schedule = 0.1

    def __post_init__(self) -> None:
        with refusing_as("EpsilonGreedy"):
            _ = self.level

    @cached_property
    def level(self) -> Schedule:
        """How much is explored."""
        return as_schedule(self.epsilon, name="epsilon", low=0, high=1)


@dataclass(frozen=True)
class Boltzmann:
    """At each turn an action with probability in proportion to ``exp(value / temperature)``.

    Attributes:
        temperature: Above 0, in units of rewards.
    """

    temperature: float | Schedule = 1.0

    def __post_init__(self) -> None:
        with refusing_as("Boltzmann"):
            _ = self.level

    @cached_property
    def level(self) -> Schedule:
        """How much is explored."""
        return as_schedule(self.temperature, name="temperature", above=0)


@dataclass(frozen=True)
class ParameterNoise:
    """Each episode is played by a pure policy drawn around the greedy one, and held to its end.

    When an episode begins, the greedy action of each observation is replaced, with some
    probability and independently, by one of the other legal actions, all equally likely.

    Attributes:
        flip: The probability, from 0 to 1.

    A policy an episode is held: memory is the number of episodes times that of observations.

    Source: :cite:`gerstgrasser2023oracles`, theorem 2.
    """

    flip: float | Schedule = 0.2

    def __post_init__(self) -> None:
        with refusing_as("ParameterNoise"):
            _ = self.level

    @cached_property
    def level(self) -> Schedule:
        """How much is explored."""
        return as_schedule(self.flip, name="flip", low=0, high=1)


@dataclass(frozen=True, eq=False)
class FixedPolicy:
    """Play given mixed actions, whatever the values: what is learned is what they are worth.

    Attributes:
        probabilities (O, A): Probabilities of actions by observation number; zero where an action
            is not legal.
    """

    probabilities: NDArray[np.float64]

    def __post_init__(self) -> None:
        kept = as_probabilities(self.probabilities, name="probabilities")
        object.__setattr__(self, "probabilities", kept)

    @property
    def level(self) -> Schedule:
        """All play is given."""
        return Constant(1.0)


Exploration: TypeAlias = EpsilonGreedy | Boltzmann | ParameterNoise | FixedPolicy
EXPLORATIONS = (EpsilonGreedy, Boltzmann, ParameterNoise, FixedPolicy)


class Explorer(Kept):
    """One player's exploration under way: the mixed actions to draw actions from."""

    KEPT = EPISODES = ("_held",)

    def __init__(
        self, exploration: Exploration, *, shape: tuple[int, int, int], rng: np.random.Generator
    ) -> None:
        """Explore (episodes, observations, actions); ``rng`` is shared, not in snapshots."""
        from learners._kernels import value_updates as action_lotteries  # noqa: PLC0415 loads numba

        require_instance(
            exploration,
            EXPLORATIONS,
            where="exploration",
            name="exploration",
            remedy="Give EpsilonGreedy(0.1), Boltzmann(1.0) or ParameterNoise(0.2), for one.",
        )
        episodes, observations, actions = shape
        if isinstance(exploration, FixedPolicy) and exploration.probabilities.shape != shape[1:]:
            raise InvalidArgument(
                needs=f"mixed actions for {observations} observations and {actions} actions",
                found=f"their shape is {exploration.probabilities.shape}",
            )
        self._exploration = exploration
        self._rng = rng
        self._kernels = action_lotteries
        self._probabilities = np.zeros((episodes, actions))
        self._episodes = np.arange(episodes)
        self._held = np.zeros((0, observations), dtype=np.int64)
        if isinstance(exploration, ParameterNoise):
            self._held = np.zeros((episodes, observations), dtype=np.int64)

    @property
    def is_mostly_greedy(self) -> bool:
        """Whether actions are drawn by ``mostly_greedy``."""
        return isinstance(self._exploration, EpsilonGreedy)

    def level(self, step: int) -> float:
        """Return how much is explored after so many steps."""
        return self._exploration.level.at(step)

    def begin(
        self,
        is_new: NDArray[np.bool_],
        table: Callable[[], NDArray[np.float64]],
        legal: NDArray[np.bool_],
        step: int,
    ) -> None:
        """Prepare for episodes that begin; ``table`` () and ``legal`` are (O, A)."""
        if not isinstance(self._exploration, ParameterNoise):
            return
        new = np.flatnonzero(is_new)
        drawn = np.empty((len(new), len(legal)), dtype=np.int64)
        numbers = self._rng.random(drawn.shape)
        self._kernels.noisy_policies(table(), legal, self.level(step), numbers, drawn)
        self._held[new] = drawn

    def probabilities(
        self,
        rows: Callable[[], NDArray[np.float64]],
        seen: NDArray[np.int64],
        legal: NDArray[np.bool_],
        step: int,
    ) -> NDArray[np.float64]:
        """Return what each episode does now, shape (E, A); overwritten by the next call.

        ``rows`` () are the values (E, A) of what is ``seen`` (E,); ``legal`` is (E, A).
        """
        out = self._probabilities
        if isinstance(self._exploration, EpsilonGreedy):
            self._kernels.mostly_greedy(rows(), legal, self.level(step), out)
        elif isinstance(self._exploration, Boltzmann):
            self._kernels.softmax(rows(), legal, self.level(step), out)
        elif isinstance(self._exploration, FixedPolicy):
            out[:] = self._exploration.probabilities[seen]
        else:
            self._hold_legal(rows, seen, legal, step)
            out[:] = 0.0
            out[self._episodes, self._held[self._episodes, seen]] = 1.0
            out *= legal
        return out

    def _hold_legal(
        self,
        rows: Callable[[], NDArray[np.float64]],
        seen: NDArray[np.int64],
        legal: NDArray[np.bool_],
        step: int,
    ) -> None:
        """Draw again what is held and not legal: nobody knew, when the episodes began."""
        is_legal = legal[self._episodes, self._held[self._episodes, seen]]
        for episode in np.flatnonzero(legal.any(axis=1) & ~is_legal).tolist():
            values, allowed = rows()[episode][None], legal[episode][None]
            drawn = np.empty((1, 1), dtype=np.int64)
            numbers = self._rng.random((1, 1))
            self._kernels.noisy_policies(values, allowed, self.level(step), numbers, drawn)
            self._held[episode, seen[episode]] = drawn[0, 0]

    def played(
        self, table: NDArray[np.float64], legal: NDArray[np.bool_], step: int
    ) -> NDArray[np.float64]:
        """Return how each episode is played as it stands, by observation; shape (E, O, A)."""
        shape = (len(self._episodes), *table.shape)
        if isinstance(self._exploration, ParameterNoise):
            return np.eye(table.shape[1])[self._held]
        if isinstance(self._exploration, FixedPolicy):
            return np.broadcast_to(self._exploration.probabilities, shape)
        out = np.zeros(table.shape)
        choose = (
            self._kernels.mostly_greedy
            if isinstance(self._exploration, EpsilonGreedy)
            else self._kernels.softmax
        )
        choose(table, legal, self.level(step), out)
        return np.broadcast_to(out, shape)
