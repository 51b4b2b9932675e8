"""Cells of strategies with given supports, halved until each holds no equilibrium, or one.

A cell is a simplex of strategies for each player, with ``m_j`` corners. What an action earns is
multilinear, so it is known on the cell from its values at the corners, ``M`` joint ones in all. The
rows of ``values`` are differences that vanish, or are at least 0, at every equilibrium with these
supports: ``N`` equations, then ``R - N`` inequalities. A cell is done

- if a combination of rows, inequalities with weights of at least 0, is below 0 at all corners; or
- if the equations have a solution that is provably the only one near the cell.

All numbers are floats and guide only: what is found is checked in rationals by others. These are
plain functions; ``compiled_twins`` holds ``settle_all`` compiled.
"""

import math

import numpy as np
from numpy.typing import NDArray

SPLIT, EXCLUDED, ALONE, OPEN = 0, 1, 2, 3
_MARGIN = 1e-12  # of values that start at most 1
_STEEPEST = 0.9  # of 1, so that the exact check has room
_HOPELESS = 1.5  # of 1, before it is tried
_PAD = 1e-3  # of a cell's size, by which the region around a solution is larger than needed
_FARTHEST = 4.0  # that a solution may lie from a cell, in cells
_NEWTON_STEPS = 15
_CONVERGED = 1e-13
_SINGULAR = 1e-9  # of the largest entry: smaller pivots are replaced
_PIVOTS = 60  # of least squares
_FLAT = 1e-11  # values that vary less are not told apart


def settle_cells(
    values: NDArray[np.float64],
    num_equations: int,
    owners: NDArray[np.int64],
    sizes: NDArray[np.int64],
    deepest: int,
    patience: int,
    steps: NDArray[np.int64],
    weights: NDArray[np.float64],
    points: NDArray[np.float64],
) -> int:
    """Halve a cell until its parts are done, depth first.

    Args:
        values (R, M): The equations' rows first; joint corners in the order of C.
        num_equations: ``N``.
        owners (R,): Whose actions a row compares.
        sizes (num_players,): ``m_j``.
        deepest: Halvings of one part at most.
        patience: Parts that are too deep, after which the rest is left open.
        steps (S, 4): What is done with the parts, depth first: the kind; of a split, the player,
            the corner that the first half keeps and the one that the second half keeps. Modified in
            place, as is all that follows.
        weights (S, R): Of the combinations below 0.
        points (S, sum of m_j): Of solutions, by each player's corners.

    Returns:
        The number of steps; parts past the last one, or too deep, are ``OPEN``.
    """
    num_rows, num_corners = values.shape
    digits = corner_digits(sizes, num_corners)
    levels = np.empty((deepest + 1, num_rows, num_corners))
    write(values, levels[0])
    edges = np.zeros((deepest + 1, 3), dtype=np.int64)
    is_second = np.zeros(deepest + 1, dtype=np.bool_)
    work = np.empty((num_rows, num_corners))
    depth, count, most, too_deep = 0, 0, len(steps), 0
    while True:
        at = levels[depth]
        kind, player, kept, moved = OPEN, -1, 0, 0
        # every part still to come needs a step of its own
        if count + depth + 2 < most and too_deep < patience:
            kind = settled(
                at, num_equations, owners, sizes, digits, work, weights[count], points[count]
            )
            if kind == OPEN:
                player, kept, moved = widest_of(at, sizes, digits)
                if player < 0 or depth == deepest:
                    too_deep += 1
                else:
                    kind = SPLIT
                    edges[depth, 0], edges[depth, 1], edges[depth, 2] = player, kept, moved
        steps[count, 0] = kind
        if kind == SPLIT:
            steps[count, 1], steps[count, 2], steps[count, 3] = player, kept, moved
        count += 1
        if kind == SPLIT:
            is_second[depth] = False
            write_half(at, levels[depth + 1], sizes, digits, player, kept, moved)
            depth += 1
            continue
        while depth > 0 and is_second[depth - 1]:
            depth -= 1
        if depth == 0:
            return count
        is_second[depth - 1] = True
        player, kept, moved = edges[depth - 1, 0], edges[depth - 1, 1], edges[depth - 1, 2]
        write_half(levels[depth - 1], levels[depth], sizes, digits, player, moved, kept)


