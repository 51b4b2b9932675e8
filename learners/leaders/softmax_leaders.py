"""Leaders with a row of logits for each observation, who climb the gradient of their return.

A leader who learns by evolution strategies: he varies his logits and keeps what paid.

Only returns of whole episodes count, so that it makes no difference whether queries are seen.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated

import numpy as np

from gametheory_core.errors import InvalidArgument
from learners.gradients.softmax import adam, entropies, softmax_policy
from learners.gradients.updates import Samples, ppo_update, reinforce_gradient
from learners.leaders.encounters import Decisions, Encounter, Meeting
from learners.leaders.offers import Floats
from learners.options import (
    AtOnce,
    Count,
    CountFromZero,
    NotNegative,
    Positive,
    Range,
    Share,
    checked,
)
from learners.snapshots import Kept

SMALLEST_SPREAD = 1e-8  # in payoff units: what counts as no difference among advantages


@dataclass(frozen=True)
@checked
class LeaderPolicyGradientOptions:
    """Options of a leader who learns by REINFORCE, plain steps along the estimate.

    Attributes:
        iterations, episodes: ``iterations`` batches of so many ``episodes``.
        discount: Of the learning; default that of the game. Queries are not discounted.
        has_baseline: Whether the mean of the batch, at each step, is taken off returns.
    """

    step_size: Positive = 0.02
    iterations: CountFromZero = 600
    episodes: AtOnce = 32
    discount: Share | None = None
    has_baseline: bool = True


@dataclass(frozen=True)
@checked
class LeaderPPOOptions:
    """Options of a leader who learns by PPO, on advantages of spread one.

    Attributes:
        step_size: Of Adam.
        iterations, episodes: ``iterations`` batches of so many ``episodes``.
        discount: Of the learning; default that of the game. Queries are not discounted.
        epochs: Over each batch.
        clip: How far ratios of probabilities count.
        entropy_bonus: Weight of the mean entropy.
    """

    step_size: Positive = 0.08
    iterations: CountFromZero = 33
    episodes: AtOnce = 60
    discount: Share | None = None
    epochs: Count = 10
    clip: Positive = 0.3
    entropy_bonus: NotNegative = 0.0


class Fitness(Enum):
    """What a leader who tries policies judges them by.

    PLAY: what he earns from the follower who has learned.
    LEARNING: what he earns in the mean while she learns, which may be best for policies that are no
    good commitment.
    """

    PLAY = "play"
    LEARNING = "learning"


class SoftmaxLeader(Kept):
    """A leader who climbs a policy gradient at one meeting, uniform at first."""

    KEPT = ("_logits", "_optimizer")
    UNCHECKED = ()

    def __init__(
        self, meeting: Meeting, options: LeaderPolicyGradientOptions | LeaderPPOOptions
    ) -> None:
        self._options = options
        self.iterations = options.iterations
        self.name = "PPO" if isinstance(options, LeaderPPOOptions) else "policy gradient"
        self._legal = meeting.leader_legal
        own = options.discount
        self._discount = float(meeting.stage.view.discount if own is None else own)
        self._logits: Floats = np.zeros(self._legal.shape)
        self._optimizer = adam(self._legal.shape)

    def improve(
        self, meeting: Meeting, rng: np.random.Generator
    ) -> tuple[Mapping[str, float], int]:
        """Play a batch of episodes and learn from it."""
        policy = self.probabilities()
        which = np.zeros(self._options.episodes, dtype=np.int64)
        encounter = meeting.hold(policy[None], which, rng)
        decisions = encounter.decisions(self._discount)
        if isinstance(self._options, LeaderPPOOptions):
            self._climb_clipped(self._options, decisions, rng)
        else:
            self._climb(self._options, policy, decisions)
        return _metrics(encounter, self.probabilities()), encounter.steps

    def _climb(
        self, options: LeaderPolicyGradientOptions, policy: Floats, decisions: Decisions
    ) -> None:
        advantages = decisions.credits - decisions.baselines * options.has_baseline
        samples = Samples(decisions.observations, decisions.actions, advantages)
        gradient = reinforce_gradient(policy, samples, episodes=options.episodes)
        self._logits = self._logits + options.step_size * gradient

    def _climb_clipped(
        self, options: LeaderPPOOptions, decisions: Decisions, rng: np.random.Generator
    ) -> None:
        advantages = decisions.credits - decisions.baselines
        if not len(advantages):  # no episode came to a decision
            return
        spread = advantages.std()
        if spread <= SMALLEST_SPREAD:  # all did alike: nothing is to be learned
            return
        samples = Samples(decisions.observations, decisions.actions, advantages / spread)
        update = ppo_update(
            self._logits,
            self._optimizer,
            samples,
            legal=self._legal,
            step_size=options.step_size,
            clip=options.clip,
            epochs=options.epochs,
            entropy_bonus=options.entropy_bonus,
            rng=rng,
        )
        self._logits, self._optimizer = update.logits, update.optimizer

    def probabilities(self) -> Floats:
        """Return the softmax policy."""
        return softmax_policy(self._logits, self._legal)


@dataclass(frozen=True)
@checked
class LeaderEvolutionOptions:
    """Options of a leader who learns by evolution strategies.

    Attributes:
        spread: Standard deviation of the logits that are tried. Wide ones try policies that are
            nearly deterministic; narrow ones stay near the mean.
        step_size: How far the mean moves, in units of ``spread``.
        population: Policies tried in an iteration; even, as each comes with its mirror image.
        episodes: For each policy.
        fitness: What policies are judged by; ``Fitness.LEARNING`` needs a follower who learns anew
            for each leader by playing, or in the mean.

    Source: :cite:`salimans2017evolution`.
    """

    spread: Positive = 1.5
    step_size: Positive = 0.5
    population: Annotated[int, Range(low=2)] = 20
    episodes: AtOnce = 3
    iterations: CountFromZero = 60
    fitness: Fitness = Fitness.PLAY

    def __post_init__(self) -> None:
        if self.population % 2:  # each comes with its mirror image
            raise InvalidArgument(
                needs="an even population", found=f"got {self.population}", remedy="Add one."
            )


class EvolutionLeader(Kept):
    """The leader of ``LeaderEvolutionOptions`` at one meeting, uniform at first."""

    KEPT = ("_logits",)
    UNCHECKED = ()

    def __init__(self, meeting: Meeting, options: LeaderEvolutionOptions) -> None:
        self._options = options
        self.iterations = options.iterations
        self._legal = meeting.leader_legal
        self._logits: Floats = np.zeros(self._legal.shape)

    name = "evolution strategies"

    def improve(
        self, meeting: Meeting, rng: np.random.Generator
    ) -> tuple[Mapping[str, float], int]:
        """Try a population, and move the mean towards what paid more than the average."""
        options = self._options
        half = rng.standard_normal((options.population // 2, *self._legal.shape))
        noise = np.concatenate([half, -half])
        policies = softmax_policy(
            self._logits + options.spread * noise, np.broadcast_to(self._legal, noise.shape)
        )
        which = np.repeat(np.arange(options.population), options.episodes)
        encounter = meeting.hold(policies, which, rng)
        fitness = _paid(encounter, options.fitness).reshape(options.population, -1).mean(axis=1)
        shares = _centered_ranks(fitness)
        change = np.tensordot(shares, noise, axes=1) / options.population
        self._logits = self._logits + options.step_size * options.spread * change
        return _metrics(encounter, self.probabilities()), encounter.steps

    def probabilities(self) -> Floats:
        """Return the policy in the middle."""
        return softmax_policy(self._logits, self._legal)


def _metrics(encounter: Encounter, policy: Floats) -> dict[str, float]:
    means = encounter.returns.mean(axis=0)
    return {
        "return/leader": float(means[0]),
        "return/follower": float(means[1]),
        "entropy/leader": float(entropies(policy).mean()),
    }


def _paid(encounter: Encounter, fitness: Fitness) -> Floats:
    """Return what each episode, (E,), says for its policy."""
    if fitness is Fitness.PLAY or encounter.earned is None:
        return encounter.returns[:, 0]
    return encounter.earned


def _centered_ranks(fitness: Floats) -> Floats:
    """Return ranks of mean zero and spread one; equals share theirs, and all equal are zero."""
    _, place, counts = np.unique(fitness, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts + 1) / 2)[place]
    centered: Floats = ranks - ranks.mean()
    spread = centered.std()
    return centered / spread if spread > 0 else centered
