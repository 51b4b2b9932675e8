"""Information states: what a player of a POSG, an AEC game or a tree has seen and done so far.

The information state of player ``i`` is ``(o0, a0, o1, ..., ot)``: own observations and own actions
in turn, ending with the observation on which the next action is taken. All three models use this
one key, so one policy dictionary serves them all unchanged.
"""

from collections.abc import Hashable
from enum import Enum
from typing import Any, TypeAlias

from gametheory_core.labels import text_of

Observation: TypeAlias = Hashable
Action: TypeAlias = Hashable
InformationState: TypeAlias = tuple[Any, ...]  # observation, action, ..., observation


class Blank(Enum):
    """Entries of information states that say nothing."""

    NULL = "null"
    IDLE = "idle"
    EMPTY = "empty"

    def __repr__(self) -> str:
        return self.name


NULL = Blank.NULL  # nothing to see: the observation before the first action, unless a game has one
EMPTY = Blank.EMPTY  # the place of an action that is not queued yet, or was never played
IDLE = Blank.IDLE  # not one's turn: what a POSG made of an AEC game shows, and lets do, others


def last_observation(information_state: InformationState) -> Any:
    """Return what was observed last, on which legal actions depend."""
    return information_state[-1]


def information_state_text(information_state: InformationState) -> str:
    """Return an information state as people read it, leaving out observations of nothing.

    >>> information_state_text((NULL, "H", ("H", "T")))
    'H (H, T)'
    """
    shown = [
        text_of(entry)
        for position, entry in enumerate(information_state)
        if position % 2 or entry is not NULL
    ]
    return " ".join(shown) or "start"
