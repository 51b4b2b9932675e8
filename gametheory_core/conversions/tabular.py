"""Rules of POSGs and AEC games to tables: labels numbered, distributions as exact kernels.

Only what play can reach (within the horizon, if there is one) is stored. Information states are
those of the rules, so policies pass through unchanged. Play is followed
from its start, place by place, until nothing new is met or it is too much.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arrays import ONE, reads_decimals
from gametheory_core.conversions.conversion import Conversion, Identity, Preserved
from gametheory_core.distributions import Distribution
from gametheory_core.errors import UnsupportedGame, named, refusing_as
from gametheory_core.games import AEC, CHANCE, NULL, POSG, TabularAEC, TabularPOSG, stop_posg
from gametheory_core.games.checked_rules import Question, checked_aec, checked_move, checked_posg
from gametheory_core.games.kinds import is_view
from gametheory_core.games.markov_view import MarkovView, View
from gametheory_core.games.table_content import KernelRows, Numbering, permuted_rows
from gametheory_core.memory import memory_cap, require_memory
from gametheory_core.strategies.policies import PolicyProfile


def explore(
    start: Iterable[Any],
    expand: Callable[[Any], Iterable[Any]],
    *,
    horizon: int | None,
    most: int,
    needs: str,
    whose: str,
    unit: str,
    stop: str,
    on_iteration: Callable[[int], None] | None = None,
) -> None:
    """Expand every place that play can reach within the horizon, once.

    Args:
        start: Where play starts.
        expand: Stores a place and returns those it leads to.
        horizon: Places met after so many steps are not expanded.
        most: The largest number of places to expand.
        needs: What a refusal asks for.
        whose: Whose places they are: the game's name.
        unit, stop: What depth counts, and which function makes a shorter game.
        decimals: Whether a float that the rules give means the shortest decimal that is read as it
            (0.1 as 1/10), and not the dyadic number that it is.
        on_iteration: Called with the number of places met so far, after each step.

    Raises:
        UnsupportedGame: If there are more places; says how many were found, and within how many
            steps.
    """
    frontier = list(dict.fromkeys(start))
    seen: dict[Any, None] = {}
    depth = 0
    while frontier and (horizon is None or depth < horizon):
        seen.update(dict.fromkeys(frontier))
        depth += 1
        expands_more = horizon is None or depth < horizon
        following: dict[Any, None] = {}
        for place in frontier:
            following.update((p, None) for p in expand(place) if p not in seen)
            if len(seen) + len(following) * expands_more > most:
                raise UnsupportedGame(
                    needs=needs,
                    found=f"{whose} has more than {most:,} within {depth} {unit}",
                    remedy=f"Give a shorter horizon ({named(stop)}), or raise "
                    f"{named('max_states')}.",
                    argument="max_states",
                )
        frontier = list(following)
        if on_iteration is not None:
            on_iteration(len(seen) + len(frontier))


MAX_STATES = 200_000
BYTES_PER_ENTRY = 500  # of an action's effect, with its row and what is seen, while tables are made

PosgToTabular: TypeAlias = Conversion[POSG, TabularPOSG, PolicyProfile, PolicyProfile]


@reads_decimals
def posg_to_tabular(
    game: POSG,
    *,
    max_states: int = MAX_STATES,
    decimals: bool = False,  # noqa: ARG001 read by the decorator
    on_iteration: Callable[[int], None] | None = None,
) -> PosgToTabular:
    """Carry the rules of a POSG to tables of what play can reach.

    Args:
        max_states: The largest number of (state, joint observation) pairs to store.
        decimals: Whether a float that the rules give means the shortest decimal that is read as it
            (0.1 as 1/10), and not the dyadic number that it is.
        on_iteration: Called with the number of pairs found so far, after each step of depth.

    Returns:
        Preserves everything; policies and plays pass unchanged.

    Raises:
        InvalidGame: If the rules answer something malformed; names the question and the answer.
        UnsupportedGame: If more than ``max_states`` pairs can be reached.

    >>> from gametheory_core.catalog import RepeatedGame
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
        needs=f"at most {named('max_states')} = {max_states:,} pairs of state and joint "
        "observation",
        whose=game.title or repr(game),
        unit="steps",
        stop="stop_posg",
        on_iteration=on_iteration,
    )
    return Conversion(game, table.freeze(), Identity(), frozenset(Preserved))


def refuse_large_keys(largest: int) -> None:
    """Refuse tables whose row keys would not fit 64 bits."""
    if largest > np.iinfo(np.int64).max:
        raise UnsupportedGame(
            needs="at most 2^63 combinations of state and action",
            found=f"there are {largest:,}",
            remedy="Let players choose one after the other (an AEC game), or give a shorter "
            "horizon.",
        )


