"""Bots that break off matches, each in its own way; at throw 3 unless they do so at once."""

import ctypes
import os
import signal
import sys
import time
from pathlib import Path


class Rock:
    """Throws rock."""

    def reset(self, seed):
        pass

    def throw(self, own, other):
        if len(own) == 3:
            return self.slip()
        return 0

    def slip(self):
        return 0


class Silent(Rock):
    def slip(self):
        return None


class Wild(Rock):
    def slip(self):
        return 3


class Raising(Rock):
    def slip(self):
        raise KeyError("lost")


class Exiting(Rock):
    def slip(self):
        raise SystemExit(4)


class Leaving(Rock):
    def slip(self):
        os._exit(7)


class Crashing(Rock):
    def slip(self):
        return ctypes.string_at(0)


class Hungry(Rock):
    def slip(self):
        return bytearray(10**15)


class Sleeping(Rock):
    def slip(self):
        time.sleep(10**6)


class Tardy(Rock):
    """Takes 0.2 seconds for each throw."""

    def throw(self, own, other):
        time.sleep(0.2)
        return 0


class Talking(Rock):
    """Writes where results go, and reads where matches come from."""

    def slip(self):
        sys.stdout.write("nonsense")
        sys.stdout.flush()
        os.write(1, b"nonsense")
        os.read(0, 100)
        return 1


class Unmade(Rock):
    def __init__(self):
        raise OSError("no file")


class LeavingOnce(Rock):
    """Leaves each match once: unless there is a file, which it makes."""

    def reset(self, seed):
        self.mark = Path(os.environ["LEAVING_ONCE"], str(seed))

    def slip(self):
        if not self.mark.exists():
            self.mark.touch()
            os._exit(7)
        return 0


class Compiling(Rock):
    """Takes 0.6 seconds the first time in a process."""

    is_compiled = False

    def slip(self):
        if not self.is_compiled:
            Compiling.is_compiled = True
            time.sleep(0.6)
        return 0


class Cheat(Rock):
    """Throws paper, and writes that the other threw rock, wherever it finds the throws."""

    def throw(self, own, other):
        for row, thrown in ((own, 1), (other, 0)):
            row.flags.writeable = True
            row[:] = thrown
            base = row.base
            while base is not None:
                base[...] = thrown
                base = base.base
        return 1


class Unspeakable(Rock):
    """Raises what cannot be told."""

    def slip(self):
        class WorseError(Exception):
            def __str__(self):
                raise RuntimeError("in str")

            __repr__ = __str__

        raise WorseError


class Closing(Rock):
    """Closes what results go by, and plays on."""

    def slip(self):
        os.closerange(3, 100)
        return 0


class ClosingForever(Closing):
    def slip(self):
        super().slip()
        time.sleep(10**6)


class LeavingAtLast(Rock):
    """Ends the process when it is let go, after the match."""

    def __del__(self):
        os._exit(7)


class Alarm(Rock):
    """Guards its time, and forgets to switch that off."""

    def reset(self, seed):
        signal.signal(signal.SIGALRM, self.late)
        signal.setitimer(signal.ITIMER_REAL, 0.3, 0.3)

    def late(self, *_):
        raise TimeoutError("too slow")


class Chdir(Rock):
    def reset(self, seed):
        os.chdir("/")


class Zen(Rock):
    """Thinks for 0.05 seconds."""

    def throw(self, own, other):
        time.sleep(0.05)
        return 1


class NoBot:
    pass
