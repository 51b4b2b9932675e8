"""From networks to exact policies: what was learned, as the core judges it.

Which actions were legal where: kept while playing, asked when what was learned is written out.

Legal actions depend on the own last observation alone, so what was seen once holds for good.
"""

import copy
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from gametheory_core.distributions import Distribution
from gametheory_core.games.rules import InformationState
from gametheory_core.strategies.policies import Policy, PolicyProfile, policy_from
from learners.batch import BatchedEnvironment, BatchTurn
from learners.deep.agents import Agent, Behavior
from learners.deep.encoding import NO_ACTION, encode
from learners.deep.networks import Network, log_probabilities
from learners.policies import mixed_action, observed_policy


class LegalActions:
    """Legal actions of each player after each observation met so far; all where none was met."""

    def __init__(self, environment: BatchedEnvironment) -> None:
        self._counts = environment.num_actions
        # Games that were tabulated know it beforehand.
        known = environment.legal
        self._is_known = bool(known)
        sizes = zip(environment.num_observations, environment.num_actions, strict=True)
        self._tables = [
            np.array(known[player]) if known and numbers else np.ones((numbers, actions), np.bool_)
            for player, (numbers, actions) in enumerate(sizes)
        ]
        # Features have no numbers: what restricts actions is kept by its bytes.
        self._widths = environment.num_features
        self._restricted: list[dict[bytes, NDArray[np.bool_]]] = [{} for _ in self._counts]

    def copy(self) -> "LegalActions":
        """Return what is known now, for good."""
        twin = copy.copy(self)
        twin.restore(self.snapshot())
        return twin

    def note(self, turn: BatchTurn) -> None:
        """Keep what a moment shows."""
        if self._is_known:
            return
        for player, count in enumerate(self._counts):
            acts = turn.acts[:, player]
            legal = turn.legal[acts, player, :count]
            seen = turn.observations[acts, player]
            if not self._widths[player]:
                self._tables[player][seen] = legal
                continue
            for row in np.flatnonzero(~legal.all(axis=-1)):
                self._restricted[player][self._key(player, seen[row])] = legal[row].copy()

    def after(self, player: int, observation: Any) -> NDArray[np.bool_]:
        """Return what a player may do after an observation, as ``environment.observe`` shows it."""
        if not self._widths[player]:
            return self._tables[player][int(observation)]
        key = self._key(player, np.asarray(observation))
        return self._restricted[player].get(key, np.ones(self._counts[player], dtype=np.bool_))

    def _key(self, player: int, features: NDArray[Any]) -> bytes:
        return np.ascontiguousarray(features[: self._widths[player]], dtype=np.float64).tobytes()

    def snapshot(self) -> dict[str, Any]:
        """Return all that was kept."""
        return {
            "tables": [table.copy() for table in self._tables],
            "restricted": [
                {
                    "features": np.array([np.frombuffer(key) for key in own]),
                    "legal": np.array(list(own.values())),
                }
                for own in self._restricted
            ],
        }

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Know again what a snapshot knew."""
        self._tables = [np.array(table, dtype=np.bool_) for table in snapshot["tables"]]
        self._restricted = [
            {
                np.asarray(key, dtype=np.float64).tobytes(): np.array(legal, dtype=np.bool_)
                for key, legal in zip(own["features"], own["legal"], strict=True)
            }
            for own in snapshot["restricted"]
        ]


# A network's outputs (A,) and the legal actions (A,) -> probabilities (A,).
Choice: TypeAlias = Callable[[torch.Tensor, torch.Tensor], NDArray[np.float64]]


def softmax_choice(outputs: torch.Tensor, legal: torch.Tensor) -> NDArray[np.float64]:
    """Play as a policy network says; a ``Choice``."""
    return log_probabilities(outputs.double(), legal).exp().cpu().numpy()


def learned_policies(
    environment: BatchedEnvironment,
    networks: Mapping[Agent, Network],
    others: Mapping[int, Behavior],
    legality: LegalActions,
    *,
    choice: Choice = softmax_choice,
) -> PolicyProfile:
    """Return a policy for each player, exact: of those who learn, and of the others.

    Args:
        networks: Agent -> its policy network; copied.
        others: How each player plays who does not learn.
        legality: What was legal where; copied.
        choice: What a network's outputs mean.
    """
    known = legality.copy()
    policies: dict[int, Policy] = {}
    for agent, network in networks.items():
        kept = network.copy()
        for player in agent.players:
            policies[player] = _network_policy(environment, agent, player, kept, known, choice)
    for player, behavior in others.items():
        policies[player] = _behavior_policy(environment, player, behavior, known)
    return tuple(policies[player] for player in range(len(environment.players)))


def _network_policy(
    environment: BatchedEnvironment,
    agent: Agent,
    player: int,
    network: Network,
    legality: LegalActions,
    choice: Choice,
) -> Policy:
    labels = environment.action_labels[player]
    numbers = {label: number for number, label in enumerate(labels)}
    mark = agent.players.index(player)

    @torch.no_grad()
    def act(information_state: InformationState) -> Distribution[Any]:
        seen = environment.observe(player, information_state)
        done = [NO_ACTION, *(numbers[action] for action in information_state[1::2])]
        if not network.memory_width:
            done = done[-1:]
        past = seen[-len(done) :]
        inputs = encode(
            agent.encoding,
            past[:, None],
            np.full((len(done), 1), mark),
            np.array(done)[:, None],
            device=network.device,
        )
        outputs = network(inputs, network.blank_memory(1)).outputs[-1, 0]
        legal = torch.from_numpy(legality.after(player, seen[-1]).copy()).to(network.device)
        return mixed_action(labels, choice(outputs[: len(labels)], legal))

    return policy_from(act)


def _behavior_policy(
    environment: BatchedEnvironment, player: int, behavior: Behavior, legality: LegalActions
) -> Policy:
    def shares(seen: NDArray[Any]) -> NDArray[np.float64]:
        return behavior(seen[-1:], legality.after(player, seen[-1])[None])[0]

    return observed_policy(environment, player, shares)
