"""Lemke-Howson: follow a path of almost fully labelled vertices to one equilibrium.

Start at the artificial pair (0, 0), which has all labels, and drop one label. Each pivot on one
polytope picks up a label; while it is a duplicate, drop it on the other polytope. The path ends
where the label dropped first is picked up again.

Two ways to the end. Python integers are exact and need nothing. Floats are hundreds of times
faster on large games, but their kernel takes half a second to load: large games go there at once,
and long paths through small ones as soon as integers have been at work for as long. What floats
find is a pair of supports; the exact solution of their linear systems is certified, and if it is no
equilibrium, Python integers follow the path after all. Where a tolerance is enough, the float
weights themselves are certified.

The loop in floats is ``solvers._kernels.complementary_pivoting``; here its arrays are made, and
read back as supports and weights. Nothing is decided by floats: they propose.
"""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from operator import mul
from typing import TYPE_CHECKING

import numpy as np

from gametheory_core.arrays import ZERO, FloatArray, is_exact
from gametheory_core.certificates.equilibrium import NashCertificate, certify_nash
from gametheory_core.errors import NotConverged
from gametheory_core.evaluation.payoffs import scaled_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers._programs.rational_systems import solve_dense
from solvers.bimatrix.best_response_polytopes import (
    Tableau,
    basic_weights,
    leaving_row,
    origins,
    pivot,
    strategy_of,
)
from solvers.concepts import Concept
from solvers.reduced_normal_form import reduced_normal_form
from solvers.requirements import a_normal_form, require_integer, two_players
from solvers.rounding import rational_distribution
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver

if TYPE_CHECKING:
    from solvers._kernels.complementary_pivoting import Path

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
    from solvers._kernels import complementary_pivoting as kernel  # noqa: PLC0415 loads numba

    path = new_path(game.num_actions)
    before = meter.iterations
    status = kernel.start_path(_float_payoffs(game), path, initial_label, meter.at_most(BATCH))
    meter.step(int(path.state[2]))
    while status == kernel.LIMIT_REACHED and not meter.is_exhausted:
        if meter.iterations - before >= MOST_PIVOTS:
            return _end(path, PathOutcome.LOST)
        done = int(path.state[2])
        status = kernel.follow_path(path, initial_label, meter.at_most(BATCH))
        meter.step(int(path.state[2]) - done)
    if status == kernel.DONE:
        return _end(path, PathOutcome.ENDED)
    return _end(
        path, PathOutcome.BUDGET_ENDED if status == kernel.LIMIT_REACHED else PathOutcome.LOST
    )


def new_path(num_actions: tuple[int, ...]) -> "Path":
    """Make room for a path through a game with so many actions."""
    from solvers._kernels.complementary_pivoting import Path  # noqa: PLC0415 loads numba

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


def _end(path: "Path", outcome: PathOutcome) -> PathEnd:
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
    least = scales[actions].min(initial=np.inf)  # a weight of 1 for it, so that none overflows
    weights[actions] = np.maximum(tableau[own, -1], 0.0) * (least / scales[actions])
    slack = set((basic[~own] - first_slack).tolist())
    replies = tuple(reply for reply in range(len(basic)) if reply not in slack)
    return weights, tuple(sorted(actions.tolist())), replies


MOST_INTEGER_CELLS = 64  # 8 x 8: beyond, calls soon repay the loading of the loop
LONGEST_IN_INTEGERS = 2_500_000  # words pivoted on one path, about half a second
WORD = 64  # bits


