"""The recursion behind the values of a mediated game: from the last step back, in rationals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from gametheory_core.arrays import ZERO
from gametheory_core.evaluation.end_transfers import (
    EndRule,
    MediatorStage,
    Vector,
    end_transfers,
    require_known_ends,
)
from gametheory_core.evaluation.fairness import MINIMUM, Fairness, check_fairness
from gametheory_core.games.mediated import MediatedGame
from gametheory_core.games.mediated_histories import (
    MediatedHistories,
    mediated_histories,
    node_map,
)
from gametheory_core.strategies.mediated_policies import MediatedProfile, check_mediated_profile

LeaderValues: TypeAlias = tuple[tuple[tuple[Vector, ...], ...], ...]  # [step][node][leader]
Transfers: TypeAlias = Callable[[int, int, int, int], Vector]  # of step, node, leader, action


@dataclass(frozen=True)
class MediatorIncentives:
    """What the mediator is after, and by which means it moves the agents.

    Attributes
    ----------
    fairness : Fairness
    stage : MediatorStage
    end_rule : EndRule
        In force at stage ``FULL`` alone.
    """

    fairness: Fairness = MINIMUM
    stage: MediatorStage = MediatorStage.FULL
    end_rule: EndRule = EndRule.HISTORY_IDEAL


@dataclass(frozen=True)
class ProfileNodes:
    """A profile that fits its game, over the nodes that its mediator tells apart."""

    game: MediatedGame
    profile: MediatedProfile
    histories: MediatedHistories
    agent_nodes: "list[np.ndarray[tuple[int], np.dtype[np.int64]]]"

    @property
    def num_steps(self) -> int:
        """Number of layers."""
        return len(self.histories.layers)

    def num_nodes(self, step: int) -> int:
        """Return the number of nodes of a layer."""
        return self.histories.layers[step].num_nodes

    def state(self, step: int, node: int) -> int:
        """Return the state of a node."""
        return int(self.histories.layers[step].states[node])

    def leader(self, step: int, node: int) -> int:
        """Return who is picked at a node."""
        return self.profile.leaders[step][node]

    def action(self, step: int, node: int, agent: int) -> int:
        """Return what an agent does at a node if it leads."""
        return self.profile.actions[step][int(self.agent_nodes[step][node])][agent]


def profile_nodes(game: MediatedGame, profile: MediatedProfile) -> ProfileNodes:
    """Check a profile and lay it over its nodes.

    Raises
    ------
    InvalidStrategy
        If the profile does not fit the game.
    """
    check_mediated_profile(game, profile)
    histories = mediated_histories(game, memory=profile.mediator)
    return ProfileNodes(game, profile, histories, node_map(histories, profile.agents))


def transfers_of(nodes: ProfileNodes, incentives: MediatorIncentives | None) -> Transfers:
    """Return what moves among the agents after each step; nothing without a full mediator."""
    game = nodes.game
    if incentives is None or incentives.stage is not MediatorStage.FULL:
        nothing = (ZERO,) * game.num_players
        return lambda _step, _node, _leader, _action: nothing
    check_fairness(incentives.fairness, game.num_players)
    require_known_ends(game, rule=incentives.end_rule, function="mediated values")
    known: dict[tuple[int, int, int], dict[int, Vector]] = {}

    def moved(step: int, node: int, leader: int, action: int) -> Vector:
        place = (step, node, leader)
        if place not in known:
            known[place] = end_transfers(
                game,
                fairness=incentives.fairness,
                rule=incentives.end_rule,
                step=step,
                state=nodes.state(step, node),
                returns=nodes.histories.returns(step, node),
                leader=leader,
            )
        return known[place][action]

    return moved


def step_value(
    nodes: ProfileNodes,
    transfers: Transfers,
    after: Sequence[Vector],
    place: tuple[int, int, int],
    action: int,
) -> Vector:
    """Return what everybody gets from a node on if a leader takes an action there.

    Parameters
    ----------
    nodes : ProfileNodes
    transfers : function
        Counted at this step.
    after : sequence of tuples of Fraction
        What everybody gets from each node of the next layer on.
    place : (step, node, leader)
    action : int
    """
    step, node, leader = place
    layer, game = nodes.histories.layers[step], nodes.game
    row = int(layer.row[node, leader, action])
    value = [
        r + moved
        for r, moved in zip(
            game.rewards[row].tolist(), transfers(step, node, leader, action), strict=True
        )
    ]
    weights = game.transition_kernel.weight[game.transition_kernel.row(row)].tolist()
    children = layer.child[node, leader, action, : len(weights)].tolist()
    for child, weight in zip(children, weights, strict=True):
        if child >= 0:
            factor = game.discount * weight
            value = [own + factor * later for own, later in zip(value, after[child], strict=True)]
    return tuple(value)


def leader_values(nodes: ProfileNodes, transfers: Transfers) -> LeaderValues:
    """Return what everybody gets for each leader picked at each node, by the profile later on."""
    found: list[tuple[tuple[Vector, ...], ...]] = []
    after: Sequence[Vector] = ()
    for step in reversed(range(nodes.num_steps)):
        layer = tuple(
            tuple(
                step_value(
                    nodes, transfers, after, (step, node, agent), nodes.action(step, node, agent)
                )
                for agent in range(nodes.game.num_players)
            )
            for node in range(nodes.num_nodes(step))
        )
        after = node_values(nodes, step, layer)
        found.append(layer)
    return tuple(reversed(found))


def node_values(
    nodes: ProfileNodes, step: int, layer: tuple[tuple[Vector, ...], ...]
) -> tuple[Vector, ...]:
    """Return what everybody gets from each node of a layer on, under the leaders picked."""
    return tuple(values[nodes.leader(step, node)] for node, values in enumerate(layer))


def start_values(nodes: ProfileNodes, values: LeaderValues) -> list[tuple[Fraction, Vector]]:
    """Return the chance of each first state, and what everybody gets from there on."""
    nothing = (ZERO,) * nodes.game.num_players
    first = node_values(nodes, 0, values[0]) if values else ()
    weights = nodes.game.initial_kernel.weight.tolist()
    return [
        (weight, first[node] if node >= 0 else nothing)
        for weight, node in zip(weights, nodes.histories.start, strict=True)
    ]


def with_past(past: Vector, weight: Fraction, later: Vector) -> Vector:
    """Return the returns of all steps: those so far, and the discounted ones to come."""
    return tuple(h + weight * q for h, q in zip(past, later, strict=True))
