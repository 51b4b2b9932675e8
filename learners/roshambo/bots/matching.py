"""Bots that look for the longest stretch of the past that is like the last throws.

What followed the latest of the longest stretches is expected to follow now.
"""

from learners.roshambo.bots.compiled_bot import Family, Recipe, Seat, Start
from learners.roshambo.bots.seats import drawn

OWN, OTHER, LONGEST, SIDE, TURN, SHORTEST = range(6)


def throw(seat: Seat, t: int) -> int:
    """Reply to what followed the latest of the longest matches; at random where it is short."""
    rules, own, other = seat.rules, seat.own, seat.other
    longest, by_own, by_other = int(rules[LONGEST]), rules[OWN] == 1.0, rules[OTHER] == 1.0
    length, at = 0, 0  # of the match; the throw after it
    for end in range(t - 1, 0, -1):
        found, most = 0, min(end, longest)
        while (
            found < most
            and (not by_own or own[end - 1 - found] == own[t - 1 - found])
            and (not by_other or other[end - 1 - found] == other[t - 1 - found])
        ):
            found += 1
        if found > length:
            length, at = found, end
            if length == longest:
                break
    if length < rules[SHORTEST]:
        return drawn(seat.ints, 1.0, 1.0, 1.0)
    forecast = int(own[at] if rules[SIDE] == 1.0 else other[at])
    return (forecast + 1 + int(rules[TURN])) % 3


def start(
    *,
    own: bool,
    other: bool,
    longest: int,
    shortest: int = 1,
    forecasts_own: bool = False,
    turn: int = 0,
) -> Start:
    """Return the memory of a bot.

    Args:
        own, other: Whose throws must match.
        longest, shortest: Of matches: beyond the one all are alike; below the other, none counts.
        forecasts_own: Whether it forecasts its own throw.
        turn: Added to the reply to the forecast.
    """
    return Start(rules=[own, other, longest, forecasts_own, turn, shortest])


MATCHING = Family("matching", throw, start, unbounded="looks back through the whole match")

BOTS = (
    Recipe(
        "match_other",
        MATCHING,
        {"own": False, "other": True, "longest": 20},
        "what followed the longest match of the other's throws",
        ("egnor2000iocaine",),
    ),
    Recipe(
        "match_both",
        MATCHING,
        {"own": True, "other": True, "longest": 30},
        "what followed the longest match of both histories",
        ("egnor2000iocaine",),
    ),
    Recipe(
        "match_own",
        MATCHING,
        {"own": True, "other": False, "longest": 12, "shortest": 2},
        "what the other did after the longest match of its own throws",
        ("egnor2000iocaine",),
    ),
    Recipe(
        "second_match",
        MATCHING,
        {"own": True, "other": True, "longest": 10, "forecasts_own": True, "turn": 1},
        "forecasts itself by a match, and beats what beats that",
        ("egnor2000iocaine",),
    ),
)
