"""From networks to exact policies: what was learned, as the core judges it."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from gametheory_core.distributions import Distribution
from gametheory_core.games.information_states import InformationState
from gametheory_core.strategies.policies import Policy, PolicyProfile, policy_from
from learners.batch import BatchedEnvironment
from learners.deep.encoding import NO_ACTION, encode
from learners.deep.legality import LegalActions
from learners.deep.networks import Network, log_probabilities
from learners.deep.roles import Behavior, Role
from learners.policies import lottery_of, observed_policy

# A network's outputs (A,) and the legal actions (A,) -> probabilities (A,).
Choice: TypeAlias = Callable[[torch.Tensor, torch.Tensor], NDArray[np.float64]]


def softmax_choice(outputs: torch.Tensor, legal: torch.Tensor) -> NDArray[np.float64]:
    """Play as a policy network says; a ``Choice``."""
    return log_probabilities(outputs.double(), legal).exp().cpu().numpy()


def learned_policies(
    environment: BatchedEnvironment,
    networks: Mapping[Role, Network],
    others: Mapping[int, Behavior],
    legality: LegalActions,
    *,
    choice: Choice = softmax_choice,
) -> PolicyProfile:
    """Return a policy for each player, exact: of those who learn, and of the others.

    Args:
        networks: Role -> its policy network; copied.
        others: How each player plays who does not learn.
        legality: What was legal where; copied.
        choice: What a network's outputs mean.
    """
    known = legality.copy()
    policies: dict[int, Policy] = {}
    for role, network in networks.items():
        kept = network.copy()
        for player in role.players:
            policies[player] = _network_policy(environment, role, player, kept, known, choice)
    for player, behavior in others.items():
        policies[player] = _behavior_policy(environment, player, behavior, known)
    return tuple(policies[player] for player in range(len(environment.players)))


def _network_policy(
    environment: BatchedEnvironment,
    role: Role,
    player: int,
    network: Network,
    legality: LegalActions,
    choice: Choice,
) -> Policy:
    labels = environment.action_labels[player]
    numbers = {label: number for number, label in enumerate(labels)}
    mark = role.players.index(player)

    @torch.no_grad()
    def act(information_state: InformationState) -> Distribution[Any]:
        seen = environment.observe(player, information_state)
        done = [NO_ACTION, *(numbers[action] for action in information_state[1::2])]
        if not network.memory_width:
            done = done[-1:]
        past = seen[-len(done) :]
        inputs = encode(
            role.encoding,
            past[:, None],
            np.full((len(done), 1), mark),
            np.array(done)[:, None],
            device=network.device,
        )
        outputs = network(inputs, network.blank_memory(1)).outputs[-1, 0]
        legal = torch.from_numpy(legality.after(player, seen[-1]).copy()).to(network.device)
        return lottery_of(labels, choice(outputs[: len(labels)], legal))

    return policy_from(act)


def _behavior_policy(
    environment: BatchedEnvironment, player: int, behavior: Behavior, legality: LegalActions
) -> Policy:
    def shares(seen: NDArray[Any]) -> NDArray[np.float64]:
        return behavior(seen[-1:], legality.after(player, seen[-1])[None])[0]

    return observed_policy(environment, player, shares)
