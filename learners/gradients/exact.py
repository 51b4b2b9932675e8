"""The exact policy gradient of players without memory, in floats, within microseconds.

With ``x`` a player's probabilities and all other policies held fixed, the expected return ``J(x)``
has the partial derivatives

    sum over t, and over places k of observation o, of  gamma^t Pr(k at t) Q_t(k, a),

where ``Q_t(k, a)`` is what the player receives from step ``t`` on, in units of that step, after
``a`` there and by ``x`` from then on.

POSGs as games of places: pairs of a state and a joint observation, in flat float arrays.

Players without memory act on the last observation, so that places follow each other as a Markov
chain, whatever the players' policies.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.conversions.tabular import posg_to_tabular
from gametheory_core.errors import InvalidArgument, InvalidStrategy, UnsupportedGame
from gametheory_core.games.rules import POSG
from gametheory_core.games.tables import TabularPOSG
from learners.gradients.softmax import Table


@dataclass(frozen=True, eq=False, repr=False)
class PlaceTable:
    """A POSG of finite horizon for players without memory.

    With ``K`` places, ``N`` players, ``J`` pairs of a place and a joint action legal there, and
    ``E`` places that follow them in all:

    Attributes:
        first (K,): How likely play starts at each place.
        observations (K, N)
        joint_start (K + 1,): Place ``k`` has joint actions
            ``joint_start[k] .. joint_start[k + 1]``.
        joint_actions (J, N)
        joint_rewards (J, N): Expected over what follows.
        edge_start (J + 1,): Joint action ``j`` leads to
            ``edge_place[edge_start[j] .. edge_start[j + 1]]``.
        edge_place (E,)
        edge_chance (E,): Sum to less than 1 where play may end.
    """

    game: TabularPOSG
    first: NDArray[np.float64]
    observations: NDArray[np.int64]
    joint_start: NDArray[np.int64]
    joint_actions: NDArray[np.int64]
    joint_rewards: NDArray[np.float64]
    edge_start: NDArray[np.int64]
    edge_place: NDArray[np.int64]
    edge_chance: NDArray[np.float64]

    @property
    def horizon(self) -> int:
        """Steps of play."""
        return self.game.horizon or 0

    def legal(self, player: int) -> NDArray[np.bool_]:
        """Return what a player may do after each observation, shape (O, A)."""
        rows = self.game.legal[player]
        table = np.zeros((len(rows), len(self.game.actions[player])), dtype=np.bool_)
        for o, own in enumerate(rows):
            table[o, list(own)] = True
        return table

    def __repr__(self) -> str:
        return f"PlaceTable({self.game.title!r}, {len(self.first)} places)"


def place_table(game: POSG) -> PlaceTable:
    """Lay a POSG out for players without memory.

    Args:
        game: With a horizon.

    Raises:
        UnsupportedGame: If there is no horizon, or the game is too large for a table.

    >>> from gametheory_core.catalog import iterated_prisoners_dilemma
    >>> place_table(iterated_prisoners_dilemma(rounds=10))
    PlaceTable("Prisoner's dilemma, 10 rounds", 5 places)
    """
    table = posg_to_tabular(game).target
    if table.horizon is None:
        raise UnsupportedGame(
            needs="a horizon",
            found=f"{table.title or table!r} has none",
            remedy="Stop it after some steps: stop_posg(game, steps=...).",
        )
    draft = _Draft(table)
    first = draft.starts()
    while draft.waiting:
        draft.expand(draft.waiting.popleft())
    return draft.finish(first)


@dataclass
class _Draft:
    """The table under construction."""

    table: TabularPOSG
    number: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    waiting: "deque[tuple[int, int]]" = field(default_factory=deque[tuple[int, int]])
    joint_start: list[int] = field(default_factory=lambda: [0])
    joint_actions: list[tuple[int, ...]] = field(default_factory=list[tuple[int, ...]])
    joint_rewards: list[NDArray[np.float64]] = field(default_factory=list[NDArray[np.float64]])
    edge_start: list[int] = field(default_factory=lambda: [0])
    edge_place: list[int] = field(default_factory=list[int])
    edge_chance: list[float] = field(default_factory=list[float])

    def __post_init__(self) -> None:
        self.rewards = self.table.reward_vectors.astype(np.float64)
        self.moves = _entries(self.table.transition_kernel)
        self.signals = _entries(self.table.signal_kernel)

    def starts(self) -> dict[int, float]:
        first: dict[int, float] = {}
        for state, chance in _entries(self.table.initial_kernel)[0]:
            if not self.table.terminal[state]:
                row = int(self.table.initial_signal_row[state])
                for signal, share in self.signals[row]:
                    first[self._place(state, signal)] = chance * share
        return first

    def expand(self, place: tuple[int, int]) -> None:
        """Write the joint actions of a place, and what follows them."""
        state, signal = place
        seen = self.table.signals[signal].tolist()
        legal = [own[o] for own, o in zip(self.table.legal, seen, strict=True)]
        for actions in product(*legal):
            code = sum(a * s for a, s in zip(actions, self.table.strides, strict=True))
            row = int(self.table.find_transitions(state, code))
            if row >= 0:  # else play never gets here before the horizon
                self._write(actions, row)
        self.joint_start.append(len(self.joint_actions))

    def _write(self, actions: tuple[int, ...], row: int) -> None:
        earned = np.zeros(self.table.num_players)
        offset = int(self.table.transition_kernel.start[row])
        for entry, (after, chance) in enumerate(self.moves[row], start=offset):
            earned += chance * self.rewards[self.table.entry_reward[entry]]
            if not self.table.terminal[after]:
                for signal, share in self.signals[int(self.table.entry_signal_row[entry])]:
                    self.edge_place.append(self._place(after, signal))
                    self.edge_chance.append(chance * share)
        self.joint_actions.append(actions)
        self.joint_rewards.append(earned)
        self.edge_start.append(len(self.edge_place))

    def _place(self, state: int, signal: int) -> int:
        place = (state, signal)
        if place not in self.number:
            self.number[place] = len(self.number)
            self.waiting.append(place)
        return self.number[place]

    def finish(self, first: dict[int, float]) -> PlaceTable:
        players = self.table.num_players
        starts = np.zeros(len(self.number))
        starts[list(first)] = list(first.values())
        signals = np.array([signal for _, signal in self.number], dtype=np.int64)
        return PlaceTable(
            self.table,
            first=starts,
            observations=self.table.signals[signals].astype(np.int64).reshape(-1, players),
            joint_start=np.array(self.joint_start),
            joint_actions=np.array(self.joint_actions, dtype=np.int64).reshape(-1, players),
            joint_rewards=np.array(self.joint_rewards).reshape(-1, players),
            edge_start=np.array(self.edge_start),
            edge_place=np.array(self.edge_place, dtype=np.int64),
            edge_chance=np.array(self.edge_chance, dtype=np.float64),
        )


def _entries(kernel: Any) -> list[list[tuple[int, float]]]:
    """Return the rows of a kernel as outcomes with float chances."""
    outcomes = kernel.outcome.tolist()
    chances = [float(w) for w in kernel.weight.tolist()]
    rows: list[list[tuple[int, float]]] = []
    for r in range(kernel.num_rows):
        own = kernel.row(r)
        rows.append(list(zip(outcomes[own], chances[own], strict=True)))
    return rows


@dataclass(frozen=True, eq=False)
class PolicyGradient:
    """How a player's expected return changes with the own policy.

    Attributes:
        value: The expected discounted return.
        partials (O, A): In the probabilities, all taken as independent variables; along mixed
            actions only differences of the actions of one observation count.
        logits (O, A): In the logits of a softmax.
    """

    value: float
    partials: Table
    logits: Table


def exact_gradient(
    table: PlaceTable, policies: Sequence[Table], *, player: int = 0
) -> PolicyGradient:
    """Return the gradient of a player's expected return at memoryless policies.

    Args:
        table: From ``place_table(game)``.
        policies (O_i, A_i): One mixed action an observation for each player; sampled afresh at each
            step.
        player: Whose return, and whose policy varies.

    Raises:
        InvalidStrategy: If the policies' shapes do not fit the game.
        InvalidArgument: If there is no such player.

    Time is linear in the horizon times the number of places, joint actions and successors.

    >>> from gametheory_core.catalog import iterated_prisoners_dilemma
    >>> from learners.gradients import place_table
    >>> table = place_table(iterated_prisoners_dilemma(rounds=10))
    >>> found = exact_gradient(table, [np.full((5, 2), 0.5)] * 2)
    >>> round(found.value, 9), found.logits[0].round(9).tolist()
    (-15.0, [-0.25, 0.25])
    """
    from learners._kernels.exact_gradient import PlaceArrays, partials  # noqa: PLC0415 loads numba

    stacked = _stacked(table, policies)
    if not 0 <= player < len(stacked):
        raise InvalidArgument(
            needs=f"a player from 0 to {len(stacked) - 1}", found=f"got {player!r}"
        )
    own = policies[player]
    found = np.empty((stacked.shape[1], stacked.shape[2]))
    arrays = PlaceArrays(
        table.first,
        table.observations,
        table.joint_start,
        table.joint_actions,
        table.joint_rewards,
        table.edge_start,
        table.edge_place,
        table.edge_chance,
    )
    value = partials(arrays, stacked, player, table.horizon, float(table.game.discount), found)
    kept = found[: own.shape[0], : own.shape[1]]
    mean = (own * kept).sum(axis=1, keepdims=True)
    return PolicyGradient(value, kept, own * (kept - mean))


def _stacked(table: PlaceTable, policies: Sequence[Table]) -> NDArray[np.float64]:
    """Return the policies as one array (N, O, A), padded with zeros, after checking shapes."""
    game = table.game
    shapes = [
        (len(seen), len(own)) for seen, own in zip(game.observations, game.actions, strict=True)
    ]
    given = [policy.shape for policy in policies]
    if given != shapes:
        raise InvalidStrategy(
            needs=f"policies of the shapes {shapes}, observations by actions", found=f"got {given}"
        )
    if all(shape == shapes[0] for shape in shapes):
        return np.array(policies, dtype=np.float64)
    stacked = np.zeros((len(shapes), *(max(sizes) for sizes in zip(*shapes, strict=True))))
    for i, (rows, columns) in enumerate(shapes):
        stacked[i, :rows, :columns] = policies[i]
    return stacked
