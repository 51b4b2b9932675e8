"""Numbers in arrays: float64 for speed, ``Fraction`` objects for proof, both read-only.

An *exact array* is a numpy array of dtype object whose entries are ``Fraction``; equal entries
share one object, so that it costs a pointer an entry. A float is the dyadic rational it is.
"""

import math
import re
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import wraps
from operator import attrgetter
from typing import Any, ParamSpec, TypeAlias, TypeGuard, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance
from gametheory_core.array_likes import plain
from gametheory_core.errors import InvalidGame
from gametheory_core.memory import BYTES_OF_A_FRACTION, BYTES_OF_AN_INTEGER, require_memory

ExactArray: TypeAlias = NDArray[np.object_]
FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int32]
NumberArray: TypeAlias = NDArray[Any]  # float64, or Fraction objects
Number: TypeAlias = int | float | Fraction | Decimal | str | np.generic

_EXPONENT = re.compile(r"[eE][+-]?0*([0-9]+)\s*$")
FLOAT_BITS = 53  # of an integer that floats surely hold
MOST_WRITTEN_BITS = 1_000  # of a numerator or denominator that messages write in full
MOST_EXPONENT_DIGITS = 4  # an exponent of nine digits would fill the memory

_NUMERATOR = attrgetter("numerator")
_DENOMINATOR = attrgetter("denominator")

P = ParamSpec("P")
T = TypeVar("T")
_DECIMALS: ContextVar[bool] = ContextVar("decimals", default=False)

ZERO = Fraction(0)
ONE = Fraction(1)


@dataclass(frozen=True)
class ScaledIntegers:
    """An exact array as integers over one common denominator.

    Attributes:
        numerators: Python integers of any size, in the shape of the original.
        denominator: Positive; entry = numerator / denominator.
    """

    numerators: ExactArray
    denominator: int


@dataclass(frozen=True)
class ScaledFloats:
    """An exact array as floats over one common denominator, without rounding.

    Attributes:
        numerators: In the shape of the original; the floats are the exact numerators.
        denominator: Positive; entry = numerator / denominator.
    """

    numerators: FloatArray
    denominator: int


@contextmanager
def reading_floats(*, decimals: bool) -> Generator[None]:
    """Let floats inside mean the shortest decimals that are read as them, if asked to.

    What builds a game opens it for the numbers that it is given.

    Raises:
        InvalidArgument: If ``decimals`` is not True or False.

    >>> with reading_floats(decimals=True):
    ...     to_fraction(0.1)
    Fraction(1, 10)
    """
    require_instance(decimals, bool, name="decimals")
    outer = _DECIMALS.set(decimals)
    try:
        yield
    finally:
        _DECIMALS.reset(outer)


def reads_decimals(build: Callable[P, T]) -> Callable[P, T]:
    """Let a function that builds a game read floats as its argument ``decimals`` says."""

    @wraps(build)
    def built(*args: P.args, **given: P.kwargs) -> T:
        with reading_floats(decimals=cast("bool", given.get("decimals", False))):
            return build(*args, **given)

    return built


def reads_dyadics() -> bool:
    """Tell whether floats mean the dyadic numbers that they are, so that they may stay floats."""
    return not _DECIMALS.get()


def to_fraction(value: object, *, where: str = "number") -> Fraction:
    """Read one number exactly: an integer, float, ``Fraction``, ``Decimal`` or text like ``"1/3"``.

    Raises:
        InvalidGame: If it is no number, or not finite; the message starts with ``where``.
    """
    if isinstance(value, Fraction):
        if is_rational(value):
            return value
        return Fraction(int(value.numerator), int(value.denominator))  # numpy integers wrap
    try:
        if hasattr(value, "__array__") and not isinstance(value, np.generic):
            given = plain(value, where=where)
            value = given[()] if isinstance(given, np.ndarray) and not given.ndim else value
        if not reads_dyadics() and isinstance(value, float | np.floating):
            value = str(value)  # of numpy's, too, as short as their precision allows
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, np.floating):  # longer than Python's
            return Fraction(*value.as_integer_ratio())
        if isinstance(value, bool) or not isinstance(value, int | float | Decimal | str):
            raise TypeError
        power = _EXPONENT.search(str(value)) if isinstance(value, str | Decimal) else None
        if power and len(power[1]) > MOST_EXPONENT_DIGITS:
            raise ValueError("its exponent is too large")
        return Fraction(value)
    except ZeroDivisionError:
        problem = f"has a zero denominator: {value!r}"
    except (OverflowError, ValueError) as error:
        problem = f"is not a finite number: {value!r} ({error})"
    except TypeError:
        problem = f"is not a number: {value!r} (type {type(value).__name__})"
    raise InvalidGame(
        needs="a finite number",
        found=f"it {problem}",
        remedy="Give an int, float, Fraction, Decimal, or text such as '1/3'.",
        where=where,
    )


