"""Mediated games: at each step a mediator picks who leads, the leader acts, the others react.

The reactions of the followers are fixed and known beforehand (their *naive responses*), and the
next state depends on the leader's action alone (*leader-controller*). So a step is a leader and an
action of the leader: it pays everybody, and leads to a distribution of next states.
"""

from collections.abc import Hashable
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

import numpy as np

from gametheory_core.arguments import as_tuple, check_labels, require_instance, require_integer
from gametheory_core.arrays import (
    ONE,
    ExactArray,
    IntArray,
    ScaledIntegers,
    exact_array,
    scaled_integers,
)
from gametheory_core.errors import InvalidArgument, InvalidGame
from gametheory_core.games.listings import listed_actions
from gametheory_core.games.table_content import (
    Kernel,
    by_constructor,
    check_discount,
    check_distinct,
    check_indices,
    check_reachable,
    content_digest,
    find_rows,
    frozen,
    hash_of_content,
    refuse_repetitions,
    same_content,
)

_OWNER = "MediatedGame"


@dataclass(frozen=True, eq=False, repr=False)
class MediatedGame:
    """A finite Markov game of ``horizon`` steps, each led by one player that a mediator picks.

    Which actions are legal is said by the rows that exist. Where play continues, every player may
    be picked, so every player has a row there; a state without rows is terminal.

    Attributes:
        states: Labels; every state can be reached.
        actions: Labels of each player's actions when that player leads, at least one.
        initial_kernel: One row, over states.
        row_key (num_rows,): ``(state * num_players + leader) * max_actions + action``, ascending.
        transition_kernel: Over states, a row for each key.
        rewards (num_rows, num_players): What each player gets once all have responded, expected
            over the next state.
        horizon: At least 1; play stops after so many steps.
        discount: The factor on rewards for each step, in [0, 1].
        title: For people; no part of the game's identity.
    """

    players: tuple[str, ...]
    states: tuple[Hashable, ...]
    actions: tuple[tuple[Hashable, ...], ...]
    initial_kernel: Kernel
    row_key: "np.ndarray[tuple[int], np.dtype[np.int64]]"
    transition_kernel: Kernel
    rewards: ExactArray
    horizon: int
    discount: Fraction = ONE
    title: str = ""

    def __post_init__(self) -> None:
        players = check_labels(as_tuple(self.players, name="players"), kind="player", owner=_OWNER)
        if not players:
            raise InvalidGame(needs="at least one player", found="has none")
        states = check_distinct(as_tuple(self.states, name="states"), kind="states")
        actions = listed_actions(actions_as_tuples(self.actions), players)
        require_instance(self.title, str, name="title")
        horizon = cast("object", self.horizon)
        if type(horizon) is not int or horizon < 1:
            raise InvalidGame(
                needs="a horizon of at least 1 step",
                found=f"has {horizon!r}",
                remedy="A mediator's values are defined from the end backwards.",
            )
        for name in ("initial_kernel", "transition_kernel"):
            require_instance(getattr(self, name), Kernel, name=name)
        for name, value in (
            ("players", players),
            ("states", states),
            ("actions", actions),
            ("row_key", _whole_numbers(self.row_key)),
            ("rewards", exact_array(self.rewards, where=f"{_OWNER}: rewards")),
            ("discount", check_discount(self.discount)),
        ):
            object.__setattr__(self, name, value)
        self._check_rows()
        self._check_leaders()
        check_reachable(
            self.initial_kernel.outcome, self.row_state, self.transition_kernel, self.states
        )

    def _check_rows(self) -> None:
        keys = len(self.states) * self.num_players * self.max_actions
        check_indices("row_key", self.row_key, keys)
        if np.any(np.diff(self.row_key) <= 0):
            raise InvalidGame(needs="ascending row_key, one row for each key")
        rows = len(self.row_key)
        if self.transition_kernel.num_rows != rows:
            raise InvalidGame(
                needs=f"a row of transition_kernel for each of {rows} keys",
                found=f"has {self.transition_kernel.num_rows}",
            )
        if self.rewards.shape != (rows, self.num_players) and (rows or self.rewards.size):
            raise InvalidGame(
                needs=f"rewards of shape {(rows, self.num_players)}, one for each row and player",
                found=f"their shape is {self.rewards.shape}",
            )
        if not rows:
            object.__setattr__(self, "rewards", frozen(np.empty((0, self.num_players)), object))
        if self.initial_kernel.num_rows != 1:
            raise InvalidGame(
                needs="one row in initial_kernel", found=f"has {self.initial_kernel.num_rows}"
            )
        for name in ("initial_kernel", "transition_kernel"):
            kernel = getattr(self, name)
            check_indices(name, kernel.outcome, len(self.states))
            refuse_repetitions(kernel, name)

    def _check_leaders(self) -> None:
        counts = np.array([len(own) for own in self.actions])
        strange = np.flatnonzero(self.row_action >= counts[self.row_leader])
        if strange.size:
            row = int(strange[0])
            leader = int(self.row_leader[row])
            raise InvalidGame(
                needs=f"actions in 0..{counts[leader] - 1} of {self.players[leader]!r}",
                found=f"row {row} of state {self.states[self.row_state[row]]!r} has "
                f"{self.row_action[row]}",
            )
        leads = np.zeros((len(self.states), self.num_players), dtype=bool)
        leads[self.row_state, self.row_leader] = True
        anyone = leads.any(axis=1, keepdims=True)
        idle = np.argwhere(anyone & ~leads)
        if idle.size:
            state, leader = idle[0].tolist()
            other = self.players[int(np.flatnonzero(leads[state])[0])]
            raise InvalidGame(
                needs="an action of every player wherever one can lead",
                found=f"in state {self.states[state]!r} {self.players[leader]!r} has none and "
                f"{other!r} has some",
                remedy="Give it one, if only to let the step pass.",
            )

    # Sizes and codes

    @property
    def num_players(self) -> int:
        """Number of players, each of whom may lead."""
        return len(self.players)

    @property
    def num_states(self) -> int:
        """Number of states, terminal ones included."""
        return len(self.states)

    @cached_property
    def max_actions(self) -> int:
        """The most actions that a player has, legal or not."""
        return max(map(len, self.actions))

    @cached_property
    def row_state(self) -> IntArray:
        """State of each row, shape (num_rows,)."""
        return frozen(self.row_key // (self.num_players * self.max_actions), np.int32)

    @cached_property
    def row_leader(self) -> IntArray:
        """Leader of each row, shape (num_rows,)."""
        return frozen(self.row_key // self.max_actions % self.num_players, np.int32)

    @cached_property
    def row_action(self) -> IntArray:
        """Action of each row, as its leader counts actions, shape (num_rows,)."""
        return frozen(self.row_key % self.max_actions, np.int32)

    @cached_property
    def scaled_rewards(self) -> ScaledIntegers:
        """The rewards as integers over one common denominator."""
        return scaled_integers(self.rewards)

    @cached_property
    def state_index(self) -> dict[Hashable, int]:
        """Number of each state label."""
        return {label: k for k, label in enumerate(self.states)}

    # Play

    @cached_property
    def _legal(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Return the legal actions by state and leader."""
        table: list[list[list[int]]] = [[[] for _ in self.players] for _ in self.states]
        for state, leader, action in zip(
            self.row_state.tolist(), self.row_leader.tolist(), self.row_action.tolist(), strict=True
        ):
            table[state][leader].append(action)
        return tuple(tuple(map(tuple, leaders)) for leaders in table)

    def legal(self, state: int, leader: int) -> tuple[int, ...]:
        """Return what a player may do as the leader, ascending; nothing where play has ended."""
        return self._legal[state][leader]

    def row(self, state: int, leader: int, action: int) -> int:
        """Return the row of a step.

        Raises:
            InvalidArgument: If the action is not legal there.
        """
        for name, number, size in (
            ("state", state, self.num_states),
            ("leader", leader, self.num_players),
            ("action", action, self.max_actions),
        ):
            require_integer(number, where=f"{_OWNER}.row", name=name, low=0, high=size - 1)
        key = (int(state) * self.num_players + int(leader)) * self.max_actions + int(action)
        found = int(find_rows(self.row_key, key))
        if found < 0:
            raise InvalidArgument(
                needs="a legal action",
                found=f"{self.players[leader]!r} leading in state {self.states[state]!r} has "
                f"{self._legal[state][leader]}, not {action}",
                where=f"{_OWNER}.row",
            )
        return found

    def is_terminal(self, state: int) -> bool:
        """Tell whether a state is terminal: no row, whoever leads."""
        return not self._legal[state][0]

    @cached_property
    def is_deterministic(self) -> bool:
        """Whether nothing is drawn: neither the first state nor any next one."""
        return len(self.initial_kernel.outcome) == 1 and len(self.transition_kernel.outcome) == len(
            self.row_key
        )

    # Identity

    @cached_property
    def digest(self) -> str:
        """Content identity: SHA-256 over all fields but the title."""
        return content_digest("mediated", [getattr(self, f.name) for f in fields(self)[:-1]])

    __reduce__, __eq__, __hash__ = by_constructor, same_content, hash_of_content

    def __repr__(self) -> str:
        return (
            f"MediatedGame({self.title!r}, {self.num_players} players, {self.num_states} states, "
            f"{len(self.row_key)} rows, horizon {self.horizon})"
        )


def actions_as_tuples(actions: object) -> tuple[tuple[Any, ...], ...]:
    """Return the actions of each player as tuples.

    Raises:
        InvalidArgument: If they cannot be listed.
    """
    return tuple(
        as_tuple(own, name="the actions of each player")
        for own in as_tuple(actions, name="actions")
    )


def _whole_numbers(keys: Any) -> Any:
    """Return keys as a read-only int64 array, after checking that they are a list of integers."""
    array = np.asarray(keys)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise InvalidGame(
            needs="row_key to be a list of integers",
            found=f"its shape is {array.shape} and its type {array.dtype}",
        )
    return frozen(array, np.int64)
