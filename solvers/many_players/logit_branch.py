"""The principal branch of logit quantal responses, from the centroid on: layout, room and budget.

The steps themselves are ``solvers._kernels.logit_path``, run as they are or compiled. Compiled,
they are about ten times faster, but take a good part of a second to load, and far longer once after
each installation. Both round alike, so that the engine changes the time alone.
"""

import sys
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import pairwise, permutations
from math import log
from typing import cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray, is_exact
from gametheory_core.evaluation.payoffs import scaled_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from solvers._kernels import logit_path
from solvers._kernels.logit_path import NEEDS_ROOM, Branch, LogitGame, solve, total
from solvers.solution import Meter

LONGEST_IN_NUMPY = 50_000  # actions times points of one branch: some seconds
FIRST_ROOM = 128  # points
FIRST_STEP = 0.1
SMALLER = 2.0**-4  # keeps differences of the largest floats finite
BATCH = 64  # points between two looks at the budget


class Engine(Enum):
    """What follows a branch; the same points come out, to the last bit."""

    BY_LENGTH = "plain numpy, and the compiled loop if it is loaded, or the branch turns out long"
    NUMPY = "plain numpy"
    COMPILED = "the compiled loop from the first point on, which pays for many games"


@dataclass(frozen=True, eq=False)
class PlayableGame:
    """A game laid out for derivatives.

    Attributes:
        layout: Payoffs less each player's smallest, over ``span``.
        span: Largest payoff span of a player, or 1 if all payoffs of everybody are equal.
    """

    layout: LogitGame
    span: Fraction


@dataclass(frozen=True, eq=False)
class NormalizedPayoffs:
    """Payoffs less each player's smallest, over the largest span.

    Attributes:
        payoffs (n, *num_actions): In [0, 1].
        span: About the largest payoff span of a player, or 1 if all payoffs of everybody are equal.
    """

    payoffs: FloatArray
    span: Fraction


@dataclass(frozen=True)
class Piece:
    """A piece of the branch, with the reason why it ends.

    Attributes:
        status: ``REACHED``, ``SETTLED``, ``STUCK``, or ``NEEDS_ROOM`` where the budget ended.
    """

    branch: Branch
    status: int

    @property
    def last(self) -> FloatArray:
        """Log-probabilities and rationality of the last point."""
        return self.branch.points[self.branch.counts[0] - 1]


def playable(game: NormalFormGame) -> PlayableGame:
    """Lay out a game's payoffs, scaled exactly and then rounded."""
    normalized = normalized_payoffs(game)
    payoffs = normalized.payoffs
    starts = np.concatenate(([0], np.cumsum(game.num_actions))).astype(np.int64)
    blocks: list[FloatArray] = [np.empty(0)]
    pairs: list[tuple[int, int, int]] = []
    position = 0
    for own, opponent in permutations(range(game.num_players), 2):
        pairs.append((own, opponent, position))
        blocks.append(np.moveaxis(payoffs[own], (own, opponent), (0, 1)).ravel())
        position += blocks[-1].size
    lonely = payoffs[0] if game.num_players == 1 else np.zeros(starts[-1])
    layout = LogitGame(
        starts,
        np.array(pairs, dtype=np.int64).reshape(-1, 3),
        np.concatenate(blocks),
        np.ascontiguousarray(lonely),
    )
    return PlayableGame(layout, normalized.span)


def normalized_payoffs(game: NormalFormGame) -> NormalizedPayoffs:
    """Return payoffs in [0, 1], each within a few units in the last place of the exact number."""
    given = game.given_payoffs
    axes = tuple(range(1, given.ndim))
    if not is_exact(given):
        small = given * SMALLER  # no difference overflows
        shifted = small - small.min(axis=axes, keepdims=True)
        largest = float(shifted.max())
        span = Fraction(largest) / Fraction(SMALLER) if largest else Fraction(1)
        return NormalizedPayoffs(shifted / (largest or 1.0), span)
    scaled = [scaled_payoffs(game, player) for player in range(game.num_players)]
    lifted = [own.numerators - own.numerators.min() for own in scaled]
    span = max(
        Fraction(int(values.max()), own.denominator)
        for values, own in zip(lifted, scaled, strict=True)
    ) or Fraction(1)
    units = [span * own.denominator for own in scaled]
    tables = [
        (values * unit.denominator / unit.numerator).astype(np.float64)
        for values, unit in zip(lifted, units, strict=True)
    ]
    return NormalizedPayoffs(np.array(tables), span)


def over_span(rationalities: FloatArray, span: Fraction) -> FloatArray:
    """Divide by a payoff span of any size; what is too large for a float becomes infinite."""
    exponent = span.numerator.bit_length() - span.denominator.bit_length()
    with np.errstate(over="ignore"):
        return np.ldexp(rationalities / float(span / Fraction(2) ** exponent), -exponent)


def centroid(game: LogitGame) -> Branch:
    """Start the branch: everybody plays all actions equally often, at rationality 0."""
    size = int(game.starts[-1])
    points = np.zeros((FIRST_ROOM, size + 1))
    for first, last in pairwise(game.starts.tolist()):
        points[0, first:last] = -log(last - first)
    residual, matrix, unit = np.zeros(size + 1), np.zeros((size + 1, size + 1)), np.zeros(size + 1)
    logit_path.linearize(game, points[0], residual, matrix)
    matrix[size, size] = unit[size] = 1.0  # at the centroid, rationality grows
    tangent = np.zeros(size + 1)
    solve(matrix, unit, tangent)  # regular: triangular but for rows that sum probabilities
    tangent /= np.sqrt(total(tangent * tangent))
    return Branch(points, np.ones(1, dtype=np.int64), tangent, np.array([FIRST_STEP]), np.zeros(1))


def extended(
    game: LogitGame,
    branch: Branch,
    *,
    target: float,
    settle_from: float,
    engine: Engine,
    meter: Meter,
) -> Piece:
    """Follow the branch until it settles, passes the target, gets stuck, or the budget ends."""
    status = NEEDS_ROOM
    while status == NEEDS_ROOM and not meter.is_exhausted:
        count = int(branch.counts[0])
        if count == len(branch.points):
            branch = branch._replace(
                points=np.concatenate([branch.points, np.zeros_like(branch.points)])
            )
        follow = _follower(engine, count * int(game.starts[-1]))
        status = follow(game, branch, target, settle_from, meter.at_most(BATCH))
        meter.step(int(branch.counts[0]) - count)
    return Piece(branch, int(status))


def _follower(engine: Engine, done: int) -> "logit_path.Follow":
    pays = done > LONGEST_IN_NUMPY or "solvers._kernels.compiled_twins" in sys.modules
    if engine is Engine.COMPILED or (engine is Engine.BY_LENGTH and pays):
        from solvers._kernels.compiled_twins import follow  # noqa: PLC0415 loads numba

        return cast("logit_path.Follow", follow)
    return logit_path.follow


def by_player(game: LogitGame, flat: NDArray[np.float64]) -> tuple[FloatArray, ...]:
    """Cut a vector (or the columns of a table) over all actions into one for each player."""
    return tuple(flat[..., first:last] for first, last in pairwise(game.starts.tolist()))
