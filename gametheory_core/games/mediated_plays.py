"""Plays of a mediated game: who led, what the leader did, and what everybody got, step by step."""

from fractions import Fraction
from typing import Any, NamedTuple


class MediatedStep(NamedTuple):
    """One step.

    Attributes:
        state (hashable)
        leader: A player.
        action (hashable): The leader's.
        rewards: Of each player, expected over the next state.
    """

    state: Any
    leader: int
    action: Any
    rewards: tuple[Fraction, ...]


class MediatedPlay(NamedTuple):
    """A play: its steps, and the state in which it stopped."""

    steps: tuple[MediatedStep, ...]
    final_state: Any
