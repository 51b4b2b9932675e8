"""Every refusal of the library: one root, and one class for each kind of remedy.

A refusal is a record: what was needed, what was found, what to do, and the witness. ``str`` makes
one sentence of it, a command line makes its own; nothing in the library reads a sentence again.
"""

import inspect
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType, MappingProxyType
from typing import Any

PACKAGES = ("gametheory_core", "solvers", "learners")
# Functions that refuse in the name of their caller begin so.
CHECKS = ("require_", "refuse_", "check_", "as_")
MADE_BY = ("__init__", "__post_init__", "__new__")


class GameTheoryError(Exception):
    """Root of all exceptions raised on purpose by this library.

    Attributes:
        needs: What was required: "two players".
        found: What there was instead, by label and value: "it has 3: 'A', 'B', 'C'".
        remedy: What to do, in whole sentences.
        witness: What shows it, as an object: a node, a pair of actions, a certificate; or None.
        argument: The argument it is about, or that helps: "max_nodes"; "" for none.
        where: What refused: the public function that was called, a file, a certificate.
        usual_remedy: What to do where a refusal of the kind says nothing else.
    """

    usual_remedy = ""

    def __init__(
        self,
        text: str = "",
        *,
        needs: str = "",
        found: object = "",
        remedy: str | None = None,
        witness: Any = None,
        argument: str = "",
        where: object = None,
    ) -> None:
        super().__init__(text)
        self.text = text
        self.needs = needs
        self.found = str(found)
        self.remedy = ("" if text else self.usual_remedy) if remedy is None else remedy
        self.witness = witness
        self.argument = argument
        self.is_placed = where is not None
        self.where = refusing_function() if where is None and not text else str(where or "")

    def __str__(self) -> str:
        where = f"{self.where}: " if self.where else ""
        return f"{where}{self.problem}{f' {self.remedy}' if self.remedy else ''}"

    @property
    def problem(self) -> str:
        """The sentence without its beginning, which says where, and its end, which says what helps.

        >>> InvalidArgument(needs="two players", found="it has 3", where="minimax").problem
        'needs two players, but it has 3.'
        """
        if self.text:
            return self.text
        needs = f"needs {self.needs}" if self.needs else ""
        sentence = ", but ".join(filter(None, (needs, self.found)))
        return sentence if sentence.endswith("?") else f"{sentence}."

    def changed(self, kind: "type[Any] | None" = None, **fields: Any) -> Any:
        """Return the same refusal as another kind, or with other fields.

        >>> error = InvalidArgument(needs="rows", found="there are none", where="bimatrix")
        >>> str(error.changed(InvalidGame, where="zero_sum"))
        'zero_sum: needs rows, but there are none.'
        """
        kept = {name: value for name, value in self.__dict__.items() if name != "is_placed"}
        new = (kind or type(self))(kept.pop("text"), **{**kept, **fields})
        new.is_placed = self.is_placed or "where" in fields
        return new

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (type(self), self.__dict__)


def _rebuilt(kind: type[GameTheoryError], fields: dict[str, Any]) -> GameTheoryError:
    error = kind.__new__(kind)
    Exception.__init__(error, fields["text"])
    error.__dict__.update(fields)
    return error


class InvalidGame(GameTheoryError, ValueError):
    """The game is not well formed."""


class InvalidStrategy(GameTheoryError, ValueError):
    """A strategy or profile is malformed, or does not fit the game it is used with."""


class InvalidArgument(GameTheoryError, ValueError):
    """An option has a value it cannot have."""


class UnsupportedGame(GameTheoryError, ValueError):
    """The game is well formed, but this function cannot handle it."""


class MalformedFile(GameTheoryError, ValueError):
    """A file breaks its format.

    Attributes:
        line, column: Where reading stopped, both counted from 1; 0 if not known.
    """

    def __init__(self, text: str = "", *, line: int = 0, column: int = 0, **fields: Any) -> None:
        super().__init__(text, **fields)
        self.line = line
        self.column = column


class CertificateRejected(GameTheoryError):
    """A claim does not survive its check in exact arithmetic; never use the answer."""

    usual_remedy = "Do not use this answer."


