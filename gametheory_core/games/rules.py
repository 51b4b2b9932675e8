"""Rules of games: POSGs, in which all act at once, and AEC games, in which one moves at a time.

A partially observable stochastic game is ``<N, S, b0, A_i, P, R, O_0, O, terminal, gamma>``. One
step: every player acts on their own information state; the next state is drawn from ``P(s, a)``,
rewards are ``R(s, a, s')``, and the *joint* observation from ``O(a, s')``. Observations are joint
because independent ones cannot express a public signal. Rewards are not observed unless an
observation shows them.

An agent-environment-cycle game is ``<N, S, s0, A_i, T_i, P, R, O_i, nu>``. The environment,
``CHANCE``, moves first. When player ``j`` moves in ``s``, only ``j`` observes, ``o ~ O_j(s)``; the
action ``a`` leads to the one state ``T_j(s, a)``. When chance moves, the next state is drawn from
``P(s)``. Every move pays a *joint* random reward vector, and the next mover is drawn by ``nu``,
which sees the new state. Rewards are discounted by ``gamma`` to the number of completed chance
moves, the first not counted.

A player who sees ``AWAY`` is not there, and is ``IDLE``; ``games.presence`` says what follows.

A *play* is what happened, step by step.

Information states: what a player of a POSG, an AEC game or a tree has seen and done so far.

The information state of player ``i`` is ``(o0, a0, o1, ..., ot)``: own observations and own actions
in turn, ending with the observation on which the next action is taken. All three models use this
one key, so one policy dictionary serves them all unchanged.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from operator import attrgetter
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeGuard

import numpy as np

from gametheory_core.arguments import text_of
from gametheory_core.distributions import Distribution
from gametheory_core.errors import InvalidArgument, refusing_as


def from_inner(name: str) -> Any:
    """Return a read-only member that is ``self.game``'s member of this name."""
    return property(attrgetter(f"game.{name}"))


def written_as(call: str) -> Any:
    """Return a ``__repr__`` that writes the call that makes the rules, ``self`` being ``{0}``."""

    def write(rules: Any) -> str:
        return call.format(rules)

    return write


State: TypeAlias = Hashable
JointAction: TypeAlias = tuple[Any, ...]
JointObservation: TypeAlias = tuple[Any, ...]
Rewards: TypeAlias = tuple[Fraction | int, ...]


class AskedRules(Protocol):
    """What policies ask rules of every kind."""

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of the players 0, 1, ..."""
        ...

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Return what a player may do, from its own last observation, so that it cannot leak."""
        ...


class AnyRules(AskedRules, Protocol):
    """What rules of POSGs and of AEC games both say.

    Any object with the members of a protocol is one; a frozen dataclass also has equality, a hash
    and a repr, which conversions rely on. Weights and rewards are exact.
    """

    @property
    def title(self) -> str:
        """For people."""
        ...

    @property
    def discount(self) -> Fraction:
        """The factor ``gamma``, in [0, 1]: for each step, or each chance move after the first."""
        ...

    @property
    def horizon(self) -> int | None:
        """Play stops after so many steps, or moves, chance's counted; None for no limit."""
        ...

    def is_terminal(self, state: Any) -> bool:
        """Tell whether play has ended: no actions, no rewards, no way out."""
        ...


class POSG(AnyRules, Protocol):
    """The rules of a partially observable stochastic game, over hashable labels."""

    def initial(self) -> Distribution[Any]:
        """Return the distribution of the first state."""
        ...

    def initial_observation(self, state: Any) -> Distribution[JointObservation]:
        """Return the joint distribution of what players see first; ``NULL`` if nothing."""
        ...

    def transition(self, state: Any, joint_action: JointAction) -> Distribution[Any]:
        """Return the distribution of the next state."""
        ...

    def observation(self, joint_action: JointAction, state: Any) -> Distribution[JointObservation]:
        """Return the joint distribution of observations after an action, on entering a state."""
        ...

    def reward(self, state: Any, joint_action: JointAction, next_state: Any) -> Rewards:
        """Return what each player receives for a step."""
        ...


