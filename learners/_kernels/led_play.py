"""Episodes of a leader and a follower in compiled code, and the follower's Q-learning in them.

Letters as in ``led_arrays``. What the follower's action may depend on is a *situation*, a number
for each step and state.
"""

import numpy as np
from numpy.typing import NDArray

from learners._kernels.arrays import (
    LEARNING_DRAWS,
    PLAY_DRAWS,
    START_DRAWS,
    Episodes,
    Floats,
    Ints,
    LeadersAtPlay,
    LearningRule,
    LedTables,
)
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
    situations: Ints,
    values: Floats,
    legal: NDArray[np.bool_],
    rows: Ints,
    rule: LearningRule,
    draws: Floats,
    asked: Ints,
    returns: Floats,
) -> int:
    """Let the follower learn by Q-learning, one episode after another; return the steps made.

    ``situations`` (h + 1, S), -1 where nothing is expected any more; ``values`` (R, situations, B),
    modified in place, row ``rows[e]`` by episode ``e``; ``legal`` (situations, B); ``draws``
    uniform (E, 1 + 4 h); ``asked`` int64 (R, O, A), modified in place: how often which was done;
    ``returns`` (E, 2), modified in place: undiscounted. Ties go to the first action.
    """
    steps = 0
    for e in range(draws.shape[0]):
        table = values[rows[e]]
        state = _drawn(tables.first, draws[e, 0])
        led = 0.0
        followed = 0.0
        for t in range(tables.horizon):
            seen = tables.seen[state]
            if seen < 0:
                break
            at = START_DRAWS + LEARNING_DRAWS * t
            a = _led(leaders, e, seen, draws[e, at])
            asked[rows[e], seen, a] += 1
            situation = situations[t, state]
            if draws[e, at + 1] < rule.exploration:
                b = _any(legal[situation], draws[e, at + 2])
            else:
                b = _best(table[situation], legal[situation])
            led += tables.rewards[state, a, b, 0]
            earned = tables.rewards[state, a, b, 1]
            followed += earned
            way = _drawn(tables.moves[state, a, b], draws[e, at + 3])
            state = tables.successor[state, a, b, way]
            following = situations[t + 1, state]
            target = earned
            if following >= 0:
                ahead = table[following]
                target += rule.discount * ahead[_best(ahead, legal[following])]
            table[situation, b] += rule.step_size * (target - table[situation, b])
            steps += 1
        returns[e, 0] = led
        returns[e, 1] = followed
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


@compiled
def _best(values: Floats, legal: NDArray[np.bool_]) -> int:
    """Return the first of the legal actions of largest value."""
    best = -1
    for action in range(len(values)):
        if legal[action] and (best < 0 or values[action] > values[best]):
            best = action
    return best
