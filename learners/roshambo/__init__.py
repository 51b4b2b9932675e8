"""Repeated rock-paper-scissors against populations: bots, matches, scores, and an agent."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
