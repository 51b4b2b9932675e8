"""One play of a game, step by step and by labels; and many of them side by side, as arrays."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
