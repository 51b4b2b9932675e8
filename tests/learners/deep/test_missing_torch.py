"""Without torch, the room says how to get it."""

import importlib
import sys

import pytest

from gametheory_core.errors import MissingDependency


def test_missing_torch_is_said(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.delitem(sys.modules, "learners.deep", raising=False)
    with pytest.raises(MissingDependency, match=r"pip install 'gametheory-core\[deep\]'"):
        importlib.import_module("learners.deep")
