"""What profiles of a tree are worth, and what best responses to them earn, in compiled code.

A player's *history* is what the player did so far: the own actions on the way. Players' histories
are numbered one after the other, and the history before each comes earlier. With perfect recall the
histories are the sequences. Plays that differ in nothing but chance are one *class*. Indices are
unsigned, which spares compiled code a look at their signs.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled


class ReplyTable(NamedTuple):
    """A tree as histories; read-only, indices uint32.

    ``first_history`` (players + 1,): where each player's histories start, the empty one first;
    ``history_before`` (histories,): the history one action shorter; ``history_action``
    (histories,): the flat action that ends it (of empty histories, both are 0 and unread);
    ``class_histories`` (classes, players); ``class_payoffs`` (classes, players) float64: payoffs
    times chance's probability, summed over the class;
    ``first_infoset`` (players + 1,): where each player's information sets start;
    ``infoset_before``, ``infoset_after``, ``infoset_stop`` (information sets,): the mover's history
    there, the history after the first action and the one beyond that of the last. These three are
    read for players who recall perfectly, whose ``recalls`` (players,) bool is true.
    """

    first_history: NDArray[np.uint32]
    history_before: NDArray[np.uint32]
    history_action: NDArray[np.uint32]
    class_histories: NDArray[np.uint32]
    class_payoffs: NDArray[np.float64]
    first_infoset: NDArray[np.uint32]
    infoset_before: NDArray[np.uint32]
    infoset_after: NDArray[np.uint32]
    infoset_stop: NDArray[np.uint32]
    recalls: NDArray[np.bool_]


class ReplyResults(NamedTuple):
    """What an evaluation finds; all modified in place.

    ``weights`` and ``collected`` (histories,) float64: own probabilities multiplied along a
    history, and the payoffs that await it; ``values`` and ``responses`` (players,) float64: payoffs
    of the profile and of best responses to it; ``actions`` (information sets,) uint32: best ones.
    """

    weights: NDArray[np.float64]
    collected: NDArray[np.float64]
    values: NDArray[np.float64]
    responses: NDArray[np.float64]
    actions: NDArray[np.uint32]


@compiled
def find_replies(table: ReplyTable, profile: NDArray[np.float64], results: ReplyResults) -> None:
    """Evaluate a profile, (flat actions of players,) float64; ``results`` is modified in place.

    Responses and actions are written for players who recall perfectly.
    """
    players = len(results.values)
    for player in range(players):
        first, stop = table.first_history[player], table.first_history[player + 1]
        results.weights[first] = 1.0
        for history in range(first + np.uint32(1), stop):
            results.weights[history] = (
                results.weights[table.history_before[history]]
                * profile[table.history_action[history]]
            )
    results.collected[:] = 0.0
    if players == 2:
        _collect_of_two(table, results)
    else:
        _collect(table, results)
    for player in range(players):
        first, stop = table.first_history[player], table.first_history[player + 1]
        results.values[player] = _expectation(
            results.weights[first:stop], results.collected[first:stop]
        )
        if table.recalls[player]:
            _respond(table, player, results)
            results.responses[player] = results.collected[first]


@compiled
def _collect_of_two(table: ReplyTable, results: ReplyResults) -> None:
    weights, collected = results.weights, results.collected
    for k in range(table.class_histories.shape[0]):
        first, second = table.class_histories[k, 0], table.class_histories[k, 1]
        collected[first] += weights[second] * table.class_payoffs[k, 0]
        collected[second] += weights[first] * table.class_payoffs[k, 1]


@compiled
def _collect(table: ReplyTable, results: ReplyResults) -> None:
    players = table.class_histories.shape[1]
    for k in range(table.class_histories.shape[0]):
        for player in range(players):
            reach = 1.0
            for other in range(players):
                if other != player:
                    reach *= results.weights[table.class_histories[k, other]]
            results.collected[table.class_histories[k, player]] += (
                reach * table.class_payoffs[k, player]
            )


@partial(compiled, fastmath={"reassoc"})  # add in any order, several at once
def _expectation(weights: NDArray[np.float64], payoffs: NDArray[np.float64]) -> float:
    total = 0.0
    for k in range(len(weights)):
        total += weights[k] * payoffs[k]
    return total


@compiled
def _respond(table: ReplyTable, player: int, results: ReplyResults) -> None:
    """Choose the best action from the last information set to the first."""
    collected = results.collected
    first, stop = table.first_infoset[player], table.first_infoset[player + 1]
    for back in range(stop - first):
        infoset = stop - np.uint32(1) - np.uint32(back)
        after = table.infoset_after[infoset]
        best, highest = after, collected[after]
        for history in range(after + np.uint32(1), table.infoset_stop[infoset]):
            if collected[history] > highest:
                best, highest = history, collected[history]
        results.actions[infoset] = best - after
        collected[table.infoset_before[infoset]] += highest
