"""As well as anybody can forecast: bots with finitely many states, whose distributions are known.

Given the histories, an automaton is in a known state ``s`` and throws by ``p_s``. No forecast from
histories is right with a higher chance than ``max_a p_s(a)``, nor is its expected cross-entropy
lower than the entropy of ``p_s``. Right forecasts less ``max_a p_s(a)``, summed over throws, are a
supermartingale with steps in an interval of length 1, so by Hoeffding's inequality a forecaster's
accuracy in ``n`` throws exceeds the attainable one by ``x`` with a chance of ``exp(-2 n x^2)`` at
most.
"""

from dataclasses import dataclass

import numpy as np

from gametheory_core.arguments import require_instance, require_integer
from gametheory_core.arrays import FloatArray
from learners.roshambo.bots.automata import Automaton
from learners.roshambo.exact.automaton_matches import reached_pairs
from learners.roshambo.prediction.watched_matches import Bytes


class TrueForecasts:
    """Forecasts the throws of one automaton by its own distributions: nobody does better.

    >>> from learners.roshambo.bots import automaton, embedded_bot
    >>> cycle = np.arange(5, dtype=np.int8)[None] % 3
    >>> TrueForecasts(automaton(embedded_bot("cycle_up"))).forecasts(cycle, cycle)[0, 1].tolist()
    [0.0, 1.0, 0.0]
    """

    def __init__(self, automaton: Automaton) -> None:
        require_instance(automaton, Automaton, name="automaton", remedy="Use automaton(bot).")
        self.automaton = automaton
        self._strategies = automaton.strategies.astype(np.float64)

    def forecasts(self, own: Bytes, other: Bytes) -> FloatArray:
        """Return forecasts (matches, throws, 3)."""
        states = np.zeros(own.shape, dtype=np.int64)
        for t in range(1, own.shape[1]):
            before = states[:, t - 1], own[:, t - 1], other[:, t - 1]
            states[:, t] = self.automaton.successors[before]
        return self._strategies[states]


@dataclass(frozen=True)
class Attainable:
    """The best expected scores in a match.

    Attributes:
        accuracy: Share of throws that are forecast, at most.
        cross_entropy: In nats a throw, at least.
    """

    accuracy: float
    cross_entropy: float


def attainable_scores(
    automaton: Automaton, co_player: Automaton, *, throws: int = 1000
) -> Attainable:
    """Return how well an automaton's throws can be forecast in matches with another.

    Follows the distribution of pairs of states, in floats; nothing is sampled.

    Raises:
        InvalidArgument: If they are no automata, or ``throws`` is no positive number.

    >>> from learners.roshambo.bots import automaton, embedded_bot
    >>> half, cycle = (automaton(embedded_bot(name)) for name in ("half_rock", "cycle_up"))
    >>> attainable_scores(half, cycle).accuracy, attainable_scores(cycle, half).accuracy
    (0.5, 1.0)
    """
    for name, own in (("automaton", automaton), ("co_player", co_player)):
        require_instance(own, Automaton, name=name, remedy="Use automaton(bot).")
    require_integer(throws, name="throws", low=1)
    pairs, joint = reached_pairs(automaton, co_player)
    own = automaton.strategies[pairs[:, 0]].astype(np.float64)
    chances = own[:, None, :] * joint.strategies.astype(np.float64)[:, :, None]
    logarithms = np.log(own, out=np.zeros_like(own), where=own > 0)
    entropies = -(own * logarithms).sum(axis=1)
    stands = np.zeros(len(pairs))
    stands[0] = 1.0
    met = np.zeros(len(pairs))
    for _ in range(throws):
        met += stands
        flows = (stands[:, None, None] * chances).ravel()
        stands = np.bincount(joint.successors.ravel(), weights=flows, minlength=len(pairs))
    shares = met / throws
    return Attainable(float(shares @ own.max(axis=1)), float(shares @ entropies))
