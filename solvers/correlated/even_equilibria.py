"""The most even correlated equilibria: of most entropy, or of most Gini impurity.

Both are unique, treat like joint actions alike, and need no objective (Ortiz, Schapire and Kakade
2007; Marris et al. 2021). An interior-point method finds them in floats. The rows that are tight
there name a face; the point of that face nearest to the float solution is found exactly. For the
impurity, the tight rows are where an exact method starts.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from gametheory_core import CorrelatedCertificate, CorrelatedDistribution, NormalFormGame
from gametheory_core.arrays import ZERO
from gametheory_core.certificates import CorrelatedKind, Evenness, IncentivePrice
from gametheory_core.certificates.wording import at_most
from gametheory_core.errors import NotConverged, UnsupportedGame
from solvers._programs.separable_convex import EvenPoint, most_even, widest_support
from solvers.concepts import Concept
from solvers.correlated.certified_program import Answer, certified, rational_tensor, worst_error
from solvers.correlated.even_faces import most_gini, point_near
from solvers.correlated.incentive_program import (
    IncentiveRows,
    exact_multipliers,
    float_gains,
    incentive_prices,
    incentive_rows,
)
from solvers.requirements import a_normal_form
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver

MOST_JOINT = 4000  # a dense matrix of this size squared fills 128 MB

NEGLIGIBLE_EXPONENT = 45.0  # exp(-45) is far below any tolerance


@solver(
    Answers(Concept.CORRELATED, rank=80, given={"kind": CorrelatedKind.CORRELATED}),
    Answers(Concept.COARSE_CORRELATED, rank=80, given={"kind": CorrelatedKind.COARSE}),
    takes=(a_normal_form,),
    unit="steps",
    because="of all correlated equilibria, the most even by its entropy",
    page="correlated",
)
def max_entropy_correlated_equilibrium(
    game: NormalFormGame,
    *,
    kind: CorrelatedKind = CorrelatedKind.CORRELATED,
    tolerance: float = 1e-6,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[CorrelatedDistribution, CorrelatedCertificate]:
    """Find the correlated equilibrium of most Shannon entropy, to a stated accuracy.

    Args:
        game: Any number of players, at most 4000 joint actions.
        kind: Correlated or coarse correlated.
        tolerance: Largest gain of a deviation, in payoff units, and largest distance from the most
            entropy, in nats, that is good enough.

    Returns:
        ``certificate.epsilon`` is 0 where an exact face was found, as a rule.

    Raises:
        UnsupportedGame: If the game is too large.
        NotConverged: If budget or floats end before the tolerance is met; ``best`` is the best
            certified answer.

    Source: :cite:`ortiz2007maximum`.

    >>> from gametheory_core import load_game
    >>> found = max_entropy_correlated_equilibrium(load_game("matching_pennies"))
    >>> [str(share) for share in found.profile.probabilities]
    ['1/4', '1/4', '1/4', '1/4']
    """
    rows = _start(game, kind)
    meter = open_meter(budget, on_iteration)
    answers: list[Answer] = []
    for reduced in (False, True):  # the face costs a linear program, and is seldom needed
        point = (
            _entropy_on_face(rows, meter)
            if reduced
            else _even_point(float_gains(rows), Evenness.ENTROPY, meter)
        )
        if point is not None:
            prices = _prices(rows, point)
            answers += [
                certified(rows, distribution, Evenness.ENTROPY, prices, meter=meter)
                for distribution in (
                    rational_tensor(game, point.weights),
                    point_near(rows, point, meter),
                )
                if distribution is not None
            ]
        if meter.is_exhausted or any(worst_error(answer) <= tolerance for answer in answers):
            break
    return _judged(answers, Fraction(tolerance), meter)


@solver(
    Answers(Concept.CORRELATED, rank=90, given={"kind": CorrelatedKind.CORRELATED}),
    Answers(Concept.COARSE_CORRELATED, rank=90, given={"kind": CorrelatedKind.COARSE}),
    takes=(a_normal_form,),
    unit="steps",
    because="of all correlated equilibria, the most even by its Gini impurity",
    page="correlated",
)
def max_gini_correlated_equilibrium(
    game: NormalFormGame,
    *,
    kind: CorrelatedKind = CorrelatedKind.CORRELATED,
    tolerance: float | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[CorrelatedDistribution, CorrelatedCertificate]:
    """Find the correlated equilibrium of most Gini impurity ``1 - sum x**2``, exactly.

    Args:
        game: Any number of players, at most 4000 joint actions.
        kind: Correlated or coarse correlated.
        tolerance: Largest gain of a deviation, in payoff units, and largest distance from the most
            impurity that is good enough. Default: both are wanted to be 0.
        budget: Iterations are steps of the interior-point method, and exact linear systems.

    Returns:
        Without a tolerance, ``certificate.epsilon`` and ``certificate.optimality_gap`` are 0.

    Raises:
        UnsupportedGame: If the game is too large.
        NotConverged: If the budget ends before that, or more than 600 deviations are tight;
            ``best`` is the best certified answer.

    Sources: :cite:`marris2021multi`, :cite:`goldfarb1983numerically`.

    >>> from gametheory_core import NormalFormGame
    >>> chicken = NormalFormGame.symmetric([[6, 2], [7, 0]])
    >>> found = max_gini_correlated_equilibrium(chicken)
    >>> [str(share) for share in found.profile.probabilities]
    ['9/34', '5/17', '5/17', '5/34']
    """
    rows = _start(game, kind)
    meter = open_meter(budget, on_iteration)
    point = _even_point(float_gains(rows), Evenness.GINI, meter)
    enough = ZERO if tolerance is None else Fraction(tolerance)
    rounded = rational_tensor(game, point.weights)
    answers = [certified(rows, rounded, Evenness.GINI, _prices(rows, point), meter=meter)]
    if tolerance is None or worst_error(answers[0]) > enough:
        exact = most_gini(rows, point, meter)
        if exact is not None:
            answers.append(certified(rows, exact[0], Evenness.GINI, exact[1], meter=meter))
    return _judged(answers, enough, meter)


def _start(game: NormalFormGame, kind: CorrelatedKind) -> IncentiveRows:
    num_joint = game.given_payoffs[0].size
    if num_joint > MOST_JOINT:
        raise UnsupportedGame(
            needs=f"at most {MOST_JOINT} joint actions",
            found=f"{game!r} has {num_joint}",
            remedy="Use correlated_equilibrium, or remove dominated actions.",
        )
    return incentive_rows(game, kind)


def _even_point(gains: Any, evenness: Evenness, meter: Meter) -> EvenPoint:
    return most_even(gains, evenness, proceed=lambda: not meter.is_exhausted, tick=meter.step)


def _entropy_on_face(rows: IncentiveRows, meter: Meter) -> EvenPoint | None:
    """Find the point of most entropy with the joint actions that equilibria can use.

    A multiple of the witness makes the others' terms in the entropy bound negligible.
    """
    gains = float_gains(rows)
    wide = widest_support(gains, time_limit=meter.seconds_left)
    if wide is None or not len(wide.columns):
        return None
    point = _even_point(gains[:, wide.columns], Evenness.ENTROPY, meter)
    weights, reduced = np.zeros(rows.num_joint), np.ones(rows.num_joint)
    weights[wide.columns], reduced[wide.columns] = point.weights, point.reduced
    lift = max(0.0, NEGLIGIBLE_EXPONENT - float((gains.T @ point.multipliers).min(initial=0.0)))
    multipliers = point.multipliers + lift * wide.witness
    return replace(point, weights=weights, reduced=reduced, multipliers=multipliers)


def _prices(rows: IncentiveRows, point: EvenPoint) -> tuple[IncentivePrice, ...]:
    return incentive_prices(rows, exact_multipliers(point.multipliers, rows.spans), 1)


def _judged(answers: Sequence[Answer], tolerance: Fraction, meter: Meter) -> Answer:
    """Return the last answer that is good enough.

    Raises:
        NotConverged: If there is none.
    """
    for answer in reversed(answers):
        if worst_error(answer) <= tolerance:
            return answer
    best = min(answers, key=lambda answer: (answer.certificate.epsilon, worst_error(answer)))
    gap = best.certificate.optimality_gap or ZERO
    evenness = (
        f"evenness is within {at_most(gap)} of the most"
        if gap >= 0
        else f"evenness is {at_most(-gap)} above the most of an equilibrium, as this is not one"
    )
    raise NotConverged(
        needs=f"errors of at most {at_most(tolerance)}",
        found=f"after {meter.iterations} steps deviations gain "
        f"{at_most(best.certificate.epsilon)}, and {evenness}",
        remedy="Give a larger budget or tolerance, or use the exception's best.",
        best=best,
    )
