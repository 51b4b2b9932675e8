import numpy as np
import pytest

from gametheory_core import InvalidArgument
from learners.deep.replay import Replay, Transitions


def numbered(first, count):
    """Transitions whose observation, action, reward and discount all tell their number."""
    numbers = np.arange(first, first + count)
    return Transitions(
        numbers.astype(np.int64),
        numbers.astype(np.int64),
        numbers.astype(np.float32),
        numbers.astype(np.int64) + 1,
        np.ones((count, 2), dtype=bool),
        numbers.astype(np.float32) / 8,
    )


def replay_of(capacity, seed=1, **options):
    return Replay(
        capacity=capacity, num_features=0, num_actions=2, rng=np.random.default_rng(seed), **options
    )


@pytest.mark.parametrize("chunks", [(3, 3, 3), (1, 8), (9,), (4, 0, 5)])
def test_replay_keeps_the_last_transitions_whatever_they_came_in(chunks):
    replay = replay_of(5)
    first = 0
    for count in chunks:
        replay.add(numbered(first, count))
        first += count
    drawn = replay.sample(400)
    assert len(replay) == 5
    assert set(drawn.actions.tolist()) == {4, 5, 6, 7, 8}
    assert (drawn.next_observations == drawn.observations + 1).all()
    assert (drawn.rewards == drawn.actions).all()
    assert (drawn.next_discounts * 8 == drawn.actions).all()


def test_replay_that_is_not_full_draws_what_is_there():
    replay = replay_of(50)
    replay.add(numbered(0, 3))
    assert set(replay.sample(200).actions.tolist()) == {0, 1, 2}


def test_replay_draws_evenly():
    """Error rate below 1e-6: each of 4 counts of 10,000 draws lies within 5.2 deviations."""
    replay = replay_of(4)
    replay.add(numbered(0, 6))
    counts = np.bincount(replay.sample(10_000).actions, minlength=6)
    assert counts[:2].tolist() == [0, 0]
    assert np.abs(counts[2:] - 2_500).max() < 5.2 * (10_000 * 0.25 * 0.75) ** 0.5


def test_replay_goes_on_from_a_snapshot_exactly():
    whole, again = replay_of(5), replay_of(5, seed=9)
    whole.add(numbered(0, 7))
    whole.sample(3)
    again.restore(whole.snapshot())
    for replay in (whole, again):
        replay.add(numbered(7, 2))
    assert whole.sample(50).actions.tolist() == again.sample(50).actions.tolist()


def test_a_snapshot_of_replay_is_a_copy():
    replay = replay_of(3)
    replay.add(numbered(0, 3))
    snapshot = replay.snapshot()
    replay.add(numbered(3, 3))
    assert snapshot["kept"]["actions"].tolist() == [0, 1, 2]


def test_replay_refuses_more_memory_than_stated():
    with pytest.raises(InvalidArgument, match=r"at most 1,000 bytes, but 100 .* take 3,400"):
        replay_of(100, max_bytes=1_000)
    replay_of(100, max_bytes=3_400)


def test_replay_counts_its_memory_rightly():
    for features in (0, 3):
        replay = Replay(
            capacity=10, num_features=features, num_actions=4, rng=np.random.default_rng(1)
        )
        size = sum(array.nbytes for array in replay._arrays.values())
        with pytest.raises(InvalidArgument, match=f"take {size:,}"):
            Replay(
                capacity=10,
                num_features=features,
                num_actions=4,
                rng=np.random.default_rng(1),
                max_bytes=size - 1,
            )


def test_replay_refuses_what_makes_no_sense():
    with pytest.raises(InvalidArgument, match="capacity"):
        replay_of(0)
    with pytest.raises(InvalidArgument, match="none yet"):
        replay_of(5).sample(1)
    full = replay_of(5)
    full.add(numbered(0, 5))
    with pytest.raises(InvalidArgument, match="replay of its own sizes"):
        replay_of(4).restore(full.snapshot())
