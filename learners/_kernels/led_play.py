"""Episodes of a leader and a follower in compiled code, and followers' Q-learning in them.

Letters as in ``led_arrays``. What the follower's action may depend on is a *situation*, a number
for each step and state.
"""

import numpy as np
from numpy.typing import NDArray

from learners._kernels.arrays import (
    LEARNING_DRAWS,
    PLAY_DRAWS,
    SEAT_DRAWS,
    START_DRAWS,
    Episodes,
    Floats,
    FollowerSeats,
    Ints,
    LeadersAtPlay,
    LearningRule,
    LedTables,
)
from learners._kernels.value_updates import best_action
from solvers._kernels.compile import compiled


@compiled
def play(
    tables: LedTables,
    leaders: LeadersAtPlay,
    situations: Ints,
    strategies: Floats,
    rows: Ints,
    draws: Floats,
    episodes: Episodes,
) -> None:
    """Play an episode for each row of ``draws``, uniform numbers (E, 1 + 3 h).

    ``situations`` (h + 1, S); ``strategies`` (R, situations, B) cumulative, of which episode ``e``
    meets number ``rows[e]``. ``episodes`` is modified in place.
    """
    for e in range(draws.shape[0]):
        state = _drawn(tables.first, draws[e, 0])
        episodes.seen[e] = -1
        for t in range(tables.horizon):
            seen = tables.seen[state]
            if seen < 0:
                break
            at = START_DRAWS + PLAY_DRAWS * t
            a = _led(leaders, e, seen, draws[e, at])
            situation = situations[t, state]
            b = _drawn(strategies[rows[e], situation], draws[e, at + 1])
            episodes.seen[e, t] = seen
            episodes.leader[e, t] = a
            episodes.situation[e, t] = situation
            episodes.follower[e, t] = b
            episodes.rewards[e, t, 0] = tables.rewards[state, a, b, 0]
            episodes.rewards[e, t, 1] = tables.rewards[state, a, b, 1]
            way = _drawn(tables.moves[state, a, b], draws[e, at + 2])
            state = tables.successor[state, a, b, way]
            episodes.situation[e, t + 1] = situations[t + 1, state]


@compiled
def learn_values(
    tables: LedTables,
    leaders: LeadersAtPlay,
    seats: FollowerSeats,
    values: Floats,
    rows: Ints,
    learning: Ints,
    rule: LearningRule,
    draws: Floats,
    asked: Ints,
    returns: Floats,
) -> int:
    """Let followers learn by Q-learning, one episode after another; return the steps made.

    ``tables`` have rewards (S, A, B, 1 + n), B being what all do; ``values`` (R, n, Z, B), modified
    in place: in episode ``e`` follower ``learning[e]`` explores and learns her part of row
    ``rows[e]``, the others play greedily by theirs. ``draws`` uniform (E, 1 + (2 + 2 n) h);
    ``asked`` int64 (R, O, A), modified in place: how often which was done; ``returns`` (E, 1 + n),
    modified in place: undiscounted. Ties go to the first action.
    """
    steps = 0
    count = len(seats.strides)
    for e in range(draws.shape[0]):
        who = learning[e]
        table, legal = values[rows[e], who], seats.legal[who]
        state = _drawn(tables.first, draws[e, 0])
        for t in range(tables.horizon):
            seen = tables.seen[state]
            if seen < 0:
                break
            at = START_DRAWS + (LEARNING_DRAWS + SEAT_DRAWS * count) * t
            a = _led(leaders, e, seen, draws[e, at])
            asked[rows[e], seen, a] += 1
            situation = seats.numbers[who, t, state]
            own = 0
            joint = 0
            for i in range(count):
                z = seats.numbers[i, t, state]
                draw = at + 1 + SEAT_DRAWS * i
                if i == who and draws[e, draw] < rule.exploration:
                    b = _any(seats.legal[i, z], draws[e, draw + 1])
                else:
                    b = best_action(values[rows[e], i, z], seats.legal[i, z])
                joint += b * seats.strides[i]
                if i == who:
                    own = b
            for i in range(1 + count):
                returns[e, i] += tables.rewards[state, a, joint, i]
            target = tables.rewards[state, a, joint, 1 + who]
            way = _drawn(tables.moves[state, a, joint], draws[e, at + 1 + SEAT_DRAWS * count])
            state = tables.successor[state, a, joint, way]
            following = seats.numbers[who, t + 1, state]
            if following >= 0:
                ahead = table[following]
                target += rule.discount * ahead[best_action(ahead, legal[following])]
            table[situation, own] += rule.step_size * (target - table[situation, own])
            steps += 1
    return steps


@compiled
def _led(leaders: LeadersAtPlay, episode: int, seen: int, number: float) -> int:
    if leaders.is_fresh:
        return _drawn(leaders.lotteries[leaders.which[episode], seen], number)
    return leaders.plans[episode, seen]


@compiled
def _drawn(cumulative: Floats, number: float) -> int:
    index = 0
    while cumulative[index] <= number:
        index += 1
    return index


@compiled
def _any(legal: NDArray[np.bool_], number: float) -> int:
    """Return a legal action, all equally likely."""
    count = 0
    for action in range(len(legal)):
        count += legal[action]
    wanted = int(number * count)
    found = -1
    for action in range(len(legal)):
        if legal[action]:
            found += 1
            if found == wanted:
                return action
    return 0
