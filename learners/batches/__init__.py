"""Tabular games in batches of episodes, sampled in compiled code."""

from learners.batches.feature_vectors import OneHot, features
from learners.batches.game import BatchedGame, batched
from learners.batches.policy_tables import policy_table
from learners.batches.sampled_play import MeanReturns, Rollouts, mean_returns, rollouts
from learners.batches.sight import Sees
from learners.batches.stacking import stacked

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
