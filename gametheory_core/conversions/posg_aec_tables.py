"""The tables of a POSG's AEC game, made from the POSG's tables by array operations."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.games.information_sets import CHANCE
from gametheory_core.games.information_states import EMPTY
from gametheory_core.games.kernels import Kernel, permuted_rows, spread
from gametheory_core.games.tabular_aec import TabularAEC
from gametheory_core.games.tabular_posg import TabularPOSG

INIT = ("init",)


class _Level(NamedTuple):
    """The AEC states in which as many actions are queued as the level says.

    Attributes:
        pair (int array): Which (state, joint observation) pair of the POSG.
        code (int array): Joint action code of the queue, with zeros for what is not queued.
        first: Number of the level's first state.
        source (int array): Position in the level before of the state that led here.
        action (int array): What was queued there.
    """

    pair: Any
    code: Any
    first: int
    source: Any
    action: Any


@dataclass(frozen=True)
class _Pairs:
    """What a cycle starts from: pairs of state and joint observation, and terminal states.

    Attributes:
        key (int64 array): ``state * num_signals + signal`` of each pair, ascending.
        terminal (int array): Terminal states, ascending; their AEC states follow those of the
            pairs.
    """

    game: TabularPOSG
    key: Any
    terminal: Any

    def start_states(self, outcome: Any, signal_row: Any) -> tuple[Kernel, Any]:
        """Return, for entries of a law over states, the law of AEC states each of them stands for.

        Rows are one for each entry; the second array says which rows are terminal.
        """
        game = self.game
        ends = signal_row < 0
        signals = game.signal_kernel
        which, position = spread(np.where(ends, 1, signals.sizes[signal_row]))
        row = signal_row[which]
        entry = np.where(row < 0, 0, signals.start[row] + position)
        key = outcome[which].astype(np.int64) * len(game.signals) + signals.outcome[entry]
        as_pair = 1 + np.searchsorted(self.key, key)
        as_end = 1 + len(self.key) + np.searchsorted(self.terminal, outcome[which])
        weight = signals.weight[entry]
        weight[row < 0] = ONE
        start = np.concatenate([[0], np.cumsum(np.bincount(which, minlength=len(outcome)))])
        return Kernel(start, np.where(row < 0, as_end, as_pair), weight), ends


def queued_tables(game: TabularPOSG) -> TabularAEC:
    """Return the tables of ``posg_to_aec``'s game: states ``("init",)`` and ``(s, o, a)``."""
    pairs = _pairs(game)
    levels = _levels(game, pairs)
    count = len(game.players)
    most = max(1, *(len(own) for own in game.actions))
    keys, kernels, rewards, turns = _chance_rows(game, pairs, levels, most)
    for player in range(count):
        here, after = levels[player], levels[player + 1]
        state = here.first + after.source
        keys.append((state * (count + 1) + player + 1) * most + after.action)
        size = len(state)
        kernels.append(_certain(after.first + np.arange(size)))
        rewards.append(np.zeros(size, dtype=np.int64))
        turns.append(np.full(size, player + 1))
    key = np.concatenate(keys)
    order = np.argsort(key, kind="stable")
    kernel, entry = permuted_rows(_joined(kernels), order)
    views = [
        ((level.first + np.arange(len(level.pair))) * count + player, level)
        for player, level in enumerate(levels[:-1])
    ]
    view_key = np.concatenate([k for k, _ in views])
    seen = np.concatenate(
        [game.signals[pairs.key[v.pair] % len(game.signals), i] for i, (_, v) in enumerate(views)]
    )
    view_order = np.argsort(view_key, kind="stable")
    zero = np.full((1, count), ZERO, dtype=object)
    horizon = None if game.horizon is None else 1 + game.horizon * (count + 1)
    terminal = np.zeros(levels[-1].first + len(levels[-1].pair), dtype=bool)
    terminal[1 + len(pairs.key) : 1 + len(pairs.key) + len(pairs.terminal)] = True
    return TabularAEC(
        players=game.players,
        states=_labels(game, pairs, levels),
        actions=game.actions,
        observations=game.observations,
        legal=game.legal,
        terminal=terminal,
        initial_index=0,
        observation_key=view_key[view_order],
        observation_kernel=_certain(seen[view_order]),
        row_key=key[order],
        transition_kernel=kernel,
        entry_reward_row=np.concatenate(rewards)[entry],
        entry_turn_row=np.concatenate(turns)[entry],
        reward_kernel=_certain(np.arange(len(game.reward_vectors) + 1)),
        turn_kernel=_certain(np.array([*range(count), CHANCE])),
        reward_vectors=np.concatenate([zero, game.reward_vectors]),
        discount=game.discount,
        horizon=horizon,
        title=game.title,
    )


def _pairs(game: TabularPOSG) -> _Pairs:
    first = game.initial_kernel.outcome
    outcome = np.concatenate([first, game.transition_kernel.outcome]).astype(np.int64)
    row = np.concatenate([game.initial_signal_row[first], game.entry_signal_row])
    live = ~game.terminal[outcome]
    which, position = spread(np.where(live, game.signal_kernel.sizes[row], 0))
    signal = game.signal_kernel.outcome[game.signal_kernel.start[row[which]] + position]
    key = np.unique(outcome[which] * len(game.signals) + signal)
    return _Pairs(game, key, np.unique(outcome[~live]))


