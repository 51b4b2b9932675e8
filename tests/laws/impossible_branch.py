"""A tree with a branch to which chance never leads, and moves below it."""

from gametheory_core import Chance, Decision, Terminal, from_sketch


def choice(name, low):
    """Ann chooses between two payoffs."""
    return Decision(0, name, {"a": Terminal([low]), "b": Terminal([low + 1])})


NEVER = Decision(0, "never", {"a": choice("later", 5), "b": Terminal([8])})
IMPOSSIBLE = from_sketch(
    Chance({"dry": (1, choice("seen", 0)), "flood": (0, NEVER)}), players=("Ann",)
)
