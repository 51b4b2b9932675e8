"""Games for a mediator who picks the leader of each round: matrix games and shared resources.

Nothing changes from round to round but what has been paid, so each game has one state. Followers
react alike, as each game says; what the reaction is worth to them is all that is kept.

Two of them come from matrix games in which one player may go first and the others fall in with it:
repeated without memory, with what the others do as responses.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ONE, ZERO, exact_array
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.labels import counted, numbered_players
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.rules import mediated_game

MAX_PLAYERS = 16
MAX_ROUNDS = 1000

STATE = "round"
COLORS = ("red", "blue")  # of the players 0, 2, ... and of 1, 3, ...
SHARED = "green"
IN_FAVOR, AGAINST, FAIR = 5, 1, 4  # what a resource pays: own color, another's, green
CHICKEN = {"straight": (7, 2), "swerve": (2, 7), "brake": (6, 6)}  # leader and followers


def mediated_prisoners_dilemma(*, players: int = 2, rounds: int = 4) -> MediatedGame:
    """Prisoner's dilemma, one leader a round: the others do as the leader does.

    To cooperate pays the leader 2 and each other player 1; to defect pays 3 and -2.

    Args:
        players, rounds: At least 2, and at least 1.

    Source: A. Dodwadmath and S. Maghsudi, "Emergence of fair leaders via mediators in multi-agent
        reinforcement learning", arXiv 2508.02421, 2025, table 2; after M. A. Nowak and K. Sigmund,
        "The alternating prisoner's dilemma", Journal of Theoretical Biology 168, 1994.

    >>> mediated_prisoners_dilemma(players=4)
    MediatedGame("Prisoner's dilemma with a mediator, 4 rounds", 4 players, 1 states, 8 rows, \
horizon 4)
    """
    name = "mediated_prisoners_dilemma"
    pays = {"cooperate": (2, 1), "defect": (3, -2)}
    return _by_role(name, pays, players, rounds, "Prisoner's dilemma")


def mediated_chicken(*, players: int = 2, rounds: int = 4) -> MediatedGame:
    """Chicken with brakes, one leader a round: straight makes the others swerve, and conversely.

    To go straight pays the leader 7 and each other player 2; to swerve pays 2 and 7; to brake,
    which the others do too, pays everybody 6.

    Args:
        players, rounds: At least 2, and at least 1.

    Source: A. Dodwadmath and S. Maghsudi, "Emergence of fair leaders via mediators in multi-agent
        reinforcement learning", arXiv 2508.02421, 2025, table 3.
    """
    return _by_role("mediated_chicken", CHICKEN, players, rounds, "Chicken with brakes")


def mediated_battle_of_the_sexes(*, rounds: int = 1) -> MediatedGame:
    """Battle of the sexes, one leader a round: the other one comes along.

    Where both go pays the one who likes it better 2 and the other one 1.

    Args:
        rounds: At least 1.

    Source: A. Dodwadmath and S. Maghsudi, "Emergence of fair leaders via mediators in multi-agent
        reinforcement learning", arXiv 2508.02421, 2025, table 1.
    """
    places = ("movie", "ballet")
    pays = {"movie": (2, 1), "ballet": (1, 2)}
    return _one_state(
        "mediated_battle_of_the_sexes",
        [places, places],
        lambda _, place: pays[place],
        rounds,
        "Battle of the sexes",
    )


def resource_collection_one_color(*, players: int = 2, rounds: int = 2) -> MediatedGame:
    """Resource collection with red and green: the leader picks what all collect together.

    Green pays everybody 4. Red pays 5 to the first, third, ... player, who can lead to it, and 1
    to the others, who can lead to green only.

    Args:
        players, rounds: At least 2, and at least 1.

    Source: A. Dodwadmath and S. Maghsudi, "Emergence of fair leaders via mediators in multi-agent
        reinforcement learning", arXiv 2508.02421, 2025, RC-1, without the grid.
    """
    return _resources("resource_collection_one_color", COLORS[:1], players, rounds)


def resource_collection_two_colors(*, players: int = 2, rounds: int = 2) -> MediatedGame:
    """Resource collection with red, blue and green: the leader picks what all collect together.

    Green pays everybody 4. Red pays 5 to the first, third, ... player, who can lead to it, and 1
    to the others; blue is for the second, fourth, ... in the same way.

    Args:
        players, rounds: At least 2, and at least 1.

    Source: A. Dodwadmath and S. Maghsudi, "Emergence of fair leaders via mediators in multi-agent
        reinforcement learning", arXiv 2508.02421, 2025, RC-2, without the grid.
    """
    return _resources("resource_collection_two_colors", COLORS, players, rounds)


def paid_leadership(*, players: int = 2, rounds: int = 10) -> MediatedGame:
    """A wage for whoever leads: one action each, 1 for the leader and nothing for the others.

    Rewards are discounted by 9/10 a round. A mediator that forgets what was paid, and looks for
    values that stay the same from round to round, finds none.

    Args:
        players, rounds: At least 2, and at least 1.
    """
    name = "paid_leadership"
    return _by_role(
        name, {"lead": (1, 0)}, players, rounds, "Paid leadership", discount=Fraction(9, 10)
    )


def _resources(name: str, colors: Sequence[str], players: int, rounds: int) -> MediatedGame:
    require_integer(players, name="players", low=2, high=MAX_PLAYERS, where=name)
    own = [
        (*(color for color in colors if color == preferred_color(player)), SHARED)
        for player in range(players)
    ]
    return _one_state(
        name,
        own,
        lambda _, resource: resource_rewards(resource, players=players),
        rounds,
        "Resource collection",
    )


def resource_rewards(resource: str, *, players: int) -> tuple[int, ...]:
    """Return what each player gets when all have collected a resource.

    >>> resource_rewards("red", players=4), resource_rewards("green", players=2)
    ((5, 1, 5, 1), (4, 4))
    """
    if resource == SHARED:
        return (FAIR,) * players
    return tuple(
        IN_FAVOR if preferred_color(player) == resource else AGAINST for player in range(players)
    )


def preferred_color(player: int) -> str:
    """Return the color of resources that pay a player most.

    >>> [preferred_color(player) for player in range(4)]
    ['red', 'blue', 'red', 'blue']
    """
    return COLORS[player % len(COLORS)]


def _by_role(
    name: str,
    pays: dict[str, tuple[int, int]],
    players: int,
    rounds: int,
    title: str,
    discount: Fraction = ONE,
) -> MediatedGame:
    """Pay the leader the first number of its action, and every follower the second."""
    require_integer(players, name="players", low=2, high=MAX_PLAYERS, where=name)
    return _one_state(
        name,
        [tuple(pays)] * players,
        lambda leader, action: tuple(pays[action][i != leader] for i in range(players)),
        rounds,
        title,
        discount,
    )


def _one_state(
    name: str,
    actions: Sequence[Sequence[str]],
    rewards: Callable[[int, str], tuple[int, ...]],
    rounds: int,
    title: str,
    discount: Fraction = ONE,
) -> MediatedGame:
    require_integer(rounds, name="rounds", low=1, high=MAX_ROUNDS, where=name)
    return mediated_game(
        players=numbered_players(len(actions)),
        horizon=rounds,
        initial={STATE: 1},
        actions=actions,
        play=lambda _, leader, action: (rewards(leader, action), {STATE: 1}),
        discount=discount,
        title=f"{title} with a mediator, {counted(rounds, 'round')}",
    )


MOST_PLAYERS = 8


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
    require_integer(players, name="players", low=2, high=MOST_PLAYERS, where="chicken_with_brakes")

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
    require_integer(players, name="players", low=2, high=MOST_PLAYERS, where="resource_agreement")

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
