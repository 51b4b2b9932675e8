"""The most entropic minimax strategies of a matrix game (Balduzzi et al. 2018; Ortiz et al. 2007).

Optimal strategies form a polytope for each player, on which the entropy has one maximum. It treats
equal actions equally, keeps every action that some optimal strategy plays, and does not depend on
how actions are ordered: a canonical answer where minimax leaves many.
"""

from fractions import Fraction
from typing import TypeAlias, TypeVar

import numpy as np

from gametheory_core.arrays import ZERO, FloatArray, IntArray, is_exact
from gametheory_core.certificates.max_entropy import (
    MaxEntropyCertificate,
    certify_max_entropy,
    is_symmetric_table,
)
from gametheory_core.certificates.wording import at_most, rationals
from gametheory_core.errors import NotConverged
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import payoff_sum
from gametheory_core.strategies.mixed import MixedProfile, uniform_profile
from solvers.concepts import Concept
from solvers.requirements import a_normal_form, constant_sum, require_instance, two_players
from solvers.solution import UNLIMITED, Budget, BudgetOver, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.zero_sum.entropy_bounds import (
    Opposition,
    continued,
    exact_strategy,
    opposition,
    refined_on,
    refined_strategy,
)
from solvers.zero_sum.exact_faces import exact_answer
from solvers.zero_sum.optimal_faces import Board, board_of, optimal_faces

START_REMEDY = "Give what max_entropy returned for a smaller game."
DEFAULT_SHARE = 1e-12  # of the payoff span, unless a tolerance is given
DEFAULT_ENTROPY_TOLERANCE = 1e-9
SMALL = 24  # actions of a player in games that are always solved exactly
MOST_EXACT = 60  # actions of a player in exact programs; larger ones take too long
ROUNDED_SHARE = 1e-14  # of the payoff span: ties that rounding of floats breaks are kept
NEARLY_PLAYED = 1e-5  # of payoffs on a board: actions that fall short by less may be played

Result: TypeAlias = Solution[MixedProfile, MaxEntropyCertificate]
Item = TypeVar("Item")


