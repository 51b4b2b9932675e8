"""A game being played: what its players see and may do now, and what the last step paid."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from gametheory_core.games.information_states import InformationState
from learners.batch import Snapshot


@dataclass(frozen=True)
class Turn:
    """One moment of a play.

    Attributes:
        movers: Who is to act: all players of a POSG, one where they take turns, nobody after the
            end.
        information_states: What each player has seen and done; empty before the first observation.
        legal_actions: What each mover may do; empty for the others.
        rewards: What was paid since the last turn, exact.
        is_terminal, is_truncated: Whether play is over: by the rules, or by the horizon.
    """

    movers: tuple[int, ...]
    information_states: tuple[InformationState, ...]
    legal_actions: tuple[tuple[Any, ...], ...]
    rewards: tuple[Fraction, ...]
    is_terminal: bool
    is_truncated: bool

    @property
    def is_over(self) -> bool:
        """Whether play has ended, one way or the other."""
        return self.is_terminal or self.is_truncated


class Environment(Protocol):
    """One play of a game at a time, by labels."""

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of the players."""
        ...

    @property
    def discount(self) -> Fraction:
        """Factor on rewards for each step."""
        ...

    @property
    def horizon(self) -> int | None:
        """Steps after which play is cut; None if only the rules end it."""
        ...

    def reset(self) -> Turn:
        """Begin a play."""
        ...

    def step(self, actions: Mapping[int, Any]) -> Turn:
        """Let the movers act, each as ``actions`` says."""
        ...

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here, as plain data."""
        ...

    def restore(self, snapshot: Snapshot) -> Turn | None:
        """Go back to a snapshot; return the turn that was there, None if no play had begun."""
        ...
