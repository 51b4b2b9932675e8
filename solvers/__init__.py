"""Solvers: plain functions from a game to a certified solution."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
