"""Networks that stand still: while nobody learns, those without memory are tables."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from learners.deep.decisions import Decision, drawable
from learners.deep.encoding import Inputs
from learners.deep.networks import Network
from learners.deep.roles import Lanes, draw_actions


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