@dataclass(frozen=True)
class ChangedPOSG:
    """A POSG of which all is the game's that is not said otherwise."""

    game: POSG
    title = from_inner("title")
    players = from_inner("players")
    discount = from_inner("discount")
    initial = from_inner("initial")
    initial_observation = from_inner("initial_observation")
    legal_actions = from_inner("legal_actions")
    is_terminal = from_inner("is_terminal")
    transition = from_inner("transition")
    observation = from_inner("observation")


@dataclass(frozen=True)
class HorizonPOSG(ChangedPOSG):
    """A POSG stopped after a number of steps; all but the horizon is the game's."""

    horizon: int | None
    __repr__ = written_as("stop_posg({0.game!r}, steps={0.horizon})")
    reward = from_inner("reward")


def stop_posg(game: POSG, *, steps: int) -> POSG:
    """Return the game stopped after ``steps`` steps, or earlier where it stops by itself.

    Raises:
        InvalidArgument: If ``steps`` is negative.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> stop_posg(RepeatedGame.of("matching_pennies", rounds=5), steps=2).horizon
    2
    """
    steps = check_horizon("stop_posg", steps, game.horizon)
    inner = game.game if isinstance(game, HorizonPOSG) else game
    return HorizonPOSG(inner, steps)


def check_horizon(owner: str, asked: object, own: int | None) -> int:
    """Return the smaller of a horizon asked for and the game's own, after checking it."""
    if isinstance(asked, bool | np.bool_) or not isinstance(asked, int | np.integer) or asked < 0:
        with refusing_as(owner):  # unless what the user called says otherwise
            raise InvalidArgument(
                needs="a whole number of steps or moves, at least 0", found=f"got {asked!r}"
            )
    return int(asked) if own is None else min(int(asked), own)


class AEC(AnyRules, Protocol):
    """The rules of an agent-environment-cycle game, over hashable labels.

    A mover is a player ``0, 1, ...`` or ``CHANCE``, whose one action is ``NULL``.
    """

    @property
    def initial_state(self) -> Any:
        """The state in which chance makes the first move."""
        ...

    def observation(self, player: int, state: Any) -> Distribution[Any]:
        """Return the distribution of what a player sees when it is their own turn in a state."""
        ...

    def move(self, player: int, state: Any, action: Any) -> Any:
        """Return the one state to which a player's action leads."""
        ...

    def chance(self, state: Any) -> Distribution[Any]:
        """Return the distribution of the next state when the environment moves."""
        ...

    def reward(self, state: Any, mover: int, action: Any, next_state: Any) -> Distribution[Any]:
        """Return the joint distribution of what each player receives for a move."""
        ...

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: Any
    ) -> Distribution[int]:
        """Return the distribution of who moves next; never asked at a terminal state."""
        ...


@dataclass(frozen=True)
class HorizonAEC:
    """An AEC game stopped after a number of moves; all but the horizon is the game's."""

    game: AEC
    horizon: int | None
    __repr__ = written_as("stop_aec({0.game!r}, moves={0.horizon})")
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

    >>> from gametheory_core.catalog import RandomOrderTeam
    >>> stop_aec(RandomOrderTeam(), moves=2).horizon
    2
    """
    moves = check_horizon("stop_aec", moves, game.horizon)
    inner = game.game if isinstance(game, HorizonAEC) else game
    return HorizonAEC(inner, moves)


Rules: TypeAlias = POSG | AEC


def is_posg(game: Rules) -> TypeGuard[POSG]:
    """Tell whether rules are those of a POSG; those of an AEC game have ``next_player``."""
    return not hasattr(game, "next_player")


class Step(NamedTuple):
    """One step of a POSG.

    Attributes:
        state (hashable): Before the move.
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
        state (hashable): Before the move.
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


Observation: TypeAlias = Hashable
Action: TypeAlias = Hashable
InformationState: TypeAlias = tuple[Any, ...]  # observation, action, ..., observation


class Blank(Enum):
    """Entries of information states that say nothing."""

    NULL = "null"
    IDLE = "idle"
    EMPTY = "empty"
    AWAY = "away"

    def __repr__(self) -> str:
        return self.name


NULL = Blank.NULL  # nothing to see: the observation before the first action, unless a game has one
EMPTY = Blank.EMPTY  # the place of an action that is not queued yet, or was never played
IDLE = Blank.IDLE  # not one's turn: what a POSG made of an AEC game shows, and lets do, others
AWAY = Blank.AWAY  # not there, and so IDLE: what players see who have not joined, or have left


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
