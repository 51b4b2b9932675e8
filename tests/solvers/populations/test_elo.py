"""Elo: the update by hand, likelihood equations, and when no ratings exist."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, InvalidGame, NotConverged
from solvers import Budget
from solvers.populations import batch_elo, online_elo
from solvers.populations.elo import Match

MATCHES = st.lists(
    st.tuples(st.integers(0, 3), st.integers(1, 3), st.sampled_from([0.0, 0.5, 1.0])), max_size=40
).map(lambda rows: [Match(i, (i + step) % 4, score) for i, step, score in rows])


@given(MATCHES)
def test_ratings_keep_their_sum(matches):
    ratings = online_elo(matches, num_agents=4).ratings
    assert ratings.sum() == pytest.approx(4 * 1500, abs=1e-8)


@given(MATCHES)
def test_ratings_are_the_updates_of_the_definition(matches):
    expected = [1500.0] * 4
    for match in matches:
        gap = expected[match.second] - expected[match.first]
        surprise = match.score - 1 / (1 + 10 ** (gap / 400))
        expected[match.first] += 32 * surprise
        expected[match.second] -= 32 * surprise
    assert online_elo(matches, num_agents=4).ratings == pytest.approx(np.array(expected))


def test_first_win_moves_half_the_gain():
    assert online_elo([Match(1, 0, 1.0)], num_agents=2, gain=20).ratings.tolist() == [1490, 1510]


@given(st.integers(2, 6), st.integers(0, 10**6))
def test_batch_ratings_expect_the_actual_scores(count, seed):
    wins = np.random.default_rng(seed).integers(1, 30, (count, count))
    found = batch_elo(wins, initial=1000)
    np.fill_diagonal(wins, 0)
    met = wins + wins.T
    expected = (met * found.expected_win_rates).sum(axis=1)
    assert expected == pytest.approx(wins.sum(axis=1), abs=1e-6)
    assert found.ratings.mean() == pytest.approx(1000)
    assert found.residual <= 1e-9 * wins.sum()


def test_batch_ratings_recover_the_ratings_that_made_the_rates():
    ratings = np.array([1700.0, 1500.0, 1450.0, 1350.0])
    rates = 1 / (1 + 10 ** ((ratings[None, :] - ratings[:, None]) / 400))
    assert batch_elo(rates).ratings == pytest.approx(ratings, abs=1e-4)


def test_two_agents_have_the_log_odds():
    found = batch_elo([[0, 9], [2, 0]]).ratings
    assert found[0] - found[1] == pytest.approx(400 * math.log10(9 / 2), abs=1e-6)


def test_batch_ratings_are_found_for_lopsided_scores():
    wins = np.array([[0, 10**6, 0], [1, 0, 10**6], [0, 1, 0]])
    found = batch_elo(wins, tolerance=1e-12).ratings
    assert found[0] - found[1] == pytest.approx(2400, abs=1e-3)


def test_one_agent_has_the_initial_rating():
    assert batch_elo([[0]]).ratings.tolist() == [1500.0]
    assert online_elo([], num_agents=1).ratings.tolist() == [1500.0]


@pytest.mark.parametrize(
    ("wins", "group"),
    [
        ([[0, 3], [0, 0]], r"\[0\] never did"),
        ([[0, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 1], [0, 1, 1, 0]], r"\[2, 3\] never did"),
        ([[0, 0], [0, 0]], r"\[[01]\] never did"),
    ],
)
def test_groups_that_never_lost_are_named(wins, group):
    with pytest.raises(InvalidGame, match=group):
        batch_elo(wins)


@pytest.mark.parametrize(
    ("wins", "message"),
    [
        ([[0, 1]], r"a square table.*\(1, 2\)"),
        ([[0, -1], [1, 0]], r"at least 0, but wins\[0\]\[1\] is -1"),
    ],
)
def test_malformed_tables_are_refused(wins, message):
    with pytest.raises(InvalidGame, match=message):
        batch_elo(wins)


@pytest.mark.parametrize(
    ("matches", "options", "message"),
    [
        ([Match(0, 0, 1.0)], {"num_agents": 2}, "between two different agents from 0 to 1"),
        ([Match(0, 2, 1.0)], {"num_agents": 2}, "between two different agents from 0 to 1"),
        (
            [Match(0, 1, 3.0)],
            {"num_agents": 2},
            "needs a finite score of a match of at least 0 and at most 1",
        ),
        ([], {"num_agents": 0}, "needs num_agents to be an integer of at least 1"),
        ([], {"num_agents": 2, "gain": 0}, "a finite gain above 0"),
    ],
)
def test_impossible_matches_are_refused(matches, options, message):
    with pytest.raises(InvalidArgument, match=message):
        online_elo(matches, **options)


def test_tolerance_is_a_promise():
    with pytest.raises(InvalidArgument, match="batch_elo: needs a finite tolerance above 0"):
        batch_elo([[0, 1], [1, 0]], tolerance=0)
    with pytest.raises(NotConverged, match="but they miss by") as caught:
        batch_elo([[0, 9], [1, 0]], budget=Budget(iterations=1))
    assert caught.value.best.ratings[0] > 1500


@given(st.integers(2, 5), st.integers(0, 99), st.sampled_from([1500, 0, -3.5]))
def test_batch_ratings_average_to_the_first_and_miss_what_they_say(count, seed, initial):
    wins = np.random.default_rng(seed).integers(1, 30, (count, count)).astype(float)
    np.fill_diagonal(wins, 0)
    found = batch_elo(wins, initial=initial)
    assert found.ratings.mean() == pytest.approx(initial, abs=1e-9)
    expected = 1 / (1 + 10 ** ((found.ratings - found.ratings[:, None]) / 400))
    np.fill_diagonal(expected, 0)
    missed = np.abs(wins.sum(axis=1) - ((wins + wins.T) * expected).sum(axis=1)).max()
    assert found.residual == pytest.approx(missed, abs=1e-9)


@pytest.mark.parametrize("factor", [1e-3, 1e6])
def test_ratings_do_not_depend_on_the_number_of_matches(factor):
    wins = np.array([[0, 9, 4], [2, 0, 7], [3, 1, 0]], dtype=float)
    one, other = batch_elo(wins), batch_elo(wins * factor)
    assert other.ratings == pytest.approx(one.ratings)
    assert other.run.iterations == one.run.iterations


@pytest.mark.parametrize("match", [(0, 1, 1.0), None, "0:1", [Match(0, 1, 1.0)]])
def test_other_things_than_matches_are_refused(match):
    with pytest.raises(InvalidArgument, match="each match to be of type Match"):
        online_elo([match], num_agents=2)
