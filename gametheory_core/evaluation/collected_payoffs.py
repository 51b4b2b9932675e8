"""What a player collects under each own history, the others' strategies taken as chance.

For any labelling of nodes, the player's sequences for one,

    g[s] = sum over plays z labelled s of  payoff(z) chance(z) product over others j of w_j(z),

with ``w_j(z)`` the product of player j's own probabilities on the way. Plays on which label and
histories agree are merged into one term, and everything is an integer over one denominator.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from operator import mul
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ExactArray, IntArray, ScaledIntegers, scaled_integers
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.information_sets import CHANCE
from gametheory_core.games.play_payoffs import WORD, play_payoffs, whole_numbers
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.own_histories import history_weights, own_histories

MOST_BITS = 2**33  # of memory for a player's weights over one denominator: 1 GiB


@dataclass(frozen=True, eq=False)
class Collected:
    """Payoffs collected under each label.

    Attributes
    ----------
    numerators : list
        Integers, or fractions where integers over one denominator would fill the memory.
    denominator : int
        Positive; entry = numerator / denominator.
    """

    numerators: list[Any]
    denominator: int


@dataclass(frozen=True, eq=False)
class _Terms:
    """Plays that agree in all keys, merged; sorted by the first key, zeros left out.

    Attributes
    ----------
    keys : list of int64 arrays (num_terms,)
        The label, then the history of each other player.
    coefficients : int64 or object array (num_terms,)
        Payoff times chance, added up.
    """

    keys: list[NDArray[np.int64]]
    coefficients: NDArray[Any]


def collected_payoffs(
    game: ExtensiveFormGame,
    profile: BehavioralProfile,
    *,
    player: int,
    node_label: IntArray,
    num_labels: int,
) -> Collected:
    """Add up what plays pay a player, weighted by everybody else's reach.

    Parameters
    ----------
    profile : BehavioralProfile
        Exact, and of the game (trusted). Only the others' strategies matter.
    player : int
        Who is paid.
    node_label : int array (num_nodes,)
        In ``0 .. num_labels - 1``; looked at for terminal nodes.
    num_labels : int
    """
    others = [other for other in range(game.num_players) if other != player]
    histories = [own_histories(game, other) for other in others]
    weights = [over_one_denominator(history_weights(own, profile.flat)) for own in histories]
    at_ends = [node_label, *(own.node_history for own in histories)]
    coefficients, denominator = _payoff_times_chance(game, player)
    live = coefficients != 0
    for own, scaled in zip(histories, weights, strict=True):
        live &= (scaled.numerators != 0)[own.node_history[game.terminals]].astype(bool)
    ends = game.terminals[live]
    terms = _merged([keys[ends].astype(np.int64) for keys in at_ends], coefficients[live])
    factors = [
        cast("list[Any]", scaled.numerators[keys].tolist())
        for keys, scaled in zip(terms.keys[1:], weights, strict=True)
    ]
    paid = cast("list[int]", terms.coefficients.tolist())
    numerators: list[Any] = [0] * num_labels
    starts = np.flatnonzero(np.diff(terms.keys[0], prepend=-1)).tolist()
    for start, stop in pairwise([*starts, len(paid)]):
        parts = [paid[start:stop], *(own[start:stop] for own in factors)]
        numerators[int(terms.keys[0][start])] = sum(reduce(_times, parts))
    return Collected(numerators, denominator * math.prod(w.denominator for w in weights))


def expected_payoff(
    game: ExtensiveFormGame, profile: BehavioralProfile, *, player: int
) -> Fraction:
    """Return a player's expected payoff; the profile is exact, and of the game (trusted)."""
    own = own_histories(game, player)
    weights = over_one_denominator(history_weights(own, profile.flat))
    collected = collected_payoffs(
        game, profile, player=player, node_label=own.node_history, num_labels=len(own.parent)
    )
    total = sum(_times(collected.numerators, weights.numerators.tolist()))
    return Fraction(total) / (collected.denominator * weights.denominator)


def over_one_denominator(weights: ExactArray) -> ScaledIntegers:
    """Scale weights to integers; fractions stay if integers would take too much memory."""
    common = 1
    for denominator in {weight.denominator for weight in weights.tolist()}:
        common = math.lcm(common, denominator)
        if common.bit_length() * len(weights) > MOST_BITS:
            return ScaledIntegers(weights, 1)
    return scaled_integers(weights)


def _times(left: list[Any], right: list[Any]) -> list[Any]:
    return list(map(mul, left, right))


def _payoff_times_chance(game: ExtensiveFormGame, player: int) -> tuple[NDArray[Any], int]:
    """Return payoff times chance at each end of play, words only if all of them add up in words."""
    chance = own_histories(game, CHANCE)
    shares = whole_numbers(history_weights(chance, game.exact_chance_probabilities).tolist())
    payoffs = play_payoffs(game, player=player)
    at_ends = shares.numerators[chance.node_history[game.terminals]]
    largest = shares.largest * payoffs.largest * len(game.terminals)
    kind = np.int64 if largest < WORD else object
    products = payoffs.numerators.astype(kind) * at_ends.astype(kind)
    return products, payoffs.denominator * shares.denominator


def _merged(keys: list[NDArray[np.int64]], coefficients: NDArray[Any]) -> _Terms:
    """Add up coefficients with equal keys."""
    order = np.lexsort(keys[::-1])  # the last key counts first
    ordered = [own[order] for own in keys]
    is_new = np.zeros(len(order), dtype=bool)
    is_new[:1] = True
    for own in ordered:
        is_new[1:] |= own[1:] != own[:-1]
    first = np.flatnonzero(is_new)
    totals = np.add.reduceat(coefficients[order], first) if first.size else coefficients[:0]
    return _Terms([own[first] for own in ordered], totals)
