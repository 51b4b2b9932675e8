"""Matches in processes of their own: one that a bot ends, or holds up, is replaced by another.

Bots that are not of this package share their process with nobody but whom they play, so that what
they leave behind is met by nobody else.

A process that ends in a match is nothing rare: a bot written in C may write beyond its memory.
Its match is played once more in a new process; if that ends as well, whoever was being asked
forfeits. A bot that does not return is ended when its time is over.
"""

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any

import numpy as np

from gametheory_core.arguments import shown
from gametheory_core.errors import GameTheoryError, InvalidArgument
from learners.roshambo.matches import guarded_matches as of
from learners.roshambo.matches.guarded_matches import Outcome, Task
from learners.roshambo.matches.matches import Bot

_START = (
    "import pickle, sys; sys.path[:] = pickle.loads(bytes.fromhex(sys.argv[1])); "
    "from learners.roshambo.matches.serving import serve; serve()"
)
GRACE = 1.0  # seconds for a process to end that says no more
_GLANCE = 0.2  # seconds between looks at the clocks
SLACK = 0.5  # seconds beyond the limit, until a bot is ended that does not return
FIRST_SLACK = 60.0  # the same before a bot has ever ended a match in its process: it may compile
COMPILING = 1800.0  # the same for bots of ours, who do return, on a machine however busy


def isolated_matches(
    makers: Mapping[str, Callable[[], Bot]],
    tasks: Iterable[Task],
    *,
    jobs: int,
    strangers: Collection[str],
) -> Generator[tuple[int, int, Outcome]]:
    """Play matches in so many processes, and yield outcomes as they come.

    Args:
        makers: Of bots, by name; they go to the processes by pickle, or by value where they are of
            the main module.
        tasks: In whose terms outcomes are told; taken one by one.
        strangers: Names of bots that may leave something behind in their process: a timer, another
            folder, a changed module. It then plays no match without them.

    Yields:
        The number of the task, that of the match in it, and the outcome. Matches of a task come in
        order; tasks come as they may.
    """
    packed = {name: _packed(maker, name) for name, maker in makers.items()}
    queue = iter(enumerate(tasks))
    told: SimpleQueue[tuple[_Worker, Any]] = SimpleQueue()
    with tempfile.TemporaryDirectory(prefix="roshambo-") as folder:
        workers: list[_Worker] = []
        try:
            for number in range(jobs):
                worker = _Worker(Path(folder) / str(number), packed, told, frozenset(strangers))
                if not worker.take(queue):
                    break
                workers.append(worker)
            yield from _until_done(workers, queue, told)
        finally:
            for worker in workers:
                worker.end()


def _until_done(
    workers: list["_Worker"],
    queue: Iterator[tuple[int, Task]],
    told: "SimpleQueue[tuple[_Worker, Any]]",
) -> Generator[tuple[int, int, Outcome]]:
    busy = set(workers)
    while busy:
        try:
            worker, (process, outcome) = told.get(timeout=_GLANCE)
        except Empty:
            for worker in busy:
                worker.end_if_late()
            continue
        if process is not worker.process or worker not in busy:
            continue  # what an ended process still said, or one that had nothing to do
        if outcome is None:
            outcome = worker.broken()
            if outcome is None:
                continue  # it plays the match once more
        yield worker.number, worker.done, outcome
        worker.done += 1
        if worker.done < len(worker.task.seeds):
            worker.go_on()
        elif not worker.take(queue):
            busy.remove(worker)