def is_integer(value: object) -> TypeGuard[int]:
    """Tell whether a value is a Python integer: no truth value, no numpy integer that wraps."""
    return type(value) is int


def is_rational(value: object) -> TypeGuard[Fraction]:
    """Tell whether a value is a ``Fraction`` of Python integers, not of numpy ones that wrap."""
    return type(value) is Fraction and type(value.numerator) is type(value.denominator) is int


def rational_text(value: Fraction) -> str:
    """Write a rational for a message: in full if it is short, else about how large it is.

    >>> rational_text(Fraction(3, 2)), rational_text(Fraction(1, 3**1000) + 1)
    ('3/2', 'about 1')
    >>> rational_text(Fraction(-(10**5000)))
    'below -2^16609'
    """
    if max(value.numerator.bit_length(), value.denominator.bit_length()) <= MOST_WRITTEN_BITS:
        return str(value)
    try:
        return f"about {float(value):.17g}"
    except OverflowError:
        power = int(abs(value)).bit_length() - 1
        return f"above 2^{power}" if value > 0 else f"below -2^{power}"


def are_rationals(values: Sequence[object]) -> TypeGuard[Sequence[Fraction]]:
    """Tell whether all values are ``Fraction`` objects of Python integers; quick on many."""
    if not set(map(type, values)) <= {Fraction}:
        return False
    return set(map(type, map(_NUMERATOR, values))) | set(map(type, map(_DENOMINATOR, values))) <= {
        int
    }


def is_exact(array: NumberArray) -> TypeGuard[ExactArray]:
    """Tell whether the array holds ``Fraction`` objects rather than floats."""
    return array.dtype == object


def freeze(array: NDArray[Any]) -> NDArray[Any]:
    """Make the array read-only, in place, and return a view of it that stays so.

    ``setflags(write=True)`` fails on what does not own its data where the owner is read-only; a
    view of something else that may be written is copied first.
    """
    owner = array.base
    if owner is not None and getattr(owner, "flags", array.flags).writeable:
        array.flags.writeable = False
        array = array.copy()
    array.flags.writeable = False
    return array if array.base is not None else array.view()


def immutable(array: NDArray[Any]) -> NDArray[Any]:
    """Return a copy that nothing can make writable: its owner is a ``bytes`` object.

    Args:
        array: Of numbers, not of objects.
    """
    return np.frombuffer(array.tobytes(), dtype=array.dtype).reshape(array.shape)


def number_array(values: object, *, where: str = "numbers") -> NumberArray:
    """Copy numbers into a read-only array: float64 if given as float arrays, else exact.

    An array of floats stays float64 (its exact value is taken when asked for), be it numpy's, a
    tensor or a data frame; everything else, nested sequences and floats longer than that included,
    becomes an exact array of the same shape.

    Raises:
        InvalidGame: If rows have different lengths, or an entry is no finite number; names the
            index.
    """
    values = plain(values, where=where)
    if isinstance(values, np.ndarray) and are_doubles(values) and reads_dyadics():
        floats = np.array(values, dtype=np.float64)
        finite = np.isfinite(floats)
        if not finite.all():
            index = tuple(int(i) for i in np.argwhere(~finite)[0])
            raise InvalidGame(
                needs="finite numbers",
                found=f"entry {index} is {floats[index]}",
                remedy="Replace NaN and infinite entries.",
                where=where,
            )
        return immutable(floats)
    return exact_array(values, where=where)


