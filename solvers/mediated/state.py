"""The policies in hand while agents and mediator update, and how they change."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gametheory_core.arrays import ZERO
from gametheory_core.evaluation.fairness import fairness_value
from gametheory_core.games.mediated_histories import Memory, node_map
from gametheory_core.strategies.mediated_policies import MediatedProfile
from solvers.mediated.integer_tables import MediatedTables
from solvers.mediated.ties import Choose, Indices
from solvers.mediated.updates import (
    Play,
    agent_optimum,
    agent_update,
    mediator_update,
    start_returns,
)


@dataclass(frozen=True)
class Policies:
    """What agents do at the nodes that they tell apart, and whom the mediator picks.

    Attributes:
        memory: Of the agents.
        actions (n, N): Over the agents' nodes.
        leaders (m,): Over the mediator's nodes.
        nodes (m,): The agents' node of each of the mediator's.
    """

    memory: Memory
    actions: list[Indices]
    leaders: list[Indices]
    nodes: list[Indices]

    @property
    def play(self) -> Play:
        """The same, all over the mediator's nodes."""
        pairs = zip(self.actions, self.nodes, strict=True)
        return Play([actions[nodes] for actions, nodes in pairs], self.leaders)

    def with_actions(self, agent: int, chosen: list[Indices]) -> "Policies":
        """Return policies in which an agent acts otherwise."""
        changed = [actions.copy() for actions in self.actions]
        for actions, own in zip(changed, chosen, strict=True):
            actions[:, agent] = own
        return Policies(self.memory, changed, self.leaders, self.nodes)

    def with_leaders(self, leaders: list[Indices]) -> "Policies":
        """Return policies in which other leaders are picked."""
        return Policies(self.memory, self.actions, leaders, self.nodes)

    @property
    def content(self) -> bytes:
        """What tells these policies from others over the same nodes."""
        return b"".join(table.tobytes() for table in (*self.actions, *self.leaders))


def agent_nodes(tables: MediatedTables, memory: Memory) -> list[Indices]:
    """Return the node of agents with a memory for each of the mediator's nodes."""
    return node_map(tables.histories, memory)


def with_agent_update(
    tables: MediatedTables, policies: Policies, agent: int, choose: Choose, *, freezes: bool
) -> Policies:
    """Return the policies after an agent's best response."""
    if policies.memory is tables.histories.memory:
        chosen = agent_update(tables, policies.play, agent, choose, freezes=freezes)
        return policies.with_actions(agent, chosen)
    return _with_plan_update(tables, policies, agent, choose, freezes=freezes)


def _with_plan_update(
    tables: MediatedTables, policies: Policies, agent: int, choose: Choose, *, freezes: bool
) -> Policies:
    """Return the policies after an agent's best plan for steps, where nothing is drawn.

    The plan is followed step by step from the start: along its way the agent knows the past, so
    that what is best there on histories makes a best plan. Where it does not lead along the way,
    all of its actions are equally good.
    """
    best = agent_optimum(tables, policies.play, agent).best
    chosen: list[Indices] = []
    node = tables.histories.start[0]
    for t, step in enumerate(tables.steps):
        present = policies.actions[t][:, agent]
        flags = np.zeros((len(present), step.legal.shape[2]), dtype=bool)
        flags[policies.nodes[t]] = step.legal[:, agent]
        leads = node >= 0 and policies.leaders[t][node] == agent
        if leads:
            flags[policies.nodes[t][node]] = best[t][node]
        own = choose(t, flags, present)
        if freezes:
            led = np.arange(len(own)) == (policies.nodes[t][node] if leads else -1)
            own = np.where(led, own, present)
        chosen.append(own)
        if node >= 0:
            leader = int(policies.leaders[t][node])
            place = int(policies.nodes[t][node])
            action = own[place] if leads else policies.actions[t][place, leader]
            node = int(step.child[node, leader, action, 0])
    return policies.with_actions(agent, chosen)


def with_mediator_update(tables: MediatedTables, policies: Policies, choose: Choose) -> Policies:
    """Return the policies after the mediator's best picks."""
    return policies.with_leaders(mediator_update(tables, policies.play, choose))


def start_fairness(tables: MediatedTables, policies: Policies) -> Fraction:
    """Return how fair the returns are, expected over the first states."""
    fairness, total = tables.incentives.fairness, ZERO
    weights = tables.game.initial_kernel.weight.tolist()
    for weight, values in zip(weights, start_returns(tables, policies.play), strict=True):
        returns = [Fraction(int(value), tables.denominator) for value in values]
        total += weight * fairness_value(fairness, returns)
    return total


def profile_of(tables: MediatedTables, policies: Policies) -> MediatedProfile:
    """Return the policies as plain tuples."""
    return MediatedProfile(
        tuple(tuple(map(tuple, actions.tolist())) for actions in policies.actions),
        tuple(tuple(leaders.tolist()) for leaders in policies.leaders),
        policies.memory,
        tables.histories.memory,
    )
