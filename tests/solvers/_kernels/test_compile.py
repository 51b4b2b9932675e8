"""Compiled loops follow every source they are made from, whatever the ages of files."""

import ast
import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from contextlib import suppress
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from solvers._kernels import compile as door

ROOT = Path(__file__).parents[3]
PACKAGES = ("gametheory_core", "solvers", "learners")
ROOMS = ("solvers", "learners")
DOORS = ("compile.py", "generators.py")  # to numba: generators replaces one of its own ways
AGE = 1_600_000_000  # of every file, so that ages tell nothing

CALLEE = """
from solvers._kernels.compile import compiled, inlined
CONSTANT = 3.0
@inlined
def taken_in(x):
    return x + 1.0
@compiled
def called(x):
    return x * 10.0
"""
CALLER = """
from ROOM._kernels.probe_callee import CONSTANT, called, taken_in
from solvers._kernels.compile import compiled
@compiled
def caller(x):
    return called(taken_in(x)) + CONSTANT
"""
CALL_PROBES = """
import json
import solvers._kernels.probe, learners._kernels.probe
loops = [solvers._kernels.probe.caller, learners._kernels.probe.caller]
answers = [loop(1.0) for loop in loops]
facts = [loop.stats for loop in loops]
print(json.dumps([(a, len(f.cache_hits), f.cache_path) for a, f in zip(answers, facts)]))
"""
LEARN = """
import json
import numpy as np
from learners._kernels.value_updates import learn_expected
from learners._kernels.value_updates import MoveArrays
def one(value):
    return np.array([value])
values, visits = np.zeros((1, 1)), np.zeros((1, 1), dtype=np.int64)
moves = MoveArrays(one(True), one(0), one(0), one(1.0), one(0.5), one(-1), one(False))
learn_expected(values, visits, np.ones((1, 1)), moves, 0.25, 0.0)
print(json.dumps(values[0, 0]))
"""
PLAY = """
import json
import solvers
from gametheory_core import NormalFormGame
game = NormalFormGame.zero_sum([[2, -1], [-1, 1]])
play = solvers.fictitious_play(game, steps=6_000)
print(json.dumps(str(play.empirical.probabilities)))
"""


