"""Regret minimization in public-state games: the sweeps of trees, fed by ranges of hands.

Players' sequences hang together as in any tree, and learn as in any tree. What they earn is not
read off a matrix of payoffs: each end of play of a history pays all own hands at once, by running
sums over the other player's hands in order of strength. So nothing is stored, and nothing done, for
pairs of hands.

Nothing here knows numba: the functions run as they are, and ``compiled_twins`` compiles them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.treeplex import Forest, best_response_sweep, own_treeplex
from solvers._kernels.treeplex_regret import LEAST_TOTAL, RegretArrays, RuleNumbers, learn

EQUAL, TABLE = -1, -2  # how hands are compared: not at all; by table ``TABLE - number``


class Side(NamedTuple):
    """What ends of play are to one player, read-only.

    ``start``, ``stride`` (ends,) int64: hand ``h`` comes there on sequence ``start + h * stride``;
    ``factors`` (deals, terms, hands) float64 of how likely hands are; ``order`` (comparisons,
    hands) int32: own hands, the weakest first; ``below``, ``upto`` (comparisons, hands) int32: how
    many of the other's hands are weaker, and weaker or equal; ``alike`` (comparisons, hands of one
    number) int32: which of ``paid`` (situations, 3) float64 counts there, which are for the own
    hand being stronger, equal, weaker; ``tables`` (tables, hands, the other's hands) float64.
    """

    start: NDArray[np.int64]
    stride: NDArray[np.int64]
    factors: NDArray[np.float64]
    order: NDArray[np.int32]
    below: NDArray[np.int32]
    upto: NDArray[np.int32]
    alike: NDArray[np.int32]
    paid: NDArray[np.float64]
    tables: NDArray[np.float64]


class PublicEnds(NamedTuple):
    """The ends of play of all histories, read-only.

    ``situation`` (ends,) int32; ``deal``, ``compared`` (situations,) int32: which deal, and which
    comparison, ``EQUAL`` or a table; ``same`` (deals, hands of one number) float64,
    without entries if all are zero; ``first`` and
    ``second`` are the players' sides.
    """

    situation: NDArray[np.int32]
    deal: NDArray[np.int32]
    compared: NDArray[np.int32]
    same: NDArray[np.float64]
    first: Side
    second: Side


def advance_public(
    forest: Forest,
    ends: PublicEnds,
    arrays: RegretArrays,
    rule: RuleNumbers,
    room: NDArray[np.float64],
    played: NDArray[np.int64],
    count: int,
) -> None:
    """Play ``count`` steps; ``arrays``, ``room`` and ``played`` (1,), their number, are modified.

    ``played`` counts each step as it ends, so that it fits the arrays whenever this returns.
    """
    for step in range(played[0] + 1, played[0] + count + 1):
        find_public_gradient(forest, ends, arrays.plans, arrays.gradient, room, 0)
        if rule.alternates:
            learn(forest, arrays, rule, 0, step)
        find_public_gradient(forest, ends, arrays.plans, arrays.gradient, room, 1)
        if not rule.alternates:
            learn(forest, arrays, rule, 0, step)
        learn(forest, arrays, rule, 1, step)
        played[0] = step


def find_public_gradient(
    forest: Forest,
    ends: PublicEnds,
    plans: NDArray[np.float64],
    gradient: NDArray[np.float64],
    room: NDArray[np.float64],
    player: int,
) -> None:
    """Write a player's part of ``gradient``, a vector over all players' sequences, in place.

    ``room`` (3, hands + 1) is modified too.
    """
    offsets = forest.first_entry
    one = gradient[offsets[player] : offsets[player + 1]]
    other = plans[offsets[1 - player] : offsets[2 - player]]
    one[:] = 0.0
    if player == 0:
        add_ends(ends, ends.first, ends.second, other, one, room)
    else:
        add_ends(ends, ends.second, ends.first, other, one, room)


def add_ends(
    ends: PublicEnds,
    own: Side,
    other: Side,
    plan: NDArray[np.float64],
    gradient: NDArray[np.float64],
    room: NDArray[np.float64],
) -> None:
    """Add what all ends pay own hands against the other's ``plan``; ``gradient`` is modified."""
    hands, others = own.factors.shape[2], other.factors.shape[2]
    alike = ends.same.shape[1]
    sums, reach, values = room[0], room[1], room[2]
    for end in range(len(ends.situation)):
        situation = ends.situation[end]
        deal, kind, paid = ends.deal[situation], ends.compared[situation], own.paid[situation]
        start, stride = other.start[end], other.stride[end]
        for hand in range(others):
            reach[hand] = plan[start + hand * stride]
        for hand in range(hands):
            values[hand] = 0.0
        for term in range(own.factors.shape[1]):
            weights, factors = other.factors[deal, term], own.factors[deal, term]
            if kind >= 0:
                order, below, upto = other.order[kind], own.below[kind], own.upto[kind]
                total = 0.0
                for place in range(others):
                    sums[place] = total
                    total += weights[order[place]] * reach[order[place]]
                sums[others] = total
                for hand in range(hands):
                    weaker, not_stronger = sums[below[hand]], sums[upto[hand]]
                    earned = paid[0] * weaker + paid[1] * (not_stronger - weaker)
                    earned += paid[2] * (total - not_stronger)
                    values[hand] += factors[hand] * earned
            elif kind == EQUAL:
                total = 0.0
                for hand in range(others):
                    total += weights[hand] * reach[hand]
                for hand in range(hands):
                    values[hand] += factors[hand] * (paid[1] * total)
            else:
                table = own.tables[TABLE - kind]
                for hand in range(hands):
                    total = 0.0
                    for place in range(others):
                        total += table[hand, place] * (weights[place] * reach[place])
                    values[hand] += factors[hand] * total
        for hand in range(alike):
            earned = paid[1]
            if kind >= 0:
                earned = paid[own.alike[kind, hand]]
            elif kind != EQUAL:
                earned = own.tables[TABLE - kind, hand, hand]
            values[hand] += ends.same[deal, hand] * reach[hand] * earned
        start, stride = own.start[end], own.stride[end]
        for hand in range(hands):
            gradient[start + hand * stride] += values[hand]


def public_response(
    forest: Forest,
    ends: PublicEnds,
    totals: NDArray[np.float64],
    gradient: NDArray[np.float64],
    room: NDArray[np.float64],
    player: int,
) -> float:
    """Return what a best response to the other's summed plans earns, as many times as are summed.

    ``gradient`` and ``room`` are modified in place.
    """
    find_public_gradient(forest, ends, totals, gradient, room, player)
    own = gradient[forest.first_entry[player] : forest.first_entry[player + 1]]
    return best_response_sweep(own_treeplex(forest, player), own)


def write_whole_plan(
    forest: Forest, all_totals: NDArray[np.float64], plan: NDArray[np.int64], player: int
) -> None:
    """Divide ``plan[0]`` parts along a player's sequences as totals are; ``plan`` is modified.

    Each information set passes on exactly what comes to it, what rounding leaves over to its most
    likely action.
    """
    treeplex = own_treeplex(forest, player)
    first, parent = treeplex.first_sequence, treeplex.parent_sequence
    totals = all_totals[forest.first_entry[player] : forest.first_entry[player + 1]]
    for infoset in range(len(parent)):
        start, stop = first[infoset], first[infoset + 1]
        whole, total, best = plan[parent[infoset]], 0.0, start
        for sequence in range(start, stop):
            total += totals[sequence]
            if totals[sequence] > totals[best]:
                best = sequence
        left = whole
        for sequence in range(start, stop):
            share = totals[sequence] / total if total >= LEAST_TOTAL else 1.0 / (stop - start)
            plan[sequence] = int(whole * share)
            left -= plan[sequence]
        plan[best] += left
