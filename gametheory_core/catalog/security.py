"""Security games: how to guard a few of many places.

Patrols and guarded places: a defender commits, an attacker looks on first.
"""

from fractions import Fraction
from itertools import permutations

from gametheory_core.catalog.arguments import require_between
from gametheory_core.games.bayesian import BayesianGame
from gametheory_core.games.security import SecurityGame

MAX_TARGETS = 10_000
MAX_TYPES = 12


def guarded_targets(*, targets: int = 6, resources: int = 2, types: int = 1) -> SecurityGame:
    """Guarded targets: some gates can be guarded, the attacker sees how often and picks one.

    Gate ``i`` is worth ``1 + (7 i mod 10)`` to the attacker; type ``q`` starts counting ``3 q``
    gates later. The defender loses the worth to the first type. A guard costs the attacker half of
    the worth and saves the defender from all loss. The rules are those of the source, the numbers
    our own.

    Args:
        targets, resources, types: 1 to 10000 gates, 0 to ``targets`` guards, 1 to 12 types of
            attackers, equally likely.

    Source: C. Kiekintveld, M. Jain, J. Tsai, J. Pita, F. Ordonez and M. Tambe, "Computing optimal
        randomized resource allocations for massive security games", AAMAS 2009.
    """
    require_between(targets, 1, MAX_TARGETS, game="guarded_targets", name="targets")
    require_between(resources, 0, targets, game="guarded_targets", name="resources")
    require_between(types, 1, MAX_TYPES, game="guarded_targets", name="types")
    worth = [[1 + 7 * (i + 3 * q) % 10 for i in range(1, targets + 1)] for q in range(types)]
    return SecurityGame.from_payoffs(
        resources=resources,
        defender_covered=[0] * targets,
        defender_uncovered=[-value for value in worth[0]],
        attacker_covered=[[f"-{value}/2" for value in row] for row in worth],
        attacker_uncovered=worth,
        targets=[f"gate {i + 1}" for i in range(targets)],
        types=[f"attacker {q + 1}" for q in range(types)],
        title=f"Guarded targets, {targets} gates, {resources} guards",
    )


MAX_HOUSES = 6


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
