"""``gametheory warm-up``: compile all loops once, and keep them for the processes to come.

numba compiles a loop when it is first called, for the types of what it is called with. These are
listed in ``loops.json``, for each loop that is called from Python; what loops call comes with them.
``tools/record_loops.py`` writes the list while tests run. Throws of compiled bots, of which each is
called by its address, follow from the bots themselves.
"""

import argparse
import json
import pkgutil
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from gametheory_core.arguments import number_of
from gametheory_core.command_line import page, progress
from gametheory_core.errors import InvalidArgument

ROOMS = ("solvers._kernels", "learners._kernels", "learners.roshambo.bots")
LIST = Path(__file__).with_name("loops.json")


class Task(NamedTuple):
    """A loop to compile, for one list of types.

    Attributes:
        name: Module and name.
        do: Compiles it; returns whether that was to be done.
    """

    name: str
    do: Callable[[], bool]


def add_warm_up(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = (
        "Compile all loops once, so that no later call waits for it. What is compiled already is "
        "only looked at."
    )
    parser.add_argument("words", nargs="*", metavar="WORD", help="only loops with it in their name")
    parser.add_argument("--quiet", action="store_true", help="no progress and no summary")
    parser.set_defaults(run=_warm_up)


def tasks() -> Iterator[Task]:
    """List all loops there are to compile, each for what it is called with."""
    from learners.loop_arguments import example  # noqa: PLC0415
    from solvers._kernels.compile import compile_for  # noqa: PLC0415  loads numba

    loops = declared_loops()
    for name, calls in listed().items():
        for arguments in calls:
            yield Task(name, partial(compile_for, loops[name], example(arguments)))
    yield from _throws()


def listed() -> dict[str, list[list[Any]]]:
    """Return the types that each loop is called with from Python, as ``loop_arguments`` reads."""
    return json.loads(LIST.read_text(encoding="utf-8"))


def declared_loops() -> dict[str, Any]:
    """Return all loops of all rooms, by module and name."""
    from solvers._kernels.compile import LOOPS  # noqa: PLC0415

    for room in ROOMS:
        for module in pkgutil.iter_modules(import_module(room).__path__, f"{room}."):
            import_module(module.name)
    return {name: loop for name, loop in LOOPS.items() if name.startswith(ROOMS)}


def _throws() -> Iterator[Task]:
    """Compile what each family of bots throws by; parameters differ, loops do not."""
    from learners.roshambo.bots import embedded_bots  # noqa: PLC0415
    from learners.roshambo.bots.seats import throwing  # noqa: PLC0415  loads numba

    def is_made(throw: Callable[..., int]) -> bool:
        return not throwing(throw).cache_hits

    for throw in dict.fromkeys(recipe.family.throw for recipe in embedded_bots()):
        name = f"{throw.__module__}.{throw.__qualname__}"
        yield Task(name, partial(is_made, throw))


def _warm_up(options: argparse.Namespace) -> int:
    begin = perf_counter()
    folders = _folders()
    todo = [t for t in tasks() if not options.words or any(w in t.name for w in options.words)]
    if not todo:
        raise InvalidArgument(
            needs="a word in the name of a loop",
            found=f"got {', '.join(map(repr, options.words))}",
            remedy="Leave it out to compile all, or give one such as simplex, play or roshambo.",
            where="warm-up",
        )
    made = 0
    with progress("compiling", len(todo), quiet=options.quiet) as advance:
        for done, task in enumerate(todo):
            advance(done, task.name.rpartition("_kernels.")[2])
            made += task.do()
    if options.quiet:
        return 0
    size = sum(path.stat().st_size for folder in folders for path in folder.rglob("*.nb?"))
    with page() as console:
        console.print(
            f"{made} of {number_of(len(todo), 'loop')} compiled, {len(todo) - made} were there, in "
            f"{perf_counter() - begin:.1f} s. Kept ({size / 1e6:.0f} MB) in:"
        )
        for folder in folders:
            console.print(str(folder))
    return 0


def _folders() -> list[Path]:
    """Return where loops are kept.

    Raises:
        InvalidArgument: If they cannot be kept.
    """
    from solvers._kernels.compile import announcement  # noqa: PLC0415  loads numba

    announcement.is_due = False  # the progress says it
    paths = {loop.stats.cache_path for loop in declared_loops().values()}
    if None in paths:
        raise InvalidArgument(
            needs="a folder to keep compiled loops in",
            found="none can be written to",
            remedy="Set NUMBA_CACHE_DIR to one.",
            where="warm-up",
        )
    return sorted({Path(path).parent for path in paths})
