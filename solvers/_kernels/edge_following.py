"""Following the edges of a best-response polytope from vertex to vertex, in machine words.

The loop of ``solvers.bimatrix.vertices`` on exact integers far beyond 64 bits.
An integer ``v`` is held as a *residue*, ``v`` modulo 2**64 in an int64, and an *estimate*, the
float64 nearest to ``v``. Fraction-free pivoting needs one operation, ``r = (a b - c d) / p``
without remainder, with ``p = 2**shift q``, ``q`` odd:

- wrapping integer arithmetic gives ``r`` modulo ``2**(64 - shift)``, since ``q`` has an inverse;
- float arithmetic gives ``r`` with an error below ``size * 2**-50``, where
  ``size = (|a b| + |c d|) / p``: seven roundings of at most 2**-53 each.

While ``size < min(2**100, 2**(111 - shift))``, that error is below ``2**(62 - shift)`` and below
2**51, so the residue corrects the estimate to the one integer it can be: ``r`` is known exactly,
and its estimate is again the nearest float, with the right sign. A number that grows past the bound
stops the kernel, which says so; nothing is ever decided on a rounded number.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled

DONE, LIMIT_REACHED, NEEDS_ROOM, TOO_LARGE = 0, 1, 2, 3

_LARGEST_SIZE = 2.0**100
_LARGEST_SHIFTED_SIZE_BITS = 111
_LARGEST_SHIFT = 50
_ROUNDING = 2.0**-49
_SPLIT_BITS = 40
_SPLIT = 2.0**40
_GOLDEN = -7046029254386353131  # 2**64 / golden ratio, as a signed word: multiplicative hashing


class Traversal(NamedTuple):
    """Arrays of one traversal, all modified in place.

    Tableaus have R rows and C columns, the right-hand side last. Slot 0 holds the tableau in hand,
    slots from 1 on a stack of tableaus whose edges are still to be followed.
    """

    residues: NDArray[np.int64]  # (slots, R, C)
    estimates: NDArray[np.float64]  # (slots, R, C)
    determinant_residues: NDArray[np.int64]  # (slots,)
    determinant_estimates: NDArray[np.float64]  # (slots,), positive
    basic: NDArray[np.int64]  # (slots, R), label of each row's variable
    nonbasic: NDArray[np.int64]  # (slots, C - 1), label of each column's variable
    positions: NDArray[np.int64]  # (R + C - 1,), label -> column, or -1 - row; work space
    ratios: NDArray[np.float64]  # (R, C), work space
    bounds: NDArray[np.float64]  # (C,), work space
    num_candidates: NDArray[np.int64]  # (C,), work space
    candidates: NDArray[np.int64]  # (C,), work space
    seen: NDArray[np.int64]  # (power of two,), open-addressing set of nonbasic bit sets; 0 is empty
    found_labels: NDArray[np.int64]  # (vertices,), bit sets of tight labels
    found_basic: NDArray[np.int64]  # (vertices, R)
    found_residues: NDArray[np.int64]  # (vertices, R), right-hand sides
    found_estimates: NDArray[np.float64]  # (vertices, R)
    counts: NDArray[np.int64]  # (3,): tableaus on the stack, vertices found, bases seen


@compiled
def follow_edges(arrays: Traversal, first_slack: int, limit: int) -> int:
    """Visit up to ``limit`` vertices from the stack and stack their unseen neighbors.

    Args:
        arrays: Modified in place.
        first_slack: Labels ``first_slack .. first_slack + R - 1`` are the slack variables.
        limit: Most vertices to visit.

    Returns:
        ``DONE`` if the stack is empty; ``LIMIT_REACHED``; ``NEEDS_ROOM`` if an array may overflow
        at the next vertex; ``TOO_LARGE`` if a number has outgrown the representation.
    """
    counts = arrays.counts
    num_columns = arrays.nonbasic.shape[1]
    for _ in range(limit):
        if counts[0] == 0:
            return DONE
        if (
            counts[0] + num_columns >= arrays.basic.shape[0]
            or counts[1] >= arrays.found_labels.shape[0]
            or 2 * (counts[2] + num_columns) > arrays.seen.shape[0]
        ):
            return NEEDS_ROOM
        _take_from_stack(arrays)
        tight = _record(arrays)
        shift, inverse = _divisor(arrays.determinant_residues[0])
        if shift > _LARGEST_SHIFT:
            return TOO_LARGE
        _find_ratios(arrays)
        for column in range(num_columns):
            row = arrays.candidates[column]
            if arrays.num_candidates[column] != 1:
                row = _least_of_tied(arrays, column, first_slack, shift, inverse)
                if row < 0:
                    return TOO_LARGE
            neighbor = tight ^ (1 << arrays.nonbasic[0, column]) ^ (1 << arrays.basic[0, row])
            if insert(arrays.seen, neighbor):
                counts[0] += 1
                counts[2] += 1
                if not _pivot(arrays, counts[0], row, column, shift, inverse):
                    return TOO_LARGE
    return LIMIT_REACHED if counts[0] else DONE


@compiled
def insert(seen: NDArray[np.int64], key: int) -> bool:
    """Add a non-zero key to the set; tell whether it is new. ``seen`` is modified in place."""
    mask = seen.shape[0] - 1
    place = ((key * _GOLDEN) >> 20) & mask
    while seen[place] != 0:
        if seen[place] == key:
            return False
        place = (place + 1) & mask
    seen[place] = key
    return True


@compiled
def insert_all(seen: NDArray[np.int64], keys: NDArray[np.int64]) -> None:
    """Add the non-zero keys to the set, which is modified in place."""
    for key in keys:
        if key != 0:
            insert(seen, key)


@compiled
def _take_from_stack(arrays: Traversal) -> None:
    """Move the top of the stack to slot 0."""
    slot = arrays.counts[0]
    arrays.counts[0] = slot - 1
    for row in range(arrays.basic.shape[1]):
        arrays.basic[0, row] = arrays.basic[slot, row]
        for column in range(arrays.residues.shape[2]):
            arrays.residues[0, row, column] = arrays.residues[slot, row, column]
            arrays.estimates[0, row, column] = arrays.estimates[slot, row, column]
    for column in range(arrays.nonbasic.shape[1]):
        arrays.nonbasic[0, column] = arrays.nonbasic[slot, column]
    arrays.determinant_residues[0] = arrays.determinant_residues[slot]
    arrays.determinant_estimates[0] = arrays.determinant_estimates[slot]


@compiled
def _record(arrays: Traversal) -> int:
    """Write the vertex in hand to the found ones and index it; return its nonbasic bit set."""
    number = arrays.counts[1]
    arrays.counts[1] = number + 1
    last = arrays.nonbasic.shape[1]
    tight = 0
    for column in range(arrays.nonbasic.shape[1]):
        label = arrays.nonbasic[0, column]
        arrays.positions[label] = column
        tight |= 1 << label
    labels = tight
    for row in range(arrays.basic.shape[1]):
        label = arrays.basic[0, row]
        arrays.positions[label] = -1 - row
        if arrays.estimates[0, row, last] == 0.0:
            labels |= 1 << label
        arrays.found_basic[number, row] = label
        arrays.found_residues[number, row] = arrays.residues[0, row, last]
        arrays.found_estimates[number, row] = arrays.estimates[0, row, last]
    arrays.found_labels[number] = labels
    return tight


@compiled
def _divisor(residue: int) -> tuple[int, int]:
    """Return the power of two in a divisor, and the inverse of its odd part modulo 2**64.

    By Newton's iteration: an odd ``q`` is its own inverse modulo 8, and each step doubles the bits.
    """
    shift = 0
    while shift <= _LARGEST_SHIFT and not (residue >> shift) & 1:
        shift += 1
    # the bits that the shift brings in at the top only touch bits that are dropped again
    odd = residue >> shift
    inverse = odd
    for _ in range(5):
        inverse *= 2 - odd * inverse
    return shift, inverse


@compiled
def _combine(
    a: int,
    a_estimate: float,
    b: int,
    b_estimate: float,
    c: int,
    c_estimate: float,
    d: int,
    d_estimate: float,
    reciprocal: float,
    shift: int,
    inverse: int,
) -> tuple[int, float, float]:
    """Return residue, estimate and size of ``(a b - c d) / p``, as the module says."""
    left = a_estimate * b_estimate
    right = c_estimate * d_estimate
    size = (abs(left) + abs(right)) * reciprocal
    rough = (left - right) * reciprocal
    high = int(rough / _SPLIT)
    low = int(rough - high * _SPLIT)
    whole = (high << _SPLIT_BITS) + low
    residue = ((a * b - c * d) >> shift) * inverse
    correction = ((residue - whole) << shift) >> shift
    estimate = (high * _SPLIT + low) + correction
    return whole + correction, estimate, size


@compiled
def _fits(size: float, shift: int) -> bool:
    return size < _LARGEST_SIZE and size < 2.0 ** (_LARGEST_SHIFTED_SIZE_BITS - shift)


@compiled
def _pivot(
    arrays: Traversal, slot: int, pivot_row: int, pivot_column: int, shift: int, inverse: int
) -> bool:
    """Write the tableau in hand, pivoted, to a slot; tell whether all numbers fit.

    Indices instead of slices: a slice costs more than a row of numbers.
    """
    residues, estimates = arrays.residues, arrays.estimates
    element = residues[0, pivot_row, pivot_column]
    element_estimate = estimates[0, pivot_row, pivot_column]
    determinant = arrays.determinant_residues[0]
    determinant_estimate = arrays.determinant_estimates[0]
    reciprocal = 1.0 / determinant_estimate
    bound = min(_LARGEST_SIZE, 2.0 ** (_LARGEST_SHIFTED_SIZE_BITS - shift))
    misfits = 0
    for i in range(residues.shape[1]):
        factor = residues[0, i, pivot_column]
        factor_estimate = estimates[0, i, pivot_column]
        for j in range(residues.shape[2]):
            residue, estimate, size = _combine(
                element,
                element_estimate,
                residues[0, i, j],
                estimates[0, i, j],
                factor,
                factor_estimate,
                residues[0, pivot_row, j],
                estimates[0, pivot_row, j],
                reciprocal,
                shift,
                inverse,
            )
            residues[slot, i, j] = residue
            estimates[slot, i, j] = estimate
            misfits |= size >= bound
        residues[slot, i, pivot_column] = -factor
        estimates[slot, i, pivot_column] = -factor_estimate
    for j in range(residues.shape[2]):
        residues[slot, pivot_row, j] = residues[0, pivot_row, j]
        estimates[slot, pivot_row, j] = estimates[0, pivot_row, j]
    residues[slot, pivot_row, pivot_column] = determinant
    estimates[slot, pivot_row, pivot_column] = determinant_estimate
    arrays.determinant_residues[slot] = element
    arrays.determinant_estimates[slot] = element_estimate
    for i in range(residues.shape[1]):
        arrays.basic[slot, i] = arrays.basic[0, i]
    for j in range(arrays.nonbasic.shape[1]):
        arrays.nonbasic[slot, j] = arrays.nonbasic[0, j]
    arrays.basic[slot, pivot_row] = arrays.nonbasic[0, pivot_column]
    arrays.nonbasic[slot, pivot_column] = arrays.basic[0, pivot_row]
    return misfits == 0


@compiled
def _find_ratios(arrays: Traversal) -> None:
    """Find, for each column, the rows whose float ratio is least but for rounding.

    An entry that is not positive has ratio infinity. Straight-line code, so that it runs in
    vectors; writes ``ratios``, ``bounds``, ``num_candidates`` and the last candidate of each.
    """
    estimates, ratios, bounds = arrays.estimates, arrays.ratios, arrays.bounds
    num_candidates, candidates = arrays.num_candidates, arrays.candidates
    last = arrays.nonbasic.shape[1]
    for column in range(len(bounds)):
        bounds[column] = np.inf
        num_candidates[column] = 0
    for row in range(ratios.shape[0]):
        height = estimates[0, row, last]
        for column in range(ratios.shape[1]):
            entry = estimates[0, row, column]
            ratio = height / entry if entry > 0.0 else np.inf
            ratios[row, column] = ratio
            bounds[column] = min(bounds[column], ratio)
    for column in range(len(bounds)):
        bounds[column] += bounds[column] * _ROUNDING
    for row in range(ratios.shape[0]):
        for column in range(ratios.shape[1]):
            is_candidate = ratios[row, column] <= bounds[column]
            num_candidates[column] += is_candidate
            candidates[column] = row if is_candidate else candidates[column]


@compiled
def _least_of_tied(
    arrays: Traversal, column: int, first_slack: int, shift: int, inverse: int
) -> int:
    """Return the candidate of the lexicographically least ratio, or -1 if a number is too large."""
    best = arrays.candidates[column]
    for row in range(best):
        if arrays.ratios[row, column] <= arrays.bounds[column]:
            order = _compare(arrays, row, best, column, first_slack, shift, inverse)
            if order == 0:
                return -1
            if order < 0:
                best = row
    return best


@compiled
def _compare(
    arrays: Traversal, row: int, other: int, column: int, first_slack: int, shift: int, inverse: int
) -> int:
    """Return the sign of the lexicographic ratio of a row less that of another; 0: too large.

    Two rows of one determinant's tableau: their 2 x 2 minors are divisible by it.
    """
    residues, estimates = arrays.residues, arrays.estimates
    reciprocal = 1.0 / arrays.determinant_estimates[0]
    for label in range(first_slack - 1, first_slack + residues.shape[1]):
        place = arrays.nonbasic.shape[1] if label < first_slack else arrays.positions[label]
        if place < 0:  # basic: the column is a unit vector
            if place == -1 - row:
                return 1
            if place == -1 - other:
                return -1
            continue
        _, estimate, size = _combine(
            residues[0, row, place],
            estimates[0, row, place],
            residues[0, other, column],
            estimates[0, other, column],
            residues[0, other, place],
            estimates[0, other, place],
            residues[0, row, column],
            estimates[0, row, column],
            reciprocal,
            shift,
            inverse,
        )
        if not _fits(size, shift):
            return 0
        if estimate != 0.0:
            return 1 if estimate > 0.0 else -1
    return 0
