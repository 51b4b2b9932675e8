"""Payoffs of many games of one size, read once: exact, and as integers that loops can hold.

A float is the rational number that it is. Each player's payoffs in a game are multiplied by the
least power of two that makes them integers, and a bound on determinants says how many words of 64
bits the numbers of that game need at most. Games that need more than ``MOST_WORDS``, or are larger
than their loop takes, are solved one by one in Python's integers.
"""

from dataclasses import dataclass
from math import inf, prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.array_likes import plain
from gametheory_core.arrays import exact_array, freeze
from gametheory_core.errors import InvalidGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.memory import require_memory

MOST_WORDS = 16
MOST_ACTIONS = 16  # of the player who has fewer: bounds on determinants are known up to there
COPY_BYTES = 9  # of a payoff, and of what marks those that are bad
_MANTISSA = 53  # bits of a float
_WITHOUT_NEGATIVE = int(np.iinfo(np.int64).min)


@dataclass(frozen=True, eq=False)
class Batch:
    """Games of one size.

    Attributes:
        payoffs (num_games, num_players, *num_actions): As given: int64, float64, or exact objects;
            of zero-sum games given by matrices the row player's alone.
        are_matrices: Whether they are such games.
    """

    payoffs: NDArray[Any]
    are_matrices: bool = False

    def __len__(self) -> int:
        return len(self.payoffs)

    @property
    def num_actions(self) -> tuple[int, ...]:
        """Of each player."""
        return self.payoffs.shape[2:]

    def game(self, index: int) -> NormalFormGame:
        """Return one game as a normal form, payoffs as they were given."""
        own = self.payoffs[index]
        if self.are_matrices:
            return NormalFormGame.zero_sum(own[0])
        return NormalFormGame.from_payoffs(own)

    def part(self, start: int, end: int) -> "Batch":
        """Return consecutive games."""
        return Batch(self.payoffs[start:end], self.are_matrices)

    def in_words(self) -> tuple["Batch", NDArray[np.bool_]]:
        """Return which games have payoffs that numbers hold, and a batch with zeros for others."""
        everything = np.ones(len(self), dtype=np.bool_)
        if self.payoffs.dtype != object:
            return self, everything
        flat = self.payoffs.reshape(len(self), -1)
        fits = np.array([all(map(_is_short, own)) for own in flat.tolist()], dtype=np.bool_)
        whole = np.zeros(self.payoffs.shape, dtype=np.int64)
        whole[fits] = self.payoffs[fits].astype(np.int64)
        return Batch(whole, self.are_matrices), fits

    def swapped(self) -> "Batch":
        """Return the same games of two players, seen from the second one."""
        return Batch(self.payoffs[:, ::-1].swapaxes(2, 3))


@dataclass(frozen=True, eq=False)
class Numbers:
    """Payoffs as integers.

    Attributes:
        mantissas, exponents (num_games, players of ``payoffs``, *num_actions): Payoffs are
            ``mantissa * 2^exponent``.
        shifts (num_games, players of ``payoffs``): A player's payoffs are integers times
            ``2^shift``.
        bits (num_games, players of ``payoffs``): Of the largest difference of two payoffs of the
            player, as integers.
    """

    mantissas: NDArray[np.int64]
    exponents: NDArray[np.int32]
    shifts: NDArray[np.int64]
    bits: NDArray[np.int64]


def _is_short(number: Any) -> bool:
    """Tell whether a rational is an integer of a word."""
    return number.denominator == 1 and abs(number) < -_WITHOUT_NEGATIVE


def read_batch(payoffs: object, *, is_zero_sum: bool) -> Batch:
    """Read payoffs of many games.

    Args:
        payoffs: (num_games, num_players, *num_actions), of any kind that numpy reads; or
            (num_games, m, n) if ``is_zero_sum``.

    Raises:
        InvalidGame: If the shape is another, or a payoff is no finite number; names the game.
        UnsupportedGame: If a copy does not fit into memory.
    """
    given = freeze(_read(payoffs))
    if is_zero_sum and given.ndim == 3:
        given = given[:, np.newaxis]
    players = given.shape[1] if given.ndim > 1 else 0
    fits = given.ndim == 4 and players < 3 if is_zero_sum else given.ndim == players + 2 > 2
    if not fits or 0 in given.shape[2:]:
        also = " Zero-sum games may also be (games, m, n), the row player's." if is_zero_sum else ""
        raise InvalidGame(
            needs="payoffs of shape (games, players, actions of each player), with no player "
            "without actions",
            found=f"the shape is {given.shape}",
            remedy=f"Stack the payoff tensors of the games; of two players (games, 2, m, n).{also}",
            where="payoffs",
        )
    return Batch(freeze(given), are_matrices=is_zero_sum and players == 1)


