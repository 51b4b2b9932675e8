"""Most entropic optimal strategies from exact faces, where floats are in doubt.

Payoffs that are nearly but not quite equal, or of very different sizes, leave floats in doubt about
which actions are played. With ``B`` the payoffs less the value of the game, the optimal strategies
are

    x >= 0,   sum x == 1,   x'B >= 0.

An exact program gives an optimal vertex ``x`` and one of the opponent, ``y``. A second one moves
``x`` along directions ``d`` that only touch actions which earn the value against ``y``: it makes as
many of them positive, and as many columns slack, as any optimal strategy does (Goldman and Tucker
1956). So the *faces* are known without a tolerance: the actions played somewhere in them, and
columns that are tight everywhere. On each face, the most entropic point is found in many digits;
its free coordinates are rounded, and the others follow exactly from the equations.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import flint
import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ZERO, ExactArray, IntArray, NumberArray, freeze, object_array
from gametheory_core.errors import NotConverged
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers._programs.entropy_digits import Row, earned, most_entropic_in_digits
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import LinearProgram
from solvers._programs.rational_systems import solve_rational
from solvers.solution import Budget, Meter
from solvers.zero_sum.entropy_bounds import NEGLIGIBLE, Opposition, weighted_strategy
from solvers.zero_sum.matrix_games import minimax

Places: TypeAlias = NDArray[np.intp]

MOST_DENOMINATOR = 1000  # of a simple fraction
NEAR = Fraction(1, 10**12)  # relative; an exact point this near to one in digits stands for it
DIGITS = (30, 60, 120)  # that free probabilities keep; as few as leave the others positive
PRICE_BITS = 64  # after the point, of a price times the largest payoff


@dataclass(frozen=True)
class ExactAnswer:
    """Optimal strategies of a game, and the prices of both bounds."""

    profile: MixedProfile
    prices: tuple[Opposition, Opposition]


@dataclass(frozen=True)
class _Face:
    """A player's optimal strategies.

    Attributes:
        table (num_actions, num_opposing): Payoffs less the value, as integers.
        scale: Of the integers, per payoff unit.
        inside (num_actions,): A strategy that plays all that any optimal one plays.
        against (num_opposing,): The same of the opponent.
    """

    table: ExactArray
    scale: int
    inside: ExactArray
    against: ExactArray


@dataclass(frozen=True)
class _FaceAnswer:
    """The most entropic strategy of a face, and the prices that bound its entropy."""

    strategy: ExactArray
    prices: Opposition


@dataclass(frozen=True)
class _Equations:
    """What determines some probabilities of a support by the others.

    Attributes:
        basic, free: Places of those determined, and of the others.
        constants: Of each basic place, where the free ones are 0.
        directions: Of each free place: how all change as it grows by 1.
        columns (num_support, num_basic): Independent equations, the last of them maybe the sum.
        chosen: Which these are; the sum comes last.
    """

    basic: list[int]
    free: list[int]
    constants: Row
    directions: list[Row]
    columns: ExactArray
    chosen: list[int]

    def point(self, free: Row) -> Row:
        """Return the probabilities that these free ones determine."""
        found = [ZERO] * (len(self.basic) + len(self.free))
        for place, value in zip(self.basic, self.constants, strict=True):
            found[place] = value
        for value, step in zip(free, self.directions, strict=True):
            found = [old + value * more for old, more in zip(found, step, strict=True)]
        return found


def exact_answer(
    game: NormalFormGame, near: tuple[IntArray, IntArray], *, symmetric: bool, meter: Meter
) -> ExactAnswer | None:
    """Return the most entropic optimal strategies from exact faces.

    None if an action not near has to be played after all, or ``minimax`` ran out of time.

    Args:
        game: Two players, constant-sum.
        near: Rows and columns that may be played.
        symmetric: Whether both players have one face.
        meter: Looked at before each step.
    """
    restricted = NormalFormGame.zero_sum(game.given_payoffs[0][np.ix_(*near)])
    try:
        found = minimax(restricted, budget=Budget(seconds=meter.seconds_left))
    except NotConverged:
        return None
    value, payoffs = found.certificate.lower, game.scaled_payoffs[0]
    scale = value.denominator * payoffs.denominator
    table = payoffs.numerators * value.denominator - value.numerator * payoffs.denominator
    vertices = [
        _spread(strategy, places, count)
        for strategy, places, count in zip(
            found.profile.strategies, near, game.num_actions, strict=True
        )
    ]
    if (table @ vertices[1]).max() > 0 or (vertices[0] @ table).min() < 0:
        return None
    tables = (table, -table.T)
    inside = [_inside(own, vertices[i], vertices[1 - i], meter) for i, own in enumerate(tables)]
    answers = [
        _most_entropic(_Face(own, scale, inside[i], inside[1 - i]), meter)
        for i, own in enumerate(tables[: 1 if symmetric else 2])
    ]
    return ExactAnswer(
        MixedProfile((answers[0].strategy, answers[-1].strategy)),
        (answers[0].prices, answers[-1].prices),
    )


def _inside(table: ExactArray, own: ExactArray, other: ExactArray, meter: Meter) -> ExactArray:
    """Return an optimal strategy that plays, and leaves slack, all that any optimal one does.

    Args:
        table (num_actions, num_opposing): Payoffs less the value, as integers.
        own, other: Optimal strategies of both players.
        meter: Looked at before each pivot.
    """
    slack, played = own @ table, own > 0
    may_play = np.flatnonzero((table @ other == 0) & ~played)
    may_loosen = np.flatnonzero((slack == 0) & (other == 0))
    if not len(may_play) and not len(may_loosen):
        return own
    moved = np.concatenate([np.flatnonzero(played), may_play])
    program = _direction_program(table, moved, may_play, np.flatnonzero(other), may_loosen)
    found = solve_exactly(program, None, tick=meter.require_time).primal[: len(moved)]
    direction = np.full(len(own), ZERO, dtype=object)
    direction[moved] = found
    rise, loose = direction @ table, slack > 0
    needed = [*(-direction[played] / own[played]), *(-rise[loose] / slack[loose])]
    point = direction + own * (1 + max(needed))
    return freeze(point / point.sum())


def _direction_program(
    table: ExactArray, moved: Places, may_play: Places, tight: Places, may_loosen: Places
) -> LinearProgram:
    """Write the program of directions: most of ``t <= d, 1`` and ``r <= d'B, 1``.

    Columns are ``d`` over the actions moved, the last of them at least 0, then ``t`` and ``r``.
    """
    num_moved, num_more, num_loose = len(moved), len(may_play), len(may_loosen)
    bounded = num_more + num_loose
    rows = np.zeros((len(tight) + 2 * bounded, num_moved + bounded), dtype=object)
    rows[: len(tight), :num_moved] = table[np.ix_(moved, tight)].T
    lifted = rows[len(tight) : len(tight) + bounded]
    lifted[range(num_more), range(num_moved - num_more, num_moved)] = -1
    lifted[num_more:, :num_moved] = -table[np.ix_(moved, may_loosen)].T
    lifted[range(bounded), range(num_moved, num_moved + bounded)] = 1
    rows[range(len(tight) + bounded, len(rows)), range(num_moved, num_moved + bounded)] = 1
    places = np.nonzero(rows)
    return LinearProgram(
        objective=object_array([0] * num_moved + [1] * bounded),
        rows=places[0].astype(np.int32),
        columns=places[1].astype(np.int32),
        values=rows[places],
        bounds=object_array([0] * (len(tight) + bounded) + [1] * bounded),
        is_equation=np.arange(len(rows)) < len(tight),
        is_free=np.arange(num_moved + bounded) < num_moved - num_more,
    )


def _most_entropic(face: _Face, meter: Meter) -> _FaceAnswer:
    """Maximize the entropy on a face."""
    support, tight = np.flatnonzero(face.inside), np.flatnonzero(face.against)
    others = np.flatnonzero(face.against == 0)
    inside, table = face.inside[support], face.table[support]
    equations = _equations(table[:, tight])
    rows: list[Row] = [[Fraction(v) for v in column] for column in table[:, others].T.tolist()]
    found = most_entropic_in_digits(inside.tolist(), equations.directions, rows, tick=meter.tick)
    pressed = [
        j
        for j, row, charge in zip(others.tolist(), rows, found.multipliers, strict=True)
        if charge * earned(inside.tolist(), row) ** 2 > earned(found.point, row)
    ]
    smaller = _equations(table[:, [*tight.tolist(), *pressed]]) if pressed else equations
    strategy = np.full(len(face.inside), ZERO, dtype=object)
    strategy[support] = _rounded(found.point, rows, smaller, equations)
    prices = np.full(len(face.against) + 1, ZERO, dtype=object)  # the last is the level
    prices[others] = found.multipliers
    left = found.logarithms - table[:, others] @ prices[others]
    solved = solve_rational(equations.columns[equations.basic], left[equations.basic].tolist())
    prices[[[*tight.tolist(), -1][k] for k in equations.chosen]] = solved.only
    return _FaceAnswer(freeze(strategy), _opposition(face, prices[:-1], prices[-1]))


def _equations(table: ExactArray) -> _Equations:
    """Reduce ``x'B == 0, sum x == 1`` for the tight columns ``B`` of a support.

    Args:
        table (num_support, num_tight): Integers.
    """
    size = len(table)
    columns = np.concatenate([table, np.ones((size, 1), dtype=object)], axis=1)
    right = [[0]] * table.shape[1] + [[1]]
    basic, reduced = _reduced(np.concatenate([columns.T, right], axis=1))
    free = [j for j in range(size) if j not in basic]
    directions: list[Row] = []
    for j in free:
        step = [ZERO] * size
        step[j] = Fraction(1)
        for place, row in zip(basic, reduced, strict=True):
            step[place] = -row[j]
        directions.append(step)
    chosen, _ = _reduced(columns)
    return _Equations(
        basic, free, [row[-1] for row in reduced], directions, columns[:, chosen], chosen
    )


def _reduced(table: ExactArray) -> tuple[list[int], list[Row]]:
    """Return the pivots and the nonzero rows of the reduced echelon form of integers."""
    matrix, rank = flint.fmpq_mat(flint.fmpz_mat(table.tolist())).rref()
    rows = [
        [Fraction(int(matrix[k, j].p), int(matrix[k, j].q)) for j in range(table.shape[1])]
        for k in range(rank)
    ]
    return [next(j for j, value in enumerate(row) if value) for row in rows], rows


def _rounded(point: Row, rows: list[Row], smaller: _Equations, equations: _Equations) -> Row:
    """Return an exact point of the face next to one in digits; of simple fractions, if it can.

    Args:
        point: Inside the face.
        rows: Inequalities.
        smaller: Equations of the face where the inequalities that press are tight.
        equations: Of the face.
    """
    candidates = [smaller.point([_simple(point[j]) for j in smaller.free])]
    candidates += [
        equations.point([_cut(point[j], digits) for j in equations.free]) for digits in DIGITS
    ]
    for candidate in candidates:
        near = all(abs(a - b) <= NEAR * b for a, b in zip(candidate, point, strict=True))
        if near and all(earned(candidate, row) >= 0 for row in rows):
            return candidate
    return equations.point([point[j] for j in equations.free])


def _simple(value: Fraction) -> Fraction:
    simple = value.limit_denominator(MOST_DENOMINATOR)
    return simple if abs(simple - value) <= NEAR * value else _cut(value, DIGITS[0])


def _cut(value: Fraction, digits: int) -> Fraction:
    """Round a positive number to about as many digits."""
    size = value.denominator.bit_length() - value.numerator.bit_length()
    bits = max(0, size) + math.ceil(digits * math.log2(10))
    return Fraction(round(value * (1 << bits)), 1 << bits)


def _opposition(face: _Face, prices: ExactArray, level: Fraction) -> Opposition:
    """Add as much of the opponent's strategy as leaves no price negative and no action outside.

    All that is optimal earns the value against it, so that the bound stays.
    """
    tight, outside = face.against > 0, face.inside == 0
    shortfalls = -(face.table[outside] @ face.against)
    suppressing = (face.table[outside] @ prices + level + Fraction(NEGLIGIBLE)) / shortfalls
    weight = max([ZERO, *suppressing, *(-prices[tight] / face.against[tight])])
    bits = PRICE_BITS + max(abs(value) for value in face.table.ravel()).bit_length()
    parts = [round(value * (1 << bits)) for value in prices + math.ceil(weight) * face.against]
    return weighted_strategy(parts, bits=bits, unit=Fraction(1, face.scale))


def _spread(strategy: NumberArray, places: IntArray, count: int) -> ExactArray:
    whole = np.full(count, ZERO, dtype=object)
    whole[places] = strategy
    return whole
