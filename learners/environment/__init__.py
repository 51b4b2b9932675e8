"""One play of a game, step by step and by labels; and many of them side by side, as arrays."""

from learners.environment.play import GameEnvironment, environment_of
from learners.environment.turns import Environment, Turn

__all__ = ["Environment", "GameEnvironment", "Turn", "environment_of"]
