"""RolloutBuffer: what a agent met, as tensors that its networks learn from.

Sequences: own decisions in the order in which a network with a memory has to read them.
"""

from dataclasses import dataclass, fields

import numpy as np
import torch
from numpy.typing import NDArray

from learners.deep.actor_group import Experience
from learners.deep.actors import Actor
from learners.deep.encoding import Inputs, encode


@dataclass(frozen=True, eq=False)
class Sequences:
    """``S`` sequences of at most ``L`` decisions each, shorter ones padded at the end.

    Attributes:
        step, lane (L, S): Where each decision was made; zeros in the padding.
        is_real (L, S): False in the padding.
        continues (S,): Whether the sequence goes on with an episode from before the first step.
    """

    step: NDArray[np.int64]
    lane: NDArray[np.int64]
    is_real: NDArray[np.bool_]
    continues: NDArray[np.bool_]


def single_decisions(counts: NDArray[np.bool_]) -> Sequences:
    """Return each decision that counts, (T, R), as a sequence by itself."""
    step, lane = np.nonzero(counts)
    return Sequences(
        step=step[None],
        lane=lane[None],
        is_real=np.ones((1, len(step)), dtype=np.bool_),
        continues=np.zeros(len(step), dtype=np.bool_),
    )


def episode_sequences(counts: NDArray[np.bool_], is_over: NDArray[np.bool_]) -> Sequences:
    """Return the decisions that count as one sequence for each lane and episode.

    Args:
        counts (T, R): Decisions; those of a lane that count come before those that do not.
        is_over (T, R): Whether each step ended the episode.
    """
    lane, step = np.nonzero(counts.T)
    episode = (np.cumsum(is_over, axis=0) - is_over)[step, lane]
    starts = np.ones(len(lane), dtype=np.bool_)
    starts[1:] = (np.diff(lane) != 0) | (np.diff(episode) != 0)
    sequence = np.cumsum(starts) - 1
    first = np.flatnonzero(starts)
    position = np.arange(len(lane)) - first[sequence]
    shape = (int(position.max(initial=-1)) + 1, len(first))
    padded = [np.zeros(shape, dtype=np.int64) for _ in range(2)]
    is_real = np.zeros(shape, dtype=np.bool_)
    padded[0][position, sequence] = step
    padded[1][position, sequence] = lane
    is_real[position, sequence] = True
    return Sequences(step=padded[0], lane=padded[1], is_real=is_real, continues=episode[first] == 0)


@dataclass(frozen=True, eq=False)
class RolloutBuffer:
    """Own decisions in ``S`` sequences of at most ``L``; without a memory ``L`` is 1.

    Attributes:
        rows, features: What the networks read.
        log_shares, values: As they were when the decision was made.
        weights: How much each decision counts.
        is_real: False in the padding.
        policy_memory, value_memory: Before each sequence.
    """

    rows: torch.Tensor
    features: torch.Tensor
    legal: torch.Tensor
    actions: torch.Tensor
    log_shares: torch.Tensor
    values: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor
    weights: torch.Tensor
    is_real: torch.Tensor
    policy_memory: torch.Tensor
    value_memory: torch.Tensor

    @property
    def inputs(self) -> Inputs:
        """What the networks read."""
        return Inputs(rows=self.rows, features=self.features)

    @property
    def num_sequences(self) -> int:
        """Sequences, which minibatches are made of."""
        return self.actions.shape[1]

    def of(self, sequences: torch.Tensor) -> "RolloutBuffer":
        """Return some of the sequences."""
        chosen: dict[str, torch.Tensor] = {}
        for field in fields(self):
            whole: torch.Tensor = getattr(self, field.name)
            is_memory = field.name.endswith("memory")
            chosen[field.name] = whole[sequences] if is_memory else whole[:, sequences]
        return RolloutBuffer(**chosen)


def rollout_buffer(
    actor: Actor,
    met: Experience,
    *,
    advantages: NDArray[np.float64],
    counts: NDArray[np.bool_],
    weights: NDArray[np.float64] | None = None,
) -> RolloutBuffer:
    """Return what an actor met as buffer.

    Args:
        met: Of ``T`` steps in ``R`` lanes.
        advantages (T, R): What decisions are credited with; returns are these plus the values
            expected.
        counts (T, R): Decisions to learn from; in each lane they come before the others.
        weights (T, R): How much each counts; 1 by default.
    """
    device = actor.policy.device
    way = (
        episode_sequences(counts, met.is_over)
        if actor.policy.memory_width
        else single_decisions(counts)
    )
    at = (way.step, way.lane)
    inputs = encode(
        actor.agent.encoding,
        met.observations[at],
        actor.marks[way.lane],
        met.previous[at],
        device=device,
    )

    def numbers(values: NDArray[np.float64]) -> torch.Tensor:
        return torch.from_numpy(values[at].astype(np.float32)).to(device)

    return RolloutBuffer(
        rows=inputs.rows,
        features=inputs.features,
        legal=torch.from_numpy(met.legal[at]).to(device),
        actions=torch.from_numpy(met.actions[at]).to(device),
        log_shares=numbers(met.log_shares),
        values=numbers(met.values[:-1]),
        advantages=numbers(advantages),
        returns=numbers(advantages + met.values[:-1]),
        weights=numbers(np.ones(advantages.shape) if weights is None else weights),
        is_real=torch.from_numpy(way.is_real).to(device),
        policy_memory=_before(met.policy_memory, way),
        value_memory=_before(met.value_memory, way),
    )


def _before(memory: torch.Tensor, way: Sequences) -> torch.Tensor:
    """Return what was remembered before each sequence: nothing where an episode begins."""
    lane = torch.from_numpy(way.lane[0]).to(memory.device)
    continues = torch.from_numpy(way.continues).to(memory.device)
    return torch.where(continues[:, None], memory[lane], 0.0)


def mean_over(values: torch.Tensor, is_real: torch.Tensor) -> torch.Tensor:
    """Return the mean over what is no padding."""
    return torch.where(is_real, values, 0.0).sum() / is_real.sum()