def _read(payoffs: object) -> NDArray[Any]:
    _require_room(payoffs)
    values = plain(payoffs, where="payoffs")
    array = values if isinstance(values, np.ndarray) else None
    if array is None and isinstance(values, list | tuple):
        array = _of_arrays(cast("list[object]", values))
    if array is not None and array.dtype.kind in "iu" and np.can_cast(array.dtype, np.int64):
        whole = np.array(array, dtype=np.int64)
        return whole.astype(object) if (whole == _WITHOUT_NEGATIVE).any() else whole
    if array is not None and array.dtype.kind == "f" and np.can_cast(array.dtype, np.float64):
        floats = np.array(array, dtype=np.float64)
        if not np.isfinite(floats).all():
            index = tuple(int(i) for i in np.argwhere(~np.isfinite(floats))[0])
            raise InvalidGame(
                needs="finite payoffs",
                found=f"entry {index} is {floats[index]}, in game {index[0]}",
                remedy="Replace NaN and infinite entries.",
                where="payoffs",
            )
        return floats
    exact = exact_array(values, where="payoffs")
    try:
        whole = exact.astype(np.int64)
    except OverflowError:
        return np.array(exact)
    fits = (whole == exact).all() and not (whole == _WITHOUT_NEGATIVE).any()
    return whole if fits else np.array(exact)


def _require_room(payoffs: object) -> None:
    """Refuse an array whose copy would not fit into memory; it may be a view of one number."""
    if isinstance(payoffs, np.ndarray):
        shape = cast("tuple[int, ...]", payoffs.shape)
        require_memory(
            prod(shape) * COPY_BYTES,
            what=f"a copy of payoffs of shape {shape}",
            remedy="Solve them in several calls.",
        )


def _of_arrays(values: list[object]) -> NDArray[Any] | None:
    """Stack arrays that are all of one kind, as ``exact_array`` would read them one number each."""
    if values and all(isinstance(value, np.ndarray) for value in values):
        arrays = cast("list[NDArray[Any]]", values)
        if len({(array.shape, array.dtype) for array in arrays}) == 1:
            return np.stack(arrays)
    return None


def as_floats(payoffs: NDArray[Any]) -> NDArray[np.float64]:
    """Return payoffs as floats; infinite where they are too large for that."""
    if payoffs.dtype != object:
        return payoffs.astype(np.float64, copy=False)
    return np.array([_as_float(own) for own in payoffs.ravel().tolist()]).reshape(payoffs.shape)


def _as_float(number: Any) -> float:
    try:
        return float(number)
    except OverflowError:
        return inf if number > 0 else -inf


def numbers_of(batch: Batch) -> Numbers:
    """Split payoffs, which are no objects, into mantissas and exponents, and measure them."""
    from solvers._kernels.many_games import measure  # noqa: PLC0415 loads numba

    given = batch.payoffs
    if given.dtype == np.int64:
        mantissas = np.array(given, order="C")
        exponents = np.zeros(given.shape, dtype=np.int32)
    else:
        fractions, exponents = np.frexp(np.ascontiguousarray(given))
        mantissas = np.ldexp(fractions, _MANTISSA).astype(np.int64)
        exponents -= _MANTISSA
    shifts = np.zeros(given.shape[:2], dtype=np.int64)
    bits = np.zeros(given.shape[:2], dtype=np.int64)
    if given.size:
        flat = (*given.shape[:2], -1)
        measure(mantissas.reshape(flat), exponents.reshape(flat), shifts, bits)
    return Numbers(mantissas, exponents, shifts, bits)


def words_needed(bits: NDArray[np.int64], order: int, most: int) -> NDArray[np.int64]:
    """Return how many words the tableaus of each game need.

    Args:
        bits (num_games,): Of the largest entry.
        order: How often the basis may differ from the first.
        most: Largest order of minors that have no row or column of zeros and ones.
    """
    from solvers._kernels.many_games import words_of_games  # noqa: PLC0415 loads numba

    return words_of_games(bits, order, most)
