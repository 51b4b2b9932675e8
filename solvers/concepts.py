"""Concepts, the options a solver may be given, and what a row of the table of algorithms is."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from gametheory_core.games.bayesian import BayesianGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.security import SecurityGame
from solvers.solution import UNLIMITED, Budget, EquilibriumSet, OnIteration, Solution

Game: TypeAlias = NormalFormGame | ExtensiveFormGame | BayesianGame | SecurityGame
AnySolution: TypeAlias = Solution[Any, Any]
AnyEquilibria: TypeAlias = EquilibriumSet[Any, Any]


class Concept(Enum):
    """What is asked for."""

    NASH = "nash"
    ALL_NASH = "all-nash"
    PURE_NASH = "pure-nash"
    BEST_NASH = "best-nash"
    NASH_COMPONENTS = "nash-components"
    MINIMAX = "minimax"
    MAX_ENTROPY = "max-entropy"
    DOMINANCE = "dominance"
    WEAK_DOMINANCE = "weak-dominance"
    CORRELATED = "correlated"
    COARSE_CORRELATED = "coarse-correlated"
    CORRELATED_PAYOFFS = "correlated-payoffs"
    QUANTAL_RESPONSE = "quantal-response"
    STACKELBERG = "stackelberg"
    CORRELATED_COMMITMENT = "correlated-commitment"
    SUBGAME_PERFECT = "subgame-perfect"
    SEQUENTIAL = "sequential"
    QUASI_PERFECT = "quasi-perfect"
    EXTENSIVE_CORRELATED = "extensive-form-correlated"
    EXTENSIVE_COARSE_CORRELATED = "extensive-form-coarse-correlated"
    ALPHA_RANK = "alpha-rank"


@dataclass(frozen=True)
class Options:
    """What a solver may be given besides the game; None leaves it to the solver.

    Attributes
    ----------
    leader : int or None
        Who commits, from 0.
    objective : str or None
        What to prefer, in words: ``"largest-welfare"``.
    player : int or None
        Whose payoff the objective is about, from 0.
    tolerance : float or None
        Epsilon that is good enough, in payoff units.
    rationality : float or None
        How strongly quantal responses favor what earns more, in units of one over payoffs.
    budget : Budget
        Limits on time and iterations.
    on_iteration : function or None
        Called with ``Progress`` records.
    """

    leader: int | None = None
    objective: str | None = None
    player: int | None = None
    tolerance: float | None = None
    rationality: float | None = None
    budget: Budget = UNLIMITED
    on_iteration: OnIteration | None = None

    @property
    def chosen(self) -> dict[str, Any]:
        """The options that were given, but for budget and progress."""
        given = {
            "leader": self.leader,
            "objective": self.objective,
            "player": self.player,
            "tolerance": self.tolerance,
            "rationality": self.rationality,
        }
        return {name: value for name, value in given.items() if value is not None}


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
        Calls the solver. May refuse after a closer look, with ``UnsupportedGame``.
    options : tuple of str
        Those of ``Options.chosen`` that it knows.
    """

    name: str
    concept: Concept
    reason: str
    takes: Callable[[Game], str]
    run: Callable[[Any, Options], AnySolution | AnyEquilibria]
    options: tuple[str, ...] = ()
