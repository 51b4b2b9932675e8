"""Plans on likely sequences: bounds whatever is left out, and exact answers however little is."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import LiarsDiceRules, goofspiel, kuhn_poker, leduc_poker, liars_dice
from gametheory_core.games import lay_out_rules
from gametheory_core.strategies import sequence_form, uniform_behavior
from gametheory_core.testing import PayoffKind, extensive_form_games
from solvers import Budget, sequence_form_lp
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import solve_float
from solvers._programs.reduced import Likes
from solvers.solution import UNLIMITED, Meter
from solvers.trees import likely_supports, linear_program
from solvers.trees.likely_supports import likely_minimax_plans, likely_play
from solvers.trees.sequence_program import sequence_program
from tests.solvers.trees.trees import with_payoffs

POKERS = pytest.mark.parametrize("build", [kuhn_poker, leduc_poker])


@pytest.fixture
def always(monkeypatch):
    """Take this road on all trees, however small, and look for no likes."""
    monkeypatch.setattr(linear_program, "LARGE", -1)
    monkeypatch.setattr(linear_program, "SMALL", 10**9)


def new_play(game):
    form = sequence_form(game)
    return likely_play(form, sequence_program(form))


@cache
def plays():
    """Trees where payoffs come after each action, and where they come at the end alone."""
    late = goofspiel(cards=3)  # one is added to what the first player gets, since its value is 0
    paid = [(int(value) + 1, -int(value) - 1) for value in late.terminal_payoffs[:, 0]]
    games = {"Kuhn poker": kuhn_poker(), "goofspiel": with_payoffs(late, paid)}
    found = {name: new_play(game) for name, game in games.items()}
    return {n: (play, solve_exactly(play.program.exact, None).value) for n, play in found.items()}


GAMES = pytest.mark.parametrize("name", ["Kuhn poker", "goofspiel"])


def a_meter():
    return Meter(UNLIMITED, "pivots")


def closed_sets(play, data):
    """Any sequences, with their beginnings and an action wherever these lead."""
    found = []
    for own in play.form.players:
        wanted = data.draw(st.integers(0, 2**own.num_sequences - 1))
        plan = data.draw(st.permutations(range(own.num_sequences)))
        bits = np.array([wanted >> k & 1 for k in range(own.num_sequences)], dtype=bool)
        found.append(likely_supports._closed(own, bits, np.array(plan, dtype=float)))
    return found


@GAMES
@given(data=st.data())
@settings(max_examples=25)
def test_kept_sequences_are_closed(name, data):
    play, _ = plays()[name]
    for own, kept in zip(play.form.players, closed_sets(play, data), strict=True):
        assert kept[0]
        for parent, (start, stop) in zip(
            own.parent_sequence, pairwise(own.first_sequence), strict=True
        ):
            assert kept[start:stop].any() == kept[parent]


@GAMES
@given(data=st.data())
@settings(max_examples=25)
def test_programs_bound_the_value_whatever_is_left_out(name, data):
    play, value = plays()[name]
    bounds = []
    for player, kept in enumerate(closed_sets(play, data)):
        part = likely_supports._part(play, player, kept)
        basis = solve_float(part.floats).basis
        bounds.append(solve_exactly(part.exact, basis).value)
    assert bounds[0] <= value <= bounds[1]


@given(extensive_form_games(zero_sum=True, kinds=tuple(PayoffKind)))
@settings(max_examples=10)
def test_any_tree_has_the_value_of_its_whole_program(game):
    weights = likely_minimax_plans(new_play(game), a_meter(), exactly=True)
    whole = sequence_form_lp(game).certificate
    if weights is None:  # the road may end; it may not mislead
        return
    profile = linear_program.plan_profile(sequence_form(game), *weights)
    certificate = gt.certify_minimax(game, profile)
    assert (certificate.lower, certificate.upper) == (whole.game_value, whole.game_value)


@pytest.mark.parametrize(
    ("build", "value"), [(kuhn_poker, Fraction(-1, 18)), (liars_dice, Fraction(1, 16))]
)
def test_classics_are_solved_exactly_on_likely_sequences(build, value, always, monkeypatch):
    monkeypatch.setattr(linear_program, "solve_certified", None)  # would fail if called
    certificate = sequence_form_lp(build()).certificate
    certificate.verify()
    assert (certificate.lower, certificate.upper) == (value, value)


@pytest.mark.parametrize(
    ("rules", "value"),
    [
        (LiarsDiceRules(sides=5), Fraction(1, 125)),
        pytest.param(LiarsDiceRules(sides=6), Fraction(-7, 258), marks=pytest.mark.slow),
        pytest.param(LiarsDiceRules(sides=3, dice=2), Fraction(5, 81), marks=pytest.mark.slow),
    ],
)
def test_large_dice_need_no_whole_program(rules, value, monkeypatch):
    """Values found here; HiGHS agrees in floats."""
    monkeypatch.setattr(linear_program, "solve_certified", None)  # would fail if called
    certificate = sequence_form_lp(lay_out_rules(rules)).certificate
    certificate.verify()
    assert (certificate.lower, certificate.upper) == (value, value)


@POKERS
def test_replies_name_what_is_missing(build, always, monkeypatch):
    """From one sequence at each set they reach, replies alone lead to supports that suffice."""
    monkeypatch.setattr(likely_supports, "TRIALS", ((1, 2.0),) * 40)
    monkeypatch.setattr(linear_program, "solve_certified", None)
    assert sequence_form_lp(build()).certificate.epsilon == 0


@pytest.mark.parametrize("side", ["vertex_if_feasible", "multipliers_if_feasible"])
def test_wrong_basis_is_put_right(side, always, monkeypatch):
    monkeypatch.setattr(likely_supports, side, lambda *_: None)
    monkeypatch.setattr(linear_program, "solve_certified", None)
    assert sequence_form_lp(kuhn_poker()).certificate.game_value == Fraction(-1, 18)


def test_values_that_differ_beyond_floats_are_not_taken_for_equal(always, monkeypatch):
    """Bounds that floats hold for equal go on to the next trial, and in the end to the whole."""
    monkeypatch.setattr(likely_supports, "CLOSE", 1e9)
    monkeypatch.setattr(likely_supports, "TRIALS", ((1, 2.0),))
    assert likely_minimax_plans(new_play(kuhn_poker()), a_meter(), exactly=True) is None
    assert sequence_form_lp(kuhn_poker()).certificate.game_value == Fraction(-1, 18)


def test_whole_program_answers_where_likely_sequences_do_not(always, monkeypatch):
    monkeypatch.setattr(linear_program, "likely_minimax_plans", lambda *_, **__: None)
    assert sequence_form_lp(kuhn_poker()).certificate.game_value == Fraction(-1, 18)


def test_tolerance_is_met_by_rounded_floats(always, monkeypatch):
    monkeypatch.setattr(likely_supports, "_exact_plans", None)  # would fail if called
    certificate = sequence_form_lp(kuhn_poker(), tolerance=1e-8).certificate
    certificate.verify()
    assert 0 < certificate.epsilon <= Fraction(1e-8)
    assert max(p.denominator for p in certificate.profile.flat.tolist()) <= 2**50


def test_tolerance_beyond_floats_is_met_exactly(always):
    certificate = sequence_form_lp(kuhn_poker(), tolerance=1e-300).certificate
    assert certificate.epsilon == 0


def test_budget_that_ends_leaves_the_average_of_play(always, monkeypatch):
    monkeypatch.setattr(likely_supports, "TRIALS", ((10**9, 1e-3),))
    game = liars_dice(sides=3)
    with pytest.raises(gt.NotConverged, match="the budget ended with epsilon") as caught:
        sequence_form_lp(game, budget=Budget(seconds=1))
    best = caught.value.best.certificate
    best.verify()
    assert best.epsilon < gt.certify_minimax(game, uniform_behavior(game)).epsilon / 10


def test_play_is_reported_and_can_be_stopped(always):
    reports = []

    def stop(progress):
        reports.append(progress.done)
        if len(reports) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="^$"):
        sequence_form_lp(leduc_poker(), on_iteration=stop)
    assert reports == [0, 0, 0]  # no pivot yet


def test_same_tree_has_the_same_answer(always):
    first, second = (sequence_form_lp(leduc_poker()).profile for _ in range(2))
    assert first == second


def test_many_likes_of_a_large_program_are_merged(monkeypatch):
    """Leduc poker has 0.31 as many classes as rows and columns, since suits do not matter."""
    monkeypatch.setattr(linear_program, "LARGE", -1)
    monkeypatch.setattr(linear_program, "likely_play", None)  # would fail if called
    assert sequence_form_lp(leduc_poker()).certificate.epsilon == 0


def test_wrong_likes_show_in_the_certificate_of_the_whole(monkeypatch):
    """As if two hashes collided: passing and betting with the first card are one action."""
    tried = []

    def wrong(program, **_):
        columns = np.arange(program.num_columns, dtype=np.int32)
        columns[2:] -= 1
        tried.append(program.num_columns)
        return Likes(np.arange(program.num_rows, dtype=np.int32), columns)

    monkeypatch.setattr(linear_program, "SMALL", 0)
    monkeypatch.setattr(linear_program, "likes", wrong)
    certificate = sequence_form_lp(kuhn_poker()).certificate
    assert tried
    assert certificate.epsilon == 0
    assert certificate.game_value == Fraction(-1, 18)


def test_likes_of_another_game_show_in_the_certificate_of_the_whole(monkeypatch):
    """Plans of a game that pays the opposite are plans, and not optimal ones."""
    kuhn = sequence_program(sequence_form(kuhn_poker()))

    class Wrong(Likes):
        def merged(self, program):
            paid = (program.rows < kuhn.num_opponent) & (program.columns < kuhn.num_own)
            values = np.where(paid, -program.values, program.values)
            return replace(program, values=values)

    def all_different(program, **_):
        return Wrong(np.arange(program.num_rows), np.arange(program.num_columns))

    monkeypatch.setattr(linear_program, "SMALL", 0)
    monkeypatch.setattr(linear_program, "likes", all_different)
    certificate = sequence_form_lp(kuhn_poker()).certificate
    assert certificate.epsilon == 0
    assert certificate.game_value == Fraction(-1, 18)
