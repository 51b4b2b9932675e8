"""Many small games at once: arrays of payoffs in, arrays of exact answers out."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
