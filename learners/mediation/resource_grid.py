"""Resource collection on a grid: a leader and its helpers walk to what they collect together.

Agents stand on different cells of a square, each facing one way. They go forward or backward, or
turn; the leader moves first, then the others by number, and nobody enters a wall or another agent's
cell. Where the leader stands on a resource that it can collect, green or its own color, with a
follower at most one step away, it may collect: a step that does nothing anywhere else. A resource
that was collected comes back on a free cell. A leader is picked at the start and after each
collection. Green pays everybody 4; red pays 5 to the first, third, ... agent and 1 to the others,
blue conversely.
"""

from dataclasses import replace
from enum import Enum
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import numbered_players
from gametheory_core.errors import InvalidArgument
from gametheory_core.mediation.catalog import KINDS, ResourceGridRules
from gametheory_core.mediation.fairness import MediatorStage
from gametheory_core.mediation.values import MediatorIncentives
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import Snapshot
from learners.mediation.grid_policies import grid_policies, grid_transfers
from learners.mediation.led_batch import Deciding, LedTurn
from learners.options import AtOnce, Count, NotNegative, Range, checked
from learners.streams import generator_state, named_stream, restore_generator

ACTIONS = ("forward", "backward", "left", "right", "collect")
WITHOUT_GREEN = 0.05  # of the episodes, if some go astray
_STATE = (
    "cells", "headings", "resources", "leader", "steps", "collected", "returns", "is_over",
)  # fmt: skip


class Colors(Enum):
    """Which resources there are besides green."""

    ONE = "red or blue, drawn for each episode"
    BOTH = "red and blue"


