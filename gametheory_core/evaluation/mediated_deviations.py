"""Who gains by deviating in a mediated game: agents at any node, and the mediator."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.errors import UnsupportedGame
from gametheory_core.evaluation.end_transfers import Vector
from gametheory_core.evaluation.fairness import Fairness, check_fairness, fairness_value
from gametheory_core.evaluation.mediated_recursion import (
    MediatorIncentives,
    ProfileNodes,
    leader_values,
    node_values,
    profile_nodes,
    step_value,
    transfers_of,
    with_past,
)
from gametheory_core.games.mediated import MediatedGame
from gametheory_core.games.mediated_histories import Memory
from gametheory_core.strategies.mediated_policies import MediatedProfile


@dataclass(frozen=True)
class MediatedDeviation:
    """A choice at one node that is better than the one of a profile.

    Attributes
    ----------
    step, node : int
        Where, among the nodes that the mediator tells apart.
    player : int or None
        Who deviates; None for the mediator.
    choice : int
        The better action, or leader.
    value, better : Fraction
        What the profile gives from there on and what the deviation does; for the mediator, how fair
        the returns are.
    """

    step: int
    node: int
    player: int | None
    choice: int
    value: Fraction
    better: Fraction


def agent_deviation(
    game: MediatedGame, profile: MediatedProfile, incentives: MediatorIncentives
) -> MediatedDeviation | None:
    """Return a node at which an agent, picked or not, would gain by leading otherwise; or None.

    Raises
    ------
    InvalidStrategy
        If the profile does not fit the game.

    Notes
    -----
    If there is none, no deviation at all gains at any node: this is the one-shot deviation
    principle on a finite horizon.
    """
    nodes = profile_nodes(game, profile)
    transfers = transfers_of(nodes, incentives)
    values = leader_values(nodes, transfers)
    for step, layer in enumerate(values):
        later = values[step + 1] if step + 1 < nodes.num_steps else ()
        after = node_values(nodes, step + 1, later)
        for node, leaders in enumerate(layer):
            for agent, kept in enumerate(leaders):
                for action in game.legal(nodes.state(step, node), agent):
                    found = step_value(nodes, transfers, after, (step, node, agent), action)
                    if found[agent] > kept[agent]:
                        return MediatedDeviation(
                            step, node, agent, action, kept[agent], found[agent]
                        )
    return None


def mediator_deviation(
    game: MediatedGame, profile: MediatedProfile, fairness: Fairness
) -> MediatedDeviation | None:
    """Return a node at which picking another leader is fairer, or None.

    A mediator that remembers returns judges those of all steps, one that does not those to come.

    Raises
    ------
    InvalidArgument
        If the measure cannot judge the returns.
    InvalidStrategy
        If the profile does not fit the game.
    """
    check_fairness(fairness, game.num_players)
    nodes = profile_nodes(game, profile)
    remembers = profile.mediator is Memory.HISTORY
    for step, layer in enumerate(leader_values(nodes, transfers_of(nodes, None))):
        weight = game.discount**step if remembers else ONE
        for node, leaders in enumerate(layer):
            past = nodes.histories.returns(step, node)
            found = [fairness_value(fairness, with_past(past, weight, v)) for v in leaders]
            kept, best = found[nodes.leader(step, node)], max(found)
            if best > kept:
                return MediatedDeviation(step, node, None, found.index(best), kept, best)
    return None


def best_leading_value(
    game: MediatedGame, profile: MediatedProfile, agent: int, incentives: MediatorIncentives
) -> Fraction:
    """Return the most that an agent can expect from the start by leading otherwise, anywhere.

    Raises
    ------
    InvalidStrategy
        If the profile does not fit the game.
    UnsupportedGame
        If the agents remember less than the mediator and something is drawn: their plans cannot
        react to it, and the best one is not found from the end backwards.

    Notes
    -----
    Where nothing is drawn, whoever plans for steps knows the whole past that the plan leads to, so
    that plans for steps get as much from the start as plans for histories do.
    """
    nodes = profile_nodes(game, profile)
    if profile.agents is not profile.mediator and not game.is_deterministic:
        raise UnsupportedGame(
            "best_leading_value: needs agents that remember as much as the mediator, or a game in "
            f"which nothing is drawn, but {game!r} draws states."
        )
    transfers = transfers_of(nodes, incentives)
    after: Sequence[Vector] = ()
    for step in reversed(range(nodes.num_steps)):
        after = [
            max(
                (
                    step_value(
                        nodes, transfers, after, (step, node, nodes.leader(step, node)), action
                    )
                    for action in _options(nodes, step, node, agent)
                ),
                key=lambda value: value[agent],
            )
            for node in range(nodes.num_nodes(step))
        ]
    weights = zip(game.initial_kernel.weight.tolist(), nodes.histories.start, strict=True)
    return sum((weight * after[node][agent] for weight, node in weights if node >= 0), ZERO)


def _options(nodes: ProfileNodes, step: int, node: int, agent: int) -> tuple[int, ...]:
    """Return what may be done at a node if one agent is free and all others are not."""
    leader = nodes.leader(step, node)
    if leader == agent:
        return nodes.game.legal(nodes.state(step, node), agent)
    return (nodes.action(step, node, leader),)
