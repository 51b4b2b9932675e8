"""Refusals in the name of the function that was called, not of what it calls."""

from collections.abc import Generator
from contextlib import contextmanager

from gametheory_core.errors import InvalidArgument, UnsupportedGame


@contextmanager
def refusing_as(function: str, *, instead_of: str) -> Generator[None]:
    """Let refusals of something inside carry the name of the function that uses it.

    Args:
        function: Whose name a message begins with.
        instead_of: The name it began with; other messages stay as they are.

    >>> with refusing_as("solve_it", instead_of="helper"):
    ...     raise UnsupportedGame("helper: needs two players, but there are 3.")
    Traceback (most recent call last):
    gametheory_core.errors.UnsupportedGame: solve_it: needs two players, but there are 3.
    """
    try:
        yield
    except (InvalidArgument, UnsupportedGame) as error:
        prefix = f"{instead_of}: "
        if not str(error).startswith(prefix):
            raise
        raise type(error)(f"{function}: {str(error).removeprefix(prefix)}") from None
