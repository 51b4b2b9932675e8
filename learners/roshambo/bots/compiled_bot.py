"""Bots whose throws are compiled: a value that says what a bot is, and a bot that plays by it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance, require_integer
from gametheory_core.errors import InvalidArgument
from learners.roshambo.bots.automata import Automaton

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

FIRST_CAPACITY = 1024
WORD = 2**64
SPACING = 0xD1342543DE82EF95  # of counters; odd, and no small multiple of their step
THROWS = frozenset(range(3))


class Seat(NamedTuple):
    """All that a bot decides by; ``K`` throws have room.

    Attributes:
        rules: Parameters; never changed.
        floats: Memory.
        ints: Memory; the first is the counter of random numbers.
        own, other (K,): Throws; at throw ``t`` the first ``t`` of them are made.
    """

    rules: Floats
    floats: Floats
    ints: Ints
    own: Ints
    other: Ints


@dataclass(frozen=True)
class Start:
    """The memory that a bot begins a match with.

    Attributes:
        rules: Parameters, as numbers.
        floats: Fractional numbers: so many zeros, or what they are.
        ints: Integers after the counter of random numbers: so many zeros, or what they are.
    """

    rules: Sequence[float] = ()
    floats: int | Sequence[float] = 0
    ints: int | Sequence[int] = 0


@dataclass(frozen=True)
class Family:
    """An idea, compiled: bots that differ by parameters alone.

    Attributes:
        name: For people.
        throw: ``throw(seat, t) -> int``, which numba can compile; ``seat`` is a ``Seat``. It must
            read no throws but the first ``t``, and draw by ``seats.uniform(seat.ints)`` alone.
        start: Takes the parameters; returns a ``Start``.
        automaton: Takes the parameters; returns the exact ``Automaton`` of the bot, if it has one.
        unbounded: Why it has none, otherwise.
    """

    name: str
    throw: Callable[[Seat, int], int]
    start: Callable[..., Start]
    automaton: Callable[..., Automaton] | None = None
    unbounded: str = ""


@dataclass(frozen=True, eq=False)
class Recipe:
    """What a compiled bot is.

    Attributes:
        name: Of the bot.
        family: How it decides.
        parameters: By which it differs from others of the family.
        idea: What it does, in a line.
        source: Keys of ``docs/references.bib``.
    """

    name: str
    family: Family
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])
    idea: str = ""
    source: tuple[str, ...] = ()


class CompiledBot:
    """A bot that plays by a recipe.

    ``play_match`` lets two of them play in one compiled loop; with anybody else it is a bot like
    others, and throws the same.

    Args:
        recipe: What it is.

    Raises:
        InvalidArgument: By ``throw``, if histories are not those of a match that goes on, or have
            entries that are no throws.

    >>> from learners.roshambo.bots import Family, Start
    >>> def stubborn(seat, t): return int(seat.rules[0])
    >>> paper = Family("stubborn", stubborn, lambda throw: Start(rules=[throw]))
    >>> CompiledBot(Recipe("paper", paper, {"throw": 1})).throw([], [])
    1
    """

    def __init__(self, recipe: Recipe) -> None:
        require_instance(recipe, Recipe, name="recipe")
        self.recipe = recipe
        self._start = _memory(recipe)
        self.reset(0)

    @property
    def name(self) -> str:
        """Of the recipe."""
        return self.recipe.name

    @property
    def address(self) -> int:
        """Where the compiled throw lies in this process."""
        return _compiled(self.recipe.family.throw).address

    def reset(self, seed: int) -> None:
        """Forget everything, and begin a match.

        Args:
            seed: Of all that is random, modulo 2^64.
        """
        require_integer(seed, name="seed", low=0)
        rules, floats, ints = self._start
        self._memory = rules, floats.copy(), ints.copy()
        self._memory[2][0] = _counter(int(seed))
        self._histories: NDArray[np.int64] = np.empty((2, 0), dtype=np.int64)
        self._answered = 0  # throws

    def throw(self, own: Any, other: Any) -> int:
        """Return the next throw after the throws so far; both grow by one from call to call."""
        made = len(own)
        if made != self._answered or len(other) != made:
            raise InvalidArgument(
                needs=f"two histories of {self._answered} throws, one more in each call",
                found=f"they have {made} and {len(other)}",
                remedy="Call reset(seed) before another match.",
            )
        if made == self._histories.shape[1] or not self._histories.flags.writeable:
            self._enlarge(max(2 * made, FIRST_CAPACITY))
        if made > 0:
            last = own[-1], other[-1]
            if last[0] not in THROWS or last[1] not in THROWS:
                raise InvalidArgument(needs="throws of 0, 1 and 2", found=f"the last are {last}")
            self._histories[:, made - 1] = last
        self._answered += 1
        return _loops().ask(self.address, self.seat(*self._histories), made)

    def seat(self, own: NDArray[np.int64], other: NDArray[np.int64]) -> Seat:
        """Return what the compiled throw decides by, with histories to be filled."""
        return Seat(*self._memory, own, other)

    def sat_through(self, histories: NDArray[np.int64]) -> None:
        """Take note of a match that was played in a compiled loop: own throws, and the other's."""
        self._histories, self._answered = histories, histories.shape[1]

    def _enlarge(self, capacity: int) -> None:
        larger = np.zeros((2, capacity), dtype=np.int64)
        larger[:, : self._histories.shape[1]] = self._histories
        self._histories = larger

    def __reduce__(self) -> tuple[Any, ...]:
        return CompiledBot, (self.recipe,)


