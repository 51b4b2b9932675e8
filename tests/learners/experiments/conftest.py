"""A small experiment with a learner that drifts, which worker processes can import too."""

import os
import textwrap
from pathlib import Path

import pytest
from joblib.externals.loky import get_reusable_executor

from learners.experiments import config_from

HERE = str(Path(__file__).parent)
DRIFTING = {
    "DriftingLearner": "drifting_learners:DriftingLearner",
    "PlayingLearner": "drifting_learners:PlayingLearner",
}


@pytest.fixture(autouse=True)
def _importable(monkeypatch):
    monkeypatch.syspath_prepend(HERE)
    path = os.pathsep.join(filter(None, [HERE, os.environ.get("PYTHONPATH")]))
    monkeypatch.setenv("PYTHONPATH", path)
    get_reusable_executor().shutdown(wait=True)  # workers of other tests were started without it


@pytest.fixture
def table():
    return DRIFTING


@pytest.fixture
def experiment(tmp_path, _importable):
    """Make an experiment; keywords replace tables of it, or keys as ``training__iterations``."""

    def make(**changes):
        record = {
            "output": str(tmp_path / "runs"),
            "game": {"name": "repeated_prisoners_dilemma", "parameters": {"rounds": 1}},
            "learner": {"name": "DriftingLearner"},
            "training": {"iterations": 12, "checkpoint_every": 5},
        }
        for name, value in changes.items():
            outer, _, inner = name.partition("__")
            if inner:
                record.setdefault(outer, {})[inner] = value
            else:
                record[outer] = value
        return config_from(record, path="test.toml", learners=DRIFTING)

    return make


@pytest.fixture
def toml(tmp_path):
    """Write a TOML file."""

    def write(text, name="test.toml"):
        path = tmp_path / name
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    return write
