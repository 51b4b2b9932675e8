"""A population of compiled bots for repeated rock-paper-scissors, and what a user's own needs."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
