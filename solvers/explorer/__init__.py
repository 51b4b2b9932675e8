"""Games and their solutions as one HTML file to explore, without a server or network."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
