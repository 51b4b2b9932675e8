"""Following the principal branch of the logit correspondence, in plain array code.

Unknowns ``z = (u, t)``: the logarithms ``u`` of all players' probabilities, one after another, and
the rationality ``t``. With ``v_a`` what action ``a`` earns and ``r`` the most likely action of the
same player, the branch solves

    u_a - u_r = t (v_a - v_r)  for each other action a,      sum of exp(u) over own actions = 1.

Predictor steps go along the tangent by arclength, so that the branch may turn back in ``t``;
Newton corrects across the tangent. Along a smooth branch the determinant of the derivatives,
bordered by the tangent, keeps its sign; a step after which it does not has jumped to another
branch, and is made smaller, unless it is tiny already: then branches really cross, as they do in
symmetric games, and the path goes straight on.

Exponentials, sums and linear systems have one fixed order of operations: compiled or not, on
whatever machine, they round in the same places. Libraries for linear algebra do not promise that,
and a path through a degenerate game may turn on a last bit.

Nothing here knows numba: the functions run as they are, and ``compiled_twins`` compiles them.
"""

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray


def exponentials(exponents: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the exponentials of a (K,) array, one by one."""
    powers = np.empty(exponents.shape[0])
    for a in range(exponents.shape[0]):
        powers[a] = math.exp(exponents[a])
    return powers


def total(terms: NDArray[np.float64]) -> float:
    """Return the sum of a (K,) array, K > 0, added from the left."""
    return np.cumsum(terms)[-1]


def copy_into(place: NDArray[np.float64], values: NDArray[np.float64]) -> None:
    """Do what ``place[...] = values`` does, which numba takes three times as long to compile."""
    np.multiply(values, 1.0, place)


def solve(
    matrix: NDArray[np.float64], right: NDArray[np.float64], solution: NDArray[np.float64]
) -> float:
    """Solve ``matrix @ solution = right`` by elimination with the largest pivot of each column.

    Args:
        matrix (K, K)
        right (K,)
        solution (K,): Modified in place; meaningless if the answer is 0.

    Returns:
        The sign of the determinant; 0 if it vanishes or a number is no number.
    """
    size = matrix.shape[0]
    work = np.empty((size, size + 1))
    copy_into(work[:, :size], matrix)
    copy_into(work[:, size], right)
    sign = 1.0
    for k in range(size):
        largest = k + np.argmax(np.abs(work[k:, k]))
        if not abs(work[largest, k]) > 0.0:
            return 0.0
        if largest != k:
            for column in range(k, size + 1):
                kept = work[k, column]
                work[k, column] = work[largest, column]
                work[largest, column] = kept
            sign = -sign
        if work[k, k] < 0.0:
            sign = -sign
        below = work[k + 1 :, k:]
        below -= np.outer(work[k + 1 :, k] / work[k, k], work[k, k:])
    for k in range(size - 1, -1, -1):
        solution[k] = work[k, size] / work[k, k]
        above = work[:k, size]
        above -= work[:k, k] * solution[k]
    return sign


REACHED, SETTLED, NEEDS_ROOM, STUCK = 0, 1, 2, 3

SMALLEST_STEP = 1e-9
LARGEST_GROWTH = 3.0
MOST_CORRECTIONS = 6
ACCURACY = 1e-7  # of corrected points, relative to 1 + |z|
ROUNDING = 1e-14  # times t: what rounding does to the equations
WANTED_DISTANCE = 0.05  # of a prediction from the branch, relative to 1 + |z|
WANTED_CONTRACTION = 0.1
CROSSING_STEP = 1e-4  # shorter steps may cross another branch
NOTICEABLE = 1e-5  # distance below which a contraction means nothing
MOST_SLOWNESS = 2.5
LEAST_COSINE = 0.8  # between successive tangents, relative to 1 + |z|
PLAYED, UNPLAYED = 0.25, -14.0  # bounds on t du/dt: the logarithm hardly moves, or falls like -t


class LogitGame(NamedTuple):
    """Payoffs laid out for derivatives; K actions in all, all arrays read-only."""

    starts: NDArray[np.int64]  # (players + 1,), where each player's actions start
    pairs: NDArray[np.int64]  # (P, 3): player, opponent, and where their block starts
    payoffs: NDArray[np.float64]  # blocks (own actions, opponent's, all others' joint actions)
    lonely: NDArray[np.float64]  # (K,), what actions earn if there is only one player


class Branch(NamedTuple):
    """A piece of the branch, modified in place; K actions in all."""

    points: NDArray[np.float64]  # (room, K + 1), accepted points z
    counts: NDArray[np.int64]  # (1,), points so far
    tangent: NDArray[np.float64]  # (K + 1,), at the last point, of length 1
    step: NDArray[np.float64]  # (1,), length of the next one
    orientation: NDArray[np.float64]  # (1,), sign of the bordered determinant; 0 if not yet known


Follow: TypeAlias = Callable[[LogitGame, Branch, float, float, int], int]


def action_values(
    game: LogitGame,
    probabilities: NDArray[np.float64],
    values: NDArray[np.float64],
    slopes: NDArray[np.float64],
) -> None:
    """Compute what each action earns, and how that changes with each probability.

    Args:
        probabilities (K,)
        values (K,): Modified in place.
        slopes (K, K): ``slopes[a, b]``, zero for actions of one player. Modified in place.
    """
    starts = game.starts
    num_players = starts.shape[0] - 1
    copy_into(values, game.lonely)
    for p in range(game.pairs.shape[0]):
        own, opponent, start = game.pairs[p, 0], game.pairs[p, 1], game.pairs[p, 2]
        rows, columns = starts[own + 1] - starts[own], starts[opponent + 1] - starts[opponent]
        size = rows * columns
        for other in range(num_players):
            if other not in (own, opponent):
                size *= starts[other + 1] - starts[other]
        table = game.payoffs[start : start + size]
        for other in range(num_players - 1, -1, -1):
            if other not in (own, opponent):
                table = averaged(table, probabilities[starts[other] : starts[other + 1]])
        block = slopes[starts[own] : starts[own + 1], starts[opponent] : starts[opponent + 1]]
        copy_into(block, table.reshape((rows, columns)))
        if opponent == (1 if own == 0 else 0):
            factor = probabilities[starts[opponent] : starts[opponent + 1]]
            copy_into(values[starts[own] : starts[own + 1]], averaged(table, factor))


def averaged(table: NDArray[np.float64], probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average out the last axis of a contiguous, flattened table; the last term comes last."""
    count = probabilities.shape[0]
    rows = table.reshape((table.shape[0] // count, count))
    average = rows[:, 0] * probabilities[0]
    for a in range(1, count):
        average += rows[:, a] * probabilities[a]
    return average


def linearize(
    game: LogitGame,
    point: NDArray[np.float64],
    residual: NDArray[np.float64],
    matrix: NDArray[np.float64],
) -> None:
    """Evaluate the equations of the branch and their derivatives.

    Args:
        point (K + 1,): ``z``.
        residual (K + 1,): Modified in place; the last entry is set to 0.
        matrix (K + 1, K + 1): Modified in place; the last row is left alone.
    """
    size = point.shape[0] - 1
    rationality = point[size]
    probabilities = exponentials(point[:size])
    values = np.zeros(size)
    slopes = np.zeros((size, size))
    action_values(game, probabilities, values, slopes)
    np.multiply(-rationality * slopes, probabilities, matrix[:size, :size])
    for a in range(size):
        matrix[a, a] += 1.0
    np.negative(values, matrix[:size, size])
    np.subtract(point[:size], rationality * values, residual[:size])
    residual[size] = 0.0
    for player in range(game.starts.shape[0] - 1):
        first, last = game.starts[player], game.starts[player + 1]
        likely = first + np.argmax(point[first:last])
        reference = matrix[likely].copy()
        offset = residual[likely]
        rows, differences = matrix[first:last], residual[first:last]
        rows -= reference
        differences -= offset
        matrix[likely] = 0.0
        copy_into(matrix[likely, first:last], probabilities[first:last])
        residual[likely] = total(probabilities[first:last]) - 1.0


def follow(
    game: LogitGame, branch: Branch, target: float, settle_from: float, most_steps: int
) -> int:
    """Follow the branch until it settles, passes the target rationality, or gets stuck.

    Args:
        branch: At least one point, with its tangent. Modified in place.
        target: Stop after the first point of at least this rationality.
        settle_from: At this rationality and beyond, stop also where every action is clearly played
            (its logarithm hardly moves) or clearly not (its logarithm falls in proportion).
        most_steps: Stop after as many points.

    Returns:
        ``REACHED``, ``SETTLED``, ``NEEDS_ROOM`` (or ``most_steps`` are made) or ``STUCK``.
    """
    size = branch.tangent.shape[0] - 1
    residual = np.zeros(size + 1)
    matrix = np.zeros((size + 1, size + 1))
    point = np.zeros(size + 1)
    for _ in range(most_steps):
        if branch.counts[0] == branch.points.shape[0]:
            return NEEDS_ROOM
        last = branch.points[branch.counts[0] - 1]
        while True:
            step = branch.step[0]
            if step < SMALLEST_STEP * (1.0 + abs(last[size])):
                return STUCK
            np.add(last, step * branch.tangent, point)
            slowness = correct(game, point, branch.tangent, residual, matrix)
            if slowness >= 0.0 and turn(branch, point, matrix):
                break
            branch.step[0] = step / 3.0
        copy_into(branch.points[branch.counts[0]], point)
        branch.counts[0] += 1
        branch.step[0] = step / min(max(slowness, 1.0 / LARGEST_GROWTH), 3.0)
        if point[size] >= target:
            return REACHED
        if point[size] >= settle_from and is_settled(branch.tangent, float(point[size])):
            return SETTLED
    return NEEDS_ROOM


def correct(
    game: LogitGame,
    point: NDArray[np.float64],
    tangent: NDArray[np.float64],
    residual: NDArray[np.float64],
    matrix: NDArray[np.float64],
) -> float:
    """Move a predicted point onto the branch by Newton's method, across the tangent.

    Args:
        point, residual, matrix: As in ``linearize``; all modified in place.
        tangent (K + 1,)

    Returns:
        How much too long the step was, 1 for just right; -1 if it has to be repeated.
    """
    size = point.shape[0] - 1
    slowness = 0.0
    previous = 0.0
    change = np.zeros(size + 1)
    copy_into(matrix[size], tangent)
    if point[:size].max() > 1.0:  # no probability is anywhere near e
        return -1.0
    for correction in range(MOST_CORRECTIONS):
        linearize(game, point, residual, matrix)
        if solve(matrix, residual, change) == 0.0:
            return -1.0
        point -= change
        if point[:size].max() > 1.0 or np.isnan(point[size]):
            return -1.0
        excess = np.maximum(np.abs(change) - ROUNDING * abs(point[size]), 0.0)
        distance = np.max(excess / (1.0 + np.abs(point)))
        if correction == 0:
            slowness = np.sqrt(distance / WANTED_DISTANCE)
        elif correction == 1 and previous > NOTICEABLE:
            slowness = max(slowness, np.sqrt(distance / previous / WANTED_CONTRACTION))
        if slowness > MOST_SLOWNESS:
            return -1.0
        if distance < ACCURACY:
            return slowness
        previous = distance
    return -1.0


def turn(branch: Branch, point: NDArray[np.float64], matrix: NDArray[np.float64]) -> bool:
    """Turn the tangent to where the branch goes at a new point, unless the step must be repeated.

    Args:
        branch: The tangent and the orientation are modified in place if the answer is yes.
        point (K + 1,)
        matrix (K + 1, K + 1): Derivatives, as the last correction to the point had them.

    Returns:
        False if the branch turns too sharply, is left for another one, or comes back to 0.
    """
    size = point.shape[0] - 1
    unit = np.zeros(size + 1)
    unit[size] = 1.0
    tangent = np.zeros(size + 1)
    orientation = solve(matrix, unit, tangent)
    if orientation == 0.0 or point[size] <= 0.0:
        return False
    if orientation * branch.orientation[0] < 0.0 and branch.step[0] > CROSSING_STEP:
        return False
    scale = 1.0 + np.abs(point)
    ahead, behind = tangent / scale, branch.tangent / scale
    cosine = total(ahead * behind) / np.sqrt(total(ahead * ahead) * total(behind * behind))
    if cosine < LEAST_COSINE:
        return False
    np.divide(tangent, np.sqrt(total(tangent * tangent)), branch.tangent)
    branch.orientation[0] = orientation
    return True


def is_settled(tangent: NDArray[np.float64], rationality: float) -> bool:
    """Tell whether each action is clearly played or clearly not; see ``follow``."""
    size = tangent.shape[0] - 1
    if tangent[size] <= 0.0:
        return False
    for a in range(size):
        growth = rationality * tangent[a] / tangent[size]
        if growth > PLAYED or UNPLAYED < growth < -PLAYED:
            return False
    return True
