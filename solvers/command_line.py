"""``gametheory solve GAME --concept ...``: solve a game exactly and show the verified answer.

Exit codes: 0 answered, 2 refused (one line on stderr says why), 3 incomplete (the budget ended
first, or a list could not be shown to be complete; what was found and certified is shown), 130
interrupted.
"""

import argparse
import sys
from enum import Enum
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gametheory_core.arguments import shown_players
from gametheory_core.command_line import one_line, page, progress
from gametheory_core.commands.arguments import add_game, loaded
from gametheory_core.errors import InvalidArgument, NotConverged, naming
from gametheory_core.memory import MORE, memory_limit
from solvers.answer import Answer
from solvers.answering import solve, word_of
from solvers.concepts import Concept
from solvers.results.presented import payoff_lines, solution_table
from solvers.results.rendering import FORMATS, table_text
from solvers.results.tables import AnswerTable, proof_table
from solvers.solution import Budget, Progress, Solution
from solvers.solver import SEATS, Declaration, declarations, routes

EXIT_BUDGET = 3
MOST_SOLUTIONS = 20
MOST_ROWS = 60


def add_solve(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command, and those of all solvers."""
    parser.description = "Solve a game exactly; every answer is verified in rational arithmetic."
    parser.epilog = (
        "Games of the catalogue: gametheory list. "
        "Example: gametheory solve leduc_poker --concept minimax"
    )
    add_game(parser)
    known = routes()
    words = {
        "concept": dict.fromkeys([*map(str, Concept), *(str(r.answers.concept) for r in known)]),
        "algorithm": dict.fromkeys(route.name for route in known),
    }
    parser.add_argument(
        "--concept",
        metavar="CONCEPT",
        default=Concept.NASH.value,
        help="what to find (default: %(default)s), one of: " + ", ".join(words["concept"]),
    )
    parser.add_argument(
        "--algorithm", metavar="NAME", help="one of: " + ", ".join(words["algorithm"])
    )
    parser.add_argument("--time-limit", type=float, metavar="S", help="seconds to solve for")
    parser.add_argument(
        "--memory-limit",
        type=_bytes,
        metavar="SIZE",
        help="bytes to take at most, as 500M or 4G (default: a quarter of the machine's memory)",
    )
    parser.add_argument(
        "--format",
        choices=["text", "json", *(form for form in FORMATS if form != "text")],
        default="text",
        help="what to print (text)",
    )
    parser.add_argument(
        "--all", dest="full", action="store_true", help="print what is never played, too"
    )
    parser.add_argument(
        "--top",
        type=_rows,
        metavar="N",
        help=f"print at most so many rows of a solution (default: {MOST_ROWS} as text, else all)",
    )
    own = parser.add_argument_group("options of solvers")
    for name, users in _users_of_options().items():
        words[f"own_{name}"] = _choices(name, users)
        own.add_argument(
            f"--{name.replace('_', '-')}", dest=f"own_{name}", **_argument(name, users)
        )
    parser.set_defaults(run=_solve, words=words)


def _users_of_options() -> dict[str, list[Declaration]]:
    """List the options that can be written on a command line, each with the solvers it is for."""
    users: dict[str, list[Declaration]] = {}
    for declared in declarations():
        for name, kinds in declared.options.items():
            if declared.answers and any(
                (kind in (int, float, Fraction) or _is_choice(kind)) for kind in kinds
            ):
                users.setdefault(name, []).append(declared)
    return users


def _choices(name: str, users: list[Declaration]) -> dict[str, None]:
    kinds = [kind for declared in users for kind in declared.options[name] if _is_choice(kind)]
    return dict.fromkeys(word_of(member) for kind in kinds for member in kind)


def _is_choice(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _argument(name: str, users: list[Declaration]) -> dict[str, Any]:
    """Describe an option by what the solvers say of it."""
    kinds = [kind for declared in users for kind in declared.options[name]]
    told = next((d.explained[name] for d in users if name in d.explained), "")
    names = ", ".join(declared.name for declared in users)
    if name in SEATS:
        return {"type": int, "metavar": "N", "help": f"number of a player, from 1: {names}"}
    choices = _choices(name, users)
    words = f" One of: {', '.join(choices)}." if choices else ""
    shown = f"{names}: {told}{words}".replace("%", "%%")
    if choices:
        return {"metavar": "WORDS", "help": shown}
    whole = Fraction not in kinds and float not in kinds
    return {"type": int if whole else _number, "metavar": "N", "help": shown}


def _number(text: str) -> float | Fraction:
    """Read a number or a fraction; what is too small for a float stays a fraction."""
    try:
        value = Fraction(text)
        return float(value) or value
    except (ValueError, ZeroDivisionError, OverflowError):
        raise argparse.ArgumentTypeError(
            f"needs a number, such as 0.001 or 1/1000, but got {text!r}"
        ) from None


def _rows(text: str) -> int:
    """Read a number of rows."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"needs a number of rows of at least 1, but got {text!r}")
    return int(text)


def _bytes(text: str) -> int:
    """Read a number of bytes: 4000000, 500M, 1.5G."""
    units = {"K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
    number, unit = text.strip().upper().removesuffix("B"), 1
    if number[-1:] in units:
        number, unit = number[:-1], units[number[-1]]
    try:
        size = int(Fraction(number) * unit)
    except (ValueError, ZeroDivisionError):
        size = 0
    if size < 1:
        raise argparse.ArgumentTypeError(f"needs a size, such as 500M or 4G, but got {text!r}")
    return size


def show_solvers() -> int:
    """List what ``--algorithm`` takes, with the concepts that each answers."""
    table = Table("solver", "finds", "why one would ask it", title="Solvers")
    shown: dict[str, tuple[list[str], str]] = {}
    for route in routes():
        shown.setdefault(route.name, ([], route.because))[0].append(str(route.answers.concept))
    for name, (concepts, reason) in shown.items():
        table.add_row(name, ", ".join(concepts), escape(reason))
    with page() as console:
        console.print(table)
    return 0


def _solve(options: argparse.Namespace) -> int:
    with memory_limit(options.memory_limit), naming({MORE: "--memory-limit"}):
        return _answered(options)


def _answered(options: argparse.Namespace) -> int:
    game = loaded(options)
    if options.time_limit is not None and not options.time_limit >= 0:
        raise InvalidArgument(
            needs="seconds of at least 0", found=f"got {options.time_limit}", where="--time-limit"
        )
    given = {
        name: _player_index(name, value, len(game.players)) if name in SEATS else value
        for name in _users_of_options()
        if (value := getattr(options, f"own_{name}")) is not None
    }
    note, code = "", 0
    with progress("solving", None, quiet=False) as advance:

        def watch(report: Progress) -> None:
            advance(report.done, report.unit, report.total)

        try:
            answer = solve(
                game,
                options.concept,
                algorithm=options.algorithm,
                **given,
                budget=Budget(seconds=options.time_limit, memory=options.memory_limit),
                on_iteration=watch if sys.stderr.isatty() else None,
            )
        except NotConverged as error:
            if not isinstance(error.best, Answer):
                print(_limit_note(error), file=sys.stderr)
                return EXIT_BUDGET
            answer, note, code = error.best, _limit_note(error), EXIT_BUDGET
    for solution in answer.solutions:
        solution.certificate.verify()
    _show(answer, options)
    if answer.is_complete is False and not note:
        note, code = one_line(f"incomplete: {answer.evidence}"), EXIT_BUDGET
    if note:
        print(note, file=sys.stderr)
    return code


def _player_index(option: str, number: int, num_players: int) -> int:
    if 1 <= number <= num_players:
        return number - 1
    raise InvalidArgument(
        needs=f"a player's number in 1..{num_players}", found=f"got {number}", where=f"--{option}"
    )


def _limit_note(error: NotConverged) -> str:
    """Reword the advice, which is for callers in Python."""
    shown = "; what was found and certified is shown." if isinstance(error.best, Answer) else "."
    return one_line(f"{error.where}: {error.problem} Give a larger --time-limit{shown}")


def _show(answer: Answer, options: argparse.Namespace) -> None:
    if options.format == "json":
        print(answer.to_json())
    elif options.format == "text":
        with page() as console:
            _show_on(console, answer, full=options.full, top=options.top or MOST_ROWS)
    else:
        shown = answer.table(full=options.full, top=options.top)
        print(FORMATS[options.format](shown).rstrip())
        if shown.cut:
            print(f"--top left out rows of the table: {shown.cut:,} more.", file=sys.stderr)


def _show_on(console: Console, answer: Answer, *, full: bool, top: int) -> None:
    title = answer.game.title or "untitled game"
    console.print(
        f"[bold]{escape(title)}[/bold]  {escape(' vs '.join(shown_players(answer.game.players)))}"
    )
    console.print(f"{answer.concept} by {answer.algorithm}: {answer.reason}")
    if not answer.solutions:
        console.print("\n[bold]No such solution exists.[/bold]" if answer.is_complete else "")
    for index, solution in enumerate(answer.solutions[:MOST_SOLUTIONS]):
        several = f"[bold]Solution {index + 1}[/bold]" if len(answer.solutions) > 1 else ""
        console.print(f"\n{several}".rstrip())
        shown = solution_table(answer.game, solution, full=full, top=top)
        _show_solution(console, answer, solution, shown)
    hidden = len(answer.solutions) - MOST_SOLUTIONS
    if hidden > 0:
        console.print(f"\n... and {hidden} more; --format json prints all.")
    if answer.is_complete is not None:
        word = "complete" if answer.is_complete else "INCOMPLETE"
        console.print(f"\n{len(answer.solutions)} found, {word}: {escape(answer.evidence)}")
    console.print(f"[dim]solved and certified in {answer.seconds:.3f} s[/dim]")


def _show_solution(
    console: Console, answer: Answer, solution: Solution[Any, Any], shown: AnswerTable
) -> None:
    console.print(escape(table_text(shown)))
    if shown.cut:
        console.print(f"--top {len(shown.rows) + shown.cut} shows them.")
    proof = proof_table(solution.certificate)
    if proof is not None:
        console.print(f"\n{escape(table_text(proof.top(MOST_ROWS)))}")
    for line in payoff_lines(answer.game, solution.payoffs):
        console.print(escape(line))
    statement = one_line(solution.certificate.statement)
    console.print(f"[green]verified[/green]: {escape(statement)}")