@solver(
    Answers(Concept.NASH, rank=50),
    takes=(a_normal_form, two_players),
    through=(reduced_normal_form,),
    unit="pivots",
    because="two players: a path of pivots ends at an equilibrium, proved exactly",
    page="nash",
)
def lemke_howson(
    game: NormalFormGame,
    *,
    initial_label: int = 0,
    tolerance: float | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[MixedProfile, NashCertificate]:
    """Find one equilibrium of a bimatrix game, exactly unless a tolerance is given.

    Args:
        game: Two players; degenerate games too.
        initial_label: Which label is dropped first: a row player's action ``0 .. m-1``, or ``m``
            plus a column player's action. Different labels may lead to different equilibria.
        tolerance: Largest deviation gain accepted, in payoff units; the answer may still be exact.
            Default: an exact equilibrium.
        budget: Iterations are pivots.
        on_iteration: Called after each pivot, or batch of pivots.

    Returns:
        The certificate's epsilon is 0, or at most the tolerance.

    Raises:
        InvalidArgument: If there is no such label, or the tolerance is not positive and finite.
        NotConverged: If the budget ends first; ``best`` is the point reached on the path, and its
            certificate says how far from equilibrium it is.

    Ties are broken lexicographically, as if the game were perturbed by infinitesimals, so that no
    path loops. The number of pivots can be exponential in the number of actions: random games of
    100 x 100 take from a few to tens of thousands.

    Sources:
        Lemke, Howson, "Equilibrium points of bimatrix games", SIAM J. 12 (1964).
        von Stengel, "Computing equilibria for two-person games", Handbook of Game Theory 3 (2002),
            section 2.

    >>> game = NormalFormGame.bimatrix([[3, 0], [0, 2]], [[2, 0], [0, 3]])
    >>> lemke_howson(game, initial_label=1).payoffs
    (Fraction(2, 1), Fraction(3, 1))
    """
    _require_label(game, initial_label)
    meter = open_meter(budget, on_iteration)
    rows, columns = game.num_actions
    if rows * columns > MOST_INTEGER_CELLS:
        found = _by_floats(game, initial_label, tolerance, meter)
        return found or _by_integers(game, initial_label, tolerance, meter, may_switch=False)
    return _by_integers(game, initial_label, tolerance, meter, may_switch=True)


def _require_label(game: NormalFormGame, initial_label: int) -> None:
    most = sum(game.num_actions) - 1
    if type(initial_label) is not int or not 0 <= initial_label <= most:
        remedy = f"There is one label for each action of {game!r}."
        require_integer(initial_label, name="initial_label", low=0, high=most, remedy=remedy)


def _by_floats(
    game: NormalFormGame, initial_label: int, tolerance: float | None, meter: Meter
) -> Solution[MixedProfile, NashCertificate] | None:
    """Follow the path in floats; None if what comes out is not proved good enough."""
    end = float_path(game, initial_label=initial_label, meter=meter)
    if tolerance is not None or end.outcome is PathOutcome.BUDGET_ENDED:
        rounded = MixedProfile(tuple(map(rational_distribution, end.weights)))
        solution = _certified(game, rounded, meter)
        if tolerance is not None and solution.certificate.epsilon <= Fraction(tolerance):
            return solution
        if end.outcome is PathOutcome.BUDGET_ENDED:
            raise _not_converged(initial_label, meter, solution)
    if end.outcome is PathOutcome.LOST:
        return None
    profile = _on_supports(game, end.supports, end.replies)
    solution = None if profile is None else _certified(game, profile, meter)
    return solution if solution and not solution.certificate.epsilon else None


def _on_supports(
    game: NormalFormGame,
    supports: tuple[tuple[int, ...], tuple[int, ...]],
    replies: tuple[tuple[int, ...], tuple[int, ...]],
) -> MixedProfile | None:
    """Mix on supports so that the other player's replies pay the same, exactly; None if none.

    A constant is added to all payoffs, so that what replies pay is positive.
    """
    strategies = []
    for player in range(2):
        support, best = supports[player], replies[player]
        table = scaled_payoffs(game, 1 - player).numerators
        table = (table.T if player == 0 else table)[best, :][:, support]
        if not table.size:
            return None
        positive = (table - table.min() + 1).tolist()
        try:
            solved = solve_dense(positive, [1] * len(best)).numerators
        except ZeroDivisionError:  # rounding has chosen supports that are not a vertex
            return None
        if min(solved) < 0 or not any(solved):
            return None
        weights = [0] * game.num_actions[player]
        for action, weight in zip(support, solved, strict=True):
            weights[action] = weight
        strategies.append(strategy_of(weights))
    return MixedProfile(tuple(strategies))


def _by_integers(
    game: NormalFormGame,
    initial_label: int,
    tolerance: float | None,
    meter: Meter,
    *,
    may_switch: bool,
) -> Solution[MixedProfile, NashCertificate]:
    """Follow the path in Python integers, and change to floats if it turns out long."""
    tableaus = list(origins(game))
    rows, columns = game.num_actions
    label = initial_label
    side = 0 if label < rows else 1
    words = 0
    while True:
        if meter.is_exhausted:
            best = _certified(game, _basic_profile(game, tableaus), meter)
            raise _not_converged(initial_label, meter, best)
        tableau = tableaus[side]
        column = tableau.nonbasic.index(label)  # move along the edge on which it is not tight
        row = leaving_row(tableau, column=column)
        tableaus[side], label = pivot(tableau, row=row, column=column), tableau.basic[row]
        meter.step()
        words += rows * columns * (1 + tableaus[side].determinant.bit_length() // WORD)
        if label == initial_label:
            return _at_the_end(game, tableaus, meter)
        side = 1 - side
        if may_switch and words > LONGEST_IN_INTEGERS:
            found = _by_floats(game, initial_label, tolerance, meter)
            if found:
                return found
            may_switch = False


def _at_the_end(
    game: NormalFormGame, tableaus: list[Tableau], meter: Meter
) -> Solution[MixedProfile, NashCertificate]:
    """State the equilibrium at the end of an exact path.

    All labels are there: whatever is played is a best reply, and pays what the best reply pays.
    """
    weights = _weights(game, tableaus)
    payoffs: list[Fraction] = []
    for player in range(2):
        scaled = game.scaled_payoffs[player]
        own_first = scaled.numerators if player == 0 else scaled.numerators.T
        played = next(a for a, weight in enumerate(weights[player]) if weight)
        others = weights[1 - player]
        paid = sum(map(mul, own_first[played].tolist(), others))
        payoffs.append(Fraction(paid, sum(others) * scaled.denominator))
    profile = MixedProfile(tuple(map(strategy_of, weights)))
    certificate = NashCertificate(game, profile, (payoffs[0], payoffs[1]), (ZERO, ZERO))
    return Solution(profile, certificate.payoffs, certificate, meter.record())


def _weights(game: NormalFormGame, tableaus: list[Tableau]) -> list[list[int]]:
    rows, columns = game.num_actions
    first, second = tableaus
    return [basic_weights(first, range(rows)), basic_weights(second, range(rows, rows + columns))]


def _not_converged(
    initial_label: int, meter: Meter, best: Solution[MixedProfile, NashCertificate]
) -> NotConverged:
    return NotConverged(
        needs=f"to pick up label {initial_label} again",
        found=f"the budget ended after {meter.iterations} pivots",
        remedy="Give a larger budget, another initial_label, or use the exception's best, the "
        "point "
        "of the path where it ended.",
        best=best,
    )


def _basic_profile(game: NormalFormGame, tableaus: list[Tableau]) -> MixedProfile:
    """Return the pair of vertices; the origin, where a path starts, counts as uniform play."""
    weights = _weights(game, tableaus)
    return MixedProfile(tuple(strategy_of(own if any(own) else [1] * len(own)) for own in weights))


def _certified(
    game: NormalFormGame, profile: MixedProfile, meter: Meter
) -> Solution[MixedProfile, NashCertificate]:
    certificate = certify_nash(game, profile)
    return Solution(profile, certificate.payoffs, certificate, meter.record())
