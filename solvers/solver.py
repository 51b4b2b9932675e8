"""A solver declares once what it answers, takes and counts; all else is derived from that.

``solve``, the command line, the table in the documentation and the tests read the declarations::

    @solver(
        Answers(Concept.MINIMAX, rank=10),
        Answers(Concept.NASH, rank=40),
        takes=(a_normal_form, two_players, constant_sum),
        unit="pivots",
        because="two players, constant sum: one linear program finds a solution",
        page="zero-sum",
    )
    def minimax(game, *, tolerance=None, budget=UNLIMITED, on_iteration=None): ...

The decorated function refuses, in this order and before anything is computed, games of another
kind, games that lack a requirement, and options of another type.
"""

import inspect
import pkgutil
import re
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, cached_property, wraps
from importlib import import_module
from types import NoneType, UnionType
from typing import Any, ParamSpec, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np

from gametheory_core.errors import GameTheoryError, InvalidArgument, UnsupportedGame
from gametheory_core.extensions import load_rooms
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.memory import in_units, memory_cap, memory_limit
from solvers.concepts import WEAKER
from solvers.requirements import (
    Kind,
    Requirement,
    require_generator,
    require_instance,
    require_member,
    require_player,
    require_tolerance,
)
from solvers.solution import Budget, Meter, OnIteration, Solution, SolutionSet

Options = ParamSpec("Options")
Result = TypeVar("Result")
Found = Solution[Any, Any] | SolutionSet[Any, Any]

_OPTION = re.compile(r"    (\w+(?:, \w+)*)(?: \([^)]*\))?: (.*)")
_INSIDE = " " * 8
ROOMS = ("solvers.leaders.registration", "solvers.mediation.registration")
LIMITS = ("budget", "on_iteration")  # every solver's options
SEATS = ("player", "leader")  # options that are numbers of players


@dataclass(frozen=True, eq=False)
class Answers:
    """That a solver answers a concept.

    Attributes:
        concept: Its word.
        rank: Of all that take a game, the one of the lowest rank is asked first; then by name.
        because: Why this is the one to ask; default: as the solver says.
        takes: What this concept requires besides what the solver does.
        given: Options that make the solver answer this.
        default: Options that ``solve`` gives where none are given: a value, or a function of the
            game.
        lists: Whether the answer is a set of solutions.
        first_of: "a pure equilibrium", where one of a set is the answer.
        read: How the answer is read from the result, where it is not its solution.
    """

    concept: str
    rank: int
    because: str = ""
    takes: tuple[Requirement, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict[str, Any])
    default: Mapping[str, Any] = field(default_factory=dict[str, Any])
    lists: bool = False
    first_of: str = ""
    read: Callable[[Any], Found] | None = None


@dataclass(frozen=True, eq=False)
class Conversion:
    """A road to a solver from games of another kind.

    Attributes:
        kind: What it leads to.
        target: The same, as users write it: "extensive_to_normal(game).target".
        takes: The kind it begins with, and what it requires.
        because: What happens, for the reason that is shown.
        solve: Called with the game, a function that solves the target, the limits, and whether
            ``lists`` all solutions; carries back what is found.
    """

    kind: Kind
    target: str
    takes: tuple[Kind | Requirement, ...]
    because: str
    solve: Callable[..., Found]


