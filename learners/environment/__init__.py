"""One play of a game, step by step and by labels; and many of them side by side, as arrays."""

from learners.loading import offered

__all__, __getattr__ = offered(__name__, __file__)  # pyright: ignore[reportUnsupportedDunderAll]
