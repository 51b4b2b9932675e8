"""Without JAX, the adapter says what to install."""

import sys

import pytest

from gametheory_core.adapters.jax_steps import loaded_jax
from gametheory_core.errors import MissingDependency


def test_jax_is_asked_for_once_it_is_needed(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(MissingDependency, match=r"needs jax.*'gametheory-core\[jax\]'"):
        loaded_jax.__wrapped__()
