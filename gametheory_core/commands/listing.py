"""``list``: the games of the catalog, and what else can be named on a command line."""

import argparse

from rich.markup import escape
from rich.table import Table

from gametheory_core.catalog.index import catalog
from gametheory_core.command_line import page
from gametheory_core.commands.verbs import named

LISTS = {
    "games": "gametheory_core.commands.listing:show_games",
    "solvers": "solvers.command_line:show_solvers",
    "learners": "learners.command_line:show_learners",
    "studies": "learners.command_line:show_studies",
}


def add_list(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "what",
        nargs="?",
        choices=LISTS,
        default="games",
        metavar="WHAT",
        help=f"one of {', '.join(LISTS)} (%(default)s)",
    )
    parser.set_defaults(run=_list)


def _list(options: argparse.Namespace) -> int:
    return named(LISTS[options.what])()


def show_games() -> int:
    """List the catalog."""
    table = Table("name", "parameters", "game", title="Games of the catalogue")
    for entry in catalog().values():
        parameters = ", ".join(f"{key}={value}" for key, value in entry.parameters.items())
        table.add_row(entry.name, parameters, escape(entry.summary))
    with page() as console:
        console.print(table)
    return 0
