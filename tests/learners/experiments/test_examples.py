"""The configs of the documentation are right, and run; here for a few iterations."""

from dataclasses import replace
from pathlib import Path

import pytest

from learners.experiments import Status, read_config, run

CONFIGS = sorted((Path(__file__).parents[3] / "docs" / "examples" / "configs").glob("*.toml"))


def test_there_are_configs():
    assert len(CONFIGS) >= 6


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_config_runs(path, tmp_path):
    config = read_config(path)
    if config.learner.name == "PPO":
        pytest.importorskip("torch").set_num_threads(1)
    training = replace(config.training, iterations=2, assess_every=0)
    short = replace(config, training=training, output=str(tmp_path))
    found = run(short, config.training.seeds[0])
    assert found.status is Status.FINISHED
    assert found.findings
