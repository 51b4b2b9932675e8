"""Matrix games in which one player may go first and the others fall in with it.

Repeated without memory, and with what the others do as responses, they become the games of
``catalog.mediated`` in which payoffs depend on what is done and not on who led.
"""

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from gametheory_core.arrays import ZERO, exact_array
from gametheory_core.catalog.arguments import require_between
from gametheory_core.catalog.mediated import CHICKEN, COLORS, SHARED, resource_rewards
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.labels import numbered_players

MAX_PLAYERS = 8


def chicken_with_brakes(*, players: int = 2) -> NormalFormGame:
    """Chicken with brakes: one does what the others do not, or all brake; otherwise they crash.

    Where all brake, each gets 6. Where nobody brakes and one player stands alone, those who go
    straight get 7 and those who swerve 2. Everything else pays nothing. To swerve where one goes
    straight is an equilibrium among the others unless they are two, who could then both go.

    Args:
        players: At least 2.

    Source: A. Dodwadmath and S. Maghsudi, "Emergence of fair leaders via mediators in multi-agent
        reinforcement learning", arXiv 2508.02421, 2025, table 3, with the cells it leaves open.
    """
    require_between(players, 2, MAX_PLAYERS, game="chicken_with_brakes", name="players")

    def pay(joint: tuple[str, ...]) -> Sequence[object]:
        counts = {action: joint.count(action) for action in CHICKEN}
        if counts["brake"] == players or (
            not counts["brake"] and 1 in (counts["straight"], counts["swerve"])
        ):
            return [CHICKEN[action][0] for action in joint]
        return [ZERO] * players

    return _matrix(tuple(CHICKEN), pay, players, "Chicken with brakes")


def resource_agreement(*, players: int = 2) -> NormalFormGame:
    """Resource agreement: what all name is collected, green for all or a color for some.

    Green pays everybody 4. Red pays 5 to the first, third, ... player and 1 to the others, and
    blue the other way round. Where they differ, nobody gets anything.

    Args:
        players: At least 2.

    Source: A. Dodwadmath and S. Maghsudi, "Emergence of fair leaders via mediators in multi-agent
        reinforcement learning", arXiv 2508.02421, 2025, resource collection without the grid.
    """
    require_between(players, 2, MAX_PLAYERS, game="resource_agreement", name="players")

    def pay(joint: tuple[str, ...]) -> Sequence[object]:
        agree = len(set(joint)) == 1
        return resource_rewards(joint[0], players=players) if agree else [ZERO] * players

    return _matrix((*COLORS, SHARED), pay, players, "Resource agreement")


def _matrix(
    actions: tuple[str, ...],
    pay: Callable[[tuple[str, ...]], Sequence[object]],
    players: int,
    title: str,
) -> NormalFormGame:
    cells = [list(pay(joint)) for joint in product(actions, repeat=players)]
    table = np.moveaxis(exact_array(cells).reshape(*(len(actions),) * players, players), -1, 0)
    return NormalFormGame.from_payoffs(
        table, players=numbered_players(players), actions=[actions] * players, title=title
    )
