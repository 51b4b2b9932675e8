"""POSGs and AEC games as tables: labels numbered, distributions as kernels.

The labels stay the interface.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from gametheory_core.arrays import ExactArray, IntArray
from gametheory_core.distributions import Distribution
from gametheory_core.errors import InvalidGame
from gametheory_core.games.rules import NULL, JointAction, Rewards
from gametheory_core.games.table_content import (
    Kernel,
    LabelledTable,
    check_arrays,
    check_indices,
    check_play,
    find_rows,
    frozen,
    keep,
    keep_arrays,
    keep_labels_and_numbers,
    spread,
)
from gametheory_core.games.tree_table import CHANCE

_POSG = "TabularPOSG"


@dataclass(frozen=True, eq=False, repr=False)
class TabularPOSG(LabelledTable):
    """A finite POSG as arrays, which also satisfies the ``POSG`` protocol by its labels.

    With ``S`` states, ``N`` players, and joint actions coded in mixed radix, player 0 first:

    Attributes:
        signals (num_signals, N): The joint observations that occur, as one observation index a
            player.
        terminal (S,): States in which play has ended.
        initial_kernel: One row, over states.
        initial_signal_row (S,): Row of ``signal_kernel`` for each initial state; -1 elsewhere.
        row_key (num_rows,): ``state * num_joint_actions + joint action``, ascending, for the rows
            of the transitions.
        transition_kernel: Over states.
        entry_reward (num_entries,): Row of ``reward_vectors`` for each entry of the transitions.
        entry_signal_row (num_entries,): Row of ``signal_kernel`` for each entry of the transitions;
            -1 into terminal states, where nobody acts on what is seen.
        signal_kernel: Over signals.
        reward_vectors (num_rewards, N): What each player receives.
        title: For people; no part of the game's identity.
    """

    signals: IntArray
    terminal: "np.ndarray[tuple[int], np.dtype[np.bool_]]"
    initial_kernel: Kernel
    initial_signal_row: IntArray
    row_key: "np.ndarray[tuple[int], np.dtype[np.int64]]"
    transition_kernel: Kernel
    entry_reward: IntArray
    entry_signal_row: IntArray
    signal_kernel: Kernel
    reward_vectors: ExactArray
    discount: Fraction
    horizon: int | None = None
    title: str = ""

    def __post_init__(self) -> None:
        keep_labels_and_numbers(self)
        keep_arrays(
            self, ("initial_signal_row", "entry_reward", "entry_signal_row", "signals"), np.int32
        )
        keep_arrays(self, ("row_key",), np.int64)
        keep(self, signals=self.signals.reshape(-1, len(self.players)))
        self._check()

    def _check(self) -> None:
        states, entries = len(self.states), len(self.transition_kernel.outcome)
        check_arrays(
            self,
            lengths={
                "terminal": states,
                "initial_signal_row": states,
                "row_key": self.transition_kernel.num_rows,
                "entry_reward": entries,
                "entry_signal_row": entries,
            },
            ranges={
                "initial_kernel": (0, states),
                "initial_signal_row": (-1, self.signal_kernel.num_rows),
                "transition_kernel": (0, states),
                "entry_reward": (0, len(self.reward_vectors)),
                "entry_signal_row": (-1, self.signal_kernel.num_rows),
                "signal_kernel": (0, len(self.signals)),
                "row_key": (0, states * self.num_joint_actions),
            },
        )
        for i in range(len(self.players)):
            check_indices("signals", self.signals[:, i], len(self.observations[i]))
        rows, first = self.initial_kernel.num_rows, self.initial_kernel.outcome
        if rows != 1:
            raise InvalidGame(needs="one row in initial_kernel", found=f"has {rows}")
        blind = first[~self.terminal[first] & (self.initial_signal_row[first] < 0)]
        if blind.size:
            raise InvalidGame(
                needs="initial_signal_row for each first state that is not terminal",
                found=f"{self.states[blind[0]]!r} has none",
            )
        kernels = ("initial_kernel", "transition_kernel", "signal_kernel")
        check_play(self, first=first, kernels=kernels, continues="entry_signal_row")

    # Sizes and codes

    @cached_property
    def strides(self) -> tuple[int, ...]:
        """What one step of each player's action adds to the code of a joint action."""
        out = [1]
        for own in reversed(self.actions[1:]):
            out.append(out[-1] * len(own))
        return tuple(reversed(out))

    @cached_property
    def num_joint_actions(self) -> int:
        """Number of joint actions, legal or not."""
        return self.strides[0] * len(self.actions[0])

    @cached_property
    def row_state(self) -> IntArray:
        """State of each transition row, shape (num_rows,)."""
        return frozen(self.row_key // self.num_joint_actions, np.int32)

    @cached_property
    def _legal_rows(self) -> tuple[tuple[Any, Any, Any], ...]:
        rows: list[tuple[Any, Any, Any]] = []
        for own in self.legal:
            sizes = np.array([len(actions) for actions in own], dtype=np.int64)
            flat = np.array([a for actions in own for a in actions], dtype=np.int64)
            rows.append((sizes, flat, np.cumsum(sizes) - sizes))
        return tuple(rows)

    def spread_actions(self, player: int, observation: Any) -> tuple[Any, Any]:
        """Return, for an array of observations, each position with each legal action after it."""
        sizes, flat, start = self._legal_rows[player]
        source, position = spread(sizes[observation])
        return source, flat[start[observation[source]] + position]

    def find_transitions(self, state: Any, joint_action: Any) -> Any:
        """Return the transition row of each state and joint action code; -1 where there is none."""
        return find_rows(self.row_key, state * self.num_joint_actions + joint_action)

    # The POSG protocol, by labels

    def initial(self) -> Distribution[Any]:
        """Return the distribution of the first state."""
        return self.initial_kernel.law(0, self.states)

    def initial_observation(self, state: Any) -> Distribution[tuple[Any, ...]]:
        """Return the joint distribution of what players see before the first action."""
        return self._signals(int(self.initial_signal_row[self.state_index[state]]))

    def is_terminal(self, state: Any) -> bool:
        """Tell whether play has ended."""
        return bool(self.terminal[self.state_index[state]])

    def transition(self, state: Any, joint_action: JointAction) -> Distribution[Any]:
        """Return the distribution of the next state."""
        return self.transition_kernel.law(self._row(state, joint_action), self.states)

    def observation(self, joint_action: JointAction, state: Any) -> Distribution[tuple[Any, ...]]:
        """Return the joint distribution of observations on entering a state after an action."""
        row = self._signal_row_after.get((self._code(joint_action), self.state_index[state]), -1)
        if row < 0:
            raise InvalidGame(
                needs="a joint action that leads on to the state",
                found=f"{joint_action!r} never leads on to {state!r}",
                where=_POSG,
            )
        return self._signals(row)

    def reward(self, state: Any, joint_action: JointAction, next_state: Any) -> Rewards:
        """Return what each player receives for a step."""
        entries = self.transition_kernel.row(self._row(state, joint_action))
        found = self.transition_kernel.outcome[entries].tolist().index(self.state_index[next_state])
        return tuple(self.reward_vectors[self.entry_reward[entries.start + found]].tolist())

    def _code(self, joint_action: JointAction) -> int:
        indices = (own[a] for own, a in zip(self.action_index, joint_action, strict=True))
        return sum(a * stride for a, stride in zip(indices, self.strides, strict=True))

    def _row(self, state: Any, joint_action: JointAction) -> int:
        key = self.state_index[state] * self.num_joint_actions + self._code(joint_action)
        row = int(find_rows(self.row_key, key))
        if row < 0:
            raise InvalidGame(
                needs="a row that play reaches before the horizon of the table",
                found=f"{joint_action!r} is not possible in state {state!r}",
                where=_POSG,
            )
        return row

    @cached_property
    def _signal_row_after(self) -> dict[tuple[int, int], int]:
        row, _ = spread(self.transition_kernel.sizes)
        codes = (self.row_key % self.num_joint_actions)[row].tolist()
        keys = zip(codes, self.transition_kernel.outcome.tolist(), strict=True)
        return dict(zip(keys, self.entry_signal_row.tolist(), strict=True))

    def _signals(self, row: int) -> Distribution[tuple[Any, ...]]:
        return self.signal_kernel.law(row, self.joint_observation)

    def joint_action(self, code: int) -> tuple[Any, ...]:
        """Return the labels of a joint action."""
        own = zip(self.actions, self.strides, strict=True)
        return tuple(labels[code // stride % len(labels)] for labels, stride in own)

    def joint_observation(self, signal: int) -> tuple[Any, ...]:
        """Return the labels of a joint observation."""
        own = zip(self.observations, self.signals[signal].tolist(), strict=True)
        return tuple(labels[o] for labels, o in own)


_AEC = "TabularAEC"


@dataclass(frozen=True, eq=False, repr=False)
class TabularAEC(LabelledTable):
    """A finite AEC game as arrays, which also satisfies the ``AEC`` protocol by its labels.

    With ``S`` states, ``N`` players and ``A`` the largest number of actions of a player:

    Attributes:
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
        reward_vectors (num_rewards, N): What each player receives.
        title: For people; no part of the game's identity.
    """

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
        keep_labels_and_numbers(self)
        keep_arrays(self, ("entry_reward_row", "entry_turn_row"), np.int32)
        keep_arrays(self, ("observation_key", "row_key"), np.int64)
        self._check()

    def _check(self) -> None:
        states, players = len(self.states), len(self.players)
        entries = len(self.transition_kernel.outcome)
        check_arrays(
            self,
            lengths={
                "terminal": states,
                "observation_key": self.observation_kernel.num_rows,
                "row_key": self.transition_kernel.num_rows,
                "entry_reward_row": entries,
                "entry_turn_row": entries,
            },
            ranges={
                "initial_index": (0, states),
                "observation_key": (0, states * players),
                "row_key": (0, states * (players + 1) * self.most_actions),
                "transition_kernel": (0, states),
                "entry_reward_row": (0, self.reward_kernel.num_rows),
                "entry_turn_row": (-1, self.turn_kernel.num_rows),
                "reward_kernel": (0, len(self.reward_vectors)),
                "turn_kernel": (CHANCE, players),
            },
        )
        self._check_owners()
        self._check_deterministic()
        kernels = ("transition_kernel", "observation_kernel", "reward_kernel", "turn_kernel")
        first = np.array([self.initial_index])
        check_play(self, first=first, kernels=kernels, continues="entry_turn_row")

    def _check_owners(self) -> None:
        """Refuse observations and actions that are not the mover's."""
        row, _ = spread(self.observation_kernel.sizes)
        viewer = (self.observation_key % len(self.players))[row]
        acting = self.row_mover != CHANCE
        code = (self.row_key % self.most_actions)[acting]
        for i in range(len(self.players)):
            seen = self.observation_kernel.outcome[viewer == i]
            done = code[self.row_mover[acting] == i]
            check_indices("observation_kernel", seen, len(self.observations[i]))
            check_indices("actions in row_key", done, len(self.actions[i]))

    def _check_deterministic(self) -> None:
        several = np.flatnonzero((self.transition_kernel.sizes > 1) & (self.row_mover != CHANCE))
        if several.size:
            row = int(several[0])
            mover, state = int(self.row_mover[row]), int(self.row_state[row])
            action = self.actions[mover][int(self.row_key[row]) % self.most_actions]
            raise InvalidGame(
                needs="one next state for each action of a player",
                found=f"{action!r} of {self.players[mover]!r} in state {self.states[state]!r} "
                f"leads to {self.transition_kernel.sizes[row]}",
                remedy="Let chance move next and draw.",
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

    # The AEC protocol, by labels

    @property
    def initial_state(self) -> Any:
        """The state in which chance makes the first move."""
        return self.states[self.initial_index]

    def observation(self, player: int, state: Any) -> Distribution[Any]:
        """Return the distribution of what the mover sees."""
        key = self.state_index[state] * len(self.players) + player
        row = int(find_rows(self.observation_key, key))
        if row < 0:
            raise InvalidGame(
                needs="a state in which the player moves",
                found=f"{self.players[player]!r} never moves in state {state!r}",
                where=_AEC,
            )
        return self.observation_kernel.law(row, self.observations[player])

    def is_terminal(self, state: Any) -> bool:
        """Tell whether play has ended."""
        return bool(self.terminal[self.state_index[state]])

    def move(self, player: int, state: Any, action: Any) -> Any:
        """Return the one state to which a player's action leads."""
        entry = self.transition_kernel.start[self._row(state, player, action)]
        return self.states[self.transition_kernel.outcome[entry]]

    def chance(self, state: Any) -> Distribution[Any]:
        """Return the distribution of the next state when the environment moves."""
        return self.transition_kernel.law(self._row(state, CHANCE, NULL), self.states)

    def reward(self, state: Any, mover: int, action: Any, next_state: Any) -> Distribution[Rewards]:
        """Return the joint distribution of rewards for a move."""
        entry = self._entry(state, mover, action, next_state)
        row = int(self.entry_reward_row[entry])
        return self.reward_kernel.law(row, lambda r: tuple(self.reward_vectors[r].tolist()))

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: Any
    ) -> Distribution[int]:
        """Return the distribution of who moves next."""
        row = int(self.entry_turn_row[self._entry(state, mover, action, next_state)])
        if row < 0:
            raise InvalidGame(
                needs="a state in which play continues",
                found=f"nobody moves after the terminal state {next_state!r}",
                where=_AEC,
            )
        return self.turn_kernel.law(row, lambda mover: mover)

    def _row(self, state: Any, mover: int, action: Any) -> int:
        code = 0 if mover == CHANCE else self.action_index[mover][action]
        position = self.state_index[state] * (len(self.players) + 1) + mover + 1
        row = int(find_rows(self.row_key, position * self.most_actions + code))
        if row < 0:
            raise InvalidGame(
                needs="a row that play reaches before the horizon of the table",
                found=f"mover {mover} cannot do {action!r} in state {state!r}",
                where=_AEC,
            )
        return row

    def _entry(self, state: Any, mover: int, action: Any, next_state: Any) -> int:
        entries = self.transition_kernel.row(self._row(state, mover, action))
        outcomes = self.transition_kernel.outcome[entries].tolist()
        return entries.start + outcomes.index(self.state_index[next_state])
