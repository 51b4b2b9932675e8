"""Tabular value learners: a number for each observation and action, every step over a batch."""

from learners.batch import AtHorizon
from learners.schedules import Constant, Exponential, Linear, PerVisit
from learners.tabular.exploration import Boltzmann, EpsilonGreedy, FixedPolicy, ParameterNoise
from learners.tabular.monte_carlo import MonteCarloControl, Visits
from learners.tabular.rules import Episodes, Steps
from learners.tabular.temporal_difference import DoubleQLearning, QLearning, Sarsa
from learners.tabular.wolf import WolfPHC

__all__ = [
    "AtHorizon",
    "Boltzmann",
    "Constant",
    "DoubleQLearning",
    "Episodes",
    "EpsilonGreedy",
    "Exponential",
    "FixedPolicy",
    "Linear",
    "MonteCarloControl",
    "ParameterNoise",
    "PerVisit",
    "QLearning",
    "Sarsa",
    "Steps",
    "Visits",
    "WolfPHC",
]
