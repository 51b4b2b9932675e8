"""Local rules: what one decision maker remembers, and how it plays from what it remembers.

A rule sees, step after step, what each of its actions earned. It keeps one number an action, its
*memory*, and turns that into the next mixed strategy. Rules know nothing of games: whole players of
a matrix game use them, and so can single information sets. With ``u`` the payoffs of the actions
and ``p`` the strategy just played, the *instantaneous regrets* are ``u - p.u``.

Arrays are float64, or exact, but for exponentials. Their last axis is the actions; any axes before
it are decision makers of their own, who learn side by side.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ONE, ZERO, NumberArray, is_exact

Steps: TypeAlias = int | NDArray[np.int64]  # one number for all, or one a decision maker


class LocalRule(Protocol):
    """How one decision maker learns."""

    def remember(
        self, memory: NumberArray, payoffs: NumberArray, strategy: NumberArray
    ) -> NumberArray:
        """Return the memory after a step in which actions earned ``payoffs``."""
        ...

    def strategy(self, memory: NumberArray, previous: NumberArray, steps: Steps) -> NumberArray:
        """Return what to play after ``steps`` steps, the last of them played by ``previous``."""
        ...


@dataclass(frozen=True)
class RegretMatching:
    """Play in proportion to positive cumulative regret (Hart and Mas-Colell 2000).

    On every sequence of payoffs, the largest cumulative regret is at most the root of the summed
    squares of all instantaneous regrets.
    """

    def remember(
        self, memory: NumberArray, payoffs: NumberArray, strategy: NumberArray
    ) -> NumberArray:
        """Add the instantaneous regrets."""
        return memory + instantaneous_regrets(payoffs, strategy)

    def strategy(self, memory: NumberArray, previous: NumberArray, steps: Steps) -> NumberArray:
        """Return shares of positive memory; all equal if none is."""
        del previous, steps
        return positive_shares(memory)


@dataclass(frozen=True)
class RegretMatchingPlus:
    """Regret matching that forgets negative regret at once (Tammelin 2014).

    Its memory is at least the cumulative regret, and obeys the same bound.
    """

    def remember(
        self, memory: NumberArray, payoffs: NumberArray, strategy: NumberArray
    ) -> NumberArray:
        """Add the instantaneous regrets and cut at zero."""
        total = memory + instantaneous_regrets(payoffs, strategy)
        return total * (total > 0)

    def strategy(self, memory: NumberArray, previous: NumberArray, steps: Steps) -> NumberArray:
        """Return shares of the memory; all equal if it is empty."""
        del previous, steps
        return positive_shares(memory)


@dataclass(frozen=True)
class Hedge:
    """Play in proportion to the exponential of cumulative regret (Freund and Schapire 1997).

    Attributes:
        rate: Positive, in 1 / payoff units.
        decay: The rate at step ``t`` is ``rate / t**decay``: 0 for a constant rate, 1/2 for a bound
            at every step, 1 for the logit response to averages.
    """

    rate: float
    decay: float = 0.5

    def remember(
        self, memory: NumberArray, payoffs: NumberArray, strategy: NumberArray
    ) -> NumberArray:
        """Add the instantaneous regrets, which differ from payoffs by a constant only."""
        return memory + instantaneous_regrets(payoffs, strategy)

    def strategy(self, memory: NumberArray, previous: NumberArray, steps: Steps) -> NumberArray:
        """Return the exponential shares."""
        del previous
        rate = self.rate / np.maximum(steps, 1) ** self.decay
        return exponential_shares(memory * np.asarray(rate)[..., None])


class TieRule(Enum):
    """What a best reply is when several actions are best."""

    FIRST = "the best action of the lowest index"
    REPEAT = "the action played last if it is best, else the best action of the lowest index"


@dataclass(frozen=True)
class BestReply:
    """Play an action that has earned most so far: fictitious play's rule (Brown 1951)."""

    ties: TieRule = TieRule.FIRST

    def remember(
        self, memory: NumberArray, payoffs: NumberArray, strategy: NumberArray
    ) -> NumberArray:
        """Add what the actions earned."""
        del strategy
        return memory + payoffs

    def strategy(self, memory: NumberArray, previous: NumberArray, steps: Steps) -> NumberArray:
        """Return a pure strategy."""
        del steps
        best, last = np.argmax(memory, axis=-1)[..., None], np.argmax(previous, axis=-1)[..., None]
        if self.ties is TieRule.REPEAT:
            is_best = _entries(memory, last) == _entries(memory, best)
            best = np.where(is_best, last, best)
        is_played = np.arange(memory.shape[-1]) == best
        unit: tuple[Any, Any] = (ONE, ZERO) if is_exact(memory) else (1.0, 0.0)
        return np.where(is_played, *unit)


def instantaneous_regrets(payoffs: NumberArray, strategy: NumberArray) -> NumberArray:
    """Return what each action earned beyond the strategy."""
    earned = payoffs @ strategy if payoffs.ndim == 1 else (payoffs * strategy).sum(axis=-1)
    return payoffs - np.asarray(earned)[..., None]


def positive_shares(memory: NumberArray) -> NumberArray:
    """Return each entry's share of the positive total, or equal shares if there is none."""
    zero: Any = ZERO if is_exact(memory) else 0.0
    one: Any = ONE if is_exact(memory) else 1.0
    positive = np.maximum(memory, zero)
    total = positive.sum(axis=-1, keepdims=True)
    is_positive = total > 0
    return np.where(
        is_positive, positive / np.where(is_positive, total, one), one / memory.shape[-1]
    )


def exponential_shares(exponents: NumberArray) -> NumberArray:
    """Return float shares in proportion to the exponentials, without overflow."""
    weights = np.exp(exponents - exponents.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def _entries(memory: NumberArray, actions: Any) -> NumberArray:
    return np.take_along_axis(memory, actions, axis=-1)
