"""PPO with softmax policies in tables (Schulman et al. 2017)."""

from collections.abc import Mapping

import numpy as np

from gametheory_core.arguments import require_integer, require_number
from gametheory_core.labels import shown_players
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import BatchedEnvironment, Snapshot
from learners.gradients.adam import Adam, adam
from learners.gradients.advantages import generalized_advantages
from learners.gradients.bookkeeping import (
    LearnerState,
    note_legal,
    restore_state,
    rollout_metrics,
    state_record,
)
from learners.gradients.rollouts import Rollout, play_episodes
from learners.gradients.seats import Others, Seats
from learners.gradients.softmax import Table, entropies
from learners.gradients.updates import Samples, ppo_update
from learners.gradients.value_means import ValueMeans, value_means

SMALLEST_SPREAD = 1e-8  # of advantages, in payoff units: below it they are not divided by it


class TabularPPO:
    """Softmax policies in tables that climb a clipped surrogate some epochs a batch.

    An iteration plays an episode in each slot of the batch. Advantages are generalized, with
    values of observations as critic; the surrogate counts all decisions alike, as is customary.

    Args:
        environment: With numbered observations; policies see the last one.
        rng: Draws actions, and shuffles minibatches.
        step_size: Adam's, in logits.
        clip: How far ratios of new to old probabilities count, above 0.
        discount: Default: the environment's.
        trace: ``lambda`` of the advantages, in [0, 1].
        value_step: How far values move towards the last iteration's mean of advantage plus value.
        entropy_bonus: Weight of the mean entropy where the player acted.
        divergence_limit: No epoch begins once the mean divergence from the old policy exceeds it,
            in nats.
        normalizes: Whether advantages of a batch are shifted to mean 0 and scaled to standard
            deviation 1.
        longest: Steps within which episodes must end.
        learns: Who learns; default: all players, independently.
        others: For players who do not learn, player -> probabilities (O, A); those left out play
            uniformly.

    Raises:
        InvalidArgument: If an option makes no sense.
        UnsupportedGame: If observations are not numbered, or episodes do not end.

    Metrics: "return/<player>", mean undiscounted return; "length", mean steps of an episode;
    "loss/<player>", minus the clipped surrogate after the update; "value loss/<player>", mean
    squared error of the values before it; "divergence/<player>", mean divergence of the new policy
    from the old, in nats; "clipped/<player>", share of decisions whose ratio left the clip;
    "epochs/<player>"; "entropy/<player>", mean entropy in nats before the update.

    Sources:
        :cite:`schulman2017ppo`.
        :cite:`schulman2016gae`.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from learners.batched import batched
    >>> from learners.training import train
    >>> play = batched(RepeatedGame.of("prisoners_dilemma"), episodes=64, seed=1)
    >>> learned = train(TabularPPO(play, rng=np.random.default_rng(1)), iterations=10)
    >>> [float(dict(policy[((),)].items)["defect"]) > 0.95 for policy in learned.policies]
    [True, True]
    """

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        rng: np.random.Generator,
        step_size: float = 0.05,
        clip: float = 0.2,
        epochs: int = 10,
        minibatches: int = 1,
        discount: float | None = None,
        trace: float = 0.95,
        value_step: float = 0.5,
        entropy_bonus: float = 0.0,
        divergence_limit: float | None = None,
        normalizes: bool = True,
        longest: int = 10_000,
        learns: tuple[int, ...] | None = None,
        others: Others | None = None,
    ) -> None:
        require_number(step_size, name="step_size", above=0)
        require_number(clip, name="clip", above=0)
        require_number(trace, name="trace", low=0, high=1)
        require_number(value_step, name="value_step", above=0, high=1)
        require_number(entropy_bonus, name="entropy_bonus", low=0)
        for option, count in (
            ("epochs", epochs),
            ("minibatches", minibatches),
            ("longest", longest),
        ):
            require_integer(count, name=option, low=1)
        if discount is not None:
            require_number(discount, name="discount", low=0, high=1)
        if divergence_limit is not None:
            require_number(divergence_limit, name="divergence_limit", above=0)
        self._seats = Seats(environment, learns=learns, others=others)
        self._environment = environment
        self._rng = rng
        self._step_size, self._clip = step_size, clip
        self._epochs, self._minibatches = epochs, minibatches
        self._discount = float(environment.discount if discount is None else discount)
        self._trace, self._value_step = trace, value_step
        self._entropy_bonus, self._divergence_limit = entropy_bonus, divergence_limit
        self._normalizes, self._longest = normalizes, longest
        logits = self._seats.logits
        self._optimizers: dict[int, Adam] = {i: adam(own.shape) for i, own in logits.items()}
        self._values: dict[int, ValueMeans] = {i: value_means(len(z)) for i, z in logits.items()}

    @property
    def name(self) -> str:
        """Name of the algorithm."""
        return "tabular PPO"

    def improve(self) -> Mapping[str, float]:
        """Make one iteration; see the notes for what it returns."""
        rollout = play_episodes(
            self._environment, self._seats.tables(), rng=self._rng, longest=self._longest
        )
        metrics = rollout_metrics(rollout, shown_players(self._environment.players))
        for player in self._seats.learns:
            note_legal(self._seats, rollout, player)
            if rollout.acts[:, :, player].any():
                self._learn(player, rollout, metrics)
        return metrics

    def _learn(self, player: int, rollout: Rollout, metrics: dict[str, float]) -> None:
        label = shown_players(self._environment.players)[player]
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
        metrics[f"loss/{label}"] = -update.surrogate
        metrics[f"value loss/{label}"] = float((samples.advantages**2).mean())
        metrics[f"divergence/{label}"] = update.divergence
        metrics[f"clipped/{label}"] = update.clipped
        metrics[f"epochs/{label}"] = float(update.epochs)
        metrics[f"entropy/{label}"] = float(entropies(table)[samples.observations].mean())

    def _samples(
        self, player: int, rollout: Rollout
    ) -> tuple[Samples, "np.ndarray[tuple[int], np.dtype[np.float64]]"]:
        """Return decisions with their advantages, and what the critic is to learn."""
        acts = rollout.acts[:, :, player]
        seen = rollout.observations[:, :, player]
        values = self._values[player].values[seen]
        advantages = generalized_advantages(
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

    def policies(self) -> PolicyProfile:
        """Return all players' policies, exact; those who do not learn as they are."""
        return self._seats.policies()

    def table(self, player: int = 0) -> Table:
        """Return how a player plays now, a copy of shape (O, A)."""
        return self._seats.table(player).copy()

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here."""
        return state_record(self._state())

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of a learner made with the same options.

        Raises:
            InvalidArgument: If it is of a learner with other options.
        """
        restore_state(self._state(), snapshot)

    def _state(self) -> LearnerState:
        return LearnerState(
            self._environment, self._seats, self._optimizers, self._values, self._rng
        )
