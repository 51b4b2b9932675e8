"""Check the size of a catalogue game before it is built."""

from fractions import Fraction

from gametheory_core.arrays import to_fraction
from gametheory_core.errors import InvalidArgument


def require_between(value: int, low: int, high: int, *, game: str, name: str) -> None:
    """Refuse a parameter outside ``low..high``.

    Raises:
        InvalidArgument: If the value is no integer in the range; names the game and the parameter.
    """
    if type(value) is not int or not low <= value <= high:
        raise InvalidArgument(
            needs=f"{name} to be an integer in {low}..{high}", found=f"got {value!r}", where=game
        )


def exact_discount(value: object, *, game: str) -> Fraction:
    """Return a discount as a fraction, after checking that it lies in [0, 1].

    Raises:
        InvalidGame: If it is no number.
        InvalidArgument: If it is out of range; names the game.
    """
    discount = to_fraction(value, where=f"{game}: discount")
    if not 0 <= discount <= 1:
        raise InvalidArgument(needs="a discount in [0, 1]", found=f"got {discount}", where=game)
    return discount
