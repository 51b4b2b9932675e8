"""Explorations play what they say, legal actions only; schedules go where they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import learners
from gametheory_core import InvalidArgument
from learners.schedules import as_schedule
from learners.tabular.exploration import Explorer

SHAPE = (400, 3, 4)
VALUES = np.array([[1.0, 2.0, 2.0, -1.0], [0.0, 0.0, 0.0, 0.0], [5.0, 1.0, 2.0, 3.0]])
LEGAL = np.array([[1, 1, 1, 1], [0, 1, 0, 1], [0, 0, 0, 1]], dtype=bool)
GREEDY = [1, 1, 3]  # the first best of those that are legal


def explorer_of(exploration, seed=1):
    return Explorer(exploration, shape=SHAPE, rng=np.random.default_rng(seed))


def probabilities(exploration, step=0):
    """What is drawn from at each of the three observations, from the first three episodes."""
    explorer = explorer_of(exploration)
    seen = np.resize(np.arange(3), SHAPE[0])
    return explorer.probabilities(lambda: VALUES[seen], seen, LEGAL[seen], step)[:3].copy()


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0])
def test_epsilon_greedy(epsilon):
    expected = epsilon * LEGAL / LEGAL.sum(axis=1, keepdims=True)
    expected[np.arange(3), GREEDY] += 1 - epsilon
    assert np.allclose(probabilities(learners.EpsilonGreedy(epsilon)), expected)
    assert np.allclose(
        explorer_of(learners.EpsilonGreedy(epsilon)).played(VALUES, LEGAL, 0)[7], expected
    )


@pytest.mark.parametrize("temperature", [1e-3, 0.5, 1e6])
def test_boltzmann(temperature):
    weights = np.exp((VALUES - 5) / max(temperature, 0.1)) * LEGAL
    expected = weights / weights.sum(axis=1, keepdims=True)
    if temperature == 1e-3:
        expected = np.array([[0, 0.5, 0.5, 0], [0, 0.5, 0, 0.5], [0, 0, 0, 1]])
    assert np.allclose(probabilities(learners.Boltzmann(temperature)), expected)


def test_schedules_are_asked_by_steps():
    found = probabilities(learners.EpsilonGreedy(learners.Linear(1.0, 0.0, steps=10)), step=5)
    assert np.allclose(found, probabilities(learners.EpsilonGreedy(0.5)))
    assert explorer_of(learners.Boltzmann(learners.Exponential(4.0, 1.0, steps=2))).level(
        1
    ) == pytest.approx(2.0)


@pytest.mark.parametrize("flip", [0.0, 0.25, 1.0])
def test_parameter_noise_flips_to_other_legal_actions(flip):
    """Over 400 episodes: shares within five standard errors (odds of failing below 1e-5)."""
    explorer = explorer_of(learners.ParameterNoise(flip))
    explorer.begin(np.ones(400, dtype=bool), lambda: VALUES, LEGAL, 0)
    played = explorer.played(VALUES, LEGAL, 0)
    assert np.array_equal(played.sum(axis=2), np.ones((400, 3)))
    assert not played[:, ~LEGAL].any()
    shares = played.mean(axis=0)
    expected = LEGAL * flip / np.maximum(1, LEGAL.sum(axis=1, keepdims=True) - 1)
    expected[np.arange(3), GREEDY] = 1 - flip
    expected[2] = [0, 0, 0, 1]  # nothing else is legal
    errors = np.sqrt(expected * (1 - expected) / 400)
    assert (np.abs(shares - expected) <= 5 * errors).all()


def test_parameter_noise_is_drawn_anew_for_episodes_that_begin():
    explorer = explorer_of(learners.ParameterNoise(0.5))
    explorer.begin(np.ones(400, dtype=bool), lambda: VALUES, LEGAL, 0)
    before = explorer.played(VALUES, LEGAL, 0)
    explorer.begin(np.arange(400) < 200, lambda: VALUES, LEGAL, 0)
    after = explorer.played(VALUES, LEGAL, 0)
    assert np.array_equal(before[200:], after[200:])
    assert not np.array_equal(before[:200], after[:200])


def test_fixed_policy_ignores_values():
    table = LEGAL / LEGAL.sum(axis=1, keepdims=True)
    assert np.array_equal(probabilities(learners.FixedPolicy(table)), table)
    given_table = learners.FixedPolicy(table).probabilities
    assert not given_table.flags.writeable


@given(st.floats(0.01, 10), st.floats(0.01, 10), st.integers(1, 50), st.integers(0, 100))
def test_schedules_stay_between_their_ends(first, last, steps, step):
    for schedule in (learners.Linear(first, last, steps), learners.Exponential(first, last, steps)):
        low, high = sorted((first, last))
        assert schedule.at(0) == pytest.approx(first)
        assert schedule.at(steps) == pytest.approx(last)
        assert schedule.at(steps + step) == pytest.approx(last)
        assert low - 1e-9 <= schedule.at(step) <= high + 1e-9
    assert learners.Constant(first).at(step) == first


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: learners.EpsilonGreedy(1.5),
            "EpsilonGreedy: needs a finite epsilon of at least 0",
        ),
        (
            lambda: learners.EpsilonGreedy(learners.Linear(0.5, -1, 3)),
            "EpsilonGreedy: needs a finite epsilon",
        ),
        (lambda: learners.Boltzmann(0.0), "Boltzmann: needs a finite temperature above 0"),
        (lambda: learners.ParameterNoise("often"), "ParameterNoise: needs a finite flip"),
        (
            lambda: learners.FixedPolicy([[0.5, 0.4]]),
            "needs rows of probabilities that sum to 1, but row 0",
        ),
        (
            lambda: learners.FixedPolicy([[1.5, -0.5]]),
            "needs probabilities of at least 0, one row an observation",
        ),
        (
            lambda: learners.Linear(1.0, 0.0, steps=0),
            "Linear: needs steps to be an integer of at least 1",
        ),
        (
            lambda: learners.Exponential(1.0, 0.0, steps=2),
            "Exponential: needs a finite last above 0",
        ),
        (lambda: learners.PerVisit(power=2), "PerVisit: needs a finite power"),
        (lambda: learners.Constant(float("nan")), "Constant: needs a finite value"),
    ],
)
def test_bad_options_are_refused_by_name(make, message):
    with pytest.raises(InvalidArgument, match=message):
        make()


class Steep:
    """A schedule of somebody else."""

    def __init__(self, last):
        self.last = last

    def at(self, step):
        return 1.0 if step < 10 else self.last


def test_any_object_that_can_be_asked_is_a_schedule():
    assert as_schedule(Steep(0.5), name="epsilon", high=1).at(10) == 0.5
    with pytest.raises(InvalidArgument, match="needs a finite epsilon at most 1"):
        as_schedule(Steep(2.0), name="epsilon", high=1)


def test_parameter_noise_holds_legal_actions_where_they_show_only_in_play():
    """The worse of two legal actions has its share of 400, within five standard errors."""
    explorer = explorer_of(learners.ParameterNoise(0.4))
    values = np.array([[3.0, 2.0, 1.0, 0.0]] * 3)
    begins = np.ones(SHAPE[0], dtype=bool)
    explorer.begin(begins, lambda: values, np.ones((3, 4), dtype=bool), 0)
    seen = np.ones(SHAPE[0], dtype=np.int64)
    legal = np.tile([False, False, True, True], (SHAPE[0], 1))
    legal[-1] = False  # does not act
    found = explorer.probabilities(lambda: values[seen], seen, legal, 0).copy()
    assert found[:-1].sum(axis=1).tolist() == [1.0] * (SHAPE[0] - 1)
    assert not found[~legal].any()
    again = explorer.probabilities(lambda: values[seen], seen, legal, 0)
    assert np.array_equal(found, again)
    kept = 0.4 / 3  # held from the start, since the first draw was one of the three others
    share = kept + (1 - 2 * kept) * 0.4
    assert abs(found[:, 3].mean() - share) < 5 * 0.5 / np.sqrt(SHAPE[0])
