"""Equilibria of a bimatrix game as a mixed-integer program (Sandholm, Gilpin, Conitzer 2005).

For each player's action a probability ``p`` and a binary ``q``, 1 where the action is unplayed;
with ``u`` what a best reply earns, ``r`` how much less the action earns, and ``R`` the most it can:

    p <= 1 - q,   0 <= r <= R q,   sum p = 1.

So an action is unplayed or a best reply. Payoffs are floats, each player's in [0, 1].
"""

from dataclasses import dataclass

import numpy as np

from gametheory_core.arrays import FloatArray
from solvers._programs.linear import LinearProgram
from solvers._programs.mixed_integer import MixedIntegerProgram, solve_mixed_integer


@dataclass(frozen=True, eq=False)
class Proposal:
    """What branch and bound proposes.

    Attributes:
        actions: Each player's actions whose binary variable says that they are played.
        value: The objective there.
    """

    actions: tuple[tuple[int, ...], tuple[int, ...]]
    value: float


def propose(
    payoffs: tuple[FloatArray, FloatArray],
    *,
    payoff_weights: tuple[float, float] = (0.0, 0.0),
    unplayed_weight: float = 0.0,
    time_limit: float | None = None,
) -> Proposal | None:
    """Maximise weighted payoffs, and the weighted number of unplayed actions, over equilibria.

    Args:
        payoffs (m, n): Each player's, in [0, 1].
        time_limit: Seconds.

    Returns:
        None if HiGHS finds no equilibrium; a proposal may be wrong by rounding.
    """
    program = equilibrium_program(
        payoffs, payoff_weights=payoff_weights, unplayed_weight=unplayed_weight
    )
    found = solve_mixed_integer(program, time_limit=time_limit)
    if found.primal is None:
        return None
    num_rows, num_columns = payoffs[0].shape
    size = num_rows + num_columns
    is_played = found.primal[size : 2 * size] < 0.5
    rows, columns = is_played[:num_rows], is_played[num_rows:]
    return Proposal(
        (tuple(np.flatnonzero(rows).tolist()), tuple(np.flatnonzero(columns).tolist())),
        found.value,
    )


def equilibrium_program(
    payoffs: tuple[FloatArray, FloatArray],
    *,
    payoff_weights: tuple[float, float],
    unplayed_weight: float,
) -> MixedIntegerProgram:
    """Write the program: columns ``p`` of both players, ``q`` of both, then ``u`` of both."""
    num_rows, num_columns = payoffs[0].shape
    size = num_rows + num_columns
    earned = np.zeros((size, size))  # what each action earns against the probabilities p
    earned[:num_rows, num_rows:] = payoffs[0]
    earned[num_rows:, :num_rows] = payoffs[1].T
    is_column = np.arange(size) >= num_rows
    best = np.array([~is_column, is_column], dtype=float).T  # u of the action's player
    most = np.concatenate(
        [
            (payoffs[0].max(axis=0) - payoffs[0]).max(axis=1),
            (payoffs[1].max(axis=1)[:, None] - payoffs[1]).max(axis=0),
        ]
    )
    zero, identity = np.zeros((size, size)), np.eye(size)
    blocks = [
        [identity, identity, np.zeros((size, 2))],
        [earned, zero, -best],
        [-earned, -np.diag(most), best],
        [best.T, np.zeros((2, size)), np.zeros((2, 2))],
    ]
    table = np.block(blocks)
    rows, columns = np.nonzero(table)
    is_equation = np.arange(len(table)) >= 3 * size
    kinds = np.arange(2 * size + 2) // size
    relaxation = LinearProgram(
        objective=np.array(
            [0.0] * size + [unplayed_weight] * size + list(payoff_weights), dtype=float
        ),
        rows=rows.astype(np.int32),
        columns=columns.astype(np.int32),
        values=table[rows, columns],
        bounds=np.concatenate([np.ones(size), np.zeros(2 * size), np.ones(2)]),
        is_equation=is_equation,
        is_free=kinds == 2,
    )
    return MixedIntegerProgram(relaxation, is_binary=kinds == 1)
