"""Local rules: what one decision maker remembers, and how it plays from what it remembers.

A rule sees, step after step, what each of its actions earned. It keeps one number an action, its
*memory*, and turns that into the next mixed strategy. Rules know nothing of games: whole players of
a matrix game use them, and so can single information sets. With ``u`` the payoffs of the actions
and ``p`` the strategy just played, the *instantaneous regrets* are ``u - p.u``.

Arrays are float64, or exact, but for exponentials.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import numpy as np

from gametheory_core.arrays import ONE, ZERO, NumberArray, is_exact


class LocalRule(Protocol):
    """How one decision maker learns."""

    def remember(
        self, memory: NumberArray, payoffs: NumberArray, strategy: NumberArray
    ) -> NumberArray:
        """Return the memory after a step in which actions earned ``payoffs``."""
        ...

    def strategy(self, memory: NumberArray, previous: NumberArray, steps: int) -> NumberArray:
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
        return memory + (payoffs - payoffs @ strategy)

    def strategy(self, memory: NumberArray, previous: NumberArray, steps: int) -> NumberArray:
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
        total = memory + (payoffs - payoffs @ strategy)
        return total * (total > 0)

    def strategy(self, memory: NumberArray, previous: NumberArray, steps: int) -> NumberArray:
        """Return shares of the memory; all equal if it is empty."""
        del previous, steps
        return positive_shares(memory)


@dataclass(frozen=True)
class Hedge:
    """Play in proportion to the exponential of cumulative regret (Freund and Schapire 1997).

    Attributes
    ----------
    rate : float
        Positive, in 1 / payoff units.
    decay : float
        The rate at step ``t`` is ``rate / t**decay``: 0 for a constant rate, 1/2 for a bound at
        every step, 1 for the logit response to averages.
    """

    rate: float
    decay: float = 0.5

    def remember(
        self, memory: NumberArray, payoffs: NumberArray, strategy: NumberArray
    ) -> NumberArray:
        """Add the instantaneous regrets, which differ from payoffs by a constant only."""
        return memory + (payoffs - payoffs @ strategy)

    def strategy(self, memory: NumberArray, previous: NumberArray, steps: int) -> NumberArray:
        """Return the exponential shares."""
        del previous
        return exponential_shares(memory * (self.rate / max(steps, 1) ** self.decay))


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

    def strategy(self, memory: NumberArray, previous: NumberArray, steps: int) -> NumberArray:
        """Return a pure strategy."""
        del steps
        best = int(np.argmax(memory))
        last = int(np.argmax(previous))
        if self.ties is TieRule.REPEAT and memory[last] == memory[best]:
            best = last
        reply = np.zeros(len(memory)) if not is_exact(memory) else np.full(len(memory), ZERO)
        reply[best] = ONE if is_exact(memory) else 1.0
        return reply


def positive_shares(memory: NumberArray) -> NumberArray:
    """Return each entry's share of the positive total, or equal shares if there is none."""
    positive = memory * (memory > 0)
    total = positive.sum()
    if total > 0:
        return positive / total
    return np.full(len(memory), ONE / len(memory) if is_exact(memory) else 1.0 / len(memory))


def exponential_shares(exponents: NumberArray) -> NumberArray:
    """Return float shares in proportion to the exponentials, without overflow."""
    weights = np.exp(exponents - exponents.max())
    return weights / weights.sum()
