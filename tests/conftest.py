"""Hypothesis profiles: ``dev``, ``quick`` where slow tests are left out, ``ci``; ``deep`` by name.

Choose one with ``pytest --hypothesis-profile deep``.
"""

import gc
import os
import signal
import sys

import pytest
from hypothesis import HealthCheck, settings

from tests.browser import CHROMIUM, Browser
from tests.missing_packages import pytest_make_collect_report, pytest_pyfunc_call  # noqa: F401

# Drawing trees is slow on shared machines; slowness there is no error.
COMMON = {
    "deadline": None,
    "suppress_health_check": (HealthCheck.too_slow, HealthCheck.data_too_large),
}
QUICK = 16
MOST_DIGITS = sys.get_int_max_str_digits()

settings.register_profile("dev", max_examples=60, **COMMON)
settings.register_profile("quick", max_examples=QUICK, **COMMON)
settings.register_profile("ci", max_examples=QUICK, derandomize=True, print_blob=True, **COMMON)
settings.register_profile("deep", max_examples=2_000, **COMMON)


def pytest_configure(config: pytest.Config) -> None:
    """Load the profile, and choose threads, before test modules are imported."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # begun in the background: children
        signal.signal(signal.SIGINT, signal.default_int_handler)  # would ignore it too
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # one worker a core: more would only wait
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    quick = "not slow" in (config.option.markexpr or "")
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile("ci" if os.environ.get("CI") else "quick" if quick else "dev")


def pytest_collection_finish() -> None:
    """Keep the collector from searching thousands of tests for garbage again and again."""
    gc.collect()
    gc.freeze()


def pytest_runtest_teardown() -> None:
    """Bring back Python's own limit of digits, which command lines lift for their process."""
    sys.set_int_max_str_digits(MOST_DIGITS)


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """A headless Chromium; tests that need one are skipped where there is none."""
    if not CHROMIUM:
        pytest.skip("Chromium is not installed")
    own = Browser(tmp_path_factory.mktemp("chromium"))
    yield own
    own.close()
