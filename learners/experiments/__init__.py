"""Experiments: learners trained from a file, over many seeds, recorded, resumed and compared."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
