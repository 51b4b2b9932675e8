"""Networks that learn no more: a table where that says it all, else the network itself."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from learners.deep.actors import LegalActions
from learners.deep.agents import Agent, Inputs, encode
from learners.deep.losses import Numbers
from learners.deep.networks import CPU, Network

# Outputs (R, A) and legal actions (R, A) -> probabilities (R, A).
Choices: TypeAlias = Callable[[Numbers, NDArray[np.bool_]], NDArray[np.float64]]


class FrozenNetwork:
    """The network of a player, the agent's first, as it was, asked about many moments at once.

    Attributes:
        memory_width: Numbers remembered for each lane.
    """

    def __init__(self, agent: Agent, network: Network, choices: Choices) -> None:
        self._agent = agent
        self._network = network
        self._choices = choices
        self.memory_width = network.memory_width

    def shares(
        self,
        observations: NDArray[Any],
        previous: NDArray[np.int64],
        legal: NDArray[np.bool_],
        memory: NDArray[np.float32],
    ) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
        """Return mixed actions (R, A), and what is remembered after them."""
        marks = np.zeros(len(previous), dtype=np.int64)
        inputs = encode(self._agent.encoding, observations[None], marks[None], previous[None])
        reading = self._network(inputs, torch.from_numpy(memory))
        return self._choices(reading.outputs[0], legal), reading.memory.numpy()

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """Return all parameters."""
        return self._network.snapshot()

    def revived(self, snapshot: Mapping[str, Any]) -> "FrozenNetwork":
        """Return the policy of a snapshot of such a network."""
        network = self._network.copy()
        network.restore(snapshot)
        return FrozenNetwork(self._agent, network, self._choices)


def frozen_network(
    agent: Agent, network: Network, legality: LegalActions, choices: Choices
) -> NDArray[np.float64] | FrozenNetwork:
    """Return what an agent's first player would do now: a table (O, A) if that is possible."""
    encoding = agent.encoding
    if network.memory_width or encoding.num_features or encoding.num_marks:
        return FrozenNetwork(agent, network.copy(device=CPU), choices)
    rows = encoding.every_moment()[None]
    inputs = Inputs(rows=rows, features=np.empty((1, rows.shape[1], 0), np.float32))
    outputs = network(inputs, network.blank_memory(rows.shape[1])).outputs[0]
    legal = np.array(
        [legality.after(agent.players[0], n) for n in range(encoding.num_observations)]
    )
    return choices(outputs, legal)
