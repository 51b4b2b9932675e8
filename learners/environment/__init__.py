"""One play of a game, step by step and by labels; and many of them side by side, as arrays."""

from learners.environment.play import Environment, GameEnvironment, Turn, environment_of

__all__ = ["Environment", "GameEnvironment", "Turn", "environment_of"]
