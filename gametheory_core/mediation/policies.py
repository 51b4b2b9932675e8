"""Policies of a mediated game: what every agent does if it leads, and whom the mediator picks.

Both are deterministic tables over the nodes of ``mediated_histories``: of the fine ones, if the
policy remembers returns, or of the coarse ones, if it knows step and state alone. Every agent has
an action at every node, also where the mediator picks somebody else.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arguments import counted
from gametheory_core.errors import InvalidStrategy
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import (
    MediatedHistories,
    Memory,
    mediated_histories,
    node_map,
    num_history_layers,
)

Tables: TypeAlias = tuple[tuple[tuple[int, ...], ...], ...]


@dataclass(frozen=True)
class MediatedProfile:
    """What agents do as leaders and whom the mediator picks, at every node.

    Attributes:
        actions: ``actions[t][node][agent]``: a legal action of the agent as the leader.
        leaders: ``leaders[t][node]``: the player picked.
        agents, mediator: Over whose nodes the two tables run. A mediator that knows the step alone
            cannot follow agents that remember more.
    """

    actions: Tables
    leaders: tuple[tuple[int, ...], ...]
    agents: Memory = Memory.HISTORY
    mediator: Memory = Memory.HISTORY


def check_mediated_profile(game: MediatedGame, profile: MediatedProfile) -> None:
    """Refuse a profile that does not fit the game.

    Raises:
        InvalidStrategy: Names the first step and node that does not fit.
        UnsupportedGame: If the nodes are too many to list.
    """
    if type(cast("object", profile)) is not MediatedProfile:
        raise InvalidStrategy(needs="a MediatedProfile", found=f"got {type(profile).__name__}")
    if profile.mediator is Memory.STEP and profile.agents is Memory.HISTORY:
        raise InvalidStrategy(
            needs="agents that remember no more than the mediator",
            found="they remember returns and it does not",
            remedy="Let both remember the same.",
        )
    _check_length(game, profile.actions, "actions")
    _check_length(game, profile.leaders, "leaders")
    agents = mediated_histories(game, memory=profile.agents)
    same = profile.agents is profile.mediator
    mediator = agents if same else mediated_histories(game, memory=profile.mediator)
    _check_table(agents, profile.actions, "actions", lambda t, n, x: _fits_actions(agents, t, n, x))
    _check_table(mediator, profile.leaders, "leaders", lambda _t, _n, x: _is_leader(game, x))


def _check_length(game: MediatedGame, table: object, name: str) -> None:
    """Refuse a table that has not one entry for each step, before nodes are listed."""
    needed = num_history_layers(game)
    found = len(cast("tuple[object, ...]", table)) if type(table) is tuple else None
    if found != needed:
        raise InvalidStrategy(
            needs=f"{name} for each of {counted(needed)} steps",
            found=f"there are {found if found is not None else 'other things'}",
        )


def _check_table(
    histories: MediatedHistories, table: object, name: str, fits: Callable[[int, int, object], bool]
) -> None:
    sizes = [layer.num_nodes for layer in histories.layers]
    found = (
        [len(cast("tuple[object, ...]", layer)) for layer in cast("tuple[object, ...]", table)]
        if type(table) is tuple and all(type(layer) is tuple for layer in cast("Any", table))
        else None
    )
    if found != sizes:
        raise InvalidStrategy(
            needs=f"{name} as tuples of {sizes} entries, one for each node of each step",
            found=f"there are {found if found is not None else 'other things'}",
        )
    for t, layer in enumerate(cast("tuple[tuple[object, ...], ...]", table)):
        for node, entry in enumerate(layer):
            if not fits(t, node, entry):
                raise InvalidStrategy(
                    needs=f"legal {name}", found=f"at {histories.name(t, node)} there is {entry!r}"
                )


def _is_leader(game: MediatedGame, entry: object) -> bool:
    return type(entry) is int and 0 <= entry < game.num_players


def _fits_actions(histories: MediatedHistories, t: int, node: int, entry: object) -> bool:
    game, state = histories.game, int(histories.layers[t].states[node])
    if type(entry) is not tuple:
        return False
    own = cast("tuple[object, ...]", entry)
    return len(own) == game.num_players and all(
        type(action) is int and action in game.legal(state, agent)
        for agent, action in enumerate(own)
    )


def random_mediated_profile(
    game: MediatedGame,
    *,
    rng: np.random.Generator,
    agents: Memory = Memory.HISTORY,
    mediator: Memory = Memory.HISTORY,
) -> MediatedProfile:
    """Draw a legal action of every agent and a leader at every node, each with equal chances.

    Args:
        agents, mediator: What the policies may depend on.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> drawn = random_mediated_profile(mediated_chicken(), rng=np.random.default_rng(0))
    >>> [len(layer) for layer in drawn.leaders]
    [1, 3, 6, 10]
    """
    fine = mediated_histories(game, memory=mediator)
    own = fine if agents is mediator else mediated_histories(game, memory=agents)
    everybody = range(game.num_players)
    actions = tuple(
        tuple(
            tuple(int(rng.choice(game.legal(state, agent))) for agent in everybody)
            for state in layer.states.tolist()
        )
        for layer in own.layers
    )
    leaders = tuple(
        tuple(rng.integers(game.num_players, size=layer.num_nodes).tolist())
        for layer in fine.layers
    )
    return MediatedProfile(actions, leaders, agents, mediator)


def mediated_plan(game: MediatedGame, profile: MediatedProfile) -> tuple[tuple[str, str], ...]:
    """Return who leads and what the leader does, step by step, where nothing is drawn.

    Raises:
        InvalidStrategy: If the game draws states, or the profile does not fit.

    >>> from gametheory_core.mediation import mediated_game
    >>> alone = mediated_game(
    ...     players=["Ann"], horizon=1, initial={"start": 1}, actions=[["wait", "go"]],
    ...     play=lambda state, leader, action: ((int(action == "go"),), {"start": 1}),
    ... )
    >>> mediated_plan(alone, MediatedProfile((((1,),),), ((0,),)))
    (('Ann', 'go'),)
    """
    check_mediated_profile(game, profile)
    if not game.is_deterministic:
        raise InvalidStrategy(
            needs="a game in which nothing is drawn", found=f"{game!r} draws states"
        )
    fine = mediated_histories(game)
    node, plan = fine.start[0], list[tuple[str, str]]()
    maps = {memory: node_map(fine, memory) for memory in Memory}
    for t, layer in enumerate(fine.layers):
        if node < 0:
            break
        leader = profile.leaders[t][int(maps[profile.mediator][t][node])]
        action = profile.actions[t][int(maps[profile.agents][t][node])][leader]
        plan.append((game.players[leader], str(game.actions[leader][action])))
        node = int(layer.child[node, leader, action, 0])
    return tuple(plan)


class MediatedWalk:
    """A profile asked at the nodes that remember returns.

    Raises:
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> brakes = MediatedProfile(actions=(((2, 2),),), leaders=((1,),))
    >>> MediatedWalk(mediated_chicken(rounds=1), brakes).choice(0, 0)
    (1, 2)
    """

    def __init__(self, game: MediatedGame, profile: MediatedProfile) -> None:
        check_mediated_profile(game, profile)
        self.histories: MediatedHistories = mediated_histories(game)
        self._profile = profile
        self._agents = node_map(self.histories, profile.agents)
        self._mediator = node_map(self.histories, profile.mediator)

    def choice(self, step: int, node: int) -> tuple[int, int]:
        """Return who leads at a node, and what that player does."""
        leader = self._profile.leaders[step][int(self._mediator[step][node])]
        own = self._profile.actions[step][int(self._agents[step][node])]
        return leader, own[leader]

    def next_node(self, step: int, node: int, position: int) -> int:
        """Return the node after an outcome of the step, by position; -1 where play ends."""
        leader, action = self.choice(step, node)
        return int(self.histories.layers[step].child[node, leader, action, position])
