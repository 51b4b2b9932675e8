"""Mediated games: agents and a mediator who answer each other, and leaders without a mediator."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
