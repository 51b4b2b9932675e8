"""Plays: what happened, step by step, in a POSG or an AEC game."""

from fractions import Fraction
from typing import Any, NamedTuple


class Step(NamedTuple):
    """One step of a POSG.

    Attributes:
        state (hashable)
        observations: What each player saw last, before acting.
        actions: The joint action.
    """

    state: Any
    observations: tuple[Any, ...]
    actions: tuple[Any, ...]
    rewards: tuple[Fraction, ...]


class Move(NamedTuple):
    """One move of an AEC game.

    Attributes:
        state (hashable)
        mover: A player, or ``CHANCE``.
        observation (hashable): What the mover saw; ``NULL`` for chance.
        action (hashable): ``NULL`` for chance.
    """

    state: Any
    mover: int
    observation: Any
    action: Any
    rewards: tuple[Fraction, ...]


class PosgPlay(NamedTuple):
    """A play of a POSG: its steps, and the state in which it stopped."""

    steps: tuple[Step, ...]
    final_state: Any


class AecPlay(NamedTuple):
    """A play of an AEC game: its moves, and the state in which it stopped."""

    moves: tuple[Move, ...]
    final_state: Any
