"""Options that all learners of mediated games share, and what they refuse."""

from typing import Any

from gametheory_core.errors import InvalidArgument
from gametheory_core.mediation.game import MediatedGame
from learners.schedules import Exponential
from solvers.requirements import (
    require_generator,
    require_instance,
    require_integer,
    require_number,
)

ANNEALED = Exponential(0.5, 0.01, steps=20_000)  # the rates of the paper, by episodes


def require_learning_options(game: object, step_size: Any, block: Any, rng: object) -> None:
    """Refuse options that make no sense.

    Raises:
        InvalidArgument: Names the option.
    """
    require_instance(game, MediatedGame, name="game")
    require_number(step_size, name="step_size", above=0, high=1)
    require_integer(block, name="block", low=1)
    require_rng(rng)


def require_rng(rng: object) -> None:
    """Refuse anything but a generator of random numbers.

    Raises:
        InvalidArgument: Says how to make one.
    """
    if rng is None:
        raise InvalidArgument(
            needs="rng", found="got None", remedy="Give rng=numpy.random.default_rng(seed)."
        )
    require_generator(rng)
