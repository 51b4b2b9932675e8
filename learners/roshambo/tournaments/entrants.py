"""Who takes part in a tournament, by the words of a command line.

A population is a name of ``POPULATIONS``, or ``my_bots.py:BOTS``, where ``BOTS`` is a list or a
mapping of bots. An agent is a name of ``AGENTS``, a bot of the population, ``my_bots.py:Mine``,
``run:runs/DQN/seed-0``, what a run of ``gametheory train`` learned, or ``mine.zip``, a
checkpoint of a predictor.
"""

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

from gametheory_core.arguments import described, shown
from gametheory_core.errors import InvalidArgument
from learners.roshambo.tournaments.makers import (
    Entrant,
    Maker,
    absolute,
    checkpointed,
    digest_of,
    found_at,
    nearest,
    require_maker,
)

CHECKPOINT = ".zip"  # what the files of predictors end with


def _open_spiel(throws: int) -> Mapping[str, Maker]:
    adapters = importlib.import_module("learners.adapters.open_spiel_roshambo")
    return adapters.open_spiel_population(throws=throws)


def _embedded(*, kept: Callable[[bool], bool]) -> Mapping[str, Maker]:
    """Return the bots of which it is kept whether they are held out."""
    bots = importlib.import_module("learners.roshambo.bots")
    away = bots.held_out_bots()
    return {name: own for name, own in bots.embedded_population().items() if kept(name in away)}


# Name -> what returns the makers, for matches of so many throws.
POPULATIONS: dict[str, Callable[[int], Mapping[str, Maker]]] = {
    "open_spiel": _open_spiel,
    "embedded": lambda _: _embedded(kept=lambda _is_away: True),
    "embedded_training": lambda _: _embedded(kept=lambda is_away: not is_away),
    "held_out": lambda _: _embedded(kept=lambda is_away: is_away),
}
# Name -> "module:name" of what makes the agent.
AGENTS: dict[str, str] = {
    "context_mixing": "learners.roshambo.agents.context_mixing:ContextMixing",
    "type_mixture": "learners.roshambo.agents.model_access:knows_open_spiel",
}
RUN = "run:"
RUNS = "learners.experiments.trained_bots:trained_bot"  # of a room above this one


def population_named(words: str, *, throws: int = 1000) -> dict[str, Maker]:
    """Return what makes the bots of a population.

    Args:
        words: A name of ``POPULATIONS``, or ``file.py:NAME``.
        throws: The most in a match.

    Raises:
        InvalidArgument: If there is no such population, or it is empty or has a name twice.
        MissingDependency: If its bots are another package's, which is not installed.

    >>> population_named("my_population")
    Traceback (most recent call last):
    gametheory_core.errors.InvalidArgument: --population: no population 'my_population'. \
Populations are embedded, embedded_training, held_out, open_spiel, and file.py:NAME.
    """
    if _is_file(words):
        return _from_file(words)
    if words not in POPULATIONS:
        raise InvalidArgument(
            found=f"no population {shown(words)}",
            remedy=f"{nearest(words, POPULATIONS)}Populations are "
            f"{', '.join(sorted(POPULATIONS))}, and file.py:NAME.",
            where="--population",
        )
    return dict(POPULATIONS[words](throws))


def agents_named(words: Iterable[str], population: Mapping[str, Maker]) -> dict[str, Maker]:
    """Return what makes the agents.

    Args:
        words: Each a name of ``AGENTS``, of a bot, ``file.py:NAME``, which is called ``NAME``, or
            ``run:FOLDER/seed-N``, which is called by the last two parts of its path, or a
            checkpoint of a predictor, ``mine.zip``, which is called ``mine``.
        population: Whose bots may be agents too.

    Raises:
        InvalidArgument: If there is no such agent, two have one name, or a checkpoint is of
            something else.
        MalformedFile: If a checkpoint is damaged.

    >>> list(agents_named(["context_mixing"], {}))
    ['context_mixing']
    """
    agents: dict[str, Maker] = {}
    for word in words:
        name, maker = _agent(word, population)
        if name in agents:
            raise InvalidArgument(
                needs="agents with different names",
                found=f"there are two of the name {shown(name)}",
                remedy="Rename one of them in its file, or name it once.",
                where=word,
            )
        agents[name] = maker
    return agents


def _agent(word: str, population: Mapping[str, Maker]) -> tuple[str, Maker]:
    if word.startswith(RUN):
        path = word.removeprefix(RUN)
        return "/".join(Path(path).parts[-2:]), found_at(RUNS)(path)
    if _is_file(word):
        name = word.rpartition(":")[2]
        found = found_at(word)
        require_maker(found, where=word)
        return name, Entrant(absolute(word), source=digest_of(word))
    if word.endswith(CHECKPOINT):
        return Path(word).stem, checkpointed(word)
    if word in AGENTS:
        found_at(AGENTS[word])  # says what to install, if anything
        return word, Entrant(AGENTS[word], source=word)
    if word in population:
        return word, population[word]
    known = [*AGENTS, *population]
    raise InvalidArgument(
        found=f"no agent {shown(word)}",
        remedy=f"{nearest(word, known)}Agents are {', '.join(sorted(AGENTS))}, file.py:NAME, "
        "run:FOLDER/seed-N, checkpoints of predictors, "
        f"and the {len(population)} bots of the population.",
        where="AGENT",
    )


def _from_file(words: str) -> dict[str, Maker]:
    found, digest = found_at(words), digest_of(words)
    if isinstance(found, Mapping):
        items = [(str(key), key, maker) for key, maker in cast("Mapping[Any, Any]", found).items()]
    elif isinstance(found, Sequence) and not isinstance(found, str):
        own = cast("Sequence[Any]", found)
        items = [(_name(maker), key, maker) for key, maker in enumerate(own)]
    else:
        raise InvalidArgument(
            needs="a list or a mapping of bots",
            found=f"it is {described(found)}",
            remedy="Write BOTS = [OneBot, AnotherBot] in the file.",
            where=words,
        )
    if not items:
        raise InvalidArgument(needs="a bot or more", found="it is empty", where=words)
    bots: dict[str, Maker] = {}
    for name, key, maker in items:
        require_maker(maker, where=f"{words}, {name}")
        if name in bots:
            raise InvalidArgument(
                needs="bots with different names",
                found=f"{shown(name)} stands twice",
                remedy='Give a mapping, BOTS = {"one": OneBot, "other": OneBot}.',
                where=words,
            )
        bots[name] = Entrant(absolute(words), key, f"{digest}, {name}")
    return bots


def _name(maker: Any) -> str:
    inner = maker.func if isinstance(maker, partial) else maker
    return getattr(inner, "__name__", type(inner).__name__)


def _is_file(words: str) -> bool:
    path = words.rpartition(":")[0] or words
    return path.endswith(".py")
