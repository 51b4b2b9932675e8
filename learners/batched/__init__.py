"""Tabular games in batches of episodes, sampled in compiled code."""

from learners.batched.features import OneHot, features
from learners.batched.game import BatchedGame, batched
from learners.batched.sight import Sees

__all__ = ["BatchedGame", "OneHot", "Sees", "batched", "features"]
