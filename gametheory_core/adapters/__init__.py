"""Adapters: games to and from other libraries' environments and graphs; extra ``interop``."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(
    __name__,
    __file__,
    optional={
        "gymnasium": "gymnasium",
        "networkx": "networkx",
        "open_spiel": "pyspiel",
        "open_spiel_game": "pyspiel",
        "open_spiel_profiles": "pyspiel",
        "pettingzoo": "pettingzoo",
    },
)