def settle_all(
    tables: NDArray[np.float64],
    num_actions: NDArray[np.int64],
    chosen: NDArray[np.int64],
    owners: NDArray[np.int64],
    nums_equations: NDArray[np.int64],
    supports: NDArray[np.int64],
    sizes: NDArray[np.int64],
    deepest: int,
    patience: int,
    most: int,
    counts: NDArray[np.int64],
    exponents: NDArray[np.int64],
    steps: NDArray[np.int64],
    weights: NDArray[np.float64],
    points: NDArray[np.float64],
) -> None:
    """Settle the whole cells of some supports.

    Args:
        tables (T, N): Differences at all joint actions, these in the order of C.
        num_actions (num_players,)
        chosen (S, R): Of each supports' rows, the table.
        owners (S, R): Whose actions these compare.
        nums_equations (S,): Of each supports.
        supports (S, num_players, A): The actions, first those that are supported.
        sizes (S, num_players): How many are.
        deepest, patience: As in ``settle_cells``.
        most: Steps for one choice of supports.
        counts (S,): How many steps were made for each. Modified in place, as is all that follows.
        exponents (S, R): Powers of two that rows were divided by.
        steps, weights, points: As in ``settle_cells``, one after the other; of S times ``most``
            rows.
    """
    num_rows = chosen.shape[1]
    done = 0
    for s in range(len(supports)):
        num_corners = 1
        for j in range(len(num_actions)):
            num_corners *= sizes[s, j]
        digits = corner_digits(sizes[s], num_corners)
        values = np.empty((num_rows, len(digits)))
        for c in range(len(digits)):
            place = 0
            for j in range(len(num_actions)):
                place = place * num_actions[j] + supports[s, j, digits[c, j]]
            for row in range(num_rows):
                values[row, c] = tables[chosen[s, row], place]
        for row in range(num_rows):
            exponent = math.frexp(largest(values[row]))[1]
            exponents[s, row] = exponent
            scale(values[row], math.ldexp(1.0, -exponent))
        counts[s] = settle_cells(
            values,
            nums_equations[s],
            owners[s],
            sizes[s],
            deepest,
            patience,
            steps[done : done + most],
            weights[done : done + most],
            points[done : done + most],
        )
        done += counts[s]


def widest_edge(values: NDArray[np.float64], sizes: NDArray[np.int64]) -> tuple[int, int, int]:
    """Return the edge to halve: its player and both corners; player -1 if values do not vary."""
    return widest_of(values, sizes, corner_digits(sizes, values.shape[1]))


def corner_digits(sizes: NDArray[np.int64], num_corners: int) -> NDArray[np.int64]:
    """Return each player's corner in every joint corner."""
    digits = np.empty((num_corners, len(sizes)), dtype=np.int64)
    for c in range(num_corners):
        rest = c
        for j in range(len(sizes) - 1, -1, -1):
            digits[c, j] = rest % sizes[j]
            rest //= sizes[j]
    return digits


def stride_of(sizes: NDArray[np.int64], player: int) -> int:
    stride = 1
    for j in range(player + 1, len(sizes)):
        stride *= sizes[j]
    return stride


def write_half(
    whole: NDArray[np.float64],
    half: NDArray[np.float64],
    sizes: NDArray[np.int64],
    digits: NDArray[np.int64],
    player: int,
    kept: int,
    moved: int,
) -> None:
    """Write the half whose corner ``moved`` has gone to the middle of its edge to ``kept``."""
    write(whole, half)
    shift = (kept - moved) * stride_of(sizes, player)
    for c in range(whole.shape[1]):
        if digits[c, player] == moved:
            for row in range(len(whole)):
                half[row, c] = 0.5 * (whole[row, c] + whole[row, c + shift])


def widest_of(
    values: NDArray[np.float64], sizes: NDArray[np.int64], digits: NDArray[np.int64]
) -> tuple[int, int, int]:
    """Return the edge along which values vary most, each row for its size; player -1 if none do."""
    num_rows, num_corners = values.shape
    scales = np.empty(num_rows)
    for row in range(num_rows):
        low, high = values[row].min(), values[row].max()
        scales[row] = 1.0 / np.sqrt(max(-low, high, _FLAT)) if low <= 0.0 else 0.0
    best, player, first, second = _FLAT, -1, 0, 0
    for j in range(len(sizes)):
        stride = stride_of(sizes, j)
        for p in range(sizes[j]):
            for q in range(p + 1, sizes[j]):
                most = 0.0
                for c in range(num_corners):
                    if digits[c, j] == p:
                        for row in range(num_rows):
                            change = values[row, c] - values[row, c + (q - p) * stride]
                            most = max(most, abs(change) * scales[row])
                if most > best:
                    best, player, first, second = most, j, p, q
    return player, first, second


