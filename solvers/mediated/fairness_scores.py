"""Fairness of many vectors at once, as integers that compare as the measures do."""

from math import lcm
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.errors import InvalidArgument
from gametheory_core.evaluation.fairness import Fairness, FairnessKind

Integers: TypeAlias = NDArray[Any]  # int64 or Python integers


def fairness_scores(fairness: Fairness, vectors: Integers, *, denominator: int) -> Integers:
    """Return integers in the order of the fairness of vectors.

    Args:
        vectors (..., num_players): Over one denominator.

    Returns:
        (...): To be compared with one another, not with those of other calls.

    Raises:
        InvalidArgument: If the measure is Nash and somebody has less than at disagreement.
    """
    if fairness.kind is FairnessKind.MINIMUM:
        return vectors.min(axis=-1)
    if fairness.kind is FairnessKind.GINI:
        common = lcm(*(weight.denominator for weight in fairness.weights))
        weights = [int(weight * common) for weight in fairness.weights]
        return np.sort(vectors, axis=-1) @ np.array(weights, dtype=vectors.dtype)
    unit, least = _disagreement(fairness, vectors.shape[-1], denominator)
    gains = vectors * unit - np.array(least, dtype=vectors.dtype)
    if (gains < 0).any():
        raise InvalidArgument(
            "mediator: needs returns of at least what is had at disagreement for the Nash measure, "
            f"but player {int(np.argwhere(gains < 0)[0][-1]) + 1} can have less. Give a lower "
            "disagreement point, Fairness(FairnessKind.NASH, disagreement=(...)), or another "
            "measure."
        )
    return gains.prod(axis=-1)


def largest_score(fairness: Fairness, largest: int, *, players: int, denominator: int) -> int:
    """Return what no step towards a score exceeds if vectors have no entry above ``largest``."""
    if fairness.kind is FairnessKind.MINIMUM:
        return largest
    if fairness.kind is FairnessKind.GINI:
        return largest * lcm(*(weight.denominator for weight in fairness.weights))
    unit, least = _disagreement(fairness, players, denominator)
    return (largest * unit + max(map(abs, least)) + 1) ** players


def _disagreement(fairness: Fairness, players: int, denominator: int) -> tuple[int, list[int]]:
    """Return by what to multiply vectors, and what to take off, to have gains as integers."""
    unit = lcm(*(least.denominator for least in fairness.disagreement))
    least = [int(least * unit * denominator) for least in fairness.disagreement]
    return unit, least or [0] * players
