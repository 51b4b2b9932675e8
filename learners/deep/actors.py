"""Actors: the networks of a agent, and what they remember of the episodes being played.

Decisions: what a agent did at one moment of play.

Networks that stand still: while nobody learns, those without memory are tables.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from learners.deep.agents import Agent, Lanes, draw_actions, marks_of
from learners.deep.encoding import NO_ACTION, Inputs, encode
from learners.deep.networks import Network, log_probabilities
from learners.deep.optimization import array_of, module_state, restore_module


@dataclass(frozen=True, eq=False)
class Decision:
    """What an actor did at one moment, in ``R`` lanes; of meaning where the lane acts.

    Attributes:
        actions (R,)
        log_shares (R,): Log probability of the action.
        values (R,): What the value network expects; zero without one.
        previous (R,): Own action before, as shown to the networks.
    """

    actions: NDArray[np.int64]
    log_shares: NDArray[np.floating[Any]]
    values: NDArray[np.float32]
    previous: NDArray[np.int64]


def drawable(shares: NDArray[np.float64], legal: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the shares; even ones of a broken network, so that its loss can say what broke."""
    if np.isfinite(shares).all():
        return shares
    return np.asarray(legal / legal.sum(axis=-1, keepdims=True), dtype=np.float64)


class StillNetworks:
    """Networks without memory, read at every numbered moment, as long as they stand still."""

    @torch.no_grad()
    def __init__(self, policy: Network, value: Network | None) -> None:
        self._encoding = policy.encoding
        moments = Inputs(
            rows=policy.encoding.every_moment(device=policy.device)[None],
            features=torch.empty(1, policy.encoding.num_moments, 0, device=policy.device),
        )
        memory = policy.blank_memory(policy.encoding.num_moments)
        self._outputs = policy(moments, memory).outputs[0].double().cpu().numpy()
        values = None if value is None else value(moments, memory).outputs[0, :, 0].cpu().numpy()
        self._values = np.zeros(len(self._outputs), np.float32) if values is None else values

    def decide(
        self,
        lanes: Lanes,
        marks: NDArray[np.int64],
        previous: NDArray[np.int64],
        rng: np.random.Generator,
    ) -> Decision:
        """Draw an action in each lane."""
        which = self._encoding.moment_numbers(lanes.observations, marks, previous)
        weights = np.where(lanes.legal, self._outputs[which], -np.inf)
        weights = np.exp(weights - weights.max(axis=-1, keepdims=True))
        shares = weights / weights.sum(axis=-1, keepdims=True)
        actions = draw_actions(drawable(shares, lanes.legal), rng)
        return Decision(
            actions=actions,
            log_shares=np.log(shares[np.arange(len(actions)), actions]),
            values=self._values[which],
            previous=previous,
        )

    def expect(
        self, observations: NDArray[Any], marks: NDArray[np.int64], previous: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Return what the value network expects."""
        return self._values[self._encoding.moment_numbers(observations, marks, previous)]


_FEW_A_LANE = 4  # moments read beforehand for each lane


class Actor:
    """The networks of a agent at play in many lanes.

    Args:
        policy: One output an action.
        value: One output.
        episodes: Played at once.

    Attributes:
        previous (R,): Last own action of the episode.
        policy_memory, value_memory (float tensor (R, M))
    """

    def __init__(
        self, agent: Agent, *, policy: Network, value: Network | None, episodes: int
    ) -> None:
        self.agent = agent
        self.policy = policy
        self.value = value
        self.marks = marks_of(agent, episodes * len(agent.players))
        self._still: StillNetworks | None = None
        self.begin()

    def begin(self) -> None:
        """Forget everything, as at the beginning of episodes."""
        lanes = len(self.marks)
        self.previous = np.full(lanes, NO_ACTION, dtype=np.int64)
        self.policy_memory = self.policy.blank_memory(lanes)
        self.value_memory = (self.value or self.policy).blank_memory(lanes)

    def stand_still(self) -> None:
        """Read all moments beforehand if they are few; true until ``move_on``."""
        encoding = self.agent.encoding
        few = encoding.num_moments <= _FEW_A_LANE * len(self.marks)
        if few and not encoding.num_features and not self.policy.memory_width:
            self._still = StillNetworks(self.policy, self.value)

    def move_on(self) -> None:
        """Read moments as they come; the networks may change."""
        self._still = None

    @property
    def networks(self) -> dict[str, Network]:
        """The networks by name, "policy" and perhaps "value"."""
        networks = {"policy": self.policy}
        if self.value is not None:
            networks["value"] = self.value
        return networks

    @torch.no_grad()
    def decide(self, lanes: Lanes, rng: np.random.Generator) -> Decision:
        """Draw an action in each lane, and remember the moment where the lane acts."""
        previous = self.previous
        if self._still is not None:
            decision = self._still.decide(lanes, self.marks, previous, rng)
            self.previous = np.where(lanes.acts, decision.actions, previous)
            return decision
        inputs = self._inputs(lanes.observations)
        acts = torch.from_numpy(lanes.acts).to(self.policy.device)[:, None]
        legal = torch.from_numpy(lanes.legal).to(self.policy.device)
        reading = self.policy(inputs, self.policy_memory)
        log_shares = log_probabilities(reading.outputs[0], legal)
        shares = log_shares.exp().cpu().numpy().astype(np.float64)
        actions = draw_actions(drawable(shares, lanes.legal), rng)
        chosen = log_shares.cpu().numpy()[np.arange(len(actions)), actions]
        values = np.zeros(len(actions), dtype=np.float32)
        if self.policy.memory_width:
            self.policy_memory = torch.where(acts, reading.memory, self.policy_memory)
        if self.value is not None:
            expected = self.value(inputs, self.value_memory)
            values = expected.outputs[0, :, 0].cpu().numpy()
            if self.value.memory_width:
                self.value_memory = torch.where(acts, expected.memory, self.value_memory)
        self.previous = np.where(lanes.acts, actions, previous)
        return Decision(actions=actions, log_shares=chosen, values=values, previous=previous)

    @torch.no_grad()
    def expect(self, observations: NDArray[Any]) -> NDArray[np.float32]:
        """Return what the value network expects after more observations, (R,); nothing changes."""
        if self.value is None:
            return np.zeros(len(self.marks), dtype=np.float32)
        if self._still is not None:
            return self._still.expect(observations, self.marks, self.previous)
        reading = self.value(self._inputs(observations), self.value_memory)
        return reading.outputs[0, :, 0].cpu().numpy()

    def forget(self, is_over: NDArray[np.bool_]) -> None:
        """Begin anew in the lanes whose episode is over."""
        if is_over.any():
            self.previous = np.where(is_over, NO_ACTION, self.previous)
            kept = torch.from_numpy(~is_over).to(self.policy.device)[:, None]
            self.policy_memory = torch.where(kept, self.policy_memory, 0.0)
            self.value_memory = torch.where(kept, self.value_memory, 0.0)

    def _inputs(self, observations: NDArray[Any]) -> Inputs:
        return encode(
            self.agent.encoding,
            observations[None],
            self.marks[None],
            self.previous[None],
            device=self.policy.device,
        )

    def snapshot(self) -> dict[str, Any]:
        """Return networks and memories as plain data."""
        return {
            "networks": {name: module_state(each.parts) for name, each in self.networks.items()},
            "previous": self.previous.copy(),
            "policy_memory": array_of(self.policy_memory),
            "value_memory": array_of(self.value_memory),
        }

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Go back to a snapshot."""
        for name, network in self.networks.items():
            restore_module(network.parts, snapshot["networks"][name])
        self.previous = np.array(snapshot["previous"], dtype=np.int64)
        device = self.policy.device
        self.policy_memory = torch.from_numpy(np.array(snapshot["policy_memory"])).to(device)
        self.value_memory = torch.from_numpy(np.array(snapshot["value_memory"])).to(device)