def integer_array(values: object, *, ndim: int, what: str) -> NDArray[np.int64]:
    """Copy integers of 64 bits into a read-only array.

    Args:
        ndim: Number of axes.
        what: For the message: "edges".

    Raises:
        InvalidGame: If they are none, or nested otherwise.

    >>> integer_array([[0, 1]], ndim=2, what="edges").shape
    (1, 2)
    """
    try:
        given = np.asarray(values)
    except ValueError:
        given, found = np.zeros(0), "rows are of different lengths"
    else:
        found = f"they have shape {given.shape} and type {given.dtype}"
    is_integral = given.dtype.kind in "iu" and given.max(initial=0) <= np.iinfo(np.int64).max
    if given.ndim != ndim or (given.size and not is_integral):
        raise InvalidGame(
            needs=f"integers in {'one axis' if ndim == 1 else f'{ndim} axes'} as {what}",
            found=found,
            remedy="Multiply fractions by a common denominator.",
        )
    return immutable(given.astype(np.int64))


def are_doubles(values: NDArray[Any]) -> bool:
    """Tell whether an array is of floats that float64 holds.

    >>> are_doubles(np.zeros(2, dtype=np.float32)), are_doubles(np.zeros(2, dtype=np.int8))
    (True, False)
    """
    return values.dtype.kind == "f" and np.can_cast(values.dtype, np.float64)


def exact_array(values: object, *, where: str = "numbers") -> ExactArray:
    """Copy numbers, nested in sequences of any depth, into a read-only exact array.

    Raises:
        InvalidGame: If rows have different lengths, or an entry is no finite number; names the
            index.
    """
    values = plain(values, where=where)
    if isinstance(values, np.ndarray):
        shape = values.shape
        keeps_kind = not reads_dyadics() and values.dtype.kind == "f"  # 0.1 of 32 bits is no float
        entries = cast("list[object]", (list if keeps_kind else np.ndarray.tolist)(values.ravel()))
        if not values.flags.writeable and are_rationals(entries):
            return freeze(values.copy())  # an exact array already
        flat: Iterable[object] = entries
    else:
        shape = _regular_shape(values, where, ())
        flat = _flatten(values, len(shape))
    interned: dict[object, Fraction] = {}
    out = np.empty(math.prod(shape), dtype=object)
    for position, value in enumerate(flat):
        key = (type(value), value) if isinstance(value, int | float | str) else None
        number = interned.get(key) if key is not None else None
        if number is None:
            try:
                number = to_fraction(value)
            except InvalidGame as refusal:
                index = tuple(int(i) for i in np.unravel_index(position, shape)) if shape else ()
                raise refusal.changed(where=f"{where}: entry {index}") from None
            number = interned.setdefault(number, number)
            if key is not None:
                interned[key] = number
        out[position] = number
    return freeze(out.reshape(shape))


