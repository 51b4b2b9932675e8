"""Partially observable stochastic games: all players act at once, and each observes privately.

A POSG is ``<N, S, b0, A_i, P, R, O_0, O, terminal, gamma>``. One step: every player acts on the own
information state; the next state is drawn from ``P(s, a)``, rewards are ``R(s, a, s')``, and the
*joint* observation from ``O(a, s')``. Observations are joint because independent ones cannot
express a public signal. Rewards are not observed unless an observation shows them.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

import numpy as np

from gametheory_core.distributions import Distribution
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.delegation import from_inner

State: TypeAlias = Hashable
JointAction: TypeAlias = tuple[Any, ...]
JointObservation: TypeAlias = tuple[Any, ...]
Rewards: TypeAlias = tuple[Fraction | int, ...]


class POSG(Protocol):
    """The rules of a partially observable stochastic game, over hashable labels.

    Any object with these members is one; a frozen dataclass also has equality, a hash and a repr,
    which conversions rely on. Weights and rewards are exact.
    """

    @property
    def title(self) -> str:
        """For people."""
        ...

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of the players 0, 1, ..."""
        ...

    @property
    def discount(self) -> Fraction:
        """The factor ``gamma`` on rewards for each step, in [0, 1]."""
        ...

    @property
    def horizon(self) -> int | None:
        """Play stops after so many steps; None if only terminal states stop it."""
        ...

    def initial(self) -> Distribution[Any]:
        """Return the law of the first state."""
        ...

    def initial_observation(self, state: Any) -> Distribution[JointObservation]:
        """Return the joint law of what players see before the first action; ``NULL`` if nothing."""
        ...

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Return what a player may do, from the own last observation, so that it cannot leak."""
        ...

    def is_terminal(self, state: Any) -> bool:
        """Tell whether play has ended: no actions, no rewards, no way out."""
        ...

    def transition(self, state: Any, joint_action: JointAction) -> Distribution[Any]:
        """Return the law of the next state."""
        ...

    def observation(self, joint_action: JointAction, state: Any) -> Distribution[JointObservation]:
        """Return the joint law of observations after an action, on entering a state."""
        ...

    def reward(self, state: Any, joint_action: JointAction, next_state: Any) -> Rewards:
        """Return what each player receives for a step."""
        ...


@dataclass(frozen=True)
class HorizonPOSG:
    """A POSG stopped after a number of steps; all but the horizon is the game's."""

    game: POSG
    horizon: int | None
    title = from_inner("title")
    players = from_inner("players")
    discount = from_inner("discount")
    initial = from_inner("initial")
    initial_observation = from_inner("initial_observation")
    legal_actions = from_inner("legal_actions")
    is_terminal = from_inner("is_terminal")
    transition = from_inner("transition")
    observation = from_inner("observation")
    reward = from_inner("reward")


def stop_posg(game: POSG, *, steps: int) -> POSG:
    """Return the game stopped after ``steps`` steps, or earlier where it stops by itself.

    Args:
        steps: At least 0.

    Raises:
        InvalidArgument: If ``steps`` is negative.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> stop_posg(RepeatedGame.of("matching_pennies", rounds=5), steps=2).horizon
    2
    """
    steps = check_horizon("stop_posg", steps, game.horizon)
    inner = game.game if isinstance(game, HorizonPOSG) else game
    return HorizonPOSG(inner, steps)


def check_horizon(owner: str, asked: object, own: int | None) -> int:
    """Return the smaller of a horizon asked for and the game's own, after checking it."""
    if isinstance(asked, bool | np.bool_) or not isinstance(asked, int | np.integer) or asked < 0:
        raise InvalidArgument(
            f"{owner}: needs a whole number of steps or moves, at least 0, but got {asked!r}."
        )
    return int(asked) if own is None else min(int(asked), own)
