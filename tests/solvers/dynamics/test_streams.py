"""Streams of drawn play: the same for any number of workers, pooled exactly, exactly resumable."""

from fractions import Fraction
from functools import partial
from unittest.mock import patch

import joblib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, NormalFormGame, NotConverged, certify_nash
from gametheory_core.certificates import certify_coarse_correlated
from gametheory_core.testing import normal_form_games, zero_sum_games
from solvers import Budget, fictitious_play
from solvers.dynamics import (
    hedge,
    play_streams,
    regret_matching,
    regret_matching_plus,
    smoothed_fictitious_play,
    streams,
)
from tests.solvers.test_workers import two_workers_of_dask

DYNAMICS = (
    regret_matching,
    regret_matching_plus,
    partial(hedge, rate=0.5),
    partial(smoothed_fictitious_play, temperature=0.5),
)
GAME = NormalFormGame.zero_sum([[2, -1], [-1, 1]])


def played(game=GAME, **options):
    if "start" not in options:
        options.setdefault("rng", np.random.default_rng(7))
    return play_streams(game, **{"steps": 90, "streams": 3, **options})


def numbers(found):
    """Everything that was played, bit for bit."""
    return [
        (
            own.steps,
            own.state and own.state.memory.tobytes(),
            own.state and own.state.strategies.tobytes(),
            own.state and own.state.totals.tobytes(),
            repr(own.generator),
        )
        for own in getattr(found, "streams", found)
    ]


@given(normal_form_games(), st.sampled_from(DYNAMICS), st.integers(1, 5), st.integers(5, 60))
def test_the_number_of_workers_changes_no_bit(game, dynamics, count, steps):
    options = {"dynamics": dynamics, "streams": count, "steps": steps}
    alone = played(game, jobs=1, **options)
    with joblib.parallel_config("threading"):
        for jobs in (2, 7):
            beside = played(game, jobs=jobs, **options)
            assert numbers(beside) == numbers(alone)
            assert beside.empirical == alone.empirical
            assert beside.epsilon == alone.epsilon


def test_processes_and_machines_change_no_bit():
    options = {"steps": 24_000, "streams": 4}
    alone = played(jobs=1, **options)
    for jobs in (2, 7):
        assert numbers(played(jobs=jobs, **options)) == numbers(alone)
    with two_workers_of_dask():
        assert numbers(played(**options)) == numbers(alone)


@given(normal_form_games(), st.sampled_from(DYNAMICS), st.integers(0, 2**32))
def test_each_stream_is_a_play_of_its_own(game, dynamics, seed):
    with patch.object(streams, "FIRST_ROUND", 7):  # several rounds
        found = played(game, dynamics=dynamics, rng=np.random.default_rng(seed))
    spawned = np.random.default_rng(seed).spawn(3)
    alone = [dynamics(game, steps=30, rng=own).state for own in spawned]
    for stream, state in zip(found.streams, alone, strict=True):
        assert stream.state.totals.tobytes() == state.totals.tobytes()
        assert stream.state.memory.tobytes() == state.memory.tobytes()


@given(normal_form_games())
def test_pooled_play_counts_each_step_once(game):
    found = played(game)
    found.certificate.verify()
    counts = sum(own.state.totals for own in found.streams)
    assert counts.sum() == 90
    for joint, share in zip(
        found.empirical.joint_actions, found.empirical.probabilities, strict=True
    ):
        assert share == Fraction(int(counts[joint]), 90)


@given(zero_sum_games(), normal_form_games(num_players=(3, 3)))
def test_what_is_certified_depends_on_the_game(constant, other):
    assert played(constant).certificate == certify_nash(constant, played(constant).average)
    assert played(other).certificate == certify_coarse_correlated(other, played(other).empirical)


def test_going_on_equals_one_longer_run():
    first = played(steps=12_000)
    rest = played(steps=9_000, start=first.streams)
    assert numbers(rest) == numbers(played(steps=21_000))
    assert rest.run.iterations == 9_000


def test_an_interrupt_keeps_the_streams():
    def stop(report):
        if report.done >= 4_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="^$") as caught:
        played(steps=9_000, on_iteration=stop)
    done = [own.steps for own in caught.value.state]
    assert done == [3_000, 1_000, 1_000]
    left = play_streams(GAME, steps=2_000, streams=1, start=caught.value.state[1:2])
    assert numbers(left) == numbers(played(steps=9_000))[1:2]


def test_a_budget_of_steps_can_be_gone_on_from():
    with pytest.raises(NotConverged, match="the budget ended 80 before that") as caught:
        played(budget=Budget(iterations=10))
    assert caught.value.best.run.iterations == 10
    rest = played(steps=80, start=caught.value.state)
    assert sum(own.steps for own in rest.streams) == 90


def test_no_budget_is_no_play():
    with pytest.raises(NotConverged, match="the budget ended 90 before that") as caught:
        played(budget=Budget(seconds=0))
    assert caught.value.best is None
    assert [own.state for own in caught.value.state] == [None] * 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"streams": 0}, "streams to be an integer from 1 to 100000, but got 0"),
        ({"jobs": 0}, "at least one job, or -1, but got 0"),
        ({"jobs": True}, "jobs to be an integer from -1 to 100000, but got True"),
        ({"steps": 0}, "steps to be an integer of at least 1"),
        ({"rng": None}, "either rng, to begin, or start, .* got neither"),
        ({"start": (1, 2, 3)}, "needs start to be of type DrawnStream, but got 1"),
        ({"dynamics": fictitious_play}, "draws actions: .* 'fictitious_play' has not all of these"),
        ({"dynamics": 5}, "needs dynamics .*5"),
    ],
)
def test_senseless_options_are_refused(options, message):
    with pytest.raises(InvalidArgument, match=message):
        played(**options)


def test_a_start_of_another_dynamics_is_refused():
    with pytest.raises(InvalidArgument, match="a start from a play of hedge"):
        played(start=played().streams, dynamics=hedge)