@checked
class ResourceGrid:
    """Episodes of resource collection; a ``LedBatch``.

    Args:
        players: At least 2; the first, third, ... can collect red, the others blue.
        size: Cells along a side; agents and resources must fit.
        steps, collections: Whichever comes first ends an episode.
        bonus: Paid to a follower for each step after which it is next to the leader.
        collection_bonus: Paid to all followers when their leader collects, whatever it is; more
            than the bonus of staying near for ever (1, at a discount of 0.9), since otherwise they
            would gain by hemming the leader in.
        incentives: Of the mediator; says what moves among the agents after the last collection.
        episodes: Played at once.

    Raises:
        InvalidArgument: If an option makes no sense.

    Source: :cite:`dodwadmath2025fair`, sections 5.2 and 13.3; size, steps, respawning and the order
        of moves are decisions of ours.

    >>> grid = ResourceGrid(episodes=3, rng=np.random.default_rng(0))
    >>> turn = grid.reset()
    >>> turn.picks.tolist(), turn.agents.shape
    ([True, True, True], (3, 2, 35))
    >>> turn = grid.pick(np.array([0, 1, 1]))
    >>> turn.legal[1].tolist()[0]  # a follower cannot collect
    [True, True, True, True, False]
    """

    def __init__(
        self,
        *,
        colors: Colors = Colors.BOTH,
        players: Annotated[int, Range(low=2)] = 2,
        size: Annotated[int, Range(low=2)] = 6,
        steps: Count = 60,
        collections: Count = 2,
        bonus: NotNegative = 0.1,
        collection_bonus: NotNegative = 3.0,
        incentives: MediatorIncentives | None = None,
        episodes: AtOnce,
        rng: np.random.Generator,
    ) -> None:
        if size * size < players + len(KINDS) + 1:
            raise InvalidArgument(
                needs="a free cell besides agents and resources",
                found=f"{size} by {size} cells are too few for {players} players",
                remedy="Give a larger size.",
            )
        self.players = numbered_players(players)
        self.num_episodes = episodes
        self.num_actions = len(ACTIONS)
        self.num_features = (
            9 * players + 4 * len(KINDS) + 3 + players,
            2 * players + 3 * len(KINDS) + 2 + players,
        )
        self._colors = colors
        self._size = size
        self._limits = (steps, collections)
        self._bonus = (float(bonus), float(collection_bonus))
        self.incentives = incentives or MediatorIncentives()
        self._rng = rng
        self._state = _blank(episodes, players)

    # Play

    def reset(self, *, astray: float = 0.0) -> LedTurn:
        """Begin all episodes: agents and resources on different cells, drawn evenly.

        Each one, with probability ``astray``, with green alone; then, where there are red and blue,
        one in twenty has no green.
        """
        from learners._kernels.resource_grid import GREEN, place  # noqa: PLC0415 loads numba

        episodes, players = self.num_episodes, len(self.players)
        kinds = np.ones((episodes, len(KINDS)), dtype=bool)
        if self._colors is Colors.ONE:
            absent = self._rng.integers(2, size=episodes)
            kinds[np.arange(episodes), absent] = False
        if astray > 0:
            drawn = self._rng.random(episodes)
            kinds[drawn < astray, :GREEN] = False
            if self._colors is Colors.BOTH:
                kinds[(drawn >= astray) & (drawn < astray + WITHOUT_GREEN), GREEN] = False
        draws = self._rng.random((episodes, 2 * players + GREEN + 1))
        place(self._state, self._size, kinds, draws)
        return self._turn()

    def pick(self, leaders: NDArray[np.int64]) -> LedTurn:
        """Let players lead, where picks are due."""
        due = self._picks()
        self._state.leader[due] = leaders[due]
        return self._turn()

    def step(self, actions: NDArray[np.int64]) -> LedTurn:
        """Let all agents act, the leader first, where there is one and play goes on."""
        from learners._kernels.resource_grid import step_all  # noqa: PLC0415 loads numba

        episodes, players = self.num_episodes, len(self.players)
        before = self._state.returns.copy()
        leader = self._state.leader.copy()
        present = self._state.resources >= 0
        paid = np.zeros((episodes, players))
        near = np.zeros((episodes, players), dtype=bool)
        gathered = np.full(episodes, -1, dtype=np.int64)
        step_all(
            self._state,
            self._size,
            self._limits,
            actions.astype(np.int64),
            self._rng.random(episodes),
            paid,
            near,
            gathered,
        )
        transfers = np.zeros((episodes, players))
        if self.incentives.stage is MediatorStage.FULL:
            last = (gathered >= 0) & (self._state.collected == self._limits[1])
            for e in np.flatnonzero(last).tolist():
                transfers[e] = grid_transfers(
                    self.incentives, before[e], int(leader[e]), int(gathered[e]), present[e]
                )
        near_bonus, collection_bonus = self._bonus
        helped = (gathered >= 0)[:, None] & (leader[:, None] != np.arange(players))
        return self._turn(paid, transfers, near_bonus * near + collection_bonus * helped)

    def _picks(self) -> NDArray[np.bool_]:
        return (self._state.leader < 0) & ~self._state.is_over

    def _turn(
        self,
        rewards: NDArray[np.float64] | None = None,
        transfers: NDArray[np.float64] | None = None,
        bonus: NDArray[np.float64] | None = None,
    ) -> LedTurn:
        from learners._kernels.resource_grid import COLLECT, show_agents, show_mediator  # noqa: PLC0415 loads numba

        state, episodes, players = self._state, self.num_episodes, len(self.players)
        agents = np.empty((episodes, players, self.num_features[0]))
        mediator = np.empty((episodes, self.num_features[1]))
        show_agents(state, self._size, self._limits, agents)
        show_mediator(state, self._size, self._limits, mediator)
        if self.incentives.stage is MediatorStage.NAIVE:
            agents[..., -players:] = mediator[..., -players:] = 0.0
        legal = np.zeros((episodes, players, len(ACTIONS)), dtype=bool)
        legal[~state.is_over & (state.leader >= 0)] = True
        legal[:, :, COLLECT] &= state.leader[:, None] == np.arange(players)
        nothing = np.zeros((episodes, players))
        return LedTurn(
            agents=agents,
            mediator=mediator,
            past=state.returns.copy(),
            picks=self._picks(),
            leader=state.leader.copy(),
            legal=legal,
            rewards=nothing if rewards is None else rewards,
            transfers=nothing if transfers is None else transfers,
            bonus=nothing if bonus is None else bonus,
            is_over=state.is_over.copy(),
        )

    def policies(self, deciding: Deciding) -> PolicyProfile:
        """Return what somebody does as policies of ``rules()``, the mediator's last."""
        return grid_policies(self.rules(), self.anew(episodes=1, rng=named_stream(0)), deciding)

    def anew(
        self,
        *,
        episodes: int | None = None,
        stage: MediatorStage | None = None,
        rng: np.random.Generator | None = None,
    ) -> "ResourceGrid":
        """Return other episodes of the same grid; a ``LedBatch`` says how."""
        return ResourceGrid(
            colors=self._colors,
            players=len(self.players),
            size=self._size,
            steps=self._limits[0],
            collections=self._limits[1],
            bonus=self._bonus[0],
            collection_bonus=self._bonus[1],
            incentives=replace(self.incentives, stage=stage or self.incentives.stage),
            episodes=episodes or self.num_episodes,
            rng=rng or self._rng,
        )

    def rules(self) -> ResourceGridRules:
        """Return the rules that are played, transfers and bonus left out."""
        return ResourceGridRules(
            num_agents=len(self.players),
            size=self._size,
            steps=self._limits[0],
            collections=self._limits[1],
            has_both_colors=self._colors is Colors.BOTH,
        )

    # Looking in, and checkpoints

    def look(self) -> LedTurn:
        """Return the present moment once more, as after ``reset``."""
        return self._turn()

    def positions(self) -> dict[str, NDArray[Any]]:
        """Return where episodes stand, as copies: cells, headings, resources, leader and counts.

        Cells are numbered row by row, headings are 0 north, 1 east, 2 south, 3 west; resources are
        red, blue, green, -1 where absent.
        """
        return {name: np.copy(getattr(self._state, name)) for name in _STATE}

    def snapshot(self) -> dict[str, Any]:
        """Return all that is needed to go on exactly from here."""
        return {**self.positions(), "rng": generator_state(self._rng)}

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot, or begin from positions of one's own.

        Raises:
            InvalidArgument: If it is of other sizes.
        """
        shapes = {name: np.shape(snapshot[name]) for name in _STATE}
        if shapes != {name: getattr(self._state, name).shape for name in _STATE}:
            raise InvalidArgument(
                needs=f"a snapshot of {self.num_episodes} episodes of {len(self.players)} players",
                found=f"the shapes are {shapes}",
                remedy="Make the grid with the same options.",
                where="ResourceGrid.restore",
            )
        for name in _STATE:
            getattr(self._state, name)[...] = snapshot[name]
        if "rng" in snapshot:
            restore_generator(self._rng, dict(snapshot["rng"]))


def _blank(episodes: int, players: int) -> Any:
    from learners._kernels.resource_grid import GridArrays  # noqa: PLC0415 loads numba

    return GridArrays(
        cells=np.full((episodes, players), -1, dtype=np.int64),
        headings=np.zeros((episodes, players), dtype=np.int64),
        resources=np.full((episodes, len(KINDS)), -1, dtype=np.int64),
        leader=np.full(episodes, -1, dtype=np.int64),
        steps=np.zeros(episodes, dtype=np.int64),
        collected=np.zeros(episodes, dtype=np.int64),
        returns=np.zeros((episodes, players)),
        is_over=np.ones(episodes, dtype=bool),
    )
