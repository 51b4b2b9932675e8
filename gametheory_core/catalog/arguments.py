"""Check the size of a catalogue game before it is built."""

from gametheory_core.errors import InvalidArgument


def require_between(value: int, low: int, high: int, *, game: str, name: str) -> None:
    """Refuse a parameter outside ``low..high``.

    Raises
    ------
    InvalidArgument
        If the value is no integer in the range; names the game and the parameter.
    """
    if type(value) is not int or not low <= value <= high:
        raise InvalidArgument(
            f"{game}: needs {name} to be an integer in {low}..{high}, but got {value!r}."
        )
