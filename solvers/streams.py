"""Independent streams of random work, advanced in rounds by any number of workers.

The number of streams is part of what is asked; each has random numbers of its own. Who advances a
stream, in how many rounds, and beside which others, changes no bit of it: so what is found does not
depend on the number of workers. A round takes a few seconds at most, so that an interrupt, a limit
on time or a lost worker costs no more.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar, cast

import numpy as np

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument
from solvers.requirements import require_integer
from solvers.solution import Budget, Meter
from solvers.workers import in_parts

MOST_STREAMS = 100_000
ROUND_SECONDS = 2.0  # a round that is shorter is followed by one of twice the length

State = TypeVar("State")


@dataclass(frozen=True)
class Advance(Generic[State]):
    """How streams advance.

    Attributes:
        call: Called by workers, with a state, a number of steps and a budget; returns the state
            after so many steps, or after fewer where the budget ended.
        done: Steps that a state has behind it.
        packed, unpacked: Make a state lighter for its way to another process, and whole again.
        first_round: Steps of each stream.
    """

    call: Callable[[State, int, Budget], State]
    done: Callable[[State], int]
    packed: Callable[[State], State]
    unpacked: Callable[[State], State]
    first_round: int


def advance_streams(
    states: list[State],
    steps: Sequence[int],
    advance: Advance[State],
    *,
    jobs: int | None,
    meter: Meter,
) -> None:
    """Advance each stream by a number of steps, or until time is up, or it goes no further.

    Args:
        states: Modified in place after each round of each stream.
        steps: Of each stream.
        meter: Counts steps.
    """
    targets = [advance.done(s) + n for s, n in zip(states, steps, strict=True)]
    size = advance.first_round
    going = set(range(len(states)))

    def keep(found: tuple[int, State]) -> None:
        k, packed = found
        before, states[k] = advance.done(states[k]), advance.unpacked(packed)
        meter.step(advance.done(states[k]) - before)

    while meter.seconds_left != 0.0:
        counts = [
            min(size, target - advance.done(s)) for s, target in zip(states, targets, strict=True)
        ]
        going = {k for k in going if counts[k] > 0}
        if not going:
            return
        wanted = {k: advance.done(states[k]) + counts[k] for k in going}
        began = meter.seconds
        budget = replace(meter.left, iterations=None)
        parts = [(k, advance.packed(states[k]), counts[k], budget) for k in sorted(going)]
        call = partial(_numbered, advance.call)
        in_parts(call, parts, jobs=jobs, what="round of stream", on_done=keep)
        going = {k for k in going if advance.done(states[k]) == wanted[k]}
        if meter.seconds - began < ROUND_SECONDS:
            size *= 2


def _numbered(
    call: Callable[[State, int, Budget], State], k: int, state: State, count: int, budget: Budget
) -> tuple[int, State]:
    return k, call(state, count, budget)


def shares(whole: int, streams: int) -> list[int]:
    """Divide a number of steps among streams as evenly as can be, larger shares first.

    >>> shares(10, 4)
    [3, 3, 2, 2]
    """
    return [whole // streams + (k < whole % streams) for k in range(streams)]


def generators_for(
    streams: int, rng: np.random.Generator | None, start: Sequence[Any] | None
) -> list[np.random.Generator] | None:
    """Beget the random numbers of streams that begin; None for those that go on from a start.

    Raises:
        InvalidArgument: If there are both or neither, another number of streams, or a generator
            that was made without a seed sequence.
    """
    require_integer(streams, name="streams", low=1, high=MOST_STREAMS)
    if (rng is None) == (start is None):
        raise InvalidArgument(
            needs="either rng, to begin, or start, to go on with its random numbers",
            found=f"got {'neither' if rng is None else 'both'}",
            remedy="Give rng=numpy.random.default_rng(seed).",
        )
    if rng is None:
        if not isinstance(start, tuple | list) or len(start) != streams:
            raise InvalidArgument(
                needs=f"start to hold the {streams} streams of an earlier run",
                found=f"got {shown(start)}",
                remedy="Give what it returned, and streams as they were.",
            )
        return None
    try:
        return rng.spawn(streams)
    except TypeError:
        raise InvalidArgument(
            needs="a generator that can beget others",
            found=f"got {rng!r}",
            remedy="Give rng=numpy.random.default_rng(seed).",
            argument="rng",
        ) from None


def generator_at(state: Mapping[str, Any]) -> np.random.Generator:
    """Return a generator that stands where another stood when its bits had this state.

    Raises:
        InvalidArgument: If this is no such state.
    """
    try:
        bits = getattr(np.random, state["bit_generator"])()
        bits.state = cast("Any", state)
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError):
        raise InvalidArgument(
            needs="a start with the state of a generator of numpy",
            found=f"got {shown(state)}",
            remedy="Give what an earlier run returned.",
            argument="start",
        ) from None
    return np.random.Generator(bits)
