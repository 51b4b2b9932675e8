"""What all commands share: one line for a refusal, exit codes, and output that may fail."""

import argparse
import io
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, NoReturn, Protocol

from gametheory_core.errors import CertificateRejected, GameTheoryError
from gametheory_core.interrupts import interrupts_found

if TYPE_CHECKING:
    from rich.console import Console

EXIT_REJECTED = 1
EXIT_REFUSED = 2
EXIT_INTERRUPTED = 130
PLAIN_WIDTH = 160
LONGEST_LINE = 1500


class Advance(Protocol):
    """Shows how much is done, and what; of how much, where that changes."""

    def __call__(self, done: int, text: str, of: int | None = None, /) -> None:
        """Show it."""
        ...


def exit_code(run: Callable[[], int]) -> int:
    """Run a command; turn exceptions into one line on stderr and an exit code.

    A refusal exits 2, a rejected certificate 1, Ctrl-C 130. A reader that goes away (``| head``)
    is no error; any other trouble with the output exits 2.
    """
    sys.set_int_max_str_digits(0)  # exact answers may be long; readers bound what they accept
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        with interrupts_found():
            code = run()
            sys.stdout.flush()
    except CertificateRejected as error:
        return _say(f"REJECTED: {error}", EXIT_REJECTED)
    except GameTheoryError as error:
        return _say(str(error), EXIT_REFUSED)
    except MemoryError:
        return _say("needs more memory than the machine gives. Give a smaller game.", EXIT_REFUSED)
    except KeyboardInterrupt:
        return _say("interrupted: nothing was written.", EXIT_INTERRUPTED)
    except BrokenPipeError:
        _abandon_output()
        return 0
    except OSError as error:
        _abandon_output()
        return _say(f"output: needs to be written, but: {error.strerror}.", EXIT_REFUSED)
    return code


def read_arguments(
    parser: argparse.ArgumentParser, arguments: Sequence[str] | None
) -> argparse.Namespace:
    """Read arguments; what is wrong with them is said on one line, without the whole usage.

    Where a word is not known and one that is known is near, the line asks whether it was meant.
    """
    parser.error = partial(_refuse, parser)
    known: list[str] = []
    for action in parser._actions:  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        known += action.option_strings
        if action.choices:
            words = tuple(map(str, action.choices))
            action.metavar = action.metavar or "{" + ",".join(words) + "}"
            action.type, action.choices = partial(_one_of, words), None
    found, left = parser.parse_known_args(arguments)
    if left:
        word = next((word for word in left if word.startswith("-")), left[0])
        name = word.partition("=")[0]
        parser.error(f"takes no argument {name!r}{did_you_mean(name, known)}")
    return found


def _refuse(parser: argparse.ArgumentParser, message: str) -> NoReturn:
    end = "" if message.endswith("?") else "."
    parser.exit(
        EXIT_REFUSED,
        f"{one_line(f'{parser.prog}: {message}{end}')} Options: {parser.prog} --help\n",
    )


def _one_of(words: tuple[str, ...], text: str) -> str:
    """Read one of some words."""
    if text not in words:
        near = did_you_mean(text, words)
        raise argparse.ArgumentTypeError(f"needs one of {', '.join(words)}, but got {text!r}{near}")
    return text


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a question that ends a sentence, or nothing if no known word is near.

    >>> did_you_mean("--fromat", ["--format", "--leader"])
    '. Did you mean --format?'
    """
    from difflib import get_close_matches  # noqa: PLC0415  (only where something is wrong)

    close = get_close_matches(word, list(known), n=1)
    return f". Did you mean {close[0]}?" if close else ""


def one_line(text: str) -> str:
    """Keep a message on one line of bearable length, control characters escaped."""
    shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
    if len(shown) <= LONGEST_LINE:
        return shown
    half = LONGEST_LINE // 2
    return f"{shown[:half]} ... {shown[-half:]}"


def note(message: str) -> None:
    """Say something on stderr, on one line, where it does not disturb what is piped."""
    print(one_line(message), file=sys.stderr)


def write_out(text: str) -> None:
    """Write what a file would hold to stdout, in UTF-8 whatever the terminal uses."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    print(text, end="")


@contextmanager
def page() -> "Generator[Console]":
    """Give a rich console; what it shows is written at the end, by ``print``.

    Rich itself would leave the process when a pipe closes.
    """
    from rich.console import Console  # noqa: PLC0415  (help and refusals do without)

    width = None if sys.stdout.isatty() else PLAIN_WIDTH
    console = Console(highlight=False, soft_wrap=True, width=width)
    with console.capture() as capture:
        yield console
    print(capture.get(), end="")


@contextmanager
def progress(name: str, total: int | None, *, quiet: bool) -> Generator[Advance]:
    """Show progress on stderr, where a person is watching."""
    from rich.console import Console  # noqa: PLC0415

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield lambda _done, _text, _of=None, /: None
        return
    from rich.markup import escape  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn  # noqa: PLC0415

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(escape(name), total=total)

        def advance(done: int, text: str, of: int | None = None, /) -> None:
            bar.update(task, completed=done, description=escape(text), total=of or total)

        yield advance


def _say(message: str, code: int) -> int:
    print(one_line(message), file=sys.stderr)
    return code


def _abandon_output() -> None:
    """Keep the interpreter from complaining once more when it closes stdout."""
    sys.stdout = io.StringIO()
