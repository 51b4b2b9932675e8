"""Q-learning while it plays, many steps a call: the same numbers as a step at a time.

``E`` episodes of ``N`` players. In each step the environment moves; then each player in turn
learns from the transitions that are complete, and draws an action for each episode.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners._kernels.arrays import PlayState, RuleArrays, SightArrays, TurnArrays
from learners._kernels.play import advance
from learners._kernels.value_updates import MoveArrays, best_action, learn_greedily
from solvers._kernels.compile import compiled


class SeatArrays(NamedTuple):
    """A player's side, modified in place but for ``learns`` and ``legal``.

    Attributes:
        learns: Else the player draws among legal actions, all equally likely.
        legal, values, visits (O, A)
        has_begun, observation, action, reward, factor (E,): The transition that is not complete.
    """

    learns: bool
    legal: NDArray[np.bool_]
    values: NDArray[np.float64]
    visits: NDArray[np.int64]
    has_begun: NDArray[np.bool_]
    observation: NDArray[np.int64]
    action: NDArray[np.int64]
    reward: NDArray[np.float64]
    factor: NDArray[np.float64]


class TallyArrays(NamedTuple):
    """What is counted, modified in place.

    Attributes:
        returns (E, N), lengths (E,): Of the episodes under way.
        paid (N,), ended (2,): Of those that ended: sums of returns, their number and length.
        errors, updates (N,): Sums of absolute errors, and their number.
    """

    returns: NDArray[np.float64]
    lengths: NDArray[np.int64]
    paid: NDArray[np.float64]
    ended: NDArray[np.int64]
    errors: NDArray[np.float64]
    updates: NDArray[np.int64]


@compiled
def play_on(
    rules: RuleArrays,
    sight: SightArrays,
    state: PlayState,
    key: np.uint64,
    turn: TurnArrays,
    actions: NDArray[np.int64],
    seats: tuple[SeatArrays, ...],
    tally: TallyArrays,
    rng: np.random.Generator,
    rates: NDArray[np.float64],
    power: float,
    levels: NDArray[np.float64],
    options: tuple[float, bool, int],
) -> int:
    """Make so many steps, or until enough episodes have ended; return how many.

    Args:
        turn: Modified in place; what it says before is not read.
        actions (E, N): Of the first step; modified in place.
        rates, levels (steps,): The step size, and how often any legal action is drawn.
        options: The discount, whether nothing counts after the horizon, number of episodes.
    """
    discount, stops, most = options
    is_made, bootstraps = np.zeros((2, len(actions)), dtype=np.bool_)
    for step in range(len(rates)):
        if tally.ended[0] >= most:
            return step
        advance(rules, sight, state, key, actions, turn)
        is_over = turn.is_terminal | turn.is_truncated
        _count(turn.rewards, is_over, tally)
        bootstraps[:] = ~is_over if stops else ~turn.is_terminal
        for i in range(len(seats)):
            seat = seats[i]
            if seat.learns:
                _complete(seat, turn, i, is_over, discount, is_made)
                after = np.ascontiguousarray(turn.final_observations[:, i])
                moves = MoveArrays(
                    is_made, seat.observation, seat.action, seat.reward, seat.factor, after,
                    bootstraps,
                )  # fmt: skip
                tally.errors[i] += learn_greedily(
                    seat.values, seat.visits, seat.legal, moves, rates[step], power
                )
                tally.updates[i] += is_made.sum()
            _choose(seat, turn, i, levels[step] if seat.learns else 1.0, rng, actions)
    return len(rates)


@compiled
def _count(rewards: NDArray[np.float64], is_over: NDArray[np.bool_], tally: TallyArrays) -> None:
    returns, lengths = tally.returns, tally.lengths
    ended = np.zeros(rewards.shape[1])
    for e in range(len(is_over)):
        lengths[e] += 1
        for i in range(len(ended)):
            returns[e, i] += rewards[e, i]
        if is_over[e]:
            ended += returns[e]
            tally.ended[0] += 1
            tally.ended[1] += lengths[e]
            returns[e], lengths[e] = 0.0, 0
    for i in range(len(ended)):
        tally.paid[i] += ended[i]


@compiled
def _complete(
    seat: SeatArrays,
    turn: TurnArrays,
    player: int,
    is_over: NDArray[np.bool_],
    discount: float,
    is_made: NDArray[np.bool_],
) -> None:
    """Pay transitions, and write which are complete."""
    for e in range(len(is_over)):
        seat.reward[e] += seat.factor[e] * turn.rewards[e, player]
        seat.factor[e] *= discount
        is_made[e] = seat.has_begun[e] and (turn.acts[e, player] or is_over[e])
        seat.has_begun[e] = seat.has_begun[e] and not is_made[e]


@compiled
def _choose(
    seat: SeatArrays,
    turn: TurnArrays,
    player: int,
    epsilon: float,
    rng: np.random.Generator,
    actions: NDArray[np.int64],
) -> None:
    """Draw actions, and begin transitions where the player acts."""
    count = seat.legal.shape[1]
    for e in range(len(actions)):
        seen, legal = turn.observations[e, player], turn.legal[e, player, :count]
        actions[e, player] = _drawn(seat.values[seen], legal, epsilon, rng.random())
        if seat.learns and turn.acts[e, player]:
            seat.observation[e], seat.action[e] = seen, actions[e, player]
            seat.reward[e], seat.factor[e] = 0.0, 1.0
            seat.has_begun[e] = True


@compiled
def _drawn(
    values: NDArray[np.float64], legal: NDArray[np.bool_], epsilon: float, number: float
) -> int:
    """Return what ``draw`` draws from the lottery of ``mostly_greedy``."""
    best = best_action(values, legal)
    share, total, chosen = epsilon / max(1, legal.sum()), 0.0, 0
    for action in range(len(values)):
        if legal[action]:
            chance = share + (1.0 - epsilon) if action == best else share
            if chance > 0.0:
                total += chance
                chosen = action
                if number < total:
                    break
    return chosen
