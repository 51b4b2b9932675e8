"""No swap regret by copies without external regret: the reduction of Blum and Mansour (2007).

*Swap regret* is what the best map from played to better actions would have gained: ``sum over i of
max over j of sum_t p_t(i) (u_t(j) - u_t(i))``. Action ``i`` has an external-regret minimizer of its
own, which says what should have been played instead of it: ``q_i``. The strategy ``p`` is one that
all of them together leave as it is, ``p = sum over i of p(i) q_i``, and minimizer ``i`` learns from
``p(i) u``. Swap regret is then at most the sum of the copies' external regrets; with regret
matching(+), at most ``sum over i of root of sum_t |r_t^i|^2``.

Little regret on every interval: strongly adaptive online learning (Daniely et al. 2015).

Time, from step 1 on, is covered by the intervals ``[i 2^k, (i + 1) 2^k - 1]`` for ``i >= 1``: step
``t`` lies in exactly one of each level ``k <= log2 t``. A fresh minimizer starts with each
interval; the live ones are mixed by weights that start at ``eta = min(1/2, |I|^(-1/2))`` and are
multiplied by ``1 + eta (u_I - u)``, where ``u_I`` and ``u`` are what the interval's minimizer and
the mixture earned, payoffs being scaled to [0, 1].

As the mixture is in proportion to the weights, ``W``, the sum of weights each divided by its
``eta``, grows by 1 with each new interval and never else. So on an interval ``I`` that ends at
``e``, the mixture earns at most ``eta |I| + ln(W) / eta`` less than the interval's own minimizer,
with ``W <= e (log2 e + 1)``.
"""

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_integer, require_number
from gametheory_core.errors import InvalidArgument
from learners.options import Finite, Range, checked
from learners.regret.minimizer import (
    LocalMinimizer,
    Minimizer,
    State,
    Values,
    chosen,
    folded,
    require_shape,
    require_sizes,
    unfolded,
)
from solvers.local_rules import RegretMatchingPlus


def _regret_matching_plus() -> Minimizer:
    return LocalMinimizer(RegretMatchingPlus())


@dataclass(frozen=True)
class BlumMansour:
    """A minimizer of swap regret.

    Attributes:
        base: Of external regret; one copy an action. Default regret matching+.

    Source: :cite:`blum2007external`, section 3.

    >>> minimizer = BlumMansour()
    >>> state = minimizer.start(batch=1, actions=2)
    >>> state = minimizer.observe(state, np.array([[0.0, 1.0]]))
    >>> minimizer.strategies(state).tolist()
    [[0.0, 1.0]]
    """

    base: Minimizer = field(default_factory=_regret_matching_plus)

    @property
    def name(self) -> str:
        """Name of the reduction and its base."""
        return f"BlumMansour({self.base.name})"

    def start(self, batch: int, actions: int) -> State:
        """Return the state before the first step."""
        require_sizes(batch, actions)
        return {"copies": unfolded(self.base.start(batch * actions, actions), actions)}

    def strategies(self, state: State) -> Values:
        """Return what the copies together leave as it is."""
        return stationary_distributions(self._advice(state))

    def observe(self, state: State, utilities: Values) -> State:
        """Return the state after each copy learned from its share of the utilities."""
        advice = self._advice(state)
        require_shape(utilities, advice.shape[:2])
        shares = stationary_distributions(advice)[:, :, None] * utilities[:, None, :]
        size = advice.shape[1]
        after = self.base.observe(folded(state["copies"]), shares.reshape(-1, size))
        return {"copies": unfolded(after, size)}

    def _advice(self, state: State) -> NDArray[np.float64]:
        """Return the copies' strategies, shape (batch, actions, actions)."""
        flat = self.base.strategies(folded(state["copies"]))
        return flat.reshape(-1, flat.shape[1], flat.shape[1])


def stationary_distributions(chains: NDArray[np.float64]) -> Values:
    """Return a stationary distribution of each Markov chain.

    Args:
        chains (batch, n, n): Rows are mixed actions over the next state.

    Returns:
        (batch, n): Where there are several, one whose support is a single closed class.

    >>> stationary_distributions(np.array([[[0.5, 0.5], [1.0, 0.0]]])).round(4).tolist()
    [[0.6667, 0.3333]]
    """
    from learners._kernels.stationary import stationary_rows  # noqa: PLC0415 loads numba

    work = np.array(chains, dtype=np.float64, order="C")
    found = np.empty(work.shape[:2])
    stationary_rows(work, found)
    return found


