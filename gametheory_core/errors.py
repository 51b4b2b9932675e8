"""Every refusal of the library: one root, and one class for each kind of remedy."""


class GameTheoryError(Exception):
    """Root of all exceptions raised on purpose by this library."""


class InvalidGame(GameTheoryError, ValueError):
    """The game is not well formed; the message names the offending part and the mend."""


class InvalidStrategy(GameTheoryError, ValueError):
    """A strategy or profile is malformed, or does not fit the game it is used with."""


class InvalidArgument(GameTheoryError, ValueError):
    """An option has a value it cannot have; the message says what it accepts."""


class UnsupportedGame(GameTheoryError, ValueError):
    """The game is well formed, but this function cannot handle it; the message has the witness."""


class MalformedFile(GameTheoryError, ValueError):
    """A file breaks its format.

    Attributes:
        line, column: Where reading stopped, both counted from 1.
    """

    def __init__(self, message: str, *, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild_malformed_file, (str(self), self.line, self.column))


def _rebuild_malformed_file(message: str, line: int, column: int) -> MalformedFile:
    return MalformedFile(message, line=line, column=column)


class CertificateRejected(GameTheoryError):
    """A claim does not survive its check in exact arithmetic; never use the answer."""


class LawBroken(GameTheoryError):
    """A game, conversion or certificate does not do what it promises; the message shows where."""


class NotConverged(GameTheoryError):
    """A promise (tolerance, completeness) was not met within the budget.

    Attributes:
        best: The best certified answer found, of the type the function returns, or None.
    """

    def __init__(self, message: str, *, best: object = None) -> None:
        super().__init__(message)
        self.best = best


class InfeasibleProgram(GameTheoryError):
    """No point satisfies the constraints; proved in exact arithmetic.

    Attributes:
        witness: A certificate that proves it, or None.
    """

    def __init__(self, message: str, *, witness: object = None) -> None:
        super().__init__(message)
        self.witness = witness


class UnboundedProgram(GameTheoryError):
    """The objective grows without bound; proved in exact arithmetic."""


class NumericalFailure(GameTheoryError):
    """A float solver gave up, so that nothing is known about the program."""


class MissingDependency(GameTheoryError, ImportError):
    """An optional package is not installed; the message says which extra brings it."""
