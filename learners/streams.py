"""Random numbers: named streams of one seed, and their state as plain data.

Drawing actions from many mixed actions at once.
"""

import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_integer
from gametheory_core.errors import InvalidArgument


def named_stream(seed: int, *names: str | int) -> np.random.Generator:
    """Return the stream of random numbers that belongs to a name under one seed.

    Streams of different names are independent, and none shifts when another is added.

    Args:
        seed: At least 0.
        *names: Who draws, from the whole to the part: ``"follower"``, ``"episode", 3``.

    Raises:
        InvalidArgument: If the seed is no whole number of at least 0.

    >>> first = named_stream(7, "leader").integers(100, size=3).tolist()
    >>> first == named_stream(7, "leader").integers(100, size=3).tolist()
    True
    >>> first == named_stream(7, "follower").integers(100, size=3).tolist()
    False
    """
    require_integer(seed, name="seed", low=0)
    return _stream(np.random.SeedSequence(seed), names)


def streams_under(rng: np.random.Generator, *names: str) -> tuple[np.random.Generator, ...]:
    """Return a stream for each name, independent of one another and of what ``rng`` draws itself.

    Under a fresh generator they are the ``named_stream`` of its seed. Who asks again gets others.

    >>> rng = np.random.default_rng(7)
    >>> first, again = (streams_under(rng, "leader")[0].random() for _ in range(2))
    >>> first == named_stream(7, "leader").random(), first == again
    (True, False)
    """
    seeds: Any = rng.bit_generator.seed_seq
    asked = (seeds.n_children_spawned,) * bool(seeds.n_children_spawned)
    seeds.spawn(1)
    return tuple(_stream(seeds, (name, *asked)) for name in names)


def _stream(seeds: np.random.SeedSequence, names: tuple[str | int, ...]) -> np.random.Generator:
    key = [name if isinstance(name, int) else zlib.crc32(name.encode()) for name in names]
    under = np.random.SeedSequence(seeds.entropy, spawn_key=(*seeds.spawn_key, *key))
    return np.random.Generator(np.random.PCG64(under))


def child_stream(rng: np.random.Generator) -> np.random.Generator:
    """Return a stream of its own, begun by a number drawn from another.

    >>> rng = named_stream(7, "leader")
    >>> first, second = child_stream(rng), child_stream(rng)
    >>> first.random(2).tolist() == second.random(2).tolist()
    False
    """
    return np.random.Generator(np.random.PCG64(int(rng.integers(2**63))))


def generator_state(rng: np.random.Generator) -> dict[str, Any]:
    """Return where a generator stands, as plain data."""
    return dict(rng.bit_generator.state)


def restore_generator(rng: np.random.Generator, state: dict[str, Any]) -> None:
    """Put a generator where another of its kind stood.

    Raises:
        InvalidArgument: If the state is of another kind of generator.
    """
    own = type(rng.bit_generator).__name__
    if state.get("bit_generator") != own:
        raise InvalidArgument(
            needs=f"the state of a {own}",
            found=f"got that of {state.get('bit_generator')!r}",
            remedy="Give the kind of generator the run began with.",
        )
    rng.bit_generator.state = state


def drawn_actions(
    strategies: NDArray[np.floating[Any]], numbers: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return the action that each uniform number draws; none of probability zero.

    Args:
        strategies (batch, actions)
        numbers (batch,): In [0, 1).

    >>> drawn_actions(np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([0.7, 0.0])).tolist()
    [1, 1]
    """
    sums = strategies.cumsum(axis=1, dtype=np.float64)
    cut = np.minimum(numbers * sums[:, -1], np.nextafter(sums[:, -1], 0.0))
    return (sums <= cut[:, None]).sum(axis=1)
