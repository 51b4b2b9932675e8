"""What an answer to one of many games is: a profile, a joint distribution, or sets of actions.

Each lies in arrays of floats, and of integers proportional to what is exact; this is how one comes
from the other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray, object_array
from gametheory_core.strategies.correlated import CorrelatedDistribution, correlated_distribution
from gametheory_core.strategies.mixed import MixedProfile

Shape: TypeAlias = tuple[int, ...]
Floats: TypeAlias = tuple[FloatArray, ...]


@dataclass(frozen=True, eq=False)
class Form:
    """A kind of answer.

    Attributes:
        shapes: Of the arrays of one answer, of the numbers of actions.
        exact: The answer, of integers in such arrays.
        floats: Such arrays, of the answer and the numbers of actions.
        expected: Floats of answers, payoffs of games, and whose answer each is -> what they pay.
    """

    shapes: Callable[[Shape], tuple[Shape, ...]]
    exact: Callable[[Sequence[NDArray[Any]]], Any]
    floats: Callable[[Any, Shape], Floats]
    expected: Callable[[Floats, FloatArray, NDArray[np.int64]], FloatArray]


def _shape_of_each(num_actions: Shape) -> tuple[Shape, ...]:
    return tuple((own,) for own in num_actions)


def _profile(weights: Sequence[NDArray[Any]]) -> MixedProfile:
    return MixedProfile(tuple(map(_shares, weights)))


def _shares(weights: NDArray[Any]) -> Any:
    whole = weights.tolist()
    total = sum(whole)
    return object_array([Fraction(weight, total) for weight in whole])


def _of_profile(profile: MixedProfile, _num_actions: Shape) -> Floats:
    return tuple(profile.to_float().strategies)


def _mixed_payoffs(strategies: Floats, payoffs: FloatArray, games: NDArray[np.int64]) -> FloatArray:
    values = payoffs[games]
    for own in reversed(strategies):
        values = np.einsum("g...a,ga->g...", values, own)
    return values


def _pure_payoffs(strategies: Floats, payoffs: FloatArray, games: NDArray[np.int64]) -> FloatArray:
    """Read payoffs at the cells, and no others."""
    return payoffs[games, :, *(own.argmax(axis=1) for own in strategies)]


def _joint_shape(num_actions: Shape) -> tuple[Shape, ...]:
    return (num_actions,)


def _distribution(weights: Sequence[NDArray[Any]]) -> CorrelatedDistribution:
    return correlated_distribution(_shares(weights[0].ravel()).reshape(weights[0].shape))


def _of_distribution(distribution: CorrelatedDistribution, _num_actions: Shape) -> Floats:
    return (distribution.tensor.astype(np.float64),)


def _joint_payoffs(strategies: Floats, payoffs: FloatArray, games: NDArray[np.int64]) -> FloatArray:
    joint = strategies[0][:, np.newaxis]
    return (payoffs[games] * joint).sum(axis=tuple(range(2, payoffs.ndim)))


def _sets(weights: Sequence[NDArray[Any]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(np.flatnonzero(own).tolist()) for own in weights)


def _of_sets(sets: Sequence[Sequence[int]], num_actions: Shape) -> Floats:
    return tuple(
        np.isin(np.arange(size), own).astype(np.float64)
        for own, size in zip(sets, num_actions, strict=True)
    )


def _no_payoffs(strategies: Floats, _payoffs: FloatArray, _games: NDArray[np.int64]) -> FloatArray:
    return np.zeros((len(strategies[0]), 0))


MIXED = Form(_shape_of_each, _profile, _of_profile, _mixed_payoffs)
PURE = replace(MIXED, expected=_pure_payoffs)
JOINT = Form(_joint_shape, _distribution, _of_distribution, _joint_payoffs)
SETS = Form(_shape_of_each, _sets, _of_sets, _no_payoffs)  # 1 where an action is in, 0 where not
