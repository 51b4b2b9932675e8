"""Who gains by deviating in a mediated game: agents at any node, and the mediator."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.errors import UnsupportedGame
from gametheory_core.mediation.fairness import (
    Fairness,
    FairnessKind,
    check_fairness,
    fairness_value,
)
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import Integers, Memory
from gametheory_core.mediation.policies import MediatedProfile
from gametheory_core.mediation.recursion import (
    Indices,
    MediatorIncentives,
    action_values,
    kept_values,
    profile_nodes,
    profile_values,
    transfers_of,
)


@dataclass(frozen=True)
class MediatedDeviation:
    """A choice at one node that is better than the one of a profile.

    Attributes:
        step, node: Where, among the nodes that the mediator tells apart.
        player: Who deviates; None for the mediator.
        choice: The better action, or leader.
        value, better: What the profile gives from there on and what the deviation does; for the
            mediator, how fair the returns are.
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

    Raises:
        InvalidStrategy: If the profile does not fit the game.

    If there is none, no deviation at all gains at any node: this is the one-shot deviation
    principle on a finite horizon.
    """
    nodes = profile_nodes(game, profile)
    for step, found in enumerate(profile_values(nodes, transfers_of(nodes, incentives))):
        agents = np.arange(game.num_players)
        by_action = found.values[:, agents, :, agents].transpose(1, 0, 2)  # what the leader gets
        kept = kept_values(nodes, step, found.values)[:, agents, agents]
        is_legal = nodes.histories.layers[step].row >= 0
        gains = np.argwhere(is_legal & (by_action > kept[:, :, None]))
        if len(gains):
            node, agent, action = gains[0].tolist()
            pair = [int(kept[node, agent]), int(by_action[node, agent, action])]
            value, better = found.vector(pair)
            return MediatedDeviation(step, node, agent, action, value, better)
    return None


def mediator_deviation(
    game: MediatedGame, profile: MediatedProfile, fairness: Fairness
) -> MediatedDeviation | None:
    """Return a node at which picking another leader is fairer, or None.

    A mediator that remembers returns judges those of all steps, one that does not those to come.

    Raises:
        InvalidArgument: If the measure cannot judge the returns.
        InvalidStrategy: If the profile does not fit the game.
    """
    check_fairness(fairness, game.num_players)
    nodes = profile_nodes(game, profile)
    remembers = profile.mediator is Memory.HISTORY
    for step, found in enumerate(profile_values(nodes, transfers_of(nodes, None))):
        # returns so far plus what is kept of each leader's value, over one denominator
        weight = game.discount**step if remembers else ONE
        kept = kept_values(nodes, step, found.values)
        past = nodes.histories.layers[step].returns
        part = weight / found.unit
        unit = lcm(part.denominator, nodes.histories.denominator)
        later, before = int(part * unit), unit // nodes.histories.denominator
        leaders = nodes.profile.leaders[step]
        totals = kept.astype(object) * later + (past.astype(object) * before)[:, None, :]
        for node, by_leader in enumerate(totals.tolist()):  # is another leader fairer?
            judged = [_judged(fairness, numbers, unit) for numbers in by_leader]
            best = max(judged)
            if best > judged[leaders[node]]:
                choice = judged.index(best)
                pair = [by_leader[leaders[node]], by_leader[choice]]
                value, better = (
                    fairness_value(fairness, [Fraction(number, unit) for number in numbers])
                    for numbers in pair
                )
                return MediatedDeviation(step, node, None, choice, value, better)
    return None


def _judged(fairness: Fairness, numbers: list[int], unit: int) -> Fraction | int:
    """Return how fair returns are, in an order that is that of fairness: the lowest, in parts."""
    if fairness.kind is FairnessKind.MINIMUM:
        return min(numbers)
    return fairness_value(fairness, [Fraction(number, unit) for number in numbers])


def best_leading_value(
    game: MediatedGame, profile: MediatedProfile, agent: int, incentives: MediatorIncentives
) -> Fraction:
    """Return the most that an agent can expect from the start by leading otherwise, anywhere.

    Raises:
        InvalidStrategy: If the profile does not fit the game.
        UnsupportedGame: If the agents remember less than the mediator and something is drawn: their
            plans cannot react to it, and the best one is not found from the end backwards.

    Where nothing is drawn, whoever plans for steps knows the whole past that the plan leads to, so
    that plans for steps get as much from the start as plans for histories do.
    """
    nodes = profile_nodes(game, profile)
    if profile.agents is not profile.mediator and not game.is_deterministic:
        raise UnsupportedGame(
            needs="agents that remember as much as the mediator, or a game in which nothing is "
            "drawn",
            found=f"{game!r} draws states",
        )

    def choose(step: int, values: Integers) -> tuple[Indices, Indices]:
        leaders = nodes.leaders(step)
        every = np.arange(len(leaders))
        own = values[every, leaders, :, agent]
        is_legal = nodes.histories.layers[step].row[every, leaders] >= 0
        lowest = own.min() - 1 if own.size else 0
        best = np.where(is_legal, own, lowest).argmax(axis=1)
        planned = nodes.actions(step)[every, leaders]
        return leaders, np.where(leaders == agent, best, planned)

    found = action_values(nodes, transfers_of(nodes, incentives), choose)
    if not found:
        return ZERO
    leaders, actions = choose(0, found[0].values)
    own = found[0].values[np.arange(len(leaders)), leaders, actions, agent].tolist()
    weights = zip(game.initial_kernel.weight.tolist(), nodes.histories.start, strict=True)
    parts = (weight * own[node] for weight, node in weights if node >= 0)
    return sum(parts, ZERO) / found[0].unit
