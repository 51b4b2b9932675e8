"""Security games: how to guard a few of many places."""

from gametheory_core.catalog.arguments import require_between
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