class _Table:
    """What tables of both kinds are made of while they are under construction."""

    def __init__(self, game: Any) -> None:
        self.game = game
        count = len(game.players)
        self.states = Numbering()
        self.actions = tuple(Numbering() for _ in range(count))
        self.observations = tuple(Numbering() for _ in range(count))
        self.legal: tuple[list[tuple[int, ...]], ...] = tuple([] for _ in range(count))
        self.legal_sets: dict[tuple[int, ...], tuple[int, ...]] = {}  # equal ones stored once
        self.rewards = Numbering()
        self.terminal: list[bool] = []
        self.transition_rows = KernelRows()

    def state(self, label: Any) -> int:
        """Number a state."""
        number = self.states.number(label)
        if number == len(self.terminal):
            self.terminal.append(bool(self.game.is_terminal(label)))
        return number

    def observed(self, player: int, label: Any) -> int:
        """Number an observation, and what its player may do after it."""
        number = self.observations[player].number(label)
        if number == len(self.legal[player]):
            labels = self.game.legal_actions(player, label)
            own = tuple(map(self.actions[player].number, labels))
            self.legal[player].append(self.legal_sets.setdefault(own, own))
        return number

    def common(self) -> dict[str, Any]:
        """Return the fields that frozen tables of both kinds have."""
        return {
            "players": self.game.players,
            "states": tuple(self.states.things),
            "actions": tuple(tuple(own.things) for own in self.actions),
            "observations": tuple(tuple(own.things) for own in self.observations),
            "legal": tuple(map(tuple, self.legal)),
            "terminal": np.array(self.terminal),
            "reward_vectors": np.array(self.rewards.things, dtype=object),
            "discount": self.game.discount,
            "horizon": self.game.horizon,
            "title": self.game.title,
        }


def _require_room(game: POSG | AEC, entries: int) -> None:
    if (needed := BYTES_PER_ENTRY * entries) > memory_cap():  # writing a game takes long
        require_memory(
            needed,
            what=f"a table of {game.title or repr(game)}, with at least {entries:,} entries",
            remedy="Choose smaller parameters, or stop play earlier.",
        )


class _PosgTable(_Table):
    def __init__(self, game: POSG, max_states: int) -> None:
        super().__init__(game)
        self.max_states = max_states
        self.signals = Numbering()
        self.signal_rows = KernelRows()
        self.initial_signal_row: dict[int, int] = {}
        self.rows: dict[tuple[int, tuple[int, ...]], int] = {}
        self.entry_reward: list[int] = []
        self.entry_signal_row: list[int] = []
        self.signal_row_after: dict[tuple[tuple[int, ...], int], int] = {}

    def start(self) -> list[tuple[int, int]]:
        """Number the first states and what is seen in them."""
        first = self.game.initial()
        self.first = [(self.state(state), weight) for state, weight in first]
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
                needs=f"at most {named('max_states')} = {self.max_states:,} joint actions",
                found=f"there are {size:,} in state {self.states.things[state]!r}",
                remedy="Let players choose one after the other (an AEC game), or raise "
                f"{named('max_states')}.",
                argument="max_states",
            )
        _require_room(self.game, len(self.entry_reward) + size)
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
            after = self.state(following)
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

    def _signal_row(self, law: Distribution[tuple[Any, ...]]) -> int:
        entries: list[tuple[int, Fraction]] = []
        for seen, weight in law:
            own = tuple([self.observed(i, o) for i, o in enumerate(seen)])
            entries.append((self.signals.number(own), weight))
        return self.signal_rows.share(entries)

    def _in_row(self, row: int) -> list[int]:
        return self.signal_rows.outcome[
            self.signal_rows.start[row] : self.signal_rows.start[row + 1]
        ]

    def freeze(self) -> TabularPOSG:
        """Return the table, rows sorted by key."""
        counts = [len(own.things) for own in self.actions]
        strides = [int(np.prod(counts[i + 1 :], dtype=object)) for i in range(len(counts))]
        joint = strides[0] * counts[0] if counts else 1
        refuse_large_keys(len(self.states.things) * joint)
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
            **self.common(),
            signals=np.array(self.signals.things, dtype=np.int32),
            initial_kernel=initial.freeze(),
            initial_signal_row=signal_row,
            row_key=keys[order],
            transition_kernel=kernel,
            entry_reward=np.array(self.entry_reward, dtype=np.int32)[entry],
            entry_signal_row=np.array(self.entry_signal_row, dtype=np.int32)[entry],
            signal_kernel=self.signal_rows.freeze(),
        )


AecToTabular: TypeAlias = Conversion[AEC, TabularAEC, PolicyProfile, PolicyProfile]
Position: TypeAlias = tuple[int, int]  # state, mover


