"""Regularized Nash dynamics: self-play whose last policies, not their mean, come to equilibrium.

Of two players in a zero-sum game, each is paid ``-eta log(pi / anchor)`` more for an action, and
what the other pays for theirs: the game stays zero-sum, and now policies that follow their
advantages come to rest, at the one equilibrium of the regularized game. Then the anchor is moved
there, and so on: the rests come closer and closer to an equilibrium of the game itself. Without the
regularization (``eta = 0``) policies circle.

Logits are moved by *neural replicator dynamics*: each by the advantage of its action, however
likely that is, rather than by that times the probability, as the policy gradient does. Where every
action is known, that is the replicator equation. An advantage is estimated without bias from the
one action played, with ``V`` values and ``T`` V-trace's target of what follows,

    Q(a) = V - eta log(pi(a) / anchor(a)) + 1[a played] / pi(a) * (r + g T - V),

where ``r`` is without the own regularization, which is known of every action.

Sources: :cite:`perolat2022stratego`; :cite:`hennes2020neural`, equation (7).
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from learners.advantages import known_decisions, v_trace
from learners.batch import AtHorizon, BatchedEnvironment
from learners.deep.actors import Actor
from learners.deep.agents import Sharing, encode
from learners.deep.networks import Network, NetworkShape, log_probabilities
from learners.deep.optimization import Adam, Device, gradient_step
from learners.deep.policy_learning import PolicyLearner, require_decisions
from learners.deep.rollouts import Experience, mean_over, rollout_buffer
from learners.options import Count, NotNegative, Positive, checked
from learners.schedules import Schedule

ROUNDING = 1e-9  # of rewards that sum to zero, relative to the largest
WITHOUT_MOMENTUM = (0.0, 0.999)  # Adam's betas: momentum carries policies past where they rest


@checked
class RegularizedNashDynamics(PolicyLearner):
    """R-NaD: regularized Nash dynamics, for both players of a zero-sum game.

    Each iteration plays ``steps`` steps of all episodes, and makes one step of neural replicator
    dynamics and of the values.

    Args:
        sharing, network, steps, step_size: As for ``PPO``. Networks have no memory.
        discount, value_weight, max_gradient_norm, at_horizon: As for ``PPO``.
        device, rng: As for ``PPO``.
        regularization: ``eta``, in units of reward for a nat.
        anchor_every: Updates from one anchor to the next.
        largest_advantage: Where advantages are cut.
        largest_logit: Logits are pushed no further than this from their mean: where a logit is
            beyond, only advantages that bring it back count.

    Metrics: "return/<player>" and "length" of the episodes finished in the rollout, "loss/policy",
    "loss/value" (half the mean squared error), "distance" (mean divergence of the policy from the
    anchor, nats), "gradient norm", "step size", and "environment steps" so far. With several
    agents, the names end in "/<agent>".

    Raises:
        InvalidArgument: If an option makes no sense.
        UnsupportedGame: If there are not two players; by ``improve``, if rewards do not sum to
            zero.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from learners import batched
    >>> batch = batched(RepeatedGame.of("matching_pennies", rounds=1), episodes=4, seed=1)
    >>> learner = RegularizedNashDynamics(batch, steps=2, rng=np.random.default_rng(1))
    >>> learner.improve()["environment steps"]
    8.0
    """

    KEPT = (*PolicyLearner.KEPT, "_anchors")

    name = "RegularizedNashDynamics"

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        sharing: Sharing = Sharing.SEPARATE,
        network: NetworkShape | None = None,
        steps: Count = 8,
        regularization: NotNegative = 0.2,
        anchor_every: Count = 100,
        step_size: float | Schedule = 1e-3,
        discount: float | None = None,
        value_weight: NotNegative = 0.5,
        largest_advantage: Positive = 1e4,
        largest_logit: Positive = 2.0,
        max_gradient_norm: Positive | None = 0.5,
        at_horizon: AtHorizon = AtHorizon.ENDS,
        device: Device = Device.CPU,
        rng: np.random.Generator,
    ) -> None:
        if network is not None and network.is_recurrent:
            raise InvalidArgument(
                needs="a network without a memory: that of the anchor would have to be kept, too",
                found=f"got recurrence {network.recurrence.value!r}",
                where="network",
            )
        self._steps, self._anchor_every = steps, anchor_every
        self._eta = float(regularization)
        self._cuts = {"largest_advantage": largest_advantage, "largest_logit": largest_logit}
        self._weights = {"loss/value": float(value_weight)}
        self._max_gradient_norm = max_gradient_norm
        super().__init__(
            environment,
            learns=None,
            sharing=sharing,
            others=None,
            network=network or NetworkShape(),
            has_values=True,
            step_size=step_size,
            discount=discount,
            at_horizon=at_horizon,
            device=device,
            rng=rng,
        )
        if len(environment.players) != 2:
            raise UnsupportedGame(
                needs="two players of a zero-sum game",
                found=f"there are {len(environment.players)}",
                remedy="Against bots, give self_play = 1.",
            )
        for own in self._optimizers:
            own.memory = WITHOUT_MOMENTUM
        self._anchors = tuple(actor.policy.copy() for actor in self.group.actors)

    def improve(self) -> Mapping[str, float]:
        """Play a rollout and make one step; now and then, move the anchor."""
        metrics = self.learn(self._regularized(self.group.play(self._steps)))
        if self._made % self._anchor_every == 0:
            for anchor, actor in zip(self._anchors, self.group.actors, strict=True):
                anchor.restore(actor.policy.snapshot())
        return metrics

    def _regularized(self, experiences: tuple[Experience, ...]) -> tuple[Experience, ...]:
        """Return what was met, with the rewards of the regularized game."""
        shape = (*experiences[0].acts[:-1].shape[:1], self.group.environment.num_episodes, 2)
        paid, distances = np.zeros(shape), np.zeros(shape)
        for actor, anchor, met in zip(self.group.actors, self._anchors, experiences, strict=True):
            seats = list(actor.agent.players)
            found = np.where(met.acts[:-1], met.log_shares - _anchored(actor, anchor, met), 0.0)
            for to, own in ((paid, met.rewards), (distances, found)):
                to[:, :, seats] = own.reshape(*shape[:2], len(seats))
        _require_zero_sum(paid)
        paid += self._eta * (distances[..., ::-1] - distances)
        return tuple(
            replace(met, rewards=paid[:, :, list(actor.agent.players)].reshape(met.rewards.shape))
            for actor, met in zip(self.group.actors, experiences, strict=True)
        )

    def _learn(self, actor: Actor, optimizer: Adam, met: Experience) -> dict[str, float]:
        counts = known_decisions(acts=met.acts, is_over=met.is_over)
        require_decisions(counts, actor, steps=self._steps)
        traced = v_trace(
            rewards=met.rewards,
            values=met.values,
            beyond=met.beyond,
            acts=met.acts,
            is_over=met.is_over,
            ratios=np.ones(counts.shape),
            discount=self.discount,
        )
        buffer = rollout_buffer(actor, met, advantages=traced.advantages, counts=counts)
        logits = actor.policy(buffer.inputs, buffer.policy_memory).outputs
        anchor = self._anchors[self.group.actors.index(actor)]
        with torch.no_grad():
            shares = log_probabilities(logits, buffer.legal)
            fixed = anchor(buffer.inputs, buffer.policy_memory).outputs
            distances = torch.where(
                buffer.legal, shares - log_probabilities(fixed, buffer.legal), 0.0
            )
            advantages = estimated_advantages(
                shares, self._eta * distances, buffer.actions, buffer.advantages
            )
            pushes = replicator_pushes(logits, advantages, buffer.legal, **self._cuts)
        value = actor.networks["value"](buffer.inputs, buffer.value_memory).outputs[..., 0]
        moved = (torch.where(buffer.legal, logits, 0.0) * pushes).sum(dim=-1)
        losses = {
            "loss/policy": -mean_over(moved, buffer.is_real),
            "loss/value": mean_over(0.5 * (value - buffer.returns).square(), buffer.is_real),
        }
        metrics = gradient_step(
            optimizer,
            actor.networks,
            losses,
            weights=self._weights,
            max_gradient_norm=self._max_gradient_norm,
        )
        distance = mean_over((shares.exp() * distances).sum(dim=-1), buffer.is_real)
        return metrics | {"distance": float(distance)}


def estimated_advantages(
    log_shares: torch.Tensor, costs: torch.Tensor, actions: torch.Tensor, gained: torch.Tensor
) -> torch.Tensor:
    """Return unbiased estimates of the advantages of all actions, (..., A), in units of reward.

    Args:
        log_shares (..., A): Of the policy that played; minus infinity where not legal.
        costs (..., A): What each action costs by regularization.
        actions (...): Played.
        gained (...): What was gained beyond the value, the action's cost taken off.
    """
    played = torch.nn.functional.one_hot(actions, log_shares.shape[-1]).to(costs.dtype)
    own = (costs * played).sum(dim=-1)
    share = log_shares.gather(-1, actions[..., None])[..., 0].exp()
    worth = played * ((gained + own) / share)[..., None] - costs
    return worth - (log_shares.exp() * worth).sum(dim=-1, keepdim=True)


def replicator_pushes(
    logits: torch.Tensor,
    advantages: torch.Tensor,
    legal: torch.Tensor,
    *,
    largest_advantage: float,
    largest_logit: float,
) -> torch.Tensor:
    """Return by how much each logit is pushed, (..., A): its advantage, cut; 0 if not legal.

    Nothing is pushed further away that is more than ``largest_logit`` from the legal mean.
    """
    counts = legal.sum(dim=-1, keepdim=True)
    mean = torch.where(legal, logits, 0.0).sum(dim=-1, keepdim=True) / counts
    away = logits - mean
    pushes = advantages.clamp(-largest_advantage, largest_advantage)
    is_spent = (away.abs() > largest_logit) & (away * pushes > 0)
    return torch.where(legal & ~is_spent, pushes, 0.0)


@torch.no_grad()
def _anchored(actor: Actor, anchor: Network, met: Experience) -> NDArray[np.float64]:
    """Return the anchor's log probability of each action played, (T, R)."""
    steps, lanes = met.actions.shape
    marks = np.broadcast_to(actor.marks, (steps, lanes))
    inputs = encode(
        actor.agent.encoding, met.observations[:-1], marks, met.previous, device=anchor.device
    )
    legal = torch.from_numpy(met.legal).to(anchor.device)
    shares = log_probabilities(anchor(inputs, anchor.blank_memory(lanes)).outputs, legal)
    actions = torch.from_numpy(met.actions).to(anchor.device)
    chosen = shares.gather(-1, actions[..., None])[..., 0]
    return chosen.cpu().numpy().astype(np.float64)


def _require_zero_sum(paid: NDArray[np.float64]) -> None:
    """Refuse rewards (T, E, 2) that do not sum to zero."""
    sums = paid.sum(axis=-1)
    if (np.abs(sums) > ROUNDING * np.abs(paid).max(initial=1.0)).any():
        t, e = np.unravel_index(int(np.abs(sums).argmax()), sums.shape)
        raise UnsupportedGame(
            needs="a zero-sum game",
            found=f"a step paid {shown(paid[t, e].tolist())}",
            remedy="In repeated rock-paper-scissors, give self_play = 1: no match against bots.",
        )
