"""Contexts: a decision maker of one's own for each situation that can be told apart.

A player in ``C`` contexts is ``C`` independent rows of a minimizer's state; only the row of the
current context plays and learns. A context is any number from 0 to ``C - 1``: the caller decides
what it stands for. Here, contexts of *recall* ``R`` are the last ``R`` joint actions, with one more
for the first ``R`` steps, when there are fewer.
"""

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_integer
from gametheory_core.errors import UnsupportedGame
from learners.regret.bandit import Exp3
from learners.regret.minimizer import Minimizer
from learners.regret.states import State, Values, rows_of, with_rows

MAX_CONTEXTS = 10_000_000


def contextual_strategies(
    minimizer: Minimizer | Exp3, state: State, contexts: NDArray[np.int64]
) -> Values:
    """Return what is played next in some contexts, shape (len(contexts), actions).

    Args:
        state: One row a context.

    >>> from learners.regret.minimizer import LocalMinimizer
    >>> from solvers.local_rules import RegretMatching
    >>> minimizer = LocalMinimizer(RegretMatching())
    >>> state = minimizer.start(batch=9, actions=3)
    >>> contextual_strategies(minimizer, state, np.array([4])).round(3).tolist()
    [[0.333, 0.333, 0.333]]
    """
    return minimizer.strategies(rows_of(state, contexts))


def contextual_observe(
    minimizer: Minimizer, state: State, contexts: NDArray[np.int64], utilities: Values
) -> State:
    """Return the state after actions earned ``utilities`` in some contexts, all different.

    Args:
        state: One row a context.
        utilities (len(contexts), actions)

    >>> from learners.regret.minimizer import LocalMinimizer
    >>> from solvers.local_rules import RegretMatching
    >>> minimizer = LocalMinimizer(RegretMatching())
    >>> state = minimizer.start(batch=2, actions=2)
    >>> state = contextual_observe(minimizer, state, np.array([1]), np.array([[0.0, 1.0]]))
    >>> minimizer.strategies(state).tolist()
    [[0.5, 0.5], [0.0, 1.0]]
    """
    return with_rows(state, contexts, minimizer.observe(rows_of(state, contexts), utilities))


def num_recalled(joint_actions: int, recall: int) -> int:
    """Return the number of contexts of a recall.

    Args:
        joint_actions: How many there are.

    Raises:
        UnsupportedGame: If there are more than ``MAX_CONTEXTS``.

    >>> [num_recalled(9, recall) for recall in (0, 1, 2)]
    [1, 10, 82]
    """
    require_integer(recall, name="recall", low=0)
    count = 1 if not recall else joint_actions**recall + 1
    if count > MAX_CONTEXTS:
        raise UnsupportedGame(
            needs=f"at most {MAX_CONTEXTS:,} contexts",
            found=f"{joint_actions} joint actions and recall {recall} make {count:,}",
            remedy="Recall fewer steps.",
        )
    return count


def recalled(joint_actions: int, recall: int, seen: tuple[int, ...]) -> int:
    """Return the context of the joint actions seen so far.

    Args:
        joint_actions: How many there are.
        seen: Numbers of joint actions, the most recent last.

    >>> recalled(9, 1, ()), recalled(9, 1, (4, 7)), recalled(9, 2, (4, 7))
    (9, 7, 43)
    """
    if not recall:
        return 0
    if len(seen) < recall:
        return joint_actions**recall
    context = 0
    for joint in seen[-recall:]:
        context = context * joint_actions + joint
    return context
