"""Matches in which a bot may do what it likes, and whoever breaks off loses.

Whoever returns no throw, raises an error, or takes too long forfeits the match. What ends the
process, or never returns, is seen from outside: before a bot is asked, the process notes in memory
that both sides share who is asked, since when, and how long each has taken so far.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from gametheory_core.arguments import described, shown
from learners.roshambo.matches.matches import NUM_THROWS, Bot, Histories

FIRST, SECOND, NOBODY = 0, 1, 2
UNBORN = 3  # noted by the other side until the process is there
# What is noted: who is asked, since when, what each has taken, in seconds, and for which throw.
ASKED, SINCE, TAKEN, AT, NOTES = 0, 1, 2, 4, 5


class Task(NamedTuple):
    """Matches of a pair, one after another.

    Attributes:
        first, second: Which makers.
        seeds: Of each match, two numbers.
        limit: Seconds that a bot may take for a match.
        is_watched: If it is looked after each move at whether results can still be told.
    """

    first: str
    second: str
    seeds: tuple[tuple[int, int], ...]
    throws: int
    limit: float
    is_watched: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended.

    Attributes:
        paid: To the first bot; less or more by all throws if one forfeits.
        loser: Who forfeits, 0 or 1; 2 for nobody.
        why: What the loser did.
        is_broken: If the process ended without anybody's doing, so that nothing is known.
    """

    paid: int
    loser: int = NOBODY
    why: str = ""
    is_broken: bool = False


def forfeit(loser: int, why: str, *, throws: int) -> Outcome:
    """Return the outcome of a match that a bot loses by all throws.

    >>> forfeit(1, "throw 3 is None", throws=1000).paid
    1000
    """
    return Outcome(throws if loser == SECOND else -throws, loser, why)


def said(error: BaseException) -> str:
    """Return what an error says, or that it says nothing, as an error of a bot's may.

    >>> said(ValueError("lost"))
    'lost'
    """
    try:
        return str(error)
    except BaseException as worse:  # noqa: BLE001 whatever it raises
        return f"it cannot be told: {type(worse).__name__}"


class _ForfeitError(Exception):
    """A bot did what it must not."""


def guarded_match(
    makers: tuple[Callable[[], Bot], Callable[[], Bot]],
    *,
    throws: int,
    seeds: tuple[int, int],
    limit: float,
    notes: Any = None,
) -> Outcome:
    """Let two bots play a match, and whoever breaks off lose it.

    Args:
        makers: Of the two bots.
        throws, seeds: As for ``play_match``, which ends alike where nobody breaks off.
        limit: Seconds that each may take to be made, reset and asked.
        notes: Where it is noted who is asked; ``NOTES`` floats.

    >>> class Silent:
    ...     def reset(self, seed): pass
    ...     def throw(self, own, other): return None if len(own) == 7 else 0
    >>> guarded_match((Silent, Silent), throws=100, seeds=(1, 2), limit=9.0).why
    'throw 7 is None (type NoneType), not 0, 1 or 2'
    """
    clock = np.zeros(NOTES) if notes is None else notes
    clock[:] = (FIRST, monotonic(), 0.0, 0.0, -1)
    bots: list[Any] = []  # which are let go when nobody is asked any more
    outcome = _outcome(makers, bots, throws=throws, seeds=seeds, limit=limit, clock=clock)
    clock[ASKED] = NOBODY
    return outcome


def _outcome(
    makers: tuple[Callable[[], Bot], Callable[[], Bot]],
    bots: list[Any],
    *,
    throws: int,
    seeds: tuple[int, int],
    limit: float,
    clock: Any,
) -> Outcome:
    try:
        for who, maker in enumerate(makers):
            clock[ASKED], clock[SINCE] = who, monotonic()
            bots.append(maker())
            if not isinstance(bots[who], Bot):
                raise _ForfeitError(f"has no reset(seed) and throw(own, other): {shown(bots[who])}")
            clock[TAKEN + who] = monotonic() - clock[SINCE]
        return Outcome(_played(bots, throws, seeds, limit, clock))
    except _ForfeitError as slip:
        return forfeit(int(clock[ASKED]), str(slip), throws=throws)
    except BaseException as error:  # noqa: BLE001 SystemExit too
        at = "before the first throw" if clock[AT] < 0 else f"at throw {int(clock[AT])}"
        why = f"{type(error).__name__} {at}: {shown(said(error))}"
        if clock[ASKED] == NOBODY:
            return Outcome(0, NOBODY, why, is_broken=True)
        return forfeit(int(clock[ASKED]), why, throws=throws)


def _played(bots: list[Any], throws: int, seeds: tuple[int, int], limit: float, clock: Any) -> int:
    first, second = bots
    if first is second:
        clock[ASKED] = SECOND
        raise _ForfeitError("is the same object as its opponent: its maker must make a new one")
    if type(first) is type(second) and hasattr(first, "return_against"):
        clock[ASKED], clock[SINCE] = NOBODY, monotonic()
        return int(first.return_against(second, throws=throws, seeds=seeds))
    for who in (FIRST, SECOND):
        clock[ASKED], clock[SINCE] = who, monotonic()
        bots[who].reset(seeds[who])
        clock[TAKEN + who] += monotonic() - clock[SINCE]
    clock[ASKED] = NOBODY  # whose fault it is if there is no room
    histories = Histories(throws)
    taken = clock[TAKEN : TAKEN + 2].tolist()
    now = monotonic()
    for t in range(throws):
        seen = histories.seen()
        clock[AT], clock[ASKED], clock[SINCE] = t, FIRST, now
        one = _checked(first.throw(*seen[FIRST]), t)
        was, now = now, monotonic()
        taken[FIRST] += now - was
        if taken[FIRST] > limit:
            raise _ForfeitError(slow(limit, t))
        clock[TAKEN + FIRST], clock[ASKED], clock[SINCE] = taken[FIRST], SECOND, now
        two = _checked(second.throw(*seen[SECOND]), t)
        was, now = now, monotonic()
        taken[SECOND] += now - was
        if taken[SECOND] > limit:
            raise _ForfeitError(slow(limit, t))
        clock[TAKEN + SECOND] = taken[SECOND]
        histories.add(one, two)
    return histories.match.returns[0]


def slow(limit: float, t: int) -> str:
    """Say that a bot took too long.

    >>> slow(2.0, -1)
    'took more than 2 seconds, before the first throw'
    """
    at = "before the first throw" if t < 0 else f"at throw {t}"
    return f"took more than {limit:g} seconds, {at}"


def _checked(found: Any, t: int) -> int:
    if type(found) is int and 0 <= found < NUM_THROWS:
        return found
    is_integer = isinstance(found, int | np.integer) and not isinstance(found, bool)
    if not is_integer or not 0 <= found < NUM_THROWS:
        raise _ForfeitError(f"throw {t} is {described(found)}, not 0, 1 or 2")
    return int(found)
