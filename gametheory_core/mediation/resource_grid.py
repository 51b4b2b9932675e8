"""Resource collection on a grid: who leads walks with helpers to what all collect together.

The mediator is the last player. Play begins by placing, one thing a step, so that no distribution
has more outcomes than there are cells and headings; then the mediator picks a leader, all agents
move at once (the leader first, then by number), and after each collection it picks again.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ONE
from gametheory_core.distributions import Distribution, point_mass, uniform
from gametheory_core.games.rules import JointAction, JointObservation, Rewards
from gametheory_core.labels import numbered_players
from gametheory_core.mediation.catalog import COLORS, SHARED, preferred_color, resource_rewards

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
