"""Skip tests that need an optional package which is not installed.

So peers and extras never stand between a reader and the tests; ``tests/conftest.py`` takes the
hooks from here.
"""

import os
import re
import sys
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

# Import names of what pyproject.toml lists as peers and extras.
OPTIONAL = (
    *("pygambit", "quantecon", "nashpy", "pyspiel", "open_spiel", "cvxpy", "LiteEFG"),
    *("pettingzoo", "gymnasium", "pygame", "stable_baselines3", "torch"),
    *("matplotlib", "pandas", "sklearn", "dask", "distributed", "jax", "transformers"),
    *("ray", "torchrl", "tensordict", "multi_agent_ale_py", "ale_py"),
)
ABSENT = [package for package in OPTIONAL if find_spec(package) is None]


def quantecon() -> ModuleType:
    """Import QuantEcon, with the loops that it compiles in a folder of this process's own.

    Two workers that write one file of compiled loops at once leave one that crashes all others.
    """
    if "quantecon" not in sys.modules:
        loops: Any = pytest.importorskip("numba").config
        before = loops.CACHE_DIR
        worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
        loops.CACHE_DIR = str(Path("build", "loops-of-peers", worker).absolute())
        try:
            pytest.importorskip("quantecon")
        finally:
            loops.CACHE_DIR = before
    return sys.modules["quantecon"]


def missing_package(error: BaseException | None) -> str | None:
    """The optional package whose absence an error reports, or the error that it was raised from."""
    while error is not None:
        if isinstance(error, ImportError):
            for package in ABSENT:
                if re.search(rf"\b{package}\b", str(error)):
                    return package
        error = error.__cause__
    return None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip a file of tests that imports a missing package, directly or through an adapter."""
    report = yield
    call = getattr(report, "call", None)
    error = call.excinfo.value if call is not None and call.excinfo is not None else None
    if report.failed and (package := missing_package(error)):
        report.outcome = "skipped"
        report.longrepr = (str(collector.path), 1, f"Skipped: {package} is not installed")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call() -> Generator[None, object, object]:
    """Skip a test that meets a missing package while it runs."""
    try:
        return (yield)
    except ImportError as error:
        if package := missing_package(error):
            pytest.skip(f"{package} is not installed")
        raise
