"""The command that explores a game: one HTML file, and where it was written.

Exit codes: 0 written, 2 refused (one line on stderr says why), 130 interrupted.
"""

import argparse
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from gametheory_core.command_line import exit_code, note, read_arguments, write_out
from gametheory_core.commands.arguments import add_game, loaded
from gametheory_core.errors import InvalidArgument
from solvers.explorer.game_page import USUAL, explore
from solvers.explorer.page import ExplorerPage
from solvers.solution import Budget


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page of a game, and return the exit code."""
    options = read_arguments(_parser(), arguments)
    return exit_code(lambda: _run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gametheory explore",
        description="Write a game and its certified solutions as one HTML file to explore in "
        "a browser. It needs no server and no network.",
        epilog="Example: gametheory explore kuhn_poker --concept all-nash --open",
    )
    add_game(parser)
    parser.add_argument(
        "--concept",
        action="append",
        metavar="CONCEPT",
        help="what to solve for, as all-nash or minimax; several times for several (default: all "
        "Nash equilibria where that is feasible, and what else fits the game)",
    )
    parser.add_argument(
        "--budget",
        type=float,
        default=USUAL.seconds,
        metavar="S",
        help="seconds to solve for, in all (%(default)s)",
    )
    add_file_options(parser)
    return parser


def add_file_options(parser: argparse.ArgumentParser) -> None:
    """Let a command say where its page goes."""
    parser.add_argument(
        "--output", "-o", metavar="FILE", help="default: the title, as TITLE-explorer.html, here"
    )
    parser.add_argument("--open", action="store_true", help="open it in the browser")


def write_page(page: ExplorerPage, options: argparse.Namespace) -> int:
    """Write a page where the options say, and tell where that is."""
    path = page.save(options.output or f"{page.name}-explorer.html")
    for own in page.notes:
        note(f"note: {own}")
    write_out(f"wrote {path} ({path.stat().st_size:,} bytes)\n")
    if options.open and not webbrowser.open(path.absolute().as_uri()):
        note("note: no browser was found; open the file yourself.")
    return 0


def _run(options: argparse.Namespace) -> int:
    if Path(options.game).is_dir():
        raise InvalidArgument(
            needs="a game",
            found=f"{options.game!r} is a folder",
            remedy="gametheory explore FOLDER shows the runs in one.",
            where="explore",
        )
    if not options.budget >= 0:
        raise InvalidArgument(
            needs="seconds of at least 0", found=f"got {options.budget}", where="--budget"
        )
    budget = Budget(seconds=options.budget)
    return write_page(explore(loaded(options), concepts=options.concept, budget=budget), options)
