"""Markov games: POSGs in which each player sees the state, as one stage game for each state.

``G = (N, S, A_i(s), P, r, gamma, T)``: in state ``s`` all players choose from their legal actions
``A_i(s)`` at once, receive ``r(s, a)`` in expectation, and play continues in ``s'`` with
probability ``P(s' | s, a)``, until it ends or ``T`` steps are over.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from gametheory_core.arguments import counted, require_instance
from gametheory_core.arrays import ZERO, IntArray, ScaledIntegers, freeze, scaled_integers
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.rule_properties import is_fully_observed
from gametheory_core.games.table_content import by_constructor, find_rows, spread
from gametheory_core.games.tables import TabularPOSG

_OWNER = "MarkovView"
MOST_STAGES = 10_000_000  # pairs of a time and a state


class View(Protocol):
    """Something that reads the table of a POSG."""

    @property
    def game(self) -> TabularPOSG:
        """The table."""
        ...


@dataclass(frozen=True)
class MarkovView:
    """A POSG in which each player's observation says the state.

    Actions and states are numbers into ``game.actions`` and ``game.states``. What players see
    beside the state, as noise, does not matter to play that looks at the state alone.

    Attributes:
        game: Any number of players, with or without a horizon.

    Raises:
        UnsupportedGame: If an observation does not tell two states apart, legal actions are no
            function of the state, or the table lacks a row.

    Source: :cite:`shapley1953stochastic`.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.conversions import posg_to_tabular
    >>> game = posg_to_tabular(RepeatedGame.of("prisoners_dilemma", rounds=3)).target
    >>> view = MarkovView(game)
    >>> view.acting.tolist(), view.legal[0], view.stage_rows(0).shape
    ([0, 1, 2, 3, 4], ((0, 1), (0, 1)), (2, 2))
    >>> [layer.tolist() for layer in view.layers]
    [[0], [1, 2, 3, 4], [1, 2, 3, 4]]
    """

    game: TabularPOSG

    def __post_init__(self) -> None:
        require_instance(
            self.game,
            TabularPOSG,
            name="game",
            remedy="Call markov_view(game), which makes the table.",
        )
        self._refuse_hidden_states()
        self._refuse_hidden_actions()
        self._stages  # noqa: B018  finds missing rows at once

    # Where somebody acts

    @property
    def num_states(self) -> int:
        """Number of states."""
        return len(self.game.states)

    @property
    def num_players(self) -> int:
        """Number of players."""
        return len(self.game.players)

    @cached_property
    def acting(self) -> IntArray:
        """States in which somebody acts, ascending."""
        return freeze(np.unique(self._positions[0]).astype(np.int32))

    @cached_property
    def legal(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """``legal[state][player]``: what players may do; ``legal[state]`` is empty if nobody acts.

        The same in all that is seen in a state.
        """
        table: list[tuple[tuple[int, ...], ...]] = [()] * self.num_states
        states, seen = self._usual_signals
        for state, own in zip(states.tolist(), seen.tolist(), strict=True):
            table[state] = tuple(self.game.legal[i][o] for i, o in enumerate(own))
        return tuple(table)

    @cached_property
    def layers(self) -> tuple[IntArray, ...]:
        """States in which play can be, and somebody acts, at ``t = 0, 1, ...`` before the horizon.

        Raises:
            UnsupportedGame: If the game has no horizon, or one that is too long.
        """
        horizon, states = self.num_times, self.num_states
        if horizon * states > MOST_STAGES:
            raise UnsupportedGame(
                needs=f"at most {MOST_STAGES:,} pairs of a time and a state",
                found=f"{self.game!r} has {counted(horizon)} times of {states:,} states",
                remedy="Shorten the horizon, or take a discount below 1 without a horizon.",
            )
        acts = np.zeros(self.num_states, dtype=bool)
        acts[self.acting] = True
        level = np.unique(self.game.initial_kernel.outcome)
        found: list[IntArray] = []
        known: dict[bytes, IntArray] = {}  # play that repeats itself shares its layers
        for _ in range(horizon):
            level = freeze(level[acts[level]].astype(np.int32))
            found.append(level)
            key = level.tobytes()
            if key not in known:
                known[key] = np.unique(self._successors(level))
            level = known[key]
        return tuple(found)

    @property
    def num_times(self) -> int:
        """Number of layers, which is the horizon; known before they are made.

        Raises:
            UnsupportedGame: If the game has no horizon.
        """
        if self.game.horizon is None:
            raise UnsupportedGame(
                needs="a horizon to count its steps",
                found=f"{self.game!r} has none",
                remedy="Stop it: stop_posg(game, steps=...).",
            )
        return self.game.horizon

    @property
    def num_stages(self) -> int:
        """Number of pairs of a time and a state in which somebody can act then."""
        return sum(map(len, self.layers))

    def states_seen(self, player: int) -> dict[Any, int]:
        """Return the state, by number, that each observation of a player tells."""
        state, signal = self._positions
        labels = self.game.observations[player]
        seen = self.game.signals[signal, player].tolist()
        return {labels[o]: s for o, s in zip(seen, state.tolist(), strict=True)}

    # What joint actions do, a row of the table each

    def stage_rows(self, state: int) -> Any:
        """Return the row of the game's transitions of each legal joint action, one axis a player.

        Empty where nobody acts. The order along an axis is that of ``legal[state][player]``.
        """
        start, shape, rows = self._stages
        return rows[start[state] : start[state + 1]].reshape(shape[state])

    @property
    def rows(self) -> Any:
        """All rows of stage games, state by state."""
        return self._stages[2]

    @cached_property
    def rewards(self) -> ScaledIntegers:
        """Expected rewards, (num_rows, N), as integers over a common denominator."""
        kernel = self.game.transition_kernel
        paid = scaled_integers(self.game.reward_vectors)
        each = kernel.scaled.numerators[:, None] * paid.numerators[self.game.entry_reward]
        scale = kernel.scaled.denominator * paid.denominator
        if not kernel.num_rows:
            return ScaledIntegers(freeze(each), scale)
        return ScaledIntegers(freeze(np.add.reduceat(each, kernel.start[:-1], axis=0)), scale)

    @cached_property
    def contraction(self) -> Fraction:
        """Largest weight that a step leaves to what comes after: discount times chance to continue.

        Below 1, stage by stage updates are contractions in the largest difference, by this factor:
        ends have value 0.
        """
        kernel = self.game.transition_kernel
        goes_on = ~self.game.terminal[kernel.outcome]
        rows = self.rows
        if not len(rows):
            return ZERO
        weights = np.add.reduceat(kernel.scaled.numerators * goes_on, kernel.start[:-1])[rows]
        return self.game.discount * Fraction(int(weights.max()), kernel.scaled.denominator)

    @cached_property
    def initial(self) -> tuple[tuple[int, Fraction], ...]:
        """The first states with their probabilities."""
        kernel = self.game.initial_kernel
        return tuple(zip(kernel.outcome.tolist(), kernel.weight.tolist(), strict=True))

    # How it is read off the table

    @cached_property
    def _positions(self) -> tuple[Any, Any]:
        """States and signals at which somebody acts, ascending: what play meets in time."""
        game = self.game
        count = max(1, len(game.signals))
        first = game.initial_kernel.outcome[~game.terminal[game.initial_kernel.outcome]]
        fresh = self._arrivals(first, game.initial_signal_row[first])
        known = fresh[:0]
        step = 0
        while fresh.size and (game.horizon is None or step < game.horizon):
            known = np.union1d(known, fresh)
            rows = np.unique(self._rows_after(fresh // count, fresh % count)[1])
            _, entry = game.transition_kernel.entries(rows)
            entry = entry[~game.terminal[game.transition_kernel.outcome[entry]]]
            arrived = self._arrivals(
                game.transition_kernel.outcome[entry], game.entry_signal_row[entry]
            )
            fresh = np.setdiff1d(arrived, known)
            step += 1
        return known // count, known % count

    def _arrivals(self, state: Any, row: Any) -> Any:
        which, entry = self.game.signal_kernel.entries(row)
        signal = self.game.signal_kernel.outcome[entry]
        return np.unique(state[which].astype(np.int64) * max(1, len(self.game.signals)) + signal)

    def _rows_after(self, state: Any, signal: Any) -> tuple[Any, Any]:
        """Return each position with the row of each joint action that is legal there."""
        game = self.game
        source = np.arange(len(state))
        key = state.astype(np.int64) * game.num_joint_actions
        for player, stride in enumerate(game.strides):
            which, action = game.spread_actions(player, game.signals[signal[source], player])
            source, key = source[which], key[which] + action * stride
        rows = find_rows(game.row_key, key)
        missing = np.flatnonzero(rows < 0)
        if missing.size:
            place = int(missing[0])
            label = game.joint_action(int(key[place]) % game.num_joint_actions)
            raise UnsupportedGame(
                needs="a row for each legal joint action before the horizon",
                found=f"{label!r} has none in state {game.states[state[source[place]]]!r}",
                remedy="Make the table by posg_to_tabular.",
            )
        return source, rows

    @cached_property
    def _usual_signals(self) -> tuple[Any, Any]:
        """Acting states, and one joint observation seen in each, (num_acting, N)."""
        state, signal = self._positions
        states, first = np.unique(state, return_index=True)
        return states, self.game.signals[signal[first]]

    @cached_property
    def _stages(self) -> tuple[Any, tuple[tuple[int, ...], ...], Any]:
        """Where each state's rows start, the shape of its stage game, and all rows end to end."""
        state, signal = self._positions
        states, first = np.unique(state, return_index=True)
        source, rows = self._rows_after(states, signal[first])
        counts = np.zeros(self.num_states + 1, dtype=np.int64)
        np.add.at(counts, states[source] + 1, 1)
        nothing = (0,) * self.num_players
        shape = tuple(tuple(map(len, own)) or nothing for own in self.legal)
        return np.cumsum(counts), shape, freeze(rows)

    def _successors(self, states: Any) -> Any:
        start, _, rows = self._stages
        which, position = spread(start[states + 1] - start[states])
        own = rows[start[states][which] + position]
        kernel = self.game.transition_kernel
        return kernel.outcome[kernel.entries(own)[1]]

    # Checks

    def _refuse_hidden_states(self) -> None:
        state, signal = self._positions
        for player in range(self.num_players):
            seen = self.game.signals[signal, player]
            pairs = np.unique(np.stack([seen, state], axis=1), axis=0)
            if len(pairs) != len(np.unique(seen)):
                raise UnsupportedGame(
                    needs="a game in which each player sees the state",
                    found=is_fully_observed(self.game).reason,
                    remedy="Show the state in every observation, or solve the game as a tree: "
                    "posg_to_extensive(game).",
                )

    def _refuse_hidden_actions(self) -> None:
        """Refuse legal actions that differ between two observations in the same state."""
        game = self.game
        seen = zip(*(array.tolist() for array in self._positions), strict=True)
        for state, signal in seen:
            for player, o in enumerate(game.signals[signal].tolist()):
                usual, own = self.legal[state][player], game.legal[player][o]
                if own is not usual and set(own) != set(usual):
                    labels = [[game.actions[player][a] for a in set_] for set_ in (usual, own)]
                    raise UnsupportedGame(
                        needs="legal actions that are a function of the state",
                        found=f"in state {game.states[state]!r} player {game.players[player]!r} "
                        f"has {labels[0]!r} or {labels[1]!r}, as is seen",
                        remedy="Put what is seen into the state.",
                    )

    __reduce__ = by_constructor
