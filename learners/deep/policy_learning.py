"""What learners of policies share: roles at play, their optimizers, and how a run is resumed."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
import torch

from gametheory_core.arguments import require_instance, require_member, require_number
from gametheory_core.labels import shown_players
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import BatchedEnvironment, Snapshot
from learners.deep.actors import Actor
from learners.deep.casts import Cast, Experience
from learners.deep.devices import Device, torch_device
from learners.deep.gradient_step import Broken, require_finite
from learners.deep.networks import Network, NetworkShape
from learners.deep.neural_policies import learned_policies
from learners.deep.roles import Behavior, Role, Sharing, checked_others, roles_of
from learners.deep.snapshots import optimizer_state, restore_optimizer
from learners.horizon import AtHorizon
from learners.schedules import Schedule, as_step_schedule

FIRST_POLICY_SCALE = 0.01  # first policies are nearly uniform
ADAM_FLOOR = 1e-5  # added to the root of Adam's second moment

# What an actor met -> metrics, after its networks have learned from it.
Learn: TypeAlias = Callable[[Actor, torch.optim.Optimizer, Experience], dict[str, float]]


class PolicyLearning:
    """Roles at play in a batch of episodes, each with networks and an optimizer.

    Args:
        environment, learns, sharing, others, network, step_size, discount, at_horizon, device, rng:
            As the learners say.
        has_values: Whether roles have a value network, too.
        function: The learner, for messages.

    Attributes:
        cast (Cast)
    """

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        learns: Iterable[int] | None,
        sharing: Sharing,
        others: Mapping[int, Behavior] | None,
        network: NetworkShape,
        has_values: bool,
        step_size: float | Schedule,
        discount: float | None,
        at_horizon: AtHorizon,
        device: Device,
        rng: np.random.Generator,
    ) -> None:
        require_instance(network, NetworkShape, name="network")
        require_member(at_horizon, AtHorizon, name="at_horizon")
        require_instance(rng, np.random.Generator, name="rng")
        if discount is not None:
            require_number(discount, name="discount", low=0, high=1)
        self.discount = environment.discount if discount is None else float(discount)
        self._step_size = as_step_schedule(step_size)
        roles = roles_of(
            environment,
            learns=learns,
            sharing=sharing,
            remembers_actions=network.is_recurrent,
        )
        self._others = checked_others(environment, roles, others)
        place = torch_device(device)
        actors = tuple(
            _actor(role, environment, network, has_values=has_values, rng=rng, device=place)
            for role in roles
        )
        self._optimizers = tuple(
            torch.optim.Adam(
                [each for part in actor.networks.values() for each in part.parameters],
                lr=self._step_size.at(0),
                eps=ADAM_FLOOR,
                fused=True,
            )
            for actor in actors
        )
        self.cast = Cast(
            environment,
            actors,
            self._others,
            looks_beyond=at_horizon is AtHorizon.GOES_ON,
            rng=rng,
        )
        self._made = 0
        self._played = 0

    def learn(self, experiences: tuple[Experience, ...], learn: Learn) -> Mapping[str, float]:
        """Let each role learn from what it met; return all metrics, or the one that broke."""
        actors = self.cast.actors
        step_size = self._step_size.at(self._made)
        self._made += 1
        self._played += experiences[0].is_over.shape[0] * self.cast.environment.num_episodes
        metrics = self.cast.tally.metrics()
        for actor, optimizer, met in zip(actors, self._optimizers, experiences, strict=True):
            ending = f"/{actor.role.name}" if len(actors) > 1 else ""
            for group in optimizer.param_groups:
                group["lr"] = step_size
            try:
                self._require_finite_rewards(actor.role, met)
                own = learn(actor, optimizer, met)
            except Broken as broken:
                named = "" if broken.quantity.startswith("reward/") else ending
                return {f"{broken.quantity}{named}": broken.value}
            metrics |= {f"{name}{ending}": value for name, value in own.items()}
        return {**metrics, "step size": step_size, "environment steps": float(self._played)}

    def _require_finite_rewards(self, role: Role, met: Experience) -> None:
        for k, player in enumerate(role.players):
            own = torch.from_numpy(met.rewards[:, k :: len(role.players)])
            require_finite(f"reward/{shown_players(self.cast.environment.players)[player]}", own)

    def policies(self) -> PolicyProfile:
        """Return what was learned, one policy a player, exact."""
        return learned_policies(
            self.cast.environment,
            {actor.role: actor.policy for actor in self.cast.actors},
            self._others,
            self.cast.legality,
        )

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here."""
        return {
            "cast": self.cast.snapshot(),
            "optimizers": [optimizer_state(each) for each in self._optimizers],
            "made": self._made,
            "played": self._played,
        }

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        self.cast.restore(snapshot["cast"])
        states: list[Mapping[str, Any]] = list(snapshot["optimizers"])
        for optimizer, state in zip(self._optimizers, states, strict=True):
            restore_optimizer(optimizer, state)
        self._made = int(snapshot["made"])
        self._played = int(snapshot["played"])


def _actor(
    role: Role,
    environment: BatchedEnvironment,
    shape: NetworkShape,
    *,
    has_values: bool,
    rng: np.random.Generator,
    device: torch.device,
) -> Actor:
    policy = Network(
        role.encoding,
        outputs=role.num_actions,
        shape=shape,
        output_scale=FIRST_POLICY_SCALE,
        rng=rng,
        device=device,
    )
    value = (
        Network(role.encoding, outputs=1, shape=shape, output_scale=1.0, rng=rng, device=device)
        if has_values
        else None
    )
    return Actor(role, policy=policy, value=value, episodes=environment.num_episodes)
