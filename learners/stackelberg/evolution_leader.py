"""A leader who learns by evolution strategies: he varies his logits and keeps what paid.

Only returns of whole episodes count, so that it makes no difference whether queries are seen.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gametheory_core.arguments import require_integer, require_number
from gametheory_core.errors import InvalidArgument
from learners.batch import Snapshot
from learners.gradients.softmax import entropies, softmax_policy
from learners.snapshots import require_fitting
from learners.stackelberg.encounters import Meeting
from learners.stackelberg.offers import Floats
from learners.stackelberg.stage import Stage


@dataclass(frozen=True)
class LeaderEvolution:
    """Options of a leader who learns by evolution strategies.

    Attributes:
        spread: Standard deviation of the logits that are tried. Wide ones try policies that are
            nearly deterministic; narrow ones stay near the mean.
        step_size: How far the mean moves, in units of ``spread``.
        population: Policies tried in an iteration; even, as each comes with its mirror image.
        episodes: For each policy.

    Source: :cite:`salimans2017evolution`.
    """

    spread: float = 1.5
    step_size: float = 0.5
    population: int = 20
    episodes: int = 3
    iterations: int = 60

    def __post_init__(self) -> None:
        require_number(self.spread, name="spread", above=0)
        require_number(self.step_size, name="step_size", above=0)
        require_integer(self.population, name="population", low=2)
        require_integer(self.episodes, name="episodes", low=1)
        require_integer(self.iterations, name="iterations", low=0)
        if self.population % 2:  # each comes with its mirror image
            raise InvalidArgument(
                needs="an even population",
                found=f"got {self.population}",
                remedy="Add one.",
            )


class EvolutionLeader:
    """The leader of ``LeaderEvolution`` on one stage, uniform at first."""

    def __init__(self, stage: Stage, options: LeaderEvolution) -> None:
        self._options = options
        self._legal = stage.leader_legal
        self._logits: Floats = np.zeros(self._legal.shape)

    @property
    def name(self) -> str:
        """Of the algorithm."""
        return "evolution strategies"

    @property
    def iterations(self) -> int:
        """How many iterations are meant to be made."""
        return self._options.iterations

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
        fitness = encounter.returns[:, 0].reshape(options.population, -1).mean(axis=1)
        shares = _centered_ranks(fitness)
        change = np.tensordot(shares, noise, axes=1) / options.population
        self._logits = self._logits + options.step_size * options.spread * change
        means = encounter.returns.mean(axis=0)
        metrics = {
            "return/leader": float(means[0]),
            "return/follower": float(means[1]),
            "entropy/leader": float(entropies(self.lotteries()).mean()),
        }
        return metrics, encounter.steps

    def lotteries(self) -> Floats:
        """Return the policy in the middle."""
        return softmax_policy(self._logits, self._legal)

    def snapshot(self) -> Snapshot:
        """Return the logits in the middle."""
        return {"logits": self._logits.copy()}

    def restore(self, snapshot: Snapshot) -> None:
        """Take them back."""
        require_fitting(snapshot, self.snapshot())
        self._logits = snapshot["logits"].copy()


def _centered_ranks(fitness: Floats) -> Floats:
    """Return ranks of mean zero and spread one; equals share theirs, and all equal are zero."""
    _, place, counts = np.unique(fitness, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts + 1) / 2)[place]
    centered: Floats = ranks - ranks.mean()
    spread = centered.std()
    return centered / spread if spread > 0 else centered
