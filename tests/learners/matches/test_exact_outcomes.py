"""Outcomes of matches and best responses: against the game's own law, and floats against exact."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, UnsupportedGame, expected_returns
from gametheory_core.catalog import RepeatedGame, RirRPS
from gametheory_core.evaluation import best_response_returns
from learners import mean_returns
from learners.batches import Sees
from learners.matches import match_form, match_outcomes, match_reply, table_policy, win_rates
from solvers.populations import meta_game
from tests.learners.matches.tables import SMALL, exact_rows, exact_tables, float_tables
from tests.sample_sizes import examples

MATCHES = [game for game in SMALL if isinstance(game, RirRPS)]


def pairs_of(games):
    return st.sampled_from(games).flatmap(
        lambda g: st.tuples(st.just(g), exact_tables(g), exact_tables(g, seat=1))
    )


@examples(20)
@given(pairs_of(MATCHES))
def test_outcomes_are_those_of_the_game(case):
    game, first, second = case
    found = match_outcomes(game, first, second)
    assert found.win + found.tie + found.loss == 1
    profile = table_policy(game, first), table_policy(game, second, seat=1)
    assert expected_returns(game, profile)[0] == found.win - found.loss == 2 * found.win_rate - 1


@examples(20)
@given(pairs_of(SMALL))
def test_compiled_outcomes_equal_exact_ones(case):
    game, first, second = case
    exact = match_outcomes(game, first, second)
    floats = match_outcomes(game, first.astype(float), second.astype(float))
    for name in ("win", "tie", "loss", "win_rate"):
        assert getattr(floats, name) == pytest.approx(float(getattr(exact, name)), abs=1e-14)


def test_compiled_outcomes_equal_exact_ones_in_the_whole_game():
    rng = np.random.default_rng(3)
    tables = [exact_rows(rng.integers(0, 4, (820, 3))) for _ in range(3)]
    exact, floats = (win_rates(RirRPS(), t) for t in (tables, [t.astype(float) for t in tables]))
    assert exact.dtype == object
    assert floats.dtype == np.float64
    assert np.abs(exact - floats).max() < 1e-13


def test_scores_of_repeated_games_are_payoff_differences():
    """Two rounds of the dilemma: who defects once more than the other wins."""
    game = RepeatedGame.of("prisoners_dilemma", rounds=2, recall=1)
    mean, nice = np.tile([0, 1], (5, 1)), np.tile([1, 0], (5, 1))
    half = np.full((5, 2), Fraction(1, 2))
    assert win_rates(game, [mean, nice])[0, 1] == 1
    assert match_outcomes(game, mean, half).tie == Fraction(1, 4)


@examples(10)
@given(pairs_of(SMALL))
def test_the_other_seat_mirrors_outcomes(case):
    game, first, second = case
    seated, turned = match_outcomes(game, first, second), match_outcomes(game, second, first)
    assert (seated.win, seated.tie, seated.loss) == (turned.loss, turned.tie, turned.win)


def test_win_rates_of_a_population_make_a_meta_game():
    rates = win_rates(RirRPS(), float_tables(5))
    assert (rates + rates.T == 1).all()
    assert (np.diag(rates) == 0.5).all()
    assert meta_game(rates).num_actions == (5, 5)
    assert win_rates(RirRPS(), float_tables(5), float_tables(5)) == pytest.approx(rates, abs=1e-14)


def test_win_rates_between_populations_may_be_of_different_seats():
    game = RepeatedGame.of("battle_of_the_sexes", rounds=2, recall=1)
    tables = [np.tile(row, (5, 1)) for row in ([1, 0], [0, 1])]
    with pytest.raises(UnsupportedGame, match="the same from both seats"):
        win_rates(game, tables)
    assert win_rates(game, tables, tables[:1]).shape == (2, 1)


def test_nobody_is_refused():
    with pytest.raises(InvalidArgument, match="somebody in population"):
        win_rates(RirRPS(), [])


@examples(10)
@given(pairs_of([game for game in MATCHES if game.repetitions < 3 or game.recall == 1]))
def test_replies_are_best_responses_of_the_game(case):
    game, first, second = case
    profile = table_policy(game, first), table_policy(game, second, seat=1)
    best = best_response_returns(game, profile)
    replies = match_reply(game, second), match_reply(game, first, seat=1)
    for seat, reply in enumerate(replies):
        assert 2 * reply.win_rate - 1 == best[seat]
        played = (reply.policy, profile[1]) if seat == 0 else (profile[0], reply.policy)
        assert expected_returns(game, played)[seat] == best[seat]


@pytest.mark.parametrize(
    ("row", "rate"),
    [
        ([1, 0, 0], 1),
        ([Fraction(1, 3)] * 3, Fraction(1, 2)),
        ([Fraction(2, 3), Fraction(1, 6), Fraction(1, 6)], Fraction(39161779, 40310784)),
    ],
)
def test_replies_to_throws_at_random_are_known(row, rate):
    table = np.tile(np.array(row, dtype=object), (820, 1))
    assert match_reply(RirRPS(), table).win_rate == rate
    floats = match_reply(RirRPS(), table.astype(float), seat=1)
    assert floats.win_rate == pytest.approx(float(rate), abs=1e-13)


def test_who_copies_its_own_last_throw_always_loses():
    codes = match_form(RirRPS()).codes
    table = np.eye(3, dtype=int)[[codes[k][-1] // 3 if k else 0 for k in range(820)]]
    assert match_reply(RirRPS(), table).win_rate == 1


def test_a_reply_earns_what_it_says_when_played():
    game = RirRPS(repetitions=4, recall=2)
    form = match_form(game)
    table = exact_rows(np.random.default_rng(5).integers(1, 4, (form.num_windows, 3)))
    reply = match_reply(game, table)
    profile = reply.policy, table_policy(game, table, seat=1)
    found = mean_returns(game, profile, episodes=20_000, seed=1, sees=Sees.HISTORY)
    assert abs(found.means[0] - (2 * float(reply.win_rate) - 1)) < 5 * found.standard_errors[0]


def test_players_who_see_nothing_are_refused():
    with pytest.raises(UnsupportedGame, match="do not know the lead"):
        match_reply(RirRPS(recall=0), np.array([[1, 0, 0]]))
