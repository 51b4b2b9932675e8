"""Tabular games in batches of episodes, sampled in compiled code."""

from learners.batched.features import OneHot, features
from learners.batched.game import BatchedGame, batched
from learners.batched.policy_tables import policy_table
from learners.batched.rollouts import MeanReturns, Rollouts, mean_returns, rollouts
from learners.batched.sight import Sees
from learners.batched.stacked import stacked

__all__ = [
    "BatchedGame",
    "MeanReturns",
    "OneHot",
    "Rollouts",
    "Sees",
    "batched",
    "features",
    "mean_returns",
    "policy_table",
    "rollouts",
    "stacked",
]
