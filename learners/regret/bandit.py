"""EXP3: regret minimization when only the own action's payoff is seen (Auer et al. 2002).

What the other actions would have paid is estimated: the payoff of the action drawn divided by its
probability, and zero for all others, is right on average. Probabilities are kept from vanishing by
mixing in the uniform lottery, so that estimates stay bounded.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_integer, require_number
from gametheory_core.errors import InvalidArgument
from learners.regret.minimizer import require_sizes
from learners.regret.states import State, Values


@dataclass(frozen=True)
class Exp3:
    """Exponential weights of estimated payoffs, mixed with the uniform lottery.

    With ``n`` actions, payoffs in [0, 1] and ``rate = exploration / n``, the expected regret after
    ``T`` steps is at most ``(e - 1) exploration G + n ln n / exploration``, where ``G <= T`` is
    what the best action earned, on every sequence of payoffs that is chosen in advance.

    Attributes:
        exploration: The share of the uniform lottery, in [0, 1].
        rate: What a unit of estimated payoff adds to the exponent; None for ``exploration / n``.
        low, high: The least and the largest payoff.

    Source: :cite:`auer2002nonstochastic`, theorem 3.1.

    >>> minimizer = Exp3(exploration=0.5)
    >>> state = minimizer.start(batch=1, actions=2)
    >>> state = minimizer.observe_own(state, np.array([1]), np.array([1.0]))
    >>> minimizer.strategies(state).round(3).tolist()  # the exponents are 0 and 1/2
    [[0.439, 0.561]]
    """

    exploration: float
    rate: float | None = None
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        require_number(self.exploration, name="exploration", low=0, high=1)
        if self.rate is not None:
            require_number(self.rate, name="rate", above=0)
        require_number(self.low, name="low")
        require_number(self.high, name="high", above=self.low)

    @property
    def name(self) -> str:
        """Name of the algorithm."""
        return "Exp3"

    def start(self, batch: int, actions: int) -> State:
        """Return the state before the first step."""
        require_sizes(batch, actions)
        return {"exponents": np.zeros((batch, actions))}

    def strategies(self, state: State) -> Values:
        """Return the lotteries from which actions must be drawn."""
        exponents = state["exponents"]
        weights = np.exp(exponents - exponents.max(axis=1, keepdims=True))
        shares = weights / weights.sum(axis=1, keepdims=True)
        return (1 - self.exploration) * shares + self.exploration / exponents.shape[1]

    def observe_own(
        self, state: State, actions: NDArray[np.int64], received: NDArray[np.float64]
    ) -> State:
        """Return the state after the actions drawn paid what was received, both (batch,)."""
        scaled = (received - self.low) / (self.high - self.low)
        if not ((scaled >= 0) & (scaled <= 1)).all():
            row = int(np.flatnonzero(~((scaled >= 0) & (scaled <= 1)))[0])
            raise InvalidArgument(
                needs=f"payoffs from {self.low} to {self.high}",
                found=f"decision maker {row} received {received[row]}",
                remedy="Give low and high.",
            )
        exponents = state["exponents"].copy()
        rows = np.arange(len(exponents))
        rate = self.exploration / exponents.shape[1] if self.rate is None else self.rate
        exponents[rows, actions] += rate * scaled / self.strategies(state)[rows, actions]
        return {"exponents": exponents}


def exp3_for(steps: int, actions: int, *, low: float = 0.0, high: float = 1.0) -> Exp3:
    """Return the minimizer whose bound is smallest after a known number of steps.

    Its expected regret is at most ``2 sqrt(e - 1) sqrt(T n ln n)`` times the payoff span.

    Args:
        steps, actions: ``T`` and ``n``.
        low, high: The least and the largest payoff.

    Source: :cite:`auer2002nonstochastic`, corollary 3.2.

    >>> round(exp3_for(1000, 3).exploration, 4)
    0.0438
    """
    require_integer(steps, name="steps", low=1)
    require_integer(actions, name="actions", low=1)
    best = math.sqrt(actions * math.log(actions) / ((math.e - 1) * steps))
    return Exp3(exploration=min(1.0, best), low=low, high=high)
