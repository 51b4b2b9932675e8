"""What a leader, a follower and their episodes are to compiled code; loads none itself.

``E`` episodes, ``S`` states, ``O`` leader observations, ``A`` and ``B`` actions, ``h`` steps.
Lotteries are given as cumulative probabilities whose entries from the last possible action on are
exactly 1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

START_DRAWS, PLAY_DRAWS, LEARNING_DRAWS = 1, 3, 4  # uniform numbers an episode, and a step


class LedTables(NamedTuple):
    """A leader view in floats, read-only.

    ``rewards`` (S, A, B, 2), the leader's first; ``successor`` int64 (S, A, B, K); ``moves``
    (S, A, B, K) cumulative; ``first`` (S,) cumulative; ``seen`` int64 (S,), the leader's
    observation, -1 where play is over; ``horizon``.
    """

    rewards: Floats
    successor: Ints
    moves: Floats
    first: Floats
    seen: Ints
    horizon: int


class LeadersAtPlay(NamedTuple):
    """The leaders of ``E`` episodes, read-only.

    ``plans`` int64 (E, O): what was answered. ``is_fresh``: whether actions are drawn anew, by
    ``lotteries`` (C, O, A), cumulative, of which episode ``e`` has number ``which[e]``; else they
    are those of the plan.
    """

    plans: Ints
    is_fresh: bool
    lotteries: Floats
    which: Ints


class Episodes(NamedTuple):
    """What happened, modified in place; shape (E, h), rewards (E, h, 2).

    ``seen`` is the leader's observation, -1 after the end, where the others mean nothing.
    """

    seen: Ints
    leader: Ints
    situation: Ints
    follower: Ints
    rewards: Floats


class LearningRule(NamedTuple):
    """How values are learned."""

    step_size: float
    exploration: float
    discount: float
