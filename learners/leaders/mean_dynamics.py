"""A follower who climbs the gradient of her return, in the mean, anew against each leader.

Together with a leader who learns by evolution strategies from all that he earns while she learns,
this is the *Good Shepherd* of :cite:`balaguer2022good`: he is after followers who are led well on
their way, not only at its end.
"""

from dataclasses import dataclass

import numpy as np

from gametheory_core.leaders.follower_responses import FollowerClass
from gametheory_core.leaders.policies import DeterministicLeader, SimpleFollower
from learners.gradients.softmax import softmax_policy
from learners.leaders.encounters import Response, Untrained, follower_of, greedy_actions
from learners.leaders.offers import Answers, Floats, Offer, asked_once
from learners.leaders.stage import Stage, situations_of
from learners.options import Count, Positive, checked


@dataclass(frozen=True)
@checked
class MeanDynamicsOptions:
    """Options of a follower who climbs the exact gradient of her return, from a uniform policy.

    Attributes:
        step_size: Of her logits.
        steps: For each leader. Each counts as an episode of the game, though its return is computed
            and not played.
        follower_class: Whether she knows time.

    She knows the leader's mixed actions, where he draws afresh, and his answers, where he holds
    them; she learns them by no query that he would see.
    """

    step_size: Positive = 1.0
    steps: Count = 100
    follower_class: FollowerClass = FollowerClass.STATIONARY


class MeanDynamicsFollower(Untrained):
    """The follower of ``MeanDynamicsOptions`` on one stage; she keeps nothing between leaders."""

    def __init__(self, stage: Stage, options: MeanDynamicsOptions) -> None:
        self._stage = stage
        self._options = options
        self.situations = situations_of(stage, options.follower_class)

    name = "mean dynamics"

    asks_once = False

    tells_earnings = True

    def respond(self, offer: Offer, rng: np.random.Generator) -> Response:
        """Climb against each leader, and play the mixed actions that she comes to."""
        del rng  # nothing is drawn
        if offer.answers is Answers.FRESH:
            leaders, rows = offer.probabilities, offer.which
        else:
            plans, rows = np.unique(offer.plans, axis=0, return_inverse=True)
            leaders = self._as_probabilities(plans)
        logits, earned = self._climbed(leaders)
        rows = rows.reshape(-1).astype(np.int64)
        return Response(
            softmax_policy(logits, np.broadcast_to(self.situations.legal, logits.shape)),
            rows,
            np.zeros_like(asked_once(offer)),
            len(leaders) * self._options.steps * self._stage.view.horizon,
            earned[rows, 0],
        )

    def policy(self, leader: DeterministicLeader) -> SimpleFollower:
        """Return the likeliest actions that she comes to against a leader."""
        logits, _ = self._climbed(self._as_probabilities(np.array([leader.actions])))
        actions = greedy_actions(logits[0], self.situations.legal)
        return follower_of(self._stage, self.situations, self._options.follower_class, actions)

    def _as_probabilities(self, plans: np.ndarray) -> Floats:
        count = self._stage.leader_legal.shape[1]
        return (plans[:, :, None] == np.arange(count)) * 1.0

    def _climbed(self, leaders: Floats) -> tuple[Floats, Floats]:
        """Return logits (E, Z, B) after all steps, and what both earned on the way (E, 2)."""
        from learners._kernels.mean_dynamics import climb  # noqa: PLC0415 loads numba

        logits = np.zeros((len(leaders), *self.situations.legal.shape))
        earned = np.zeros((len(leaders), 2))
        own = self._options
        tables, situations = self._stage.tables, self.situations
        rewarded = np.ascontiguousarray(leaders, dtype=np.float64)
        climb(
            tables,
            rewarded,
            situations.numbers,
            situations.legal,
            logits,
            own.step_size,
            own.steps,
            earned,
        )
        return logits, earned
