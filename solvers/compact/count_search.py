"""Joint actions of congestion and anonymous games by counts, many at once.

In a congestion game players who choose from the same actions are a class; all spreads of the
classes over their actions are rows of arrays. In an anonymous game the counts of all players are
walked over, and players are matched with the actions that are best replies to them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import counted
from gametheory_core.arrays import scaled_integers
from gametheory_core.compact import AnonymousGame, CongestionGame, count_vectors
from gametheory_core.compact.anonymous import Counts, num_count_vectors
from gametheory_core.compact.potential import classes, joint_action, num_spreads
from gametheory_core.errors import UnsupportedGame

MOST_SPREADS = 1_000_000
WORD = 2**61


@dataclass(frozen=True, eq=False)
class Spreads:
    """All ways in which the classes of a congestion game spread over actions.

    Attributes:
        counts: For each class (num_spreads, its actions).
        costs (num_spreads,): What all pay together, times ``denominator``.
        is_stable (num_spreads,): Whether nobody gains by another action.
        denominator: Of the costs.
    """

    game: CongestionGame
    counts: list[NDArray[np.int64]]
    costs: NDArray[Any]
    is_stable: NDArray[np.bool_]
    denominator: int

    def actions(self, row: int) -> tuple[int, ...]:
        """Return a joint action that spreads so."""
        spread = [tuple(own[row].tolist()) for own in self.counts]
        return joint_action(self.game, spread)


def all_spreads(game: CongestionGame) -> Spreads:
    """List all spreads.

    Raises:
        UnsupportedGame: If there are more than ``MOST_SPREADS``; says how many.
    """
    size = num_spreads(game)
    _require_few(size, f"{game!r} has {counted(size)} ways to spread players over actions")
    delays = scaled_integers(game.given_delays)
    largest = max(map(abs, delays.numerators.ravel().tolist()), default=0)
    kind: Any = np.int64 if largest * game.num_players * game.num_resources < WORD else object
    numbers = np.array(delays.numerators.tolist(), dtype=kind).reshape(game.given_delays.shape)
    groups = classes(game)
    vectors = [
        np.array(list(count_vectors(len(own), len(uses))), dtype=np.int64)
        for uses, own in groups.items()
    ]
    places = np.indices([len(own) for own in vectors]).reshape(len(vectors), -1)
    counts = [own[row] for own, row in zip(vectors, places, strict=True)]
    users = np.zeros((size, game.num_resources), dtype=np.int64)
    for uses, own in zip(groups, counts, strict=True):
        for a, used in enumerate(uses):
            users[:, list(used)] += own[:, a : a + 1]
    resources = np.arange(game.num_resources)
    now = numbers[resources, np.maximum(users - 1, 0)]
    after = numbers[resources, np.minimum(users, game.num_players - 1)]
    is_stable = np.ones(size, dtype=bool)
    for uses, own in zip(groups, counts, strict=True):
        for (a, used), other in product(enumerate(uses), uses):
            gone = sorted(set(used) - set(other))
            come = sorted(set(other) - set(used))
            gains = now[:, gone].sum(axis=1) > after[:, come].sum(axis=1)
            is_stable &= ~((own[:, a] > 0) & gains.astype(bool))
    costs = (users * now).sum(axis=1)
    return Spreads(game, counts, costs, is_stable, delays.denominator)


def _require_few(size: int, found: str) -> None:
    if size > MOST_SPREADS:
        raise UnsupportedGame(
            needs=f"at most {MOST_SPREADS:,} spreads of players over actions",
            found=found,
            remedy="Use best_response_path, which finds one equilibrium of a congestion game.",
        )


def stable_counts(game: AnonymousGame, tick: Callable[[], None]) -> list[tuple[int, ...]]:
    """Return, for each count vector of an equilibrium, its first joint action.

    Args:
        tick: Called for each count vector; may raise to stop.

    Raises:
        UnsupportedGame: If there are more than ``MOST_SPREADS`` count vectors.
    """
    count, kinds = game.num_players, len(game.labels)
    size = num_count_vectors(count, kinds)
    _require_few(size, f"{game!r} has {counted(size)} count vectors")
    best = _best_replies(game)
    found: list[tuple[int, ...]] = []
    for counts in count_vectors(count, kinds):
        tick()
        fits = np.zeros((len(best), kinds), dtype=bool)
        for a, number in enumerate(counts):
            if number:
                others = (*counts[:a], number - 1, *counts[a + 1 :])
                fits[:, a] = best[:, a, game.places[others]]
        rows = [np.flatnonzero(fits[0 if game.is_symmetric else i]).tolist() for i in range(count)]
        actions = _first_matching(rows, counts)
        if actions is not None:
            found.append(actions)
    return found


def _best_replies(game: AnonymousGame) -> NDArray[np.bool_]:
    numbers = [scaled_integers(table).numerators for table in game.given_payoffs]
    return np.array([own == own.max(axis=0) for own in numbers], dtype=bool)


def _first_matching(rows: list[list[int]], counts: Counts) -> tuple[int, ...] | None:
    """Match players with allowed actions so that the counts come out; the first such matching."""
    matched = _matching(rows, counts)
    if matched is None:
        return None
    for i, row in enumerate(rows):
        for action in row:
            if action >= matched[i]:
                break
            fixed = [[a] for a in matched[:i]] + [[action]] + rows[i + 1 :]
            better = _matching(fixed, counts)
            if better is not None:
                matched = better
                break
    return tuple(matched)


def _matching(rows: list[list[int]], counts: Counts) -> list[int] | None:
    """Seat one player after the other, moving earlier ones along a chain where seats are taken."""
    holders: list[list[int]] = [[] for _ in counts]
    actions = [-1] * len(rows)

    def seat(player: int, seen: set[int]) -> bool:
        for a in rows[player]:
            if a in seen:
                continue
            seen.add(a)
            if len(holders[a]) < counts[a]:
                holders[a].append(player)
                actions[player] = a
                return True
            for other in holders[a]:
                if seat(other, seen):
                    holders[a].remove(other)
                    holders[a].append(player)
                    actions[player] = a
                    return True
        return False

    return actions if all(seat(player, set()) for player in range(len(rows))) else None
