"""``python -m gametheory_core list|describe|convert|verify``: games and certificates at the shell.

Exit codes: 0 done, 1 a certificate was rejected, 2 refused (one line on stderr says why), 130
interrupted.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from gametheory_core.catalog.index import CATALOG
from gametheory_core.command_line import exit_code, one_line, page
from gametheory_core.conversions.extensive_normal import extensive_to_normal
from gametheory_core.errors import UnsupportedGame
from gametheory_core.formats.checked_json import parse_json
from gametheory_core.formats.files import read_text, write_game
from gametheory_core.formats.gambit_text import DuplicateLabels
from gametheory_core.formats.solution_records import certificates_in
from gametheory_core.games.degeneracy import is_degenerate
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import (
    Verdict,
    has_perfect_information,
    has_perfect_recall,
    is_absent_minded,
    is_constant_sum,
    is_zero_sum,
)
from gametheory_core.labels import shown_players
from gametheory_core.loading import load_game

Game = NormalFormGame | ExtensiveFormGame


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    options = _parser().parse_args(arguments)
    return exit_code(lambda: options.run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m gametheory_core", description="Look at games and check certificates."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    listing = commands.add_parser("list", help="list the catalogue of games")
    listing.set_defaults(run=_list)
    describe = commands.add_parser("describe", help="show sizes and properties of a game")
    describe.set_defaults(run=_describe)
    convert = commands.add_parser("convert", help="write a game in another format")
    convert.set_defaults(run=_convert)
    for command in (describe, convert):
        command.add_argument("game", metavar="GAME", help="a file, or NAME or NAME:KEY=VALUE,...")
        command.add_argument(
            "--rename-duplicate-labels",
            dest="duplicates",
            action="store_const",
            const=DuplicateLabels.RENAME,
            default=DuplicateLabels.REFUSE,
            help="number labels that occur twice in a file, instead of refusing it",
        )
    convert.add_argument("target", metavar="FILE", help="ends in .nfg, .efg or .json")
    verify = commands.add_parser("verify", help="check certificates in exact arithmetic")
    verify.add_argument("file", metavar="FILE", help="a certificate or a solution, as JSON")
    verify.set_defaults(run=_verify)
    return parser


def _list(_options: argparse.Namespace) -> int:
    table = Table("name", "parameters", "game", title="Games of the catalogue")
    for entry in CATALOG.values():
        parameters = ", ".join(f"{key}={value}" for key, value in entry.parameters.items())
        table.add_row(entry.name, parameters, escape(entry.summary))
    with page() as console:
        console.print(table)
    return 0


def _describe(options: argparse.Namespace) -> int:
    game = load_game(options.game, duplicates=options.duplicates)
    with page() as console:
        console.print(f"[bold]{escape(game.title or 'untitled game')}[/bold]")
        for name, value in _facts(game):
            console.print(f"{name}: {escape(value)}")
        for name, verdict in _properties(game):
            word = "[green]yes[/green]" if verdict else "no"
            reason = f" - {escape(one_line(verdict.reason))}" if verdict.reason else ""
            console.print(f"{name}: {word}{reason}")
        console.print(f"[dim]digest {game.digest}[/dim]")
    return 0


def _facts(game: Game) -> Iterator[tuple[str, str]]:
    yield "players", ", ".join(shown_players(game.players))
    if isinstance(game, NormalFormGame):
        yield "actions", " x ".join(map(str, game.num_actions))
        return
    yield "nodes", f"{game.num_nodes}, of which {len(game.terminals)} end the game"
    counts = [
        sum(infoset.player == player for infoset in game.infosets)
        for player in range(game.num_players)
    ]
    yield "information sets", ", ".join(map(str, counts))
    yield "depth", str(len(game.level_offset) - 2)


def _properties(game: Game) -> Iterator[tuple[str, Verdict]]:
    zero_sum = is_zero_sum(game)
    yield "zero-sum", zero_sum
    if not zero_sum:
        yield "constant-sum", is_constant_sum(game)
    if isinstance(game, ExtensiveFormGame):
        yield "perfect information", has_perfect_information(game)
        yield "perfect recall", has_perfect_recall(game)
        yield "absent-minded", is_absent_minded(game)
        return
    try:
        yield "degenerate", is_degenerate(game)
    except UnsupportedGame:
        return  # too large, or more than two players: nothing to say


def _convert(options: argparse.Namespace) -> int:
    game = load_game(options.game, duplicates=options.duplicates)
    is_matrix_file = Path(options.target).suffix.lower() == ".nfg"
    if is_matrix_file and isinstance(game, ExtensiveFormGame):
        game = extensive_to_normal(game).target
    write_game(game, options.target)
    print(f"wrote {game!r} to {options.target}")
    return 0


def _verify(options: argparse.Namespace) -> int:
    record = parse_json(read_text(options.file), name=options.file)
    certificates = certificates_in(record)
    with page() as console:
        for certificate in certificates:
            certificate.verify()
            console.print(f"[green]verified[/green]: {escape(certificate.statement)}")
        if not certificates:
            console.print("nothing to verify: the file holds no solution.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
