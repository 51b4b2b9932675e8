"""Completeness certificates: these are exactly the extreme equilibria of a bimatrix game.

A pair of mixed strategies is an extreme equilibrium if each is a vertex of its player's
best-response polytope and every action, of either player, is unplayed or a best reply. Checking
the claim means listing those vertices again. Here that is done by the double description method
(Motzkin et al. 1953): keep the extreme rays of a cone while inequalities are added one by one.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import gcd
from typing import ClassVar, TypeAlias

import numpy as np

from gametheory_core.arrays import freeze, scaled_integers
from gametheory_core.certificates.claim import (
    claim,
    claimed,
    not_the_same_set,
    verify_claim,
)
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile

Vector: TypeAlias = tuple[int, ...]


def certify_completeness(game: NormalFormGame) -> "CompletenessCertificate":
    """List all extreme equilibria of a bimatrix game and state that these are all.

    Raises:
        UnsupportedGame: If the game has not two players.

    Meant for checking: simple, not fast. Adding an inequality compares every ray on one side with
    every ray on the other. A random game of 10 x 10 actions takes about a second.

    >>> pennies = NormalFormGame.zero_sum([[1, -1], [-1, 1]])
    >>> len(certify_completeness(pennies).profiles)
    1
    """
    if game.num_players != 2:
        raise UnsupportedGame(needs="two players", found=f"{game!r} has {game.num_players}")
    num_rows, num_columns = game.num_actions
    rows, columns = set(range(num_rows)), set(range(num_columns))
    against_rows = _integers(game, 1, transposed=True)
    against_columns = _integers(game, 0, transposed=False)
    x_vertices = [
        (x, _unplayed(x), _best_replies(against_rows, x)) for x in _vertices(against_rows)
    ]
    y_vertices = [
        (y, _unplayed(y), _best_replies(against_columns, y)) for y in _vertices(against_columns)
    ]
    profiles = [
        MixedProfile((_strategy(x), _strategy(y)))
        for x, unplayed_rows, best_columns in x_vertices
        for y, unplayed_columns, best_rows in y_vertices
        if unplayed_rows | best_rows == rows and unplayed_columns | best_columns == columns
    ]
    return CompletenessCertificate(game, tuple(profiles))


@claim("completeness", measure=certify_completeness, completes=("all-nash",))
class CompletenessCertificate:
    """The claim that ``profiles`` are all extreme equilibria of the game, and nothing else.

    Attributes:
        game: Two players.
        profiles: Rational and different, in any order.
    """

    kind: ClassVar[str]
    game: NormalFormGame
    profiles: tuple[MixedProfile, ...] = claimed(fault=not_the_same_set)
    verify = verify_claim
    answer = None
    payoffs = ()
    epsilon = None

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        if len(self.profiles) == 1:
            return "complete: the profile is the only equilibrium of the game"
        return (
            f"complete: the {len(self.profiles)} profiles are all extreme equilibria of the game, "
            "and every equilibrium is a mixture of them"
        )


def _integers(game: NormalFormGame, player: int, *, transposed: bool) -> list[list[int]]:
    """Return a player's payoffs as integers of at least 1, with a row for each own action."""
    numerators = scaled_integers(game.exact_payoffs[player]).numerators
    table = numerators.T if transposed else numerators
    return (table - table.min() + 1).tolist()


def _vertices(payoffs: list[list[int]]) -> list[Vector]:
    """List the vertices of ``{z >= 0 : payoffs @ z <= 1}`` but 0, each up to a positive factor.

    The cone over the polytope has coordinates ``(z, t)`` and inequalities ``z >= 0``, ``t >= 0``,
    ``t - payoffs[k] @ z >= 0``; its extreme rays are the vertices.
    """
    size = len(payoffs[0]) + 1
    rays = [
        (tuple(int(i == j) for i in range(size)), ((1 << size) - 1) ^ (1 << j)) for j in range(size)
    ]
    for number, row in enumerate(payoffs):
        rays = _cut(rays, [*(-value for value in row), 1], 1 << (size + number), size)
    return [ray[:-1] for ray, _ in rays if any(ray[:-1])]


def _cut(
    rays: list[tuple[Vector, int]], normal: Sequence[int], bit: int, size: int
) -> list[tuple[Vector, int]]:
    """Intersect a cone with the half-space ``normal @ ray >= 0``.

    Each ray comes with the bit set of inequalities it meets with equality. A new ray appears
    between each two adjacent rays on different sides; two rays are adjacent if no third one meets
    all the inequalities that both of them meet.
    """
    heights = [sum(a * b for a, b in zip(normal, ray, strict=True)) for ray, _ in rays]
    zero_sets = [zeros for _, zeros in rays]
    kept = [
        (ray, zeros if height else zeros | bit)
        for (ray, zeros), height in zip(rays, heights, strict=True)
        if height >= 0
    ]
    above = [i for i, height in enumerate(heights) if height > 0]
    below = [i for i, height in enumerate(heights) if height < 0]
    for i in above:
        for j in below:
            common = zero_sets[i] & zero_sets[j]
            if common.bit_count() < size - 2 or _third_meets(common, zero_sets, i, j):
                continue
            mixed = [
                heights[i] * b - heights[j] * a for a, b in zip(rays[i][0], rays[j][0], strict=True)
            ]
            divisor = gcd(*mixed)
            kept.append((tuple(value // divisor for value in mixed), common | bit))
    return kept


def _third_meets(common: int, zero_sets: list[int], i: int, j: int) -> bool:
    return any(zeros & common == common and k not in (i, j) for k, zeros in enumerate(zero_sets))


def _unplayed(weights: Vector) -> set[int]:
    return {action for action, weight in enumerate(weights) if not weight}


def _best_replies(payoffs: list[list[int]], weights: Vector) -> set[int]:
    values = [sum(p * w for p, w in zip(row, weights, strict=True)) for row in payoffs]
    best = max(values)
    return {reply for reply, value in enumerate(values) if value == best}


def _strategy(weights: Vector) -> np.ndarray:
    strategy = np.empty(len(weights), dtype=object)
    strategy[:] = [Fraction(weight, sum(weights)) for weight in weights]
    return freeze(strategy)
