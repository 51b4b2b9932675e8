"""Environments in batches: many episodes at once, as arrays; what every learner learns from.

Episodes that end start anew at once, so that arrays stay full: the turn after the last step of an
episode shows the first observation of the next one, and keeps the last of the old in
``final_observations``. Learners of functions read numbered observations as one-hot ``features``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.rules import InformationState

Snapshot: TypeAlias = Mapping[str, Any]  # nested; arrays, numbers, strings, booleans, None, tuples


@dataclass(frozen=True, eq=False)
class BatchTurn:
    """One moment of ``E`` episodes of ``N`` players; the arrays are read, never written.

    Attributes:
        observations (E, N): What each player sees: a number, or features padded to the longest with
            zeros.
        legal (E, N, A): What each player may do, ``A`` being the largest number of actions.
        acts (E, N): Who is to act now: everybody in simultaneous games, the mover where players
            take turns. Entries of players who do not act are ignored.
        rewards (E, N): What the step just made paid; zero after ``reset``.
        is_terminal, is_truncated (E,): Whether the step just made ended the episode: by the rules,
            or by the horizon.
        final_observations: Where an episode ended, what was seen at its end; elsewhere as
            ``observations``. Where players take turns, only the next to act sees what is new, and
            nobody where play is cut.
    """

    observations: NDArray[Any]
    legal: NDArray[np.bool_]
    acts: NDArray[np.bool_]
    rewards: NDArray[np.float64]
    is_terminal: NDArray[np.bool_]
    is_truncated: NDArray[np.bool_]
    final_observations: NDArray[Any]

    @property
    def is_over(self) -> NDArray[np.bool_]:
        """Whether the step just made ended the episode, one way or the other; shape (E,)."""
        return self.is_terminal | self.is_truncated


class BatchedEnvironment(Protocol):
    """A game being played many times at once.

    Observations are numbers (``num_observations[i] > 0``, labels known) or features
    (``num_features[i] > 0``).
    """

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of the players."""
        ...

    @property
    def num_episodes(self) -> int:
        """Episodes played at once."""
        ...

    @property
    def num_observations(self) -> tuple[int, ...]:
        """Number of different observations of each player; 0 where they are features."""
        ...

    @property
    def num_features(self) -> tuple[int, ...]:
        """Number of features of each player's observations; 0 where they are numbered."""
        ...

    @property
    def num_actions(self) -> tuple[int, ...]:
        """Number of actions of each player."""
        ...

    @property
    def action_labels(self) -> tuple[tuple[Any, ...], ...]:
        """What each player's actions stand for."""
        ...

    @property
    def legal(self) -> tuple[NDArray[np.bool_], ...]:
        """What each player may do after each numbered observation, bool (O, A) a player.

        Empty where that is not known before it is met, or where a player sees features; turns say
        it at any rate.
        """
        ...

    @property
    def discount(self) -> float:
        """Factor on rewards for each step, as the rules say."""
        ...

    @property
    def horizon(self) -> int | None:
        """Steps after which episodes are cut; None if only the rules end them."""
        ...

    def reset(self) -> BatchTurn:
        """Begin ``num_episodes`` new episodes."""
        ...

    def step(self, actions: NDArray[np.int64]) -> BatchTurn:
        """Let all act; ``actions`` is (E, N), ignored where a player does not act."""
        ...

    def observe(self, player: int, information_state: InformationState) -> NDArray[Any]:
        """Return how each observation of an information state, in order, would be shown.

        Shape (k,) of numbers, or (k, F) of features, for the k observations seen so far. By this,
        what was learned becomes a policy of the game.
        """
        ...

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here."""
        ...

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        ...


@runtime_checkable
class Labeled(Protocol):
    """An environment that knows of each player what observations do not say, as one of some labels.

    It is for learning alone: who plays is not told.
    """

    @property
    def num_labels(self) -> int:
        """Number of different labels."""
        ...

    def labels(self) -> NDArray[np.int64]:
        """Return the label of each player at the moment, (E, N)."""
        ...


def as_actions(actions: Any, *, shape: tuple[int, int], is_begun: bool) -> NDArray[np.int64]:
    """Return what is to be done as integers of a shape, (E, N).

    Raises:
        InvalidArgument: If episodes have not begun, or the shape is wrong.
    """
    if not is_begun:
        raise InvalidArgument(needs="episodes to play", found="has none", remedy="Call reset().")
    chosen = np.asarray(actions)
    if chosen.shape != shape or chosen.dtype.kind not in "iu":
        raise InvalidArgument(
            needs=f"integers of shape {shape}, one action for each episode and player",
            found=f"got {chosen.dtype} of shape {chosen.shape}",
        )
    return np.ascontiguousarray(chosen, dtype=np.int64)


class AtHorizon(Enum):
    """What follows the last step before an episode is cut; the value says it in words.

    With ``CONTINUES``, what follows is valued by what a player sees at the cut. Where players take
    turns, nobody sees anything new there: it is valued by what each saw last, the observation just
    acted on. That is right only where it tells as much as the next one would. Else cut so late that
    little is missed.
    """

    ENDS = "nothing: the horizon is a rule of the game, as where values are judged"
    CONTINUES = "as much as after any other step: the horizon is a convenience of the simulation"


def features(environment: BatchedEnvironment) -> "OneHot":
    """Show an environment's numbered observations as vectors of one 1 and zeros.

    Args:
        environment: With numbered observations.

    Returns:
        Satisfies ``BatchedEnvironment``, with float32 observations (E, N, F).

    Raises:
        InvalidArgument: If observations are features already.

    >>> from gametheory_core.catalog import RepeatedGame
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
        self.players = environment.players
        self.num_episodes = environment.num_episodes
        self.num_observations = (0,) * len(environment.players)
        self.num_features = environment.num_observations
        self.num_actions = environment.num_actions
        self.action_labels = environment.action_labels
        self.discount = environment.discount
        self.horizon = environment.horizon
        most = max(environment.num_observations)
        self._rows = np.eye(most, dtype=np.float32)

    legal = ()

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
