"""Games for a mediator who picks the leader of each round: matrix games and shared resources.

Nothing changes from round to round but what has been paid, so each game has one state. Followers
react alike, as each game says; what the reaction is worth to them is all that is kept.

Two of them come from matrix games in which one player may go first and the others fall in with it:
repeated without memory, with what the others do as responses.

Resource collection on a grid: who leads walks with helpers to what all collect together.

The mediator is the last player. Play begins by placing, one thing a step, so that no distribution
has more outcomes than there are cells and headings; then the mediator picks a leader, all agents
move at once (the leader first, then by number), and after each collection it picks again.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arguments import number_of, numbered_players, require_integer
from gametheory_core.arrays import ONE, ZERO, exact_array
from gametheory_core.distributions import Distribution, point_mass, uniform
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.rules import JointAction, JointObservation, Rewards
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
        title=f"{title} with a mediator, {number_of(rounds, 'round')}",
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


KINDS = (*COLORS, SHARED)
HEADINGS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # north, east, south, west: rows down, columns right
MOVES = ("forward", "backward", "left", "right")
COLLECT, WAIT = "collect", "wait"
MEDIATOR = "mediator"
NOBODY = -1
ABSENT = None

Cell: TypeAlias = tuple[int, int]  # row, column


@dataclass(frozen=True)
class GridState:
    """Where everything is.

    Attributes:
        kinds: Which resources there are.
        agents: Of those placed so far.
        resources: Of the kinds placed so far, in their order; None for one that has just been
            collected.
        leader: Who leads, ``NOBODY`` where one is to be picked.
        steps, collected: How many have been made and gathered.
    """

    kinds: tuple[str, ...]
    agents: tuple[tuple[Cell, int], ...] = ()
    resources: tuple[Cell | None, ...] = ()
    leader: int = NOBODY
    steps: int = 0
    collected: int = 0

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Where agents stand."""
        return tuple(cell for cell, _ in self.agents)


