"""Patrols and guarded places: a defender commits, an attacker looks on first."""

from fractions import Fraction
from itertools import permutations

from gametheory_core.catalog.arguments import require_between
from gametheory_core.games.bayesian import BayesianGame

MAX_HOUSES = 6
MAX_TYPES = 12


def house_patrol(*, houses: int = 3, length: int = 2, types: int = 2) -> BayesianGame:
    """House patrol: an officer picks a route past houses, robbers of several types pick a house.

    House ``h`` is worth ``h`` to its owners, robber ``q`` values the houses in an order of its own.
    On the ``k``-th house of the route a robber is caught with probability ``1/k``. A catch pays the
    officer 1 and costs the robber 1. Types are equally likely. The rules are those of the source,
    the numbers our own.

    Args:
        houses, length, types: 2 to 6 houses, 1 to ``houses`` of them on a route, 1 to 12 types of
            robbers.

    Source: P. Paruchuri, J. P. Pearce, M. Tambe, F. Ordonez and S. Kraus, "An efficient heuristic
        approach for security against multiple adversaries", AAMAS 2007.
    """
    require_between(houses, 2, MAX_HOUSES, game="house_patrol", name="houses")
    require_between(length, 1, houses, game="house_patrol", name="length")
    require_between(types, 1, MAX_TYPES, game="house_patrol", name="types")
    routes = tuple(permutations(range(houses), length))
    own: list[list[list[Fraction]]] = []
    others: list[list[list[Fraction]]] = []
    for q in range(types):
        caught = [[_caught(route, h) for h in range(houses)] for route in routes]
        value = [1 + (h * (1 + q // houses) + q) % houses for h in range(houses)]
        own.append([[p - (1 - p) * (h + 1) for h, p in enumerate(row)] for row in caught])
        others.append([[(1 - p) * value[h] - p for h, p in enumerate(row)] for row in caught])
    names = [f"house {h + 1}" for h in range(houses)]
    return BayesianGame.from_payoffs(
        own,
        others,
        prior=[Fraction(1, types)] * types,
        players=("Officer", "Robber"),
        types=[f"robber {q + 1}" for q in range(types)],
        leader_actions=["-".join(str(h + 1) for h in route) for route in routes],
        follower_actions=[names] * types,
        title=f"House patrol, {houses} houses, {types} types of robbers",
    )


def _caught(route: tuple[int, ...], house: int) -> Fraction:
    return Fraction(1, 1 + route.index(house)) if house in route else Fraction(0)
