"""Probabilities that sum to one, exactly or but for rounding: read here, and nowhere else.

Exact numbers must sum to exactly 1. Floats hardly ever do: they are divided by their exact sum if
it misses 1 by no more than rounding explains. That is ``n`` times the distance from 1 to the next
number of their kind (``eps``: 1.2e-7 for float32, 9.8e-4 for float16) for ``n`` probabilities, and
at least ``ROUNDING``, which is more than this for float64: the last digits of what solvers,
regressions and printed tables give are rounded oftener than once. What is further off is refused,
and the sum is shown.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from gametheory_core.arguments import shown
from gametheory_core.arrays import ONE, exact_sum, rational_text, to_fraction
from gametheory_core.errors import GameTheoryError, InvalidGame

ROUNDING = 1e-9  # by how much a sum of floats of 64 bits may miss 1
MOST_LISTED = 8  # weights in a message


def allowed_miss(kind: DTypeLike, count: int) -> float:
    """Return by how much the sum of so many probabilities may miss 1; 0 if they are no floats.

    >>> allowed_miss("float64", 3), round(allowed_miss("float32", 3), 9), allowed_miss("int64", 3)
    (1e-09, 3.58e-07, 0.0)
    """
    dtype: np.dtype[Any] = np.dtype(cast("Any", kind))
    return max(ROUNDING, count * float(np.finfo(dtype).eps)) if dtype.kind == "f" else 0.0


def missed(given: object) -> float:
    """Return by how much the sum of these may miss 1: an array, or a sequence of numbers.

    >>> missed([0.25, "3/4"]), missed([1, "3/4"])
    (1e-09, 0.0)
    """
    if isinstance(given, np.ndarray) and cast("NDArray[Any]", given).dtype != object:
        return allowed_miss(given.dtype, given.size)
    entries = cast("Sequence[object]", given)
    kinds = {kind for kind in map(type, entries) if issubclass(kind, float | np.floating)}
    return max((allowed_miss(kind, len(entries)) for kind in kinds), default=0.0)


def normalized(exact: Sequence[Fraction], *, given: object) -> tuple[Fraction, ...] | None:
    """Return probabilities that sum to exactly 1; None if they miss it by more than rounding.

    Args:
        exact: What each number is.
        given: The same numbers as they were given, floats or not.

    >>> normalized([Fraction(1, 3)] * 3, given=[Fraction(1, 3)] * 3) == (Fraction(1, 3),) * 3
    True
    """
    total = exact_sum(exact)
    if total == ONE:
        return tuple(exact)
    if abs(total - ONE) > missed(given):
        return None
    return tuple(number / total for number in exact)


def exact_weights(
    labels: Iterable[object], given: Iterable[object], *, owner: str
) -> tuple[Fraction, ...]:
    """Read one weight of at least 0 for each label; they sum to exactly 1.

    Args:
        owner: Whose they are, for messages.

    Raises:
        InvalidGame: If one is negative or no number, or the sum misses 1 by more than rounding.

    >>> [str(weight) for weight in exact_weights("ab", [0.25, "3/4"], owner="coin")]
    ['1/4', '3/4']
    """
    names, numbers = list(labels), list(given)
    try:
        exact = [to_fraction(number) for number in numbers]
    except InvalidGame:  # a label may be long: it is written only where it is at fault
        for name, number in zip(names, numbers, strict=True):
            to_fraction(number, where=f"{owner}: weight of {shown(name)}")
        raise
    for name, weight in zip(names, exact, strict=True):
        if weight < 0:
            raise InvalidGame(
                needs="weights of at least 0",
                found=f"{shown(str(name))} has {rational_text(weight)}",
                remedy="Fix the sign.",
                where=owner,
            )
    found = normalized(exact, given=numbers)
    if found is None:
        pairs = zip(names[:MOST_LISTED], exact[:MOST_LISTED], strict=True)
        listed = ", ".join(f"{str(name)!r}: {rational_text(weight)}" for name, weight in pairs)
        raise wrong_sum(exact, given=numbers, kind=InvalidGame, owner=owner, listed=listed)
    return found


def wrong_sum(
    exact: Sequence[Fraction],
    *,
    given: object,
    kind: type[GameTheoryError],
    owner: str | None,
    needs: str = "weights that sum to exactly 1",
    listed: str = "",
) -> GameTheoryError:
    """Return the refusal of probabilities whose sum is not 1: it shows the sum."""
    total, most = exact_sum(exact), missed(given)
    shown_sum = repr(float(total)) if most else rational_text(total)
    floats = f"Floats may miss 1 by {most:.1g}, for rounding. " if most else ""
    return kind(
        needs=needs,
        found=f"they sum to {shown_sum}{f' ({listed})' if listed else ''}",
        remedy=f"{floats}Divide them by their sum, or give fractions, such as '1/3'.",
        where=owner,
    )