@dataclass(frozen=True)
class ResourceGridRules:
    """The rules; everybody sees the whole state.

    Attributes:
        num_agents: At least 2; the first, third, ... can lead to red, the others to blue, all to
            green.
        size: Cells along a side.
        steps, collections: Of moving, and of gathering: whichever comes first ends play.
        has_both_colors: Otherwise there is red or blue, with equal chances, and green.

    Source: A. Dodwadmath and S. Maghsudi, "Emergence of fair leaders via mediators in multi-agent
        reinforcement learning", arXiv 2508.02421, 2025, sections 5.2 and 13.3; what is left open
        there (size, steps, walls, the order of moves, that resources come back) is decided here.

    >>> grid = ResourceGridRules()
    >>> grid.players
    ('Player 1', 'Player 2', 'mediator')
    >>> len(grid.transition(grid.initial().items[0][0], (WAIT,) * 3))  # 36 cells, 4 headings
    144
    """

    num_agents: int = 2
    size: int = 6
    steps: int = 60
    collections: int = 2
    has_both_colors: bool = True

    def __post_init__(self) -> None:
        name = "ResourceGridRules"
        require_integer(self.num_agents, name="num_agents", low=2, high=16, where=name)
        require_integer(self.steps, name="steps", low=1, high=10_000, where=name)
        require_integer(self.collections, name="collections", low=1, high=1000, where=name)
        least = math.isqrt(self.num_agents + len(KINDS)) + 1  # a cell must stay free
        require_integer(self.size, name="size", low=max(3, least), high=50, where=name)

    @property
    def title(self) -> str:
        """For people."""
        return f"Resource collection on {self.size} by {self.size} cells"

    @property
    def players(self) -> tuple[str, ...]:
        """The agents, then the mediator."""
        return (*numbered_players(self.num_agents), MEDIATOR)

    @property
    def discount(self) -> Fraction:
        """Nothing is discounted."""
        return ONE

    @property
    def horizon(self) -> int | None:
        """States count their steps."""
        return None

    def initial(self) -> Distribution[GridState]:
        """Draw which color there is, if there is one; nothing is placed yet."""
        if self.has_both_colors:
            return point_mass(GridState(KINDS))
        return uniform(GridState((color, SHARED)) for color in COLORS)

    def initial_observation(self, state: GridState) -> Distribution[JointObservation]:
        """Show everybody the state."""
        return point_mass((state,) * (self.num_agents + 1))

    def observation(
        self, joint_action: JointAction, state: GridState
    ) -> Distribution[JointObservation]:
        """Show everybody the state."""
        return point_mass((state,) * (self.num_agents + 1))

    def is_placed(self, state: GridState) -> bool:
        """Tell whether all agents and resources have their cells."""
        return len(state.agents) == self.num_agents and len(state.resources) == len(state.kinds)

    def is_terminal(self, state: GridState) -> bool:
        """Tell whether time is up, or enough has been gathered."""
        return state.steps == self.steps or state.collected == self.collections

    def legal_actions(self, player: int, observation: GridState) -> tuple[str, ...]:
        """Moves, and to collect for the leader; a player to pick for the mediator; or to wait."""
        if not self.is_placed(observation):
            return (WAIT,)
        is_mediator = player == self.num_agents
        if observation.leader == NOBODY:
            return self.players[:-1] if is_mediator else (WAIT,)
        if is_mediator:
            return (WAIT,)
        return (*MOVES, COLLECT) if player == observation.leader else MOVES

    def transition(self, state: GridState, joint_action: JointAction) -> Distribution[GridState]:
        """Place one more thing, note who was picked, or move."""
        if not self.is_placed(state):
            return uniform(self._with_one_more(state))
        if state.leader == NOBODY:
            return point_mass(replace(state, leader=self.players.index(joint_action[-1])))
        return self._moved(state, joint_action)

    def reward(self, state: GridState, joint_action: JointAction, next_state: GridState) -> Rewards:
        """Pay for what was collected; the mediator is paid nothing."""
        kind = self.collected_kind(state, joint_action)
        if kind is None:
            return (0,) * (self.num_agents + 1)
        return (*resource_rewards(kind, players=self.num_agents), 0)

    def collected_kind(self, state: GridState, joint_action: JointAction) -> str | None:
        """Return what is collected by a joint action, or None.

        The leader must stand on it, be able to lead to it, and have a follower at most one step
        away before anybody else moves.
        """
        leader = state.leader
        if not self.is_placed(state) or leader == NOBODY or joint_action[leader] != COLLECT:
            return None
        own = state.cells[leader]
        others = [cell for agent, cell in enumerate(state.cells) if agent != leader]
        if all(abs(own[0] - cell[0]) + abs(own[1] - cell[1]) > 1 for cell in others):
            return None
        may = (preferred_color(leader), SHARED)
        here = (
            kind
            for kind, cell in zip(state.kinds, state.resources, strict=True)
            if cell == own and kind in may
        )
        return next(here, None)

    def free_cells(self, state: GridState) -> tuple[Cell, ...]:
        """Return the cells without agent and resource, row by row."""
        taken = {*state.cells, *state.resources}
        return tuple(
            (row, column)
            for row in range(self.size)
            for column in range(self.size)
            if (row, column) not in taken
        )

    def _with_one_more(self, state: GridState) -> list[GridState]:
        free = self.free_cells(state)
        if len(state.agents) == self.num_agents:
            return [replace(state, resources=(*state.resources, cell)) for cell in free]
        return [
            replace(state, agents=(*state.agents, (cell, heading)))
            for cell in free
            for heading in range(len(HEADINGS))
        ]

    def _moved(self, state: GridState, joint_action: JointAction) -> Distribution[GridState]:
        kind = self.collected_kind(state, joint_action)
        agents = list(state.agents)
        for agent in (state.leader, *(i for i in range(self.num_agents) if i != state.leader)):
            agents[agent] = self._after_move(agents, agent, joint_action[agent])
        after = replace(state, agents=tuple(agents), steps=state.steps + 1)
        if kind is None:
            return point_mass(after)
        place = state.kinds.index(kind)
        kept = list(after.resources)
        kept[place] = ABSENT
        gone = replace(after, resources=tuple(kept), leader=NOBODY, collected=state.collected + 1)
        return uniform(
            replace(gone, resources=(*kept[:place], cell, *kept[place + 1 :]))
            for cell in self.free_cells(gone)
        )

    def _after_move(
        self, agents: list[tuple[Cell, int]], agent: int, action: Any
    ) -> tuple[Cell, int]:
        (row, column), heading = agents[agent]
        if action in ("left", "right"):
            return (row, column), (heading + (1 if action == "right" else -1)) % len(HEADINGS)
        if action not in ("forward", "backward"):
            return agents[agent]
        down, right = HEADINGS[heading]
        sign = 1 if action == "forward" else -1
        cell = (row + sign * down, column + sign * right)
        inside = all(0 <= part < self.size for part in cell)
        is_free = all(cell != other for other, _ in agents)
        return (cell if inside and is_free else (row, column)), heading


def resource_collection_grid(
    *, colors: int = 2, players: int = 2, size: int = 6, steps: int = 60, collections: int = 2
) -> ResourceGridRules:
    """Resource collection with its walking: a leader and helpers on a grid, a mediator who picks.

    Args:
        colors: 1 (red or blue, drawn for each episode; RC-1) or 2 (RC-2), besides green.
        players: Without the mediator; at least 2.
        size: Cells along a side.
        steps, collections: Whichever comes first ends play.

    Source: A. Dodwadmath and S. Maghsudi, "Emergence of fair leaders via mediators in multi-agent
        reinforcement learning", arXiv 2508.02421, 2025, sections 5.2 and 13.3.

    >>> resource_collection_grid(players=4).players
    ('Player 1', 'Player 2', 'Player 3', 'Player 4', 'mediator')
    """
    require_integer(colors, name="colors", low=1, high=2, where="resource_collection_grid")
    return ResourceGridRules(
        num_agents=players,
        size=size,
        steps=steps,
        collections=collections,
        has_both_colors=colors == len(COLORS),
    )
