"""The numbers of a relaxation: in floats to search with, in integers to prove with."""

from fractions import Fraction
from math import lcm
from typing import cast

import numpy as np

from gametheory_core.arrays import ExactArray, FloatArray, ScaledIntegers
from gametheory_core.evaluation.payoffs import scaled_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from solvers.best_equilibrium.relaxation import Tables


def float_tables(game: NormalFormGame, scores: ScaledIntegers, target: Fraction) -> Tables:
    """Scale payoffs to [0, 1] and scores less the target to [-1, 1], each exactly before rounding.

    Args:
        scores (m, n): The score of each pair of actions.
        target: What the scores are compared with.
    """
    payoffs: list[FloatArray] = []
    units: list[Fraction] = []
    for player in range(2):
        scaled = scaled_payoffs(game, player)
        numerators = scaled.numerators - scaled.numerators.min()
        span = max(1, int(numerators.max()))
        payoffs.append(_quotients(numerators, span))
        units.append(Fraction(span, scaled.denominator))
    excess = _less(scores, target)
    largest = max(1, int(abs(excess.numerators).max()))
    return Tables(
        payoffs=(payoffs[0], payoffs[1]),
        units=(units[0], units[1]),
        excess=_quotients(excess.numerators, largest),
        unit=Fraction(largest, excess.denominator),
    )


def integer_tables(game: NormalFormGame, scores: ScaledIntegers, target: Fraction) -> Tables:
    """Write payoffs, and scores less the target, as Python integers over common denominators."""
    first, second = scaled_payoffs(game, 0), scaled_payoffs(game, 1)
    excess = _less(scores, target)
    return Tables(
        payoffs=(first.numerators, second.numerators),
        units=(Fraction(1, first.denominator), Fraction(1, second.denominator)),
        excess=excess.numerators,
        unit=Fraction(1, excess.denominator),
    )


def _less(scores: ScaledIntegers, target: Fraction) -> ScaledIntegers:
    denominator = lcm(scores.denominator, target.denominator)
    numerators = scores.numerators * (denominator // scores.denominator)
    subtracted = target.numerator * (denominator // target.denominator)
    return ScaledIntegers(numerators - subtracted, denominator)


def _quotients(numerators: ExactArray, divisor: int) -> FloatArray:
    """Divide integers of any size, each quotient rounded once."""
    flat = [cast("int", value) / divisor for value in numerators.ravel().tolist()]
    return np.array(flat).reshape(numerators.shape)
