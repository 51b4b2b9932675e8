"""What all tabular learners let you choose about how they play, and what an iteration is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import (
    require_instance,
    require_integer,
    require_member,
    require_number,
)
from gametheory_core.errors import InvalidArgument
from learners.batch import BatchedEnvironment
from learners.horizon import AtHorizon
from learners.seats import learning_players, require_numbers
from learners.tabular.exploration import as_lotteries


@dataclass(frozen=True)
class Steps:
    """An iteration of so many steps of the environment, in all episodes at once."""

    count: int

    def __post_init__(self) -> None:
        require_integer(self.count, name="count", low=1)


@dataclass(frozen=True)
class Episodes:
    """An iteration that goes on until so many episodes have ended."""

    count: int

    def __post_init__(self) -> None:
        require_integer(self.count, name="count", low=1)


Iteration: TypeAlias = Steps | Episodes
Others: TypeAlias = Mapping[int, NDArray[np.float64]]

ITERATION = Steps(100)


@dataclass(frozen=True, eq=False)
class PlayOptions:
    """How a learner plays, checked.

    Attributes:
        learns: Players who learn.
        others: Lotteries (O, A) of players who do not; those left out play uniformly.
    """

    discount: float
    at_horizon: AtHorizon
    iteration: Iteration
    learns: tuple[int, ...]
    others: Others


def checked_options(
    environment: BatchedEnvironment,
    *,
    discount: float | None,
    at_horizon: AtHorizon,
    iteration: Iteration,
    learns: tuple[int, ...] | None,
    others: Others | None,
) -> PlayOptions:
    """Return options with defaults put in, after checking them against the environment.

    Raises:
        InvalidArgument: If an option makes no sense.
        UnsupportedGame: If observations are features instead of numbers.
    """
    require_member(at_horizon, AtHorizon, name="at_horizon")
    require_instance(iteration, (Steps, Episodes), name="iteration")
    if discount is not None:
        require_number(discount, name="discount", low=0, high=1)
    chosen = learning_players(environment, learns)
    require_numbers(environment)
    return PlayOptions(
        float(environment.discount if discount is None else discount),
        at_horizon,
        iteration,
        tuple(sorted(chosen)),
        _checked_others(environment, others or {}, chosen),
    )


def _checked_others(
    environment: BatchedEnvironment, others: Others, learns: tuple[int, ...]
) -> Others:
    kept: dict[int, NDArray[np.float64]] = {}
    for player, table in others.items():
        require_integer(player, name="others", low=0, high=len(environment.players) - 1)
        if player in learns:
            raise InvalidArgument(
                needs="in others players who do not learn",
                found=f"player {player} does",
                remedy="Leave it out of learns or of others.",
            )
        name = f"others[{player}]"
        kept[player] = as_lotteries(table, name=name)
        shape = (environment.num_observations[player], environment.num_actions[player])
        if kept[player].shape != shape:
            raise InvalidArgument(
                needs=f"{name} of shape {shape}, observations by actions",
                found=f"its shape is {kept[player].shape}",
            )
    return kept
