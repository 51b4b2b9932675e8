"""Generators and laws for tests of games, ours and yours."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(
    __name__,
    __file__,
    optional={
        "absences": "hypothesis",
        "generators": "hypothesis",
        "rule_generators": "hypothesis",
    },
)
