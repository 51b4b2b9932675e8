"""Nash averaging: closed forms, agents against tasks, growing populations, bad input."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidGame, NotConverged
from gametheory_core.certificates import MaxEntropyCertificate
from gametheory_core.testing import rationals
from solvers import Budget, nash_averaging
from solvers.populations import evaluation_matrix, nash_averaging_against_tasks

CYCLE = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]


@st.composite
def evaluations(draw):
    count = draw(st.integers(1, 4))
    table = np.zeros((count, count), dtype=object)
    for i in range(count):
        for j in range(i):
            table[i, j] = draw(rationals(low=-3, high=3))
            table[j, i] = -table[i, j]
    return table


@given(evaluations())
def test_skills_are_zero_on_the_support_and_at_most_zero_elsewhere(table):
    average = nash_averaging(table)
    average.certificate.verify()
    assert isinstance(average.certificate, MaxEntropyCertificate)
    slack = average.certificate.epsilon
    assert max(average.skills) <= slack
    assert abs(sum(p * s for p, s in zip(average.agent_mixture, average.skills, strict=True))) <= (
        slack
    )
    for probability, skill in zip(average.agent_mixture, average.skills, strict=True):
        if probability > Fraction(1, 10**6):
            assert abs(float(skill)) <= 1e-9
    assert average.skills == average.difficulties


def test_cycle_is_uniform_and_all_skills_are_zero():
    average = nash_averaging(CYCLE)
    assert average.agent_mixture.tolist() == [Fraction(1, 3)] * 3
    assert average.skills == (0, 0, 0)


def test_transitive_population_is_rated_against_its_best():
    average = nash_averaging([[0, 1, 2], [-1, 0, 1], [-2, -1, 0]])
    assert average.agent_mixture.tolist() == [1, 0, 0]
    assert average.skills == (0, -1, -2)


def test_win_rates_are_averaged_after_evaluation():
    rates = [["1/2", "3/4"], ["1/4", "1/2"]]
    assert nash_averaging(evaluation_matrix(rates)).skills == (0, Fraction(-1, 4))


def test_start_from_a_smaller_population_changes_no_answer():
    rng = np.random.default_rng(3)
    upper = np.triu(rng.integers(-9, 10, (12, 12)), 1)
    table = upper - upper.T
    start = None
    for size in (4, 8, 12):
        part = table[:size, :size]
        start = nash_averaging(part, start=start)
        start.certificate.verify()
        cold = nash_averaging(part)
        mixtures = [a.agent_mixture.astype(float) for a in (start, cold)]
        assert mixtures[0] == pytest.approx(mixtures[1], abs=1e-4)


def test_tasks_that_separate_nobody_carry_no_weight_that_matters():
    average = nash_averaging_against_tasks([[1, 0, 5], [0, 1, 5], [0, 0, 5]])
    average.certificate.verify()
    assert average.skills == (Fraction(1, 2), Fraction(1, 2), 0)
    assert average.task_mixture.tolist() == [Fraction(1, 2), Fraction(1, 2), 0]
    assert average.difficulties == (Fraction(-1, 2), Fraction(-1, 2), -5)


@pytest.mark.parametrize(
    ("call", "table", "message"),
    [
        (nash_averaging, [[0, 1], [1, 0]], r"antisymmetric matrix, but A\[0, 1\] is 1 and A\[1, 0"),
        (nash_averaging, [[1]], r"A\[0, 0\] is 1"),
        (nash_averaging, [[0, 1]], r"square matrix.*\(1, 2\)"),
        (nash_averaging, [["1/2", "3/4"], ["1/4", "1/2"]], r"Use evaluation_matrix\(win_rates\)"),
        (nash_averaging_against_tasks, [1, 2], r"agents by tasks, but its shape is \(2,\)"),
    ],
)
def test_malformed_tables_are_refused(call, table, message):
    with pytest.raises(InvalidGame, match=message):
        call(table)


def test_budget_that_ends_gives_ratings_so_far():
    rng = np.random.default_rng(3)
    upper = np.triu(rng.standard_normal((30, 30)), 1)
    with pytest.raises(NotConverged, match="nash_averaging: needs") as caught:
        nash_averaging(upper - upper.T, budget=Budget(iterations=0))
    caught.value.best.certificate.verify()
    assert len(caught.value.best.skills) == 30


def test_start_spares_the_search_where_newcomers_lose():
    smaller = nash_averaging(CYCLE)
    table = np.zeros((4, 4), dtype=int)
    table[:3, :3] = CYCLE
    table[:3, 3], table[3, :3] = 2, -2
    grown = nash_averaging(table, start=smaller)
    grown.certificate.verify()
    assert grown.solution.run.iterations == 0 < nash_averaging(table).solution.run.iterations


def test_agents_and_tasks_have_mixtures_of_their_own():
    average = nash_averaging_against_tasks([[0, 2, 1], [1, 0, 1]])
    assert len(average.agent_mixture) == len(average.skills) == 2
    assert len(average.task_mixture) == len(average.difficulties) == 3
    payoffs = average.certificate.game.exact_payoffs[0]
    assert tuple(payoffs @ average.task_mixture) == average.skills
