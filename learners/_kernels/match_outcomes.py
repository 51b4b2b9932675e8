"""How matches of players who recall the last rounds end, pair by pair, in compiled code.

Play is followed forward over windows and leads. What cannot be turned any more is counted at once,
and a window's own points tell which leads it can have: of RirRPS's 35,812 states with 9 joint
actions each, 31 leads a window are followed in all, some 200,000 multiplications a pair.
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from learners._kernels.arrays import MatchArrays
from solvers._kernels.compile import compiled

WIN, TIE, LOSS = 0, 1, 2


@partial(compiled, nogil=True)
def outcomes(
    match: MatchArrays,
    firsts: NDArray[np.float64],
    seconds: NDArray[np.float64],
    pairs: NDArray[np.int64],
    found: NDArray[np.float64],
) -> None:
    """Write how likely the first player of each pair wins, ties and loses on points.

    ``firsts`` (n, windows, A) and ``seconds`` (m, windows, B), both by the first player's numbers
    of windows; ``pairs`` (K, 2); ``found`` (K, 3) is modified in place.
    """
    points, starts, worth, rounds, most = match
    windows, second_actions = seconds.shape[1], seconds.shape[2]
    longest = starts[len(starts) - 1] - starts[len(starts) - 2]
    half = (rounds // 2 + 1) * most
    chances = np.empty((windows, len(points)))
    reach = np.zeros((longest, 2 * half + 1))
    following = np.zeros((longest, 2 * half + 1))
    for pair in range(len(pairs)):
        first, second = firsts[pairs[pair, 0]], seconds[pairs[pair, 1]]
        for window in range(windows):
            for code in range(len(points)):
                own, other = code // second_actions, code % second_actions
                chances[window, code] = first[window, own] * second[window, other]
        found[pair] = 0.0
        reach[0] = 0.0
        reach[0, half] = 1.0
        for played in range(rounds + 1):
            _play(
                points, starts, worth, rounds, most, played, chances, reach, following, found[pair]
            )
            reach, following = following, reach


@partial(compiled, nogil=True)
def _play(
    points: NDArray[np.int64],
    starts: NDArray[np.int64],
    worth: NDArray[np.int64],
    rounds: int,
    most: int,
    played: int,
    chances: NDArray[np.float64],
    reach: NDArray[np.float64],
    following: NDArray[np.float64],
    found: NDArray[np.float64],
) -> None:
    """Count what is decided after some rounds, and play another one; writes ``following``."""
    recall = len(starts) - 2
    half = reach.shape[1] // 2
    length, longer = min(played, recall), min(played + 1, recall)
    older, open_leads = (played - length) * most, (rounds - played) * most
    size = starts[longer + 1] - starts[longer]
    following[:size] = 0.0
    for window in range(starts[length + 1] - starts[length]):
        row = starts[length] + window
        low, high = max(worth[row] - older, -half), min(worth[row] + older, half)
        for lead in range(low, min(high, -open_leads - 1) + 1):
            found[LOSS] += reach[window, half + lead]
        for lead in range(max(low, open_leads + 1), high + 1):
            found[WIN] += reach[window, half + lead]
        low, high = max(low, -open_leads), min(high, open_leads)
        if played == rounds:
            if low <= high:
                found[TIE] += reach[window, half]
            continue
        for code in range(len(points)):
            chance = chances[row, code]
            if chance == 0.0:
                continue
            after = (window * len(points) + code) % size
            for at in range(half + low, half + high + 1):
                following[after, at + points[code]] += chance * reach[window, at]
