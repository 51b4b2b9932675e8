"""Who takes part in a tournament, by the words of a command line.

A population is a name of ``POPULATIONS``, or ``my_bots.py:BOTS``, where ``BOTS`` is a list or a
mapping of bots. An agent is a name of ``AGENTS``, a bot of the population, ``my_bots.py:Mine``,
``run:runs/DQN/seed-0``, what a run of ``python -m learners train`` learned, or ``mine.zip``, a
checkpoint of a predictor.
"""

import difflib
import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias, cast

from gametheory_core.arguments import described, shown
from gametheory_core.errors import InvalidArgument
from learners.roshambo.matches import Bot

Maker: TypeAlias = Callable[[], Bot]
METHODS = ("reset", "throw")
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
    "context_mixing": "learners.roshambo.context_mixing:ContextMixing",
    "type_mixture": "learners.roshambo.model_access:knows_open_spiel",
}
RUN = "run:"
RUNS = "learners.experiments.trained_bots:trained_bot"  # of a room above this one


@dataclass(frozen=True)
class Entrant:
    """Makes a bot that is told by words; can be sent to other processes.

    Attributes:
        place: ``module:name``, or the path of a file and a name in it.
        key: In the list or mapping of that name; None if the name is the maker itself.
        source: What tells the maker from others: the words, and of a file what is in it.
    """

    place: str
    key: str | int | None = None
    source: str = ""

    def __call__(self) -> Bot:
        """Make the bot."""
        found = _found_at(self.place)
        return (found if self.key is None else found[self.key])()


@dataclass(frozen=True)
class Checkpointed:
    """Makes a bot that replies to a trained predictor; can be sent to other processes.

    Attributes:
        path: Of the checkpoint.
        source: What tells it from others: what is in it.
    """

    path: str
    source: str

    def __call__(self) -> Bot:
        """Make the bot."""
        module = importlib.import_module("learners.roshambo.prediction")
        return module.bot_of_checkpoint(self.path)


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
            remedy=f"{_nearest(words, POPULATIONS)}Populations are "
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
        return "/".join(Path(path).parts[-2:]), _found_at(RUNS)(path)
    if _is_file(word):
        name = word.rpartition(":")[2]
        found = _found_at(word)
        _require_maker(found, where=word)
        return name, Entrant(word, source=_digest(word))
    if word.endswith(CHECKPOINT):
        return Path(word).stem, _checkpointed(word)
    if word in AGENTS:
        _found_at(AGENTS[word])  # says what to install, if anything
        return word, Entrant(AGENTS[word], source=word)
    if word in population:
        return word, population[word]
    known = [*AGENTS, *population]
    raise InvalidArgument(
        found=f"no agent {shown(word)}",
        remedy=f"{_nearest(word, known)}Agents are {', '.join(sorted(AGENTS))}, file.py:NAME, "
        "run:FOLDER/seed-N, checkpoints of predictors, "
        f"and the {len(population)} bots of the population.",
        where="AGENT",
    )


def _checkpointed(word: str) -> Checkpointed:
    Checkpointed(word, "")()  # which refuses what is no checkpoint
    content = hashlib.sha256(Path(word).read_bytes()).hexdigest()
    return Checkpointed(str(Path(word).absolute()), f"a checkpoint with SHA-256 {content}")


def _from_file(words: str) -> dict[str, Maker]:
    found, digest = _found_at(words), _digest(words)
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
        _require_maker(maker, where=f"{words}, {name}")
        if name in bots:
            raise InvalidArgument(
                needs="bots with different names",
                found=f"{shown(name)} stands twice",
                remedy='Give a mapping, BOTS = {"one": OneBot, "other": OneBot}.',
                where=words,
            )
        bots[name] = Entrant(words, key, f"{digest}, {name}")
    return bots


def _require_maker(found: Any, *, where: str) -> None:
    """Refuse what surely makes no bot."""
    if not callable(found):
        has = all(hasattr(found, name) for name in METHODS)
        raise InvalidArgument(
            needs="a class of bots, or a function that makes one",
            found=f"it is {described(found)}",
            remedy="Give the class itself, not a bot of it." if has else "",
            where=where,
        )
    lacks = [name for name in METHODS if isinstance(found, type) and not hasattr(found, name)]
    if lacks:
        raise InvalidArgument(
            needs="a class with reset(self, seed) and throw(self, own, other)",
            found=f"{cast('type', found).__name__} has no {' and no '.join(lacks)}",
            where=where,
        )


def _name(maker: Any) -> str:
    inner = maker.func if isinstance(maker, partial) else maker
    return getattr(inner, "__name__", type(inner).__name__)


def _nearest(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=3)
    return f"Did you mean {' or '.join(close)}? " if close else ""


def _is_file(words: str) -> bool:
    path = words.rpartition(":")[0] or words
    return path.endswith(".py")


def _digest(words: str) -> str:
    content = Path(words.rpartition(":")[0]).read_bytes()
    return (
        f"{words.rpartition(':')[2]} of a file with SHA-256 {hashlib.sha256(content).hexdigest()}"
    )


def _found_at(place: str) -> Any:
    """Import a module or a file, and return what it has by a name."""
    path, _, name = place.rpartition(":")
    if not path.endswith(".py"):
        if place.endswith(".py"):
            path, name = place, ""
        else:
            return getattr(importlib.import_module(path), name)
    if not Path(path).is_file():
        raise InvalidArgument(needs="a file with bots", found="there is none", where=path)
    content = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    module = _loaded(str(Path(path).absolute()), content)
    if not name or not hasattr(module, name):
        own = [key for key, value in vars(module).items() if _is_own(module, key, value)]
        raise InvalidArgument(
            needs=f"{path}:NAME, with a name that the file defines",
            found=f"it defines no {shown(name)}" if name else "there is no name",
            remedy=f"{_nearest(name, own)}It defines {', '.join(own)}." if own else "",
            where=place,
        )
    return getattr(module, name)


def _is_own(module: ModuleType, key: str, value: Any) -> bool:
    is_bot = isinstance(value, type) and all(hasattr(value, name) for name in METHODS)
    is_imported = inspect.ismodule(value) or getattr(value, "__module__", "") != module.__name__
    is_listed = isinstance(value, list | tuple | dict)
    return not key.startswith("_") and (is_listed or (is_bot and not is_imported))


@cache
def _loaded(path: str, content: str) -> ModuleType:
    """Run a file with such content once, as a module; files beside it can be imported."""
    folder = str(Path(path).parent)
    if folder not in sys.path:
        sys.path.append(folder)
    name = f"roshambo_entrants_{content}"
    spec: Any = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where pickle finds its classes
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise InvalidArgument(
            needs="a file that Python can run",
            found=f"it raises {type(error).__name__}: {shown(str(error))}",
            where=path,
        ) from error
    return module
