"""Sampled win rates: seats, seeds, stopping; and intervals whose error is what they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

import gametheory_core as gt
from gametheory_core import InvalidArgument, UnsupportedGame, load_game, uniform_policies
from gametheory_core.catalog import RepeatedGame, RirRPS
from gametheory_core.conversions import extensive_to_aec
from gametheory_core.distributions import point_mass
from gametheory_core.strategies.policies import policy_from
from learners.batches import Sees
from learners.matches import (
    match_form,
    sampled_rates,
    sampled_win_rates,
    table_policy,
    win_rate_intervals,
    win_rates,
)
from learners.matches.confidence import log_capital
from tests.learners.matches.tables import float_tables

GAME = RirRPS(repetitions=3, recall=1)
TABLES = float_tables(4, windows=match_form(GAME).num_windows)
AGENTS = [tuple(table_policy(GAME, table, seat=i) for i in range(2)) for table in TABLES]


def sampled(agents=AGENTS, **options):
    return sampled_win_rates(
        GAME, agents, sees=Sees.LAST, **({"matches": 2001, "seed": 5} | options)
    )


def test_sampled_win_rates_are_near_the_exact_ones():
    found = sampled(matches=20_001, error=1e-9)
    exact = win_rates(GAME, TABLES)
    assert (found.intervals[..., 0] <= exact).all()
    assert (exact <= found.intervals[..., 1]).all()
    assert (found.matches[~np.eye(4, dtype=bool)] == 20_001).all()
    assert (found.win_rates + found.win_rates.T == 1).all()


def test_what_is_played_depends_on_nothing_else():
    wins = sampled().wins
    assert (sampled(jobs=3).wins == wins).all()
    assert (sampled(AGENTS[:2]).wins == wins[:2, :2]).all()
    assert (sampled(precision=1e-9).wins == wins).all()
    assert (sampled(seed=6).wins != wins).any()


def test_pairs_have_random_numbers_of_their_own():
    wins = sampled([AGENTS[0]] * 3).wins
    assert len({int(wins[0, 1]), int(wins[0, 2]), int(wins[1, 2])}) == 3


def always(player_actions):
    return tuple(policy_from(lambda _, a=a: point_mass(a)) for a in player_actions)


@pytest.mark.parametrize("matches", [1, 2, 7, 10])
def test_seats_alternate(matches):
    """The first mover wins: each agent wins from the first seat, the last odd match by a coin."""
    replies = gt.Decision(1, "after", {"l": gt.Terminal([1, -1])})
    tree = gt.from_sketch(gt.Decision(0, "", {"l": replies}), players=("A", "B"))
    agents = [always(("l", "l"))] * 2
    half = matches // 2
    found = [sampled_win_rates(tree, agents, matches=matches, seed=s).wins for s in range(20)]
    wins = {(int(table[0, 1]), int(table[1, 0])) for table in found}
    wanted = {(half + 1, half), (half, half + 1)} if matches % 2 else {(half, half)}
    assert wins == wanted


def test_play_stops_when_it_is_known_well_enough():
    found = sampled(matches=100_000, precision=0.05)
    assert (found.matches.max() < 5000) & (found.matches[0, 1] % 1000 == 0)
    widths = found.intervals[..., 1] - found.intervals[..., 0]
    assert widths.max() <= 0.1


def paid_by_rounds(table, plays):
    """Sample two rounds of one agent against itself, whose second seat plays by round."""
    stage = gt.NormalFormGame.bimatrix(*table, actions=[["a"], ["x", "y"]])
    game = RepeatedGame(stage, rounds=2, recall=1)
    agent = always("a")[0], policy_from(lambda seen: point_mass(plays[len(seen) > 1]))
    return sampled_win_rates(game, [agent, agent], matches=10, seed=1, sees=Sees.LAST)


def test_rounding_makes_no_winner():
    """0.1 + 0.2 is more than 0.3 in floats; who is paid a millionth more still wins."""
    first, second = [["0.1", "0.2"]], [["0.3", "0"]]
    assert paid_by_rounds((first, second), "xy").ties[0, 1] == 10
    assert paid_by_rounds((first, [["0.300001", "0"]]), "xy").ties[0, 1] == 0


def test_pay_that_floats_cannot_hold_is_refused():
    with pytest.raises(UnsupportedGame, match="returns that floats can hold"):
        paid_by_rounds(([[1e308, 1e308]], [[0, 0]]), "xy")


def test_matches_are_played_in_parts_of_any_size(monkeypatch):
    wins = sampled().wins
    monkeypatch.setattr(sampled_rates, "MOST_AT_ONCE", 100)
    assert (sampled().wins == wins).all()


def test_trees_are_sampled():
    kuhn = extensive_to_aec(load_game("kuhn_poker")).target
    found = sampled_win_rates(kuhn, [uniform_policies(kuhn)] * 2, matches=1000, seed=1)
    assert abs(float(found.win_rates[0, 1]) - 0.5) < 0.1


@pytest.mark.parametrize(
    ("agents", "options", "found"),
    [
        (AGENTS[:1], {}, "at least two agents"),
        (AGENTS, {"matches": 0}, "matches to be an integer"),
        (AGENTS, {"precision": 0}, "precision"),
        (AGENTS, {"error": 1.0}, "error"),
        (AGENTS, {"jobs": 0}, "jobs to be an integer of at least 1"),
    ],
)
def test_bad_options_are_refused(agents, options, found):
    with pytest.raises(InvalidArgument, match=found):
        sampled(agents, **options)


def test_matches_of_three_are_refused():
    game = load_game("truel")
    with pytest.raises(UnsupportedGame, match="two players"):
        sampled_win_rates(game, [uniform_policies(game)] * 2, matches=10, seed=1)


def test_counts_that_are_none_are_refused():
    with pytest.raises(InvalidArgument, match="of one shape"):
        win_rate_intervals([1, 2], 0, [1, 2], error=0.1)
    for count in (-1, 0.5, float("nan"), "a", None, 10**30, [1, [2]]):
        with pytest.raises(InvalidArgument, match="needs whole numbers of wins, .* at least 0"):
            win_rate_intervals(count, 0, 1, error=0.1)


def test_intervals_mirror_and_shrink():
    ends = win_rate_intervals([0, 6, 60, 600], [0] * 4, [0, 4, 40, 400], error=0.05)
    turned = win_rate_intervals([0, 4, 40, 400], [0] * 4, [0, 6, 60, 600], error=0.05)
    assert turned == pytest.approx(1 - ends[:, ::-1], abs=1e-12)
    assert ends[0].tolist() == [0, 1]
    assert (np.diff(ends[:, 1] - ends[:, 0]) < 0).all()


@given(st.floats(0, 1), st.floats(0, 1))
def test_bets_on_the_true_win_rate_are_fair(wins, share):
    ties = (1 - wins) * share
    rate = min(max(wins + ties / 2, 1e-6), 1 - 1e-6)
    kept = np.array([rate - ties / 2, ties, 1 - rate - ties / 2])
    capital = np.exp(log_capital(np.full(3, rate), *np.eye(3, dtype=int)))
    assert kept @ capital == pytest.approx(1, abs=1e-9)


def test_ends_are_where_capital_is_twice_the_inverse_error():
    ends = win_rate_intervals(60, 10, 30, error=0.1)
    counts = [np.asarray(count) for count in (60, 10, 30)]
    assert np.exp(log_capital(ends[0], *counts)) == pytest.approx(20)
    assert np.exp(log_capital(1 - ends[1], *counts[::-1])) == pytest.approx(20)


def ever_refuted(law, *, rate, error, matches):
    """Return how likely a true rate is ever outside, looked at after each match: exactly.

    ``law`` gives the chances of a win and a tie; states are counts of wins and ties.
    """
    reach = np.zeros((matches + 2, matches + 2))
    reach[0, 0] = 1.0
    missed = 0.0
    wins, ties = np.indices(reach.shape)
    for played in range(1, matches + 1):
        after = reach * (1 - sum(law))
        after[1:] += reach[:-1] * law[0]
        after[:, 1:] += reach[:, :-1] * law[1]
        losses = np.maximum(played - wins - ties, 0)
        above = log_capital(np.full(reach.shape, rate), wins, ties, losses)
        below = log_capital(np.full(reach.shape, 1 - rate), losses, ties, wins)
        out = np.maximum(above, below) >= np.log(2 / error)
        missed += after[out].sum()
        reach = np.where(out, 0.0, after)
    return missed


@pytest.mark.parametrize("law", [(0.5, 0.0), (0.1, 0.0), (0.3, 0.4), (0.05, 0.5), (0.97, 0.0)])
@pytest.mark.parametrize("error", [0.05, 0.3])
def test_whoever_looks_after_each_match_is_misled_no_more_often_than_allowed(law, error):
    missed = ever_refuted(law, rate=law[0] + law[1] / 2, error=error, matches=50)
    assert missed <= error


def test_twin_binomial_intervals_mislead_who_looks_after_each_match():
    """Five percent, looked at after each of 500 matches, is far more."""
    reach, missed = np.array([1.0]), 0.0
    for played in range(1, 501):
        reach = np.convolve(reach, [0.5, 0.5])
        wins = np.arange(played + 1)
        tail = np.minimum(binom.cdf(wins, played, 0.5), binom.sf(wins - 1, played, 0.5))
        missed += reach[tail < 0.025].sum()
        reach = np.where(tail < 0.025, 0.0, reach)
    assert missed > 0.2


def test_stopping_early_misses_no_more_often_than_allowed_when_seats_differ():
    """Simulated: nine of ten from the first seat, one of two from the second; 0.7 in all."""
    rng = np.random.default_rng(7)
    pairs = np.cumsum((rng.random((200, 100, 2)) < [0.9, 0.5]).sum(axis=2), axis=1)
    played = 2 * np.arange(1, 101)
    ends = win_rate_intervals(pairs, np.zeros_like(pairs), played - pairs, error=0.2)
    missed = ((ends[..., 0] > 0.7) | (ends[..., 1] < 0.7)).any(axis=1)
    assert missed.mean() <= 0.2
