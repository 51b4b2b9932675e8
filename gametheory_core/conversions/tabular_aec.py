"""Rules of AEC games to tables of what play can reach, labels kept."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arrays import ONE
from gametheory_core.conversions.conversion import Conversion, Identity, Preserved
from gametheory_core.conversions.exploration import explore
from gametheory_core.conversions.tabular_posg import refuse_large_keys
from gametheory_core.games.aec import AEC
from gametheory_core.games.checked_rules import checked_aec
from gametheory_core.games.information_sets import CHANCE
from gametheory_core.games.information_states import NULL
from gametheory_core.games.kernels import KernelRows, Numbering, permuted_rows
from gametheory_core.games.rule_answers import Question, checked_move
from gametheory_core.games.tabular_aec import TabularAEC
from gametheory_core.strategies.policies import PolicyProfile

MAX_STATES = 200_000

AecToTabular: TypeAlias = Conversion[AEC, TabularAEC, PolicyProfile, PolicyProfile]
Position: TypeAlias = tuple[int, int]  # state, mover


def aec_to_tabular(
    game: AEC,
    *,
    max_states: int = MAX_STATES,
    on_iteration: Callable[[int], None] | None = None,
) -> AecToTabular:
    """Carry the rules of an AEC game to tables of what play can reach.

    Args:
        max_states: The largest number of (state, mover) positions to store.
        on_iteration: Called with the number of positions found so far, after each step of depth.

    Returns:
        Preserves everything; policies and plays pass unchanged.

    Raises:
        InvalidGame: If the rules answer something malformed; names the question and the answer.
        UnsupportedGame: If more than ``max_states`` positions can be reached.

    >>> from gametheory_core.catalog.turn_orders import RandomOrderTeam
    >>> len(aec_to_tabular(RandomOrderTeam()).target.players)
    2
    """
    if isinstance(game, TabularAEC):
        return Conversion(game, game, Identity(), frozenset(Preserved))
    table = _AecTable(checked_aec(game, "aec_to_tabular"))
    start = table.state(game.initial_state)
    explore(
        [] if table.terminal[start] else [(start, CHANCE)],
        lambda position: table.expand(*position),
        horizon=game.horizon,
        most=max_states,
        needs=f"aec_to_tabular: needs at most max_states = {max_states:,} pairs of state and "
        f"mover, but {game.title or game!r} has",
        unit="moves",
        stop="stop_aec",
        on_iteration=on_iteration,
    )
    return Conversion(game, table.freeze(), Identity(), frozenset(Preserved))


@dataclass
class _AecTable:
    """The table under construction."""

    game: AEC

    def __post_init__(self) -> None:
        self.players = self.game.players
        count = len(self.players)
        self.states = Numbering()
        self.actions = tuple(Numbering() for _ in range(count))
        self.observations = tuple(Numbering() for _ in range(count))
        self.legal: tuple[list[tuple[int, ...]], ...] = tuple([] for _ in range(count))
        self.rewards = Numbering()
        self.terminal: list[bool] = []
        self.views: dict[Position, None] = {}
        self.rows: dict[tuple[int, int, int], None] = {}
        self.view_rows, self.transition_rows = KernelRows(), KernelRows()
        self.reward_rows, self.turn_rows = KernelRows(), KernelRows()
        self.entry_reward_row: list[int] = []
        self.entry_turn_row: list[int] = []

    def state(self, label: Any) -> int:
        """Number a state."""
        number = self.states.number(label)
        if number == len(self.terminal):
            self.terminal.append(bool(self.game.is_terminal(label)))
        return number

    def expand(self, state: int, mover: int) -> list[Position]:
        """Store what the mover sees and does in a state, and return the positions it leads to."""
        label = self.states.things[state]
        if mover == CHANCE:
            law = self.game.chance(label)
            return self._add_row(state, CHANCE, 0, NULL, list(law))
        views: list[tuple[int, Any]] = []
        law = self.game.observation(mover, label)
        for seen, weight in law:
            views.append((self._observation(mover, seen), weight))
        self.views[state, mover] = None
        self.view_rows.add(views)
        choices = {a: None for o, _ in views for a in self.legal[mover][o]}
        positions: dict[Position, None] = {}
        for a in choices:
            action = self.actions[mover].things[a]
            asked = Question("move", (mover, label, action))
            first, again = (self.game.move(mover, label, action) for _ in range(2))
            after = checked_move(first, again, asked)
            positions.update(dict.fromkeys(self._add_row(state, mover, a, action, [(after, ONE)])))
        return list(positions)

    def _add_row(
        self, state: int, mover: int, code: int, action: Any, law: list[tuple[Any, Any]]
    ) -> list[Position]:
        label = self.states.things[state]
        entries: list[tuple[int, Any]] = []
        positions: dict[Position, None] = {}
        for following, weight in law:
            after = self.state(following)
            entries.append((after, weight))
            question = (label, mover, action, following)
            rewards = [(self.rewards.number(r), w) for r, w in self.game.reward(*question)]
            self.entry_reward_row.append(self.reward_rows.share(rewards))
            if self.terminal[after]:
                self.entry_turn_row.append(-1)
                continue
            turns = self.game.next_player(*question)
            self.entry_turn_row.append(self.turn_rows.share(list(turns)))
            positions.update(dict.fromkeys((after, j) for j, _ in turns))
        self.rows[state, mover, code] = None
        self.transition_rows.add(entries)
        return list(positions)

    def _observation(self, player: int, label: Any) -> int:
        number = self.observations[player].number(label)
        if number == len(self.legal[player]):
            labels = self.game.legal_actions(player, label)
            self.legal[player].append(tuple(map(self.actions[player].number, labels)))
        return number

    def freeze(self) -> TabularAEC:
        """Return the table, rows sorted by key."""
        count = len(self.players)
        most = max(1, *(len(own.things) for own in self.actions))
        refuse_large_keys("aec_to_tabular", len(self.states.things) * (count + 1) * most)
        row_keys = np.array(
            [(s * (count + 1) + j + 1) * most + a for s, j, a in self.rows], dtype=np.int64
        )
        view_keys = np.array([s * count + j for s, j in self.views], dtype=np.int64)
        row_order = np.argsort(row_keys, kind="stable")
        view_order = np.argsort(view_keys, kind="stable")
        transitions, entry = permuted_rows(self.transition_rows.freeze(), row_order)
        return TabularAEC(
            players=self.players,
            states=tuple(self.states.things),
            actions=tuple(tuple(own.things) for own in self.actions),
            observations=tuple(tuple(own.things) for own in self.observations),
            legal=tuple(map(tuple, self.legal)),
            terminal=np.array(self.terminal),
            initial_index=0,
            observation_key=view_keys[view_order],
            observation_kernel=permuted_rows(self.view_rows.freeze(), view_order)[0],
            row_key=row_keys[row_order],
            transition_kernel=transitions,
            entry_reward_row=np.array(self.entry_reward_row, dtype=np.int32)[entry],
            entry_turn_row=np.array(self.entry_turn_row, dtype=np.int32)[entry],
            reward_kernel=self.reward_rows.freeze(),
            turn_kernel=self.turn_rows.freeze(),
            reward_vectors=np.array(self.rewards.things, dtype=object),
            discount=self.game.discount,
            horizon=self.game.horizon,
            title=self.game.title,
        )
