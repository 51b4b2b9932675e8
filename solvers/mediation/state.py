"""The policies in hand while agents and mediator update: where they start, and how they change.

A single exact response, of one agent or of the mediator, is one such change.
"""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

import numpy as np

from gametheory_core.arrays import ZERO, freeze
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.mediation.fairness import Fairness, MediatorStage, fairness_value
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import MediatedHistories, Memory, node_map
from gametheory_core.mediation.policies import MediatedProfile, check_mediated_profile
from gametheory_core.mediation.values import MediatorIncentives
from solvers.mediation.tables import MediatedTables, fairness_scores, integer_tables
from solvers.mediation.updates import (
    Choose,
    Indices,
    Play,
    agent_optimum,
    agent_update,
    first,
    kept,
    mediator_update,
    start_returns,
)
from solvers.requirements import require_instance, require_integer


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
        # off the way everything legal is as good; on it the best actions are
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
        if node >= 0:  # go along the way by what is chosen now
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


class InitialPolicies(Enum):
    """What agents do before their first update; ties go to the first action."""

    SELFISH = "what pays the leader most in this step"
    FAIR = "what is fairest in this step"
    RANDOM = "any action, drawn at every node, and any leader"


def greedy_actions(
    histories: MediatedHistories, initial: InitialPolicies, fairness: Fairness
) -> list[Indices]:
    """Return selfish or fair actions of every agent at every node, shape (n, N) for each layer."""
    game = histories.game
    by_row = _scores(game, initial, fairness)
    found: list[Indices] = []
    for layer in histories.layers:
        scores = np.where(layer.row >= 0, by_row[layer.row], min(by_row.tolist()) - 1)
        found.append(scores.argmax(axis=2))
    return found


def _scores(game: MediatedGame, initial: InitialPolicies, fairness: Fairness) -> Indices:
    """Return what each row of a game is worth to its leader, or how fair it is, as ranks."""
    rewards = game.scaled_rewards
    if initial is InitialPolicies.FAIR:
        scores = fairness_scores(fairness, rewards.numerators, denominator=rewards.denominator)
    else:
        scores = rewards.numerators[np.arange(len(game.row_key)), game.row_leader]
    _, ranks = np.unique(scores, return_inverse=True)
    return freeze(ranks.reshape(-1).astype(np.int64))


def given_tables(profile: MediatedProfile, players: int) -> tuple[list[Indices], list[Indices]]:
    """Return the actions and leaders of a profile as arrays."""
    actions = [np.array(layer, dtype=np.int64).reshape(-1, players) for layer in profile.actions]
    return actions, [np.array(layer, dtype=np.int64) for layer in profile.leaders]


def require_known_past(tables: MediatedTables, memory: Memory) -> None:
    """Refuse plans for steps under a mediator who knows more, where states are drawn.

    Raises:
        UnsupportedGame: Names the game.
    """
    if memory is not tables.histories.memory and not tables.game.is_deterministic:
        raise UnsupportedGame(
            needs="agents that remember returns, or a game in which nothing is drawn",
            found=f"{tables.game!r} draws states: a plan for steps cannot react to them",
            remedy="Use memory=Memory.HISTORY.",
        )


def leading_response(
    game: MediatedGame, profile: MediatedProfile, *, agent: int, incentives: MediatorIncentives
) -> MediatedProfile:
    """Return the profile in which one agent leads as well as it can, at every node.

    Args:
        profile: What the others do, and whom the mediator picks. The agent's own actions stay where
            they are among the best.
        incentives: Which transfers the agent counts.

    Raises:
        InvalidArgument: If there is no such agent.
        InvalidStrategy: If the profile does not fit the game.
        UnsupportedGame: As ``jam_value_iteration``.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> all_swerve = MediatedProfile(actions=(((1, 1),),), leaders=((0,),))
    >>> incentives = MediatorIncentives()
    >>> game = mediated_chicken(rounds=1)
    >>> leading_response(game, all_swerve, agent=1, incentives=incentives).actions
    (((1, 2),),)
    """
    require_instance(game, MediatedGame, name="game")
    require_integer(agent, name="agent", low=0, high=game.num_players - 1)
    tables, policies = _laid_out(game, profile, incentives)
    require_known_past(tables, policies.memory)
    found = with_agent_update(tables, policies, agent, kept, freezes=False)
    return profile_of(tables, found)


def mediator_response(
    game: MediatedGame, profile: MediatedProfile, *, incentives: MediatorIncentives
) -> MediatedProfile:
    """Return the profile in which the mediator picks the fairest leader at every node.

    Picks are made from the end backwards, each given the later ones. Where nothing is drawn and the
    mediator remembers returns, no plan is fairer; else another plan may be.

    Args:
        profile: What the agents do; of equally fair leaders the first is picked.
        incentives: The measure of fairness.

    Raises:
        InvalidArgument: If the measure cannot judge the returns.
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> mixed = MediatedProfile(actions=(((1, 2),),), leaders=((0,),))
    >>> incentives = MediatorIncentives()
    >>> mediator_response(mediated_chicken(rounds=1), mixed, incentives=incentives).leaders
    ((1,),)
    """
    require_instance(game, MediatedGame, name="game")
    tables, policies = _laid_out(game, profile, incentives)
    return profile_of(tables, with_mediator_update(tables, policies, first))


def _laid_out(
    game: MediatedGame, profile: MediatedProfile, incentives: MediatorIncentives
) -> tuple[MediatedTables, Policies]:
    require_instance(incentives, MediatorIncentives, name="incentives")
    check_mediated_profile(game, profile)
    if (profile.mediator is Memory.STEP) is not (incentives.stage is MediatorStage.NAIVE):
        raise InvalidArgument(
            needs="stage NAIVE for a mediator that knows the step alone, and no other one",
            found=f"the stage is {incentives.stage.name} and it knows {profile.mediator.value}",
        )
    tables = integer_tables(game, incentives, memory=profile.mediator)
    actions, leaders = given_tables(profile, game.num_players)
    nodes = agent_nodes(tables, profile.agents)
    return tables, Policies(profile.agents, actions, leaders, nodes)
