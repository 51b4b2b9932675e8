"""Refusals of the library in the words of the command line, which has options for its arguments."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

from gametheory_core.errors import InvalidArgument, UnsupportedGame

# What messages call an argument, and the option that sets it.
SIZES: Mapping[str, str] = MappingProxyType(
    {"max_states": "--max-states", "max_nodes": "--max-nodes", "max_profiles": "--max-profiles"}
)
HORIZON: Mapping[str, str] = MappingProxyType(
    {
        "stop_posg": "--horizon N",
        "stop_aec": "--horizon N",
        "horizon=...": "--horizon N",
        "shorter horizon, or": "shorter horizon (--horizon N), or",
        "Give a horizon, a number": "Give --horizon N, a number",
    }
)
CONVERT_FIRST: Mapping[str, str] = MappingProxyType(
    {"stop_posg": "convert --horizon N", "stop_aec": "convert --horizon N"}
)


def in_options(message: str, words: Mapping[str, str]) -> str:
    """Return a message with the names of options for those of arguments.

    >>> in_options("Raise max_nodes.", SIZES)
    'Raise --max-nodes.'
    """
    for argument, option in words.items():
        message = message.replace(argument, option)
    return message


@contextmanager
def refusals_in_options(words: Mapping[str, str]) -> Generator[None]:
    """Let what is refused inside name options."""
    try:
        yield
    except (InvalidArgument, UnsupportedGame) as error:
        raise type(error)(in_options(str(error), words)) from error
