"""``python -m gametheory_core list|describe|convert|check|draw|verify``: games at the shell.

Exit codes: 0 done, 1 a certificate was rejected or a law broken, 2 refused (one line on stderr says
why), 130 interrupted.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from gametheory_core.catalog.index import catalog
from gametheory_core.command_line import exit_code, page, read_arguments
from gametheory_core.commands.check import add_check
from gametheory_core.commands.convert import add_convert
from gametheory_core.commands.describe import add_describe, add_draw
from gametheory_core.errors import InvalidArgument
from gametheory_core.formats.certificate_records import verified_certificates
from gametheory_core.formats.checked_json import parse_json
from gametheory_core.formats.files import read_text

GAME_SUFFIXES = (".nfg", ".efg")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    options = read_arguments(_parser(), arguments)
    return exit_code(lambda: options.run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m gametheory_core", description="Look at games and check certificates."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    listing = commands.add_parser("list", help="list the catalogue of games")
    listing.set_defaults(run=_list)
    add_describe(commands)
    add_convert(commands)
    add_check(commands)
    add_draw(commands)
    verify = commands.add_parser("verify", help="check certificates in exact arithmetic")
    verify.add_argument("file", metavar="FILE", help="a certificate or a solution, as JSON")
    verify.set_defaults(run=_verify)
    return parser


def _list(_options: argparse.Namespace) -> int:
    table = Table("name", "parameters", "game", title="Games of the catalogue")
    for entry in catalog().values():
        parameters = ", ".join(f"{key}={value}" for key, value in entry.parameters.items())
        table.add_row(entry.name, parameters, escape(entry.summary))
    with page() as console:
        console.print(table)
    return 0


def _verify(options: argparse.Namespace) -> int:
    if Path(options.file).suffix.lower() in GAME_SUFFIXES:
        raise InvalidArgument(
            needs="a certificate or a solution, as JSON",
            found=f"{options.file} is a file of a game",
            remedy=f"Solve it: python -m solvers {options.file} --format json > answer.json; and "
            "verify answer.json.",
            where="verify",
        )
    record = parse_json(read_text(options.file), name=options.file)
    certificates = verified_certificates(record)
    with page() as console:
        for certificate in certificates:
            console.print(f"[green]verified[/green]: {escape(certificate.statement)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
