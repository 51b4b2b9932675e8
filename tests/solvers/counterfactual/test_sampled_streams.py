"""Streams of samples: the same for any number of workers, exactly resumable; their refusals."""

import os
import signal
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest.mock import patch

import joblib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, NotConverged, UnsupportedGame, deviation_gains
from gametheory_core.catalog import KuhnRules
from gametheory_core.games import lay_out_rules
from gametheory_core.testing import extensive_form_games, forgetful_games
from solvers import Budget, monte_carlo_counterfactual_regret, streams
from solvers.counterfactual import (
    Sampling,
    certified_average,
    laid_out_average,
    monte_carlo_streams,
    sampled_streams,
)
from tests.solvers.sample_games import forgetful_pair
from tests.solvers.test_workers import two_workers_of_dask

KUHN = lay_out_rules(KuhnRules())


def sampled(rules, **options):
    if "start" not in options:
        options.setdefault("rng", np.random.default_rng(7))
    return monte_carlo_streams(rules, **{"iterations": 60, "streams": 3, **options})


def numbers(found):
    """Everything that was learned, bit for bit."""
    states = getattr(found, "states", found)
    return [
        (
            own.iterations,
            own.infosets,
            own.actions,
            own.regrets.tobytes(),
            own.totals.tobytes(),
            repr(own.generator),
        )
        for own in states
    ]


@given(
    extensive_form_games() | forgetful_games(),
    st.sampled_from(Sampling),
    st.integers(1, 5),
    st.integers(1, 40),
)
def test_the_number_of_workers_changes_no_bit(game, sampling, count, iterations):
    options = {"sampling": sampling, "streams": count, "iterations": iterations}
    alone = sampled(game, jobs=1, **options)
    with joblib.parallel_config("threading"):
        for jobs in (2, 7):
            assert numbers(sampled(game, jobs=jobs, **options)) == numbers(alone)


@pytest.mark.parametrize("rules", [KuhnRules(), KUHN])
def test_processes_and_machines_change_no_bit(rules):
    options = {"iterations": 3_000, "streams": 5}
    alone = sampled(rules, jobs=1, **options)
    assert [own.iterations for own in alone.states] == [600] * 5
    for jobs in (2, 7):
        assert numbers(sampled(rules, jobs=jobs, **options)) == numbers(alone)
    with two_workers_of_dask():
        assert numbers(sampled(rules, **options)) == numbers(alone)


@given(extensive_form_games(), st.integers(1, 4), st.integers(0, 2**32))
def test_each_stream_is_a_run_of_its_own(game, count, seed):
    with patch.object(sampled_streams, "FIRST_ROUND", 3):  # several rounds
        found = sampled(game, streams=count, iterations=10 * count, rng=np.random.default_rng(seed))
    spawned = np.random.default_rng(seed).spawn(count)
    alone = [monte_carlo_counterfactual_regret(game, iterations=10, rng=own) for own in spawned]
    assert numbers(found) == numbers([own.state for own in alone])


@given(st.lists(st.integers(1, 30), min_size=1, max_size=3))
def test_going_on_equals_one_longer_run(counts):
    whole = sampled(KuhnRules(), iterations=3 * sum(counts))
    states: Any = None
    for count in counts:
        options = {"start": states} if states else {}
        states = sampled(KuhnRules(), iterations=3 * count, **options).states
    assert numbers(states) == numbers(whole)


def test_the_length_of_rounds_changes_no_bit(monkeypatch):
    whole = sampled(KUHN, iterations=2_000)
    monkeypatch.setattr(streams, "ROUND_SECONDS", 0.0)  # no round is lengthened
    assert numbers(sampled(KUHN, iterations=2_000)) == numbers(whole)


@given(extensive_form_games(), st.sampled_from(Sampling))
def test_pooled_sums_are_the_sums_of_the_streams(game, sampling):
    found = sampled(game, sampling=sampling)
    for index, key in enumerate(found.pooled.state.infosets):
        assert found.pooled.index[key] == index
    for name in ("regrets", "totals"):
        parts = [getattr(own, name) for own in found.states]
        assert (getattr(found.pooled.state, name) == parts[0] + parts[1] + parts[2]).all()


def test_pooled_sums_meet_by_key_where_streams_met_others():
    found = sampled(KuhnRules(cards=5), iterations=6)
    assert len({own.infosets for own in found.states}) == 3
    pooled = found.pooled
    assert set(pooled.state.infosets) == {key for own in found.states for key in own.infosets}
    for key in pooled.state.infosets:
        vectors = [
            own.state.totals[own.state.offset[k] : own.state.offset[k + 1]]
            for own in found.plays
            if (k := own.index.get(key)) is not None
        ]
        k = pooled.index[key]
        own = pooled.state.totals[pooled.state.offset[k] : pooled.state.offset[k + 1]]
        assert own.tolist() == sum(vectors).tolist()


