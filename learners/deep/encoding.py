"""Encoding: how what players see becomes what networks read.

A numbered observation is a row to look up in the first layer, which is what multiplying by its
indicator vector comes to. So are the mark of the player, where several share a network, and the own
action before, where a network has a memory. Features are read as they are.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from gametheory_core.errors import UnsupportedGame
from learners.batch import BatchedEnvironment

NO_ACTION = -1  # before the first action of an episode


@dataclass(frozen=True)
class Encoding:
    """What a network reads of one moment of one player.

    Attributes:
        num_observations: Different observations; 0 where they are features.
        num_features: Features; 0 where observations are numbered.
        num_marks: Players to tell apart; 0 where nobody shares the network.
        num_previous: Own actions to remember, "none yet" included; 0 where they are not shown.
    """

    num_observations: int
    num_features: int
    num_marks: int = 0
    num_previous: int = 0

    @property
    def num_rows(self) -> int:
        """Rows that can be looked up."""
        return self.num_observations + self.num_marks + self.num_previous

    @property
    def lookup_sizes(self) -> tuple[int, ...]:
        """Among how many rows each of those looked up at a time is chosen."""
        return tuple(filter(None, (self.num_observations, self.num_marks, self.num_previous)))

    @property
    def num_moments(self) -> int:
        """Different moments, but for features."""
        return math.prod(self.lookup_sizes)

    def every_moment(self, *, device: torch.device) -> torch.Tensor:
        """Return the rows looked up at each different moment, (moments, K)."""
        grid = np.indices(self.lookup_sizes).reshape(len(self.lookup_sizes), -1)
        starts = np.cumsum([0, *self.lookup_sizes[:-1]])
        return torch.from_numpy((grid + starts[:, None]).T.copy()).to(device)

    def moment_numbers(
        self, observations: NDArray[Any], marks: NDArray[np.int64], previous: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return which of the different moments each is; all of one shape."""
        number = np.zeros(marks.shape, dtype=np.int64)
        for size, values in (
            (self.num_observations, observations),
            (self.num_marks, marks),
            (self.num_previous, previous + 1),
        ):
            if size:
                number = number * size + values
        return number


@dataclass(frozen=True, eq=False)
class Inputs:
    """What a network reads.

    Attributes:
        rows: Rows of the first layer to look up; ``K`` may be 0.
        features: Numbers to multiply; ``F`` may be 0.
    """

    rows: torch.Tensor
    features: torch.Tensor


def encoding_of(
    environment: BatchedEnvironment,
    players: tuple[int, ...],
    *,
    remembers_actions: bool,
) -> Encoding:
    """Return the encoding by which one network reads what some players see.

    Args:
        players: Who share the network.
        remembers_actions: Whether the own action before is shown, too.
        function: On whose behalf, for the message.

    Raises:
        UnsupportedGame: If some of them see numbers and others features.
    """
    numbers = [environment.num_observations[player] for player in players]
    features = [environment.num_features[player] for player in players]
    if len({number > 0 for number in numbers}) > 1:
        labels = [environment.players[player] for player in players]
        raise UnsupportedGame(
            needs="players of one network to see numbers all, or features all",
            found=f"{labels!r} have {numbers} different observations and {features} features",
            remedy="Give each its own network (Sharing.SEPARATE).",
        )
    most = max(environment.num_actions[player] for player in players)
    return Encoding(
        num_observations=max(numbers),
        num_features=0 if numbers[0] else max(features),
        num_marks=len(players) if len(players) > 1 else 0,
        num_previous=most + 1 if remembers_actions else 0,
    )


def encode(
    encoding: Encoding,
    observations: NDArray[Any],
    marks: NDArray[np.int64],
    previous: NDArray[np.int64],
    *,
    device: torch.device,
) -> Inputs:
    """Return what a network reads of many moments, of any shape ``(...)``.

    Args:
        observations (...)
        marks (...): Which of the players that share the network; read where they are told apart.
        previous (...): Own action before, ``NO_ACTION`` at the first; read where it is shown.
    """
    columns: list[NDArray[np.int64]] = []
    first = 0
    for count, values in (
        (encoding.num_observations, observations),
        (encoding.num_marks, marks),
        (encoding.num_previous, previous + 1),
    ):
        if count:
            columns.append(values.astype(np.int64) + first)
        first += count
    shape = marks.shape
    rows = np.stack(columns, axis=-1) if columns else np.empty((*shape, 0), np.int64)
    features = (
        np.ascontiguousarray(observations[..., : encoding.num_features], dtype=np.float32)
        if encoding.num_features
        else np.empty((*shape, 0), np.float32)
    )
    return Inputs(
        rows=torch.from_numpy(rows).to(device), features=torch.from_numpy(features).to(device)
    )
