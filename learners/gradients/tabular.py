"""Policy gradients with softmax policies in tables, by sampling.

REINFORCE climbs the return by what actions were followed by (Williams 1992); PPO climbs a clipped
surrogate of it, several times on the same episodes (Schulman et al. 2017).
"""

from enum import Enum

import numpy as np

from learners.advantages import (
    Credit,
    StepWeights,
    credited_returns,
    episode_advantages,
    returns_to_go,
    step_weights,
)
from learners.batch import BatchedEnvironment
from learners.gradients.learner import GradientLearner, Others, Rollout
from learners.gradients.softmax import adam_change, adam_seen, entropies
from learners.gradients.updates import Samples, ppo_update, reinforce_gradient
from learners.options import Count, NotNegative, Positive, PositiveShare, Share, checked


class Baseline(Enum):
    """What is taken off returns; the value says it in words."""

    NONE = "nothing"
    OBSERVATION = "what the observation has been followed by in earlier iterations"


class Ascent(Enum):
    """How a step is made of a gradient; the value says it in words."""

    GRADIENT = "step_size times the gradient"
    ADAM = "by Adam: about step_size in each logit"


@checked
class TabularReinforce(GradientLearner):
    """Softmax policies in tables that climb a sampled gradient of the return.

    An iteration plays an episode in each slot of the batch, and moves the logits of each player
    who learns along the mean over episodes of ``sum over t of w_t (G_t - b(o_t)) score(a_t)``:
    ``G_t`` is the return to go, ``b`` a baseline known before the episodes, and ``w_t`` is
    ``discount^t``. That is an unbiased estimate of the gradient of the expected discounted return,
    other players held fixed.

    Args:
        environment: With numbered observations; policies see the last one.
        rng: Draws actions.
        discount: Default: the environment's.
        weights: ``EQUAL`` leaves ``w_t`` out: customary, and biased where ``discount`` is below 1.
        credit: ``WHOLE`` puts the whole discounted return in place of ``w_t G_t``; no baseline
            then.
        baseline_step: How far a baseline moves towards the last iteration's mean.
        entropy_bonus: Weight of the policy's mean entropy where it acted, a term beside the return.
        longest: Steps within which episodes must end.
        learns: Who learns; default: all players, independently.
        others: For players who do not learn, player -> probabilities (O, A); those left out play
            uniformly.

    Raises:
        InvalidArgument: If an option makes no sense.
        UnsupportedGame: If observations are not numbered, or episodes do not end.

    Metrics: "return/<player>", mean undiscounted return; "length", mean steps of an episode;
    "gradient/<player>", Euclidean norm of the estimate; "entropy/<player>", mean entropy in nats
    where the player acted.

    Source: :cite:`williams1992simple`.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from learners.batches import batched
    >>> from learners import train
    >>> play = batched(RepeatedGame.of("prisoners_dilemma"), episodes=64, seed=1)
    >>> learner = TabularReinforce(play, step_size=0.5, rng=np.random.default_rng(1))
    >>> learned = train(learner, iterations=60)
    >>> [float(dict(policy[((),)].items)["defect"]) > 0.95 for policy in learned.policies]
    [True, True]
    """

    name = "REINFORCE"

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        rng: np.random.Generator,
        step_size: Positive = 0.1,
        ascent: Ascent = Ascent.GRADIENT,
        discount: float | None = None,
        weights: StepWeights = StepWeights.DISCOUNTED,
        credit: Credit = Credit.TO_GO,
        baseline: Baseline = Baseline.OBSERVATION,
        baseline_step: PositiveShare = 0.1,
        entropy_bonus: NotNegative = 0.0,
        longest: int = 10_000,
        learns: tuple[int, ...] | None = None,
        others: Others | None = None,
    ) -> None:
        super().__init__(
            environment, rng=rng, discount=discount, longest=longest, learns=learns, others=others
        )
        self._step_size, self._ascent = step_size, ascent
        self._weights, self._credit = weights, credit
        self._baseline, self._baseline_step = baseline, baseline_step
        self._entropy_bonus = entropy_bonus

    def _learn(self, player: int, rollout: Rollout) -> dict[str, float]:
        table = self._seats.table(player)
        samples = self._samples(player, rollout)
        gradient = reinforce_gradient(
            table, samples, episodes=len(rollout.lengths), entropy_bonus=self._entropy_bonus
        )
        if self._ascent is Ascent.ADAM:
            self._optimizers[player] = adam_seen(self._optimizers[player], gradient)
            change = adam_change(self._optimizers[player], step_size=self._step_size)
        else:
            change = self._step_size * gradient
        self._seats.logits[player] = self._seats.logits[player] + change
        if self._baseline is Baseline.OBSERVATION:
            acts = rollout.acts[:, :, player]
            found = returns_to_go(rollout.rewards[:, :, player], discount=self._discount)
            self._values[player] = self._values[player].moved(
                samples.observations, found[acts], step_size=self._baseline_step
            )
        metrics = {"gradient": float(np.linalg.norm(gradient))}
        if len(samples.observations):
            metrics["entropy"] = float(entropies(table)[samples.observations].mean())
        return metrics

    def _samples(self, player: int, rollout: Rollout) -> Samples:
        acts = rollout.acts[:, :, player]
        rewards = rollout.rewards[:, :, player]
        seen = rollout.observations[:, :, player]
        worths = credited_returns(
            rewards, discount=self._discount, credit=self._credit, weights=self._weights
        )
        if self._baseline is Baseline.OBSERVATION:
            weights = (
                step_weights(len(rewards), discount=self._discount, kind=self._weights)
                if self._credit is Credit.TO_GO
                else 1.0
            )
            worths = worths - weights * self._values[player].values[seen]
        return Samples(seen[acts], rollout.actions[:, :, player][acts], worths[acts])