def _levels(game: TabularPOSG, pairs: _Pairs) -> list[_Level]:
    """Queue one player's action after the other, for all pairs at once."""
    pair = np.arange(len(pairs.key))
    code = np.zeros(len(pair), dtype=np.int64)
    levels = [_Level(pair, code, 1, pair, code)]
    first = 1 + len(pair) + len(pairs.terminal)
    signal = pairs.key % max(1, len(game.signals))
    state = pairs.key // max(1, len(game.signals))
    live = _goes_on(game, state, signal)
    for player, stride in enumerate(game.strides):
        before = levels[-1]
        going = np.flatnonzero(live[before.pair])
        own = game.signals[signal[before.pair[going]], player]
        source, action = game.spread_actions(player, own)
        source = going[source]
        code = before.code[source] + action * stride
        levels.append(_Level(before.pair[source], code, first, source, action))
        first += len(source)
    return levels


def _goes_on(game: TabularPOSG, state: Any, signal: Any) -> Any:
    """Tell which pairs have a row for a legal joint action; beyond the horizon none has."""
    code = np.zeros(len(state), dtype=np.int64)
    for player, stride in enumerate(game.strides):
        own = game.signals[signal, player]
        source, action = game.spread_actions(player, own)
        code += action[np.searchsorted(source, np.arange(len(own)))] * stride
    return game.find_transitions(state, code) >= 0


def _chance_rows(
    game: TabularPOSG, pairs: _Pairs, levels: list[_Level], most: int
) -> tuple[list[Any], list[Kernel], list[Any], list[Any]]:
    """Return keys, laws, reward and turn rows of chance's moves: the first, then the others."""
    count = len(game.players)
    first = game.initial_kernel
    seen = np.where(game.terminal[first.outcome], -1, game.initial_signal_row[first.outcome])
    states, ends = pairs.start_states(first.outcome, seen)
    opening = _composed(first, states, ends)
    whole = _composed(
        game.transition_kernel,
        *pairs.start_states(game.transition_kernel.outcome, game.entry_signal_row),
        1 + game.entry_reward.astype(np.int64),
    )
    last = levels[-1]
    state = pairs.key[last.pair] // max(1, len(game.signals))
    row = game.find_transitions(state, last.code)
    resolved, entry = permuted_rows(whole.kernel, row)
    number = last.first + np.arange(len(row))
    return (
        [np.zeros(1, dtype=np.int64), number * (count + 1) * most],
        [opening.kernel, resolved],
        [opening.reward, whole.reward[entry]],
        [opening.turn, whole.turn[entry]],
    )


class _Composed(NamedTuple):
    kernel: Kernel
    reward: Any
    turn: Any


def _composed(law: Kernel, following: Kernel, ends: Any, reward: Any = None) -> _Composed:
    """Draw from ``law``, and then from the row of ``following`` that belongs to the entry drawn."""
    which, _ = spread(following.sizes)
    weight = law.weight[which] * following.weight
    row_of_entry, _ = spread(law.sizes)
    sizes = np.bincount(row_of_entry[which], minlength=law.num_rows)
    kernel = Kernel(np.concatenate([[0], np.cumsum(sizes)]), following.outcome, weight)
    paid = np.zeros(len(which), dtype=np.int64) if reward is None else reward[which]
    return _Composed(kernel, paid, np.where(ends[which], -1, 0))


def _certain(outcome: Any) -> Kernel:
    weight = np.full(len(outcome), ONE, dtype=object)
    return Kernel(np.arange(len(outcome) + 1, dtype=np.int32), outcome, weight)


def _joined(kernels: list[Kernel]) -> Kernel:
    sizes = np.concatenate([k.sizes for k in kernels])
    return Kernel(
        np.concatenate([[0], np.cumsum(sizes)]),
        np.concatenate([k.outcome for k in kernels]),
        np.concatenate([k.weight for k in kernels]),
    )


def _labels(game: TabularPOSG, pairs: _Pairs, levels: list[_Level]) -> tuple[Any, ...]:
    count = len(game.players)
    empty = (EMPTY,) * count
    seen = [game.joint_observation(signal) for signal in range(len(game.signals))]
    bases = [
        (game.states[s], seen[o]) for s, o in (divmod(key, len(seen)) for key in pairs.key.tolist())
    ]
    labels: list[Any] = [INIT, *((*base, empty) for base in bases)]
    labels.extend((game.states[s], empty, empty) for s in pairs.terminal.tolist())
    for queued, level in enumerate(levels[1:], start=1):
        known = {
            code: (*game.joint_action(code)[:queued], *empty[queued:])
            for code in np.unique(level.code).tolist()
        }
        codes = zip(level.pair.tolist(), level.code.tolist(), strict=True)
        labels.extend((*bases[pair], known[code]) for pair, code in codes)
    return tuple(labels)
