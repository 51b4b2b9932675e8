"""What was learned on the grid, as policies of its explicit rules.

A policy sees states; what everybody was paid before is read off how they followed each other.

What moves among the agents of the grid after the last collection.

The rule is the core's: the grid asks for the transfers of one round of resource collection, begun
with the returns so far.
"""

from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import numbered_players
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.games.rules import InformationState
from gametheory_core.mediation.catalog import (
    COLLECT,
    KINDS,
    NOBODY,
    WAIT,
    GridState,
    ResourceGridRules,
    preferred_color,
    resource_rewards,
)
from gametheory_core.mediation.fairness import end_transfers
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.rules import mediated_game
from gametheory_core.mediation.values import MediatorIncentives
from gametheory_core.strategies.policies import Policy, PolicyProfile, policy_from
from learners.batch import Snapshot
from learners.mediation.led_batch import Deciding, LedTurn


class OneEpisode(Protocol):
    """A grid of one episode that can be put anywhere and looked at."""

    def restore(self, snapshot: Snapshot) -> None:
        """Go to a position."""
        ...

    def look(self) -> LedTurn:
        """Return the present moment."""
        ...


def grid_policies(
    rules: ResourceGridRules, episode: OneEpisode, deciding: Deciding
) -> PolicyProfile:
    """Return what somebody does as policies of the rules, the mediator's last.

    Args:
        episode: To show features; moved about.
    """

    def seen_at(information_state: InformationState) -> LedTurn:
        episode.restore(_position(rules, information_state))
        return episode.look()

    def acting(agent: int) -> Policy:
        def act(information_state: InformationState) -> Distribution[Any]:
            state: GridState = information_state[-1]
            labels = rules.legal_actions(agent, state)
            if labels == (WAIT,):
                return point_mass(WAIT)
            turn = seen_at(information_state)
            legal = turn.legal[:, agent]
            leads = state.leader == agent
            chosen = deciding.act(agent, turn.agents[:, agent], legal, leads=leads)
            return point_mass(labels[int(chosen[0])])

        return policy_from(act)

    def pick(information_state: InformationState) -> Distribution[Any]:
        labels = rules.legal_actions(rules.num_agents, information_state[-1])
        if labels == (WAIT,):
            return point_mass(WAIT)
        turn = seen_at(information_state)
        return point_mass(labels[int(deciding.pick(turn.mediator, turn.past)[0])])

    return (*(acting(agent) for agent in range(rules.num_agents)), policy_from(pick))


def returns_so_far(
    rules: ResourceGridRules, information_state: InformationState
) -> tuple[int, ...]:
    """Return what agents have been paid, as the states that were seen tell.

    Args:
        information_state: States that were seen and own actions, in turn.
    """
    total = [0] * rules.num_agents
    states: tuple[GridState, ...] = information_state[::2]
    for before, after in pairwise(states):
        if after.collected > before.collected:
            actions = tuple(
                COLLECT if agent == before.leader else WAIT for agent in range(rules.num_agents)
            )
            paid = rules.reward(before, (*actions, WAIT), after)
            total = [own + int(more) for own, more in zip(total, paid[:-1], strict=True)]
    return tuple(total)


def _position(rules: ResourceGridRules, information_state: InformationState) -> dict[str, Any]:
    """Return a state, and the returns before it, as a snapshot of one episode."""
    state: GridState = information_state[-1]
    spots = dict(zip(state.kinds, state.resources, strict=True))
    cells = [spots.get(kind) for kind in KINDS]
    return {
        "cells": np.array([[row * rules.size + column for row, column in state.cells]]),
        "headings": np.array([[heading for _, heading in state.agents]]),
        "resources": np.array([[-1 if c is None else c[0] * rules.size + c[1] for c in cells]]),
        "leader": np.array([-1 if state.leader == NOBODY else state.leader]),
        "steps": np.array([state.steps]),
        "collected": np.array([state.collected]),
        "returns": np.array([returns_so_far(rules, information_state)], dtype=np.float64),
        "is_over": np.array([rules.is_terminal(state)]),
    }


def grid_transfers(
    incentives: MediatorIncentives,
    returns: NDArray[np.float64],
    leader: int,
    kind: int,
    present: NDArray[np.bool_],
) -> tuple[float, ...]:
    """Return what each agent receives after a leader has collected the last resource.

    Args:
        incentives: Measure of fairness and end rule.
        returns (N,): What everybody had before; whole numbers.
        leader, kind: Who collected what: 0 red, 1 blue, 2 green.
        present (3,): Which kinds there were.

    >>> from gametheory_core.mediation import MediatorIncentives
    >>> nothing, both = np.zeros(2), np.ones(3, dtype=bool)
    >>> grid_transfers(MediatorIncentives(), nothing, 0, 0, both)
    (-4.0, 4.0)
    >>> grid_transfers(MediatorIncentives(), np.array([1.0, 5.0]), 0, 0, both)
    (0.0, 0.0)
    """
    past = tuple(map(int, returns.tolist()))
    return _transfers(incentives, past, leader, KINDS[kind], tuple(present.tolist()))


@cache
def _transfers(
    incentives: MediatorIncentives,
    returns: tuple[int, ...],
    leader: int,
    kind: str,
    present: tuple[bool, ...],
) -> tuple[float, ...]:
    game = _one_round(len(returns), present)
    moved = end_transfers(
        game,
        fairness=incentives.fairness,
        rule=incentives.end_rule,
        step=0,
        state=0,
        returns=tuple(map(Fraction, returns)),
        leader=leader,
    )
    return tuple(map(float, moved[game.actions[leader].index(kind)]))


@cache
def _one_round(players: int, present: tuple[bool, ...]) -> MediatedGame:
    """Return one collection of what there is, as a mediated game."""
    kinds = [kind for kind, is_there in zip(KINDS, present, strict=True) if is_there]
    return mediated_game(
        players=numbered_players(players),
        horizon=1,
        initial={"round": 1},
        actions=[
            [kind for kind in kinds if kind in (preferred_color(player), "green")]
            for player in range(players)
        ],
        play=lambda _, __, kind: (resource_rewards(kind, players=players), {"round": 1}),
    )
