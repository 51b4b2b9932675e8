"""Tabular games in batches of episodes, sampled in compiled code."""

from learners.loading import offered

__all__, __getattr__ = offered(__name__, __file__)  # pyright: ignore[reportUnsupportedDunderAll]
