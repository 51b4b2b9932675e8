"""Equilibria of a bimatrix game whose best-response polytope is simple, found layer by layer.

A *basis* is the set of inequalities of ``{z >= 0 : M z <= 1}`` that hold with equality at a vertex.
From the vertex 0, all ends of edges are worked out, then all ends of theirs, until nothing is new:
the graph of a polytope is connected, so these are all vertices. An edge leads back to the layer
before, to a neighbor in its own, or on to the next, so that three layers are held at a time.

Many vertices are worked out at once, each anew from its own system of equations, in floats with
bounds on their errors: with ``X`` an approximate inverse of ``K`` and ``|K X - 1| <= a < 1``,
the solution of ``K z = b`` is within ``|X| |K w - b| / (1 - a)`` of any ``w``. What is positive by
more than its error is positive. Where anything is in doubt, as at ties, nothing is returned.

A vertex is part of an equilibrium if one of the other polytope has the labels that are missing. It
then solves a square system; most solutions have a weight that is surely negative, or a reply that
surely earns more than 1, and the rest are decided in integers.
"""

from typing import NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ExactArray, FloatArray
from gametheory_core.certificates.integer_rows import null_space

Bases: TypeAlias = NDArray[np.int64]  # bit sets: own actions unplayed, then replies that are best
Places: TypeAlias = NDArray[np.intp]
Vector: TypeAlias = tuple[int, ...]
Pair: TypeAlias = tuple[Vector, Vector]

MOST_LABELS = 62
BATCH = 128  # vertices at once: what is worked out for them stays in the processor's cache
UNIT = 2.0**-52  # twice the rounding unit
SAFE = 1.0 + 1e-9  # covers the rounding of the bounds themselves
TINY = 1e-200
LARGEST_INVERSE = 1e100


class Doubt(Exception):
    """Floats do not tell, or the polytope is not simple."""


class _Parts(NamedTuple):
    """Of vertices at which equally many actions are played: numbers, one row for each vertex."""

    played: Places
    unplayed: Places
    tight: Places  # replies
    slack: Places


@np.errstate(over="ignore", invalid="ignore")  # what is not finite is in doubt
def simple_pairs(first: ExactArray, second: ExactArray) -> list[Pair]:
    """List the extreme equilibria, each strategy up to a positive factor.

    Args:
        first, second (num_rows, num_columns): Payoffs, positive integers.

    Raises:
        Doubt: If the polytope of the player with fewer actions is not simple, or nearly not.
    """
    if len(first) > len(first[0]):
        return [(x, y) for y, x in simple_pairs(second.T, first.T)]
    if sum(first.shape) > MOST_LABELS:
        raise Doubt("a word is too short for all labels")
    own, other = _scaled(second.T), _scaled(first)
    pairs: list[Pair] = []
    before = np.empty(0, dtype=np.int64)
    layer = np.array([(1 << len(first)) - 1], dtype=np.int64)
    while len(layer):
        ends: list[Bases] = []
        sizes = len(first) - np.bitwise_count(layer & ((1 << len(first)) - 1))
        for size in np.unique(sizes).tolist():
            chosen = layer[sizes == size]
            for start in range(0, len(chosen), BATCH):
                bases = chosen[start : start + BATCH]
                parts = _parts(bases, own, size)
                ends.append(_ends_of_edges(bases, parts, own))
                if size:
                    pairs.extend(_pairs(parts, other, (first, second)))
        before, layer = layer, _new(np.concatenate(ends), layer, before)
    return pairs


def _new(ends: Bases, *layers: Bases) -> Bases:
    """Sort bases, keep each once, and leave out those of some sorted layers."""
    ends.sort()
    is_new = np.ones(len(ends), dtype=np.bool_)
    is_new[1:] = ends[1:] != ends[:-1]
    for layer in filter(len, layers):
        places = np.minimum(np.searchsorted(layer, ends), len(layer) - 1)
        is_new &= layer[places] != ends
    return ends[is_new]


def _scaled(matrix: ExactArray) -> FloatArray:
    """Divide columns by their largest entries; each entry is then rounded once."""
    largest = matrix.max(axis=0).tolist()
    rows = [[v / most for v, most in zip(row, largest, strict=True)] for row in matrix.tolist()]
    return np.array(rows, dtype=np.float64)


def _parts(bases: Bases, matrix: FloatArray, size: int) -> _Parts:
    num_replies, num_own = matrix.shape
    holds = (bases[:, None] >> np.arange(num_own + num_replies)) & 1 == 1
    unplayed, tight = holds[:, :num_own], holds[:, num_own:]

    def places(chosen: NDArray[np.bool_], count: int) -> Places:
        return np.nonzero(chosen)[1].reshape(len(bases), count)

    return _Parts(
        places(~unplayed, size),
        places(unplayed, num_own - size),
        places(tight, size),
        places(~tight, num_replies - size),
    )


def _block(matrix: FloatArray, rows: Places, columns: Places) -> FloatArray:
    return matrix[rows[:, :, None], columns[:, None, :]]