def _is_row(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _regular_shape(values: object, where: str, index: tuple[int, ...]) -> tuple[int, ...]:
    if not _is_row(values):
        return ()
    shapes = [_regular_shape(row, where, (*index, i)) for i, row in enumerate(values)]
    for i, shape in enumerate(shapes):
        if shape != shapes[0]:
            raise InvalidGame(
                needs="rows of one length",
                found=f"entry {(*index, 0)} has shape {shapes[0]} and entry {(*index, i)} has "
                f"shape {shape}",
                remedy="Complete the ragged rows.",
                where=where,
            )
    return (len(shapes), *shapes[0]) if shapes else (0,)


def _flatten(values: object, depth: int) -> Iterable[object]:
    if depth == 0:
        return [values]
    level = cast("Iterable[object]", values)
    for _ in range(depth - 1):
        level = [item for row in level for item in cast("Iterable[object]", row)]
    return level


def exact_from_floats(array: FloatArray) -> ExactArray:
    """Return the dyadic rationals that the floats are, as an exact array of the same shape."""
    values, codes = np.unique(array, return_inverse=True)
    require_memory(
        BYTES_OF_A_FRACTION * len(values) + 3 * array.nbytes,
        what=f"{array.size:,} numbers as fractions, {len(values):,} of them different",
    )
    table = np.array([Fraction(float(v)) for v in values], dtype=object)
    return freeze(table[codes].reshape(array.shape))


def as_exact(array: NumberArray) -> ExactArray:
    """Return the array itself if exact, else the dyadic rationals its floats are."""
    return array if is_exact(array) else exact_from_floats(cast("FloatArray", array))


def as_float(array: NumberArray) -> FloatArray:
    """Return float64 values, each rounded to nearest; read-only.

    Raises:
        InvalidGame: If a rational is too large for a float.
    """
    if not is_exact(array):
        return cast("FloatArray", array)
    try:
        return freeze(array.astype(np.float64))
    except OverflowError:
        largest = max(abs(cast("Fraction", v)) for v in array.ravel())
        raise InvalidGame(
            needs="numbers below 1.8e308 where floats are used",
            found=f"one is about 1e{int(math.log10(int(largest)))}",
            remedy="Rescale the payoffs.",
            where="payoffs",
        ) from None


def scaled_integers(array: NumberArray) -> ScaledIntegers:
    """Write an array as integers over the least common denominator of its exact entries.

    >>> scaled = scaled_integers(exact_array(["1/2", "1/3"]))
    >>> scaled.numerators.tolist(), scaled.denominator
    ([3, 2], 6)
    """
    if not is_exact(array):
        return _scaled_floats(cast("FloatArray", array))
    require_memory(
        BYTES_OF_AN_INTEGER * array.size, what=f"{array.size:,} numbers over one denominator"
    )
    flat = cast("list[Fraction]", array.ravel().tolist())
    denominators = [value.denominator for value in flat]
    denominator = math.lcm(*set(denominators))
    factors = {own: denominator // own for own in set(denominators)}
    numerators = [v.numerator * factors[own] for v, own in zip(flat, denominators, strict=True)]
    return ScaledIntegers(object_array(numerators).reshape(array.shape), denominator)


def exact_sum(values: Iterable[Fraction]) -> Fraction:
    """Add rationals over one denominator: a common factor is sought once, and not at each step.

    >>> exact_sum([Fraction(1, 2), Fraction(1, 3)])
    Fraction(5, 6)
    """
    terms = list(values)
    denominator = math.lcm(*{term.denominator for term in terms})
    return Fraction(
        sum(term.numerator * (denominator // term.denominator) for term in terms), denominator
    )


def _scaled_floats(array: FloatArray) -> ScaledIntegers:
    """Do the same for floats by their mantissas and exponents, without a ``Fraction`` an entry."""
    require_memory(
        2 * BYTES_OF_AN_INTEGER * array.size, what=f"{array.size:,} numbers over one denominator"
    )
    mantissas, exponents = np.frexp(array)
    odd = (mantissas * 2.0**53).astype(np.int64)
    lowest_bits = np.where(odd == 0, 1, odd & -odd)
    zeros = np.frexp(lowest_bits.astype(np.float64))[1] - 1
    odd >>= zeros
    exponents = np.where(odd == 0, 0, exponents.astype(np.int64) - 53 + zeros)
    least = min(0, int(exponents.min(initial=0)))
    numerators = odd.astype(object) << (exponents - least).astype(object)
    return ScaledIntegers(freeze(numerators), 1 << -least)


def scaled_floats(array: NumberArray) -> ScaledFloats | None:
    """Write an array as floats over a common denominator; None if a numerator has over 53 bits."""
    if not is_exact(array):
        return ScaledFloats(cast("FloatArray", array), 1)
    scaled = scaled_integers(array)
    integers = cast("list[int]", scaled.numerators.ravel().tolist())
    if any(value.bit_length() > FLOAT_BITS for value in set(integers)):
        return None
    return ScaledFloats(freeze(scaled.numerators.astype(np.float64)), scaled.denominator)


def object_array(values: Sequence[Any]) -> ExactArray:
    """Return objects, such as rationals or Python integers, as a read-only vector."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return freeze(array)


def hexadecimal(value: Fraction) -> str:
    """Write a rational in base 16, where Python sets no limit to the number of digits."""
    return f"{value.numerator:x}/{value.denominator:x}"
