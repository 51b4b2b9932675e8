"""REINFORCE learns from whole episodes; the actor-critic takes one step on each short rollout.

REINFORCE climbs the policy gradient, with or without a baseline. Rollouts of the actor-critic may
be of an older policy, which V-trace corrects for.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from learners.advantages import known_decisions, returns_to_go, v_trace
from learners.batch import AtHorizon, BatchedEnvironment
from learners.deep.actors import Actor
from learners.deep.agents import Behavior, Sharing
from learners.deep.networks import NetworkShape, entropy, log_probabilities
from learners.deep.optimization import Device, gradient_step
from learners.deep.policy_learning import PolicyLearner, require_decisions
from learners.deep.rollouts import (
    Experience,
    RolloutBuffer,
    Sequences,
    decision_order,
    first_episodes,
    mean_over,
    rollout_buffer,
)
from learners.options import Count, CountFromZero, NotNegative, Positive, Share, checked
from learners.schedules import Schedule


@checked
class Reinforce(PolicyLearner):
    """REINFORCE: one step along the policy gradient for each batch of whole episodes.

    Each iteration plays one episode in each place of the batch. Every own decision is credited
    with what was paid after it, less what the baseline expected there. Without a baseline's help
    the gradient is that of the expected discounted return itself, only noisier.

    Args:
        learns, sharing, others, network, step_size, discount, value_weight, entropy_weight,
        max_gradient_norm, device, rng: As for ``PPO``.
        has_baseline: Whether a second network, of the same shape, learns what to expect.
        max_steps: Episodes that do not end within so many steps count as if they had.

    Metrics: "return/<player>", "length", "loss/policy", "entropy", "gradient norm", "loss/value"
    with a baseline, "step size", and "environment steps" so far. With several agents, the names end
    in "/<agent>".

    Source: :cite:`williams1992simple`.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from learners.batches import batched
    >>> game = RepeatedGame.of("prisoners_dilemma", rounds=2)
    >>> learner = Reinforce(batched(game, episodes=8, seed=1), rng=np.random.default_rng(1))
    >>> learner.improve()["length"]
    2.0
    """

    name = "REINFORCE"

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        learns: Iterable[int] | None = None,
        sharing: Sharing = Sharing.SEPARATE,
        others: Mapping[int, Behavior] | None = None,
        network: NetworkShape | None = None,
        step_size: float | Schedule = 1e-3,
        discount: float | None = None,
        has_baseline: bool = True,
        value_weight: NotNegative = 0.5,
        entropy_weight: NotNegative = 0.0,
        max_gradient_norm: Positive | None = None,
        max_steps: Count = 10_000,
        device: Device = Device.CPU,
        rng: np.random.Generator,
    ) -> None:
        self._weights = {"loss/value": value_weight, "entropy": -entropy_weight}
        self._max_gradient_norm = max_gradient_norm
        self._max_steps = max_steps
        super().__init__(
            environment,
            learns=learns,
            sharing=sharing,
            others=others,
            network=network or NetworkShape(),
            has_values=has_baseline,
            step_size=step_size,
            discount=discount,
            at_horizon=AtHorizon.ENDS,
            device=device,
            rng=rng,
        )

    def improve(self) -> Mapping[str, float]:
        """Play an episode in each place of the batch, and make one step."""
        group = self.group
        group.begin()
        return self.learn(group.play_out(max_steps=self._max_steps))

    def _learn(
        self, actor: Actor, optimizer: torch.optim.Optimizer, met: Experience
    ) -> dict[str, float]:
        discount = self.discount
        counts = met.acts[:-1] & first_episodes(met.is_over)
        if not counts.any():
            return {}
        paid = returns_to_go(met.rewards, is_over=met.is_over, discount=discount)
        ages = np.arange(len(paid), dtype=np.float64)[:, None]
        weights = np.asarray(discount**ages * np.ones(paid.shape), dtype=np.float64)
        buffer = rollout_buffer(
            actor, met, advantages=paid - met.values[:-1], weights=weights, counts=counts
        )
        episodes = self.group.environment.num_episodes
        losses = policy_gradient_losses(actor, buffer, episodes=episodes)
        return gradient_step(
            optimizer,
            actor.networks,
            losses,
            weights=self._weights,
            max_gradient_norm=self._max_gradient_norm,
        )


def policy_gradient_losses(
    actor: Actor, buffer: RolloutBuffer, *, episodes: int
) -> dict[str, torch.Tensor]:
    """Return "loss/policy", "entropy", and "loss/value" if there is a baseline.

    The gradient of "loss/policy" is that of minus the expected return, summed over the agent's
    players: ``-sum discount^t A log share / episodes``.
    """
    reading = actor.policy(buffer.inputs, buffer.policy_memory)
    log_shares = log_probabilities(reading.outputs, buffer.legal)
    chosen = log_shares.gather(-1, buffer.actions[..., None])[..., 0]
    credited = buffer.weights * buffer.advantages * chosen
    losses = {
        "loss/policy": -torch.where(buffer.is_real, credited, 0.0).sum() / episodes,
        "entropy": mean_over(entropy(log_shares), buffer.is_real),
    }
    if actor.value is not None:
        value = actor.value(buffer.inputs, buffer.value_memory).outputs[..., 0]
        losses["loss/value"] = mean_over(0.5 * (value - buffer.returns).square(), buffer.is_real)
    return losses


@checked
class ActorCritic(PolicyLearner):
    """Advantage actor-critic with V-trace: one step on each rollout, with and without memory.

    Each iteration plays ``steps`` steps of all episodes by the policy as it was ``lag`` updates
    ago, and makes one step: the policy uphill on V-trace's advantages, the values toward V-trace's
    targets. Without a lag this is A2C: the policies agree, and targets are the returns of the rest
    of the rollout and the value at its end. With a lag it is what IMPALA's learner does, its actors
    being that much behind.

    Args:
        learns, sharing, others, network, steps, step_size, discount, value_weight, entropy_weight,
        max_gradient_norm, at_horizon, device, rng: As for ``PPO``.
        lag: Updates by which the policy that plays is behind.
        trace: Factor on V-trace's traces, from 0 to 1.
        largest_ratio, largest_trace: Where ratios of probabilities are cut: "rho" and "c".

    Metrics: "return/<player>" and "length" of the episodes finished in the rollout, "loss/policy",
    "loss/value" (half the mean squared error), "entropy", "ratio" (mean of the probabilities' ratio
    before it is cut; 1 without a lag), "gradient norm", "step size", and "environment steps" so
    far. With several agents, the names end in "/<agent>".

    Sources:
        :cite:`mnih2016asynchronous`.
        :cite:`espeholt2018impala`.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from learners import batched
    >>> batch = batched(RepeatedGame.of("prisoners_dilemma", rounds=1), episodes=4, seed=1)
    >>> learner = ActorCritic(batch, steps=2, rng=np.random.default_rng(1))
    >>> learner.improve()["environment steps"]
    8.0
    """

    KEPT = (*PolicyLearner.KEPT, "_older")

    name = "ActorCritic"

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        learns: Iterable[int] | None = None,
        sharing: Sharing = Sharing.SEPARATE,
        others: Mapping[int, Behavior] | None = None,
        network: NetworkShape | None = None,
        steps: Count = 8,
        lag: CountFromZero = 0,
        step_size: float | Schedule = 1e-3,
        discount: float | None = None,
        trace: Share = 1.0,
        largest_ratio: Positive = 1.0,
        largest_trace: NotNegative = 1.0,
        value_weight: NotNegative = 0.5,
        entropy_weight: NotNegative = 0.0,
        max_gradient_norm: Positive | None = 0.5,
        at_horizon: AtHorizon = AtHorizon.ENDS,
        device: Device = Device.CPU,
        rng: np.random.Generator,
    ) -> None:
        self._steps, self._lag = steps, lag
        self._cuts = {
            "largest_ratio": float(largest_ratio),
            "largest_trace": float(largest_trace),
            "trace_decay": float(trace),
        }
        self._weights = {"loss/value": float(value_weight), "entropy": -float(entropy_weight)}
        self._max_gradient_norm = max_gradient_norm
        super().__init__(
            environment,
            learns=learns,
            sharing=sharing,
            others=others,
            network=network or NetworkShape(),
            has_values=True,
            step_size=step_size,
            discount=discount,
            at_horizon=at_horizon,
            device=device,
            rng=rng,
        )
        self._older: list[list[dict[str, Any]]] = []  # policies of all agents, the oldest first

    def improve(self) -> Mapping[str, float]:
        """Play a rollout and make one step."""
        experiences = self._play()
        return self.learn(experiences)

    def _play(self) -> tuple[Experience, ...]:
        """Play as the policies of ``lag`` updates ago; values are today's."""
        group = self.group
        if not self._lag:
            return group.play(self._steps)
        policies = [actor.policy for actor in group.actors]
        today = [policy.snapshot() for policy in policies]
        self._older.append(today)
        self._older = self._older[-self._lag - 1 :]
        for policy, state in zip(policies, self._older[0], strict=True):
            policy.restore(state)
        experiences = group.play(self._steps)
        for policy, state in zip(policies, today, strict=True):
            policy.restore(state)
        return experiences

    def _learn(
        self, actor: Actor, optimizer: torch.optim.Optimizer, met: Experience
    ) -> dict[str, float]:
        counts = known_decisions(acts=met.acts, is_over=met.is_over)
        require_decisions(counts, actor, steps=self._steps)
        buffer = rollout_buffer(actor, met, advantages=np.zeros(counts.shape), counts=counts)
        reading = actor.policy(buffer.inputs, buffer.policy_memory)
        log_shares = log_probabilities(reading.outputs, buffer.legal)
        chosen = log_shares.gather(-1, buffer.actions[..., None])[..., 0]
        way = decision_order(actor, counts, met.is_over)
        ratios = _ratios(way, counts.shape, chosen, buffer.log_shares)
        found = v_trace(
            rewards=met.rewards,
            values=met.values,
            beyond=met.beyond,
            acts=met.acts,
            is_over=met.is_over,
            ratios=ratios,
            discount=self.discount,
            **self._cuts,
        )
        buffer = replace(
            buffer,
            advantages=_along(way, found.advantages, buffer.advantages),
            returns=_along(way, found.targets, buffer.returns),
        )
        value = actor.networks["value"](buffer.inputs, buffer.value_memory).outputs[..., 0]
        real = buffer.is_real
        metrics = gradient_step(
            optimizer,
            actor.networks,
            {
                "loss/policy": -mean_over(chosen * buffer.advantages, real),
                "loss/value": mean_over(0.5 * (value - buffer.returns).square(), real),
                "entropy": mean_over(entropy(log_shares), real),
            },
            weights=self._weights,
            max_gradient_norm=self._max_gradient_norm,
        )
        return metrics | {"ratio": float(ratios[counts].mean())}


def _ratios(
    way: Sequences, shape: tuple[int, ...], now: torch.Tensor, then: torch.Tensor
) -> NDArray[np.float64]:
    """Return ratios of probabilities (T, R) of log probabilities (L, S); 1 where none is known."""
    ratios = np.ones(shape)
    found = (now.detach() - then).exp().cpu().numpy()
    ratios[way.step[way.is_real], way.lane[way.is_real]] = found[way.is_real]
    return ratios


def _along(way: Sequences, values: NDArray[np.float64], like: torch.Tensor) -> torch.Tensor:
    """Return numbers (T, R) in the order of buffer (L, S)."""
    return torch.from_numpy(values[way.step, way.lane].astype(np.float32)).to(like.device)
