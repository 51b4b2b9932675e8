"""Play of many episodes: one step of each, in compiled code.

Tuples of arrays are taken apart before a loop, because every look into one counts references.

Random numbers are a function of where they are used, so that plays do not depend on order. The
``n``-th number of episode ``k`` under a key is ``mix(start + (n + 1) * step)``, where ``start`` and
the odd ``step`` come from the key and ``k``: a splittable generator, addressed instead of advanced.
No two episodes walk along the same sequence.

Source: :cite:`steele2014fast`.
"""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners._kernels.arrays import (
    ACTED,
    CHANCES,
    COMMON,
    EPISODE,
    EVERYBODY,
    HISTORY,
    MOVES,
    NEXT_PLACE,
    NUM_ACTIONS,
    NUM_SEEN,
    NUMBER,
    OFFSET,
    OVER,
    OWN,
    PAID,
    PLACE,
    SEEN,
    SHOWN,
    START,
    STRIDE,
    TIMED,
    TURNS,
    PlayState,
    RuleArrays,
    SightArrays,
    TurnArrays,
)
from solvers._kernels.compile import compiled

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_ONE = np.uint64(1)
_TWO = np.uint64(2)


@partial(compiled, inline="always")
def mix(value: np.uint64) -> np.uint64:
    """Return a hash of 64 bits: a bijection in which every bit in changes half of those out."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@partial(compiled, inline="always")
def stream_start(key: np.uint64, episode: int) -> np.uint64:
    """Return where an episode's numbers start."""
    return mix(key + (_TWO * np.uint64(episode) + _ONE) * GOLDEN)


