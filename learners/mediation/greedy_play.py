"""What somebody who does not explore comes to, by playing."""

import numpy as np
from numpy.typing import NDArray

from learners.mediation.led_batch import Deciding, LedBatch, LedTurn


def greedy_returns(deciding: Deciding, batch: LedBatch) -> NDArray[np.float64]:
    """Play every episode of a batch once without exploring, and return everybody's returns.

    Args:
        deciding: A ``DeepJamQLearning``, for one.
        batch: Of the game that was learned, but not the one that the learner plays on.

    Returns:
        (E, N): Without transfers and bonus.
    """
    turn = batch.reset()
    while not turn.is_over.all():
        due = np.flatnonzero(turn.picks)
        if len(due):
            leaders = np.full(len(turn.picks), -1, dtype=np.int64)
            leaders[due] = deciding.pick(turn.mediator[due], turn.past[due])
            turn = batch.pick(leaders)
        turn = batch.step(_actions(deciding, turn))
    return turn.past


def _actions(deciding: Deciding, turn: LedTurn) -> NDArray[np.int64]:
    episodes, players = turn.past.shape
    actions = np.zeros((episodes, players), dtype=np.int64)
    may = np.asarray(turn.legal.any(axis=2))
    for agent in range(players):
        for leads in (True, False):
            rows = np.flatnonzero(may[:, agent] & (np.equal(turn.leader, agent) == leads))
            if len(rows):
                seen, legal = turn.agents[rows, agent], turn.legal[rows, agent]
                actions[rows, agent] = deciding.act(agent, seen, legal, leads=leads)
    return actions
