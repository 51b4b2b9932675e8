"""Rules with some answers replaced, to see what is refused."""

from types import SimpleNamespace

from gametheory_core.distributions import point_mass
from gametheory_core.games import CHANCE
from tests.theorems.random_rules import RandomAEC

BOTH = (
    "title",
    "players",
    "discount",
    "horizon",
    "observation",
    "legal_actions",
    "is_terminal",
    "reward",
)
POSG_ONLY = ("initial", "initial_observation", "transition")
AEC_ONLY = ("initial_state", "move", "chance", "next_player")


def changed(game, **answers):
    """Return the rules of ``game`` with the members named replaced."""
    own = AEC_ONLY if hasattr(game, "next_player") else POSG_ONLY
    kept = {name: getattr(game, name) for name in (*BOTH, *own)}
    unknown = set(answers) - set(kept)
    if unknown:
        raise KeyError(unknown)
    return SimpleNamespace(**kept | answers)


def counting(step=lambda state: state + 1, **answers):
    """An AEC game in which chance alone moves, and counts without end."""
    return changed(
        RandomAEC(1),
        is_terminal=lambda _: False,
        chance=lambda state: point_mass(step(state)),
        next_player=lambda *_: point_mass(CHANCE),
        **answers,
    )
