"""Learners: who improves by playing, and how a file puts one to play and has it judged.

A room of learners says in its ``__init__`` where each is defined (``declare_learners``), so that
names are known before anything heavy is imported; each class declares the rest::

    @learner(plays=Plays.RULES, judge=Judge(appraise=judged, reads=("max_nodes",)))
    class MyLearner: ...

What may be chosen about it is read off its constructor. The metrics that every learner reports,
what finished episodes paid and how long they were, come from an ``EpisodeTally``.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from importlib import import_module
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from gametheory_core.errors import MissingDependency
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import BatchTurn, Snapshot
from learners.snapshots import Kept

Made = TypeVar("Made", bound=type)

LEARNERS: dict[str, str] = {}  # name -> "module:class"
FINDINGS: dict[str, str] = {}  # class of a certificate -> "module:function"


class Learner(Protocol):
    """Something that improves an iteration at a time, and can be stopped and continued exactly.

    The state lives inside; what leaves (``snapshot``, ``policies``) is a copy.
    """

    @property
    def name(self) -> str:
        """Name of the algorithm, for records."""
        ...

    def improve(self) -> Mapping[str, float]:
        """Make one iteration; return what is worth watching, such as "return/row" or "loss"."""
        ...

    def policies(self) -> PolicyProfile:
        """Return what was learned, one policy per player, exact: keyed by information state."""
        ...

    def snapshot(self) -> Snapshot:
        """Return all that is needed to continue exactly from here, chance included."""
        ...

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of a learner made with the same options."""
        ...


class Plays(Enum):
    """What a learner's constructor takes first; the value says it in words."""

    BATCHES = "episodes in batches"
    SEATS = "all seats of episodes in batches, with learners of its own"
    RULES = "the rules of a game; a normal form as a game of one step"
    GAME = "the game itself, whatever it is"


@dataclass(frozen=True)
class Judge:
    """Who judges what a learner learned.

    Attributes:
        reads: Which options of judging count, besides the method.
        appraise: Learner and options of judging -> appraisal. By default the policies are judged,
            exactly or by sampling.
        rules: Game -> the rules that the policies are of.
        adds: Learner -> findings besides those about its policies.
        measures: Further exact numbers that a success may ask for, computed where it does: name ->
            learner -> number.
    """

    reads: tuple[str, ...] = ("acts_on", "max_nodes", "episodes")
    appraise: Callable[[Any, Any], Any] | None = None
    rules: Callable[[Any], Any] = lambda game: game
    adds: Callable[[Any], tuple[Any, ...]] = lambda _: ()
    measures: Mapping[str, Callable[[Any], Fraction]] = field(default_factory=dict[str, Any])

    @property
    def is_exact_only(self) -> bool:
        """Whether episodes are of no use to it."""
        return "episodes" not in self.reads


@dataclass(frozen=True)
class Declaration:
    """How a learner is put to play, and judged.

    Attributes:
        plays: What it is made on.
        batch: Instead, where it plays batches of its own kind: game, ``episodes=`` and ``rng=``
            -> what its constructor takes first.
    """

    plays: Plays = Plays.BATCHES
    batch: Callable[..., Any] | None = None
    judge: Judge = field(default_factory=Judge)

    @property
    def is_batched(self) -> bool:
        """Whether it is made on episodes in batches, rather than on a game."""
        return self.batch is not None or self.plays in {Plays.BATCHES, Plays.SEATS}


_DECLARED: dict[type, Declaration] = {}


def learner(
    *,
    plays: Plays = Plays.BATCHES,
    batch: Callable[..., Any] | None = None,
    judge: Judge | None = None,
) -> Callable[[Made], Made]:
    """Declare how a class of learners is put to play and judged; see ``Declaration``.

    >>> @learner(plays=Plays.RULES)
    ... class Thinker: ...
    >>> declaration_of(Thinker).plays.name
    'RULES'
    """

    def declare(made: Made) -> Made:
        _DECLARED[made] = Declaration(plays, batch, judge or Judge())
        return made

    return declare


def declaration_of(made: type) -> Declaration:
    """Return what a class of learners declares; by default it plays in batches."""
    return _DECLARED.get(made, Declaration())


def declare_findings(package: str, places: Mapping[str, str]) -> None:
    """Make known what certificates of a kind prove of learned behavior, in which numbers.

    Args:
        places: Name of the certificate's class -> ``module:function`` in the package; the function
            returns numbers by the names that appraisals use.
    """
    FINDINGS.update({kind: f"{package}.{place}" for kind, place in places.items()})


def declared_findings(kind: str) -> Callable[[Any], dict[str, Any]] | None:
    """Return the function that reads certificates of a kind, by name, if one is declared."""
    return defined_at(FINDINGS[kind]) if kind in FINDINGS else None


def defined_at(place: str) -> Any:
    """Import what a place, ``module:name``, says."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def load_rooms() -> None:
    """Import the rooms of this package that declare; third parties declare when imported."""
    for room in import_module("learners").ROOMS:
        with suppress(MissingDependency):  # what is declared is known even so
            import_module(f"learners.{room}")


def declare_learners(package: str, places: Mapping[str, str]) -> None:
    """Make learners known to files by name, without importing them.

    Args:
        package: In which they are defined.
        places: Name of the class -> its module in the package.
    """
    LEARNERS.update({name: f"{package}.{module}:{name}" for name, module in places.items()})


class EpisodeTally(Kept):
    """Undiscounted returns and lengths of the episodes being played, and of those finished.

    Attributes:
        finished: Episodes that ended since last asked for metrics.
    """

    KEPT = ("_returns", "_lengths", "finished", "_paid", "_steps")

    def __init__(self, players: tuple[str, ...], num_episodes: int) -> None:
        self._players = players
        self._shape = (num_episodes, len(players))
        self.begin()
        self._clear()

    def begin(self) -> None:
        """Drop the episodes being played."""
        self._returns = np.zeros(self._shape)
        self._lengths = np.zeros(self._shape[0], dtype=np.int64)

    def _clear(self) -> None:
        self.finished = 0
        self._paid = np.zeros(self._shape[1])
        self._steps = 0

    def add(self, turn: BatchTurn) -> None:
        """Count the step that led to a moment."""
        self._returns += turn.rewards
        self._lengths += 1
        over = turn.is_over
        if over.any():
            self.finished += int(over.sum())
            self._paid += self._returns[over].sum(axis=0)
            self._steps += int(self._lengths[over].sum())
            self._returns[over] = 0.0
            self._lengths[over] = 0

    def under_way(self) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
        """Return the arrays that a compiled loop adds to: returns, lengths, what was paid."""
        return self._returns, self._lengths, self._paid

    def count(self, finished: int, steps: int) -> None:
        """Count episodes that such a loop has finished, with so many steps together."""
        self.finished += finished
        self._steps += steps

    def metrics(self) -> dict[str, float]:
        """Return the means since last asked; nothing where no episode was finished."""
        if not self.finished:
            return {}
        means = self._paid / self.finished
        metrics = {
            f"return/{label}": float(mean) for label, mean in zip(self._players, means, strict=True)
        }
        metrics["length"] = self._steps / self.finished
        self._clear()
        return metrics
