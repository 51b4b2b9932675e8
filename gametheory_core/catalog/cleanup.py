"""Toy Cleanup: beams in a corridor that clean the first dirty tile they meet, and who comes first.

Agents stand at 0, 1, ... and look the same way; the tiles 3 and 6 are dirty. A beam passes agents
and clean tiles, reaches five tiles far and stops at dirt, which it cleans. If two fire at once, the
order in which the beams are resolved decides: first the agent at 0, then the one at 1 leaves
nothing dirty; the other way around, tile 6 stays dirty.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import permutations
from typing import Any

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ONE
from gametheory_core.distributions import Distribution, point_mass, uniform
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.rules import JointAction, JointObservation, Rewards

CLEAN, WAIT = "clean", "wait"
REACH = 5
DIRTY = frozenset({3, 6})
MAX_AGENTS = 3  # a fourth would stand on a dirty tile
MAX_HORIZON = 1000


class Resolution(Enum):
    """How beams fired at once are resolved."""

    FIXED = "in the order of the agents' numbers"
    RANDOM = "in an order drawn evenly"
    SIMULTANEOUS = "all on the tiles as they were"


@dataclass(frozen=True)
class Corridor:
    """Where each agent stands, which tiles are dirty, and how many each agent has just cleaned."""

    positions: tuple[int, ...]
    dirty: frozenset[int]
    cleaned: tuple[int, ...]


@dataclass(frozen=True)
class Cleanup:
    """Agents who clean a corridor with beams, as a POSG; each gets 1 for a tile cleaned.

    Who stands where is drawn at the start. An agent sees where it stands, and the dirty tiles; play
    ends when all is clean. Agents are alike, but with a fixed order of resolution their numbers
    matter: renaming them changes the game.

    Attributes:
        agents: 1 to 3, standing at 0, 1, ....
        horizon: Steps of play, at least 1.

    Source: J. K. Terry et al., "PettingZoo: Gym for multi-agent reinforcement learning", NeurIPS
        2021, appendix A.1.

    >>> here = Corridor((0, 1), frozenset({3, 6}), (0, 0))
    >>> len(Cleanup(Resolution.RANDOM).transition(here, ("clean", "clean")))
    2
    """

    resolution: Resolution
    agents: int = 2
    horizon: int = 2
    discount: Fraction = field(default=ONE, init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.resolution, Resolution):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgument(needs="a member of Resolution", found=f"got {self.resolution!r}")
        require_integer(self.agents, name="agents", low=1, high=MAX_AGENTS, where="Cleanup")
        require_integer(self.horizon, name="horizon", low=1, high=MAX_HORIZON, where="Cleanup")

    @property
    def title(self) -> str:
        """For people."""
        return f"Toy Cleanup, beams resolved {self.resolution.value}"

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of the agents."""
        return tuple(str(agent + 1) for agent in range(self.agents))

    def initial(self) -> Distribution[Corridor]:
        """Draw who stands where."""
        nothing = (0,) * self.agents
        seats = permutations(range(self.agents))
        return uniform(Corridor(positions, DIRTY, nothing) for positions in seats)

    def initial_observation(self, state: Corridor) -> Distribution[JointObservation]:
        """Show each agent where it stands, and the dirty tiles."""
        return point_mass(_seen(state))

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        """Fire the beam, or wait."""
        return (CLEAN, WAIT)

    def is_terminal(self, state: Corridor) -> bool:
        """Tell whether all is clean."""
        return not state.dirty

    def transition(self, state: Corridor, joint_action: JointAction) -> Distribution[Corridor]:
        """Resolve the beams."""
        match self.resolution:
            case Resolution.FIXED:
                return point_mass(clean_in_order(state, joint_action, range(self.agents)))
            case Resolution.RANDOM:
                orders = permutations(range(self.agents))
                return uniform(clean_in_order(state, joint_action, order) for order in orders)
            case Resolution.SIMULTANEOUS:
                return point_mass(clean_at_once(state, joint_action))

    def observation(
        self, joint_action: JointAction, state: Corridor
    ) -> Distribution[JointObservation]:
        """Show each agent where it stands, and the dirty tiles."""
        return point_mass(_seen(state))

    def reward(self, state: Corridor, joint_action: JointAction, next_state: Corridor) -> Rewards:
        """Pay each agent 1 for each tile that its beam cleaned."""
        return next_state.cleaned