def settled(
    values: NDArray[np.float64],
    num_equations: int,
    owners: NDArray[np.int64],
    sizes: NDArray[np.int64],
    digits: NDArray[np.int64],
    work: NDArray[np.float64],
    weights: NDArray[np.float64],
    point: NDArray[np.float64],
) -> int:
    """Return how a cell is done, with its weights or its point; ``OPEN`` if it is not."""
    if excluded_by_a_pair(values, num_equations, owners, weights):
        return EXCLUDED
    if num_equations == 0:
        return OPEN
    if excluded_by_least_squares(values, num_equations, weights):
        return EXCLUDED
    at = 0
    for j in range(len(sizes)):
        for _ in range(sizes[j]):
            point[at] = 1.0 / sizes[j]
            at += 1
    slopes = np.empty((len(values), num_equations))
    residual = np.empty(len(values))
    linearize(values, sizes, digits, point, residual, slopes)
    inverse = inverted(slopes, num_equations)
    room = np.ones(len(sizes))
    if not is_steady(values, num_equations, sizes, digits, inverse, room, _HOPELESS):
        return OPEN
    if not follow_newton(values, num_equations, sizes, digits, point, residual, slopes):
        return OPEN
    inverse = inverted(slopes, num_equations)
    if is_alone(values, num_equations, sizes, digits, point, inverse, work):
        return ALONE
    return OPEN


def excluded_by_a_pair(
    values: NDArray[np.float64],
    num_equations: int,
    owners: NDArray[np.int64],
    weights: NDArray[np.float64],
) -> bool:
    """Look for a supported action that earns less than another one at all corners."""
    num_rows = len(values)
    for row in range(num_rows):
        low, high = values[row].min(), values[row].max()
        if high < -_MARGIN or (row < num_equations and low > _MARGIN):
            fill(weights, 0.0)
            weights[row] = 1.0 if high < -_MARGIN else -1.0
            return True
    for a in range(num_equations):
        for b in range(num_rows):
            if b != a and owners[a] == owners[b]:
                most = -1.0
                for c in range(values.shape[1]):
                    most = max(most, values[b, c] - values[a, c])
                if most < -_MARGIN:
                    fill(weights, 0.0)
                    weights[a], weights[b] = -1.0, 1.0
                    return True
    return False


def excluded_by_least_squares(
    values: NDArray[np.float64], num_equations: int, weights: NDArray[np.float64]
) -> bool:
    """Look for a combination below 0 by nonnegative least squares (Lawson and Hanson 1974).

    Corners ``v_c`` with weights ``x_c >= 0`` of sum 1, less some of the inequalities' unit vectors,
    come as near to 0 as they can. What is left of ``(0, ..., 0, 1)`` after ``(v_c, 1)`` then has a
    product of at most 0 with each of these: its first part is the combination.
    """
    num_rows, num_corners = values.shape
    num_columns = num_corners + num_rows - num_equations
    size = num_rows + 1
    scales = np.empty(num_rows)
    for row in range(num_rows):
        scales[row] = 1.0 / max(largest(values[row]), 1e-300)
    basis = np.empty(size + 1, dtype=np.int64)
    columns = np.zeros((size + 1, size))
    products = np.empty((size + 1, size + 1))
    system = np.empty((size + 1, size + 2))
    shares, proposed = np.zeros(size + 1), np.zeros(size + 1)
    left = np.zeros(size)
    left[num_rows] = 1.0
    is_in = np.zeros(num_columns, dtype=np.bool_)
    count = 0
    for _ in range(_PIVOTS):
        best, entering, most = 1e-10, -1, -1.0
        for c in range(num_columns):
            if c < num_corners:
                product = 0.0
                for row in range(num_rows):
                    product += left[row] * scales[row] * values[row, c]
                most = max(most, product)
                product += left[num_rows]
            else:
                product = -left[num_equations + c - num_corners]
            if product > best and not is_in[c]:
                best, entering = product, c
        least = 0.0
        for row in range(num_equations, num_rows):
            least = min(least, left[row])
        if most < -_MARGIN and least >= 0:
            total = 0.0
            for row in range(num_rows):
                weights[row] = left[row] * scales[row]
                total += abs(weights[row])
            scale(weights, 1.0 / total)
            return True
        if entering < 0 or count == size or left[num_rows] < 1e-9:
            return False
        is_in[entering] = True
        basis[count] = entering
        column = columns[count]
        fill(column, 0.0)
        if entering < num_corners:
            for row in range(num_rows):
                column[row] = scales[row] * values[row, entering]
            column[num_rows] = 1.0
        else:
            column[num_equations + entering - num_corners] = -1.0
        shares[count] = 0.0
        for k in range(count + 1):
            total = 0.0
            for row in range(size):
                total += column[row] * columns[k, row]
            products[k, count] = total
        count += 1
        while True:
            if not fit(products, columns, count, system, proposed):
                return False
            step, leaving = 1.0, -1
            for k in range(count):
                if proposed[k] <= 0.0:
                    ratio = shares[k] / max(shares[k] - proposed[k], 1e-300)
                    if ratio < step or leaving < 0:
                        step, leaving = ratio, k
            for k in range(count):
                shares[k] += step * (proposed[k] - shares[k])
            if leaving < 0:
                break
            is_in[basis[leaving]] = False
            for k in range(leaving, count - 1):
                basis[k], shares[k] = basis[k + 1], shares[k + 1]
                for row in range(size):
                    columns[k, row] = columns[k + 1, row]
                for other in range(k + 1):
                    shift = 1 if other >= leaving else 0
                    products[other, k] = products[other + shift, k + 1]
            count -= 1
        fill(left, 0.0)
        left[num_rows] = 1.0
        for k in range(count):
            for row in range(size):
                left[row] -= shares[k] * columns[k, row]
    return False


