"""Concepts, the options a solver may be given, and what a row of the table of algorithms is."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias

from gametheory_core.games.bayesian import BayesianGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.mediated import MediatedGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.security import SecurityGame
from gametheory_core.games.tabular_posg import TabularPOSG
from solvers.solution import UNLIMITED, Budget, EquilibriumSet, OnIteration, Solution

Form: TypeAlias = NormalFormGame | ExtensiveFormGame | BayesianGame | SecurityGame
Game: TypeAlias = Form | TabularPOSG | MediatedGame
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
    MARKOV_STACKELBERG = "markov-stackelberg"
    MARKOV_COMMITMENT = "markov-commitment"
    MARKOV_PERFECT = "markov-perfect"
    MARKOV_CORRELATED = "markov-correlated"
    STAGE_STACKELBERG = "stage-stackelberg"
    MEDIATED = "mediated"


OF_RULES = (
    Concept.MINIMAX,
    Concept.MARKOV_STACKELBERG,
    Concept.MARKOV_COMMITMENT,
    Concept.MARKOV_PERFECT,
    Concept.MARKOV_CORRELATED,
    Concept.STAGE_STACKELBERG,
)  # are asked about the rules of POSGs too


@dataclass(frozen=True)
class Options:
    """What a solver may be given besides the game; None leaves it to the solver.

    Attributes:
        leader: Who commits, from 0.
        objective: What to prefer, in words: ``"largest-welfare"``.
        player: Whose payoff the objective is about, from 0.
        tolerance: Epsilon that is good enough, in payoff units.
        rationality: How strongly quantal responses favor what earns more, in units of one over
            payoffs.
        followers: What followers in Markov games can see, in words: ``"time-aware"``,
            ``"stationary"``.
        ties: How ties of followers break, in words: ``"strong"``, ``"weak"``.
        end_rule: What holds the last leader of a mediated game to fairness, in words.
        stage: How much of a mediator's three parts is in use, in words.
        budget: Limits on time and iterations.
        on_iteration: Called with ``Progress`` records.
    """

    leader: int | None = None
    objective: str | None = None
    player: int | None = None
    tolerance: float | Fraction | None = None
    rationality: float | None = None
    followers: str | None = None
    ties: str | None = None
    end_rule: str | None = None
    stage: str | None = None
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
            "followers": self.followers,
            "ties": self.ties,
            "end_rule": self.end_rule,
            "stage": self.stage,
        }
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class Algorithm:
    """A row of the table.

    Attributes:
        name: Name of the solver function, as users write it.
        concept: What it answers.
        reason: Why it fits the games it takes.
        takes: Returns "" if it takes the game, else what is missing.
        run: Calls the solver. May refuse after a closer look, with ``UnsupportedGame``.
        options: Those of ``Options.chosen`` that it knows.
    """

    name: str
    concept: Concept
    reason: str
    takes: Callable[[Game], str]
    run: Callable[[Any, Options], AnySolution | AnyEquilibria]
    options: tuple[str, ...] = ()