def _solved(systems: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Solve systems for ones on the right, with bounds on all errors.

    Returns:
        Inverses (bases, size, size), solutions (bases, size), and bounds (bases,), infinite where a
        system may be singular.
    """
    size = systems.shape[1]
    rounding = (size + 8) * UNIT
    inverses = _inverses(systems)
    departure = np.abs(systems @ inverses - np.eye(size)).sum(axis=2).max(axis=1, initial=0.0)
    norms = np.abs(inverses).sum(axis=2).max(axis=1, initial=0.0)
    departure = (departure + rounding * size * (size * norms + 1.0)) * SAFE
    is_fit = (departure < 0.5) & (norms < LARGEST_INVERSE)
    solutions = inverses.sum(axis=2)
    residuals = np.abs((systems @ solutions[:, :, None])[:, :, 0] - 1.0).max(axis=1, initial=0.0)
    residuals += rounding * (np.abs(solutions).sum(axis=1) + 1.0) + TINY
    factors = np.where(is_fit, norms / (1.0 - np.minimum(departure, 0.5)), np.inf)
    return inverses, solutions, factors * residuals * SAFE


def _earned(matrix: FloatArray, replies: Places, played: Places, weights: FloatArray) -> FloatArray:
    """Return what replies earn against weights of the actions played."""
    return (_block(matrix, replies, played) @ weights[:, :, None])[:, :, 0]


def _error_of_earned(weights: FloatArray, errors: FloatArray) -> FloatArray:
    """Bound the errors of what is earned, one bound for each vertex."""
    size = weights.shape[1]
    sums = np.abs(weights).sum(axis=1)
    return (size * errors + (size + 8) * UNIT * (sums + 1.0)) * SAFE


def _inverses(systems: FloatArray) -> FloatArray:
    """Invert matrices; those that are singular become infinite."""
    try:
        return cast("FloatArray", np.linalg.inv(systems))
    except np.linalg.LinAlgError:
        if len(systems) == 1:
            return np.full(systems.shape, np.inf)
        half = len(systems) // 2
        return np.concatenate([_inverses(systems[:half]), _inverses(systems[half:])])


def _ends_of_edges(bases: Bases, parts: _Parts, matrix: FloatArray) -> Bases:
    """Work out where all edges of some vertices lead, as far as floats tell.

    An end that is a simple vertex, as is proved when its turn comes, is the end of that edge: the
    two share all inequalities but one.

    Raises:
        Doubt: If one of the vertices may be none, or not simple.
    """
    num_own, size = matrix.shape[1], parts.played.shape[1]
    inverses, weights, errors = _solved(_block(matrix, parts.tight, parts.played))
    slacks = 1.0 - _earned(matrix, parts.slack, parts.played, weights)
    slack_errors = _error_of_earned(weights, errors)
    if not ((weights > errors[:, None]).all() and (slacks > slack_errors[:, None]).all()):
        raise Doubt("the polytope is not simple, as far as floats tell")
    steps = np.empty((len(bases), matrix.shape[0], num_own))
    steps[:, :size, :size] = inverses
    steps[:, :size, size:] = inverses @ _block(matrix, parts.tight, parts.unplayed)
    steps[:, size:, :size] = 0.0
    steps[:, size:, size:] = _block(matrix, parts.slack, parts.unplayed)
    steps[:, size:] -= _block(matrix, parts.slack, parts.played) @ steps[:, :size]
    heights = np.concatenate([weights, slacks], axis=1)[:, :, None]
    with np.errstate(divide="ignore"):
        ends = np.where(steps > 0.0, heights / steps, np.inf).argmin(axis=1)
    leaves = np.concatenate([parts.tight + num_own, parts.unplayed], axis=1)
    labels = np.concatenate([parts.played, parts.slack + num_own], axis=1)
    enters = np.take_along_axis(labels, ends, axis=1)
    one = np.int64(1)
    return (bases[:, None] ^ (one << leaves) ^ (one << enters)).ravel()


def _pairs(parts: _Parts, other: FloatArray, tables: tuple[ExactArray, ExactArray]) -> list[Pair]:
    """Find the partners of simple vertices."""
    _, weights, errors = _solved(_block(other, parts.played, parts.tight))
    earned = _earned(other, parts.unplayed, parts.tight, weights)
    with np.errstate(invalid="ignore"):
        is_out = (weights < -errors[:, None]).any(axis=1)
        is_out |= (earned > 1.0 + _error_of_earned(weights, errors)[:, None]).any(axis=1)
    return [
        pair
        for index in np.flatnonzero(~is_out)
        if (pair := _exact_pair(parts.played[index], parts.tight[index], tables)) is not None
    ]


def _exact_pair(
    played: Places, tight: Places, tables: tuple[ExactArray, ExactArray]
) -> Pair | None:
    """Solve for both strategies in integers; None if the second is none or not a best reply."""
    first, second = tables
    x = _solution(second[np.ix_(played, tight)].T, played, len(first))
    y = _solution(first[np.ix_(played, tight)], tight, len(first[0]))
    if min(y[0]) < 0 or max(first @ np.array(y[0], dtype=object)) > y[1]:
        return None
    return x[0], y[0]


def _solution(system: ExactArray, places: Places, size: int) -> tuple[Vector, int]:
    """Return weights and a positive unit with ``system @ weights = unit`` in each row.

    Raises:
        Doubt: If there is more than one solution.
    """
    rows = [[*row, -1] for row in system.tolist()]
    span = null_space(rows, len(places) + 1)
    if span.shape[1] != 1:
        raise Doubt("the polytope is not simple, as far as floats tell")
    *weights, unit = span[:, 0].tolist()
    sign = -1 if unit < 0 else 1
    whole = [0] * size
    for place, weight in zip(places.tolist(), weights, strict=True):
        whole[place] = sign * weight
    return tuple(whole), sign * unit
