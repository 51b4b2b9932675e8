"""Hypothesis profiles: ``dev`` by default, ``ci`` where CI is set, ``deep`` by name.

Choose one with ``pytest --hypothesis-profile deep``.
"""

import gc
import os

from hypothesis import HealthCheck, settings

from tests.missing_packages import pytest_make_collect_report, pytest_pyfunc_call  # noqa: F401

# Drawing trees is slow on shared machines; slowness there is no error.
TOLERATED = (HealthCheck.too_slow, HealthCheck.data_too_large)

settings.register_profile("dev", deadline=None, suppress_health_check=TOLERATED)
settings.register_profile(
    "ci", deadline=None, derandomize=True, print_blob=True, suppress_health_check=TOLERATED
)
settings.register_profile(
    "deep", deadline=None, max_examples=2_000, suppress_health_check=TOLERATED
)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


def pytest_collection_finish() -> None:
    """Keep the collector from searching thousands of tests for garbage again and again."""
    gc.collect()
    gc.freeze()
