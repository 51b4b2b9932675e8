"""Numbers as features: one-hot vectors of what players see, for those who learn functions."""

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.rules import InformationState
from learners.batch import BatchedEnvironment, BatchTurn, Snapshot


def features(environment: BatchedEnvironment) -> "OneHot":
    """Show an environment's numbered observations as vectors of one 1 and zeros.

    Args:
        environment: With numbered observations.

    Returns:
        Satisfies ``BatchedEnvironment``, with float32 observations (E, N, F).

    Raises:
        InvalidArgument: If observations are features already.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from learners.batches import batched
    >>> game = RepeatedGame.of("matching_pennies", rounds=3)
    >>> play = features(batched(game, episodes=1, seed=1))
    >>> play.reset().observations[0, 0].tolist()
    [1.0, 0.0, 0.0, 0.0, 0.0]
    """
    if not all(environment.num_observations):
        raise InvalidArgument(
            needs="an environment with numbered observations",
            found=f"{shown(environment)} has {environment.num_features} features",
            remedy="Use it as it is.",
        )
    return OneHot(environment)


class OneHot:
    """An environment whose numbers are shown as vectors; see ``features``."""

    def __init__(self, environment: BatchedEnvironment) -> None:
        self.environment = environment
        most = max(environment.num_observations)
        self._rows = np.eye(most, dtype=np.float32)

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of the players."""
        return self.environment.players

    @property
    def num_episodes(self) -> int:
        """Episodes played at once."""
        return self.environment.num_episodes

    @property
    def num_observations(self) -> tuple[int, ...]:
        """Zero: observations are features."""
        return (0,) * len(self.players)

    @property
    def num_features(self) -> tuple[int, ...]:
        """One feature for each number that a player can see."""
        return self.environment.num_observations

    @property
    def num_actions(self) -> tuple[int, ...]:
        """Number of actions of each player."""
        return self.environment.num_actions

    @property
    def action_labels(self) -> tuple[tuple[Hashable, ...], ...]:
        """What each player's actions stand for."""
        return self.environment.action_labels

    legal = ()

    @property
    def discount(self) -> float:
        """Factor on rewards for each step."""
        return self.environment.discount

    @property
    def horizon(self) -> int | None:
        """Steps after which episodes are cut; None if only the rules end them."""
        return self.environment.horizon

    def reset(self) -> BatchTurn:
        """Begin new episodes."""
        return self._shown(self.environment.reset())

    def step(self, actions: NDArray[np.int64]) -> BatchTurn:
        """Let all act."""
        return self._shown(self.environment.step(actions))

    def _shown(self, turn: BatchTurn) -> BatchTurn:
        return replace(
            turn,
            observations=self._rows[turn.observations],
            final_observations=self._rows[turn.final_observations],
        )

    def observe(self, player: int, information_state: InformationState) -> NDArray[Any]:
        """Return the features shown at each observation of an information state, (k, F)."""
        return self._rows[self.environment.observe(player, information_state)]

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here."""
        return self.environment.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        self.environment.restore(snapshot)
