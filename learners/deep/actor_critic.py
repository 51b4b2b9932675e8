"""Actor-critic learning: one step on each short rollout, which may be of an older policy."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from gametheory_core.arguments import require_integer, require_number
from gametheory_core.errors import UnsupportedGame
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import BatchedEnvironment, Snapshot
from learners.deep.actors import Actor
from learners.deep.casts import Experience
from learners.deep.devices import Device
from learners.deep.gradient_step import gradient_step
from learners.deep.lessons import lessons_of, mean_over
from learners.deep.networks import NetworkShape, entropy, log_probabilities
from learners.deep.policy_learning import PolicyLearning
from learners.deep.roles import Behavior, Sharing
from learners.deep.sequences import Sequences, episode_sequences, single_decisions
from learners.deep.snapshots import module_state, restore_module
from learners.deep.v_trace import known_decisions, v_trace
from learners.horizon import AtHorizon
from learners.schedules import Schedule

NAME = "ActorCritic"


class ActorCritic:
    """Advantage actor-critic with V-trace: one step on each rollout, with and without memory.

    Each iteration plays ``steps`` steps of all episodes by the policy as it was ``lag`` updates
    ago, and makes one step: the policy uphill on V-trace's advantages, the values toward V-trace's
    targets. Without a lag this is A2C: the policies agree, and targets are the returns of the rest
    of the rollout and the value at its end. With a lag it is what IMPALA's learner does, its actors
    being that much behind.

    Args:
        learns: Players who learn; by default all, each for itself.
        sharing: Whether they share one network.
        others: Player who does not learn -> function of observations and legal actions, as arrays,
            that returns probabilities; by default uniform.
        network: Of the policy's and of the value's network, which share nothing.
        steps: Steps of each episode in a rollout.
        lag: Updates by which the policy that plays is behind.
        step_size: Of Adam.
        discount: By default the environment's.
        trace: Factor on V-trace's traces, from 0 to 1.
        largest_ratio, largest_trace: Where ratios of probabilities are cut: "rho" and "c".
        value_weight, entropy_weight: Factors on the value's error and on the entropy in the loss.
        max_gradient_norm: Longer gradients are shortened to it.
        at_horizon: Whether something follows where the horizon cuts an episode.
        rng: All chance of the learner.

    Metrics: "return/<player>" and "length" of the episodes finished in the rollout, "loss/policy",
    "loss/value" (half the mean squared error), "entropy", "ratio" (mean of the probabilities' ratio
    before it is cut; 1 without a lag), "gradient norm", "step size", and "environment steps" so
    far. With several roles, the names end in "/<role>".

    Sources:
        :cite:`mnih2016asynchronous`.
        :cite:`espeholt2018impala`.
    """

    name = NAME

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        learns: Iterable[int] | None = None,
        sharing: Sharing = Sharing.SEPARATE,
        others: Mapping[int, Behavior] | None = None,
        network: NetworkShape | None = None,
        steps: int = 8,
        lag: int = 0,
        step_size: float | Schedule = 1e-3,
        discount: float | None = None,
        trace: float = 1.0,
        largest_ratio: float = 1.0,
        largest_trace: float = 1.0,
        value_weight: float = 0.5,
        entropy_weight: float = 0.0,
        max_gradient_norm: float | None = 0.5,
        at_horizon: AtHorizon = AtHorizon.ENDS,
        device: Device = Device.CPU,
        rng: np.random.Generator,
    ) -> None:
        require_integer(steps, name="steps", low=1)
        require_integer(lag, name="lag", low=0)
        require_number(trace, name="trace", low=0, high=1)
        require_number(largest_ratio, name="largest_ratio", above=0)
        require_number(largest_trace, name="largest_trace", low=0)
        require_number(value_weight, name="value_weight", low=0)
        require_number(entropy_weight, name="entropy_weight", low=0)
        if max_gradient_norm is not None:
            require_number(max_gradient_norm, name="max_gradient_norm", above=0)
        self._steps, self._lag = steps, lag
        self._cuts = {
            "largest_ratio": float(largest_ratio),
            "largest_trace": float(largest_trace),
            "trace_decay": float(trace),
        }
        self._weights = {"loss/value": float(value_weight), "entropy": -float(entropy_weight)}
        self._max_gradient_norm = max_gradient_norm
        self._learning = PolicyLearning(
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
        self._older: list[list[dict[str, Any]]] = []  # policies of all roles, the oldest first

    def improve(self) -> Mapping[str, float]:
        """Play a rollout and make one step."""
        learning = self._learning
        experiences = self._play()
        return learning.learn(experiences, self._learn)

    def _play(self) -> tuple[Experience, ...]:
        """Play as the policies of ``lag`` updates ago; values are today's."""
        cast = self._learning.cast
        if not self._lag:
            return cast.play(self._steps)
        policies = [actor.policy.parts for actor in cast.actors]
        today = [module_state(parts) for parts in policies]
        self._older.append(today)
        self._older = self._older[-self._lag - 1 :]
        for parts, state in zip(policies, self._older[0], strict=True):
            restore_module(parts, state)
        experiences = cast.play(self._steps)
        for parts, state in zip(policies, today, strict=True):
            restore_module(parts, state)
        return experiences

    def _learn(
        self, actor: Actor, optimizer: torch.optim.Optimizer, met: Experience
    ) -> dict[str, float]:
        counts = known_decisions(acts=met.acts, is_over=met.is_over)
        if not counts.any():
            raise UnsupportedGame(
                needs="rollouts in which players move again after having moved",
                found=f"{actor.role.name!r} does not within steps = {self._steps}",
                remedy="Give more steps.",
            )
        lessons = lessons_of(actor, met, advantages=np.zeros(counts.shape), counts=counts)
        reading = actor.policy(lessons.inputs, lessons.policy_memory)
        log_shares = log_probabilities(reading.outputs, lessons.legal)
        chosen = log_shares.gather(-1, lessons.actions[..., None])[..., 0]
        way = _way(actor, counts, met.is_over)
        ratios = _ratios(way, counts.shape, chosen, lessons.log_shares)
        found = v_trace(
            rewards=met.rewards,
            values=met.values,
            beyond=met.beyond,
            acts=met.acts,
            is_over=met.is_over,
            ratios=ratios,
            discount=self._learning.discount,
            **self._cuts,
        )
        lessons = replace(
            lessons,
            advantages=_along(way, found.advantages, lessons.advantages),
            returns=_along(way, found.targets, lessons.returns),
        )
        value = actor.networks["value"](lessons.inputs, lessons.value_memory).outputs[..., 0]
        real = lessons.is_real
        metrics = gradient_step(
            optimizer,
            actor.networks,
            {
                "loss/policy": -mean_over(chosen * lessons.advantages, real),
                "loss/value": mean_over(0.5 * (value - lessons.returns).square(), real),
                "entropy": mean_over(entropy(log_shares), real),
            },
            weights=self._weights,
            max_gradient_norm=self._max_gradient_norm,
        )
        return metrics | {"ratio": float(ratios[counts].mean())}

    def policies(self) -> PolicyProfile:
        """Return what was learned, one policy a player, exact."""
        return self._learning.policies()

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here."""
        older = [[dict(state) for state in policies] for policies in self._older]
        return {"learning": self._learning.snapshot(), "older": older}

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of a learner made with the same options."""
        self._learning.restore(snapshot["learning"])
        self._older = [[dict(state) for state in policies] for policies in snapshot["older"]]


def _way(actor: Actor, counts: NDArray[np.bool_], is_over: NDArray[np.bool_]) -> Sequences:
    """Return the order in which ``lessons_of`` lists decisions."""
    if actor.policy.memory_width:
        return episode_sequences(counts, is_over)
    return single_decisions(counts)


def _ratios(
    way: Sequences, shape: tuple[int, ...], now: torch.Tensor, then: torch.Tensor
) -> NDArray[np.float64]:
    """Return ratios of probabilities (T, R) of log probabilities (L, S); 1 where none is known."""
    ratios = np.ones(shape)
    found = (now.detach() - then).exp().cpu().numpy()
    ratios[way.step[way.is_real], way.lane[way.is_real]] = found[way.is_real]
    return ratios


def _along(way: Sequences, values: NDArray[np.float64], like: torch.Tensor) -> torch.Tensor:
    """Return numbers (T, R) in the order of lessons (L, S)."""
    return torch.from_numpy(values[way.step, way.lane].astype(np.float32)).to(like.device)
