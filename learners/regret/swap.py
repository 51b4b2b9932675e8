"""No swap regret by copies without external regret: the reduction of Blum and Mansour (2007).

*Swap regret* is what the best map from played to better actions would have gained: ``sum over i of
max over j of sum_t p_t(i) (u_t(j) - u_t(i))``. Action ``i`` has an external-regret minimizer of its
own, which says what should have been played instead of it: ``q_i``. The strategy ``p`` is one that
all of them together leave as it is, ``p = sum over i of p(i) q_i``, and minimizer ``i`` learns from
``p(i) u``. Swap regret is then at most the sum of the copies' external regrets; with regret
matching(+), at most ``sum over i of root of sum_t |r_t^i|^2``.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from learners.regret.minimizer import LocalMinimizer, Minimizer, require_shape, require_sizes
from learners.regret.states import State, Values, folded, unfolded
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
        chains (batch, n, n): Rows are lotteries over the next state.

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
