"""A leader with a network, who learns by DQN from his own episodes; needs torch."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np

from gametheory_core.arguments import require_integer, require_number, shown_players
from learners.batch import Snapshot
from learners.leaders.encounters import Meeting
from learners.leaders.leader_environment import LeaderEnvironment
from learners.leaders.offers import Floats
from learners.learner import Learner
from learners.streams import child_stream


@dataclass(frozen=True)
class LeaderDQNOptions:
    """Options of a leader who learns by DQN, and plays greedily in the end.

    Observations are the leader's alone, so that a query and a step that look alike have one value;
    targets over whole episodes (``span``) do without the values of what follows.

    Attributes:
        exploration: How likely an answer or action is drawn at random, in [0, 1].
        episodes: At once.
        steps, updates: Of each iteration: steps of all episodes, then updates of the network.
        span: Steps that targets look ahead; default queries and steps of a whole episode.
        warm_up: Transitions before the first update.
        capacity: Transitions kept.
    """

    step_size: float = 0.005
    exploration: float = 0.2
    episodes: int = 20
    steps: int = 15
    updates: int = 10
    batch_size: int = 128
    span: int | None = None
    warm_up: int = 600
    capacity: int = 3000
    iterations: int = 100

    def __post_init__(self) -> None:
        require_number(self.step_size, name="step_size", above=0)
        require_number(self.exploration, name="exploration", low=0, high=1)
        for name in ("episodes", "steps", "updates", "batch_size", "warm_up", "capacity"):
            require_integer(getattr(self, name), name=name, low=1)
        require_integer(self.iterations, name="iterations", low=0)
        if self.span is not None:
            require_integer(self.span, name="span", low=1)


class NetworkLeader:
    """The leader of ``LeaderDQNOptions`` against the follower of one meeting."""

    def __init__(
        self, meeting: Meeting, options: LeaderDQNOptions, rng: np.random.Generator
    ) -> None:
        self._options = options
        self._stage = meeting.stage
        own, environment = child_stream(rng), child_stream(rng)
        self._learner = _learner(
            LeaderEnvironment(meeting, episodes=options.episodes, rng=environment), options, own
        )

    name = "DQN"

    @property
    def iterations(self) -> int:
        """How many iterations are meant to be made."""
        return self._options.iterations

    def improve(
        self, meeting: Meeting, rng: np.random.Generator
    ) -> tuple[Mapping[str, float], int]:
        """Play some steps of all episodes and make some updates."""
        del meeting, rng  # those it was made with
        found = dict(self._learner.improve())
        player = shown_players(self._stage.view.game.players)[self._stage.view.leader]
        found.pop("environment steps", None)
        if f"return/{player}" in found:
            found["return/leader"] = found.pop(f"return/{player}")
        return found, self._options.episodes * self._options.steps

    def probabilities(self) -> Floats:
        """Return the greedy policy, certain of each action."""
        view, legal = self._stage.view, self._stage.leader_legal
        labels = view.game.observations[view.leader]
        actions = view.game.actions[view.leader]
        (policy,) = self._learner.policies()
        table = np.zeros(legal.shape)
        for o in np.flatnonzero(legal.any(axis=1)).tolist():
            ((action, _),) = policy[(labels[o],)].items
            table[o, actions.index(action)] = 1.0
        return table

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here."""
        return self._learner.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        self._learner.restore(snapshot)


def _learner(
    environment: LeaderEnvironment, options: LeaderDQNOptions, rng: np.random.Generator
) -> Learner:
    from learners.deep.action_values import ValueOptions  # noqa: PLC0415 loads torch
    from learners.deep.dqn import DQN  # noqa: PLC0415 loads torch

    every = environment.num_queries + environment.num_steps
    span = every if options.span is None else options.span
    return cast(
        "Learner",
        DQN(
            environment,
            values=ValueOptions(step_size=options.step_size),
            span=span,
            exploration=options.exploration,
            steps=options.steps,
            updates=options.updates,
            batch_size=options.batch_size,
            warm_up=options.warm_up,
            capacity=options.capacity,
            rng=rng,
        ),
    )
