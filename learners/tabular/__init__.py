"""Tabular value learners: a number for each observation and action, every step over a batch."""

from learners.learner import declare_learners
from learners.loading import offered

__all__, __getattr__ = offered(__name__, __file__)  # pyright: ignore[reportUnsupportedDunderAll]

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
