"""REINFORCE: climb the return by what actions were followed by (Williams 1992)."""

from collections.abc import Mapping
from enum import Enum

import numpy as np

from gametheory_core.arguments import require_integer, require_member, require_number
from gametheory_core.labels import shown_players
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import BatchedEnvironment, Snapshot
from learners.gradients.adam import (
    Adam,
    adam,
    adam_change,
    adam_seen,
)
from learners.gradients.advantages import (
    Credit,
    StepWeights,
    credited_returns,
    returns_to_go,
    step_weights,
)
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
from learners.gradients.updates import Samples, reinforce_gradient
from learners.gradients.value_means import ValueMeans, value_means


class Baseline(Enum):
    """What is taken off returns; the value says it in words."""

    NONE = "nothing"
    OBSERVATION = "what the observation has been followed by in earlier iterations"


class Ascent(Enum):
    """How a step is made of a gradient; the value says it in words."""

    GRADIENT = "step_size times the gradient"
    ADAM = "by Adam: about step_size in each logit"


class TabularReinforce:
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

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from learners.batched import batched
    >>> from learners.training import train
    >>> play = batched(RepeatedGame.of("prisoners_dilemma"), episodes=64, seed=1)
    >>> learner = TabularReinforce(play, step_size=0.5, rng=np.random.default_rng(1))
    >>> learned = train(learner, iterations=60)
    >>> [float(dict(policy[((),)].items)["defect"]) > 0.95 for policy in learned.policies]
    [True, True]
    """

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        rng: np.random.Generator,
        step_size: float = 0.1,
        ascent: Ascent = Ascent.GRADIENT,
        discount: float | None = None,
        weights: StepWeights = StepWeights.DISCOUNTED,
        credit: Credit = Credit.TO_GO,
        baseline: Baseline = Baseline.OBSERVATION,
        baseline_step: float = 0.1,
        entropy_bonus: float = 0.0,
        longest: int = 10_000,
        learns: tuple[int, ...] | None = None,
        others: Others | None = None,
    ) -> None:
        require_number(step_size, name="step_size", above=0)
        require_number(baseline_step, name="baseline_step", above=0, high=1)
        require_number(entropy_bonus, name="entropy_bonus", low=0)
        require_integer(longest, name="longest", low=1)
        for kind, value, option in (
            (Ascent, ascent, "ascent"),
            (StepWeights, weights, "weights"),
            (Credit, credit, "credit"),
            (Baseline, baseline, "baseline"),
        ):
            require_member(value, kind, name=option)
        if discount is not None:
            require_number(discount, name="discount", low=0, high=1)
        self._seats = Seats(environment, learns=learns, others=others)
        self._environment = environment
        self._rng = rng
        self._step_size, self._ascent = step_size, ascent
        self._discount = float(environment.discount if discount is None else discount)
        self._weights, self._credit = weights, credit
        self._baseline, self._baseline_step = baseline, baseline_step
        self._entropy_bonus, self._longest = entropy_bonus, longest
        logits = self._seats.logits
        self._optimizers: dict[int, Adam] = {i: adam(own.shape) for i, own in logits.items()}
        self._values: dict[int, ValueMeans] = {i: value_means(len(z)) for i, z in logits.items()}

    @property
    def name(self) -> str:
        """Name of the algorithm."""
        return "REINFORCE"

    def improve(self) -> Mapping[str, float]:
        """Make one iteration; see the notes for what it returns."""
        tables = self._seats.tables()
        rollout = play_episodes(self._environment, tables, rng=self._rng, longest=self._longest)
        metrics = rollout_metrics(rollout, shown_players(self._environment.players))
        for player in self._seats.learns:
            note_legal(self._seats, rollout, player)
            self._learn(player, rollout, metrics)
        return metrics

    def _learn(self, player: int, rollout: Rollout, metrics: dict[str, float]) -> None:
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
        label = shown_players(self._environment.players)[player]
        metrics[f"gradient/{label}"] = float(np.linalg.norm(gradient))
        if len(samples.observations):
            metrics[f"entropy/{label}"] = float(entropies(table)[samples.observations].mean())

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
