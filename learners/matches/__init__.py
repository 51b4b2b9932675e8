"""Matches between policies: win rates, exact or sampled, and best responses."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
