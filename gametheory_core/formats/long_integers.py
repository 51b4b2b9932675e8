"""Integers of any length as decimal text, by halves.

Python reads and writes them at once, in time that grows with the square of the length, and refuses
those of some thousand digits.
"""

import math
from collections.abc import Callable
from functools import cache

SHORT, MOST_BITS = 600, 1_900  # digits, and bits, that Python reads and writes under any limit


def integer_from(text: str) -> int:
    """Read decimal digits, which may follow a minus.

    >>> integer_from("-1" + "0" * 5000) == -(10**5000)
    True
    """
    power = _powers_of_ten()

    def between(start: int, end: int) -> int:
        if end - start < SHORT:
            return int(text[start:end])
        middle = (start + end) // 2
        return between(start, middle) * power(end - middle) + between(middle, end)

    return -integer_from(text[1:]) if text.startswith("-") else between(0, len(text))


def integer_text(whole: int) -> str:
    """Write an integer in decimal digits.

    >>> len(integer_text(10**5000))
    5001
    """
    power = _powers_of_ten()

    def digits(part: int, length: int) -> str:
        if length < SHORT:
            return str(part).zfill(length)
        half = length // 2
        above, below = divmod(part, power(half))
        return digits(above, length - half) + digits(below, half)

    enough = int(whole.bit_length() * math.log10(2)) + 1
    return "-" * (whole < 0) + (digits(abs(whole), enough).lstrip("0") or "0")


def _powers_of_ten() -> Callable[[int], int]:
    """Return a function that raises ten to powers and keeps those it has made."""

    @cache
    def power(exponent: int) -> int:
        half = exponent // 2
        return 10**exponent if exponent < SHORT else power(half) * power(exponent - half)

    return power
