"""The embedded population: all compiled bots by name, and those that are held out.

To add a bot, add a recipe to the ``BOTS`` of the file of its idea; to add an idea, add a file and
its name here.
"""

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument
from learners.roshambo.bots.compiled_bot import CompiledBot, Recipe
from learners.streams import named_stream

IDEAS = (
    "sequences",
    "reactions",
    "counts",
    "windows",
    "matching",
    "back_off",
    "context_trees",
    "no_regret",
    "bandits",
    "q_learning",
    "attraction",
    "rotations",
    "habits",
    "regression",
    "periods",
)
HELD_OUT_SEED = 20261127
NUM_HELD_OUT = 24


def embedded_bots() -> tuple[Recipe, ...]:
    """Return what each embedded bot is, idea by idea.

    >>> len(embedded_bots()), embedded_bots()[1].idea
    (88, 'rock, paper, scissors, and again')
    """
    return tuple(_recipes().values())


def embedded_bot(name: str) -> CompiledBot:
    """Return a new bot by its name.

    Raises:
        InvalidArgument: If there is none of that name.

    >>> embedded_bot("beat").throw([], [])
    1
    """
    if name not in _recipes():
        raise InvalidArgument(
            needs="the name of an embedded bot",
            found=f"got {shown(name)}",
            remedy="See embedded_population().",
        )
    return CompiledBot(_recipes()[name])


def embedded_population() -> dict[str, Callable[[], CompiledBot]]:
    """Return what makes each embedded bot, by name; nothing but this library is needed.

    >>> from learners.roshambo import play_match
    >>> population = embedded_population()
    >>> match = play_match(population["copy"](), population["cycle_up"](), seeds=(1, 2))
    >>> match.returns
    (-999, 999)
    """
    return {name: partial(embedded_bot, name) for name in _recipes()}


@cache
def held_out_bots() -> tuple[str, ...]:
    """Return the names of the bots that no agent may be tuned on, in alphabetical order.

    Each embedded bot has a random number, from a stream of its name under one seed; those with the
    smallest are held out. So all sets are equally likely, and another bot displaces one at most.

    >>> len(held_out_bots())
    24
    """
    lots = {name: named_stream(HELD_OUT_SEED, "held out", name).random() for name in _recipes()}
    return tuple(sorted(sorted(lots, key=lots.__getitem__)[:NUM_HELD_OUT]))


@cache
def _recipes() -> dict[str, Recipe]:
    """Return all recipes by name; importing their files loads numba."""
    files = [import_module(f"learners.roshambo.bots.{idea}") for idea in IDEAS]
    return {recipe.name: recipe for file in files for recipe in file.BOTS}
