"""Parts: the same results for any number of workers, and whoever of them is killed."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import joblib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument
from gametheory_core.errors import WorkerLost
from solvers.workers import TOGETHER, in_parts


def noted(folder, number):
    """Say that a part was begun, and return how often it was before."""
    file = Path(folder) / f"{number}-{os.getpid()}-{time.monotonic_ns()}"
    before = len(list(file.parent.glob(f"{number}-*")))
    file.touch()
    return before


def square(folder, number, deaths):
    """Return a square, unless the worker is to be killed as by the kernel."""
    if noted(folder, number) < deaths:
        os.kill(os.getpid(), signal.SIGKILL)
    return number**2


def refuse(number):
    if number == 2:
        raise InvalidArgument(needs="another number", found="got 2", where="refuse")
    return number


@contextmanager
def two_workers_of_dask():
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    )
    with cluster, distributed.Client(cluster) as client, joblib.parallel_config("dask"):
        yield client


@given(st.lists(st.integers()), st.sampled_from([None, 1]))
def test_results_come_in_the_order_of_the_parts(numbers, jobs):
    assert in_parts(pow, [(n, 2) for n in numbers], jobs=jobs) == [n**2 for n in numbers]


@pytest.mark.parametrize("jobs", [2, 7, -1])
def test_results_in_processes_come_in_the_order_of_the_parts(jobs):
    told = []
    found = in_parts(pow, [(n, 2) for n in range(20)], jobs=jobs, on_done=told.append)
    assert found == [n**2 for n in range(20)] == sorted(told)


def test_no_parts_are_done_in_no_time():
    assert in_parts(pow, [], jobs=2) == []


def test_other_processes_do_the_work():
    assert os.getpid() not in in_parts(os.getpid, [()] * 4, jobs=2)


def test_the_parts_of_a_killed_worker_are_done_again(tmp_path):
    parts = [(tmp_path, n, 1 if n == 3 else 0) for n in range(8)]
    assert in_parts(square, parts, jobs=2) == [n**2 for n in range(8)]
    assert len(list(tmp_path.glob("3-*"))) == 2


def test_a_part_that_survives_alone_only_is_done_alone(tmp_path):
    parts = [(tmp_path, n, TOGETHER if n == 1 else 0) for n in range(4)]
    assert in_parts(square, parts, jobs=2) == [0, 1, 4, 9]


def test_a_part_that_kills_whoever_takes_it_is_named(tmp_path):
    parts = [(tmp_path, n, 9 if n == 2 else 0) for n in range(4)]
    told = []
    with pytest.raises(WorkerLost, match=r"until stream 3 is done, .*memory runs out") as caught:
        in_parts(square, parts, jobs=2, what="stream", on_done=told.append)
    assert caught.value.witness == 2
    assert set(told) >= {0, 1}  # what was done stays done
    assert len(list(tmp_path.glob("2-*"))) == TOGETHER + 1


def test_workers_of_dask_do_the_parts_of_a_killed_one(tmp_path):
    with two_workers_of_dask():
        parts = [(tmp_path, n, 1 if n == 1 else 0) for n in range(4)]
        assert in_parts(square, parts) == [0, 1, 4, 9]
    assert len(list(tmp_path.glob("1-*"))) == 2


def test_what_a_part_refuses_is_raised_here():
    for jobs in (1, 2):
        with pytest.raises(InvalidArgument, match="refuse: needs another number, but got 2"):
            in_parts(refuse, [(n,) for n in range(4)], jobs=jobs)


@pytest.mark.parametrize(
    ("jobs", "message"),
    [
        (0, "needs at least one job, or -1, but got 0"),
        (-2, "needs jobs to be an integer from -1 to 100000, but got -2"),
        (True, "needs jobs to be an integer from -1 to 100000, but got True"),
        (1.5, "needs jobs to be an integer from -1 to 100000, but got 1.5"),
        ("2", "needs jobs to be an integer from -1 to 100000, but got '2'"),
    ],
)
def test_other_numbers_of_workers_are_refused(jobs, message):
    with pytest.raises(InvalidArgument, match=message):
        in_parts(pow, [(1, 2)], jobs=jobs)


INTERRUPTED = """
import sys, time
from solvers.workers import in_parts
from tests.solvers.test_workers import wait
try:
    in_parts(wait, [(sys.argv[1], n) for n in range(4)], jobs=2)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    time.sleep(60)
"""


def wait(folder, number):
    noted(folder, number)
    time.sleep(60)


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def until(holds, seconds=20):
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    return holds()


def first_returns(folder, number):
    if number:
        wait(folder, number)


def test_who_stops_listening_ends_the_workers(tmp_path):
    def stop(_result):
        assert until(lambda: list(tmp_path.iterdir()))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="^$") as caught:
        in_parts(first_returns, [(tmp_path, n) for n in range(2)], jobs=2, on_done=stop)
    assert caught.tb  # as long as somebody looks at it
    (file,) = tmp_path.iterdir()
    assert until(lambda: not is_alive(int(file.name.split("-")[1])))


def test_an_interrupt_ends_the_workers(tmp_path):
    program = [sys.executable, "-c", INTERRUPTED, str(tmp_path)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as running:
        assert until(lambda: len(list(tmp_path.iterdir())) == 2)
        workers = [int(file.name.split("-")[1]) for file in tmp_path.iterdir()]
        assert all(map(is_alive, workers))
        running.send_signal(signal.SIGINT)
        assert running.stdout.readline() == "interrupted\n"
        assert until(lambda: not any(map(is_alive, workers)))
        running.kill()
