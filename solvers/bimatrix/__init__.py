"""Two players, general sum: one equilibrium, all of them, and how they hang together."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