def automaton(bot: CompiledBot) -> Automaton:
    """Return the exact model of a bot that has finitely many states.

    Chances are those of the recipe; a throw is drawn by them up to 2^-53.

    Raises:
        InvalidArgument: If it has no such model; says why.

    >>> from learners.roshambo.bots import embedded_bot
    >>> automaton(embedded_bot("cycle_up")).num_states
    3
    """
    require_instance(bot, CompiledBot, name="bot")
    recipe = bot.recipe
    if recipe.family.automaton is None:
        raise InvalidArgument(
            needs="a bot with finitely many states",
            found=f"{recipe.name} {recipe.family.unbounded or 'gives no automaton'}",
        )
    return recipe.family.automaton(**recipe.parameters)


def compiled_match(first: CompiledBot, second: CompiledBot, throws: int) -> NDArray[np.int64]:
    """Let two bots that were reset play in one compiled loop; return histories (2, throws).

    Raises:
        InvalidArgument: If one throws what is no throw.
    """
    made = np.zeros((2, throws), dtype=np.int64)
    seats = first.seat(made[0], made[1]), second.seat(made[1], made[0])
    valid = _loops().play(first.address, second.address, *seats)
    if valid < throws:
        raise InvalidArgument(
            needs=f"0, 1 or 2 as throw {valid} of {first.name} and of {second.name}",
            found=f"got {made[0, valid]} and {made[1, valid]}",
            where="play_match",
        )
    made.flags.writeable = False
    first.sat_through(made)
    second.sat_through(made[::-1])
    return made


@cache
def _loops() -> Any:
    from learners.roshambo.bots import seats  # noqa: PLC0415 loads numba

    return seats


@cache
def _compiled(throw: Any) -> Any:
    return _loops().throwing(throw)


@cache
def _memory(recipe: Recipe) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return rules, floats and ints as a match begins, the counter before other integers."""
    start = recipe.family.start(**recipe.parameters)
    floats = [0.0] * start.floats if isinstance(start.floats, int) else start.floats
    ints = [0] * start.ints if isinstance(start.ints, int) else start.ints
    return (
        np.array(start.rules, dtype=np.float64),
        np.array(floats, dtype=np.float64),
        np.array([0, *ints], dtype=np.int64),
    )


def _counter(seed: int) -> int:
    """Return where the counter of random numbers stands under a seed, as a signed word."""
    return (seed * SPACING + WORD // 2) % WORD - WORD // 2