def in_fresh_process(script, directory, **environment):
    """Run a script on the packages in a directory; return what it prints."""
    clean = {name: text for name, text in os.environ.items() if not name.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-B", "-c", script],
        cwd=directory,
        env=clean | {"PYTHONPATH": str(directory)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def edit(path, old, new):
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def make_one_age(directory):
    for path in directory.rglob("*.py"):
        os.utime(path, (AGE, AGE))


@pytest.fixture
def rooms(tmp_path):
    """Copies of both rooms of loops, with two probes in each."""
    for package in ROOMS:
        room = tmp_path / package / "_kernels"
        copytree(ROOT / package / "_kernels", room, ignore=ignore_patterns("__pycache__"))
        (tmp_path / package / "__init__.py").touch()
        (room / "probe_callee.py").write_text(CALLEE)
        (room / "probe.py").write_text(CALLER.replace("ROOM", package))
    make_one_age(tmp_path)
    return tmp_path


def test_loops_follow_their_callees(rooms):
    first, again = (in_fresh_process(CALL_PROBES, rooms) for _ in range(2))
    assert [hits for _, hits, _ in first] == [0, 0]
    assert [hits for _, hits, _ in again] == [1, 1]  # nothing has changed
    for (_, _, kept), package in zip(again, ROOMS, strict=True):
        assert Path(kept).is_relative_to(rooms / package / "_kernels" / "__pycache__")
        callee = rooms / package / "_kernels" / "probe_callee.py"
        edit(callee, "CONSTANT = 3.0", "CONSTANT = 4.0")
        edit(callee, "x + 1.0", "x + 2.0")
        edit(callee, "x * 10.0", "x * 20.0")
    make_one_age(rooms)
    edited = in_fresh_process(CALL_PROBES, rooms)
    assert [value for value, _, _ in first + again] == [23.0] * 4
    assert [value for value, _, _ in edited] == [64.0] * 2


def test_learners_follow_the_shared_correction(rooms):
    kept = {"NUMBA_CACHE_DIR": str(rooms / "kept")}
    before = in_fresh_process(LEARN, rooms, **kept)
    edit(rooms / "learners/_kernels/value_updates.py", "error = target -", "error = 2.0 * target -")
    make_one_age(rooms)
    assert (before, in_fresh_process(LEARN, rooms, **kept)) == (0.25, 0.5)


def test_loops_of_sources_that_cannot_be_written_to_are_kept_with_the_user(rooms):
    for package in ROOMS:
        (rooms / package / "_kernels" / "__pycache__").touch()  # so that it cannot be a directory
    user = rooms / "user"
    answers = in_fresh_process(CALL_PROBES, rooms, XDG_CACHE_HOME=str(user))
    assert all(Path(kept).is_relative_to(user / "gametheory-core") for _, _, kept in answers)
    user_file = rooms / "file"
    user_file.touch()
    answers = in_fresh_process(CALL_PROBES, rooms, XDG_CACHE_HOME=str(user_file))
    assert [(value, kept) for value, _, kept in answers] == [(23.0, None)] * 2


NOWHERE = [  # what a container may say
    {"NUMBA_CACHE_DIR": "/proc/no_such_folder"},
    {"XDG_CACHE_HOME": "/proc/no_such_folder"},
    {"XDG_CACHE_HOME": "", "HOME": "/proc/no_such_folder"},
]


@pytest.mark.parametrize("environment", NOWHERE)
def test_where_nothing_can_be_kept_one_warning_says_so_and_loops_are_compiled(rooms, environment):
    for package in ROOMS:
        (rooms / package / "_kernels" / "__pycache__").touch()
    done = subprocess.run(
        [sys.executable, "-W", "always", "-B", "-c", CALL_PROBES],
        cwd=rooms,
        env={"PYTHONPATH": str(rooms)} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert [(value, kept) for value, _, kept in json.loads(done.stdout)] == [(23.0, None)] * 2
    assert done.stderr.count("RuntimeWarning: compiled loops are not kept") == 1
    assert "/proc/no_such_folder" in done.stderr
    assert "Set NUMBA_CACHE_DIR to a folder that can be written to." in done.stderr


BOUND = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]  # root as anybody else


def may_be_bound():
    if not hasattr(os, "geteuid"):
        return False
    return os.geteuid() != 0 or (
        shutil.which("setpriv") is not None
        and subprocess.run([*BOUND, "true"], check=False, capture_output=True).returncode == 0
    )


@pytest.mark.skipif(not may_be_bound(), reason="root may write anywhere")
@pytest.mark.parametrize("home", [{}, {"HOME": "home"}])
def test_in_a_folder_that_cannot_be_written_to_loops_are_in_memory(rooms, home):
    (rooms / "home").mkdir()
    folders = [rooms, *filter(Path.is_dir, rooms.rglob("*"))]
    for folder in folders:
        folder.chmod(0o555)
    done = subprocess.run(
        [*(BOUND if os.geteuid() == 0 else []), sys.executable, "-B", "-c", CALL_PROBES],
        cwd=rooms,
        env={"PYTHONPATH": str(rooms), "PATH": os.environ["PATH"], "HOME": "/proc"} | home,
        capture_output=True,
        text=True,
        check=False,
    )
    for folder in folders:
        folder.chmod(0o755)
    assert done.returncode == 0, done.stderr
    assert [(value, kept) for value, _, kept in json.loads(done.stdout)] == [(23.0, None)] * 2
    assert done.stderr.count("compiled loops are not kept") == 1


def test_a_user_without_a_home_is_no_error(monkeypatch):
    def homeless(_):
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "expanduser", homeless)
    assert [base.name for base in door._bases(Path("room"))] == ["__pycache__"]


def test_a_folder_that_is_taken_away_is_no_error(rooms):
    """numba says "no locator available" where no folder can be written to any more."""
    for package in ROOMS:
        (rooms / package / "_kernels" / "__pycache__").touch()
    script = (
        "from solvers._kernels import compile as door\n"
        "from pathlib import Path\n"
        "door._directory = lambda room: Path('/proc/no_such_folder')\n" + CALL_PROBES
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", script],
        cwd=rooms,
        env={"PYTHONPATH": str(rooms), "HOME": "/proc", "XDG_CACHE_HOME": "/proc"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert [kept for _, _, kept in json.loads(done.stdout)] == [None] * 2
    assert done.stderr.count("compiled loops are not kept") == 1


def on_a_terminal(script, directory, **environment):
    """What a script writes to a terminal."""
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-B", "-c", script],
        cwd=directory,
        env={"PYTHONPATH": str(directory), "PATH": ""} | environment,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    ) as child:
        os.close(theirs)
        text = b""
        with suppress(OSError):  # the terminal closes with the child
            while part := os.read(ours, 4096):
                text += part
    os.close(ours)
    assert child.returncode == 0, text
    return text.decode()


def test_the_first_slow_call_says_on_a_terminal_that_it_compiles(rooms):
    kept = {"NUMBA_CACHE_DIR": str(rooms / "kept")}
    first, again = (on_a_terminal(CALL_PROBES, rooms, **kept) for _ in range(2))
    assert first.count("compiling loops for their first use") == 1
    assert first.count("`gametheory warm-up` compiles all at once") == 1
    assert first.count("\n") == 1
    assert again == ""


def test_loops_of_others_are_not_announced(rooms):
    theirs = "import numba, solvers._kernels.compile\nnumba.njit(lambda x: x + 1)(1)"
    assert on_a_terminal(theirs, rooms, NUMBA_CACHE_DIR=str(rooms / "kept")) == ""


def test_few_digests_stay_on_disk(rooms):
    room = rooms / "solvers" / "_kernels"
    made = []
    for number in range(door.KEPT + 3):
        (room / "probe_callee.py").write_text(f"CONSTANT = {number}")
        door._directory.cache_clear()
        made.append(door._directory(room))
        os.utime(made[-1], (AGE + number, AGE + number))
    door._directory.cache_clear()
    assert len(set(made)) == door.KEPT + 3
    assert [path for path in made if path.is_dir()] == made[-door.KEPT :]


def built_wheel(sources, directory):
    """Pack the packages in a directory as a wheel, as any builder does."""
    directory.mkdir()
    wheel = directory / "gametheory_core-0.1.0-py3-none-any.whl"
    info = "gametheory_core-0.1.0.dist-info"
    files = {
        path.relative_to(sources).as_posix(): path.read_bytes()
        for package in PACKAGES
        for path in sorted((sources / package).rglob("*.py*"))  # stubs say what packages hold
    }
    files[f"{info}/METADATA"] = b"Metadata-Version: 2.1\nName: gametheory-core\nVersion: 0.1.0\n"
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    lines = []
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2020, 2, 2, 0, 0, 0)), content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
            lines.append(f"{name},sha256={digest.decode()},{len(content)}")
        archive.writestr(f"{info}/RECORD", "\n".join([*lines, f"{info}/RECORD,,"]))
    return wheel


