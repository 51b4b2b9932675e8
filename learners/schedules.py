"""Schedules: numbers that change as learning goes on, such as step sizes and exploration.

Most learners ask a schedule by the number of environment steps made so far; a batch of episodes
makes them together, so that a batch of any size counts one step at a time. Those that climb by
networks ask the schedule of a step size by the number of iterations.
"""

from dataclasses import dataclass
from typing import TypeAlias, cast

from gametheory_core.arguments import require_number
from learners.options import Count, Finite, Positive, PositiveShare, Share, checked


@dataclass(frozen=True)
@checked
class Constant:
    """The same number at all times.

    >>> Constant(0.1).at(5)
    0.1
    """

    value: Finite

    def at(self, step: int) -> float:
        """Return the number after so many steps."""
        del step
        return float(self.value)


@dataclass(frozen=True)
@checked
class Linear:
    """From one number to another in equal steps, then constant.

    Attributes:
        steps: After how many steps the last is reached; at least 1.

    >>> [Linear(1.0, 0.0, steps=4).at(t) for t in (0, 1, 4, 9)]
    [1.0, 0.75, 0.0, 0.0]
    """

    first: Finite
    last: Finite
    steps: Count

    def at(self, step: int) -> float:
        """Return the number after so many steps."""
        share = min(1.0, step / self.steps)
        return (1 - share) * self.first + share * self.last


@dataclass(frozen=True)
@checked
class Exponential:
    """From one positive number to another by equal factors, then constant.

    Attributes:
        first, last: Above 0.
        steps: After how many steps the last is reached; at least 1.

    >>> [round(Exponential(1.0, 0.01, steps=2).at(t), 6) for t in (0, 1, 2, 9)]
    [1.0, 0.1, 0.01, 0.01]
    """

    first: Positive
    last: Positive
    steps: Count

    def at(self, step: int) -> float:
        """Return the number after so many steps."""
        share = min(1.0, step / self.steps)
        return float(self.first * (self.last / self.first) ** share)


Schedule: TypeAlias = Constant | Linear | Exponential

_FAR = 2**31  # steps after which a foreign schedule is taken to have ended


@dataclass(frozen=True)
@checked
class PerVisit:
    """A step size for each cell of a table: ``first / n**power`` at its ``n``-th update.

    With power 1 and first 1 a cell is the mean of its targets. Q-learning converges in theory for
    powers above 1/2 up to 1, if every cell is visited for ever.

    Attributes:
        power: From 0 to 1.
        first: Above 0, at most 1.
    """

    power: Share = 1.0
    first: PositiveShare = 1.0


StepSize: TypeAlias = Schedule | PerVisit


@dataclass(frozen=True)
class Rate:
    """A step size at one moment: ``rate / n**power`` at a cell's ``n``-th update."""

    rate: float
    power: float


def rate_at(step_size: StepSize, step: int) -> Rate:
    """Return the step size after so many environment steps."""
    if isinstance(step_size, PerVisit):
        return Rate(float(step_size.first), float(step_size.power))
    return Rate(step_size.at(step), 0.0)


def as_schedule(
    value: float | Schedule,
    *,
    name: str,
    low: float | None = None,
    high: float | None = None,
    above: float | None = None,
) -> Schedule:
    """Return a number as a constant schedule, after checking where a schedule begins and ends.

    A schedule may be any object with a method ``at``.

    Raises:
        InvalidArgument: If it is neither a number nor a schedule, or leaves the limits.
    """
    schedule = value if isinstance(value, Constant | Linear | Exponential) else _foreign(value)
    ends = (value,) if schedule is None else _ends(schedule)
    for end in ends:
        require_number(end, name=name, low=low, high=high, above=above)
    return Constant(float(cast("float", value))) if schedule is None else schedule


def _foreign(value: object) -> Schedule | None:
    return cast("Schedule", value) if hasattr(value, "at") else None


def _ends(schedule: Schedule) -> tuple[float, ...]:
    if isinstance(schedule, Linear | Exponential):
        return (schedule.first, schedule.last)
    return (schedule.at(0), schedule.at(_FAR))


def as_step_size(value: float | StepSize) -> StepSize:
    """Return a step size, after checking that it is above 0 and at most 1.

    Raises:
        InvalidArgument: If it is not.
    """
    if isinstance(value, PerVisit):
        return value
    return as_step_schedule(value, high=1)


def as_step_schedule(
    value: float | Schedule, *, name: str = "step_size", high: float | None = None
) -> Schedule:
    """Return the schedule of a step size, after checking that it is above 0, and at most ``high``.

    A line may end at 0, where learning stops.

    Raises:
        InvalidArgument: If it is not.
    """
    if isinstance(value, Linear):
        require_number(value.last, name=name, low=0, high=high)
        require_number(value.first, name=name, above=0, high=high)
        return value
    return as_schedule(value, name=name, above=0, high=high)
