"""Solvers called on one game, each once: what they return, or how they refuse."""

import signal
import time
import warnings
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from gametheory_core import CertificateRejected, GameTheoryError
from gametheory_core.errors import LawBroken
from solvers import Budget, solve
from solvers.solver import routes

SECONDS = 2.0  # the budget of each call
LATEST = 10.0  # when a call with that budget must have ended
PATIENCE = 60.0  # how long a call is waited for, that may be the first to compile a loop; it is
# late by the seconds of CPU, since a busy machine makes everything late


class Late(BaseException):
    """A call went on far past its budget; no handler of the library catches it."""


@dataclass(frozen=True)
class Finding:
    """Something that is wrong.

    Attributes:
        check, subject: What was looked at: the name of a check, and of a solver or concept.
        kind: What is wrong, in a word or the name of an exception; the same while it is shrunk.
        detail: What was seen.
    """

    check: str
    subject: str
    kind: str
    detail: str = ""

    @property
    def signature(self):
        return self.check, self.subject, self.kind


@dataclass(frozen=True)
class Outcome:
    """What a call came to: a value, or a refusal of the library's, or what is wrong with it."""

    value: Any
    refusal: GameTheoryError | None
    wrong: tuple[str, str] | None
    seconds: float


@contextmanager
def time_limit(seconds):
    """Raise ``Late`` when it is over; a call inside a library ends only when that returns."""

    def stop(*_):
        raise Late

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def called(function, *args, share=1.0, **options):
    """Call a function; warnings, errors of other kinds and long waits are what is wrong.

    What takes long is called once more, since loops may have been compiled the first time. A
    larger share gives more time.
    """
    first = _called(function, args, options, share)
    return first if first.seconds < LATEST else _called(function, args, options, share)


def _called(function, args, options, share):
    value = refusal = wrong = None
    start, begun = time.perf_counter(), time.process_time()
    try:
        with time_limit(share * PATIENCE), warnings.catch_warnings():
            warnings.simplefilter("error")
            value = function(*args, **options)
    except Late:
        pass
    except GameTheoryError as error:
        refusal = error
        is_told = error.text or (error.needs and error.found)
        if not is_told and not isinstance(error, CertificateRejected | LawBroken):
            wrong = "speechless", f"{type(error).__name__}: {error}"
    except Exception as error:  # noqa: BLE001
        wrong = type(error).__name__, described(error)
    seconds, busy = time.perf_counter() - start, time.process_time() - begun
    if wrong is None and busy > share * LATEST:
        wrong = "late", f"took {busy:.1f} seconds of CPU"
    return Outcome(value, refusal, wrong, seconds)


def described(error):
    """The message and where it came from."""
    frames, trace = [], error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        frames.append(f"{code.co_filename}:{trace.tb_lineno} in {code.co_name}")
        trace = trace.tb_next
    return f"{error!r}; " + " < ".join(reversed(frames[-8:]))


class Runs:
    """The calls made on one game.

    Attributes:
        game: What they are made on.
        entropy: Random choices follow from this and from what they are made for.
        subject: Where given, all that is looked at: a solver's or a concept's name.
    """

    def __init__(self, game, entropy, subject=None):
        self.game, self.entropy, self.subject = game, entropy, subject
        self.seconds, self.calls = 0.0, 0
        self._known = {}
        self._taken = {}
        for route in routes():
            kind = route.kind
            if kind.holds(game) and route.lack(kind.prepared(game)) is None:
                self._taken.setdefault(subject_of(route), route)

    def rng(self, *purpose):
        """Random numbers for one purpose, the same each time."""
        return np.random.default_rng([*self.entropy, zlib.crc32(repr(purpose).encode())])

    def routes(self):
        """The routes that take the game, by their names; those of the subject alone."""
        return {
            name: route
            for name, route in self._taken.items()
            if self.subject in (None, name, str(route.answers.concept))
        }

    def outcome(self, name):
        """What a route comes to."""
        if name not in self._known:
            route = self._taken[name]
            self._known[name] = self.solved(self.game, route)
        return self._known[name]

    def answer(self, name):
        """The answer of a route; None where it takes no such game, or refuses it."""
        return self.outcome(name).value if name in self._taken else None

    def solved(self, game, route, **options):
        """What a route comes to on a game."""
        given = {"algorithm": route.name, "budget": Budget(seconds=SECONDS)} | options
        found = called(solve, game, route.answers.concept, **given)
        self.seconds += found.seconds
        self.calls += 1
        return found


def subject_of(route):
    """The name of a route, whatever conversion it begins with."""
    return f"{route.answers.concept} by {route.name}"
