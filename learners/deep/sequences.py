"""Sequences: own decisions in the order in which a network with a memory has to read them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Sequences:
    """``S`` sequences of at most ``L`` decisions each, shorter ones padded at the end.

    Attributes:
        step, lane (L, S): Where each decision was made; zeros in the padding.
        is_real (L, S): False in the padding.
        goes_on (S,): Whether the sequence goes on with an episode from before the first step.
    """

    step: NDArray[np.int64]
    lane: NDArray[np.int64]
    is_real: NDArray[np.bool_]
    goes_on: NDArray[np.bool_]


def single_decisions(counts: NDArray[np.bool_]) -> Sequences:
    """Return each decision that counts, (T, R), as a sequence by itself."""
    step, lane = np.nonzero(counts)
    return Sequences(
        step=step[None],
        lane=lane[None],
        is_real=np.ones((1, len(step)), dtype=np.bool_),
        goes_on=np.zeros(len(step), dtype=np.bool_),
    )


def episode_sequences(counts: NDArray[np.bool_], is_over: NDArray[np.bool_]) -> Sequences:
    """Return the decisions that count as one sequence for each lane and episode.

    Args:
        counts (T, R): Decisions; those of a lane that count come before those that do not.
        is_over (T, R): Whether each step ended the episode.
    """
    lane, step = np.nonzero(counts.T)
    episode = (np.cumsum(is_over, axis=0) - is_over)[step, lane]
    starts = np.ones(len(lane), dtype=np.bool_)
    starts[1:] = (np.diff(lane) != 0) | (np.diff(episode) != 0)
    sequence = np.cumsum(starts) - 1
    first = np.flatnonzero(starts)
    position = np.arange(len(lane)) - first[sequence]
    shape = (int(position.max(initial=-1)) + 1, len(first))
    padded = [np.zeros(shape, dtype=np.int64) for _ in range(2)]
    is_real = np.zeros(shape, dtype=np.bool_)
    padded[0][position, sequence] = step
    padded[1][position, sequence] = lane
    is_real[position, sequence] = True
    return Sequences(step=padded[0], lane=padded[1], is_real=is_real, goes_on=episode[first] == 0)