@dataclass(frozen=True, eq=False)
class Declaration:
    """What a solver says of itself.

    Attributes:
        function: The solver, as users call it.
        answers: What it answers, if ``solve`` may ask it.
        takes: The kind of game, and requirements in the order in which they are looked at; empty
            for what is asked about no game.
        through: Conversions that may precede it.
        unit: What its iterations are, in the plural.
        because: Why it fits the games it takes.
        page: Where the documentation shows it.
    """

    function: Callable[..., Any]
    answers: tuple[Answers, ...]
    takes: tuple[Kind | Requirement, ...]
    through: tuple[Conversion, ...]
    unit: str
    because: str
    page: str

    @cached_property
    def name(self) -> str:
        """The name of the function."""
        return self.function.__name__

    @cached_property
    def summary(self) -> str:
        """The first sentence of its documentation, without the stop."""
        return (self.function.__doc__ or "").strip().partition("\n")[0].rstrip(".")

    @cached_property
    def options(self) -> dict[str, tuple[Any, ...]]:
        """Each option of the solver's own, with the types that it takes."""
        hints = get_type_hints(self.function)
        names = list(inspect.signature(self.function).parameters)[1:]
        return {name: _members(hints[name]) for name in names if name not in LIMITS}

    @cached_property
    def explained(self) -> dict[str, str]:
        """What the documentation says of each option."""
        told: dict[str, str] = {}
        names: list[str] = []
        for line in inspect.cleandoc(self.function.__doc__ or "").splitlines():
            if match := _OPTION.match(line):
                names = match[1].split(", ")
                told.update(dict.fromkeys(names, match[2]))
            elif line.startswith(_INSIDE):
                told.update({name: f"{told[name]} {line.strip()}" for name in names})
            else:
                names = []
        return {name: told[name] for name in self.options if name in told}

    def refuse(self, game: Any) -> None:
        """Refuse a game that lacks something, in the order declared.

        Raises:
            UnsupportedGame: Has the witness, and what takes the game instead.
            InvalidArgument: If it is no game.
        """
        for needed in self.takes:
            if isinstance(needed, Kind):
                if not needed.holds(game):
                    self._refuse_kind(needed, game)
                continue
            verdict = needed.test(game)
            if not verdict:
                concept = self.answers[0].concept if self.answers else None
                remedy = needed.remedy(game) or alternatives(game, concept, besides=self)
                raise UnsupportedGame(
                    needs=needed.needs, found=verdict.reason, remedy=remedy, witness=verdict.witness
                )

    def _refuse_kind(self, needed: Kind, game: Any) -> None:
        """Refuse another kind of game; of a tree, name the solvers of trees for the concept."""
        try:
            needed.require(game)
        except UnsupportedGame as error:
            if not isinstance(game, ExtensiveFormGame):
                raise
            concept = self.answers[0].concept if self.answers else None
            first = alternatives(game, concept, besides=self)
            if not first or " on " in first:  # what the kind says helps as much
                raise
            rest = f"Or {error.remedy[0].lower()}{error.remedy[1:]}"
            raise error.changed(remedy=f"{first} {rest}") from None

    def check(self, game: Any, options: Mapping[str, Any]) -> None:
        """Refuse options of another type, where one wording fits all.

        Raises:
            InvalidArgument: Names the option and what it takes.
        """
        for name, value in options.items():
            kinds = self.options.get(name, ())
            if NoneType in kinds:
                if value is None:
                    continue
                kinds = tuple(kind for kind in kinds if kind is not NoneType)
            if name.endswith("tolerance"):
                remedy = "Leave it out for the default."
                require_tolerance(value, name=name, is_optional=False, remedy=remedy)
            elif name in SEATS and self.takes and hasattr(game, "num_players"):
                require_player(value, game, name=name)
            elif name == "rng":
                require_generator(value)
            elif len(kinds) == 1 and issubclass(kinds[0], Enum):
                require_member(value, kinds[0], name=name)
            elif kinds == (bool,):
                require_instance(value, bool, name=name)


_DECLARED: dict[str, Declaration] = {}
_RUNNING: ContextVar[Declaration] = ContextVar("running")


def solver(
    *answers: Answers,
    takes: tuple[Kind | Requirement, ...] = (),
    through: tuple[Conversion, ...] = (),
    unit: str,
    because: str = "",
    page: str = "",
) -> Callable[[Callable[Options, Result]], Callable[Options, Result]]:
    """Declare a solver; its arguments are the attributes of ``Declaration``.

    What it declares it refuses: with ``UnsupportedGame`` games outside ``takes``, with
    ``InvalidArgument`` options of another type. Docstrings of solvers say what else they raise.

    Raises:
        InvalidArgument: If another solver has the name.
    """

    def declare(function: Callable[Options, Result]) -> Callable[Options, Result]:
        @wraps(function)
        def declared(*args: Options.args, **kwargs: Options.kwargs) -> Result:
            game = args[0] if args else kwargs.get("game")
            _make_plain(cast("dict[str, Any]", kwargs))
            outer = _RUNNING.set(declaration)
            try:
                with memory_limit(_memory_of(kwargs.get("budget"))):
                    declaration.refuse(game)
                    if kwargs:
                        declaration.check(game, kwargs)
                    return function(*args, **kwargs)
            except MemoryError as error:
                raise _too_large(declaration.name) from error
            except GameTheoryError as error:
                if not error.is_placed:
                    error.where = declaration.name
                raise
            finally:
                _RUNNING.reset(outer)

        declaration = Declaration(declared, answers, takes, through, unit, because, page)
        known = _DECLARED.setdefault(declared.__name__, declaration)
        if known.function.__module__ != declared.__module__:
            raise InvalidArgument(
                needs="a name of its own",
                found=f"{declared.__name__} is declared in {known.function.__module__} and in "
                f"{declared.__module__}",
                remedy="Rename one.",
            )
        _DECLARED[declared.__name__] = declaration
        return declared

    return declare


def _make_plain(given: dict[str, Any]) -> None:
    """Turn numpy's scalars into Python's numbers, which ``Fraction`` takes, in place."""
    for name, value in given.items():
        if isinstance(value, np.generic):
            given[name] = value.item()


def _memory_of(budget: object) -> int | None:
    return budget.memory if isinstance(budget, Budget) else None


def _too_large(where: str) -> UnsupportedGame:
    return UnsupportedGame(
        needs="more memory than the machine gives",
        found=f"the cap is {in_units(memory_cap())}",
        remedy="Solve a smaller game, or set a lower Budget(memory=...) to be refused earlier.",
        where=where,
    )


