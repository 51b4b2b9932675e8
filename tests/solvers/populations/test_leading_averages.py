"""The Nash of every leading submatrix, against solving each; and bootstrapped supports."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from gametheory_core import (
    CertificateRejected,
    InvalidArgument,
    InvalidGame,
    NotConverged,
    uniform_profile,
)
from gametheory_core.arrays import exact_array
from solvers import Budget, nash_averaging
from solvers.populations import leading_nash_averages, nash_bootstrap
from tests.sample_sizes import examples
from tests.solvers.populations.test_nash_averaging import CYCLE, evaluations


def late_improvers(count, *, seed=0):
    """Each agent is a little better than those before, but for a cyclic part."""
    skill = 3 * np.arange(count) / count
    a, b = np.random.default_rng(seed).standard_normal((2, count)) / 2
    odds = skill[:, None] - skill + a[:, None] * b - b[:, None] * a
    rates = 1 / (1 + np.exp(-odds)) - 0.5
    return (rates - rates.T) / 2


@examples(40)
@given(evaluations())
def test_each_mixture_is_that_of_the_submatrix(case):
    found = leading_nash_averages(case)
    found.verify()
    for size in range(1, len(case) + 1):
        alone = nash_averaging(case[:size, :size]).agent_mixture
        assert (found.mixture(size) - alone).astype(float) == pytest.approx(0, abs=1e-9)


def test_few_games_are_solved_where_newcomers_lose():
    seen = []
    worse = np.sign(np.arange(50)[None] - np.arange(50)[:, None])
    found = leading_nash_averages(worse, on_iteration=lambda p: seen.append(p.iterations))
    assert seen == []
    assert found.sizes == (1,)
    assert found.mixture(50).tolist() == [1] + [0] * 49


def test_agents_come_back():
    """Paper replaces rock, and scissors bring rock back."""
    found = leading_nash_averages(CYCLE)
    assert found.sizes == (1, 2, 3)
    assert [group.tolist() for group in found.members] == [[0], [0, 1], [0, 1, 2]]


def test_populations_that_grow_late_are_followed():
    table = late_improvers(60)
    found = leading_nash_averages(table)
    found.verify()
    for size in (1, 7, 30, 60):
        alone = nash_averaging(table[:size, :size]).agent_mixture
        assert (found.mixture(size) - alone).astype(float) == pytest.approx(0, abs=1e-9)


def test_the_best_so_far_is_kept_when_the_budget_ends():
    with pytest.raises(NotConverged, match="ended after 2") as caught:
        leading_nash_averages(CYCLE, budget=Budget(iterations=1))
    assert [str(p) for p in caught.value.best.mixture(2)] == ["0", "1"]
    caught.value.best.verify()


def test_an_agent_who_does_not_lose_is_found():
    found = leading_nash_averages([[0, 1], [-1, 0]])
    for table in (-found.evaluation, 0 * found.evaluation):
        forged = replace(found, evaluation=table)
        with pytest.raises(CertificateRejected, match="agent 1 does not"):
            forged.verify()


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"evaluation": exact_array([[0, -1, 7], [1, 0, -1], [-7, 1, 0]])}, "is of others"),
        ({"evaluation": exact_array([[9, 9, 9]] * 3)}, "antisymmetric"),
        ({"members": (np.array([0]), np.array([0, 2]), np.arange(3))}, r"that of \[0, 2\]"),
        ({"members": (np.array([0]), np.array([-1, 1]), np.arange(3))}, r"that of \[-1, 1\]"),
        ({"members": (np.array([0]), np.array([0, 1]))}, "an average for each"),
        ({"sizes": (1, 3, 2)}, "grow from 1"),
        ({"sizes": (0, 1, 2)}, "grow from 1"),
        ({"sizes": (1, 2, 4)}, "grow from 1"),
        ({"sizes": (), "members": (), "averages": ()}, "grow from 1"),
    ],
)
def test_averages_of_others_are_found(changed, found):
    """The averages themselves are proved; of whom is a claim, too."""
    with pytest.raises(CertificateRejected, match=found):
        replace(leading_nash_averages(CYCLE), **changed).verify()


def test_a_mixture_that_its_certificate_is_not_about_is_found():
    whole, pair = leading_nash_averages(CYCLE), leading_nash_averages([[0, -1], [1, 0]])
    average = whole.averages[1]
    solution = replace(average.solution, profile=uniform_profile(average.certificate.game))
    forged = replace(pair, averages=(pair.averages[0], replace(average, solution=solution)))
    with pytest.raises(CertificateRejected, match="is of others"):
        forged.verify()


WINS = np.array([[0, 20, 9], [10, 0, 21], [21, 9, 0]])


def test_supports_of_a_cycle_are_mostly_whole():
    found = nash_bootstrap(WINS, resamples=100, rng=np.random.default_rng(1))
    assert (found.in_support > 0.5).all()
    ends = found.intervals(error=0.1)
    weights = found.average.agent_mixture.astype(float)
    assert ((ends[:, 0] <= weights) & (weights <= ends[:, 1])).all()
    assert found.mixtures.sum(axis=1) == pytest.approx(1)
    again = nash_bootstrap(WINS, resamples=100, rng=np.random.default_rng(1))
    assert (again.mixtures == found.mixtures).all()


def test_resamples_are_binomial():
    """Of ten matches the first won six: it is played where it wins five of ten or more."""
    found = nash_bootstrap([[0, 6], [4, 0]], resamples=400, rng=np.random.default_rng(1))
    assert found.in_support == pytest.approx([binom.sf(4, 10, 0.6), binom.cdf(5, 10, 0.6)], abs=0.1)


def test_matches_that_always_end_alike_leave_no_doubt():
    sure = np.array([[0, 0, 9], [9, 0, 0], [0, 9, 0]])
    found = nash_bootstrap(sure, resamples=5, rng=np.random.default_rng(1))
    assert (found.mixtures == found.mixtures[0]).all()
    drawn = nash_bootstrap(
        np.zeros((2, 2)), draws=[[0, 4], [4, 0]], resamples=5, rng=np.random.default_rng(1)
    )
    assert (drawn.mixtures == 0.5).all()
    lost = nash_bootstrap([[0, 9], [0, 0]], resamples=5, rng=np.random.default_rng(1))
    assert lost.in_support.tolist() == [1, 0]


def test_no_source_of_chance_is_refused():
    with pytest.raises(InvalidArgument, match="rng to be a numpy Generator, but got None"):
        nash_bootstrap(WINS, rng=None)


@given(st.integers(1, 30), st.integers(0, 30), st.integers(0, 30))
@examples(10)
def test_the_average_is_that_of_the_counts(won, lost, drew):
    draws = [[0, drew], [drew, 0]]
    found = nash_bootstrap(
        [[0, won], [lost, 0]], draws=draws, resamples=1, rng=np.random.default_rng(0)
    )
    wanted = [1, 0] if won > lost else [0, 1] if won < lost else [0.5, 0.5]
    assert found.average.agent_mixture.tolist() == wanted


@pytest.mark.parametrize(
    ("wins", "draws", "found"),
    [
        ([[0, 1], [1.5, 0]], None, "whole numbers"),
        ([[0, 1, 2], [1, 0, 2]], None, r"shape is \(2, 3\)"),
        ([[0, 0], [0, 0]], None, "0 and 1 never met"),
        ([[0, 10**30], [1, 0]], None, "whole numbers from 0 to 1,000,000,000,000,000"),
        ([[0, 1], [1, 0]], [[0, 1], [2, 0]], "draws as a symmetric table"),
    ],
)
def test_tables_that_are_no_counts_are_refused(wins, draws, found):
    with pytest.raises(InvalidGame, match=found):
        nash_bootstrap(wins, draws=draws, rng=np.random.default_rng(0))
