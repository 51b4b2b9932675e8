"""Is an action dominated by a mixture of others? Linear programs, floats first and then proof.

With ``D[k, s]`` what rival ``k`` earns more than the action in column ``s``, and ``p`` a mixture of
rivals, the action is strictly dominated exactly when the value of

    max t   subject to   t <= (p'D)[s] for every s,   sum p = 1,   p >= 0

is positive; else the multipliers of the rows are a belief to which no rival is a better response.
It is weakly dominated exactly when the value of

    max sum over s of (p'D)[s]   subject to   (p'D)[s] >= 0 for every s,   sum p <= 1,   p >= 0

is positive; else one plus the multipliers is such a belief, and excludes nothing. A float solution
is rounded and tried; where it does not prove anything, because of ties, the program is solved in
rationals.

A player's remaining actions are rows of exact integers, of ranks, and of floats near one. Dominance
does not change when what can be earned against one joint action of the others is shifted or scaled.
So each column is shifted to least entry 0 and divided by a power of two that brings its largest
entry to between 1/2 and 1, which keeps float programs well scaled whatever the payoffs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import (
    ExactArray,
    FloatArray,
    IntArray,
    ScaledIntegers,
    is_exact,
    scaled_integers,
)
from gametheory_core.certificates.dominance import Dominance
from gametheory_core.games.normal_form import NormalFormGame
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import LinearProgram, solve_float
from solvers.zero_sum.certified_program import dense_program
from solvers.zero_sum.float_matrix_game import solve_matrix_in_floats

FLOAT_BITS = 60  # kept of numbers that are too large for floats


@dataclass(frozen=True, eq=False)
class RankedPayoffs:
    """One player's payoffs in the whole game.

    Attributes:
        numerators (num_actions of every player): Payoffs times a common denominator.
        ranks: Place of each payoff among the different ones, from 0: compares as payoffs do.
    """

    numerators: ExactArray
    ranks: IntArray


@dataclass(frozen=True, eq=False)
class ActionPayoffTable:
    """What a player's actions earn in what is left of the game.

    Rows are own actions left, columns joint actions of the others left, in the order of
    ``itertools.product``.

    Attributes:
        exact (num_rows, num_columns)
        ranks (num_rows, num_columns)
        floats (num_rows, num_columns): Shifted and scaled by columns, between 0 and 1.
        exponents (num_columns,): Column ``s`` was divided by ``2**exponents[s]``.
    """

    exact: ExactArray
    ranks: IntArray
    floats: FloatArray
    exponents: NDArray[np.int64]


def ranked_payoffs(game: NormalFormGame, player: int) -> RankedPayoffs:
    """Rank all payoffs of a player."""
    given = game.given_payoffs[player]
    numerators = game.scaled_payoffs[player].numerators
    comparable = numerators if is_exact(given) else given
    _, codes = np.unique(comparable, return_inverse=True)
    return RankedPayoffs(numerators, codes.reshape(given.shape).astype(np.int32))


def action_payoff_table(
    payoffs: RankedPayoffs, left: tuple[tuple[int, ...], ...], player: int
) -> ActionPayoffTable:
    """Cut out what is left of the game, and scale it for floats."""
    cells = np.ix_(*left)
    rows = len(left[player])
    exact = np.moveaxis(payoffs.numerators[cells], player, 0).reshape(rows, -1)
    ranks = np.moveaxis(payoffs.ranks[cells], player, 0).reshape(rows, -1)
    shifted = exact - exact.min(axis=0)
    bits = np.array([span.bit_length() for span in shifted.max(axis=0).tolist()], dtype=np.int64)
    excess = np.maximum(bits - FLOAT_BITS, 0)
    floats = (shifted >> excess.astype(object)).astype(np.float64)
    return ActionPayoffTable(exact, ranks, np.ldexp(floats, excess - bits), bits)


Places: TypeAlias = NDArray[np.integer[Any]]

GRAINS = (60, 1 << 20, 1 << 50)  # denominators to round to: short ones are nicer to read
LIKELY_COLUMNS = 24  # where an action does nearly best: beliefs are looked for there first


@dataclass(frozen=True, eq=False)
class Proof:
    """Why an action is dominated, or why it is not.

    Attributes:
        is_dominated: Which of the two.
        places: Rows of the dominating mixture, or columns of the protecting belief.
        weights: Positive; probabilities up to a factor.
    """

    is_dominated: bool
    places: Places
    weights: ExactArray


@dataclass(frozen=True, eq=False)
class _Question:
    """An action, its rivals, and what is meant by dominance."""

    table: ActionPayoffTable
    row: int
    rivals: Places
    dominance: Dominance
    clock: "Clock"


@dataclass(frozen=True, eq=False)
class Clock:
    """How programs are kept within the budget.

    Attributes:
        seconds_left: For float programs; None for no limit.
        tick: Called before each program and exact pivot; raises to stop.
    """

    seconds_left: Callable[[], float | None]
    tick: Callable[[], None]


def judge(
    table: ActionPayoffTable, row: int, rivals: Places, dominance: Dominance, clock: Clock
) -> Proof:
    """Decide whether mixtures of rivals dominate a row, with an exact proof either way.

    Args:
        table: What is left of the game.
        row: The action in question.
        rivals: Rows that differ from it; at least one.
        dominance: Strict or weak.
        clock: Stops by raising.
    """
    question = _Question(table, row, rivals, dominance, clock)
    proof = _chained(question) if dominance is Dominance.STRICT else None
    if proof is not None:
        return proof
    floats = table.floats
    regrets = floats.max(axis=0) - floats[row]
    columns = np.arange(floats.shape[1])
    if len(columns) > 2 * LIKELY_COLUMNS:
        likely = np.sort(np.argpartition(regrets, LIKELY_COLUMNS)[:LIKELY_COLUMNS])
        proof = _tried(question, likely)
        if proof is not None:
            return proof
    return _tried(question, columns) or _solved(question)


def _chained(question: _Question) -> Proof | None:
    """Mix rivals of which each loses nothing but where an earlier one, far more likely, gains.

    Such weights may differ by more than floats can tell, as in the traveler's dilemma.
    """
    table, rivals = question.table, question.rivals
    signs = np.sign(table.ranks[rivals] - table.ranks[question.row])
    left = np.ones(signs.shape[1], dtype=bool)
    chain: list[tuple[int, NDArray[np.bool_]]] = []
    while left.any():
        gaining = np.count_nonzero(signs[:, left] > 0, axis=1)
        gaining[(signs[:, left] < 0).any(axis=1)] = 0
        place = int(gaining.argmax())
        if not gaining[place]:
            return None
        chain.append((place, left & (signs[place] > 0)))
        left &= signs[place] <= 0
    gained = np.zeros(signs.shape[1], dtype=object)
    weights: list[int] = []
    for place, where in reversed(chain):
        gains = table.exact[rivals[place]] - table.exact[question.row]
        weights.append(max(1, *(-gained[where] // gains[where] + 1)))
        gained = gained + weights[-1] * gains
    mixture = Proof(
        True, rivals[[place for place, _ in reversed(chain)]], np.array(weights, dtype=object)
    )
    return mixture if _dominates(question, mixture) else None


def _tried(question: _Question, columns: Places) -> Proof | None:
    """Solve the strict program in floats, on some columns, and see what its solution proves."""
    question.clock.tick()
    table = question.table
    differences = table.floats[question.rivals][:, columns] - table.floats[question.row, columns]
    game = solve_matrix_in_floats(differences, time_limit=question.clock.seconds_left())
    if game is None:
        return None
    wins = bool((game.row_strategy @ differences).min() > 0)
    if wins and len(columns) < table.floats.shape[1]:
        return None
    for grain in GRAINS:
        proof = None if wins else _belief(question, columns, game.column_strategy, grain)
        proof = proof or _mixture(question, game.row_strategy, grain)
        if proof is not None:
            return proof
    return None


def _mixture(question: _Question, weights: FloatArray, grain: int) -> Proof | None:
    """Return the rounded mixture of rivals if it dominates."""
    rounded = _rounded(weights, grain)
    used = np.flatnonzero(rounded)
    mixture = Proof(True, question.rivals[used], rounded[used].astype(object))
    return mixture if _dominates(question, mixture) else None


def _dominates(question: _Question, mixture: Proof) -> bool:
    exact = question.table.exact
    gains = mixture.weights @ exact[mixture.places] - mixture.weights.sum() * exact[question.row]
    least = int(question.dominance is Dominance.STRICT)
    return bool(min(gains) >= least and max(gains) > 0)


def _belief(question: _Question, columns: Places, weights: FloatArray, grain: int) -> Proof | None:
    """Return the rounded belief if it protects the action."""
    rounded = _rounded(weights, grain)
    used = columns[np.flatnonzero(rounded)]
    exponents = question.table.exponents[used]
    shifts = (exponents.max() - exponents).astype(object)  # undoes the scaling of the columns
    belief = rounded[np.flatnonzero(rounded)].astype(object) << shifts
    values = question.table.exact[:, used] @ belief
    own, best = values[question.row], max(values[question.rivals])
    protects = own > best or (own == best and question.dominance is Dominance.STRICT)
    return Proof(False, used, belief) if protects else None


def _rounded(weights: FloatArray, grain: int) -> Places:
    positive = np.maximum(weights, 0.0)
    return np.rint(positive / positive.sum() * grain).astype(np.int64)


def _solved(question: _Question) -> Proof:
    """Decide in rationals."""
    strict = question.dominance is Dominance.STRICT
    table = question.table
    differences = table.exact[question.rivals] - table.exact[question.row]
    program = _strict_program(differences) if strict else _weak_program(differences)
    question.clock.tick()
    approximate = solve_float(program, time_limit=question.clock.seconds_left())
    optimum = solve_exactly(program, approximate.basis, tick=question.clock.tick)
    if optimum.value > 0:
        mixture = scaled_integers(optimum.primal[: len(question.rivals)]).numerators
        used = np.flatnonzero(mixture)
        return Proof(True, question.rivals[used], mixture[used])
    duals = _numerators(scaled_integers(optimum.dual[: differences.shape[1]]), plus_one=not strict)
    used = np.flatnonzero(duals)
    return Proof(False, used, duals[used])


def _numerators(scaled: ScaledIntegers, *, plus_one: bool) -> ExactArray:
    return scaled.numerators + scaled.denominator if plus_one else scaled.numerators


def _strict_program(differences: ExactArray) -> LinearProgram:
    """Write the strict program: columns ``p``, then ``t``; a row a column, then the sum."""
    num_rivals, num_columns = differences.shape
    coefficients = np.zeros((num_columns + 1, num_rivals + 1), dtype=object)
    coefficients[:num_columns, :num_rivals] = -differences.T
    coefficients[:num_columns, num_rivals] = 1
    coefficients[num_columns, :num_rivals] = 1
    objective = np.zeros(num_rivals + 1, dtype=object)
    objective[num_rivals] = 1
    return _program(objective, coefficients, free_from=num_rivals, equations_from=num_columns)


def _weak_program(differences: ExactArray) -> LinearProgram:
    """Write the weak program: columns ``p``; a row a column, then the sum."""
    num_rivals, num_columns = differences.shape
    coefficients = np.ones((num_columns + 1, num_rivals), dtype=object)
    coefficients[:num_columns] = -differences.T
    objective = cast("ExactArray", differences.sum(axis=1))
    return _program(objective, coefficients, free_from=num_rivals, equations_from=num_columns + 1)


def _program(
    objective: ExactArray, coefficients: ExactArray, *, free_from: int, equations_from: int
) -> LinearProgram:
    """Make the last row's bound 1, the others' 0."""
    num_rows, num_variables = coefficients.shape
    return dense_program(
        coefficients,
        objective,
        is_equation=np.arange(num_rows) >= equations_from,
        is_free=np.arange(num_variables) >= free_from,
    )
