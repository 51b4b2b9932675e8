"""What learners of policies share: agents at play, their optimizers, how runs are resumed."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping

import numpy as np
import torch
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance, shown_players
from gametheory_core.errors import UnsupportedGame
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import AtHorizon, BatchedEnvironment
from learners.deep.actors import Actor, learned_policies, softmax_choice
from learners.deep.agents import Agent, Behavior, Sharing, agents_of, checked_others
from learners.deep.frozen import FrozenNetwork, frozen_network
from learners.deep.network_shapes import NetworkShape
from learners.deep.networks import Network
from learners.deep.optimization import Adam, Broken, Device, require_finite, torch_device
from learners.deep.rollouts import ActorGroup, Experience
from learners.options import Share, checked
from learners.policies import require_environment
from learners.schedules import Schedule, as_step_schedule
from learners.snapshots import Kept

FIRST_POLICY_SCALE = 0.01  # first policies are nearly uniform
ADAM_FLOOR = 1e-5  # added to the root of Adam's second moment


@checked
class PolicyLearner(Kept, ABC):
    """Agents at play in a batch of episodes, each with networks and an optimizer.

    Args:
        environment, learns, sharing, others, network, step_size, discount, at_horizon, device, rng:
            As the learners say.
        has_values: Whether agents have a value network, too.
        num_labels: How many labels the policy networks tell apart; see ``Network``.

    Attributes:
        group (ActorGroup)
    """

    KEPT = ("group", "_optimizers", "_made", "_played")

    name = "PolicyLearner"

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        learns: Iterable[int] | None,
        sharing: Sharing,
        others: Mapping[int, Behavior] | None,
        network: NetworkShape,
        has_values: bool,
        num_labels: int = 0,
        step_size: float | Schedule,
        discount: Share | None,
        at_horizon: AtHorizon,
        device: Device,
        rng: np.random.Generator,
    ) -> None:
        require_instance(network, NetworkShape, name="network")
        require_environment(environment)
        self.discount = environment.discount if discount is None else float(discount)
        self._step_size = as_step_schedule(step_size)
        agents = agents_of(
            environment, learns=learns, sharing=sharing, remembers_actions=network.is_recurrent
        )
        self._others = checked_others(environment, agents, others)
        place = torch_device(device)
        actors = tuple(
            _actor(
                agent,
                environment,
                network,
                has_values=has_values,
                num_labels=num_labels,
                rng=rng,
                device=place,
            )
            for agent in agents
        )
        self._optimizers = tuple(
            Adam(
                [network.layers for network in actor.networks.values()],
                step_size=self._step_size.at(0),
                floor=ADAM_FLOOR,
            )
            for actor in actors
        )
        self.group = ActorGroup(
            environment,
            actors,
            self._others,
            looks_beyond=at_horizon is AtHorizon.CONTINUES,
            rng=rng,
        )
        self._made = 0
        self._played = 0

    @abstractmethod
    def _learn(self, actor: Actor, optimizer: Adam, met: Experience) -> dict[str, float]:
        """Let an actor's networks learn from what it met; return metrics."""

    def learn(self, experiences: tuple[Experience, ...]) -> Mapping[str, float]:
        """Let each agent learn from what it met; return all metrics, or the one that broke."""
        actors = self.group.actors
        step_size = self._step_size.at(self._made)
        self._made += 1
        self._played += experiences[0].is_over.shape[0] * self.group.environment.num_episodes
        metrics = self.group.tally.metrics()
        for actor, optimizer, met in zip(actors, self._optimizers, experiences, strict=True):
            ending = f"/{actor.agent.name}" if len(actors) > 1 else ""
            optimizer.step_size = step_size
            try:
                self._require_finite_rewards(actor.agent, met)
                with np.errstate(all="ignore"):  # what breaks is named
                    own = self._learn(actor, optimizer, met)
            except Broken as broken:
                named = "" if broken.quantity.startswith("reward/") else ending
                return {f"{broken.quantity}{named}": broken.value}
            metrics |= {f"{name}{ending}": value for name, value in own.items()}
        return {**metrics, "step size": step_size, "environment steps": float(self._played)}

    def _require_finite_rewards(self, agent: Agent, met: Experience) -> None:
        for k, player in enumerate(agent.players):
            paid = float(met.rewards[:, k :: len(agent.players)].sum())
            require_finite(f"reward/{shown_players(self.group.environment.players)[player]}", paid)

    def policies(self) -> PolicyProfile:
        """Return what was learned, one policy a player, exact."""
        return learned_policies(
            self.group.environment,
            {actor.agent: actor.policy for actor in self.group.actors},
            self._others,
            self.group.legality,
        )

    def frozen(self) -> NDArray[np.float64] | FrozenNetwork:
        """Return how the first agent plays now, for good."""
        actor = self.group.actors[0]
        return frozen_network(actor.agent, actor.policy, self.group.legality, softmax_choice)


def require_decisions(counts: NDArray[np.bool_], actor: Actor, *, steps: int) -> None:
    """Refuse rollouts of so many steps in which no own decision counts."""
    if not counts.any():
        raise UnsupportedGame(
            needs="rollouts in which players move again after having moved",
            found=f"{actor.agent.name!r} does not within steps = {steps}",
            remedy="Give more steps.",
        )


def _actor(
    agent: Agent,
    environment: BatchedEnvironment,
    shape: NetworkShape,
    *,
    has_values: bool,
    num_labels: int,
    rng: np.random.Generator,
    device: torch.device,
) -> Actor:
    policy = Network(
        agent.encoding,
        outputs=agent.num_actions,
        num_labels=num_labels,
        shape=shape,
        output_scale=FIRST_POLICY_SCALE,
        rng=rng,
        device=device,
    )
    value = (
        Network(agent.encoding, outputs=1, shape=shape, output_scale=1.0, rng=rng, device=device)
        if has_values
        else None
    )
    return Actor(agent, policy=policy, value=value, episodes=environment.num_episodes)
