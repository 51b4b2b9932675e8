"""Eliminations of dominated actions, and reasons why actions stay: what a certificate lists."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction


class Dominance(Enum):
    """How much better a dominating strategy is; the value says it in words."""

    STRICT = "strict"
    WEAK = "weak"


class DominatedBy(Enum):
    """Which strategies may dominate; the value says it in words."""

    PURE = "pure strategies"
    MIXED = "mixed strategies"


@dataclass(frozen=True)
class Elimination:
    """An action with the strategy that dominates it.

    Attributes:
        player, action: Who loses which action.
        round_number: From 1; all eliminations of one round are judged in the game that the round
            begins with.
        dominators: Actions of the same player that the dominating strategy mixes.
        weights: Their probabilities.
    """

    player: int
    action: int
    round_number: int
    dominators: tuple[int, ...]
    weights: tuple[Fraction, ...]


@dataclass(frozen=True)
class Survival:
    """An action with a belief under which it stands.

    Attributes:
        player, action: Whose action stays.
        joint_actions: What the other players, in their order, may do; empty if only pure strategies
            may dominate: then all pairs of actions are compared.
        probabilities: How likely each is thought to be.
    """

    player: int
    action: int
    joint_actions: tuple[tuple[int, ...], ...]
    probabilities: tuple[Fraction, ...]
