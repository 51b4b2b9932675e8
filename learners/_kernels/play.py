"""Play of many episodes: one step of each, in compiled code."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from learners._kernels.play_arrays import (
    EVERYBODY,
    HISTORY,
    OVER,
    TIMED,
    PlayState,
    RuleArrays,
    SightArrays,
    TurnArrays,
)
from learners._kernels.random_numbers import number_at, stream_start, stream_step

CHANCE = -1
_FEW = 8  # entries of a lottery that are looked through one by one


@njit(cache=True)
def begin_all(
    rules: RuleArrays, sight: SightArrays, state: PlayState, key: np.uint64, turn: TurnArrays
) -> None:
    """Begin the next episode in every place of the batch; ``state`` and ``turn`` are written."""
    for e in range(len(state.places)):
        begin(rules, sight, state, e, key, state.episodes[e] + len(state.places))
        turn.rewards[e] = 0.0
        turn.is_terminal[e] = False
        turn.is_truncated[e] = False
        turn.final_observations[e] = state.numbers[e]
        show(rules, state, e, turn)


@njit(cache=True)
def first_illegal(rules: RuleArrays, state: PlayState, actions: NDArray[np.int64]) -> int:
    """Return ``episode * N + player`` of the first action that is not legal; -1 if all are."""
    players = len(rules.strides)
    for e in range(len(state.places)):
        mover = rules.movers[state.places[e]]
        if mover == OVER or state.moves[e] >= rules.horizon:
            continue
        for i in range(players):
            if mover == EVERYBODY or mover == i:
                action = actions[e, i]
                if action < 0 or action >= rules.legal.shape[1]:
                    return e * players + i
                if not rules.legal[rules.legal_starts[i] + state.seen[e, i], action]:
                    return e * players + i
    return -1


@njit(cache=True)
def step_all(
    rules: RuleArrays,
    sight: SightArrays,
    state: PlayState,
    key: np.uint64,
    actions: NDArray[np.int64],
    turn: TurnArrays,
) -> None:
    """Let all act, with legal actions; ``state`` and ``turn`` are written."""
    episodes = len(state.places)
    for e in range(episodes):
        act(rules, sight, state, e, actions[e])
        is_terminal = rules.movers[state.places[e]] == OVER
        is_truncated = not is_terminal and state.moves[e] >= rules.horizon
        turn.is_terminal[e] = is_terminal
        turn.is_truncated[e] = is_truncated
        for i in range(len(rules.strides)):
            turn.rewards[e, i] = state.pending[e, i]
            state.pending[e, i] = 0.0
            turn.final_observations[e, i] = state.numbers[e, i]
        if is_terminal or is_truncated:
            begin(rules, sight, state, e, key, state.episodes[e] + episodes)
        show(rules, state, e, turn)


@njit(cache=True)
def begin(
    rules: RuleArrays, sight: SightArrays, state: PlayState, e: int, key: np.uint64, episode: int
) -> None:
    """Begin an episode in place ``e`` of the batch, up to the first turn of a player."""
    state.episodes[e] = episode
    state.streams[e, 0] = stream_start(key, episode)
    state.streams[e, 1] = stream_step(key, episode)
    state.moves[e] = -1  # the first draw is no move
    state.chances[e] = 0
    state.weights[e] = 1.0
    for i in range(len(rules.strides)):
        state.seen[e, i] = -1
        state.numbers[e, i] = 0
        state.turns[e, i] = 0
        state.acted[e, i] = 0
        state.pending[e, i] = 0.0
    _draw(rules, sight, state, e, len(rules.starts) - 2)
    _follow_chance(rules, sight, state, e)


@njit(cache=True)
def act(
    rules: RuleArrays, sight: SightArrays, state: PlayState, e: int, actions: NDArray[np.int64]
) -> None:
    """Let those whose turn it is act, then chance; rewards are added to ``state.pending``."""
    place = state.places[e]
    mover = rules.movers[place]
    if mover == OVER or state.moves[e] >= rules.horizon:
        return  # over before anybody could act
    code = np.int64(0)
    for i in range(len(rules.strides)):
        if mover == EVERYBODY or mover == i:
            code += actions[i] * rules.strides[i]
            state.acted[e, i] = actions[i]
    _draw(rules, sight, state, e, row_of(rules, place, code))
    _follow_chance(rules, sight, state, e)


@njit(cache=True)
def _follow_chance(rules: RuleArrays, sight: SightArrays, state: PlayState, e: int) -> None:
    while rules.movers[state.places[e]] == CHANCE and state.moves[e] < rules.horizon:
        _draw(rules, sight, state, e, row_of(rules, state.places[e], 0))
        if state.chances[e] > 0:
            state.weights[e] *= rules.cycle_discount
        state.chances[e] += 1


@njit(cache=True)
def row_of(rules: RuleArrays, place: int, code: int) -> int:
    """Return the lottery to which a code leads."""
    key = np.int64(place) * rules.num_codes + code
    if len(rules.rows):
        return rules.rows[key]
    return np.searchsorted(rules.row_keys, key)


@njit(cache=True)
def _draw(rules: RuleArrays, sight: SightArrays, state: PlayState, e: int, row: int) -> None:
    """Draw from a row: go on, pay and show."""
    entry = rules.starts[row]
    last = rules.starts[row + 1]
    players = len(rules.strides)
    if last - entry > 1:
        use = (state.moves[e] + 1) * (players + 1) + players
        entry = drawn(
            rules.cuts, entry, last, number_at(state.streams[e, 0], state.streams[e, 1], use)
        )
    state.moves[e] += 1
    state.places[e] = rules.next_places[entry]
    paid = rules.paid[entry]
    signal = rules.shown[entry]
    for i in range(players):
        state.pending[e, i] += state.weights[e] * rules.rewards[paid, i]
        seen = rules.signals[signal, i]
        if seen >= 0:
            before = state.numbers[e, i]
            turn = state.turns[e, i]
            state.numbers[e, i] = number_of(sight, i, seen, turn, before, state.acted[e, i])
            state.seen[e, i] = seen
            state.turns[e, i] = turn + 1


@njit(cache=True)
def drawn(cuts: NDArray[np.uint64], first: int, last: int, number: np.uint64) -> int:
    """Return the first entry in ``first .. last`` whose cut exceeds the number."""
    while last - first > _FEW:
        middle = (first + last) // 2
        if number < cuts[middle - 1]:
            last = middle
        else:
            first = middle
    while number >= cuts[first]:
        first += 1
    return first


@njit(cache=True)
def number_of(
    sight: SightArrays, player: int, seen: int, turn: int, before: int, acted: int
) -> int:
    """Return what an observation is called, at the player's turn ``turn``, after another."""
    if sight.kind == TIMED:
        return turn * sight.num_seen[player] + seen
    if sight.kind != HISTORY:
        return seen
    known = before + 1 if turn else 0
    branch = sight.offsets[player] + known * sight.num_actions[player] + acted
    first = sight.branches[branch]
    last = sight.branches[branch + 1]
    position = first + np.searchsorted(sight.seen[first:last], seen)
    return sight.children[position]


@njit(cache=True)
def show(rules: RuleArrays, state: PlayState, e: int, turn: TurnArrays) -> None:
    """Write what players see and may do."""
    mover = rules.movers[state.places[e]]
    stands = mover == OVER or state.moves[e] >= rules.horizon
    for i in range(len(rules.strides)):
        turn.observations[e, i] = state.numbers[e, i]
        turn.acts[e, i] = not stands and (mover == EVERYBODY or mover == i)
        row = rules.legal_starts[i] + max(state.seen[e, i], 0)
        for a in range(rules.legal.shape[1]):
            turn.legal[e, i, a] = rules.legal[row, a]
