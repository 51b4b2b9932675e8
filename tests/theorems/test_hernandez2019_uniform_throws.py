"""Hernandez et al. 2019, RirRPS: throwing evenly ties 8953/59049 of matches, whoever the opponent.

Each of ten throws is then a win, a tie or a loss with probability 1/3 each, whatever was thrown
before, so that the lead is a fair walk. Quantified over opponents who play by any table of the 820
windows, exactly; and uniform play is optimal, since the best response to it wins half.

Why it matters (populations): It gives the baseline of a study of self-play exactly: how often even
play ties.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.catalog import RirRPS
from learners.matches import match_form, match_outcomes, match_reply, win_rates
from solvers.populations import relative_population_performance
from tests.learners.matches.tables import exact_tables
from tests.sample_sizes import examples

theorem = pytest.mark.theorem(
    source="Hernandez, Denamganai, Gao, York, Devlin, Samothrakis and Walker 2019",
    statement="even throws win half of the matches of RirRPS against anybody, and tie 8953/59049",
)

GAME = RirRPS()
EVEN = np.full((820, 3), Fraction(1, 3), dtype=object)


@theorem
@examples(15)
@given(exact_tables(GAME))
def test_scores_tie_alike_against_anybody(opponent):
    for found in (match_outcomes(GAME, EVEN, opponent), match_outcomes(GAME, opponent, EVEN)):
        assert found.tie == Fraction(8953, 59049)
        assert found.win == found.loss == Fraction(25048, 59049)


@theorem
def test_the_best_response_to_even_throws_wins_half():
    assert match_reply(GAME, EVEN).win_rate == Fraction(1, 2)


@theorem
@examples(10)
@given(exact_tables(GAME), exact_tables(GAME))
def test_win_rates_of_two_sum_to_one_and_no_table_beats_the_best_response(first, second):
    rates = win_rates(GAME, [first, second])
    assert match_outcomes(GAME, second, first).win_rate == rates[1, 0] == 1 - rates[0, 1]
    assert match_outcomes(GAME, first, first).win_rate == Fraction(1, 2)
    assert match_reply(GAME, second).win_rate >= max(rates[0, 1], Fraction(1, 2))


@theorem
def test_twin_even_throws_but_for_one_window_are_exploited():
    nearly = EVEN.copy()
    nearly[0] = [1, 0, 0]
    assert match_reply(GAME, nearly).win_rate > Fraction(1, 2)
    paper_first = EVEN.copy()
    paper_first[0] = [0, 1, 0]
    assert match_outcomes(GAME, nearly, paper_first).tie != Fraction(8953, 59049)


@theorem
def test_twin_even_throws_are_not_the_only_optimal_ones():
    """Who has won three throws of four has won, and may throw anything; else that costs."""
    game = RirRPS(repetitions=4, recall=3)
    form = match_form(game)
    won, even = (form.number_of([code] * 3) for code in (2, 0))  # rock against scissors, and rock
    for window, is_optimal in ((won, True), (even, False)):
        table = EVEN.copy()
        table[window] = [1, 0, 0]
        assert (match_reply(game, table).win_rate == Fraction(1, 2)) is is_optimal


@theorem
@examples(20)
@given(st.integers(0, 2**32))
def test_leading_submatrices_of_win_rates_have_value_zero(seed):
    rng = np.random.default_rng(seed)
    small = RirRPS(repetitions=2, recall=1)
    shares = [[Fraction(int(w), 6) for w in row] for row in rng.multinomial(6, [1 / 3] * 3, 40)]
    tables = np.array(shares, dtype=object).reshape(4, 10, 3)
    rates = win_rates(small, list(tables))
    for size in range(1, 5):
        found = relative_population_performance(rates[:size, :size])
        assert found.certificate.game_value == 0
