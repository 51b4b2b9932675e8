import subprocess
import sys

import numpy as np
import pytest

from solvers._kernels.compile import compiled

STORM = """
import contextlib, signal
import numpy as np
from solvers._kernels.compile import compiled

class Stop(Exception): ...

def stop(*_): raise Stop

def drawn(rng): return rng.random()

drawn, rng, stops = compiled(drawn), np.random.default_rng(3), 0
drawn(rng)
signal.signal(signal.SIGALRM, stop)
while stops < 2000:
    try:
        signal.setitimer(signal.ITIMER_REAL, 2e-5)
        for _ in range(100): drawn(rng)
    except Stop:
        stops += 1
    with contextlib.suppress(Stop):
        signal.setitimer(signal.ITIMER_REAL, 0)
"""


@compiled
def draws(rng):
    return rng.random(), rng.integers(0, 2**40), rng.integers(0, 7), rng.standard_normal()


@pytest.mark.parametrize("bits", ["PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"])
def test_loops_and_numpy_draw_the_same_from_every_kind_of_generator(bits):
    kind = getattr(np.random, bits)
    ours, twin = (np.random.Generator(kind(11)) for _ in range(2))
    for _ in range(50):
        assert draws(ours) == draws.py_func(twin)
    assert ours.random() == twin.random()


def test_loops_keep_no_hold_of_a_generator():
    rng = np.random.default_rng(0)
    draws(rng)
    before = sys.getrefcount(rng), sys.getrefcount(rng.bit_generator)
    for _ in range(100):
        draws(rng)
    assert (sys.getrefcount(rng), sys.getrefcount(rng.bit_generator)) == before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no timers that send signals")
def test_signals_while_a_generator_is_read_do_not_end_the_process():
    done = subprocess.run([sys.executable, "-c", STORM], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
