"""All extreme equilibria, and the best commitment, of many small games, exactly.

The vertices of a best-response polytope are visited one from another by pivots whose ties are
broken lexicographically (see ``solvers.bimatrix.best_response_polytopes``): the polytope so shifted
is simple, and its graph connected, so that none is missed. Pairs of vertices that have all labels
between them are the extreme equilibria. Where one reply is best against a commitment, a vertex of
the leader's polytope with that label is the best one.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers._kernels import many_paths
from solvers._kernels.compile import compiled, placed
from solvers._kernels.many_games import Games, place_payoffs
from solvers._kernels.many_paths import (
    Room,
    Seat,
    begin,
    leaving_row,
    read_vertex,
    seat_of,
    write_payoffs,
)
from solvers._kernels.wide_integers import (
    compare_products,
    exchange_in_room,
    multiply,
    negate,
    sign,
    subtract,
    tableau_words,
    write_word,
)

ALONE, TIED = 1, 2
_ONE = np.int64(1)


class Visits(NamedTuple):
    """What is known of the vertices of both polytopes, all modified in place.

    ``room`` has a place for each basis of the first polytope, then for each of the second.
    """

    bases: NDArray[np.int64]  # (num_places,): bit sets of tight labels that are not basic
    tight: NDArray[np.int64]  # (num_places,): bit sets of all tight labels
    pairs: NDArray[np.int64]  # (most pairs, 2)
    capacity: tuple[int, int]  # bases of each polytope


@partial(compiled, nogil=True)
def list_equilibria(
    given: Games,
    first_game: int,
    arrays: Room,
    visited: Visits,
    counts: NDArray[np.int64],
    row_weights: NDArray[np.uint64],
    column_weights: NDArray[np.uint64],
    row_strategies: NDArray[np.float64],
    column_strategies: NDArray[np.float64],
) -> int:
    """List the extreme equilibria of games, one after the other, while there is space.

    Args:
        first_game: Where to begin.
        counts (num_games,): How many equilibria each game has. Modified in place, as is all that
            follows.
        row_weights (space, m, words), column_weights (space, n, words)
        row_strategies (space, m), column_strategies (space, n): Nearly the same, in floats.

    Returns:
        The game to go on with.
    """
    games, room, visits = placed(given), placed(arrays), placed(visited)
    num_rows, num_columns = games.mantissas.shape[2], games.mantissas.shape[3]
    words = row_weights.shape[2]
    first = seat_of(visits.capacity, 0, 0, num_rows, num_columns, words)
    second = seat_of(visits.capacity, 1, 0, num_rows, num_columns, words)
    written = 0
    for game in range(first_game, games.fits.shape[0]):
        if not games.fits[game]:
            continue
        write_payoffs(games, game, room, first, second)
        firsts = _visit_all(first, room, visits)
        seconds = _visit_all(second, room, visits)
        found = _pair(visits, firsts, seconds, num_rows, num_columns)
        if written + found > row_weights.shape[0]:
            return game
        counts[game] = found
        for k in range(found):
            seat = seat_of(visits.capacity, 0, visits.pairs[k, 0], num_rows, num_columns, words)
            read_vertex(seat, room, row_weights, row_strategies, written)
            seat = seat_of(visits.capacity, 1, visits.pairs[k, 1], num_rows, num_columns, words)
            read_vertex(seat, room, column_weights, column_strategies, written)
            written += 1
    return games.fits.shape[0]


@compiled
def _visit_all(origin: Seat, room: Room, visits: Visits) -> int:
    """Visit all bases of the shifted polytope, from the vertex 0 on; return how many there are."""
    begin(origin, room)
    start = origin.side
    rows, columns, words = origin.shape
    cells = rows * columns * words
    most = min(rows, columns - 1)
    visits.bases[start] = ((_ONE << (columns - 1)) - 1) << origin.first_own
    count, head = 1, 0
    while head < count:
        here = Seat(
            start + head,
            origin.table + head * cells,
            origin.shape,
            origin.unit + head * words,
            origin.zero,
            origin.work,
            origin.first_own,
            origin.first_slack,
        )
        visits.tight[here.side] = _tight_labels(here, room, visits)
        for column in range(columns - 1):
            row = leaving_row(here, room, column)
            entering, leaving = room.nonbasic[here.side, column], room.basic[here.side, row]
            basis = visits.bases[here.side] ^ (_ONE << entering) ^ (_ONE << leaving)
            if _is_known(visits.bases, start, start + count, basis):
                continue
            new = start + count
            table, unit = origin.table + count * cells, origin.unit + count * words
            for k in range(cells):
                room.numbers[table + k] = room.numbers[here.table + k]
            for k in range(words):
                room.numbers[unit + k] = room.numbers[here.unit + k]
            for k in range(rows):
                room.basic[new, k] = room.basic[here.side, k]
            for k in range(columns - 1):
                room.nonbasic[new, k] = room.nonbasic[here.side, k]
            order = room.orders[here.side]
            own_end = here.first_own + columns - 1
            order += np.int64(here.first_own <= entering < own_end)
            order -= np.int64(here.first_own <= leaving < own_end)
            bits = room.bits[here.side]
            room.orders[new], room.bits[new] = order, bits
            after = tableau_words(order, bits, most)
            room.in_use[new] = exchange_in_room(
                room.numbers,
                table,
                origin.shape,
                row,
                column,
                unit,
                (room.in_use[here.side], after),
                origin.work,
            )
            room.basic[new, row], room.nonbasic[new, column] = entering, leaving
            visits.bases[new] = basis
            count += 1
        head += 1
    return count


@compiled
def _is_known(bases: NDArray[np.int64], start: int, end: int, basis: int) -> bool:
    k = start
    while k < end and bases[k] != basis:
        k += 1
    return k < end


@compiled
def _tight_labels(seat: Seat, room: Room, visits: Visits) -> int:
    """Return the bit set of labels whose variables are zero, basic or not."""
    rows, columns, words = seat.shape
    tight = visits.bases[seat.side]
    for i in range(rows):
        at = seat.table + (i * columns + columns - 1) * words
        if sign(room.numbers, at, room.in_use[seat.side]) == 0:
            tight |= _ONE << room.basic[seat.side, i]
    return tight


@compiled
def _pair(visits: Visits, firsts: int, seconds: int, num_rows: int, num_columns: int) -> int:
    """List pairs of different vertices that have all labels, without (0, 0), sorted by support."""
    everything = (_ONE << (num_rows + num_columns)) - 1
    row_labels = (_ONE << num_rows) - 1
    column_labels = everything ^ row_labels
    second = visits.capacity[0]
    found = 0
    for i in range(firsts):
        first_tight = visits.tight[i]
        if first_tight & row_labels == row_labels or _is_known(visits.tight, 0, i, first_tight):
            continue
        for j in range(seconds):
            tight = visits.tight[second + j]
            if (
                first_tight | tight != everything
                or tight & column_labels == column_labels
                or _is_known(visits.tight, second, second + j, tight)
            ):
                continue
            k = found
            while k > 0 and _comes_before(
                first_tight,
                tight,
                visits.tight[visits.pairs[k - 1, 0]],
                visits.tight[second + visits.pairs[k - 1, 1]],
                row_labels,
                column_labels,
            ):
                visits.pairs[k, 0] = visits.pairs[k - 1, 0]
                visits.pairs[k, 1] = visits.pairs[k - 1, 1]
                k -= 1
            visits.pairs[k, 0], visits.pairs[k, 1] = i, j
            found += 1
    return found


@compiled
def _comes_before(
    first: int,
    second: int,
    other_first: int,
    other_second: int,
    row_labels: int,
    column_labels: int,
) -> bool:
    """Order by the row player's support, then the column player's, then by tight labels."""
    order = _order_of(~first & row_labels, ~other_first & row_labels)
    if order == 0:
        order = _order_of(~second & column_labels, ~other_second & column_labels)
    if order == 0:
        return first < other_first or (first == other_first and second < other_second)
    return order < 0


@compiled
def _order_of(played: int, others: int) -> int:
    """Compare two sets as sequences of their members in increasing order."""
    differing = played ^ others
    if differing == 0:
        return 0
    lowest = differing & -differing
    above = ~(lowest | (lowest - 1))
    if played & lowest:
        return -1 if others & above else 1
    return 1 if played & above else -1


@partial(compiled, nogil=True)
def best_commitments(
    given: Games,
    arrays: Room,
    visited: Visits,
    payoffs: NDArray[np.uint64],
    weights: NDArray[np.uint64],
    strategies: NDArray[np.float64],
    replies: NDArray[np.int64],
    status: NDArray[np.int8],
) -> None:
    """Find the best commitment of the row player, who has the follower's ties broken in favor.

    Args:
        payoffs ((m * n + 11) * wider words,): Work space; the words hold the product of a payoff
            and a sum of weights.
        weights (num_games, m, words): Modified in place, as is all that follows.
        strategies (num_games, m): Nearly the same, in floats.
        replies (num_games,)
        status (num_games,): ``ALONE`` or ``TIED``; as it was for games not looked at.
    """
    games, room, visits = placed(given), placed(arrays), placed(visited)
    num_rows, num_columns = games.mantissas.shape[2], games.mantissas.shape[3]
    words = weights.shape[2]
    wide = payoffs.shape[0] // (num_rows * num_columns + 11)
    first = seat_of(visits.capacity, 0, 0, num_rows, num_columns, words)
    second = seat_of(visits.capacity, 1, 0, num_rows, num_columns, words)
    cells = num_rows * num_columns * wide
    value, total, best_value, best_total = cells, cells + wide, cells + 2 * wide, cells + 3 * wide
    own, term, work = cells + 4 * wide, cells + 5 * wide, cells + 6 * wide
    for game in range(games.fits.shape[0]):
        if not games.fits[game]:
            continue
        write_payoffs(games, game, room, first, second)
        place_payoffs(games, game, 0, games.shifts[game, 0], payoffs, 0, wide)
        bases = _visit_all(first, room, visits)
        best = -1
        for vertex in range(bases):
            tight = visits.tight[vertex]
            row_labels = (_ONE << num_rows) - 1
            if tight & row_labels == row_labels or _is_known(visits.tight, 0, vertex, tight):
                continue
            seat = seat_of(visits.capacity, 0, vertex, num_rows, num_columns, words)
            for reply in range(num_columns):
                if not tight >> (num_rows + reply) & 1:
                    continue
                _earn(seat, room, payoffs, wide, reply, (value, total, own, term))
                order = 1
                if best >= 0:
                    order = compare_products(
                        payoffs, value, best_total, best_value, total, wide, work
                    )
                if order == 0:
                    status[game] = TIED
                elif order > 0:
                    best = vertex
                    replies[game], status[game] = reply, ALONE
                    for k in range(2 * wide):
                        payoffs[best_value + k] = payoffs[value + k]
        seat = seat_of(visits.capacity, 0, best, num_rows, num_columns, words)
        read_vertex(seat, room, weights, strategies, game)


@compiled
def _earn(
    seat: Seat,
    room: Room,
    payoffs: NDArray[np.uint64],
    wide: int,
    reply: int,
    places: tuple[int, int, int, int],
) -> None:
    """Write what the weights at a vertex earn against a reply, and their sum."""
    value, total, own, term = places
    rows, columns, reserved = seat.shape
    words = room.in_use[seat.side]
    write_word(payoffs, value, wide, 0)
    write_word(payoffs, total, wide, 0)
    for i in range(rows):
        action = room.basic[seat.side, i] - seat.first_own
        if not 0 <= action < columns - 1:
            continue
        at = seat.table + (i * columns + columns - 1) * reserved
        for k in range(wide):
            payoffs[own + k] = room.numbers[at + k] if k < words else np.uint64(0)
        multiply(payoffs, own, (action * rows + reply) * wide, wide, wide, term)
        negate(payoffs, term, wide)
        subtract(payoffs, value, term, wide)
        negate(payoffs, own, wide)
        subtract(payoffs, total, own, wide)


def new_room(
    num_actions: tuple[int, int], capacity: tuple[int, int], words: int
) -> tuple[Room, Visits]:
    """Make room for so many bases of each player's polytope."""
    first, second = capacity
    visits = Visits(
        bases=np.zeros(first + second, dtype=np.int64),
        tight=np.zeros(first + second, dtype=np.int64),
        pairs=np.zeros((first * second, 2), dtype=np.int64),
        capacity=capacity,
    )
    return many_paths.new_room(num_actions, words, capacity), visits
