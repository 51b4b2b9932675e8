"""Equilibria that a search proposes: found exactly on supports that floats suggest."""

from functools import partial

import numpy as np

from gametheory_core.arrays import ExactArray, FloatArray, freeze
from gametheory_core.certificates.equilibrium import certify_nash
from gametheory_core.certificates.optimal_equilibrium import (
    SUPPORT_OBJECTIVES,
    EquilibriumObjective,
    score_of,
)
from gametheory_core.strategies.mixed import MixedProfile
from solvers.best_equilibrium.cases import Search
from solvers.best_equilibrium.face import Supports, best_on_face, widest_on_face

NEARLY = 1e-7  # regrets, of payoffs in [0, 1], that may be rounding
PRESENT = 1e-9  # probabilities that count


def propose_marginals(search: Search, joint: FloatArray) -> None:
    """Try the marginals' supports, if the marginals are an equilibrium but for rounding."""
    if not joint.any():
        return
    sides = sides_of(joint)
    supports = tuple(np.flatnonzero(side > PRESENT) for side in sides)
    regrets = regrets_of(search, joint)
    if any((loss[own] > NEARLY).any() for loss, own in zip(regrets, supports, strict=True)):
        return
    try_actions(search, (tuple(supports[0].tolist()), tuple(supports[1].tolist())))


def offer_marginals(search: Search, joint: ExactArray) -> None:
    """Keep the marginals themselves, which add up to 1, if they are an equilibrium and better."""
    profile = MixedProfile((freeze(joint.sum(axis=1)), freeze(joint.sum(axis=0))))
    if not certify_nash(search.game, profile).epsilon:
        offer(search, profile)


def try_actions(search: Search, actions: Supports) -> None:
    """Keep the best equilibrium on a face, if it is better than the best so far."""
    if actions in search.tried:
        return
    search.tried.add(actions)
    find = partial(best_on_face, weights=_weights(search.objective, search.player))
    if search.objective is EquilibriumObjective.LARGEST_SUPPORT:
        find = widest_on_face
    profile = find(search.game, actions)
    if profile is not None:
        offer(search, profile)


def offer(search: Search, profile: MixedProfile) -> None:
    """Keep an equilibrium if it is the best so far."""
    score = score_of(search.game, profile, objective=search.objective, player=search.player)
    if search.best is None or score > search.best_score:
        search.best, search.best_score = profile, score


def _weights(objective: EquilibriumObjective, player: int) -> tuple[int, int]:
    if objective in SUPPORT_OBJECTIVES:
        return (0, 0)
    if objective is EquilibriumObjective.LARGEST_WELFARE:
        return (1, 1)
    if objective is EquilibriumObjective.LEAST_WELFARE:
        return (-1, -1)
    sign = 1 if objective is EquilibriumObjective.LARGEST_PAYOFF else -1
    return (sign, 0) if player == 0 else (0, sign)


def sides_of(joint: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return both marginals, each with sum 1."""
    total = joint.sum() or 1.0
    return joint.sum(axis=1) / total, joint.sum(axis=0) / total


def regrets_of(search: Search, joint: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return what each action loses against the other's marginal; payoffs in [0, 1]."""
    x, y = sides_of(joint)
    rows, columns = search.payoffs[0] @ y, x @ search.payoffs[1]
    return rows.max() - rows, columns.max() - columns
