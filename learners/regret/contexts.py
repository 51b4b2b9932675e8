"""Contexts: a decision maker of one's own for each situation that can be told apart.

A player in ``C`` contexts is ``C`` independent rows of a minimizer's state; only the row of the
current context plays and learns. A context is any number from 0 to ``C - 1``: the caller decides
what it stands for. Here, contexts of *recall* ``R`` are the last ``R`` joint actions, with one more
for the first ``R`` steps, when there are fewer.

Experts: advisers among whom a minimizer chooses as if they were actions.

An expert names an action, or is silent. A minimizer over experts needs what their advice earned; a
silent expert is said to have earned what was earned, so that nothing is learned about it.
"""

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_integer
from gametheory_core.errors import UnsupportedGame
from learners.regret.bandit import Exp3
from learners.regret.minimizer import Minimizer, State, Values, rows_of, with_rows

MAX_CONTEXTS = 10_000_000


def contextual_strategies(
    minimizer: Minimizer | Exp3, state: State, contexts: NDArray[np.int64]
) -> Values:
    """Return what is played next in some contexts, shape (len(contexts), actions).

    Args:
        state: One row a context.

    >>> from learners.regret import LocalMinimizer
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

    >>> from learners.regret import LocalMinimizer
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


SILENT = -1


def advised_strategies(weights: Values, advice: NDArray[np.int64], *, actions: int) -> Values:
    """Return the mixed action over actions that weights on experts make.

    Args:
        weights (batch, experts): Lotteries over experts.
        advice (batch, experts): The action each names; ``SILENT`` for none. At least one speaks in
            each row.
        actions: How many there are.

    Returns:
        (batch, actions): The weights of silent experts go to the others in proportion; evenly, if
        those have none.

    >>> advice = np.array([[0, 1, 1, SILENT]])
    >>> advised_strategies(np.full((1, 4), 0.25), advice, actions=2).round(3).tolist()
    [[0.333, 0.667]]
    """
    shares = speaking_weights(weights, advice)
    named = advice[:, :, None] == np.arange(actions)
    return np.einsum("be,bea->ba", shares, named.astype(np.float64))


def speaking_weights(weights: Values, advice: NDArray[np.int64]) -> Values:
    """Return the weights of the experts who speak, summing to 1; zero for silent ones."""
    speaks = advice != SILENT
    kept = np.where(speaks, weights, 0.0)
    kept = np.where(kept.sum(axis=1, keepdims=True) > 0, kept, speaks)
    return kept / kept.sum(axis=1, keepdims=True)


def expert_utilities(weights: Values, advice: NDArray[np.int64], utilities: Values) -> Values:
    """Return what experts earned when actions earned ``utilities``, shape (batch, experts).

    Args:
        weights, advice: As for ``advised_strategies``.
        utilities (batch, actions)

    >>> advice = np.array([[0, 1, SILENT]])
    >>> expert_utilities(np.array([[0.5, 0.5, 0.0]]), advice, np.array([[4.0, 0.0]])).tolist()
    [[4.0, 0.0, 2.0]]
    """
    speaks = advice != SILENT
    earned = np.take_along_axis(utilities, np.where(speaks, advice, 0), axis=1)
    mean = (speaking_weights(weights, advice) * earned * speaks).sum(axis=1, keepdims=True)
    return np.where(speaks, earned, mean)


def history_advice(
    own: NDArray[np.int64], other: NDArray[np.int64], *, actions: int = 3
) -> NDArray[np.int64]:
    """Return the advice of rock-paper-scissors' history experts.

    Each action is an expert that always names itself. Six more look at the last round: repeat the
    opponent's action, or one's own; play what beats the one or the other, or what loses to it.

    Args:
        own, other (batch,): The last actions, the player's and the opponent's; -1 if there were
            none, and then the six are silent.
        actions: An odd number ``m`` in a cycle: ``a`` beats ``a - 1`` modulo ``m``.

    Returns:
        int array (batch, actions + 6).

    Source: :cite:`lanctot2023population`.

    >>> history_advice(np.array([0, -1]), np.array([1, -1])).tolist()
    [[0, 1, 2, 1, 0, 2, 1, 0, 2], [0, 1, 2, -1, -1, -1, -1, -1, -1]]
    """
    always = np.broadcast_to(np.arange(actions), (len(own), actions))
    seen = np.stack([other, own], axis=1)
    looking = np.concatenate([seen, (seen + 1) % actions, (seen - 1) % actions], axis=1)
    looking = np.where((seen >= 0).all(axis=1, keepdims=True), looking, SILENT)
    return np.concatenate([always, looking], axis=1)
