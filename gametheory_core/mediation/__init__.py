"""Mediated games: a mediator picks who leads each step, and rewards fairness at the end."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__, optional={"generators": "hypothesis"})
