"""The process in which matches are played, as it is seen from inside.

A bot may close what results go by, end the process, or leave a timer behind. Nothing of that is
said on stderr: who began the process sees that it ended, and who was being asked.
"""

import ctypes
import os
import pickle
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from learners.roshambo.matches.guarded_matches import (
    ASKED,
    NOBODY,
    NOTES,
    Outcome,
    Task,
    guarded_match,
)
from learners.roshambo.matches.matches import Bot, Throws

PR_SET_PDEATHSIG = 1  # of prctl
SHARE_OF_MEMORY = 0.5  # of the machine, for each process


def serve() -> None:
    """Play the matches that come in by stdin, and write outcomes to stdout, until stdin ends.

    First comes where notes are shared, and what makes bots, pickled one by one.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asked for the matches ends them
    orders, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "r+b", buffering=0) as nothing:  # noqa: PTH123 bots may print and read
        os.dup2(nothing.fileno(), 0)
        os.dup2(nothing.fileno(), 1)
    _limit_memory()
    shared, packed, parent = pickle.load(orders)  # noqa: S301 from the process that began us
    _end_with(parent)
    notes: Any = np.memmap(shared, dtype=np.float64, mode="r+", shape=NOTES)
    notes[ASKED] = NOBODY
    makers, known = _Makers(packed), set[str]()

    def play(task: Task, seeds: tuple[int, int]) -> Outcome:
        pair = (makers.of(task.first), makers.of(task.second))
        if task.is_watched:
            pair = (_watched(pair[0], answers), _watched(pair[1], answers))
        return guarded_match(pair, throws=task.throws, seeds=seeds, limit=task.limit, notes=notes)

    try:
        while True:
            task: Task = pickle.load(orders)  # noqa: S301
            for seeds in task.seeds:
                outcome = play(task, seeds)
                if outcome.loser != NOBODY and task[outcome.loser] not in known:
                    outcome = play(task, seeds)  # it may have compiled, which takes long
                known |= {task.first, task.second}
                pickle.dump(outcome, answers)
                answers.flush()
    except BaseException:  # noqa: BLE001 no more tasks, or a bot has closed what they come by
        os._exit(1)  # what bots have left behind has no last word


def _watched(maker: Callable[[], Bot], answers: Any) -> Callable[[], Bot]:
    """Let a bot end the process, while it is asked, when it has closed what results go by."""
    pipe = answers.fileno()
    before = os.fstat(pipe)

    def look() -> None:
        try:
            is_open = os.path.samestat(os.fstat(pipe), before)
        except OSError:
            is_open = False
        if not is_open:
            os._exit(1)

    def make() -> Bot:
        bot: Any = maker()
        look()
        return _Watched(bot, look) if isinstance(bot, Bot) else bot

    return make


class _Watched:
    """A bot that is looked at after each move."""

    def __init__(self, bot: Bot, look: Callable[[], None]) -> None:
        self._bot, self._look = bot, look

    def reset(self, seed: int) -> None:
        self._bot.reset(seed)
        self._look()

    def throw(self, own: Throws, other: Throws) -> int:
        found = self._bot.throw(own, other)
        self._look()
        return found


class _Makers:
    """What makes bots, unpickled when it is first asked for."""

    def __init__(self, packed: Mapping[str, bytes]) -> None:
        self._packed = packed
        self._made: dict[str, Callable[[], Bot]] = {}

    def of(self, name: str) -> Callable[[], Bot]:
        def make() -> Bot:  # inside the match, so that who cannot be made forfeits
            if name not in self._made:
                self._made[name] = pickle.loads(self._packed[name])  # noqa: S301
            return self._made[name]()

        return make


def _limit_memory() -> None:
    """Let a bot that takes all memory end this process, and no other."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    with suppress(ImportError, ValueError, OSError, AttributeError):
        import resource  # noqa: PLC0415 not on Windows

        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        most = int(whole * SHARE_OF_MEMORY)
        resource.setrlimit(resource.RLIMIT_DATA, (most, resource.RLIM_INFINITY))


def _end_with(parent: int) -> None:
    """Let this process end when the one that began it does, whatever a bot is at; on Linux."""
    with suppress(OSError, AttributeError, TypeError):  # other systems
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.name == "posix" and os.getppid() != parent:  # it has ended before
        os._exit(1)
