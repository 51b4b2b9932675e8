"""Concepts, the options a solver may be given, and what a row of the table of algorithms is."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from solvers.solution import UNLIMITED, Budget, EquilibriumSet, OnIteration, Solution

Game: TypeAlias = NormalFormGame | ExtensiveFormGame
AnySolution: TypeAlias = Solution[Any, Any]
AnyEquilibria: TypeAlias = EquilibriumSet[Any, Any]


class Concept(Enum):
    """What is asked for."""

    NASH = "nash"
    ALL_NASH = "all-nash"
    PURE_NASH = "pure-nash"
    MINIMAX = "minimax"
    STACKELBERG = "stackelberg"
    SUBGAME_PERFECT = "subgame-perfect"


@dataclass(frozen=True)
class Options:
    """What a solver is given besides the game."""

    leader: int = 0
    budget: Budget = UNLIMITED
    on_iteration: OnIteration | None = None


@dataclass(frozen=True)
class Algorithm:
    """A row of the table.

    Attributes
    ----------
    name : str
        Name of the solver function, as users write it.
    concept : Concept
        What it answers.
    reason : str
        Why it fits the games it takes.
    takes : function
        Returns "" if it takes the game, else what is missing.
    run : function
        Calls the solver.
    """

    name: str
    concept: Concept
    reason: str
    takes: Callable[[Game], str]
    run: Callable[[Any, Options], AnySolution | AnyEquilibria]