class _Worker:
    """A process, the task that it is at, and the notes that both sides share."""

    def __init__(
        self, notes: Path, packed: Mapping[str, bytes], told: Any, strangers: frozenset[str]
    ) -> None:
        self._notes, self._packed, self._told = notes, packed, told
        self._strangers = strangers
        self._met: frozenset[str] = frozenset()  # those of them who were in this process
        np.zeros(of.NOTES).tofile(notes)
        self.clock: Any = np.memmap(notes, dtype=np.float64, mode="r+", shape=of.NOTES)
        self.process: Any = None
        self.number, self.task, self.done = -1, Task("", "", (), 0, 0.0), 0
        self._is_second_try = False
        self._late: tuple[int, int] | None = None  # who was ended for it, and at which throw
        self._known: set[str] = set()  # who have ended a match in this process
        self._hung: set[str] = set()

    def take(self, queue: Iterator[tuple[int, Task]]) -> bool:
        """Begin the next task, if there is one."""
        self.number, self.task = next(queue, (-1, self.task))
        self.done = 0
        if self.number < 0:
            return False
        pair = {self.task.first, self.task.second}
        if not self._met <= pair:
            self.end()
        self._met = self._strangers & pair  # and all whom it met before
        self._order()
        return True

    def go_on(self) -> None:
        """Let the process play the next match, which it does by itself unless it is a new one."""
        self._is_second_try = False
        self._known |= {self.task.first, self.task.second}
        if self.process is None:
            self._order()

    def _order(self) -> None:
        asked = of.NOBODY if self.process is not None else of.UNBORN
        self.clock[:] = (asked, monotonic(), 0.0, 0.0, -1)
        if self.process is None:
            self.process = self._begun()
        is_watched = self._is_second_try and bool(self._met)
        rest = self.task._replace(seeds=self.task.seeds[self.done :], is_watched=is_watched)
        with suppress(OSError):  # it has ended, and its reader tells
            pickle.dump(rest, self.process.stdin)
            self.process.stdin.flush()

    def _begun(self) -> Any:
        self._known = set()
        path = pickle.dumps([str(Path(entry).absolute()) for entry in sys.path]).hex()
        process: Any = subprocess.Popen(  # noqa: S603 our own interpreter
            [sys.executable, "-c", _START, path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for us
        )
        Thread(target=_read, args=(self, process, self._told), daemon=True).start()
        pickle.dump((str(self._notes), dict(self._packed), os.getpid()), process.stdin)
        return process

    def end_if_late(self) -> None:
        """End the process if the bot that is asked has had its time and does not return."""
        asked = int(self.clock[of.ASKED])
        taken = monotonic() - self.clock[of.SINCE]
        names = (self.task.first, self.task.second)
        if asked >= of.NOBODY:  # begins, or both play in one loop
            pair = set(names)
            is_born = asked != of.UNBORN  # else no bot has a hand in it
            most = 2 * self.task.limit + self._first_slack(pair) if is_born else COMPILING
        else:
            taken += self.clock[of.TAKEN + asked]
            most, pair = self.task.limit, {names[asked]}
            is_warm = pair <= self._known or pair & self._hung
            most += SLACK if is_warm else self._first_slack(pair)
        if taken > most:
            self._late = (asked, int(self.clock[of.AT]))
            self._hung |= pair
            self.process.kill()

    def _first_slack(self, pair: set[str]) -> float:
        return FIRST_SLACK if pair & self._strangers else COMPILING

    def broken(self) -> Outcome | None:
        """Return what to make of the end of the process; None if the match is played again."""
        try:
            code = self.process.wait(GRACE)
        except subprocess.TimeoutExpired:  # a bot has closed what results go by
            self.process.kill()
            code = self.process.wait()
        asked, at = int(self.clock[of.ASKED]), int(self.clock[of.AT])
        self.end()
        late, self._late = self._late, None
        end = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        if asked == of.UNBORN and self._is_second_try:
            raise GameTheoryError(
                needs="processes that play matches",
                found=f"they end {end} before the first",
                where="tournament",
            )
        if late is not None:
            asked, why = late[0], of.slow(self.task.limit, late[1])
        elif not self._is_second_try:
            self._is_second_try = True
            self._order()
            return None
        else:
            lone = self._strangers & {self.task.first, self.task.second}
            if asked == of.NOBODY and len(lone) == 1:  # bots of ours do not end a process
                asked = of.FIRST if self.task.first in lone else of.SECOND
            why = f"its process ended {end}"
            why += " before the first throw" if at < 0 else f" at throw {at}"
        if asked >= of.NOBODY:
            return Outcome(0, of.NOBODY, why, is_broken=True)
        return of.forfeit(asked, why, throws=self.task.throws)

    def end(self) -> None:
        """End the process, if there is one."""
        if self.process is None:
            return
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):  # of what was not sent yet
                pipe.close()
        self.process = None


def _read(worker: _Worker, process: Any, told: Any) -> None:
    """Pass on what a process says, and lastly that it ended."""
    try:
        while True:
            outcome = pickle.load(process.stdout)  # noqa: S301 our own
            if not isinstance(outcome, Outcome):
                raise TypeError  # a bot has said it
            told.put((worker, (process, outcome)))
    except Exception:  # noqa: BLE001 it was cut off in the middle of a word
        told.put((worker, (process, None)))


def _packed(maker: Callable[[], Bot], name: str) -> bytes:
    import joblib  # noqa: PLC0415 loads what runs processes

    wrapped: Any = joblib.wrap_non_picklable_objects(partial(maker), keep_wrapper=False)
    try:
        return pickle.dumps(wrapped)
    except Exception as error:
        raise InvalidArgument(
            needs=f"what makes {name} to be sent to another process",
            found=f"it cannot be pickled: {shown(str(error))}",
            remedy="Give a class or a function of a module.",
            where="tournament",
        ) from error