@reads_decimals
def aec_to_tabular(
    game: AEC,
    *,
    max_states: int = MAX_STATES,
    decimals: bool = False,  # noqa: ARG001 read by the decorator
    on_iteration: Callable[[int], None] | None = None,
) -> AecToTabular:
    """Carry the rules of an AEC game to tables of what play can reach.

    Args:
        max_states: The largest number of (state, mover) positions to store.
        decimals: Whether a float that the rules give means the shortest decimal that is read as it
            (0.1 as 1/10), and not the dyadic number that it is.
        on_iteration: Called with the number of positions found so far, after each step of depth.

    Returns:
        Preserves everything; policies and plays pass unchanged.

    Raises:
        InvalidGame: If the rules answer something malformed; names the question and the answer.
        UnsupportedGame: If more than ``max_states`` positions can be reached.

    >>> from gametheory_core.catalog import RandomOrderTeam
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
        needs=f"at most {named('max_states')} = {max_states:,} pairs of state and mover",
        whose=game.title or repr(game),
        unit="moves",
        stop="stop_aec",
        on_iteration=on_iteration,
    )
    return Conversion(game, table.freeze(), Identity(), frozenset(Preserved))


class _AecTable(_Table):
    def __init__(self, game: AEC) -> None:
        super().__init__(game)
        self.views: dict[Position, None] = {}
        self.rows: dict[tuple[int, int, int], None] = {}
        self.view_rows = KernelRows()
        self.reward_rows, self.turn_rows = KernelRows(), KernelRows()
        self.entry_reward_row: list[int] = []
        self.entry_turn_row: list[int] = []

    def expand(self, state: int, mover: int) -> list[Position]:
        """Store what the mover sees and does in a state, and return the positions it leads to."""
        label = self.states.things[state]
        if mover == CHANCE:
            law = self.game.chance(label)
            return self._add_row(state, CHANCE, 0, NULL, list(law))
        views: list[tuple[int, Any]] = []
        law = self.game.observation(mover, label)
        for seen, weight in law:
            views.append((self.observed(mover, seen), weight))
        self.views[state, mover] = None
        self.view_rows.add(views)
        choices = {a: None for o, _ in views for a in self.legal[mover][o]}
        _require_room(self.game, len(self.entry_reward_row) + len(choices))
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

    def freeze(self) -> TabularAEC:
        """Return the table, rows sorted by key."""
        count = len(self.game.players)
        most = max(1, *(len(own.things) for own in self.actions))
        refuse_large_keys(len(self.states.things) * (count + 1) * most)
        row_keys = np.array(
            [(s * (count + 1) + j + 1) * most + a for s, j, a in self.rows], dtype=np.int64
        )
        view_keys = np.array([s * count + j for s, j in self.views], dtype=np.int64)
        row_order = np.argsort(row_keys, kind="stable")
        view_order = np.argsort(view_keys, kind="stable")
        transitions, entry = permuted_rows(self.transition_rows.freeze(), row_order)
        return TabularAEC(
            **self.common(),
            initial_index=0,
            observation_key=view_keys[view_order],
            observation_kernel=permuted_rows(self.view_rows.freeze(), view_order)[0],
            row_key=row_keys[row_order],
            transition_kernel=transitions,
            entry_reward_row=np.array(self.entry_reward_row, dtype=np.int32)[entry],
            entry_turn_row=np.array(self.entry_turn_row, dtype=np.int32)[entry],
            reward_kernel=self.reward_rows.freeze(),
            turn_kernel=self.turn_rows.freeze(),
        )


def markov_view(game: POSG | View, *, horizon: int | None = None) -> MarkovView:
    """View a POSG in which each player sees the state as one stage game for each state.

    Args:
        horizon: Stop after so many steps.

    Raises:
        UnsupportedGame: If a player cannot tell two states apart (names them), or the game is too
            large for a table.
        InvalidArgument: If there is no such horizon.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> view = markov_view(RepeatedGame.of("matching_pennies", rounds=None), horizon=4)
    >>> view.game.horizon, view.num_stages
    (4, 13)
    """
    if isinstance(game, MarkovView) and horizon is None:
        return game
    table_or_rules = cast("View", game).game if is_view(game) else cast("POSG", game)
    if isinstance(table_or_rules, TabularPOSG) and horizon is None:
        return _viewed(table_or_rules)
    rules = checked_posg(table_or_rules, "markov_view")
    with refusing_as("markov_view"):
        stopped = rules if horizon is None else stop_posg(rules, steps=horizon)
    return _viewed(posg_to_tabular(stopped).target)


def _viewed(game: TabularPOSG) -> MarkovView:
    with refusing_as("markov_view"):
        return MarkovView(game)
