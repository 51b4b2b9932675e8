"""Sweeps give the same runs wherever joblib sends them."""

from pathlib import Path

import joblib
import pytest

from gametheory_core import InvalidArgument
from learners.experiments import sweep

SEEDS = (4, 0, 2)


def records(runs):
    return [
        [line.partition(', "seconds"')[0] for line in Path(own.path).read_text().splitlines()]
        for own in runs
    ]


@pytest.fixture
def alone(experiment, table, tmp_path):
    config = experiment(training__seeds=list(SEEDS), output=str(tmp_path / "alone"))
    return records(sweep(config, jobs=1, learners=table))


def test_runs_come_in_the_order_of_seeds(experiment, table):
    told = []
    config = experiment(training__seeds=list(SEEDS))
    runs = sweep(config, jobs=1, learners=table, on_run=told.append)
    assert tuple(own.seed for own in runs) == SEEDS
    assert sorted(own.seed for own in told) == sorted(SEEDS)


def test_processes_make_the_same_runs(experiment, table, alone):
    config = experiment(training__seeds=list(SEEDS))
    assert records(sweep(config, jobs=2, learners=table)) == alone


def test_threads_make_the_same_runs(experiment, table, alone):
    config = experiment(training__seeds=list(SEEDS))
    with joblib.parallel_config("threading", n_jobs=2):
        assert records(sweep(config, learners=table)) == alone


def test_workers_of_dask_make_the_same_runs(experiment, table, alone):
    distributed = pytest.importorskip("distributed")
    config = experiment(training__seeds=list(SEEDS))
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    )
    with cluster, distributed.Client(cluster), joblib.parallel_config("dask"):
        runs = sweep(config, learners=table)
    assert records(runs) == alone
    assert tuple(own.seed for own in runs) == SEEDS


def test_finished_runs_are_not_made_again(experiment, table):
    config = experiment(training__seeds=list(SEEDS))
    first = sweep(config, jobs=1, learners=table)
    before = [Path(own.path).read_bytes() for own in first]
    assert sweep(config, jobs=2, learners=table) == first
    assert [Path(own.path).read_bytes() for own in first] == before


def test_refusal_of_a_worker_is_raised_here(experiment, table):
    config = experiment(game={"name": "chicken", "horizon": 3}, training__seeds=list(SEEDS))
    with pytest.raises(InvalidArgument, match=r"game\.horizon: needs a game of rules"):
        sweep(config, jobs=2, learners=table)
