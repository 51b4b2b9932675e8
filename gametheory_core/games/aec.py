"""Agent-environment-cycle games: one mover at a time, and the environment is one of the movers.

An AEC game is ``<N, S, s0, A_i, T_i, P, R, O_i, nu>``. The environment, ``CHANCE``, moves first.
When player ``j`` moves in ``s``, only ``j`` observes, ``o ~ O_j(s)``; the action ``a`` leads to the
one state ``T_j(s, a)``. When chance moves, the next state is drawn from ``P(s)``. Every move pays a
*joint* random reward vector, and the next mover is drawn by ``nu``, which sees the new state.
Rewards are discounted by ``gamma`` to the number of completed chance moves, the first not counted.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from gametheory_core.distributions import Distribution
from gametheory_core.games.delegation import from_inner
from gametheory_core.games.posg import Rewards, check_horizon


class AEC(Protocol):
    """The rules of an agent-environment-cycle game, over hashable labels.

    A mover is a player ``0, 1, ...`` or ``CHANCE``, whose one action is ``NULL``. Any object with
    these members is an AEC game; a frozen dataclass also has equality, a hash and a repr.
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
        """The factor ``gamma`` for each completed chance move after the first, in [0, 1]."""
        ...

    @property
    def horizon(self) -> int | None:
        """Play stops after so many moves, chance's counted; None if only ends of play stop it."""
        ...

    @property
    def initial_state(self) -> Any:
        """The state in which chance makes the first move."""
        ...

    def observation(self, player: int, state: Any) -> Distribution[Any]:
        """Return the law of what a player sees when it is the own turn in a state."""
        ...

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Return what a player may do, from the own last observation, so that it cannot leak."""
        ...

    def is_terminal(self, state: Any) -> bool:
        """Tell whether play has ended: nobody moves any more."""
        ...

    def move(self, player: int, state: Any, action: Any) -> Any:
        """Return the one state to which a player's action leads."""
        ...

    def chance(self, state: Any) -> Distribution[Any]:
        """Return the law of the next state when the environment moves."""
        ...

    def reward(self, state: Any, mover: int, action: Any, next_state: Any) -> Distribution[Rewards]:
        """Return the joint law of what each player receives for a move."""
        ...

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: Any
    ) -> Distribution[int]:
        """Return the law of who moves next; asked only if the next state is not terminal."""
        ...


@dataclass(frozen=True)
class HorizonAEC:
    """An AEC game stopped after a number of moves; all but the horizon is the game's."""

    game: AEC
    horizon: int | None
    title = from_inner("title")
    players = from_inner("players")
    discount = from_inner("discount")
    initial_state = from_inner("initial_state")
    observation = from_inner("observation")
    legal_actions = from_inner("legal_actions")
    is_terminal = from_inner("is_terminal")
    move = from_inner("move")
    chance = from_inner("chance")
    reward = from_inner("reward")
    next_player = from_inner("next_player")


def stop_aec(game: AEC, *, moves: int) -> AEC:
    """Return the game stopped after ``moves`` moves, or earlier where it stops by itself.

    Args:
        moves: At least 0; chance's moves count.

    Raises:
        InvalidArgument: If ``moves`` is negative.

    >>> from gametheory_core.catalog.turn_orders import RandomOrderTeam
    >>> stop_aec(RandomOrderTeam(), moves=2).horizon
    2
    """
    moves = check_horizon("stop_aec", moves, game.horizon)
    inner = game.game if isinstance(game, HorizonAEC) else game
    return HorizonAEC(inner, moves)