MOST_LEVELS = 62


@dataclass(frozen=True)
@checked
class StronglyAdaptive:
    """A minimizer of regret on all intervals of time.

    Attributes:
        base: Started afresh with each interval. Default regret matching+.
        low, high: The least and the largest utility.
        levels: The longest intervals have ``2**(levels - 1)`` steps; later steps lie in no longer
            ones.

    Source: :cite:`daniely2015strongly`, algorithm 1.

    >>> minimizer = StronglyAdaptive()
    >>> state = minimizer.start(batch=1, actions=2)
    >>> state = minimizer.observe(state, np.array([[0.0, 1.0]]))
    >>> active_intervals(2)
    ((2, 2), (2, 3))
    >>> minimizer.strategies(state).tolist()  # both began just now
    [[0.5, 0.5]]
    """

    base: Minimizer = field(default_factory=_regret_matching_plus)
    low: Finite = 0.0
    high: float = 1.0
    levels: Annotated[int, Range(high=MOST_LEVELS, low=1)] = 16

    def __post_init__(self) -> None:
        require_number(self.high, name="high", above=self.low)

    @property
    def name(self) -> str:
        """Name of the algorithm and its base."""
        return f"StronglyAdaptive({self.base.name})"

    @property
    def rates(self) -> NDArray[np.float64]:
        """The rate ``eta`` of each level, shape (levels,)."""
        return np.minimum(0.5, 2.0 ** (-np.arange(self.levels) / 2))

    def start(self, batch: int, actions: int) -> State:
        """Return the state before step 1, in which one interval is live."""
        require_sizes(batch, actions)
        weights = np.zeros((batch, self.levels))
        weights[:, 0] = self.rates[0]
        return {
            "bases": unfolded(self.base.start(batch * self.levels, actions), self.levels),
            "weights": weights,
            "steps": np.zeros(batch, dtype=np.int64),
        }

    def strategies(self, state: State) -> Values:
        """Return the mixture of the live intervals' strategies."""
        return self._mixture(state, self._advice(state))

    def observe(self, state: State, utilities: Values) -> State:
        """Return the state after a step, new intervals begun."""
        advice = self._advice(state)
        batch, levels, actions = advice.shape
        require_shape(utilities, (batch, actions))
        scaled = self._scaled(utilities)
        played = self._mixture(state, advice)
        gains = np.einsum("bka,ba->bk", advice, scaled) - (played * scaled).sum(axis=1)[:, None]
        weights = state["weights"] * (1 + self.rates * gains)
        spread = np.repeat(utilities, levels, axis=0)
        bases = self.base.observe(folded(state["bases"]), spread)
        begins = (state["steps"][:, None] + 2) % (1 << np.arange(levels)) == 0  # with step t + 1
        fresh = self.base.start(batch * levels, actions)
        return {
            "bases": unfolded(chosen(begins.reshape(-1), fresh, bases), levels),
            "weights": np.where(begins, self.rates, weights),
            "steps": state["steps"] + 1,
        }

    def _advice(self, state: State) -> NDArray[np.float64]:
        """Return the strategies of all levels, shape (batch, levels, actions)."""
        flat = self.base.strategies(folded(state["bases"]))
        return flat.reshape(-1, self.levels, flat.shape[1])

    def _mixture(self, state: State, advice: NDArray[np.float64]) -> Values:
        weights = state["weights"]
        return np.einsum("bk,bka->ba", weights / weights.sum(axis=1, keepdims=True), advice)

    def _scaled(self, utilities: Values) -> Values:
        scaled = (utilities - self.low) / (self.high - self.low)
        if not ((scaled >= 0) & (scaled <= 1)).all():
            row = int(np.flatnonzero(~((scaled >= 0) & (scaled <= 1)).all(axis=1))[0])
            raise InvalidArgument(
                needs=f"utilities from {self.low} to {self.high}",
                found=f"decision maker {row} got {utilities[row]}",
                remedy="Give low and high.",
            )
        return scaled


def active_intervals(step: int) -> tuple[tuple[int, int], ...]:
    """Return the intervals of the covering in which a step lies, shortest first.

    Args:
        step: From 1 on.

    >>> active_intervals(5)
    ((5, 5), (4, 5), (4, 7))
    """
    require_integer(step, name="step", low=1)
    sizes = [1 << level for level in range(int(step).bit_length())]
    return tuple((step - step % size, step - step % size + size - 1) for size in sizes)
