"""The command ``gametheory``: its verbs, and where the options of each are declared, by name.

What does a verb is imported when the verb is asked for, and found by its name; so help takes no
time, and packages of which the core knows nothing have verbs, too.

Exit codes: 0 done; 1 a certificate was rejected, or a law broken; 2 refused (one line on stderr
says why); 3 incomplete (a budget ended first, a list could not be shown to be complete, a run
diverged, or figures were left out: what there is is shown); 130 interrupted.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn

from gametheory_core.command_line import did_you_mean, exit_code, read_arguments, write_out
from gametheory_core.distribution import package_version, require_own
from gametheory_core.errors import GameTheoryError, InvalidArgument, MissingDependency


class Verb(NamedTuple):
    """What can be done.

    Attributes:
        words: For the list of verbs.
        target: ``module:function`` that adds the options to a parser and sets ``run``, which takes
            what was read and returns an exit code; or ``module:main``, which takes the arguments.
    """

    words: str
    target: str


VERBS: Mapping[str, Verb] = MappingProxyType(
    {
        "solve": Verb("solve a game exactly", "solvers.command_line:add_solve"),
        "describe": Verb(
            "show sizes and properties of a game", "gametheory_core.commands.describe:add_describe"
        ),
        "draw": Verb("draw a game", "gametheory_core.commands.draw:add_draw"),
        "explore": Verb(
            "write a page on which to look at a game, or at runs", "learners.explorer.command:main"
        ),
        "convert": Verb(
            "write a game as another kind of game, or in another format",
            "gametheory_core.commands.convert:add_convert",
        ),
        "check": Verb(
            "run the laws on a game and its conversions", "gametheory_core.commands.check:add_check"
        ),
        "verify": Verb(
            "check certificates in exact arithmetic", "gametheory_core.commands.verify:add_verify"
        ),
        "list": Verb(
            "list games, solvers, learners or studies", "gametheory_core.commands.listing:add_list"
        ),
        "train": Verb(
            "train learners from a file; goes on where it was stopped",
            "learners.command_line:add_train",
        ),
        "evaluate": Verb(
            "judge what was learned anew, and prove it", "learners.command_line:add_evaluate"
        ),
        "compare": Verb("set runs of several files in order", "learners.command_line:add_compare"),
        "rates": Verb("count how many of many seeds succeed", "learners.command_line:add_rates"),
        "reproduce": Verb(
            "make a paper's figures and tables", "learners.command_line:add_reproduce"
        ),
        "tournament": Verb(
            "let agents play a population of bots", "learners.tournament_command:add_tournament"
        ),
        "warm-up": Verb("compile all loops once", "learners.warm_up:add_warm_up"),
        "completion": Verb(
            "print what completes this command in bash, zsh or fish",
            "gametheory_core.commands.completion:add_completion",
        ),
    }
)


def run(arguments: Sequence[str] | None = None, *, prog: str = "gametheory") -> int:
    """Run the command line and return its exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    verb = given[0] if given else ""
    if verb in VERBS:
        return run_verb(verb, given[1:], prog=f"{prog} {verb}")
    if verb in {"-h", "--help"}:
        return exit_code(lambda: _say(_help(prog)))
    if verb in {"-V", "--version"}:
        return exit_code(lambda: _say(f"gametheory {package_version()}\n"))
    return exit_code(lambda: _refuse(verb, prog))


def run_verb(verb: str, arguments: Sequence[str] | None = None, *, prog: str) -> int:
    """Run one verb and return its exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    return exit_code(lambda: _run_verb(verb, given, prog))


def _run_verb(verb: str, given: list[str], prog: str) -> int:
    first = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    first.add_argument("--import", dest="modules", action="append", default=[])
    early, rest = first.parse_known_args(given)
    for module in early.modules:
        _import(module)
    if VERBS[verb].target.endswith(":main"):
        return named(VERBS[verb].target)(rest)
    options = read_arguments(parser_of(verb, prog=prog), rest)
    try:
        return options.run(options)
    except GameTheoryError as error:
        if error.where == run_verb.__name__:  # no function of the library refused
            error.where = verb
        raise


def parser_of(verb: str, *, prog: str) -> argparse.ArgumentParser:
    """Return what reads the arguments of a verb."""
    words, target = VERBS[verb]
    parser = argparse.ArgumentParser(prog=prog, description=f"{words[0].upper()}{words[1:]}.")
    named(target)(parser)
    parser.add_argument(
        "--import",
        dest="modules",
        action="append",
        metavar="MODULE",
        help="a module of yours to import first, which may declare games, solvers or learners",
    )
    return parser


def named(target: str) -> Callable[..., Any]:
    """Import what ``module:function`` names.

    Raises:
        MissingDependency: If its package is not ours, or lacks the module.
    """
    module, _, function = target.partition(":")
    package = module.partition(".")[0]
    require_own(package)
    try:
        return getattr(import_module(module), function)
    except ModuleNotFoundError as error:
        if not (error.name and f"{module}.".startswith(f"{error.name}.")):
            raise
        raise MissingDependency(
            needs=f"the module {error.name}",
            found=f"this installation of {package} has none",
            remedy="Install gametheory-core again.",
            where="gametheory",
        ) from error


def _import(module: str) -> None:
    if "" not in sys.path:
        sys.path.append("")  # modules lie in the current folder, and shadow none
    try:
        import_module(module)
    except ImportError as error:
        raise InvalidArgument(
            needs="a module that Python finds",
            found=f"{module!r} is not one ({error})",
            remedy="Give its dotted name, as in an import.",
            where="--import",
        ) from error


def _say(text: str) -> int:
    write_out(text)
    return 0


def _help(prog: str) -> str:
    verbs = "".join(f"  {name:12}{verb.words}\n" for name, verb in VERBS.items())
    return (
        f"usage: {prog} VERB ...\n\n"
        "Games solved exactly, with proofs that anyone can check; and learners, judged by them.\n\n"
        f"{verbs}\n"
        f"{prog} VERB --help lists the options of a verb, {prog} --version tells the version.\n"
        "Example: gametheory solve kuhn_poker --concept minimax\n"
    )


def _refuse(verb: str, prog: str) -> NoReturn:
    near = did_you_mean(verb, [*VERBS, "--help", "--version"])
    looks_like_a_game = not near and verb and not verb.startswith("-")
    raise InvalidArgument(
        needs="a verb" if near else f"a verb, one of {', '.join(VERBS)}",
        found=f"got {verb!r}{near}" if verb else "got none",
        remedy=f"To solve a game: {prog} solve {verb}"
        if looks_like_a_game
        else f"Options: {prog} --help",
        where=prog,
    )