class LawBroken(GameTheoryError):
    """A game, conversion or certificate does not do what it promises; says where."""


class NotConverged(GameTheoryError):
    """A promise (tolerance, completeness) was not met within the budget.

    Attributes:
        best: The best certified answer found, of the type the function returns, or None. Checkers
            of types know neither this nor ``state``.
        state: What the function takes as ``state`` to go on from where it stopped, or None.
    """

    usual_remedy = "Give a larger budget."

    def __init__(
        self, text: str = "", *, best: Any = None, state: Any = None, **fields: Any
    ) -> None:
        super().__init__(text, **fields)
        self.best = best
        self.state = state


class InfeasibleProgram(GameTheoryError):
    """No point satisfies the constraints; proved in exact arithmetic by the witness, if any."""


class UnboundedProgram(GameTheoryError):
    """The objective grows without bound; proved in exact arithmetic."""


class NumericalFailure(GameTheoryError):
    """A float solver gave up, so that nothing is known about the program."""


class WorkerLost(GameTheoryError):
    """A process that works for this one was killed, each time that its part was tried."""


class MissingDependency(GameTheoryError, ImportError):
    """An optional package is not installed; the message says which extra brings it."""


def not_installed(where: str, package: str, *, extra: str) -> MissingDependency:
    """Return the refusal of what needs an optional package, with the commands that bring it.

    >>> str(not_installed("figures", "matplotlib", extra="figures")).partition(" (")[0]
    "figures: needs matplotlib. Run: pip install 'gametheory-core[figures]'"
    """
    return MissingDependency(
        needs=package,
        remedy=f"Run: pip install 'gametheory-core[{extra}]' "
        f"(in a checkout of the source: pip install -e '.[{extra}]').",
        where=where,
    )


@contextmanager
def refusing_as(function: str) -> Generator[None]:
    """Let refusals inside carry the name of the function that a user called.

    Those of files and certificates, which name these themselves, stay as they are.

    >>> with refusing_as("solve_it"):
    ...     raise UnsupportedGame(needs="two players", found="there are 3")
    Traceback (most recent call last):
    gametheory_core.errors.UnsupportedGame: solve_it: needs two players, but there are 3.
    """
    try:
        yield
    except GameTheoryError as error:
        if not error.is_placed:
            error.where = function
        raise


_WORDS: ContextVar[Mapping[str, str]] = ContextVar("words", default=MappingProxyType({}))


@contextmanager
def naming(words: Mapping[str, str]) -> Generator[None]:
    """Let refusals inside call arguments as a command line does, which has options for them.

    >>> with naming({"max_nodes": "--max-nodes"}):
    ...     named("max_nodes"), named("max_states")
    ('--max-nodes', 'max_states')
    """
    outer = _WORDS.set(words)
    try:
        yield
    finally:
        _WORDS.reset(outer)


def named(argument: str) -> str:
    """Return what the caller calls an argument: an option at the shell, its own name in Python."""
    return _WORDS.get().get(argument, argument)


def refusing_function() -> str:
    """Return the name of the innermost function on the stack that a user can call.

    Only a refusal looks at the stack: naming costs nothing where nothing is wrong.
    """
    frame: FrameType | None = inspect.currentframe()
    fallback = ""
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.partition(".")[0] in PACKAGES and module != __name__:
            first, *rest = frame.f_code.co_qualname.partition(".<locals>")[0].split(".")
            if rest and rest[-1] in MADE_BY:
                rest = []
            name = ".".join([first, *rest])
            is_private = any(part.startswith(("_", "<")) for part in (first, *rest))
            if not is_private and not (rest or [first])[-1].startswith(CHECKS):
                fallback = fallback or name
                if _is_public(first, module):
                    return name
        frame = frame.f_back
    return fallback


def _is_public(name: str, module: str) -> bool:
    while module:
        package = sys.modules.get(module)
        if hasattr(package, "__path__") and name in getattr(package, "__all__", ()):
            return True
        module = module.rpartition(".")[0]
    return False
