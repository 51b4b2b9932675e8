"""The command that explores a folder of runs, or else a game: one HTML file."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gametheory_core.command_line import exit_code, read_arguments
from learners.explorer.run_page import explore_runs
from solvers.explorer import command as games


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page of a folder or of a game, and return the exit code."""
    words = argparse.ArgumentParser(add_help=False)
    words.add_argument("what", nargs="?", default="")
    if not Path(words.parse_known_args(arguments)[0].what).is_dir():
        return games.main(arguments)
    parser = argparse.ArgumentParser(prog="gametheory explore")
    add_explorer(parser)
    options = read_arguments(parser, arguments)
    return exit_code(lambda: options.run(options))


def add_explorer(parser: Any) -> None:
    """Let a command explore the runs in a folder."""
    parser.description = (
        "Write the runs of learners in a folder, and the tables of tournaments, as one HTML file "
        "to explore in a browser. It needs no server and no network."
    )
    parser.add_argument("folder", metavar="FOLDER", help="where runs are")
    games.add_file_options(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    return games.write_page(explore_runs(options.folder), options)
