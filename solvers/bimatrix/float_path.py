"""A Lemke-Howson path in floats: room, budget, and where it ended.

The loop itself is ``solvers._kernels.complementary_pivoting``; here its arrays are made, and read
back as supports and weights. Nothing is decided here: floats propose.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from gametheory_core.arrays import FloatArray, is_exact
from gametheory_core.evaluation.payoffs import scaled_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from solvers._kernels import complementary_pivoting
from solvers._kernels.complementary_pivoting import DONE, LIMIT_REACHED, Path
from solvers.solution import Meter

VECTOR = 8  # words a processor handles at once: short rows run far faster when padded
BATCH = 4_096  # pivots between two looks at the budget
MOST_PIVOTS = 1_000_000  # a path still longer is more likely lost than long
LARGEST_BITS = 1_000  # of integers that are safe to turn into floats


class PathOutcome(Enum):
    """How a path in floats ended; the value says what it means."""

    ENDED = "the label dropped first was picked up again"
    BUDGET_ENDED = "the budget ended on the way"
    LOST = "rounding led the path astray, or it is longer than a million pivots"


@dataclass(frozen=True, eq=False)
class PathEnd:
    """Where a path in floats ended.

    Attributes:
        weights: Weights of each player's actions, not normalised; all zero at the origin.
        supports: Each player's basic actions.
        replies: Actions of the other player whose slacks are not basic: best replies, as many as
            basic actions.
    """

    outcome: PathOutcome
    weights: tuple[FloatArray, FloatArray]
    supports: tuple[tuple[int, ...], tuple[int, ...]]
    replies: tuple[tuple[int, ...], tuple[int, ...]]


def float_path(game: NormalFormGame, *, initial_label: int, meter: Meter) -> PathEnd:
    """Follow the path of a label in floats, as far as the budget goes."""
    path = new_path(game.num_actions)
    before = meter.iterations
    status = complementary_pivoting.start_path(
        _float_payoffs(game), path, initial_label, meter.at_most(BATCH)
    )
    meter.step(int(path.state[2]))
    while status == LIMIT_REACHED and not meter.is_exhausted:
        if meter.iterations - before >= MOST_PIVOTS:
            return _end(path, PathOutcome.LOST)
        done = int(path.state[2])
        status = complementary_pivoting.follow_path(path, initial_label, meter.at_most(BATCH))
        meter.step(int(path.state[2]) - done)
    if status == DONE:
        return _end(path, PathOutcome.ENDED)
    return _end(path, PathOutcome.BUDGET_ENDED if status == LIMIT_REACHED else PathOutcome.LOST)


def new_path(num_actions: tuple[int, ...]) -> Path:
    """Make room for a path through a game with so many actions."""
    rows, columns = num_actions
    widths = [-(-(count + 1) // VECTOR) * VECTOR for count in num_actions]
    return Path(
        first=np.empty((columns, widths[0])),
        second=np.empty((rows, widths[1])),
        scales=np.empty(rows + columns),
        basic=np.empty(rows + columns, dtype=np.int64),
        positions=np.empty((2, rows + columns), dtype=np.int64),
        held=np.empty(max(widths)),
        state=np.empty(3, dtype=np.int64),
    )


def _float_payoffs(game: NormalFormGame) -> FloatArray:
    """Return payoffs in floats, up to what moves no equilibrium, whose differences are finite.

    Of exact payoffs, what is least against an action of the other player is subtracted first, so
    that small differences of large numbers survive.
    """
    if not is_exact(game.given_payoffs):
        return game.payoffs if np.abs(game.payoffs).max() < 2.0**1000 else game.payoffs / 4.0
    floats = np.empty(game.given_payoffs.shape)
    for player in range(2):
        numerators = scaled_payoffs(game, player).numerators
        reduced = numerators - numerators.min(axis=player, keepdims=True)
        excess = int(reduced.max()).bit_length() - LARGEST_BITS
        floats[player] = reduced >> excess if excess > 0 else reduced
    return floats


def _end(path: Path, outcome: PathOutcome) -> PathEnd:
    num_columns, num_rows = path.first.shape[0], path.second.shape[0]
    ends = [
        _side(path.first, path.basic[:num_columns], path.scales[:num_rows], 0, num_rows),
        _side(path.second, path.basic[num_columns:], path.scales[num_rows:], num_rows, 0),
    ]
    weights, supports, replies = zip(*ends, strict=True)
    return PathEnd(outcome, weights, supports, replies)


def _side(
    tableau: FloatArray, basic: np.ndarray, scales: FloatArray, first_own: int, first_slack: int
) -> tuple[FloatArray, tuple[int, ...], tuple[int, ...]]:
    """Return one player's weights, basic actions and nonbasic replies."""
    weights = np.zeros(len(scales))
    own = (basic >= first_own) & (basic < first_own + len(scales))
    actions = basic[own] - first_own
    weights[actions] = np.maximum(tableau[own, -1], 0.0) / scales[actions]
    slack = set((basic[~own] - first_slack).tolist())
    replies = tuple(reply for reply in range(len(basic)) if reply not in slack)
    return weights, tuple(sorted(actions.tolist())), replies