def fit(
    products: NDArray[np.float64],
    columns: NDArray[np.float64],
    count: int,
    system: NDArray[np.float64],
    shares: NDArray[np.float64],
) -> bool:
    """Solve the normal equations for ``(0, ..., 0, 1)``; False if they are singular."""
    for k in range(count):
        for other in range(k, count):
            system[k, other] = products[k, other]
        system[k, count] = columns[k, columns.shape[1] - 1]
    for k in range(count):  # positive definite: no exchange of rows is needed, half suffices
        if system[k, k] < 1e-14:
            return False
        for row in range(k + 1, count):
            factor = system[k, row] / system[k, k]
            for column in range(row, count + 1):
                system[row, column] -= factor * system[k, column]
    for k in range(count - 1, -1, -1):
        total = system[k, count]
        for column in range(k + 1, count):
            total -= system[k, column] * shares[column]
        shares[k] = total / system[k, k]
    return True


def linearize(
    values: NDArray[np.float64],
    sizes: NDArray[np.int64],
    digits: NDArray[np.int64],
    point: NDArray[np.float64],
    residual: NDArray[np.float64],
    slopes: NDArray[np.float64],
) -> None:
    """Write all rows' values at a point, and their slopes by all but each player's last corner."""
    fill(residual, 0.0)
    for row in range(len(values)):
        fill(slopes[row], 0.0)
    for c in range(values.shape[1]):
        weight, first = 1.0, 0
        for k in range(len(sizes)):
            weight *= point[first + digits[c, k]]
            first += sizes[k]
        for row in range(len(values)):
            residual[row] += weight * values[row, c]
        column = 0
        for j in range(len(sizes)):
            if sizes[j] > 1:
                others, first = 1.0, 0
                for k in range(len(sizes)):
                    if k != j:
                        others *= point[first + digits[c, k]]
                    first += sizes[k]
                b = digits[c, j]
                if b < sizes[j] - 1:
                    for row in range(len(values)):
                        slopes[row, column + b] += others * values[row, c]
                else:
                    for row in range(len(values)):
                        for other in range(sizes[j] - 1):
                            slopes[row, column + other] -= others * values[row, c]
            column += sizes[j] - 1