@solver(
    Answers(Concept.MAX_ENTROPY, rank=10),
    takes=(a_normal_form, two_players, constant_sum),
    unit="Newton steps",
    because="two players, constant sum: of all optimal strategies, the most even ones",
    page="max-entropy",
)
def max_entropy(
    game: NormalFormGame,
    *,
    tolerance: float | None = None,
    entropy_tolerance: float = DEFAULT_ENTROPY_TOLERANCE,
    start: Result | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Result:
    """Find each player's most entropic minimax strategy of a constant-sum matrix game.

    Both are unique. In a symmetric game they are one strategy, found at half the cost.

    Args:
        game: Two players, constant-sum.
        tolerance: Width of the interval around the value that is good enough, in payoff units.
            Default 1e-12 times the payoff span. Games of up to 24 actions a player are solved
            exactly anyway, but for ties that rounding breaks in an array of floats: there the width
            may be up to 1e-14 times the span.
        entropy_tolerance: How much more entropy an optimal strategy may have, in nats.
        start: Of a game that this one extends by actions at the end of the lists. If the new
            actions earn less, its answer stays; otherwise few other actions are looked at. Any
            other start costs time and does no harm: the answer is certified for this game.
        budget: Iterations are Newton steps.
        on_iteration: Called at each Newton step.

    Returns:
        ``certificate.epsilon`` and ``certificate.entropy_gap`` are within the tolerances.

    Raises:
        NotConverged: If the tolerances are not met, or the budget ends; ``best`` is the best
            certified solution.

    Time is cubic in the number of actions, 15 to 30 factorizations. A strategy that is not exact
    satisfies its equations to about 28 digits. The answer jumps where payoffs change by little: an
    optimal strategy that is next to optimal after the change no longer counts.

    Sources:
        D. Balduzzi, K. Tuyls, J. Perolat, T. Graepel (2018), "Re-evaluating evaluation".
        L. Ortiz, R. Schapire, S. Kakade (2007), "Maximum entropy correlated equilibria".

    >>> twice_rock = [[0, 0, -1, 1], [0, 0, -1, 1], [1, 1, 0, -1], [-1, -1, 1, 0]]
    >>> solution = max_entropy(NormalFormGame.zero_sum(twice_rock))
    >>> [str(p) for p in solution.profile.strategies[0]]
    ['1/6', '1/6', '1/3', '1/3']
    """
    if start is not None:
        require_instance(start, Solution, name="start", remedy=START_REMEDY)
        require_instance(
            start.certificate, MaxEntropyCertificate, name="start.certificate", remedy=START_REMEDY
        )
    meter = open_meter(budget, on_iteration)
    board = board_of(game)
    limits = (
        Fraction(tolerance) if tolerance is not None else Fraction(DEFAULT_SHARE) * board.span,
        Fraction(entropy_tolerance),
    )
    kept = None if start is None else continued(game, board, start)
    best = None if kept is None else _certified(game, kept.profile, kept.prices, meter)
    if best is not None and _is_within(best, limits):
        return best
    try:
        best = _solved(game, board, start, limits, meter)
        if best.certificate.epsilon > _rounding(game, board) or not _is_within(best, limits):
            best = _exactly(game, board, best, limits, meter) or best
    except BudgetOver:
        best = best or _certified(game, uniform_profile(game), _unopposed(game), meter)
    if _is_within(best, limits):
        return best
    certificate = best.certificate
    raise NotConverged(
        needs=f"an epsilon of at most {at_most(limits[0])} and an entropy gap of at most "
        f"{at_most(limits[1])}",
        found=f"found {at_most(certificate.epsilon)} and {at_most(certificate.entropy_gap)} after "
        f"{meter.iterations} Newton steps",
        remedy="Give larger tolerances or a larger budget, or use the exception's best.",
        best=best,
    )


def _solved(
    game: NormalFormGame,
    board: Board,
    start: Result | None,
    limits: tuple[Fraction, Fraction],
    meter: Meter,
) -> Result:
    """Find both faces in floats, and the best rational answer that they give."""
    faces = optimal_faces(
        board.matrix, _working_set(game, start), symmetric=board.symmetric, tick=meter.tick
    )
    sides = range(1 if board.symmetric else 2)
    inside = _both(
        [
            refined_on(game, i, faces[i], faces[i].point.face, faces[i].point.inside, board.unit)
            for i in sides
        ]
    )
    prices = _both(
        [opposition(board.own_first(i), faces[i], inside[1 - i], unit=board.unit) for i in sides]
    )
    exact = [exact_strategy(game, i, faces[i]) for i in sides]
    found = [strategy for strategy in exact if strategy is not None]
    if len(found) == len(exact):
        candidate = _certified(game, MixedProfile(_both(found)), prices, meter)
        if not candidate.certificate.epsilon and _is_within(candidate, limits):
            return candidate
    refined = [refined_strategy(game, i, faces[i], unit=board.unit) for i in sides]
    return _certified(game, MixedProfile(_both(refined)), prices, meter)


def _exactly(
    game: NormalFormGame,
    board: Board,
    around: Result,
    limits: tuple[Fraction, Fraction],
    meter: Meter,
) -> Result | None:
    """Solve from exact faces what floats left in doubt; None if that is too much work."""
    near = _working_set(game, None)
    if max(game.num_actions) > MOST_EXACT:
        first, second = (strategy.astype(np.float64) for strategy in around.profile.strategies)
        near = (_nearly_best(board.matrix @ second), _nearly_best(-first @ board.matrix))
    if max(map(len, near)) > (SMALL if _is_within(around, limits) else MOST_EXACT):
        return None
    answer = exact_answer(game, near, symmetric=board.symmetric, meter=meter)
    return None if answer is None else _certified(game, answer.profile, answer.prices, meter)


def _rounding(game: NormalFormGame, board: Board) -> Fraction:
    """Return how far from exact an answer may be: as far as floats that were given are."""
    given = game.given_payoffs
    return ZERO if is_exact(given) else Fraction(ROUNDED_SHARE) * board.span


def _nearly_best(payoffs: FloatArray) -> IntArray:
    return np.flatnonzero(payoffs > payoffs.max() - NEARLY_PLAYED).astype(np.int32)


def _both(items: list[Item]) -> tuple[Item, Item]:
    """Give both players what a symmetric game has once."""
    return items[0], items[-1]


def _working_set(game: NormalFormGame, start: Result | None) -> tuple[IntArray, IntArray]:
    """Return what the start plays and what is new; all actions without a start."""
    sets: list[IntArray] = []
    for player, count in enumerate(game.num_actions):
        looked_at = np.ones(count, dtype=bool)
        if start is not None:
            played = start.profile.strategies[player][:count]
            looked_at[: len(played)] = played > 0
        sets.append(np.flatnonzero(looked_at).astype(np.int32))
    return sets[0], sets[1]


def _certified(
    game: NormalFormGame, profile: MixedProfile, prices: tuple[Opposition, Opposition], meter: Meter
) -> Result:
    certificate = certify_max_entropy(
        game,
        profile,
        opposition=MixedProfile((prices[1].strategy, prices[0].strategy)),
        weights=tuple(price.weight for price in prices),
    )
    total = payoff_sum(game)
    if not certificate.epsilon:  # both guarantees meet, so this is what is paid
        payoffs = (certificate.lower, total - certificate.lower)
    elif is_symmetric_table(game) and np.array_equal(profile.strategies[0], profile.strategies[1]):
        payoffs = (total / 2, total / 2)
    else:
        payoffs = rationals(expected_payoffs(game, profile))
    return Solution(profile, payoffs, certificate, meter.record())


def _unopposed(game: NormalFormGame) -> tuple[Opposition, Opposition]:
    """Return prices of 0: no strategy has more entropy than the uniform one."""
    first, second = uniform_profile(game).strategies
    return Opposition(second, ZERO), Opposition(first, ZERO)


def _is_within(solution: Result, limits: tuple[Fraction, Fraction]) -> bool:
    certificate = solution.certificate
    return certificate.epsilon <= limits[0] and certificate.entropy_gap <= limits[1]
