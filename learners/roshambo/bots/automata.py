"""Exact models of bots that remember one of finitely many things.

An automaton is in a state, throws by a distribution that the state gives, and then both throws
decide the next state.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import is_finite_number, require_function, require_integer, shown
from gametheory_core.arrays import freeze
from gametheory_core.errors import InvalidArgument
from gametheory_core.probabilities import normalized

Distribution: TypeAlias = Sequence[int | Fraction]
Rule: TypeAlias = Callable[[tuple[int, ...], tuple[int, ...]], Distribution]
THROWS = tuple(range(3))


@dataclass(frozen=True, eq=False)
class Automaton:
    """A bot with finitely many states; the first one begins.

    Attributes:
        strategies (states, 3): How likely is which throw, of ``Fraction``.
        successors (states, 3, 3): The next state, by own throw and the other's, int64.

    Raises:
        InvalidArgument: If shapes do not fit, a row is no distribution, or there is no such state;
            floats may miss a sum of 1 by their rounding.

    >>> copies = from_recall(1, lambda own, other: point(other[0] if other else 0))
    >>> copies.strategies[copies.successors[0, 0, 2]].tolist()
    [Fraction(0, 1), Fraction(0, 1), Fraction(1, 1)]
    """

    strategies: NDArray[np.object_]
    successors: NDArray[np.int64]

    def __post_init__(self) -> None:
        strategies, successors = _exact(self.strategies), _places(self.successors)
        states = strategies.shape[0] if strategies.ndim else 0
        if strategies.shape != (states, 3) or successors.shape != (states, 3, 3) or states == 0:
            raise InvalidArgument(
                needs="3 chances and 3 x 3 successors for each state",
                found=f"got shapes {strategies.shape} and {successors.shape}",
            )
        for state, row in enumerate(strategies):
            given = list(self.strategies[state])
            found = None if min(row) < 0 else normalized(row, given=given)
            if found is None:
                raise InvalidArgument(
                    needs="chances that sum to 1",
                    found=f"those of state {state} are {', '.join(map(str, given))}",
                )
            strategies[state] = found
        if successors.min() < 0 or successors.max() >= states:
            raise InvalidArgument(
                needs=f"successors from 0 to {states - 1}",
                found=f"they go from {successors.min()} to {successors.max()}",
            )
        object.__setattr__(self, "strategies", freeze(strategies))
        object.__setattr__(self, "successors", freeze(successors))

    @property
    def num_states(self) -> int:
        """How many there are."""
        return len(self.strategies)


def point(throw: int) -> Distribution:
    """Return the distribution that always gives one throw.

    >>> point(4)
    (0, 1, 0)
    """
    return tuple(int(throw % 3 == own) for own in THROWS)


def from_sequence(distributions: Sequence[Distribution]) -> Automaton:
    """Return the automaton that looks at nothing, and follows a sequence again and again."""
    states = len(distributions)
    after = (np.arange(states) + 1) % states
    return Automaton(_rows(distributions), np.broadcast_to(after[:, None, None], (states, 3, 3)))


def from_recall(recall: int, rule: Rule, *, own: bool = True, other: bool = True) -> Automaton:
    """Return the automaton that decides by the last throws, as a rule says.

    Args:
        recall: How many throws of each are remembered.
        rule: Takes own throws and the other's, up to so many, the latest first; returns a
            distribution.
        own, other: Whose throws are remembered; the rule is given ``()`` for those that are not.

    Raises:
        InvalidArgument: If ``recall`` is no such number, or the rule returns no distribution.
    """
    require_integer(recall, name="recall", low=0)
    require_function(rule, name="rule")
    kept = own, other
    pairs = list(product(*(THROWS if is_kept else (-1,) for is_kept in kept)))
    windows: list[tuple[Any, ...]] = [
        window for length in range(recall + 1) for window in product(pairs, repeat=length)
    ]
    number = {window: state for state, window in enumerate(windows)}
    strategies: list[Distribution] = []
    successors = np.empty((len(windows), 3, 3), dtype=np.int64)
    for state, window in enumerate(windows):
        sides = [tuple(pair[side] for pair in window) if kept[side] else () for side in (0, 1)]
        strategies.append(rule(sides[0], sides[1]))
        for mine, theirs in product(THROWS, repeat=2):
            latest = (mine if own else -1, theirs if other else -1)
            successors[state, mine, theirs] = number[(latest, *window)[:recall]]
    return Automaton(_rows(strategies), successors)


def _rows(distributions: Sequence[Any]) -> NDArray[np.object_]:
    rows = np.empty((len(distributions), 3), dtype=object)
    for state, distribution in enumerate(distributions):
        chances: list[Any] = list(distribution) if isinstance(distribution, Iterable) else []
        if len(chances) != 3:
            raise InvalidArgument(
                needs="3 chances for each state", found=f"state {state} has {shown(distribution)}"
            )
        rows[state] = chances
    return rows


def _exact(strategies: object) -> NDArray[np.object_]:
    given = np.array(strategies, dtype=object)
    exact = np.empty(given.shape, dtype=object)
    for place, chance in np.ndenumerate(given):
        if not is_finite_number(chance):
            raise InvalidArgument(
                needs="3 chances for each state, as integers or fractions",
                found=f"got {shown(chance)}",
            )
        exact[place] = Fraction(chance)
    return exact


def _places(successors: object) -> NDArray[np.int64]:
    try:
        given: NDArray[Any] = np.array(successors)
    except ValueError:  # rows of different lengths
        given = np.array([None])
    if given.size and given.dtype.kind not in "iu":
        raise InvalidArgument(
            needs="3 x 3 successors for each state, as integers", found=f"got {shown(successors)}"
        )
    return given.astype(np.int64)
