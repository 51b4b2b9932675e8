"""Lanctot et al. 2023: scores against a population, what their footer says, and the bias in them.

The largest of noisy means is too large on average, by ``s E max(Z_1, ..., Z_k)`` where ``k`` means
are equal; the value of a bot that was picked by *other* matches is never too large on average.
Both are proved by enumeration on tiny populations, where every outcome is listed.

Why it matters (populations): The best of many bots looks better than it is; this says by how much,
and which estimate does not.
"""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame
from gametheory_core.catalog import load
from learners.roshambo import PayoffTable, PopulationScores, largest_mean_bias
from learners.roshambo.tournaments.scores import cross_fitted
from solvers import minimax
from tests.learners.roshambo.published_table import printed_ranking, published_table
from tests.sample_sizes import examples

SOURCE = "Lanctot, Schultz, Burch, Smith, Hennes, Anthony and Perolat 2023"
footer = pytest.mark.theorem(
    source=SOURCE,
    statement="the table of pairs has the returns, exploitabilities and ranks of Table 6",
)
bias = pytest.mark.theorem(
    source=SOURCE,
    statement="the largest of noisy means is biased upward, and cross-fitting is never so",
)
THROW_DEVIATION = math.sqrt(2 / 3)  # of what even throws are paid for one


@footer
def test_the_table_of_pairs_has_the_printed_footer():
    table = published_table()
    printed = printed_ranking()
    assert len(printed) == 43
    found = table.ranking()
    assert [own.agent.lower() for own in found] == [name for name, *_ in printed]
    for own, (_, paid, lost, aggregate) in zip(found, printed, strict=True):
        assert own.population_return == pytest.approx(paid, abs=5e-4)
        assert own.exploitability == pytest.approx(lost, abs=5e-4)
        assert own.aggregate_score == pytest.approx(aggregate, abs=1e-3)
    assert np.mean([own.exploitability for own in found]) == pytest.approx(316.098, abs=1e-3)


@footer
def test_twin_without_its_own_column_the_best_bot_is_paid_another_number():
    paid = published_table().means_of("greenberg")
    assert np.mean([mean for bot, mean in paid.items() if bot != "greenberg"]) == pytest.approx(
        294.99, abs=0.005
    )


@footer
def test_the_best_bot_dominates_five_and_the_second_one():
    table = published_table()
    assert table.dominated("greenberg") == (
        "addshiftbot3",
        "flatbot3",
        "r226bot",
        "sunCrazybot",
        "switchalot",
    )
    assert table.dominated("iocainebot") == ("sunCrazybot",)


@footer
def test_twin_the_printed_payoff_matrix_is_not_the_game():
    """Row R of Figure 1 is misprinted: what it shows is not fair."""
    printed = NormalFormGame.zero_sum([[0, 1, -1], [1, 0, -1], [-1, 1, 0]])
    answer = minimax(printed)
    assert answer.certificate.game_value == Fraction(-1, 3)
    assert minimax(load("rock_paper_scissors")).certificate.game_value == 0


def tiny_populations(most_bots=2):
    """Draw, for each bot, what it pays with which probability in a match."""
    outcome = st.integers(-3, 3)
    bot = st.lists(st.tuples(outcome, st.integers(1, 3)), min_size=1, max_size=3)
    return st.lists(bot, min_size=1, max_size=most_bots)


def expectations(population, matches):
    """Return the exact expectations of both exploitabilities, and the true one."""
    laws = [
        [(paid, Fraction(weight, sum(w for _, w in bot))) for paid, weight in bot]
        for bot in population
    ]
    published = fitted = Fraction(0)
    for drawn in product(*(law for law in laws for _ in range(matches))):
        chance = math.prod((p for _, p in drawn), start=Fraction(1))
        paid = np.array([Fraction(x) for x, _ in drawn], dtype=object).reshape(-1, matches)
        halves = np.stack(
            [
                paid[:, ::2].sum(axis=1) / Fraction(len(range(0, matches, 2))),
                paid[:, 1::2].sum(axis=1) / Fraction(len(range(1, matches, 2))),
            ]
        )
        published += chance * -(paid.sum(axis=1) / Fraction(matches)).min()
        fitted += chance * cross_fitted(halves)
    true = max(-sum(paid * p for paid, p in law) for law in laws)
    return published, fitted, true, laws