def inverted(slopes: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Invert the first rows by elimination; pivots that vanish become tiny: kernels stand out."""
    left, inverse = np.empty((size, size)), np.zeros((size, size))
    least = 1e-100
    for row in range(size):
        inverse[row, row] = 1.0
        for column in range(size):
            left[row, column] = slopes[row, column]
            least = max(least, abs(left[row, column]))
    least *= _SINGULAR
    for k in range(size):
        pivot = k
        for row in range(k + 1, size):
            if abs(left[row, k]) > abs(left[pivot, k]):
                pivot = row
        if pivot != k:
            for column in range(size):
                left[k, column], left[pivot, column] = left[pivot, column], left[k, column]
                inverse[k, column], inverse[pivot, column] = (
                    inverse[pivot, column],
                    inverse[k, column],
                )
        if abs(left[k, k]) < least:
            left[k, k] = least
        factor = 1.0 / left[k, k]
        scale(left[k], factor)
        scale(inverse[k], factor)
        for row in range(size):
            if row != k:
                factor = left[row, k]
                if factor != 0.0:
                    for column in range(size):
                        left[row, column] -= factor * left[k, column]
                        inverse[row, column] -= factor * inverse[k, column]
    return inverse


def follow_newton(
    values: NDArray[np.float64],
    num_equations: int,
    sizes: NDArray[np.int64],
    digits: NDArray[np.int64],
    point: NDArray[np.float64],
    residual: NDArray[np.float64],
    slopes: NDArray[np.float64],
) -> bool:
    """Follow Newton's method from a point; tell whether it ends near the cell."""
    change = np.empty(num_equations)
    for _ in range(_NEWTON_STEPS):
        inverse = inverted(slopes, num_equations)
        for row in range(num_equations):
            change[row] = 0.0
            for column in range(num_equations):
                change[row] += inverse[row, column] * residual[column]
        row, first = 0, 0
        for j in range(len(sizes)):
            last = first + sizes[j] - 1
            for b in range(first, last):
                point[b] -= change[row]
                point[last] += change[row]
                row += 1
            first = last + 1
        if not largest(point) < _FARTHEST:
            return False
        linearize(values, sizes, digits, point, residual, slopes)
        if largest(change) < _CONVERGED:
            return largest(residual[:num_equations]) < _MARGIN
    return False


def is_alone(
    values: NDArray[np.float64],
    num_equations: int,
    sizes: NDArray[np.int64],
    digits: NDArray[np.int64],
    point: NDArray[np.float64],
    inverse: NDArray[np.float64],
    work: NDArray[np.float64],
) -> bool:
    """Tell whether slopes, times their inverse, are near 1 on a region with the cell and a point.

    The region is, for each player, the simplex of all strategies with at least some weights.
    """
    lowest = np.empty(len(point))
    for b in range(len(point)):
        lowest[b] = min(point[b], 0.0) - _PAD
    write(values, work)
    room = np.ones(len(sizes))
    first = 0
    for j in range(len(sizes)):
        if sizes[j] > 1:
            for b in range(sizes[j]):
                room[j] -= lowest[first + b]
            stride = stride_of(sizes, j)
            for c in range(values.shape[1]):
                if digits[c, j] == 0:
                    for row in range(num_equations):
                        total = 0.0
                        for b in range(sizes[j]):
                            total += lowest[first + b] * work[row, c + b * stride]
                        for b in range(sizes[j]):
                            work[row, c + b * stride] = total + room[j] * work[row, c + b * stride]
        first += sizes[j]
    return is_steady(work, num_equations, sizes, digits, inverse, room, _STEEPEST)


def is_steady(
    values: NDArray[np.float64],
    num_equations: int,
    sizes: NDArray[np.int64],
    digits: NDArray[np.int64],
    inverse: NDArray[np.float64],
    room: NDArray[np.float64],
    most: float,
) -> bool:
    slope, sums = np.empty(num_equations), np.empty(num_equations)
    for c in range(values.shape[1]):
        fill(sums, 0.0)
        column = 0
        for j in range(len(sizes)):
            stride = stride_of(sizes, j)
            last = c + (sizes[j] - 1 - digits[c, j]) * stride
            for b in range(sizes[j] - 1):
                here = c + (b - digits[c, j]) * stride
                for row in range(num_equations):
                    slope[row] = values[row, here] - values[row, last]
                for m in range(num_equations):
                    total = 0.0
                    for row in range(num_equations):
                        total += inverse[m, row] * slope[row]
                    sums[m] += abs((room[j] if m == column else 0.0) - total)
                column += 1
        row = 0
        for j in range(len(sizes)):
            for _ in range(sizes[j] - 1):
                if not sums[row] < most * room[j]:
                    return False
                row += 1
    return True


def fill(row: NDArray[np.float64], value: float) -> None:
    for k in range(len(row)):
        row[k] = value


def scale(row: NDArray[np.float64], factor: float) -> None:
    for k in range(len(row)):
        row[k] *= factor


def largest(row: NDArray[np.float64]) -> float:
    """Return the largest absolute value; not a number if one is none."""
    most = 0.0
    for k in range(len(row)):
        size = abs(row[k])
        if size > most or math.isnan(size):
            most = size
    return most


def write(values: NDArray[np.float64], copy: NDArray[np.float64]) -> None:
    for row in range(len(values)):
        for c in range(values.shape[1]):
            copy[row, c] = values[row, c]
