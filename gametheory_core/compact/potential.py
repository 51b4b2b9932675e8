"""Rosenthal's potential, social costs, and joint actions of congestion games by counts.

Players who choose from the same actions are of one *class*. What everybody pays depends on how many
of each class take each action alone, so that joint actions are walked over as counts.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from gametheory_core.compact.anonymous import Counts, count_vectors, num_count_vectors
from gametheory_core.compact.congestion import CongestionGame, Resources
from gametheory_core.compact.kinds import require_compact
from gametheory_core.compact.payoffs import joint_action_of, loads

Class = tuple[int, ...]  # players


def rosenthal_potential(game: CongestionGame, actions: Sequence[int]) -> Fraction:
    """Return the sum over resources of what each user added to its delay when it came.

    >>> from gametheory_core import compact, load_game
    >>> str(compact.rosenthal_potential(load_game("pigou:players=4"), (0, 0, 1, 1)))
    '11'
    """
    require_compact(game, CongestionGame)
    delays, used = game.exact_delays, loads(game, joint_action_of(game, actions))
    return sum((delays[r, k] for r, users in enumerate(used) for k in range(users)), Fraction(0))


def social_cost(game: CongestionGame, actions: Sequence[int]) -> Fraction:
    """Return what all players pay together.

    >>> from gametheory_core import compact, load_game
    >>> str(compact.social_cost(load_game("pigou:players=4"), (0, 0, 1, 1)))
    '12'
    """
    require_compact(game, CongestionGame)
    return cost_of_loads(game, loads(game, joint_action_of(game, actions)))


def cost_of_loads(game: CongestionGame, users: Sequence[int]) -> Fraction:
    """Return what all players pay together, by how many use each resource."""
    delays = game.exact_delays
    return sum((k * delays[r, k - 1] for r, k in enumerate(users) if k), Fraction(0))


def classes(game: CongestionGame) -> dict[tuple[Resources, ...], Class]:
    """Return who chooses from the same actions, by what these use."""
    found: dict[tuple[Resources, ...], list[int]] = {}
    for i, uses in enumerate(game.uses):
        found.setdefault(uses, []).append(i)
    return {uses: tuple(own) for uses, own in found.items()}


def num_spreads(game: CongestionGame) -> int:
    """Return in how many ways classes can spread over actions."""
    return math.prod(num_count_vectors(len(own), len(uses)) for uses, own in classes(game).items())


def spreads(game: CongestionGame) -> Iterator[tuple[Counts, ...]]:
    """Yield how many of each class take each action, in all ways."""
    groups = classes(game)
    yield from product(*(count_vectors(len(own), len(uses)) for uses, own in groups.items()))


def joint_action(game: CongestionGame, spread: Sequence[Counts]) -> tuple[int, ...]:
    """Return the joint action of a spread in which earlier players take earlier actions."""
    actions = [0] * game.num_players
    for own, counts in zip(classes(game).values(), spread, strict=True):
        chosen = (a for a, count in enumerate(counts) for _ in range(count))
        for player, action in zip(own, chosen, strict=True):
            actions[player] = action
    return tuple(actions)


def loads_of(game: CongestionGame, spread: Sequence[Counts]) -> list[int]:
    """Return how many players use each resource."""
    users = [0] * game.num_resources
    for uses, counts in zip(classes(game), spread, strict=True):
        for used, count in zip(uses, counts, strict=True):
            for r in used:
                users[r] += count
    return users


def is_stable(game: CongestionGame, spread: Sequence[Counts], users: Sequence[int]) -> bool:
    """Tell whether nobody gains by another action."""
    delays = game.exact_delays
    for uses, counts in zip(classes(game), spread, strict=True):
        for own, count in zip(uses, counts, strict=True):
            if not count:
                continue
            paid = sum(delays[r, users[r] - 1] for r in own)
            for other in uses:
                if sum(delays[r, users[r] - (r in own)] for r in other) < paid:
                    return False
    return True
