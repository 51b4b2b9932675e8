"""Pictures of learning and of tournaments, drawn with matplotlib: each function returns axes."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
