"""Agents for repeated rock-paper-scissors, each to be met in a population's evaluation."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
