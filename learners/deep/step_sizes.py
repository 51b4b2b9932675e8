"""Step sizes: constant, or going down a line."""

from dataclasses import dataclass

from gametheory_core.arguments import require_integer, require_number


@dataclass(frozen=True)
class LinearDecay:
    """A step size that goes from ``start`` to ``end`` in a straight line, and stays there.

    Attributes
    ----------
    start : float
    end : float
        At least 0.
    iterations : int
        After how many of the learner's iterations the end is reached.

    Examples
    --------
    >>> LinearDecay(start=1.0, end=0.0, iterations=10).at(5)
    0.5
    """

    start: float
    end: float
    iterations: int

    def __post_init__(self) -> None:
        require_number(self.start, function="LinearDecay", name="start", above=0)
        require_number(self.end, function="LinearDecay", name="end", low=0)
        require_integer(self.iterations, function="LinearDecay", name="iterations", low=1)

    def at(self, iteration: int) -> float:
        """Return the step size of an iteration, counted from 0."""
        passed = min(1.0, iteration / self.iterations)
        return self.start + passed * (self.end - self.start)


def step_size_at(step_size: float | LinearDecay, iteration: int) -> float:
    """Return the step size of an iteration, counted from 0."""
    return step_size.at(iteration) if isinstance(step_size, LinearDecay) else step_size


def require_step_size(step_size: object, *, function: str) -> None:
    """Refuse anything but a positive number or a ``LinearDecay``.

    Raises
    ------
    InvalidArgument
        Shows what came instead.
    """
    if not isinstance(step_size, LinearDecay):
        require_number(
            step_size,
            function=function,
            name="step_size",
            above=0,
            remedy="Give a number, or LinearDecay(start=..., end=..., iterations=...).",
        )
