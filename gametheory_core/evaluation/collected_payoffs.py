"""What a player collects under each own history, the others' strategies taken as chance.

For any labelling of nodes, the player's sequences for one,

    g[s] = sum over plays z labelled s of  payoff(z) chance(z) product over others j of w_j(z),

with ``w_j(z)`` the product of player j's own probabilities on the way. Plays on which label and
histories agree are merged into one term, and everything is an integer over one denominator.

What one player did on the way to each node, and how likely a strategy makes it.

Nodes with the same own actions on the way share a *history*, so that products of probabilities are
taken once for each history and not for each node. With perfect recall histories are the player's
sequences, kept apart where an action ends at several depths; without it there may be more of them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from operator import mul
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import (
    ONE,
    ExactArray,
    IntArray,
    NumberArray,
    ScaledIntegers,
    freeze,
    is_exact,
    scaled_integers,
)
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.properties import WORD, play_payoffs, whole_numbers
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.strategies.behavioral import BehavioralProfile


@dataclass(frozen=True, eq=False)
class OwnHistories:
    """A player's (or chance's) own actions on the way to each node.

    Attributes:
        node_history (num_nodes,): History at each node; 0 is the empty one.
        parent (num_histories,): The history with the last action left out; -1 for the empty one.
        action (num_histories,): The last action, in the game's flat order; -1 for the empty one.
        level_offset: Histories ``level_offset[k] .. level_offset[k + 1]`` extend earlier ones.
    """

    node_history: IntArray
    parent: IntArray
    action: IntArray
    level_offset: tuple[int, ...]


def own_histories(game: ExtensiveFormGame, player: int) -> OwnHistories:
    """Number the histories of a player, or of ``CHANCE``, an extended history after the shorter."""
    num_actions = int(game.action_offset[-1])
    own = game.node_player == player
    history = np.zeros(game.num_nodes, dtype=np.int32)
    parents, actions = [np.array([-1])], [np.array([-1])]
    offsets = [0, 1]
    for start, stop in zip(game.level_offset[1:-1], game.level_offset[2:], strict=True):
        above = game.parent[start:stop]
        history[start:stop] = history[above]
        moved = start + np.flatnonzero(own[above])
        if not moved.size:
            continue
        pairs = history[moved].astype(np.int64) * num_actions + game.node_action[moved]
        found, places = np.unique(pairs, return_inverse=True)
        history[moved] = offsets[-1] + places
        parents.append(found // num_actions)
        actions.append(found % num_actions)
        offsets.append(offsets[-1] + len(found))
    return OwnHistories(
        node_history=freeze(history),
        parent=freeze(np.concatenate(parents).astype(np.int32)),
        action=freeze(np.concatenate(actions).astype(np.int32)),
        level_offset=tuple(offsets),
    )


def history_weights(histories: OwnHistories, probabilities: NumberArray) -> NumberArray:
    """Multiply probabilities along each history, shape (num_histories,).

    Args:
        probabilities: Of the game's flat actions, exact or float; only those in histories matter.
    """
    weights = np.empty(len(histories.parent), dtype=probabilities.dtype)
    weights[0] = ONE if is_exact(weights) else 1.0
    for start, stop in pairwise(histories.level_offset[1:]):
        before = weights[histories.parent[start:stop]]
        weights[start:stop] = before * probabilities[histories.action[start:stop]]
    return freeze(weights)


MOST_BITS = 2**33  # of memory for a player's weights over one denominator: 1 GiB


@dataclass(frozen=True, eq=False)
class Collected:
    """Payoffs collected under each label.

    Attributes:
        numerators: Integers, or fractions where integers over one denominator would fill the
            memory.
        denominator: Positive; entry = numerator / denominator.
    """

    numerators: list[Any]
    denominator: int


@dataclass(frozen=True, eq=False)
class MergedPayoffs:
    """What plays pay, weighted by chance: plays that agree in all labels merged, zeros left out.

    Attributes:
        labels (num_terms,): In the order asked for; sorted, the first label counts first.
        numerators (num_terms,): Payoff times chance, added up.
        denominator: Positive; payoff = numerator / denominator.
    """

    labels: list[NDArray[np.int64]]
    numerators: NDArray[Any]
    denominator: int


def merged_payoffs(
    game: ExtensiveFormGame,
    *,
    player: int,
    node_labels: Sequence[IntArray],
    is_live: NDArray[np.bool_] | None = None,
) -> MergedPayoffs:
    """Add up a player's payoffs, weighted by chance, of plays with equal labels.

    Args:
        player: Who is paid.
        node_labels (num_nodes,): Looked at for terminal nodes: the players' sequences, for example.
        is_live (num_terminals,): Which plays count; default all.
    """
    chance = own_histories(game, CHANCE)
    shares = whole_numbers(history_weights(chance, game.exact_chance_probabilities).tolist())
    payoffs = play_payoffs(game, player=player)
    factors = max(1, shares.largest), max(1, payoffs.largest)  # each must fit, if one is 0 too
    largest = factors[0] * factors[1] * len(game.terminals)  # bounds each sum
    kind = np.int64 if largest < WORD else object
    at_ends = shares.numerators[chance.node_history[game.terminals]]
    paid = payoffs.numerators.astype(kind) * at_ends.astype(kind)
    live = paid != 0 if is_live is None else is_live & (paid != 0)
    ends = game.terminals[live]
    labels, totals = _merged([own[ends].astype(np.int64) for own in node_labels], paid[live])
    return MergedPayoffs(labels, totals, payoffs.denominator * shares.denominator)


def collected_payoffs(
    game: ExtensiveFormGame,
    profile: BehavioralProfile,
    *,
    player: int,
    node_label: IntArray,
    num_labels: int,
) -> Collected:
    """Add up what plays pay a player, weighted by everybody else's reach.

    Args:
        profile: Exact, and of the game (trusted). Only the others' strategies matter.
        player: Who is paid.
        node_label (num_nodes,): In ``0 .. num_labels - 1``; looked at for terminal nodes.
    """
    others = [other for other in range(game.num_players) if other != player]
    histories = [own_histories(game, other) for other in others]
    weights = [over_one_denominator(history_weights(own, profile.flat)) for own in histories]
    is_live = np.ones(len(game.terminals), dtype=bool)
    for own, scaled in zip(histories, weights, strict=True):
        is_live &= (scaled.numerators != 0).astype(bool)[own.node_history[game.terminals]]
    node_labels = [node_label, *(own.node_history for own in histories)]
    terms = merged_payoffs(game, player=player, node_labels=node_labels, is_live=is_live)
    factors = [
        cast("list[Any]", scaled.numerators[label].tolist())
        for label, scaled in zip(terms.labels[1:], weights, strict=True)
    ]
    paid = cast("list[int]", terms.numerators.tolist())
    numerators: list[Any] = [0] * num_labels
    starts = np.flatnonzero(np.diff(terms.labels[0], prepend=-1)).tolist()
    for start, stop in pairwise([*starts, len(paid)]):
        parts = [paid[start:stop], *(own[start:stop] for own in factors)]
        numerators[int(terms.labels[0][start])] = sum(reduce(_times, parts))
    return Collected(numerators, terms.denominator * math.prod(w.denominator for w in weights))


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


def _merged(
    keys: list[NDArray[np.int64]], values: NDArray[Any]
) -> tuple[list[NDArray[np.int64]], NDArray[Any]]:
    """Add up values with equal keys; zero sums are left out."""
    order = np.lexsort(keys[::-1])  # the last key counts first
    ordered = [own[order] for own in keys]
    is_new = np.zeros(len(order), dtype=bool)
    is_new[:1] = True
    for own in ordered:
        is_new[1:] |= own[1:] != own[:-1]
    first = np.flatnonzero(is_new)
    totals = np.add.reduceat(values[order], first) if first.size else values[:0]
    matters = totals != 0
    return [own[first[matters]] for own in ordered], totals[matters]