SMALLEST_SPREAD = 1e-8  # of advantages, in payoff units: below it they are not divided by it


@checked
class TabularPPO(GradientLearner):
    """Softmax policies in tables that climb a clipped surrogate some epochs a batch.

    An iteration plays an episode in each slot of the batch. Advantages are generalized, with
    values of observations as critic; the surrogate counts all decisions alike, as is customary.

    Args:
        environment: With numbered observations; policies see the last one.
        rng: Draws actions, and shuffles minibatches.
        step_size: Adam's, in logits.
        clip: How far ratios of new to old probabilities count, above 0.
        trace: ``lambda`` of the advantages, in [0, 1].
        value_step: How far values move towards the last iteration's mean of advantage plus value.
        entropy_bonus: Weight of the mean entropy where the player acted.
        divergence_limit: No epoch begins once the mean divergence from the old policy exceeds it,
            in nats.
        normalizes: Whether advantages of a batch are shifted to mean 0 and scaled to standard
            deviation 1.
        discount, longest, learns, others: As for ``TabularReinforce``.

    Raises:
        InvalidArgument: If an option makes no sense.
        UnsupportedGame: If observations are not numbered, or episodes do not end.

    Metrics: "return/<player>" and "length" as for ``TabularReinforce``; "loss/<player>", minus the
    clipped surrogate after the update; "value loss/<player>", mean squared error of the values
    before it; "divergence/<player>", mean divergence of the new policy from the old, in nats;
    "clipped/<player>", share of decisions whose ratio left the clip; "epochs/<player>";
    "entropy/<player>", mean entropy in nats before the update.

    Sources:
        :cite:`schulman2017ppo`.
        :cite:`schulman2016gae`.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from learners.batches import batched
    >>> from learners import train
    >>> play = batched(RepeatedGame.of("prisoners_dilemma"), episodes=64, seed=1)
    >>> learned = train(TabularPPO(play, rng=np.random.default_rng(1)), iterations=10)
    >>> [float(dict(policy[((),)].items)["defect"]) > 0.95 for policy in learned.policies]
    [True, True]
    """

    name = "tabular PPO"

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        rng: np.random.Generator,
        step_size: Positive = 0.05,
        clip: Positive = 0.2,
        epochs: Count = 10,
        minibatches: Count = 1,
        discount: float | None = None,
        trace: Share = 0.95,
        value_step: PositiveShare = 0.5,
        entropy_bonus: NotNegative = 0.0,
        divergence_limit: Positive | None = None,
        normalizes: bool = True,
        longest: int = 10_000,
        learns: tuple[int, ...] | None = None,
        others: Others | None = None,
    ) -> None:
        super().__init__(
            environment, rng=rng, discount=discount, longest=longest, learns=learns, others=others
        )
        self._step_size, self._clip = step_size, clip
        self._epochs, self._minibatches = epochs, minibatches
        self._trace, self._value_step = trace, value_step
        self._entropy_bonus, self._divergence_limit = entropy_bonus, divergence_limit
        self._normalizes = normalizes

    def _learn(self, player: int, rollout: Rollout) -> dict[str, float]:
        if not rollout.acts[:, :, player].any():
            return {}
        table = self._seats.table(player)
        samples, worths = self._samples(player, rollout)
        update = ppo_update(
            self._seats.logits[player],
            self._optimizers[player],
            self._normalized(samples),
            legal=self._seats.legal[player],
            step_size=self._step_size,
            clip=self._clip,
            epochs=self._epochs,
            minibatches=self._minibatches,
            entropy_bonus=self._entropy_bonus,
            divergence_limit=self._divergence_limit,
            rng=self._rng,
        )
        self._seats.logits[player] = update.logits
        self._optimizers[player] = update.optimizer
        self._values[player] = self._values[player].moved(
            samples.observations, worths, step_size=self._value_step
        )
        return {
            "loss": -update.surrogate,
            "value loss": float((samples.advantages**2).mean()),
            "divergence": update.divergence,
            "clipped": update.clipped,
            "epochs": float(update.epochs),
            "entropy": float(entropies(table)[samples.observations].mean()),
        }

    def _samples(
        self, player: int, rollout: Rollout
    ) -> tuple[Samples, "np.ndarray[tuple[int], np.dtype[np.float64]]"]:
        """Return decisions with their advantages, and what the critic is to learn."""
        acts = rollout.acts[:, :, player]
        seen = rollout.observations[:, :, player]
        values = self._values[player].values[seen]
        advantages = episode_advantages(
            rollout.rewards[:, :, player], values, acts, discount=self._discount, trace=self._trace
        )
        samples = Samples(seen[acts], rollout.actions[:, :, player][acts], advantages[acts])
        return samples, (advantages + values)[acts]

    def _normalized(self, samples: Samples) -> Samples:
        if not self._normalizes:
            return samples
        centered = samples.advantages - samples.advantages.mean()
        scale = float(centered.std())
        return Samples(
            samples.observations,
            samples.actions,
            centered / scale if scale > SMALLEST_SPREAD else centered,
        )
