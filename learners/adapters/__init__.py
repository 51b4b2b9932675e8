"""Environments of other libraries as batches that learners learn from."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(
    __name__,
    __file__,
    optional={
        "gymnasium": "gymnasium",
        "open_spiel_roshambo": "pyspiel",
        "pettingzoo": "pettingzoo",
    },
)
