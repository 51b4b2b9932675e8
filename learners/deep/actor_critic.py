"""The actor-critic: one step on each short rollout, perhaps of an older policy.

V-trace corrects for that. Beside how to play, the policy network may learn to tell labels of the
environment, such as whom it meets: with a share ``w``, the loss is ``(1 - w)`` times the one
without labels plus ``w`` times their mean cross-entropy.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.errors import InvalidArgument
from learners.advantages import known_decisions, v_trace
from learners.batch import AtHorizon, BatchedEnvironment, Labeled
from learners.deep.actors import Actor
from learners.deep.agents import Behavior, Sharing
from learners.deep.lessons import Lesson, learn, lesson, reread
from learners.deep.losses import Sloped, label_losses, mean_over, slopes_of_mean, squared_error
from learners.deep.network_shapes import NetworkShape
from learners.deep.optimization import Adam, Device
from learners.deep.policy_learning import PolicyLearner, require_decisions
from learners.deep.rollouts import (
    Experience,
    RolloutBuffer,
    Sequences,
    decision_order,
    rollout_buffer,
)
from learners.options import Count, CountFromZero, NotNegative, Positive, Share, checked
from learners.policies import require_environment
from learners.schedules import Schedule


@checked
class ActorCritic(PolicyLearner):
    """Advantage actor-critic with V-trace: one step on each rollout, with and without memory.

    Each iteration plays ``steps`` steps of all episodes by the policy as it was ``lag`` updates
    ago, and makes one step: the policy uphill on V-trace's advantages, the values toward V-trace's
    targets. Without a lag this is A2C: the policies agree, and targets are the returns of the rest
    of the rollout and the value at its end. With a lag it is what IMPALA's learner does, its actors
    being that much behind.

    Args:
        learns, sharing, others, network, steps, step_size: As for ``PPO``.
        discount, value_weight, entropy_weight, max_gradient_norm: As for ``PPO``.
        at_horizon, device, rng: As for ``PPO``.
        lag: Updates by which the policy that plays is behind.
        trace: Factor on V-trace's traces, from 0 to 1.
        largest_ratio, largest_trace: Where ratios of probabilities are cut: "rho" and "c".
        auxiliary_weight: Share of the loss that is the cross-entropy of labels of the environment,
            such as whom one meets, which the policy network learns to tell beside how to play; the
            rest is the loss without that. By default it does not learn them.

    Metrics: "return/<player>" and "length" of the episodes finished in the rollout, "loss/policy",
    "loss/value" (half the mean squared error), "entropy", "ratio" (mean of the probabilities' ratio
    before it is cut; 1 without a lag), "gradient norm", "step size", and "environment steps" so
    far; with labels "loss/labels" and "labels told", the share of which the likeliest is right.
    With several agents, the names end in "/<agent>".

    Sources:
        :cite:`mnih2016asynchronous`.
        :cite:`espeholt2018impala`.
        :cite:`lanctot2023population`, sections 4.5.1 and 4.5.2, of labels.

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
        auxiliary_weight: Share | None = None,
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
        share = float(auxiliary_weight or 0)
        self._weights = {
            "loss/policy": 1 - share,
            "loss/value": (1 - share) * value_weight,
            "entropy": -(1 - share) * entropy_weight,
            "loss/labels": share,
        }
        self._tells_labels = auxiliary_weight is not None
        self._max_gradient_norm = max_gradient_norm
        super().__init__(
            environment,
            learns=learns,
            sharing=sharing,
            others=others,
            network=network or NetworkShape(),
            has_values=True,
            num_labels=labels_to_tell(environment, network) if self._tells_labels else 0,
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

    def _learn(self, actor: Actor, optimizer: Adam, met: Experience) -> dict[str, float]:
        counts = known_decisions(acts=met.acts, is_over=met.is_over)
        require_decisions(counts, actor, steps=self._steps)
        buffer = rollout_buffer(actor, met, advantages=np.zeros(counts.shape), counts=counts)
        read = reread(actor, buffer)
        way = decision_order(actor, counts, met.is_over)
        ratios = np.ones(counts.shape)
        moved = np.exp(read.played.chosen - buffer.log_shares)
        ratios[way.step[way.is_real], way.lane[way.is_real]] = moved[way.is_real]
        buffer = self._judged(buffer, met, ratios, way)
        credit = buffer.advantages
        given = lesson(
            read,
            buffer,
            gained=Sloped(read.played.chosen * credit, credit),
            missed=squared_error(read.values, buffer.returns),
            weights=self._weights,
        )
        told: dict[str, float] = {"ratio": float(ratios[counts].mean())}
        if self._tells_labels:
            labels, weights = met.labels[way.step, way.lane], read.readings["policy"].labels
            given = self._with_labels(given, label_losses(weights, labels), buffer.is_real)
            told["labels told"] = mean_over(weights.argmax(axis=-1) == labels, buffer.is_real)
        metrics = learn(actor, optimizer, read, given, max_gradient_norm=self._max_gradient_norm)
        return metrics | told

    def _with_labels(self, given: Lesson, missed: Sloped, real: NDArray[np.bool_]) -> Lesson:
        """Return a lesson that also says how labels are told."""
        more = slopes_of_mean(missed.slope, real, weight=self._weights["loss/labels"])
        slopes = np.concatenate([given.slopes["policy"], more], axis=-1)
        return Lesson(
            losses={**given.losses, "loss/labels": mean_over(missed.value, real)},
            slopes={**given.slopes, "policy": slopes},
        )

    def _judged(
        self, buffer: RolloutBuffer, met: Experience, ratios: NDArray[np.float64], way: Sequences
    ) -> RolloutBuffer:
        """Return the buffer with V-trace's advantages and targets."""
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
        return replace(
            buffer, advantages=_along(way, found.advantages), returns=_along(way, found.targets)
        )


def labels_to_tell(environment: BatchedEnvironment, network: NetworkShape | None) -> int:
    """Return how many labels of an environment a network is to tell apart.

    Raises:
        InvalidArgument: If there is nothing to tell, or no layer to tell it by.
    """
    require_environment(environment)
    count = environment.num_labels if isinstance(environment, Labeled) else 0
    needs = "an environment with two labels to tell apart or more, such as bots of a population"
    found = f"it has {count or 'none'}"
    if network is not None and not network.hidden:
        needs, found = "a network with a hidden layer, by which labels are told", "hidden is empty"
    elif count > 1:
        return count
    raise InvalidArgument(
        needs=needs, found=found, remedy="Leave it out.", where="auxiliary_weight"
    )


def _along(way: Sequences, values: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return numbers (T, R) in the order of buffer (L, S)."""
    return values[way.step, way.lane].astype(np.float32)
