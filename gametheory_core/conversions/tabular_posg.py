"""Rules of POSGs to tables: labels numbered, laws stored as exact kernels.

Only what play can reach (within the horizon, if there is one) is stored. Information states are
those of the rules, so policies pass through unchanged.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.conversions.conversion import Conversion, Identity, Preserved
from gametheory_core.conversions.exploration import explore
from gametheory_core.distributions import Distribution
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.checked_rules import checked_posg
from gametheory_core.games.kernels import KernelRows, Numbering, permuted_rows
from gametheory_core.games.posg import POSG
from gametheory_core.games.tabular_posg import TabularPOSG
from gametheory_core.strategies.policies import PolicyProfile

MAX_STATES = 200_000

PosgToTabular: TypeAlias = Conversion[POSG, TabularPOSG, PolicyProfile, PolicyProfile]


def posg_to_tabular(
    game: POSG,
    *,
    max_states: int = MAX_STATES,
    on_iteration: Callable[[int], None] | None = None,
) -> PosgToTabular:
    """Carry the rules of a POSG to tables of what play can reach.

    Args:
        max_states: The largest number of (state, joint observation) pairs to store.
        on_iteration: Called with the number of pairs found so far, after each step of depth.

    Returns:
        Preserves everything; policies and plays pass unchanged.

    Raises:
        InvalidGame: If the rules answer something malformed; names the question and the answer.
        UnsupportedGame: If more than ``max_states`` pairs can be reached.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> posg_to_tabular(RepeatedGame.of("matching_pennies", rounds=2)).target.states[0]
    ()
    """
    if isinstance(game, TabularPOSG):
        return Conversion(game, game, Identity(), frozenset(Preserved))
    table = _PosgTable(checked_posg(game, "posg_to_tabular"), max_states)
    explore(
        table.start(),
        lambda pair: table.expand(*pair),
        horizon=game.horizon,
        most=max_states,
        needs=f"posg_to_tabular: needs at most max_states = {max_states:,} pairs of state and "
        f"joint observation, but {game.title or game!r} has",
        unit="steps",
        stop="stop_posg",
        on_iteration=on_iteration,
    )
    return Conversion(game, table.freeze(), Identity(), frozenset(Preserved))


def refuse_large_keys(owner: str, largest: int) -> None:
    """Refuse tables whose row keys would not fit 64 bits."""
    if largest > np.iinfo(np.int64).max:
        raise UnsupportedGame(
            f"{owner}: needs at most 2^63 combinations of state and action, but there are "
            f"{largest:,}. Let players choose one after the other (an AEC game), or give a "
            "shorter horizon."
        )


@dataclass
class _PosgTable:
    """The table under construction."""

    game: POSG
    max_states: int

    def __post_init__(self) -> None:
        self.players = self.game.players
        count = len(self.players)
        self.states = Numbering()
        self.actions = tuple(Numbering() for _ in range(count))
        self.observations = tuple(Numbering() for _ in range(count))
        self.legal: tuple[list[tuple[int, ...]], ...] = tuple([] for _ in range(count))
        self.legal_sets: dict[tuple[int, ...], tuple[int, ...]] = {}  # equal ones stored once
        self.signals = Numbering()
        self.rewards = Numbering()
        self.terminal: list[bool] = []
        self.signal_rows = KernelRows()
        self.initial_signal_row: dict[int, int] = {}
        self.rows: dict[tuple[int, tuple[int, ...]], int] = {}
        self.transition_rows = KernelRows()
        self.entry_reward: list[int] = []
        self.entry_signal_row: list[int] = []
        self.signal_row_after: dict[tuple[tuple[int, ...], int], int] = {}

    def start(self) -> list[tuple[int, int]]:
        """Number the first states and what is seen in them."""
        first = self.game.initial()
        self.first = [(self._state(state), weight) for state, weight in first]
        pairs: dict[tuple[int, int], None] = {}
        for state, _ in self.first:
            label = self.states.things[state]
            law = self.game.initial_observation(label)
            row = self._signal_row(law)
            self.initial_signal_row[state] = row
            if not self.terminal[state]:
                pairs.update(dict.fromkeys((state, signal) for signal in self._in_row(row)))
        return list(pairs)

    def expand(self, state: int, signal: int) -> list[tuple[int, int]]:
        """Store what every legal joint action does, and return the pairs it leads to."""
        seen = self.signals.things[signal]
        choices = [self.legal[i][o] for i, o in enumerate(seen)]
        if (size := prod(map(len, choices))) > self.max_states:
            raise UnsupportedGame(
                f"posg_to_tabular: needs at most max_states = {self.max_states:,} joint actions, "
                f"but there are {size:,} in state {self.states.things[state]!r}. Let players "
                "choose one after the other (an AEC game), or raise max_states."
            )
        pairs: dict[tuple[int, int], None] = {}
        for joint in product(*choices):
            row = self.rows.get((state, joint))
            if row is None:
                row = self._add_row(state, joint)
            for entry in range(
                self.transition_rows.start[row], self.transition_rows.start[row + 1]
            ):
                after = self.transition_rows.outcome[entry]
                if not self.terminal[after]:
                    following = self._in_row(self.entry_signal_row[entry])
                    pairs.update(dict.fromkeys((after, o) for o in following))
        return list(pairs)

    def _add_row(self, state: int, joint: tuple[int, ...]) -> int:
        label = self.states.things[state]
        action = tuple(own.things[a] for own, a in zip(self.actions, joint, strict=True))
        law = self.game.transition(label, action)
        entries: list[tuple[int, Fraction]] = []
        for following, weight in law:
            after = self._state(following)
            entries.append((after, weight))
            reward = self.game.reward(label, action, following)
            self.entry_reward.append(self.rewards.number(reward))
            ends = self.terminal[after]
            self.entry_signal_row.append(-1 if ends else self._after(joint, action, after))
        row = self.rows[state, joint] = self.transition_rows.add(entries)
        return row

    def _after(self, joint: tuple[int, ...], action: tuple[Any, ...], after: int) -> int:
        row = self.signal_row_after.get((joint, after))
        if row is None:
            label = self.states.things[after]
            law = self.game.observation(action, label)
            row = self._signal_row(law)
            self.signal_row_after[joint, after] = row
        return row

    def _state(self, label: Any) -> int:
        number = self.states.number(label)
        if number == len(self.terminal):
            self.terminal.append(self.game.is_terminal(label))
        return number

    def _signal_row(self, law: Distribution[tuple[Any, ...]]) -> int:
        entries: list[tuple[int, Fraction]] = []
        for seen, weight in law:
            own = tuple([self._observation(i, o) for i, o in enumerate(seen)])
            entries.append((self.signals.number(own), weight))
        return self.signal_rows.share(entries)

    def _observation(self, player: int, label: Any) -> int:
        number = self.observations[player].number(label)
        if number == len(self.legal[player]):
            labels = self.game.legal_actions(player, label)
            own = tuple(map(self.actions[player].number, labels))
            self.legal[player].append(self.legal_sets.setdefault(own, own))
        return number

    def _in_row(self, row: int) -> list[int]:
        return self.signal_rows.outcome[
            self.signal_rows.start[row] : self.signal_rows.start[row + 1]
        ]

    def freeze(self) -> TabularPOSG:
        """Return the table, rows sorted by key."""
        counts = [len(own.things) for own in self.actions]
        strides = [int(np.prod(counts[i + 1 :], dtype=object)) for i in range(len(counts))]
        joint = strides[0] * counts[0] if counts else 1
        refuse_large_keys("posg_to_tabular", len(self.states.things) * joint)
        keys = np.array(
            [s * joint + sum(a * w for a, w in zip(c, strides, strict=True)) for s, c in self.rows],
            dtype=np.int64,
        )
        order = np.argsort(keys, kind="stable")
        kernel, entry = permuted_rows(self.transition_rows.freeze(), order)
        initial = KernelRows()
        initial.add(self.first)
        signal_row = np.full(len(self.states.things), -1, dtype=np.int32)
        signal_row[list(self.initial_signal_row)] = list(self.initial_signal_row.values())
        return TabularPOSG(
            players=self.players,
            states=tuple(self.states.things),
            actions=tuple(tuple(own.things) for own in self.actions),
            observations=tuple(tuple(own.things) for own in self.observations),
            legal=tuple(map(tuple, self.legal)),
            signals=np.array(self.signals.things, dtype=np.int32),
            terminal=np.array(self.terminal),
            initial_kernel=initial.freeze(),
            initial_signal_row=signal_row,
            row_key=keys[order],
            transition_kernel=kernel,
            entry_reward=np.array(self.entry_reward, dtype=np.int32)[entry],
            entry_signal_row=np.array(self.entry_signal_row, dtype=np.int32)[entry],
            signal_kernel=self.signal_rows.freeze(),
            reward_vectors=np.array(self.rewards.things, dtype=object),
            discount=self.game.discount,
            horizon=self.game.horizon,
            title=self.game.title,
        )
