"""The arrays that the loops of play read and write; the types alone, without compiled code."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

EVERYBODY, OVER = -2, -3  # movers of places, beside players 0, 1, ... and chance (-1)
LAST, TIMED, HISTORY = 0, 1, 2  # what numbers of observations stand for


class RuleArrays(NamedTuple):
    """A game, read-only: ``P`` places, ``N`` players, ``R`` rows of lotteries with ``K`` entries.

    A place is a state, with the mover where players take turns; what all who move there do has a
    code, the sum of their actions times ``strides``. ``rows`` int32 (P * num_codes,): row at
    ``place * num_codes + code``, -1 where there is none; if empty, the position of that key in
    ``row_keys`` int64 (R,), ascending. Row 0 of ``rows`` is never the start: play starts by
    drawing from row ``R``, the last. ``starts`` int64 (R + 2,). For each entry, ``cuts`` uint64,
    ``next_places``, ``paid`` and ``shown`` int32 (K,): the end of its share of 63-bit numbers, the
    place, the row of ``rewards`` float64 (., N) and the row of ``signals`` int32 (., N), what each
    player sees, -1 where nothing new. ``movers`` int32 (P,). ``legal`` bool (all observations, A),
    those of player ``i`` from ``legal_starts[i]``. ``cycle_discount`` is the factor on rewards for
    each move of chance after the first; ``horizon`` counts moves.
    """

    movers: NDArray[np.int32]
    rows: NDArray[np.int32]
    row_keys: NDArray[np.int64]
    strides: NDArray[np.int64]
    starts: NDArray[np.int64]
    cuts: NDArray[np.uint64]
    next_places: NDArray[np.int32]
    paid: NDArray[np.int32]
    shown: NDArray[np.int32]
    rewards: NDArray[np.float64]
    signals: NDArray[np.int32]
    legal: NDArray[np.bool_]
    legal_starts: NDArray[np.int64]
    num_codes: int
    cycle_discount: float
    horizon: int


class SightArrays(NamedTuple):
    """How what was seen becomes a number, read-only.

    ``kind`` is ``LAST``, ``TIMED`` or ``HISTORY``; ``num_seen`` and ``num_actions`` int64 (N,).
    Histories: after number ``h`` (-1 before anything was seen) and action ``a``, player ``i``'s
    next numbers are ``children`` from ``branches[b]`` to ``branches[b + 1]``, with
    ``b = offsets[i] + (h + 1) * num_actions[i] + a``, by ascending observation in ``seen``.
    """

    kind: int
    num_seen: NDArray[np.int64]
    num_actions: NDArray[np.int64]
    offsets: NDArray[np.int64]
    branches: NDArray[np.int64]
    seen: NDArray[np.int32]
    children: NDArray[np.int32]


class PlayState(NamedTuple):
    """Where ``E`` episodes stand; all modified in place.

    ``episodes`` int64 (E,): their numbers; ``streams`` uint64 (E, 2): start and step of their
    random numbers; ``places`` int32 (E,); ``moves`` and ``chances`` int64 (E,): made so far, by
    all and by chance; ``weights`` float64 (E,): the discount on what is paid next. For each player
    (E, N): ``seen`` int32, the last observation, -1 before any; ``numbers`` int64, what it is
    called; ``turns`` and ``acted`` int32, the number of observations so far and the last action;
    ``pending`` float64, paid since the last turn.
    """

    episodes: NDArray[np.int64]
    streams: NDArray[np.uint64]
    places: NDArray[np.int32]
    moves: NDArray[np.int64]
    chances: NDArray[np.int64]
    weights: NDArray[np.float64]
    seen: NDArray[np.int32]
    numbers: NDArray[np.int64]
    turns: NDArray[np.int32]
    acted: NDArray[np.int32]
    pending: NDArray[np.float64]


class TurnArrays(NamedTuple):
    """A turn, all written: as in ``BatchTurn``."""

    observations: NDArray[np.int64]
    legal: NDArray[np.bool_]
    acts: NDArray[np.bool_]
    rewards: NDArray[np.float64]
    is_terminal: NDArray[np.bool_]
    is_truncated: NDArray[np.bool_]
    final_observations: NDArray[np.int64]
