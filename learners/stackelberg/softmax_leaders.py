"""Leaders with a row of logits for each observation, who climb the gradient of their return."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gametheory_core.arguments import require_integer, require_number
from learners.batch import Snapshot
from learners.gradients.adam import adam, adam_from_record, adam_record
from learners.gradients.softmax import entropies, softmax_policy
from learners.gradients.updates import Samples, ppo_update, reinforce_gradient
from learners.snapshots import require_fitting
from learners.stackelberg.encounters import Decisions, Meeting
from learners.stackelberg.offers import Floats
from learners.stackelberg.stage import Stage

SMALLEST_SPREAD = 1e-8  # in payoff units: what counts as no difference among advantages


@dataclass(frozen=True)
class LeaderPolicyGradient:
    """Options of a leader who learns by REINFORCE, plain steps along the estimate.

    Attributes:
        iterations, episodes: ``iterations`` batches of so many ``episodes``.
        discount: Of the learning; default that of the game. Queries are not discounted.
        has_baseline: Whether the mean of the batch, at each step, is taken off returns.
    """

    step_size: float = 0.02
    iterations: int = 600
    episodes: int = 32
    discount: float | None = None
    has_baseline: bool = True

    def __post_init__(self) -> None:
        _check(self)


@dataclass(frozen=True)
class LeaderPPO:
    """Options of a leader who learns by PPO, on advantages of spread one.

    Attributes:
        step_size: Of Adam.
        iterations, episodes: ``iterations`` batches of so many ``episodes``.
        discount: Of the learning; default that of the game. Queries are not discounted.
        epochs: Over each batch.
        clip: How far ratios of probabilities count.
        entropy_bonus: Weight of the mean entropy.
    """

    step_size: float = 0.05
    iterations: int = 60
    episodes: int = 20
    discount: float | None = None
    epochs: int = 10
    clip: float = 0.3
    entropy_bonus: float = 0.0

    def __post_init__(self) -> None:
        _check(self)
        require_integer(self.epochs, name="epochs", low=1)
        require_number(self.clip, name="clip", above=0)
        require_number(self.entropy_bonus, name="entropy_bonus", low=0)


def _check(options: LeaderPolicyGradient | LeaderPPO) -> None:
    require_number(options.step_size, name="step_size", above=0)
    require_integer(options.iterations, name="iterations", low=0)
    require_integer(options.episodes, name="episodes", low=1)
    if options.discount is not None:
        require_number(options.discount, name="discount", low=0, high=1)


class SoftmaxLeader:
    """The leader of ``LeaderPolicyGradient`` or ``LeaderPPO`` on one stage, uniform at first."""

    def __init__(self, stage: Stage, options: LeaderPolicyGradient | LeaderPPO) -> None:
        self._options = options
        self._legal = stage.leader_legal
        own = options.discount
        self._discount = float(stage.view.discount if own is None else own)
        self._logits: Floats = np.zeros(self._legal.shape)
        self._optimizer = adam(self._legal.shape)

    @property
    def name(self) -> str:
        """Of the algorithm."""
        return "PPO" if isinstance(self._options, LeaderPPO) else "policy gradient"

    @property
    def iterations(self) -> int:
        """How many iterations are meant to be made."""
        return self._options.iterations

    def improve(
        self, meeting: Meeting, rng: np.random.Generator
    ) -> tuple[Mapping[str, float], int]:
        """Play a batch of episodes and learn from it."""
        policy = self.lotteries()
        which = np.zeros(self._options.episodes, dtype=np.int64)
        encounter = meeting.hold(policy[None], which, rng)
        decisions = encounter.decisions(self._discount)
        if isinstance(self._options, LeaderPPO):
            self._climb_clipped(self._options, decisions, rng)
        else:
            self._climb(self._options, policy, decisions)
        means = encounter.returns.mean(axis=0)
        metrics = {
            "return/leader": float(means[0]),
            "return/follower": float(means[1]),
            "entropy/leader": float(entropies(self.lotteries()).mean()),
        }
        return metrics, encounter.steps

    def _climb(self, options: LeaderPolicyGradient, policy: Floats, decisions: Decisions) -> None:
        advantages = decisions.credits - decisions.baselines * options.has_baseline
        samples = Samples(decisions.observations, decisions.actions, advantages)
        gradient = reinforce_gradient(policy, samples, episodes=options.episodes)
        self._logits = self._logits + options.step_size * gradient

    def _climb_clipped(
        self, options: LeaderPPO, decisions: Decisions, rng: np.random.Generator
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

    def lotteries(self) -> Floats:
        """Return the softmax policy."""
        return softmax_policy(self._logits, self._legal)

    def snapshot(self) -> Snapshot:
        """Return logits and optimizer."""
        return {"logits": self._logits.copy(), "optimizer": adam_record(self._optimizer)}

    def restore(self, snapshot: Snapshot) -> None:
        """Take them back."""
        require_fitting(snapshot, self.snapshot())
        self._logits = snapshot["logits"].copy()
        self._optimizer = adam_from_record(snapshot["optimizer"])
