"""Interrupts, where code of others would lose them: they wait, or are found again."""

import signal
from collections.abc import Generator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

from gametheory_core.errors import GameTheoryError


@contextmanager
def interrupts_later() -> Generator[None]:
    """Hold an interrupt back until a short piece of work is done.

    Python's own zip files answer an interrupt with a ``ValueError``, which hides it.
    """
    before = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(before):
        yield
        return
    held: list[tuple[int, FrameType | None]] = []

    def hold(number: int, frame: FrameType | None) -> None:
        held.append((number, frame))

    signal.signal(signal.SIGINT, hold)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if held:
            before(*held[0])


@contextmanager
def interrupts_found() -> Generator[None]:
    """Raise an interrupt as what it was, where code of others made another error of it.

    So numpy, where it compares records of several fields, raises a ``TypeError``.
    """
    try:
        yield
    except GameTheoryError:
        raise
    except Exception as error:
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, KeyboardInterrupt):
                raise KeyboardInterrupt from error
            cause = cause.__cause__ or cause.__context__
        raise
