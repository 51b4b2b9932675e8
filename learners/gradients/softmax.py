"""Softmax policies in tables: a row of logits for each observation, a mixed action of each row.

With logits ``z`` and legal actions ``L(o)``: ``p(o, a)`` is in proportion to ``exp z(o, a)`` over
``L(o)``, and zero where ``a`` is not legal. The *score* of an action is the gradient of
``log p(o, a)`` in the logits of ``o``: the unit vector of ``a`` less ``p(o, .)``.

Adam: steps along a gradient, each coordinate in units of its own recent size.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from learners.policies import entropies

Table: TypeAlias = NDArray[np.float64]  # (observations, actions)
Indices: TypeAlias = NDArray[np.int64]  # one a sample


def softmax_policy(logits: Table, legal: NDArray[np.bool_]) -> Table:
    """Return the mixed actions that logits stand for.

    Args:
        logits (O, A): Finite where legal.
        legal (O, A): Which actions are.

    Returns:
        (O, A): Rows sum to 1; a row without legal actions is all zero.

    >>> legal = np.array([[True, True], [True, False]])
    >>> softmax_policy(np.zeros((2, 2)), legal).tolist()
    [[0.5, 0.5], [1.0, 0.0]]
    """
    masked = np.where(legal, logits, -np.inf)
    highest = np.where(legal.any(axis=-1), masked.max(axis=-1), 0.0)
    weights = np.exp(masked - highest[..., None])
    return weights / np.maximum(weights.sum(axis=-1, keepdims=True), 1.0)


def entropy_gradient(policy: Table, weights: NDArray[np.float64]) -> Table:
    """Return the gradient, in the logits, of the weighted sum of entropies.

    Args:
        policy (O, A)
        weights (O,): Of each observation.

    >>> entropy_gradient(np.array([[0.5, 0.5]]), np.ones(1)).tolist()
    [[0.0, 0.0]]
    """
    logs = np.log(np.where(policy > 0, policy, 1.0))
    surprise = logs + entropies(policy)[..., None]
    return -weights[..., None] * policy * surprise + 0.0


def cell_sums(
    policy_shape: tuple[int, int],
    observations: Indices,
    actions: Indices,
    weights: NDArray[np.float64],
) -> Table:
    """Add up the samples' weights by observation and action.

    Args:
        observations, actions (B,)
        weights (B,)

    >>> seen, did = np.array([0, 0, 1]), np.array([1, 1, 0])
    >>> cell_sums((2, 2), seen, did, np.ones(3)).tolist()
    [[0.0, 2.0], [1.0, 0.0]]
    """
    rows, columns = policy_shape
    cells = observations * columns + actions
    sums: Table = np.bincount(cells, weights, rows * columns).astype(np.float64)
    return sums.reshape(policy_shape)


def score_sum(policy: Table, sums: Table) -> Table:
    """Return the sum of weighted scores, for weights summed by observation and action.

    Args:
        policy (O, A)
        sums (O, A)

    >>> score_sum(np.array([[0.5, 0.5]]), np.array([[2.0, 0.0]])).tolist()
    [[1.0, -1.0]]
    """
    return sums - policy * sums.sum(axis=-1, keepdims=True)


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
