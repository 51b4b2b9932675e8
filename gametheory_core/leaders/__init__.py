"""Leaders who commit in Markov games, and oracles that tell how followers respond."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(
    __name__, __file__, optional={"generators": "hypothesis", "figures": "matplotlib"}
)