def open_meter(
    budget: Budget, on_iteration: OnIteration | None, *, total: int | None = None
) -> Meter:
    """Start the clock of the solver that runs: its iterations, and its name in the record.

    Raises:
        InvalidArgument: If there is no such budget, or progress cannot be reported.
    """
    running = _RUNNING.get()
    return Meter(budget, running.unit, on_iteration, total, algorithm=running.name)


@dataclass(frozen=True, eq=False)
class Route:
    """A way from a game to an answer: a solver, a concept, and perhaps a conversion before."""

    solver: Declaration
    answers: Answers
    conversion: Conversion | None = None

    @property
    def name(self) -> str:
        """The solver's name."""
        return self.solver.name

    @property
    def because(self) -> str:
        """Why it fits."""
        reason = self.answers.because or self.solver.because
        return reason if self.conversion is None else f"{reason}; {self.conversion.because}"

    @property
    def kind(self) -> Kind:
        """The kind of game it begins with."""
        (kind,) = (needed for needed in self.takes if isinstance(needed, Kind))
        return kind

    @property
    def takes(self) -> tuple[Kind | Requirement, ...]:
        """Everything that is required of a game."""
        own = (*self.solver.takes, *self.answers.takes)
        if self.conversion is None:
            return own
        kind, *needed = self.conversion.takes
        return (kind, *(own for own in own if isinstance(own, Requirement)), *needed)

    @property
    def options(self) -> tuple[str, ...]:
        """The options that may be given."""
        if self.conversion is not None:
            return ()
        return tuple(name for name in self.solver.options if name not in self.answers.given)

    def lack(self, game: Any) -> Kind | Requirement | None:
        """Return the first thing that the game lacks."""
        return _first_lack(self.takes, game)


def routes(concept: str | None = None) -> list[Route]:
    """Return all ways to an answer, in the order in which ``solve`` tries them."""
    _load_all()
    found = [
        Route(declared, answers, conversion)
        for declared in _DECLARED.values()
        for answers in declared.answers
        for conversion in (None, *declared.through)
        if concept is None or answers.concept == concept
    ]
    return sorted(found, key=lambda r: (r.answers.rank, r.name, r.conversion is not None))


def declarations() -> list[Declaration]:
    """Return all that is declared, by name."""
    _load_all()
    return [_DECLARED[name] for name in sorted(_DECLARED)]


def declaration_of(function: object) -> Declaration | None:
    """Return what a function declares; None if it is not declared.

    >>> from solvers import minimax
    >>> declaration_of(minimax).unit
    'pivots'
    """
    known = _DECLARED.get(getattr(function, "__name__", ""))
    return known if known is not None and known.function is function else None


def alternatives(game: Any, concept: str | None, *, besides: Declaration) -> str:
    """Name other solvers that take a game: for a concept, or the next weaker that has one."""
    asked = concept
    while concept is not None:
        others = [route for route in routes(concept) if route.solver is not besides]
        direct = [route.name for route in others if not (route.conversion or route.lack(game))]
        ways = {"": direct} | {
            f" on {conversion.target}": _after(conversion, others, game)
            for declared in _DECLARED.values()
            for conversion in declared.through
            if not _first_lack(conversion.takes, game)
        }
        for where, found in ways.items():
            if found:
                *some, last = dict.fromkeys(found)
                listed = f"{', '.join(some)} or {last}" if some else last
                return f"Try {listed}{where}{'' if concept == asked else f', for {concept}'}."
        concept = WEAKER.get(concept)
    return ""


def _after(conversion: Conversion, candidates: list[Route], game: Any) -> list[str]:
    """Name the routes that take what a conversion makes of a game, which keeps its players."""
    return [
        route.name
        for route in candidates
        if route.conversion is None
        and route.kind is conversion.kind
        and not _first_lack((own for own in route.takes if isinstance(own, Requirement)), game)
    ]


def _first_lack(takes: Iterable[Kind | Requirement], game: Any) -> Kind | Requirement | None:
    for needed in takes:
        if not (needed.holds if isinstance(needed, Kind) else needed.test)(game):
            return needed
    return None


@cache
def _load_all() -> None:
    """Import all solvers: ours, those of rooms of their own, and those of other packages."""
    own = import_module("solvers")
    for found in pkgutil.iter_modules(own.__path__, "solvers."):
        room = import_module(found.name) if found.ispkg else None
        for name in getattr(room, "__all__", ()):
            getattr(room, name)
    for room in ROOMS:
        import_module(room)
    load_rooms()


def _members(hint: Any) -> tuple[Any, ...]:
    """List the types in a union; containers count as what they are."""
    if isinstance(hint, UnionType) or str(get_origin(hint)) == "typing.Union":
        return tuple(kind for part in get_args(hint) for kind in _members(part))
    origin = get_origin(hint)
    return (hint if origin is None else origin,)