@given(extensive_form_games(zero_sum=True), st.integers(1, 60))
def test_the_mixture_leaves_at_most_the_mean_of_the_streams(game, iterations):
    found = sampled(game, iterations=iterations)
    certified_average(found).certificate.verify()

    def left(play):
        return sum(deviation_gains(game, certified_average(play).profile))

    mean = sum(own.state.iterations * left(own) for own in found.plays) / iterations
    rounding = Fraction(1, 10**9) * (1 + Fraction(abs(game.terminal_payoffs).max()))
    assert left(found) <= mean + rounding


def test_the_mixture_of_rules_is_that_of_their_tree():
    found, tree = (sampled(rules, iterations=600) for rules in (KuhnRules(), KUHN))
    assert certified_average(found).profile == certified_average(tree).profile
    assert laid_out_average(found).num_unmet == 0
    assert laid_out_average(sampled(KuhnRules(cards=5), iterations=3)).num_unmet > 0


def test_mixtures_need_recall():
    with pytest.raises(UnsupportedGame, match="needs perfect recall"):
        laid_out_average(sampled(forgetful_pair(3)))


@dataclass(frozen=True)
class DeadlyRules:
    """Kuhn poker whose first worker dies in the middle of a round."""

    folder: str
    home: int

    title: str = "deadly"
    players: tuple[str, ...] = ("A", "B")

    @property
    def root(self):
        return KuhnRules().root

    def expand(self, position):
        mark = Path(self.folder) / "killed"
        if os.getpid() != self.home and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return KuhnRules().expand(position)


def test_a_killed_worker_changes_no_bit(tmp_path):
    rules = DeadlyRules(str(tmp_path), os.getpid())
    found = sampled(rules, jobs=2)
    assert (tmp_path / "killed").exists()
    assert numbers(found) == numbers(sampled(KuhnRules(), jobs=1))


def test_an_interrupt_keeps_the_streams():
    def stop(report):
        if report.done >= 250:
            raise KeyboardInterrupt

    options = {"iterations": 600, "streams": 3}
    with pytest.raises(KeyboardInterrupt, match="^$") as caught:
        sampled(KuhnRules(), on_iteration=stop, **options)
    states = caught.value.state
    done = [own.iterations for own in states]
    assert sum(done) >= 250
    rest = [
        monte_carlo_counterfactual_regret(KuhnRules(), iterations=200 - n, start=own).state
        if n < 200
        else own
        for n, own in zip(done, states, strict=True)
    ]
    assert numbers(rest) == numbers(sampled(KuhnRules(), **options))


def test_a_budget_of_iterations_is_shared_and_can_be_gone_on_from():
    with pytest.raises(NotConverged, match="the budget ended 50 before that") as caught:
        sampled(KuhnRules(), budget=Budget(iterations=10))
    best = caught.value.best
    assert [own.iterations for own in best.states] == [4, 3, 3]
    assert caught.value.state == best.states


def test_a_budget_of_seconds_keeps_what_was_learned():
    with pytest.raises(NotConverged, match=r"start=error\.best\.states") as caught:
        sampled(KuhnRules(cards=9), iterations=10**9, budget=Budget(seconds=0.3), jobs=1)
    assert sum(own.iterations for own in caught.value.best.states) > 0


def test_too_many_information_sets_end_a_stream():
    with pytest.raises(NotConverged, match="max_infosets = 5, but a stream met 12") as caught:
        sampled(KuhnRules(cards=9), max_infosets=5)
    assert all(own.iterations for own in caught.value.best.states)


def test_pooled_play_is_no_start():
    pooled = sampled(KuhnRules()).pooled.state
    with pytest.raises(InvalidArgument, match="it is pooled from several streams"):
        monte_carlo_counterfactual_regret(KuhnRules(), iterations=1, start=pooled)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"streams": 0}, "streams to be an integer from 1 to 100000, but got 0"),
        ({"streams": True}, "streams to be an integer from 1 to 100000, but got True"),
        ({"jobs": 0}, "at least one job, or -1, but got 0"),
        ({"jobs": -2}, "jobs to be an integer from -1 to 100000, but got -2"),
        ({"jobs": True}, "jobs to be an integer from -1 to 100000, but got True"),
        ({"rng": None}, "either rng, to begin, or start, .* got neither"),
        ({"start": ()}, r"the 3 streams of an earlier run, but got \(\)"),
        ({"start": (1, 2, 3)}, "needs start to be of type SamplingState, but got 1"),
        ({"iterations": 0}, "iterations to be an integer of at least 1"),
    ],
)
def test_senseless_options_are_refused(options, message):
    with pytest.raises(InvalidArgument, match=message):
        sampled(KuhnRules(), **options)


def test_a_generator_without_seeds_is_refused():
    legacy = np.random.Generator(np.random.RandomState(1)._bit_generator)
    with pytest.raises(InvalidArgument, match="a generator that can beget others"):
        sampled(KuhnRules(), rng=legacy)
