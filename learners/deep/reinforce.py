"""REINFORCE: the policy gradient of whole episodes, with or without a baseline."""

from collections.abc import Iterable, Mapping

import numpy as np

from learners.advantages import returns_to_go
from learners.batch import AtHorizon, BatchedEnvironment
from learners.deep.actors import Actor
from learners.deep.agents import Behavior, Sharing
from learners.deep.lessons import learn, lesson, reread
from learners.deep.losses import Sloped, squared_error
from learners.deep.network_shapes import NetworkShape
from learners.deep.optimization import Adam, Device
from learners.deep.policy_learning import PolicyLearner
from learners.deep.rollouts import Experience, first_episodes, rollout_buffer
from learners.options import Count, NotNegative, Positive, checked
from learners.schedules import Schedule


@checked
class Reinforce(PolicyLearner):
    """REINFORCE: one step along the policy gradient for each batch of whole episodes.

    Each iteration plays one episode in each place of the batch. Every own decision is credited
    with what was paid after it, less what the baseline expected there. Without a baseline's help
    the gradient is that of the expected discounted return itself, only noisier.

    Args:
        learns, sharing, others, network, step_size: As for ``PPO``.
        discount, value_weight, entropy_weight, max_gradient_norm: As for ``PPO``.
        device, rng: As for ``PPO``.
        has_baseline: Whether a second network, of the same shape, learns what to expect.
        max_steps: Episodes that do not end within so many steps count as if they had.

    Metrics: "return/<player>", "length", "loss/policy", "entropy", "gradient norm", "loss/value"
    with a baseline, "step size", and "environment steps" so far. With several agents, the names end
    in "/<agent>".

    Source: :cite:`williams1992simple`.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from learners.batches import batched
    >>> game = RepeatedGame.of("prisoners_dilemma", rounds=2)
    >>> learner = Reinforce(batched(game, episodes=8, seed=1), rng=np.random.default_rng(1))
    >>> learner.improve()["length"]
    2.0
    """

    name = "REINFORCE"

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        learns: Iterable[int] | None = None,
        sharing: Sharing = Sharing.SEPARATE,
        others: Mapping[int, Behavior] | None = None,
        network: NetworkShape | None = None,
        step_size: float | Schedule = 1e-3,
        discount: float | None = None,
        has_baseline: bool = True,
        value_weight: NotNegative = 0.5,
        entropy_weight: NotNegative = 0.0,
        max_gradient_norm: Positive | None = None,
        max_steps: Count = 10_000,
        device: Device = Device.CPU,
        rng: np.random.Generator,
    ) -> None:
        self._weights = {"loss/value": value_weight, "entropy": -entropy_weight}
        self._max_gradient_norm = max_gradient_norm
        self._max_steps = max_steps
        super().__init__(
            environment,
            learns=learns,
            sharing=sharing,
            others=others,
            network=network or NetworkShape(),
            has_values=has_baseline,
            step_size=step_size,
            discount=discount,
            at_horizon=AtHorizon.ENDS,
            device=device,
            rng=rng,
        )

    def improve(self) -> Mapping[str, float]:
        """Play an episode in each place of the batch, and make one step."""
        group = self.group
        group.begin()
        return self.learn(group.play_out(max_steps=self._max_steps))

    def _learn(self, actor: Actor, optimizer: Adam, met: Experience) -> dict[str, float]:
        discount = self.discount
        counts = met.acts[:-1] & first_episodes(met.is_over)
        if not counts.any():
            return {}
        paid = returns_to_go(met.rewards, is_over=met.is_over, discount=discount)
        ages = np.arange(len(paid), dtype=np.float64)[:, None]
        weights = np.asarray(discount**ages * np.ones(paid.shape), dtype=np.float64)
        buffer = rollout_buffer(
            actor, met, advantages=paid - met.values[:-1], weights=weights, counts=counts
        )
        read = reread(actor, buffer)
        # The gradient of "loss/policy" is that of minus the expected return, summed over the
        # agent's players: - sum discount^t A log share / episodes.
        episodes = self.group.environment.num_episodes
        credit = buffer.weights * buffer.advantages * (int(buffer.is_real.sum()) / episodes)
        given = lesson(
            read,
            buffer,
            gained=Sloped(read.played.chosen * credit, credit),
            missed=squared_error(read.values, buffer.returns),
            weights=self._weights,
        )
        return learn(actor, optimizer, read, given, max_gradient_norm=self._max_gradient_norm)
