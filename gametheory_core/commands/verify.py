"""``verify FILE``: check certificates in exact arithmetic, without the solver."""

import argparse
from pathlib import Path

from rich.markup import escape

from gametheory_core.command_line import page
from gametheory_core.errors import InvalidArgument
from gametheory_core.formats.certificate_records import verified_certificates
from gametheory_core.formats.checked_json import parse_json
from gametheory_core.formats.files import read_text

GAME_SUFFIXES = (".nfg", ".efg", ".csv")


def add_verify(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = (
        "Check each certificate of a file in exact arithmetic, knowing nothing of the solver. "
        "Exits with 1 if one is rejected."
    )
    parser.add_argument("file", metavar="FILE", help="a certificate or a solution, as JSON")
    parser.set_defaults(run=_verify)


def _verify(options: argparse.Namespace) -> int:
    if Path(options.file).suffix.lower() in GAME_SUFFIXES:
        raise InvalidArgument(
            needs="a certificate or a solution, as JSON",
            found=f"{options.file} is a file of a game",
            remedy=f"Solve it: gametheory solve {options.file} --format json > answer.json; and "
            "verify answer.json.",
            where="verify",
        )
    record = parse_json(read_text(options.file), name=options.file)
    certificates = verified_certificates(record)
    with page() as console:
        for certificate in certificates:
            console.print(f"[green]verified[/green]: {escape(certificate.statement)}")
    return 0
