"""Runs of learners as one HTML file: learning curves, findings and tables of returns."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
