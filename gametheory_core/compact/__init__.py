"""Compact games: many players whose payoffs depend on few others, or on counts."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__, optional={"generators": "hypothesis"})