def clean_in_order(state: Corridor, joint_action: JointAction, order: Sequence[int]) -> Corridor:
    """Resolve the beams one after the other, each on the tiles that the earlier ones left.

    Args:
        joint_action: ``"clean"`` or ``"wait"`` for each agent.
        order: Every agent once.

    >>> here = Corridor((0, 1), frozenset({3, 6}), (0, 0))
    >>> sorted(clean_in_order(here, ("clean", "clean"), (1, 0)).dirty)
    [6]
    """
    dirty = state.dirty
    cleaned = [0] * len(state.positions)
    for agent in order:
        hit = _hit(state.positions[agent], dirty, joint_action[agent])
        dirty -= hit
        cleaned[agent] = len(hit)
    return Corridor(state.positions, dirty, tuple(cleaned))


def clean_at_once(state: Corridor, joint_action: JointAction) -> Corridor:
    """Resolve all beams on the tiles as they were; beams that meet at a tile both clean it.

    >>> clean_at_once(Corridor((0, 1), frozenset({3, 6}), (0, 0)), ("clean", "clean")).cleaned
    (1, 1)
    """
    hits = [
        _hit(position, state.dirty, action)
        for position, action in zip(state.positions, joint_action, strict=True)
    ]
    dirty = state.dirty.difference(*hits)
    return Corridor(state.positions, dirty, tuple(map(len, hits)))


def relabel(permutation: Sequence[int], state: Corridor) -> Corridor:
    """Rename the agents of a state: agent ``i`` becomes agent ``permutation[i]``.

    Args:
        permutation: The new number of each agent.

    >>> relabel((1, 2, 0), Corridor((0, 1, 2), frozenset({3}), (1, 0, 0))).positions
    (2, 0, 1)
    """
    former = sorted(range(len(permutation)), key=lambda agent: permutation[agent])
    return Corridor(
        tuple(state.positions[agent] for agent in former),
        state.dirty,
        tuple(state.cleaned[agent] for agent in former),
    )


def _hit(position: int, dirty: frozenset[int], action: str) -> frozenset[int]:
    if action != CLEAN:
        return frozenset()
    tiles = range(position + 1, position + REACH + 1)
    return frozenset([tile for tile in tiles if tile in dirty][:1])


def _seen(state: Corridor) -> JointObservation:
    tiles = tuple(sorted(state.dirty))
    return tuple((position, tiles) for position in state.positions)


def cleanup_fixed_order(*, agents: int = 2, horizon: int = 2) -> Cleanup:
    """Beams in a corridor, resolved in the order of the agents' numbers: a race condition.

    Args:
        agents, horizon: 1 to 3 agents; steps of play, at least 1.

    Source: J. K. Terry et al., "PettingZoo: Gym for multi-agent reinforcement learning", NeurIPS
        2021, appendix A.1.
    """
    return Cleanup(Resolution.FIXED, agents, horizon)


def cleanup_random_order(*, agents: int = 2, horizon: int = 2) -> Cleanup:
    """Beams in a corridor, resolved in a random order: alike agents, but order still matters.

    Args:
        agents, horizon: 1 to 3 agents; steps of play, at least 1.

    Source: J. K. Terry et al., "PettingZoo: Gym for multi-agent reinforcement learning", NeurIPS
        2021, appendix A.1.
    """
    return Cleanup(Resolution.RANDOM, agents, horizon)


def cleanup_simultaneous(*, agents: int = 2, horizon: int = 2) -> Cleanup:
    """Beams in a corridor, all resolved on the tiles as they were: no order, no race.

    Args:
        agents, horizon: 1 to 3 agents; steps of play, at least 1.

    Source: J. K. Terry et al., "PettingZoo: Gym for multi-agent reinforcement learning", NeurIPS
        2021, appendix A.1.
    """
    return Cleanup(Resolution.SIMULTANEOUS, agents, horizon)
