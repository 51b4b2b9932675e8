"""Solvers of compact games: polymatrix, graphical, congestion and anonymous ones."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
