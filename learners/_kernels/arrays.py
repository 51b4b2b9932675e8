"""The arrays that loops of play read and write; the types alone, without compiled code.

A leader meets a follower in ``E`` episodes of ``S`` states, ``O`` leader observations, ``A`` and
``B`` actions, ``h`` steps. Cumulative probabilities are exactly 1 from the last possible action on.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

EVERYBODY, OVER = -2, -3  # movers of places, beside players 0, 1, ... and chance (-1)
LAST, TIMED, HISTORY = 0, 1, 2  # what numbers of observations stand for
NEXT_PLACE, PAID, SHOWN = 0, 1, 2  # columns of ``RuleArrays.entries``
NUM_SEEN, NUM_ACTIONS, OFFSET = 0, 1, 2  # columns of ``SightArrays.sizes``

# Columns of ``PlayState.whole``: of the episode, and then of each player in turn
EPISODE, START, STRIDE, PLACE, MOVES, CHANCES = 0, 1, 2, 3, 4, 5
COMMON = 6
SEEN, NUMBER, TURNS, ACTED = 0, 1, 2, 3
OWN = 4


class RuleArrays(NamedTuple):
    """A game, read-only: ``P`` places, ``N`` players, ``R`` rows of lotteries with ``K`` entries.

    A place is a state, with the mover where players take turns; what all who move there do has a
    code, the sum of their actions times ``strides``. ``movers`` int32 (P,). ``rows`` int32
    (P * num_codes,): row at ``place * num_codes + code``, -1 where there is none; if empty, the
    position of that key in ``row_keys`` int64 (R,), ascending. Play starts by drawing from row
    ``R``, after the rows of moves. ``starts`` int64 (R + 2,). For each entry, ``cuts`` uint64 (K,):
    the end of its share of the 63-bit numbers; and ``entries`` int32 (K, 3): the next place, the
    row of ``rewards`` float64 (., N) and that of ``signals`` int32 (., N), what each player sees,
    -1 where nothing new. ``legal`` bool (all observations, A), those of player ``i`` from
    ``legal_starts[i]``. ``cycle_discount`` is the factor on rewards for each move of chance after
    the first; ``horizon`` counts moves.
    """

    movers: NDArray[np.int32]
    rows: NDArray[np.int32]
    row_keys: NDArray[np.int64]
    strides: NDArray[np.int64]
    starts: NDArray[np.int64]
    cuts: NDArray[np.uint64]
    entries: NDArray[np.int32]
    rewards: NDArray[np.float64]
    signals: NDArray[np.int32]
    legal: NDArray[np.bool_]
    legal_starts: NDArray[np.int64]
    num_codes: int
    cycle_discount: float
    horizon: int


class SightArrays(NamedTuple):
    """How what was seen becomes a number, read-only.

    ``kind`` is ``LAST``, ``TIMED`` or ``HISTORY``; ``sizes`` int64 (N, 3): observations and actions
    of a player, and an offset ``f``. Histories: after number ``h`` (-1 before anything was seen)
    and action ``a``, the next ones are the rows ``branches[b]`` to ``branches[b + 1]`` of
    ``following`` int32 (., 2), with ``b = f + (h + 1) * actions + a``: observation, ascending, and
    number.
    """

    kind: int
    sizes: NDArray[np.int64]
    branches: NDArray[np.int64]
    following: NDArray[np.int32]


class PlayState(NamedTuple):
    """Where ``E`` episodes stand; both arrays are modified in place.

    ``whole`` int64 (E, 6 + 4 N): the number of the episode, start and step of its random numbers
    (bits of unsigned ones), place, moves made by all and by chance; and for each player the last
    observation (-1 before any), its number, how many there were, and the last action. ``paid``
    float64 (E, 1 + N): the discount on what is paid next, and what each player has been paid since
    the last turn.
    """

    whole: NDArray[np.int64]
    paid: NDArray[np.float64]


class TurnArrays(NamedTuple):
    """A turn, all written: as in ``BatchTurn``."""

    observations: NDArray[np.int64]
    legal: NDArray[np.bool_]
    acts: NDArray[np.bool_]
    rewards: NDArray[np.float64]
    is_terminal: NDArray[np.bool_]
    is_truncated: NDArray[np.bool_]
    final_observations: NDArray[np.int64]


Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

START_DRAWS, PLAY_DRAWS = 1, 3  # uniform numbers an episode, and a step
LEARNING_DRAWS, SEAT_DRAWS = 2, 2  # a step while followers learn, and for each of them besides


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
    """What happened, modified in place; shape (E, h), rewards (E, h, 2), ``situation`` (E, h + 1).

    ``seen`` is the leader's observation, -1 after the end, where the others mean nothing. The
    situation after the last step is -1 where nothing is expected any more.
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


class FollowerSeats(NamedTuple):
    """What ``n`` followers tell apart and may do, read-only.

    ``numbers`` int64 (n, h + 1, S): the situation of each, -1 where nothing is expected any more;
    ``legal`` bool (n, Z, B), of the most situations and actions that one of them has; ``strides``
    int64 (n,): what one step of each one's action adds to the code of what all of them do.
    """

    numbers: Ints
    legal: NDArray[np.bool_]
    strides: Ints


class MatchArrays(NamedTuple):
    """A match between players who recall windows, read-only.

    ``points`` int64 (J,): what each joint action adds to the first player's lead; ``starts`` int64
    (recall + 2,): the number of the first window of each length; ``worth`` int64 (windows,): what
    the joint actions of a window add up to; ``rounds``, and ``most``, the largest of the points.
    """

    points: NDArray[np.int64]
    starts: NDArray[np.int64]
    worth: NDArray[np.int64]
    rounds: int
    most: int
