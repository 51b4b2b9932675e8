import numpy as np
import pytest

from gametheory_core import InvalidArgument
from learners import named_stream
from learners.streams import generator_state, restore_generator


def test_streams_of_different_names_and_seeds_differ():
    keys = [(0, "a"), (0, "b"), (1, "a"), (0, "a", 0), (0, "a", 1), (0,)]
    first = [named_stream(*key).integers(2**62) for key in keys]
    assert len(set(first)) == len(keys)


def test_a_generator_goes_on_from_its_state():
    rng = named_stream(5, "leader")
    rng.normal(size=10)
    state = generator_state(rng)
    expected = rng.normal(size=5)
    other = named_stream(99)
    restore_generator(other, state)
    assert np.array_equal(other.normal(size=5), expected)


def test_the_state_of_another_kind_of_generator_is_refused():
    other = np.random.Generator(np.random.Philox(3))
    with pytest.raises(
        InvalidArgument, match="needs the state of a PCG64, but got that of 'Philox'"
    ):
        restore_generator(named_stream(1), generator_state(other))


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True])
def test_a_seed_must_be_a_whole_number(seed):
    with pytest.raises(InvalidArgument, match="named_stream: .*seed"):
        named_stream(seed, "x")
