"""AEC games as tables: labels numbered, laws as kernels; the labels stay the interface."""

from collections.abc import Hashable
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from gametheory_core.arrays import ExactArray, IntArray
from gametheory_core.distributions import Distribution
from gametheory_core.errors import InvalidGame
from gametheory_core.games.information_sets import CHANCE
from gametheory_core.games.information_states import NULL
from gametheory_core.games.kernels import Kernel, find_rows, refuse_repetitions, spread
from gametheory_core.games.posg import Rewards
from gametheory_core.games.table_content import (
    LegalTable,
    check_indices,
    check_reachable,
    check_sizes,
    content_digest,
    frozen,
    keep_arrays,
    keep_labels_and_numbers,
    refuse_moving_ends,
    refuse_wrong_ends,
)

_OWNER = "TabularAEC"


@dataclass(frozen=True, eq=False, repr=False)
class TabularAEC:
    """A finite AEC game as arrays, which also satisfies the ``AEC`` protocol by its labels.

    With ``S`` states, ``N`` players and ``A`` the largest number of actions of a player:

    Attributes:
        states: Labels; every state can be reached.
        actions, observations: Labels, for each player.
        legal: ``legal[i][o]``: actions of player ``i`` after seeing observation ``o``.
        terminal (S,): States in which play has ended.
        initial_index: The state in which chance makes the first move.
        observation_key (num_views,): ``state * N + player``, ascending, for the rows of
            ``observation_kernel``.
        observation_kernel: Over the player's observations.
        row_key (num_rows,): ``(state * (N + 1) + mover + 1) * A + action``, ascending, for the rows
            of the transitions; chance is mover -1 and has action 0.
        transition_kernel: Over states; the rows of players have one entry.
        entry_reward_row (num_entries,): Row of ``reward_kernel`` for each entry of the transitions.
        entry_turn_row (num_entries,): Row of ``turn_kernel`` for each entry of the transitions; -1
            into terminal states.
        reward_kernel: Over rows of ``reward_vectors``.
        turn_kernel: Over movers, chance being -1.
        reward_vectors (num_rewards, N)
        title: For people; no part of the game's identity.
    """

    players: tuple[str, ...]
    states: tuple[Hashable, ...]
    actions: tuple[tuple[Hashable, ...], ...]
    observations: tuple[tuple[Hashable, ...], ...]
    legal: LegalTable
    terminal: "np.ndarray[tuple[int], np.dtype[np.bool_]]"
    initial_index: int
    observation_key: "np.ndarray[tuple[int], np.dtype[np.int64]]"
    observation_kernel: Kernel
    row_key: "np.ndarray[tuple[int], np.dtype[np.int64]]"
    transition_kernel: Kernel
    entry_reward_row: IntArray
    entry_turn_row: IntArray
    reward_kernel: Kernel
    turn_kernel: Kernel
    reward_vectors: ExactArray
    discount: Fraction
    horizon: int | None = None
    title: str = ""

    def __post_init__(self) -> None:
        keep_labels_and_numbers(self, owner=_OWNER)
        keep_arrays(self, ("entry_reward_row", "entry_turn_row"), np.int32)
        keep_arrays(self, ("observation_key", "row_key"), np.int64)
        self._check()

    def _check(self) -> None:
        states, players = len(self.states), len(self.players)
        entries = len(self.transition_kernel.outcome)
        shapes = {
            "terminal": (len(self.terminal), states),
            "observation_key": (len(self.observation_key), self.observation_kernel.num_rows),
            "row_key": (len(self.row_key), self.transition_kernel.num_rows),
            "entry_reward_row": (len(self.entry_reward_row), entries),
            "entry_turn_row": (len(self.entry_turn_row), entries),
        }
        check_sizes(shapes, owner=_OWNER)
        most = states * (players + 1) * self.most_actions
        for name, array, size, lowest in (
            ("initial_index", np.array([self.initial_index]), states, 0),
            ("observation_key", self.observation_key, states * players, 0),
            ("row_key", self.row_key, most, 0),
            ("transition_kernel", self.transition_kernel.outcome, states, 0),
            ("entry_reward_row", self.entry_reward_row, self.reward_kernel.num_rows, 0),
            ("entry_turn_row", self.entry_turn_row, self.turn_kernel.num_rows, -1),
            ("reward_kernel", self.reward_kernel.outcome, len(self.reward_vectors), 0),
            ("turn_kernel", self.turn_kernel.outcome, players, CHANCE),
        ):
            check_indices(name, array, size, owner=_OWNER, lowest=lowest)
        for name in ("observation_key", "row_key"):
            if np.any(np.diff(getattr(self, name)) <= 0):
                raise InvalidGame(f"{_OWNER}: needs ascending {name}, one row for each key.")
        self._check_owners()
        self._check_deterministic()
        for name in ("transition_kernel", "observation_kernel", "reward_kernel", "turn_kernel"):
            refuse_repetitions(getattr(self, name), name, owner=_OWNER)
        refuse_moving_ends(self.terminal, self.row_state, self.states, owner=_OWNER)
        after = self.transition_kernel.outcome
        refuse_wrong_ends(self.terminal[after], self.entry_turn_row, "entry_turn_row", owner=_OWNER)
        check_reachable(
            np.array([self.initial_index]),
            self.row_state,
            self.transition_kernel,
            self.states,
            owner=_OWNER,
        )

    def _check_owners(self) -> None:
        """Refuse observations and actions that are not the mover's."""
        row, _ = spread(self.observation_kernel.sizes)
        viewer = (self.observation_key % len(self.players))[row]
        acting = self.row_mover != CHANCE
        code = (self.row_key % self.most_actions)[acting]
        for i in range(len(self.players)):
            seen = self.observation_kernel.outcome[viewer == i]
            done = code[self.row_mover[acting] == i]
            check_indices("observation_kernel", seen, len(self.observations[i]), owner=_OWNER)
            check_indices("actions in row_key", done, len(self.actions[i]), owner=_OWNER)

    def _check_deterministic(self) -> None:
        several = np.flatnonzero((self.transition_kernel.sizes > 1) & (self.row_mover != CHANCE))
        if several.size:
            row = int(several[0])
            mover, state = int(self.row_mover[row]), int(self.row_state[row])
            action = self.actions[mover][int(self.row_key[row]) % self.most_actions]
            raise InvalidGame(
                f"{_OWNER}: needs one next state for each action of a player, but {action!r} of "
                f"{self.players[mover]!r} in state {self.states[state]!r} leads to "
                f"{self.transition_kernel.sizes[row]}. Let chance move next and draw."
            )

    # Codes

    @cached_property
    def most_actions(self) -> int:
        """The largest number of actions of a player, at least 1."""
        return max((len(own) for own in self.actions), default=1) or 1

    @cached_property
    def row_state(self) -> IntArray:
        """State of each transition row, shape (num_rows,)."""
        return frozen(self.row_key // (self.most_actions * (len(self.players) + 1)), np.int32)

    @cached_property
    def row_mover(self) -> IntArray:
        """Mover of each transition row, shape (num_rows,)."""
        position = self.row_key // self.most_actions
        return frozen(position % (len(self.players) + 1) - 1, np.int32)

    @cached_property
    def state_index(self) -> dict[Hashable, int]:
        """Number of each state label."""
        return {label: k for k, label in enumerate(self.states)}

    @cached_property
    def _action_index(self) -> tuple[dict[Hashable, int], ...]:
        return tuple({label: k for k, label in enumerate(own)} for own in self.actions)

    @cached_property
    def _observation_index(self) -> tuple[dict[Hashable, int], ...]:
        return tuple({label: k for k, label in enumerate(own)} for own in self.observations)

    # The AEC protocol, by labels

    @property
    def initial_state(self) -> Any:
        """The state in which chance makes the first move."""
        return self.states[self.initial_index]

    def observation(self, player: int, state: Any) -> Distribution[Any]:
        """Return the law of what the mover sees."""
        key = self.state_index[state] * len(self.players) + player
        row = int(find_rows(self.observation_key, key))
        if row < 0:
            raise InvalidGame(f"{_OWNER}: {self.players[player]!r} never moves in state {state!r}.")
        return self.observation_kernel.law(row, self.observations[player])

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Return what a player may do after an observation."""
        own = self.legal[player][self._observation_index[player][observation]]
        return tuple(self.actions[player][a] for a in own)

    def is_terminal(self, state: Any) -> bool:
        """Tell whether play has ended."""
        return bool(self.terminal[self.state_index[state]])

    def move(self, player: int, state: Any, action: Any) -> Any:
        """Return the one state to which a player's action leads."""
        entry = self.transition_kernel.start[self._row(state, player, action)]
        return self.states[self.transition_kernel.outcome[entry]]

    def chance(self, state: Any) -> Distribution[Any]:
        """Return the law of the next state when the environment moves."""
        return self.transition_kernel.law(self._row(state, CHANCE, NULL), self.states)

    def reward(self, state: Any, mover: int, action: Any, next_state: Any) -> Distribution[Rewards]:
        """Return the joint law of rewards for a move."""
        entry = self._entry(state, mover, action, next_state)
        row = int(self.entry_reward_row[entry])
        return self.reward_kernel.law(row, lambda r: tuple(self.reward_vectors[r].tolist()))

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: Any
    ) -> Distribution[int]:
        """Return the law of who moves next."""
        row = int(self.entry_turn_row[self._entry(state, mover, action, next_state)])
        if row < 0:
            raise InvalidGame(f"{_OWNER}: nobody moves after the terminal state {next_state!r}.")
        return self.turn_kernel.law(row, lambda mover: mover)

    def _row(self, state: Any, mover: int, action: Any) -> int:
        code = 0 if mover == CHANCE else self._action_index[mover][action]
        position = self.state_index[state] * (len(self.players) + 1) + mover + 1
        row = int(find_rows(self.row_key, position * self.most_actions + code))
        if row < 0:
            raise InvalidGame(
                f"{_OWNER}: mover {mover} cannot do {action!r} in state {state!r}, or not before "
                "the horizon for which the table was made."
            )
        return row

    def _entry(self, state: Any, mover: int, action: Any, next_state: Any) -> int:
        entries = self.transition_kernel.row(self._row(state, mover, action))
        outcomes = self.transition_kernel.outcome[entries].tolist()
        return entries.start + outcomes.index(self.state_index[next_state])

    # Identity

    @cached_property
    def digest(self) -> str:
        """Content identity: SHA-256 over all fields but the title."""
        return content_digest("aec", [getattr(self, f.name) for f in fields(self)[:-1]])

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by the constructor, so that arrays are read-only again on the other side."""
        return (TabularAEC, tuple(getattr(self, f.name) for f in fields(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TabularAEC) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return (
            f"TabularAEC({self.title!r}, {len(self.players)} players, {len(self.states)} states, "
            f"{len(self.row_key)} rows)"
        )
