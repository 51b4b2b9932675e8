"""Numbers looked up by seed, episode and use look like independent uniform ones.

Each chi-square rejects truly random numbers with probability ``LEVEL``; all are seeded.
"""

import numpy as np
import pytest

from gametheory_core.testing import chi_square_tail
from learners._kernels.play import number_at, stream_start, stream_step
from learners.batches.game import stream_key

LEVEL = 1e-6


def numbers(seeds, episodes, uses):
    """Return a number for each (seed, episode, use), in that order, 63 bits."""
    found = []
    for seed in seeds:
        key = stream_key(seed)
        for episode in episodes:
            start, step = stream_start(key, episode), stream_step(key, episode)
            found.extend(int(number_at(np.uint64(start), np.uint64(step), use)) for use in uses)
    return np.array(found, dtype=np.uint64)


NEIGHBORS = {
    "uses": numbers([3], [5], range(20_000)),
    "episodes": numbers([3], range(20_000), [5]),
    "seeds": numbers(range(5_000), [0], [0]),
    "far episodes": numbers([3], range(2**40, 2**40 + 20_000), [0]),
}


def tail(cells, count):
    expected = len(cells) / count
    counts = np.bincount(cells, minlength=count)
    return chi_square_tail(float(((counts - expected) ** 2 / expected).sum()), count - 1)


@pytest.mark.parametrize("name", NEIGHBORS)
@pytest.mark.parametrize("shift", [0, 8, 28, 55])
def test_bits_are_uniform(name, shift):
    cells = (NEIGHBORS[name] >> np.uint64(shift)).astype(np.int64) & 255
    assert tail(cells, 256) > LEVEL


@pytest.mark.parametrize("name", NEIGHBORS)
@pytest.mark.parametrize("lag", [1, 2, 3])
def test_neighbors_are_independent(name, lag):
    top = (NEIGHBORS[name] >> np.uint64(59)).astype(np.int64)  # 16 values
    assert tail(top[lag:] * 16 + top[:-lag], 256) > LEVEL


def test_numbers_are_below_two_to_the_63_and_differ():
    everything = np.concatenate(list(NEIGHBORS.values()))
    assert int(everything.max()) < 2**63
    assert len(np.unique(NEIGHBORS["uses"])) == 20_000
    assert len(np.unique(NEIGHBORS["episodes"])) == 20_000


def test_steps_are_odd_with_many_changes_of_bits():
    """So that the numbers of an episode go through all of 64 bits, and not along near ones."""
    key = stream_key(1)
    for episode in range(2000):
        step = int(stream_step(key, episode))
        assert step % 2 == 1
        assert (step ^ (step >> 1)).bit_count() >= 24


def test_a_bad_generator_would_be_found():
    """The twin: a counter fails both tests."""
    counter = np.arange(20_000) * 2**40 // 20_000
    assert tail(counter & 255, 256) < LEVEL or tail((counter >> 30) & 255, 256) < LEVEL
    walk = np.arange(20_000) % 16
    assert tail(walk[1:] * 16 + walk[:-1], 256) < LEVEL
