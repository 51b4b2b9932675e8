"""Tabular value learners: a number for each observation and action, every step over a batch."""

from gametheory_core.extensions import lazily
from learners.protocol import declare_learners

__getattr__, __dir__, __all__ = lazily(__name__, __file__)

declare_learners(
    __name__,
    {
        "QLearning": "temporal_difference",
        "DoubleQLearning": "temporal_difference",
        "Sarsa": "temporal_difference",
        "MonteCarloControl": "monte_carlo",
        "WolfPHC": "wolf",
    },
)
