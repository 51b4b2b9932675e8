"""Followers without a clock: all deterministic stationary policies, and the best of them."""

from itertools import product
from math import prod
from typing import Any

import numpy as np

from gametheory_core.errors import UnsupportedGame
from gametheory_core.evaluation.follower_problems import (
    FollowerProblems,
    ScaledReturns,
    fold_back,
    lexicographic,
    played,
)
from gametheory_core.games.leader_view import LeaderView

CELLS_AT_ONCE = 2_000_000


def num_stationary_followers(view: LeaderView) -> int:
    """Return the number of deterministic stationary follower policies.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.conversions.leader_view import leader_view
    >>> num_stationary_followers(leader_view(RepeatedGame.of("chicken", rounds=10)))
    32
    """
    return prod(len(own) for own in _choices(view) if own)


def _choices(view: LeaderView) -> list[tuple[int, ...]]:
    seen = view.game.observations[view.follower]
    return [view.follower_actions(o) for o in range(len(seen))]


def stationary_maps(view: LeaderView, max_policies: int) -> Any:
    """Return all stationary policies, one a row, -1 where the follower never acts."""
    count = num_stationary_followers(view)
    if count > max_policies:
        raise UnsupportedGame(
            f"follower_response: needs at most max_policies = {max_policies:,} stationary "
            f"policies, but {view.game.players[view.follower]!r} has {count:,} in {view.game!r}. "
            "Take FollowerClass.TIME_AWARE, whose response takes time linear in the table, or "
            "raise max_policies."
        )
    return np.array(list(product(*(own or (-1,) for own in _choices(view)))))


def best_stationary(
    view: LeaderView, problems: FollowerProblems, maps: Any, sign: int
) -> tuple[ScaledReturns, Any]:
    """Return the best stationary returns for each problem, and the rows of ``maps``."""
    count = len(problems.rewards)
    by_state = actions_by_state(view, maps)
    size = max(1, problems_at_once(view) // count)
    parts: list[ScaledReturns] = []
    for k in range(0, len(maps), size):
        some = by_state[k : k + size]
        each = FollowerProblems(
            np.repeat(problems.rewards, len(some), axis=0),
            np.repeat(problems.successor, len(some), axis=0),
            np.repeat(problems.weight, len(some), axis=0),
            problems.reward_denominator,
            problems.weight_denominator,
        )
        parts.append(fold_back(view, played(each, np.tile(some, (count, 1))), only_action))
    values = np.concatenate([p.numerators.reshape(count, -1, 2) for p in parts], axis=1)
    best = lexicographic(values, np.ones(values.shape[:2], dtype=bool), sign=sign)
    return ScaledReturns(values[np.arange(count), best], parts[0].denominator), best


def actions_by_state(view: LeaderView, maps: Any) -> Any:
    """Turn actions by follower observation into actions by state; 0 where nobody acts."""
    seen = view.follower_observation
    return np.where(seen >= 0, maps[:, seen], 0)


def only_action(_: int, values: Any) -> Any:
    """Choose the first action everywhere."""
    return np.zeros(values.shape[:2], dtype=np.int64)


def problems_at_once(view: LeaderView) -> int:
    """Return how many problems fit into memory together."""
    shape = view.tables.successor.shape
    return max(1, CELLS_AT_ONCE // max(1, shape[0] * shape[2] * shape[3]))
