"""Run tests once and keep which blocks of the packages each test enters.

    python tools/entered_blocks.py MAP [--interpreted] [--seconds S] [PYTEST ARGUMENTS ...]

A mark of a few nanoseconds is written into every block (a function's body, a branch, a loop) as
modules are loaded; nothing is written to disk. With ``--interpreted`` numba compiles nothing and
the loops of the kernel rooms are marked too.
"""

import argparse
import ast
import builtins
import importlib.machinery
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import ClassVar

PACKAGES = ("gametheory_core", "solvers", "learners")
EXAMPLES = 16  # games that a property tries at the most, here
MOST_BLOCKS = 60_000


def mark_blocks(tree, file, numbers):
    """Write ``__marks__[k] = 1`` at the head of each block inside functions."""
    for node in ast.walk(tree):
        if not getattr(node, "inside", isinstance(node, ast.FunctionDef)):
            continue
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.ClassDef):
                child.inside = True
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list) and body:
                at = (file, body[0].lineno)
                mark = ast.parse(f"__marks__[{numbers.setdefault(at, len(numbers))}] = 1").body[0]
                documented = isinstance(node, ast.FunctionDef) and ast.get_docstring(node)
                for inner in ast.walk(mark):
                    inner.lineno = inner.end_lineno = body[0].lineno
                    inner.col_offset = inner.end_col_offset = 0
                body.insert(1 if documented else 0, mark)
    return tree


class Marking(importlib.machinery.SourceFileLoader):
    """Load a module of the packages with its blocks marked; nothing is written to disk."""

    numbers: ClassVar = {}
    kernels = False

    def get_code(self, fullname):
        file = os.path.relpath(self.path)
        if Path(file).parts[0] not in PACKAGES or ("_kernels" in file and not Marking.kernels):
            return super().get_code(fullname)
        tree = mark_blocks(ast.parse(self.get_data(self.path)), file, Marking.numbers)
        return compile(tree, self.path, "exec", dont_inherit=True)


class Recording:
    """A pytest plugin: what each test marks, its CPU seconds, whether it passes."""

    def __init__(self, most_seconds):
        self.most_seconds, self.tests = most_seconds, {}

    def pytest_runtest_protocol(self, item):  # noqa: ARG002
        builtins.__marks__[:] = bytes(len(builtins.__marks__))
        self.start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, self.most_seconds)

    def pytest_runtest_logreport(self, report):
        blank = {"seconds": 0.0, "passes": True, "cut": 0, "marks": 0}
        entry = self.tests.setdefault(report.nodeid, blank)
        entry["passes"] &= report.passed or report.skipped or "OutOfTime" in report.longreprtext
        entry["cut"] += "OutOfTime" in report.longreprtext
        if report.when == "teardown":
            signal.setitimer(signal.ITIMER_PROF, 0)
            entry["seconds"] += time.process_time() - self.start
            entry["marks"] |= int.from_bytes(builtins.__marks__, "little")


class OutOfTime(BaseException):
    """A test of the map ran past its share."""


def out_of_time(*_):
    raise OutOfTime


def plain_hypothesis():
    """Let properties try few games, the same ones each time, and not shrink what they find."""
    from hypothesis import HealthCheck, Phase, settings

    asked = vars(settings)["max_examples"].fget
    few = property(lambda own: min(asked(own), EXAMPLES))
    type.__setattr__(settings, "max_examples", few)  # past its guard
    settings.register_profile(
        "mutants", deadline=None, database=None, derandomize=True,
        phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck),
    )  # fmt: skip


OPTIONS = [
    "-q",
    "-p",
    "no:cacheprovider",
    "--hypothesis-profile",
    "mutants",
    "--tb=line",
    "--assert=plain",
]


def map_tests(destination, arguments, interpreted, most_seconds):
    import numba
    import pytest

    numba.config.DISABLE_JIT = int(interpreted)
    Marking.kernels = interpreted
    sys.dont_write_bytecode = True
    plain_hypothesis()
    builtins.__marks__ = bytearray(MOST_BLOCKS)
    signal.signal(signal.SIGPROF, out_of_time)
    sys.path.insert(0, str(Path.cwd()))
    kinds = importlib.machinery
    compiled = (kinds.ExtensionFileLoader, kinds.EXTENSION_SUFFIXES)
    sys.path_hooks.insert(0, kinds.FileFinder.path_hook(compiled, (Marking, [".py"])))
    sys.path_importer_cache.clear()
    recording = Recording(most_seconds)
    pytest.main([*OPTIONS, *arguments], plugins=[recording])
    blocks = [f"{file}:{line}" for file, line in Marking.numbers]
    for entry in recording.tests.values():
        bits = entry["marks"].to_bytes(MOST_BLOCKS, "little")
        entry["marks"] = [number for number in range(len(blocks)) if bits[number]]
    Path(destination).write_text(json.dumps({"blocks": blocks, "tests": recording.tests}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("map", help="the file to write")
    parser.add_argument("--interpreted", action="store_true", help="map compiled loops, as Python")
    parser.add_argument("--seconds", type=float, default=4.0, help="the most CPU time of a test")
    options, tests = parser.parse_known_args()
    map_tests(options.map, tests, options.interpreted, options.seconds)


if __name__ == "__main__":
    main()
