"""Frozen policies: what a learner would do everywhere, as data that nothing changes any more.

A learner that has a method ``frozen()`` says itself what it freezes to; of any other the exact
policy is asked once for each observation.
"""

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from learners.batch import BatchedEnvironment
from learners.protocol import Learner

Table: TypeAlias = NDArray[np.float64]


class Remembering(Protocol):
    """A frozen policy that looks at more than the last observation, or at features."""

    memory_width: int

    def shares(
        self,
        observations: NDArray[Any],
        previous: NDArray[np.int64],
        legal: NDArray[np.bool_],
        memory: NDArray[np.float32],
    ) -> tuple[Table, NDArray[np.float32]]:
        """Return mixed actions (R, A) at moments, and what is remembered after them.

        Args:
            observations (R,), or (R, F) of features.
            previous (R,): Own action before; -1 at the first turn of an episode.
            legal (R, A)
            memory (R, M): Before the moments; zeros at the first turn.
        """
        ...

    def snapshot(self) -> Mapping[str, Any]:
        """Return it as plain data."""
        ...


FrozenPolicy: TypeAlias = Table | Remembering  # a table (O, A) of mixed actions, or a network


def frozen(learner: Learner, environment: BatchedEnvironment) -> FrozenPolicy:
    """Return what a learner would do now, as the first player of an environment.

    Raises:
        InvalidArgument: If its policy cannot be asked for an observation.
    """
    freeze = getattr(learner, "frozen", None)
    if freeze is not None:
        return freeze()
    policy, *_ = learner.policies()
    table = np.zeros((environment.num_observations[0], environment.num_actions[0]))
    for number, row in enumerate(table):
        for action, weight in policy[(number,)]:
            row[action] = float(weight)
    return table
