"""Random numbers: named streams of one seed, and their state as plain data."""

import zlib
from typing import Any

import numpy as np

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
    key = tuple(name if isinstance(name, int) else zlib.crc32(name.encode()) for name in names)
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key)))


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
