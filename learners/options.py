"""Options whose ranges are declared beside their types: refused early, and written once.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... @checked
... class Noise:
...     share: Share = 0.1
>>> Noise(2)
Traceback (most recent call last):
    ...
gametheory_core.errors.InvalidArgument: Noise: needs a finite share of at least 0 and at most 1, \
but got 2.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache, wraps
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, dataclass_transform, get_args, get_origin

import numpy as np

from gametheory_core.arguments import (
    described,
    require_instance,
    require_integer,
    require_member,
    require_number,
)
from gametheory_core.errors import InvalidArgument

Made = TypeVar("Made", bound=type)

KINDS: dict[type, list[type]] = {}  # family -> its kinds, in the order of their declarations


@dataclass(frozen=True)
class Range:
    """Where a finite number lies; an integer may be ``low`` and ``high`` themselves."""

    low: float | None = None
    high: float | None = None
    above: float | None = None

    def require(self, value: Any, *, kind: type, name: str, where: str) -> None:
        """Refuse what is out of the range or not of the kind."""
        if kind is int:
            low, high = (None if end is None else int(end) for end in (self.low, self.high))
            require_integer(value, name=name, low=low, high=high, where=where)
        else:
            require_number(
                value, name=name, low=self.low, high=self.high, above=self.above, where=where
            )


Finite = Annotated[float, Range()]
Share = Annotated[float, Range(low=0, high=1)]
PositiveShare = Annotated[float, Range(above=0, high=1)]
Positive = Annotated[float, Range(above=0)]
NotNegative = Annotated[float, Range(low=0)]
Count = Annotated[int, Range(low=1)]
AtOnce = Annotated[int, Range(low=1, high=1_000_000)]  # episodes that arrays hold beside each other
CountFromZero = Annotated[int, Range(low=0)]


def checked(made: Made) -> Made:
    """Have a class refuse options out of their declared ranges, before it is made.

    Generators and enumerations are checked, and numbers that are ``Annotated`` with a ``Range``,
    also where None is allowed. A class with an ``__init__`` of its own has its arguments checked,
    else its fields.
    """
    name = "__init__" if "__init__" in vars(made) else "__post_init__"
    given: Any = vars(made).get(name, _nothing)

    @wraps(given)
    def make(self: Any, *arguments: Any, **options: Any) -> None:
        if name == "__init__":
            values = inspect.signature(given).bind(self, *arguments, **options).arguments
            _check(values, _declared(given), where=type(self).__name__)
        else:
            _check(vars(self), _declared(made), where=type(self).__name__)
        given(self, *arguments, **options)

    setattr(made, name, make)
    return made


@dataclass_transform(frozen_default=True)
def kind_of(family: type) -> Callable[[Made], Made]:
    """Make a class a frozen record of checked options, one kind of a family.

    Where a hint says the family, a file may name any of its kinds, and gives the fields.

    Args:
        family: What all kinds have in common, such as a protocol.

    Raises:
        InvalidArgument: If the family has a kind of that name, defined elsewhere.

    >>> class Weather: ...
    >>> @kind_of(Weather)
    ... class Rain:
    ...     hours: Count = 1
    >>> KINDS[Weather], Rain(2)
    ([<class 'learners.options.Rain'>], Rain(hours=2))
    """

    def declare(made: Made) -> Made:
        kind = dataclass(frozen=True)(checked(made))
        kinds = KINDS.setdefault(family, [])
        for place, other in enumerate(kinds):
            if other.__name__ == kind.__name__:
                _require_same_place(kind, other, family)
                kinds[place] = kind  # its module was loaded again
                return kind
        kinds.append(kind)
        return kind

    return declare


def _require_same_place(kind: type, other: type, family: type) -> None:
    """Refuse a second kind of a name, which files could not tell from the first."""
    here, there = (f"{own.__module__}.{own.__qualname__}" for own in (kind, other))
    if here != there:
        raise InvalidArgument(
            needs=f"another name than {kind.__name__}",
            found=f"{family.__name__} has a kind of that name already, {there}",
            remedy=f"Rename {here}.",
            where="kind_of",
        )


def require_kind(
    value: object, family: type, *, name: str, what: str, where: str | None = None
) -> None:
    """Refuse what is of no declared kind of a family.

    Args:
        what: A kind in words, with an example: "a gate, such as Append()".

    Raises:
        InvalidArgument: Says which kinds there are.
    """
    if not isinstance(value, tuple(KINDS[family])):
        raise InvalidArgument(
            needs=f"{name} to be {what}",
            found=f"got {described(value)}",
            remedy=f"Kinds are {', '.join(kind.__name__ for kind in KINDS[family])}.",
            where=where,
        )


def _nothing(_: object) -> None:
    """Make nothing more of a class than it is."""


def _check(
    values: Mapping[str, Any], declared: Mapping[str, tuple[Any, bool]], *, where: str
) -> None:
    for name, (hint, is_optional) in declared.items():
        if name not in values or (is_optional and values[name] is None):
            continue
        if get_origin(hint) is Annotated:
            kind, limits = get_args(hint)
            limits.require(values[name], kind=kind, name=name, where=where)
        elif hint is np.random.Generator:
            remedy = "Give rng=numpy.random.default_rng(seed)."
            require_instance(values[name], hint, name=name, remedy=remedy, where=where)
        else:
            require_member(values[name], hint, name=name, where=where)


@cache
def _declared(place: Any) -> dict[str, tuple[Any, bool]]:
    """Return what can be checked: name -> type or range, and whether None is allowed."""
    found: dict[str, tuple[Any, bool]] = {}
    for name, hint in place.__annotations__.items():
        arms = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        kinds = [arm for arm in arms if arm is not NoneType]
        if len(kinds) == 1 and _is_checked(kinds[0]):
            found[name] = kinds[0], len(arms) > 1
    return found


def _is_checked(hint: Any) -> bool:
    if get_origin(hint) is Annotated:
        return isinstance(get_args(hint)[1], Range)
    return isinstance(hint, type) and issubclass(hint, Enum | np.random.Generator)
