"""Whole plays of fixed policies in compiled code: their returns alone, or every step of them.

Policies are cuts of the 63-bit numbers, uint64 (all numbers of observations, A): the row of player
``i``'s observation ``o`` is ``policy_starts[i] + o``. One call plays the episodes ``first``,
``first + 1``, ... of a key; calls share nothing, so that threads can make them.
"""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners._kernels.arrays import (
    ACTED,
    COMMON,
    EVERYBODY,
    MOVES,
    NUMBER,
    OVER,
    OWN,
    PLACE,
    START,
    STRIDE,
    RuleArrays,
    SightArrays,
)
from learners._kernels.play import go_on, number_at, open_episode, row_of
from solvers._kernels.compile import compiled


@partial(compiled, nogil=True)
def returns(
    rules: RuleArrays,
    sight: SightArrays,
    policies: NDArray[np.uint64],
    policy_starts: NDArray[np.int64],
    discount: float,
    key: np.uint64,
    first: int,
    most_steps: int,
    earned: NDArray[np.float64],
    lengths: NDArray[np.int64],
) -> None:
    """Write what each episode paid, discounted, ``earned`` (E, N), and its ``lengths`` (E,).

    An episode that is not over after ``most_steps`` is given up, with length -1; one that is over
    before anyone acts has length 1.
    """
    (
        movers, rows, row_keys, strides, starts, cuts, entries, rewards, signals, _, _, codes,
        factor, end,
    ) = rules  # fmt: skip
    kind, sizes, branches, following = sight
    players = len(strides)
    whole = np.zeros((1, COMMON + OWN * players), dtype=np.int64)
    paid = np.zeros((1, 1 + players), dtype=np.float64)
    for k in range(len(lengths)):
        open_episode(whole, paid, 0, key, first + k)
        weight = 1.0
        length = 0
        row = len(starts) - 2
        for i in range(players):
            earned[k, i] = 0.0
        while True:
            go_on(
                0, row, whole, paid, movers, rows, row_keys, starts, cuts, entries, rewards,
                signals, codes, factor, end, kind, sizes, branches, following,
            )  # fmt: skip
            mover = int(movers[whole[0, PLACE]])
            if mover == OVER or whole[0, MOVES] >= end or length >= most_steps:
                break
            if length:
                for i in range(players):
                    earned[k, i] += weight * paid[0, 1 + i]
                    paid[0, 1 + i] = 0.0
                weight *= discount
            code = chosen(whole, mover, policies, policy_starts, strides)
            row = row_of(rows, row_keys, whole[0, PLACE] * codes + code)
            length += 1
        for i in range(players):
            earned[k, i] += weight * paid[0, 1 + i]
        gave_up = mover != OVER and whole[0, MOVES] < end
        lengths[k] = -1 if gave_up else max(length, 1)


@partial(compiled, nogil=True)
def record(
    rules: RuleArrays,
    sight: SightArrays,
    policies: NDArray[np.uint64],
    policy_starts: NDArray[np.int64],
    key: np.uint64,
    first: int,
    places: NDArray[np.int32],
    observations: NDArray[np.int32],
    actions: NDArray[np.int32],
    earned: NDArray[np.float64],
    is_terminal: NDArray[np.bool_],
) -> None:
    """Write every turn of each episode of known length.

    ``places`` (E, T + 1), the last of an episode being where it ended, ``observations``,
    ``actions`` and ``earned`` (E, T, N), ``is_terminal`` (E,); actions are -1 where a player did
    not act. Only as much of a row is written as the episode is long.
    """
    (
        movers, rows, row_keys, strides, starts, cuts, entries, rewards, signals, _, _, codes,
        factor, end,
    ) = rules  # fmt: skip
    kind, sizes, branches, following = sight
    players = len(strides)
    whole = np.zeros((1, COMMON + OWN * players), dtype=np.int64)
    paid = np.zeros((1, 1 + players), dtype=np.float64)
    for k in range(len(places)):
        open_episode(whole, paid, 0, key, first + k)
        step = -1
        row = len(starts) - 2
        while True:
            go_on(
                0, row, whole, paid, movers, rows, row_keys, starts, cuts, entries, rewards,
                signals, codes, factor, end, kind, sizes, branches, following,
            )  # fmt: skip
            mover = int(movers[whole[0, PLACE]])
            if step >= 0:
                for i in range(players):
                    earned[k, step, i] = paid[0, 1 + i]
                    paid[0, 1 + i] = 0.0
            step += 1
            places[k, step] = whole[0, PLACE]
            if mover == OVER or whole[0, MOVES] >= end:
                if step == 0:  # over before anyone acts: one step in which nobody does
                    places[k, 1] = whole[0, PLACE]
                    for i in range(players):
                        observations[k, 0, i] = whole[0, COMMON + OWN * i + NUMBER]
                        earned[k, 0, i] = paid[0, 1 + i]
                break
            code = chosen(whole, mover, policies, policy_starts, strides)
            for i in range(players):
                own = COMMON + OWN * i
                acts = mover == EVERYBODY or mover == i  # noqa: PLR1714 compiled
                observations[k, step, i] = whole[0, own + NUMBER]
                actions[k, step, i] = whole[0, own + ACTED] if acts else -1
            row = row_of(rows, row_keys, whole[0, PLACE] * codes + code)
        is_terminal[k] = mover == OVER


@partial(compiled, forceinline=True)
def chosen(
    whole: Any,
    mover: int,
    policies: NDArray[np.uint64],
    policy_starts: NDArray[np.int64],
    strides: NDArray[np.int64],
) -> int:
    """Draw what all who move do, and return its code; actions are written to ``whole[0]``."""
    players = len(strides)
    start, stride = np.uint64(whole[0, START]), np.uint64(whole[0, STRIDE])
    use = (whole[0, MOVES] + 1) * (players + 1)
    code = 0
    for i in range(players):
        if mover == EVERYBODY or mover == i:  # noqa: PLR1714, SIM109 compiled
            own = COMMON + OWN * i
            row = policy_starts[i] + whole[0, own + NUMBER]
            number = number_at(start, stride, use + i)
            action = 0
            for other in range(policies.shape[1] - 1):  # no branch that could be guessed wrong
                action += number >= policies[row, other]
            whole[0, own + ACTED] = action
            code += action * strides[i]
    return code