@bias
@examples(15)
@given(tiny_populations(), st.integers(2, 3))
def test_the_largest_mean_is_never_too_small_and_the_cross_fitted_never_too_large(pop, matches):
    published, fitted, true, _ = expectations(pop, matches)
    assert fitted <= true <= published


@bias
@examples(15)
@given(tiny_populations())
def test_cross_fitting_is_worth_what_the_picked_bots_are_worth(population):
    """With two matches the half picks by one match: the expectation is that of its choice."""
    _, fitted, _, laws = expectations(population, 2)
    means = [sum(paid * p for paid, p in law) for law in laws]
    expected = Fraction(0)
    for drawn in product(*laws):
        picked = min(range(len(laws)), key=lambda b: drawn[b][0])
        expected -= math.prod((p for _, p in drawn), start=Fraction(1)) * means[picked]
    assert fitted == expected


@bias
@examples(15)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(1, 3)), min_size=1, max_size=3))
def test_cross_fitting_is_without_bias_where_bots_are_alike(bot):
    _, fitted, true, _ = expectations([bot, bot], 2)
    assert fitted == true


@bias
def test_twin_cross_fitting_is_too_low_where_bots_differ_by_less_than_noise():
    _, fitted, true, _ = expectations([[(-2, 1), (2, 1)], [(1, 1)]], 2)
    assert (fitted, true) == (Fraction(-1, 2), 0)


@bias
def test_even_throws_measure_an_exploitability_of_2_19_standard_errors():
    """Even throws are paid 0 by anybody; 43 equal means with errors of 25.82 / sqrt(N)."""
    deviation = THROW_DEVIATION * math.sqrt(1000)
    assert deviation == pytest.approx(25.82, abs=0.001)
    predicted = {}
    for matches in (10, 50, 100, 1000):
        error = deviation / math.sqrt(matches)
        predicted[matches] = largest_mean_bias(np.zeros(43), np.full(43, error))
        assert predicted[matches] == pytest.approx(2.190 * error, rel=2e-4)
    printed = {10: 17.88, 50: 8.00, 100: 5.65, 1000: 1.79}
    assert predicted == pytest.approx(printed, abs=0.005)


@bias
@pytest.mark.parametrize("matches", [10, 50])
def test_simulated_even_throws_measure_what_the_integral_says(matches):
    rng = np.random.default_rng(2023)
    bots = tuple(map(str, range(43)))
    found, fitted = [], []
    for _ in range(800):
        paid = rng.multinomial(1000, [1 / 3] * 3, size=(43, matches)) @ np.array([1, 0, -1])
        scores = PopulationScores(bots, paid)
        found.append(scores.within_population_exploitability)
        fitted.append(scores.cross_fitted_exploitability)
    error = THROW_DEVIATION * math.sqrt(1000 / matches)
    expected = largest_mean_bias(np.zeros(43), np.full(43, error))
    # 4 standard errors of 800 simulations, and a percent for what is not quite normal
    assert abs(np.mean(found) - expected) < 4 * np.std(found) / math.sqrt(800) + 0.01 * expected
    assert abs(np.mean(fitted)) < 4 * np.std(fitted) / math.sqrt(800)
    assert np.mean(found) > 10 * np.std(found) / math.sqrt(800)  # the bias is there


@bias
def test_the_bias_of_a_table_is_that_of_its_errors():
    rng = np.random.default_rng(1)
    paid = rng.normal(0, 26, size=(1, 43, 50))
    table = PayoffTable.from_returns(("even",), tuple(map(str, range(43))), paid)
    assert table.standing("even").bias == pytest.approx(2.19 * 26 / math.sqrt(50), rel=0.15)
