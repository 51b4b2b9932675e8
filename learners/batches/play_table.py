"""A game as one table to play from: places, what can be done there, and what may follow.

Made of the exact tables of a POSG or an AEC game. The mixed actions of one move (next state,
rewards, next mover, what is seen) are multiplied out in rationals, so that one random number draws
them all.

Fingerprints of what is played: by which a batch knows the snapshots that fit it.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ONE
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.rules import IDLE
from gametheory_core.games.table_content import Kernel, find_rows, spread
from gametheory_core.games.tables import TabularAEC, TabularPOSG
from gametheory_core.games.tree_table import CHANCE
from learners._kernels.arrays import EVERYBODY, OVER, RuleArrays

MOST_ENTRIES = 20_000_000
MOST_DENSE = 2**24  # places times codes whose rows are looked up directly
NO_HORIZON = 2**62
_WHOLE = 2**63  # random numbers are below it


@dataclass(frozen=True, eq=False)
class PlayTable:
    """A game to be played.

    Attributes:
        actions, observations: Labels, for each player; ``IDLE`` for a player who never acts.
        legal (observations, actions): What each player may do after each observation.
        states: Labels.
        place_state (P,): The state of each place.
        discount: The factor on rewards for each step; 1 if rewards are paid discounted.
        horizon: Moves after which play is cut.
    """

    players: tuple[str, ...]
    actions: tuple[tuple[Hashable, ...], ...]
    observations: tuple[tuple[Hashable, ...], ...]
    legal: tuple[NDArray[np.bool_], ...]
    states: tuple[Hashable, ...]
    place_state: NDArray[np.int64]
    discount: Fraction
    horizon: int | None
    rules: RuleArrays


@dataclass(frozen=True, eq=False)
class _Lotteries:
    """Entries of rows, as they are multiplied out: where each came from, and its exact weight."""

    row: NDArray[np.int64]
    weight: NDArray[np.object_]

    def times(self, kernel: Kernel, rows: Any) -> tuple["_Lotteries", Any, Any]:
        """Follow each entry by a mixed action, that of ``rows[entry]``; -1 for none.

        Returns the longer entries, the entry that each continues, and what was drawn (-1: nothing).
        """
        sizes = (
            np.where(rows >= 0, kernel.sizes[rows], 1) if kernel.num_rows else np.ones_like(rows)
        )
        refuse_many_entries(int(sizes.sum(dtype=np.int64)))
        source, position = spread(sizes)
        follows = rows[source] >= 0
        entry = kernel.start[rows[source] * follows] + position
        weight = self.weight[source]
        outcome = np.full(len(source), -1, dtype=np.int64)
        outcome[follows] = kernel.outcome[entry[follows]]
        drawn = follows & (sizes[source] > 1)
        weight[drawn] = weight[drawn] * kernel.weight[entry[drawn]]
        return _Lotteries(self.row[source], weight), source, outcome


def refuse_many_entries(count: int) -> None:
    """Refuse a table that would not fit into memory."""
    if count > MOST_ENTRIES:
        raise UnsupportedGame(
            needs=f"at most {MOST_ENTRIES:,} possible outcomes of all moves together",
            found=f"there are {count:,}",
            remedy="Play one environment at a time (environment_of), or give a shorter horizon.",
        )


def exact_cuts(starts: NDArray[np.int64], weights: NDArray[np.object_]) -> NDArray[np.uint64]:
    """Return where each entry's share of the 63-bit numbers ends, rounded up, row by row."""
    cuts = np.full(len(weights), _WHOLE, dtype=np.uint64)
    sizes = np.diff(starts)
    for row in np.flatnonzero(sizes > 1).tolist():
        entries = slice(int(starts[row]), int(starts[row + 1]))
        chances = weights[entries].tolist()
        whole = lcm(*(w.denominator for w in chances))
        sums = accumulate(w.numerator * (whole // w.denominator) for w in chances)
        cuts[entries] = [-(-(s * _WHOLE) // whole) for s in sums]
    return cuts


def table_of_posg(game: TabularPOSG) -> PlayTable:
    """Return the table to play a POSG from: a place is a state, and everybody moves."""
    kernel = game.transition_kernel
    row, _ = spread(kernel.sizes)
    moves = _Lotteries(row, _weights(kernel))
    moves, source, signal = moves.times(game.signal_kernel, game.entry_signal_row)
    first_kernel = game.initial_kernel
    first = _Lotteries(np.zeros(len(first_kernel.outcome), dtype=np.int64), _weights(first_kernel))
    first_rows = np.where(
        game.terminal[first_kernel.outcome], -1, game.initial_signal_row[first_kernel.outcome]
    )
    first, first_source, first_signal = first.times(game.signal_kernel, first_rows)
    nothing = np.full((1, game.num_players), -1)
    return _finish(
        game,
        movers=np.where(game.terminal, OVER, EVERYBODY),
        place_state=np.arange(len(game.states)),
        row_keys=game.row_key,
        strides=np.array(game.strides),
        num_codes=game.num_joint_actions,
        moves=moves,
        next_places=kernel.outcome[source],
        paid=game.entry_reward[source] + 1,
        shown=signal + 1,
        first=first,
        first_places=first_kernel.outcome[first_source],
        first_shown=first_signal + 1,
        signals=np.concatenate([nothing, game.signals]),
        discount=game.discount,
        cycle_discount=ONE,
    )


def table_of_aec(game: TabularAEC) -> PlayTable:
    """Return the table to play an AEC game from: a place is a state with its mover."""
    count = len(game.players)
    kernel = game.transition_kernel
    row, _ = spread(kernel.sizes)
    moves = _Lotteries(row, _weights(kernel))
    after = kernel.outcome.astype(np.int64)
    turn_row = game.entry_turn_row
    moves, source, paid = moves.times(game.reward_kernel, game.entry_reward_row)
    after, turn_row = after[source], turn_row[source]
    moves, source, mover = moves.times(game.turn_kernel, turn_row)
    after, paid = after[source], paid[source]
    mover = np.where(game.terminal[after], CHANCE, mover)
    views = np.where(mover == CHANCE, -1, find_rows(game.observation_key, after * count + mover))
    moves, source, seen = moves.times(game.observation_kernel, views)
    after, mover, paid = after[source], mover[source], paid[source]
    code = after * (count + 1) + mover + 1
    start_code = game.initial_index * (count + 1)
    own = np.concatenate([game.row_key // game.most_actions, code, [start_code]])
    places, place = np.unique(own, return_inverse=True)
    rows, last = len(game.row_key), len(own) - 1
    state = places // (count + 1)
    row_keys = place[:rows] * game.most_actions + game.row_key % game.most_actions
    pairs = np.unique(np.stack([mover, seen], axis=1)[seen >= 0], axis=0)
    signals = np.full((1 + len(pairs), count), -1)
    signals[1 + np.arange(len(pairs)), pairs[:, 0]] = pairs[:, 1]
    width = 1 + max((len(o) for o in game.observations), default=0)
    known = find_rows(pairs[:, 0] * width + pairs[:, 1], mover * width + seen)
    return _finish(
        game,
        movers=np.where(game.terminal[state], OVER, places % (count + 1) - 1),
        place_state=state,
        row_keys=row_keys,
        strides=np.ones(count),
        num_codes=game.most_actions,
        moves=moves,
        next_places=place[rows:last],
        paid=paid + 1,
        shown=np.where(seen >= 0, known + 1, 0),
        first=_Lotteries(np.zeros(1, dtype=np.int64), np.array([ONE], dtype=object)),
        first_places=place[last:],
        first_shown=np.zeros(1),
        signals=signals,
        discount=ONE,
        cycle_discount=game.discount,
    )


def _weights(kernel: Kernel) -> NDArray[np.object_]:
    return kernel.weight.copy()


def _finish(
    game: TabularPOSG | TabularAEC,
    *,
    movers: Any,
    place_state: Any,
    row_keys: Any,
    strides: Any,
    num_codes: int,
    moves: _Lotteries,
    next_places: Any,
    paid: Any,
    shown: Any,
    first: _Lotteries,
    first_places: Any,
    first_shown: Any,
    signals: Any,
    discount: Fraction,
    cycle_discount: Fraction,
) -> PlayTable:
    """Put the rows of moves and the row of the start, the last one, end to end."""
    rows = len(row_keys)
    row = np.concatenate([moves.row, first.row + rows])
    starts = np.searchsorted(row, np.arange(rows + 2)).astype(np.int64)
    size = len(movers) * num_codes
    dense = np.full(size if size <= MOST_DENSE else 0, -1, dtype=np.int32)
    if size <= MOST_DENSE:
        dense[row_keys] = np.arange(rows)
    labels = [
        (own or (IDLE,), seen or (IDLE,))
        for own, seen in zip(game.actions, game.observations, strict=True)
    ]
    actions, observations = tuple(a for a, _ in labels), tuple(o for _, o in labels)
    legal = tuple(_legal(game.legal[i], len(own)) for i, own in enumerate(actions))
    most = max(map(len, actions))
    padded = [np.pad(own, ((0, 0), (0, most - own.shape[1]))) for own in legal]
    rules = RuleArrays(
        movers=np.asarray(movers, dtype=np.int32),
        rows=dense,
        row_keys=np.asarray(row_keys, dtype=np.int64),
        strides=np.asarray(strides, dtype=np.int64),
        starts=starts,
        cuts=exact_cuts(starts, np.concatenate([moves.weight, first.weight])),
        entries=np.stack(
            [
                np.concatenate([next_places, first_places]),
                np.concatenate([paid, np.zeros(len(first.row))]),
                np.concatenate([shown, first_shown]),
            ],
            axis=1,
        ).astype(np.int32),
        rewards=np.concatenate(
            [
                np.zeros((1, len(game.players))),
                float_rewards(game.reward_vectors).reshape(-1, len(game.players)),
            ]
        ),
        signals=np.asarray(signals, dtype=np.int32),
        legal=np.concatenate(padded),
        legal_starts=np.cumsum([0, *map(len, padded)]).astype(np.int64),
        num_codes=int(num_codes),
        cycle_discount=float(cycle_discount),
        horizon=NO_HORIZON if game.horizon is None else game.horizon,
    )
    return PlayTable(
        players=game.players,
        actions=actions,
        observations=observations,
        legal=legal,
        states=game.states,
        place_state=np.asarray(place_state, dtype=np.int64),
        discount=discount,
        horizon=game.horizon,
        rules=rules,
    )


def float_rewards(rewards: Any, *, where: str | None = None) -> NDArray[np.float64]:
    """Return exact rewards as floats.

    Raises:
        UnsupportedGame: If one is larger than any float.
    """
    try:
        return np.asarray(rewards, dtype=np.object_).astype(np.float64)
    except OverflowError:
        raise UnsupportedGame(
            needs="rewards that floats can hold",
            found=f"some are larger than any float ({np.finfo(np.float64).max:.2g})",
            remedy="Rescale them: rescale_rewards.",
            where=where,
        ) from None


def _legal(own: tuple[tuple[int, ...], ...], num_actions: int) -> NDArray[np.bool_]:
    """Return legal actions as a table; all of them for a player who never acts."""
    table = np.zeros((max(1, len(own)), num_actions), dtype=np.bool_)
    for seen, allowed in enumerate(own):
        table[seen, list(allowed)] = True
    if not own:
        table[:] = True
    return table
