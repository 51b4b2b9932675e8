"""Answers for people and machines: tables, and what they look like as text, HTML, LaTeX or JSON."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
