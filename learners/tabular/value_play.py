"""Value learners put together: options checked, seats taken, tables laid out."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from learners.batch import BatchedEnvironment
from learners.horizon import AtHorizon
from learners.schedules import StepSize
from learners.tabular.exploration import Exploration
from learners.tabular.options import Iteration, Others, checked_options
from learners.tabular.play import TabularPlay, seats_of
from learners.tabular.value_rule import Update, ValueRule

Initial = float | Mapping[int, NDArray[np.float64]]


def value_play(
    environment: BatchedEnvironment,
    update: Update,
    *,
    rng: np.random.Generator,
    step_size: float | StepSize,
    exploration: Exploration,
    initial: Initial,
    discount: float | None,
    at_horizon: AtHorizon,
    iteration: Iteration,
    learns: tuple[int, ...] | None,
    others: Others | None,
    num_tables: int = 1,
) -> TabularPlay:
    """Return a value learner at play; ``function`` is named where an option is refused."""
    options = checked_options(
        environment,
        discount=discount,
        at_horizon=at_horizon,
        iteration=iteration,
        learns=learns,
        others=others,
    )
    seats = seats_of(environment, options)
    rule = ValueRule(
        tuple(seats[i] for i in options.learns),
        update,
        num_tables=num_tables,
        step_size=step_size,
        initial=initial,
        exploration=exploration,
        rng=rng,
    )
    return TabularPlay(environment, rule, seats, options=options, rng=rng)
