"""Update rules of policy gradient as functions of arrays: logits in, logits out.

Samples are triples of an observation, the action taken there and its *advantage*. As policies are
tables, a surrogate depends on samples only through sums by observation and action, so that an epoch
over a whole batch costs no more than the table.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learners.gradients.softmax import (
    Adam,
    Indices,
    Table,
    adam_change,
    adam_seen,
    cell_sums,
    entropy_gradient,
    score_sum,
    softmax_policy,
)


@dataclass(frozen=True, eq=False)
class Samples:
    """What was seen, done and worth it; one entry a decision.

    Attributes:
        observations, actions (B,)
        advantages (B,): What the action was worth beyond what was expected.
    """

    observations: Indices
    actions: Indices
    advantages: NDArray[np.float64]

    def part(self, chosen: NDArray[np.int64]) -> "Samples":
        """Return some of the samples."""
        return Samples(self.observations[chosen], self.actions[chosen], self.advantages[chosen])


@dataclass(frozen=True, eq=False)
class ClippedUpdate:
    """Where an update by a clipped surrogate ended.

    Attributes:
        logits (O, A)
        surrogate: Mean clipped surrogate after the update, without entropy.
        divergence: Mean Kullback-Leibler divergence of the new mixed actions from the old, in nats.
        clipped: Share of samples whose ratio lies outside the clip.
        epochs: Epochs begun; fewer than asked for if the divergence grew too large.
    """

    logits: Table
    optimizer: Adam
    surrogate: float
    divergence: float
    clipped: float
    epochs: int


def reinforce_gradient(
    policy: Table, samples: Samples, *, episodes: int, entropy_bonus: float = 0.0
) -> Table:
    """Return REINFORCE's estimate of the gradient of the expected return, in the logits.

    The sum over samples of advantage times score, divided by the number of episodes. It is
    unbiased if advantages are (discounted) returns from the sample's step on, times the discount
    of that step, less anything that does not depend on the action.

    Args:
        policy (O, A): The mixed actions by which actions were drawn.
        episodes: How many the samples are from.
        entropy_bonus: Weight of the policy's mean entropy over the samples, a term beside the
            return.

    Source: :cite:`williams1992simple`.

    >>> samples = Samples(np.array([0]), np.array([1]), np.array([4.0]))
    >>> reinforce_gradient(np.array([[0.5, 0.5]]), samples, episodes=2).tolist()
    [[-1.0, 1.0]]
    """
    sums = cell_sums(_shape(policy), samples.observations, samples.actions, samples.advantages)
    gradient = score_sum(policy, sums) / episodes
    if entropy_bonus and len(samples.observations):
        gradient += entropy_bonus * entropy_gradient(policy, _shares(policy, samples))
    return gradient


def clipped_gradient(policy: Table, old: Table, samples: Samples, *, clip: float) -> Table:
    """Return the gradient, in the logits, of the mean clipped surrogate.

    The surrogate of a sample is ``min(r A, c A)`` with ``r`` the ratio of the action's new to its
    old probability and ``c`` that ratio clipped to ``[1 - clip, 1 + clip]``. At the old policy
    it is the gradient of the mean of advantage times log probability: that of REINFORCE.

    Args:
        policy, old (O, A)
        samples: Drawn by ``old``.

    Source: :cite:`schulman2017ppo`, equation (7).

    >>> old = np.array([[0.5, 0.5]])
    >>> samples = Samples(np.array([0]), np.array([1]), np.array([4.0]))
    >>> clipped_gradient(old, old, samples, clip=0.2).tolist()
    [[-2.0, 2.0]]
    >>> far = np.array([[0.3, 0.7]])  # the ratio 1.4 is worth no more than 1.2
    >>> clipped_gradient(far, old, samples, clip=0.2).tolist()
    [[0.0, 0.0]]
    """
    gains, losses = _gains_and_losses(policy, samples)
    return _surrogate_gradient(policy, old, gains, losses, clip) / len(samples.observations)


def ppo_update(
    logits: Table,
    optimizer: Adam,
    samples: Samples,
    *,
    legal: NDArray[np.bool_],
    step_size: float,
    clip: float = 0.2,
    epochs: int = 10,
    minibatches: int = 1,
    entropy_bonus: float = 0.0,
    divergence_limit: float | None = None,
    rng: np.random.Generator,
) -> ClippedUpdate:
    """Climb the clipped surrogate by Adam, some epochs over the samples.

    Args:
        logits (O, A): Those by which the actions were drawn; not changed.
        optimizer: From ``adam(logits.shape)``, or from the last update.
        samples: At least one; advantages are used as they are.
        legal (O, A)
        clip: How far ratios count.
        minibatches: Parts into which the samples are shuffled each epoch.
        entropy_bonus: Weight of the mean entropy at the samples' observations.
        divergence_limit: No epoch begins once the mean divergence from the old policy exceeds it,
            in nats.
        rng: Shuffles; not used with one minibatch.

    Source: :cite:`schulman2017ppo`.

    >>> from learners.gradients.softmax import adam
    >>> seen, did = np.array([0, 0]), np.array([0, 1])
    >>> update = ppo_update(
    ...     np.zeros((1, 2)),
    ...     adam((1, 2)),
    ...     Samples(seen, did, np.array([1.0, -1.0])),
    ...     legal=np.ones((1, 2), dtype=bool),
    ...     step_size=0.01,
    ...     epochs=3,
    ...     rng=np.random.default_rng(0),
    ... )
    >>> update.logits.round(3).tolist(), update.epochs
    ([[0.03, -0.03]], 3)
    """
    old = softmax_policy(logits, legal)
    parts = _parts(samples, minibatches, old)
    begun, divergence = 0, 0.0
    for _ in range(epochs):
        if divergence_limit is not None and divergence > divergence_limit:
            break
        begun += 1
        if minibatches > 1:
            order = rng.permutation(len(samples.observations))
            parts = _parts(samples.part(order), minibatches, old)
        for part in parts:
            policy = softmax_policy(logits, legal)
            gradient = _surrogate_gradient(policy, old, part.gains, part.losses, clip) / part.size
            if entropy_bonus:
                gradient = gradient + entropy_bonus * entropy_gradient(policy, part.shares)
            optimizer = adam_seen(optimizer, gradient)
            logits = logits + adam_change(optimizer, step_size=step_size)
        if divergence_limit is not None:
            divergence = _divergence(softmax_policy(logits, legal), old, samples)
    return _ended(logits, optimizer, softmax_policy(logits, legal), old, samples, clip, begun)


@dataclass(frozen=True, eq=False)
class _Part:
    """A minibatch in sums; ``shares`` of the observations."""

    gains: Table
    losses: Table
    shares: NDArray[np.float64]
    size: int


def _parts(samples: Samples, minibatches: int, policy: Table) -> list[_Part]:
    parts: list[_Part] = []
    for chosen in np.array_split(np.arange(len(samples.observations)), minibatches):
        if len(chosen):
            own = samples if minibatches == 1 else samples.part(chosen)
            parts.append(
                _Part(*_gains_and_losses(policy, own), _shares(policy, own), size=len(chosen))
            )
    return parts


def _shape(policy: Table) -> tuple[int, int]:
    return policy.shape[0], policy.shape[1]


def _shares(policy: Table, samples: Samples) -> NDArray[np.float64]:
    """Return how often each observation is among the samples, as a share."""
    counts = np.bincount(samples.observations, minlength=policy.shape[0])
    return counts / len(samples.observations)


def _gains_and_losses(policy: Table, samples: Samples) -> tuple[Table, Table]:
    """Add up advantages by observation and action, the positive and the negative apart."""
    gains, losses = (
        cell_sums(_shape(policy), samples.observations, samples.actions, part)
        for part in (np.maximum(samples.advantages, 0.0), np.minimum(samples.advantages, 0.0))
    )
    return gains, losses


def _ratios(policy: Table, old: Table) -> Table:
    return policy / np.where(old > 0, old, 1.0)


def _surrogate_gradient(
    policy: Table, old: Table, gains: Table, losses: Table, clip: float
) -> Table:
    ratios = _ratios(policy, old)
    counted = gains * (ratios < 1 + clip) + losses * (ratios > 1 - clip)
    return score_sum(policy, ratios * counted)


def _divergence(policy: Table, old: Table, samples: Samples) -> float:
    """Return the mean of ``KL(old, new)`` over the samples' observations."""
    ratios = np.where(old > 0, old / np.where(policy > 0, policy, np.finfo(float).tiny), 1.0)
    return float(_shares(old, samples) @ (old * np.log(ratios)).sum(axis=1))


def _ended(
    logits: Table,
    optimizer: Adam,
    policy: Table,
    old: Table,
    samples: Samples,
    clip: float,
    epochs: int,
) -> ClippedUpdate:
    ratios = _ratios(policy, old)[samples.observations, samples.actions]
    kept = np.clip(ratios, 1 - clip, 1 + clip)
    surrogate = np.minimum(ratios * samples.advantages, kept * samples.advantages).mean()
    return ClippedUpdate(
        logits=logits,
        optimizer=optimizer,
        surrogate=float(surrogate),
        divergence=_divergence(policy, old, samples),
        clipped=float((kept != ratios).mean()),
        epochs=epochs,
    )
