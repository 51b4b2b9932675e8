"""What solvers return: a profile, its certificate, and how it was got."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Integral
from typing import Any, Generic, TypeAlias, TypeVar

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.payoff_text import payoff_text
from gametheory_core.memory import memory_cap, require_bytes, resident_memory
from gametheory_core.strategies.behavioral import Game
from gametheory_core.strategies.labels import Labelled
from solvers.results.presented import (
    Presented,
    numbered_table,
    several_parts,
    solution_parts,
    solution_record,
    solution_table,
)
from solvers.results.tables import AnswerTable

ProfileT_co = TypeVar("ProfileT_co", covariant=True)
CertificateT_co = TypeVar("CertificateT_co", covariant=True)

MOST_SUMMARIZED = 6  # payoffs in the summary of a solution
SECONDS_BETWEEN_LOOKS = 0.02  # at the memory of the process, which takes ten microseconds


@dataclass(frozen=True)
class Progress:
    """What a long function reports while it runs.

    Attributes:
        done: Units of work finished.
        total: Units in all, if known.
        unit: What is counted, in the plural: "linear programs", "vertices".
    """

    done: int
    total: int | None
    unit: str


OnIteration: TypeAlias = Callable[[Progress], None]


@dataclass(frozen=True)
class RunRecord:
    """How an answer was got.

    Attributes:
        algorithm: Name of the function that found it.
        seconds: Wall-clock time.
        iterations: Steps of the algorithm's own kind: pivots, vertices, linear programs.
    """

    algorithm: str
    seconds: float
    iterations: int = 0


@dataclass(frozen=True, repr=False)
class Solution(Presented, Generic[ProfileT_co, CertificateT_co]):
    """A certified answer; ``print`` shows it.

    Attributes:
        profile: What was found; always rational. Profiles have ``to_float()``.
        payoffs: Expected payoff of each player.
        certificate: Checkable without the solver: ``certificate.verify()``.
        run: How it was got.

    >>> from solvers import minimax
    >>> from gametheory_core import load_game
    >>> print(minimax(load_game("matching_pennies")))
    player  action  probability  decimal
    Even    heads           1/2      0.5
            tails           1/2      0.5
    Odd     heads           1/2      0.5
            tails           1/2      0.5
    payoff of Even: 0
    payoff of Odd: 0
    certified: minimax strategies: the value of the game is 0, exactly
    """

    profile: ProfileT_co
    payoffs: tuple[Fraction, ...]
    certificate: CertificateT_co
    run: RunRecord

    def __post_init__(self) -> None:
        profile: Any = self.profile
        if isinstance(profile, Labelled) and profile.game is None:
            object.__setattr__(self, "profile", profile.known_to_be_of(_game_of(self)))

    def __repr__(self) -> str:
        facts = [type(self.profile).__name__]
        if self.payoffs:
            shown = [payoff_text(payoff) for payoff in self.payoffs[:MOST_SUMMARIZED]]
            more = ", ..." if len(self.payoffs) > MOST_SUMMARIZED else ""
            facts.append(f"payoffs ({', '.join(shown)}{more})")
        facts.append(type(self.certificate).__name__)
        epsilon = getattr(self.certificate, "epsilon", None)
        if epsilon is not None:
            facts.append(f"epsilon {payoff_text(epsilon)}")
        return f"Solution(by {self.run.algorithm}: {', '.join(facts)})"

    def table(self, *, full: bool = False, top: int | None = None) -> AnswerTable:
        """Return who plays what, and how often; only what is played, unless ``full``."""
        return solution_table(_game_of(self), self, full=full, top=top)

    def to_record(self) -> dict[str, Any]:
        """Return the answer with its certificate as what JSON can hold."""
        return solution_record(_game_of(self), self)

    def _parts(self) -> list[str | AnswerTable]:
        return solution_parts(_game_of(self), self)


@dataclass(frozen=True, repr=False)
class SolutionSet(Presented, Generic[ProfileT_co, CertificateT_co]):
    """Several certified equilibria of one game; ``print`` shows them.

    Attributes:
        game: Whose equilibria.
        equilibria: In a fixed order; each has its own certificate.
        is_complete: Whether these are all of the kind that ``evidence`` names.
        evidence: Why the set is complete, or what is missing, in words.
        completeness: The same claim in checkable form, where there is one.
        run: How they were got.
    """

    game: Game
    equilibria: tuple[Solution[ProfileT_co, CertificateT_co], ...]
    is_complete: bool
    evidence: str
    completeness: Any  # a certificate, or None
    run: RunRecord

    def __repr__(self) -> str:
        number = len(self.equilibria)
        noun = "equilibrium" if number == 1 else "equilibria"
        known = "complete" if self.is_complete else "perhaps not all"
        return f"SolutionSet(by {self.run.algorithm}: {number} {noun} of {self.game!r}, {known})"

    def table(self, *, full: bool = False, top: int | None = None) -> AnswerTable:
        """Return who plays what in which of them; only what is played, unless ``full``."""
        return numbered_table(self.game, self.equilibria, full=full).top(top)

    def to_record(self) -> dict[str, Any]:
        """Return all of them with their certificates as what JSON can hold."""
        return {
            "complete": self.is_complete,
            "evidence": self.evidence,
            "solutions": [solution_record(self.game, own) for own in self.equilibria],
        }

    def _parts(self) -> list[str | AnswerTable]:
        return several_parts(
            self.game, self.equilibria, is_complete=self.is_complete, evidence=self.evidence
        )


def _game_of(solution: Solution[Any, Any]) -> Any:
    """Return the game whose certificate says it."""
    return getattr(solution.certificate, "game", None)


@dataclass(frozen=True)
class Budget:
    """How much a solver may spend.

    Attributes:
        seconds: Wall-clock limit from the call on; None for no limit.
        iterations: Limit on the algorithm's own steps; None for no limit.
        memory: Bytes that a step may take, and that the process may grow by while the solver runs;
            None for a quarter of the machine's memory.
    """

    seconds: float | None = None
    iterations: int | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        for name, value, kinds, remedy in (
            ("seconds", self.seconds, (int, float), ""),
            ("iterations", self.iterations, (Integral,), "Give a whole number."),
        ):
            is_number = isinstance(value, kinds) and not isinstance(value, bool)
            if value is not None and not (is_number and value >= 0):
                raise InvalidArgument(
                    needs=f"{name} of at least 0, or None for no limit",
                    found=f"got {shown(value)}",
                    remedy=remedy,
                )
        if self.memory is not None:
            require_bytes(self.memory)

    @property
    def is_endless(self) -> bool:
        """Whether neither time nor iterations are limited."""
        return self.seconds is None and self.iterations is None


UNLIMITED = Budget()


class BudgetOver(Exception):
    """Leaves what is under way; a solver catches it, and never lets it out."""


@dataclass
class Meter:
    """A running budget: counts iterations and knows the time.

    The one mutable record of the package; lives inside a single solver call.
    """

    budget: Budget
    unit: str
    on_iteration: OnIteration | None = None
    total: int | None = None
    iterations: int = 0
    started: float = field(default_factory=time.perf_counter)
    algorithm: str = ""
    most_resident: float = field(init=False)
    next_look: float = field(init=False)
    is_out_of_memory: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.budget, Budget):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgument(
                needs="budget to be a Budget",
                found=f"got {shown(self.budget)}",
                remedy="Give Budget(seconds=10), Budget(iterations=1000), or leave it out for no "
                "limit.",
            )
        self.most_resident = resident_memory() + (self.budget.memory or memory_cap())
        self.next_look = self.started + SECONDS_BETWEEN_LOOKS
        if self.on_iteration is not None and not callable(self.on_iteration):
            raise InvalidArgument(
                needs="on_iteration to be a function of one Progress record",
                found=f"got {shown(self.on_iteration)}",
                remedy="Give print, for one, or leave it out.",
            )

    @property
    def seconds(self) -> float:
        """Wall-clock time since the start."""
        return time.perf_counter() - self.started

    @property
    def seconds_left(self) -> float | None:
        """Time until the limit, at least 0, and 0 once memory is spent; None without a limit."""
        if self._is_out_of_memory():
            return 0.0
        if self.budget.seconds is None:
            return None
        return max(0.0, self.budget.seconds - self.seconds)

    @property
    def iterations_left(self) -> int | None:
        """Iterations until the limit, at least 0; None without a limit."""
        limit = self.budget.iterations
        return None if limit is None else max(0, limit - self.iterations)

    def at_most(self, count: int) -> int:
        """Return a number of iterations, or as many as are left if these are fewer."""
        left = self.iterations_left
        return count if left is None else min(count, left)

    @property
    def left(self) -> Budget:
        """What is left of the budget."""
        return Budget(self.seconds_left, self.iterations_left, self.budget.memory)

    @property
    def is_exhausted(self) -> bool:
        """Whether a limit has been reached."""
        limit = self.budget.iterations
        return self.seconds_left == 0.0 or (limit is not None and self.iterations >= limit)

    def _is_out_of_memory(self) -> bool:
        """Return whether the process has grown by the cap since the start; looked at now and then.

        Once true it stays so: memory that is freed is not a reason to go on.
        """
        now = time.perf_counter()
        if now >= self.next_look:
            self.next_look = now + SECONDS_BETWEEN_LOOKS
            self.is_out_of_memory |= resident_memory() > self.most_resident
        return self.is_out_of_memory

    def step(self, count: int = 1) -> None:
        """Count work done and report it."""
        self.iterations += count
        if self.on_iteration is not None:
            self.on_iteration(Progress(self.iterations, self.total, self.unit))

    def require_more(self) -> None:
        """Leave what is under way where a limit has been reached.

        Raises:
            BudgetOver: Caught by the solver, which raises ``NotConverged`` with what it has.
        """
        if self.is_exhausted:
            raise BudgetOver

    def require_time(self) -> None:
        """Leave what is under way where time is up.

        Raises:
            BudgetOver: As from ``require_more``.
        """
        if self.seconds_left == 0.0:
            raise BudgetOver

    def tick(self) -> None:
        """Count one iteration, or leave what is under way where none is left.

        Raises:
            BudgetOver: As from ``require_more``.
        """
        self.require_more()
        self.step()

    def record(self) -> RunRecord:
        """Close the books."""
        return RunRecord(self.algorithm, seconds=self.seconds, iterations=self.iterations)


def solution_of(found: Any) -> Solution[Any, Any] | SolutionSet[Any, Any] | None:
    """Return the solutions in what a solver returned: itself, or its ``solution``.

    >>> solution_of(3) is None
    True
    """
    if found is None or isinstance(found, Solution | SolutionSet):
        return found
    return solution_of(getattr(found, "solution", None))