@pytest.mark.slow
def test_an_upgrade_by_a_wheel_reaches_the_loops(tmp_path):
    pytest.importorskip("pip")
    sources, installed = tmp_path / "sources", tmp_path / "installed"
    for package in PACKAGES:
        copytree(ROOT / package, sources / package, ignore=ignore_patterns("__pycache__"))
    old = built_wheel(sources, tmp_path / "old")
    edit(
        sources / "solvers/_kernels/repeated_play.py",
        "memory[action] += payoffs[action] - earned",
        "memory[action] -= payoffs[action] - earned",
    )
    new = built_wheel(sources, tmp_path / "new")
    answers = []
    for wheel in (old, new):
        options = ["--quiet", "--no-deps", "--no-index", "--no-compile", "--upgrade"]
        target = ["--target", str(installed), str(wheel)]
        subprocess.run([sys.executable, "-m", "pip", "install", *options, *target], check=True)
        make_one_age(installed)
        kept = {"NUMBA_CACHE_DIR": str(tmp_path / "kept")}
        answers.append(in_fresh_process(PLAY, installed, **kept))
    assert answers[0] != answers[1]


def imported_modules(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


def test_a_loop_called_with_constants_is_compiled_once():
    """numba alone compiles it for 0, for 1 and for integers."""

    @door.compiled
    def doubled(number, times):
        for _ in range(times):
            number *= 2
        return number

    @door.compiled
    def caller(most):
        step, total = 0, 0
        while step < most:
            total += doubled(step, 1) + doubled(1, times=step) + doubled(0, 0)
            step += 1
        return total

    assert caller(3) == 6 + 7
    assert len(doubled.signatures) == 1


def test_two_files_import_numba():
    importers = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if any(module.split(".")[0] == "numba" for module in imported_modules(path))
    }
    assert importers == {f"solvers/_kernels/{name}" for name in DOORS}


@pytest.mark.parametrize("package", ROOMS)
def test_loops_are_made_from_rooms_of_loops_alone(package):
    files = sorted((ROOT / package / "_kernels").glob("*.py"))
    assert len(files) > 5
    for path in files:
        for module in imported_modules(path):
            top, *rest = module.split(".")
            in_a_room = top in {package, "solvers"} and rest[:1] == ["_kernels"]
            is_door = path.name in DOORS and top in {"numba", "llvmlite"}
            assert in_a_room or is_door or top == "numpy" or top in sys.stdlib_module_names, path
