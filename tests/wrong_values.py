"""What no function should take: each argument in turn, and what is not refused in our own words."""

import math
import traceback
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from gametheory_core import GameTheoryError
from gametheory_core.arguments import shown

ROOT = Path(__file__).parents[1]
WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    5,
    10**30,
    10**5000,
    Fraction(1, 10**5000),
    -(10**5000),
    0.5,
    math.nan,
    math.inf,
    "",
    "x",
    (),
    (1,),
    [[1, 2]],
    [[1], [1, 2]],
    [["a"]],
    [None],
    [math.nan],
    {},
    {1: 2},
    object(),
    np.zeros(0),
    np.zeros((2, 3)),
    np.array([1, 2]),
    np.float64(1),
)


def python_errors(
    call: Callable[..., object],
    right: Sequence[Any] = (),
    options: Mapping[str, Any] | None = None,
    *,
    wrong: Sequence[Any] = WRONG,
) -> list[str]:
    """Put each wrong value in the place of each argument; return what Python or numpy raised.

    Args:
        right, options: Arguments by place and by name with which the call succeeds.
    """
    given = dict(options or {})
    call(*right, **given)
    found: list[str] = []
    for place in (*range(len(right)), *given):
        for value in wrong:
            arguments: list[Any] = list(right)
            named = dict(given)
            if isinstance(place, int):
                arguments[place] = value
            else:
                named[place] = value
            try:
                call(*arguments, **named)
            except GameTheoryError:
                continue
            except Exception as error:  # noqa: BLE001 whatever it is, it is found
                own = [
                    f for f in traceback.extract_tb(error.__traceback__) if str(ROOT) in f.filename
                ]
                at = f"{Path(own[-1].filename).relative_to(ROOT)}:{own[-1].lineno}"
                found.append(
                    f"{place}={shown(value)}: {type(error).__name__}: {str(error)[:60]} ({at})"
                )
    return found
