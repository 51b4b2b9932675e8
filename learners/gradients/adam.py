"""Adam: steps along a gradient, each coordinate in units of its own recent size."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

FIRST_DECAY, SECOND_DECAY = 0.9, 0.999  # as the authors recommend
SMALLEST = 1e-8  # keeps coordinates whose gradients vanish from being divided by zero


@dataclass(frozen=True, eq=False)
class Adam:
    """Where an optimizer stands.

    Attributes:
        first, second: Decaying means of the gradient and of its square, not corrected for their
            start at zero.
    """

    first: NDArray[np.float64]
    second: NDArray[np.float64]
    steps: int = 0


def adam(shape: tuple[int, ...]) -> Adam:
    """Return the state of an optimizer that has seen no gradient.

    Args:
        shape: Of what is optimized.

    Source: :cite:`kingma2015adam`.

    >>> adam((2, 3)).steps
    0
    """
    return Adam(np.zeros(shape), np.zeros(shape))


def adam_seen(state: Adam, gradient: NDArray[np.float64]) -> Adam:
    """Return the state after one more gradient.

    >>> adam_seen(adam((1,)), np.ones(1)).first.round(3).tolist()
    [0.1]
    """
    return Adam(
        FIRST_DECAY * state.first + (1 - FIRST_DECAY) * gradient,
        SECOND_DECAY * state.second + (1 - SECOND_DECAY) * gradient**2,
        state.steps + 1,
    )


def adam_change(state: Adam, *, step_size: float) -> NDArray[np.float64]:
    """Return what to add in order to *climb*, after ``adam_seen``.

    Args:
        state: Has seen a gradient.
        step_size: About the most that any coordinate moves.

    >>> seen = adam_seen(adam((2,)), np.array([3.0, -0.01]))
    >>> adam_change(seen, step_size=0.1).round(4).tolist()
    [0.1, -0.1]
    """
    first = state.first / (1 - FIRST_DECAY**state.steps)
    second = state.second / (1 - SECOND_DECAY**state.steps)
    return step_size * first / (np.sqrt(second) + SMALLEST)


def adam_record(state: Adam) -> dict[str, Any]:
    """Return the state as plain data, copied.

    >>> sorted(adam_record(adam((1,))))
    ['first', 'second', 'steps']
    """
    return {"first": state.first.copy(), "second": state.second.copy(), "steps": state.steps}


def adam_from_record(record: dict[str, Any]) -> Adam:
    """Return the state that ``adam_record`` wrote.

    >>> adam_from_record(adam_record(adam((1,)))).steps
    0
    """
    return Adam(record["first"].copy(), record["second"].copy(), int(record["steps"]))