@partial(compiled, inline="always")
def stream_step(key: np.uint64, episode: int) -> np.uint64:
    """Return the odd distance between an episode's numbers, bits well mixed."""
    value = key + (_TWO * np.uint64(episode) + _TWO) * GOLDEN
    value = (value ^ (value >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    value = (value ^ (value >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    value = (value ^ (value >> np.uint64(33))) | _ONE
    changes = value ^ (value >> _ONE)
    count = 0
    while changes:  # so few changes of bits that neighbors would hash alike
        changes &= changes - _ONE
        count += 1
    return value if count >= 24 else value ^ np.uint64(0xAAAAAAAAAAAAAAAA)


@partial(compiled, inline="always")
def number_at(start: np.uint64, step: np.uint64, use: int) -> np.uint64:
    """Return number ``use`` of a stream: 63 bits, each value below 2^63 equally likely."""
    return mix(start + (np.uint64(use) + _ONE) * step) >> _ONE


CHANCE = -1
_FEW = 8  # entries of a lottery that are looked through one by one


@compiled
def begin(
    rules: RuleArrays,
    sight: SightArrays,
    state: PlayState,
    key: np.uint64,
    is_over: NDArray[np.bool_],
) -> None:
    """Begin the next episode where one is over, up to the first turn of a player.

    ``is_over`` bool (E,) is read, ``state`` is modified in place.
    """
    movers, rows, row_keys, _, starts, cuts, entries, rewards, signals, _, _, codes, factor, end = (
        rules
    )
    kind, sizes, branches, following = sight
    whole, paid = state
    for e in range(len(whole)):
        if is_over[e]:
            open_episode(whole, paid, e, key, whole[e, EPISODE] + len(whole))
            first = len(starts) - 2
            go_on(
                e, first, whole, paid, movers, rows, row_keys, starts, cuts, entries, rewards,
                signals, codes, factor, end, kind, sizes, branches, following,
            )  # fmt: skip


@compiled
def first_illegal(rules: RuleArrays, state: PlayState, actions: NDArray[np.int64]) -> int:
    """Return ``episode * N + player`` of the first action that is not legal; -1 if all are."""
    movers, legal, legal_starts, horizon = (
        rules.movers, rules.legal, rules.legal_starts, rules.horizon
    )  # fmt: skip
    whole = state.whole
    players = actions.shape[1]
    for e in range(len(whole)):
        mover = movers[whole[e, PLACE]]
        if mover == OVER or whole[e, MOVES] >= horizon:
            continue
        for i in range(players):
            if mover == EVERYBODY or mover == i:  # noqa: PLR1714, SIM109 compiled
                action = actions[e, i]
                if action < 0 or action >= legal.shape[1]:
                    return e * players + i
                if not legal[legal_starts[i] + whole[e, COMMON + OWN * i + SEEN], action]:
                    return e * players + i
    return -1


@compiled
def step(
    rules: RuleArrays, sight: SightArrays, state: PlayState, actions: NDArray[np.int64]
) -> None:
    """Let all act, with legal actions, then chance; ``state`` is modified in place.

    What is paid is added to ``state.paid``. Who is over before anybody could act stays so.
    """
    (
        movers, rows, row_keys, strides, starts, cuts, entries, rewards, signals, _, _, codes,
        factor, end,
    ) = rules  # fmt: skip
    kind, sizes, branches, following = sight
    whole, paid = state
    for e in range(len(whole)):
        place = whole[e, PLACE]
        mover = movers[place]
        if mover == OVER or whole[e, MOVES] >= end:
            continue
        code = np.int64(0)
        for i in range(actions.shape[1]):
            if mover == EVERYBODY or mover == i:  # noqa: PLR1714, SIM109 compiled
                code += actions[e, i] * strides[i]
                whole[e, COMMON + OWN * i + ACTED] = actions[e, i]
        row = row_of(rows, row_keys, place * codes + code)
        go_on(
            e, row, whole, paid, movers, rows, row_keys, starts, cuts, entries, rewards,
            signals, codes, factor, end, kind, sizes, branches, following,
        )  # fmt: skip


@compiled
def advance(
    rules: RuleArrays,
    sight: SightArrays,
    state: PlayState,
    key: np.uint64,
    actions: NDArray[np.int64],
    turn: TurnArrays,
) -> None:
    """Let all act, begin the next episode where one ends, and write the turn that follows.

    ``state`` and ``turn`` are modified in place; ``actions`` (E, N) are legal.
    """
    step(rules, sight, state, actions)
    end_step(rules, state, turn)
    begin(rules, sight, state, key, turn.is_terminal | turn.is_truncated)
    show(rules, state, turn)


@compiled
def end_step(rules: RuleArrays, state: PlayState, turn: TurnArrays) -> None:
    """Write what the step paid, whether it was the last, and what was seen then.

    Rewards and ends in ``turn``; ``state.paid`` is emptied.
    """
    movers, horizon = rules.movers, rules.horizon
    whole, paid = state
    _, _, _, rewards, is_terminal, is_truncated, final_observations = turn
    for e in range(len(whole)):
        terminal = movers[whole[e, PLACE]] == OVER
        is_terminal[e] = terminal
        is_truncated[e] = not terminal and whole[e, MOVES] >= horizon
        for i in range(rewards.shape[1]):
            rewards[e, i] = paid[e, 1 + i]
            paid[e, 1 + i] = 0.0
            final_observations[e, i] = whole[e, COMMON + OWN * i + NUMBER]


@compiled
def show(rules: RuleArrays, state: PlayState, turn: TurnArrays) -> None:
    """Write what players see now and may do: observations, legal and acts of ``turn``."""
    movers, all_legal, legal_starts, horizon = (
        rules.movers, rules.legal, rules.legal_starts, rules.horizon
    )  # fmt: skip
    whole = state.whole
    observations, legal, acts, _, _, _, _ = turn
    for e in range(len(whole)):
        mover = movers[whole[e, PLACE]]
        goes_on = mover != OVER and whole[e, MOVES] < horizon
        for i in range(observations.shape[1]):
            own = COMMON + OWN * i
            observations[e, i] = whole[e, own + NUMBER]
            acts[e, i] = goes_on and (mover == EVERYBODY or mover == i)  # noqa: PLR1714, SIM109
            row = legal_starts[i] + max(whole[e, own + SEEN], 0)
            for a in range(all_legal.shape[1]):
                legal[e, i, a] = all_legal[row, a]


@partial(compiled, forceinline=True)
def open_episode(whole: Any, paid: Any, e: int, key: np.uint64, episode: int) -> None:
    """Write that nothing has happened yet; ``whole[e]`` and ``paid[e]`` are modified in place."""
    whole[e, EPISODE] = episode
    whole[e, START] = np.int64(stream_start(key, episode))
    whole[e, STRIDE] = np.int64(stream_step(key, episode))
    whole[e, MOVES] = -1  # the first draw is no move
    whole[e, CHANCES] = 0
    paid[e, 0] = 1.0
    for i in range(paid.shape[1] - 1):
        own = COMMON + OWN * i
        whole[e, own + SEEN] = -1
        whole[e, own + NUMBER] = 0
        whole[e, own + TURNS] = 0
        whole[e, own + ACTED] = 0
        paid[e, 1 + i] = 0.0


@partial(compiled, forceinline=True)
def go_on(
    e: int,
    row: int,
    whole: Any,
    paid: Any,
    movers: Any,
    rows: Any,
    row_keys: Any,
    starts: Any,
    cuts: Any,
    entries: Any,
    rewards: Any,
    signals: Any,
    num_codes: int,
    cycle_discount: float,
    horizon: int,
    kind: int,
    sizes: Any,
    branches: Any,
    following: Any,
) -> None:
    """Draw from a row, then let chance move until a player's turn or the end.

    The arrays are those of the tuples above; ``whole[e]`` and ``paid[e]`` are modified in place.
    """
    players = paid.shape[1] - 1
    is_chance = False
    while True:
        entry = starts[row]
        last = starts[row + 1]
        if last - entry > 1:
            use = (whole[e, MOVES] + 1) * (players + 1) + players
            number = number_at(np.uint64(whole[e, START]), np.uint64(whole[e, STRIDE]), use)
            entry = drawn(cuts, entry, last, number)
        whole[e, MOVES] += 1
        place = int(entries[entry, NEXT_PLACE])
        whole[e, PLACE] = place
        pays = entries[entry, PAID]
        signal = entries[entry, SHOWN]
        for i in range(players):
            paid[e, 1 + i] += paid[e, 0] * rewards[pays, i]
            seen = int(signals[signal, i])
            if seen >= 0:
                own = COMMON + OWN * i
                turns = whole[e, own + TURNS]
                if kind == TIMED:
                    whole[e, own + NUMBER] = turns * sizes[i, NUM_SEEN] + seen
                elif kind == HISTORY:
                    known = whole[e, own + NUMBER] + 1 if turns else 0
                    branch = sizes[i, OFFSET] + known * sizes[i, NUM_ACTIONS]
                    branch += whole[e, own + ACTED]
                    whole[e, own + NUMBER] = child(
                        following, branches[branch], branches[branch + 1], seen
                    )
                else:
                    whole[e, own + NUMBER] = seen
                whole[e, own + SEEN] = seen
                whole[e, own + TURNS] = turns + 1
        if is_chance:
            if whole[e, CHANCES] > 0:
                paid[e, 0] *= cycle_discount
            whole[e, CHANCES] += 1
        if movers[place] != CHANCE or whole[e, MOVES] >= horizon:
            break
        is_chance = True
        row = row_of(rows, row_keys, place * num_codes)


@partial(compiled, forceinline=True)
def row_of(rows: NDArray[np.int32], row_keys: NDArray[np.int64], key: int) -> int:
    """Return the lottery to which a place and a code lead."""
    if len(rows):
        return int(rows[key])
    first, last = 0, len(row_keys)
    while last - first > 1:
        middle = (first + last) // 2
        if row_keys[middle] <= key:
            first = middle
        else:
            last = middle
    return first


@partial(compiled, forceinline=True)
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


@partial(compiled, forceinline=True)
def child(following: NDArray[np.int32], first: int, last: int, seen: int) -> int:
    """Return the number, among rows ``first .. last``, of the past that goes on with ``seen``."""
    while last - first > 1:
        middle = (first + last) // 2
        if following[middle, 0] <= seen:
            first = middle
        else:
            last = middle
    return int(following[first, 1])
