"""Plays: what they promise, how they stop and go on, whatever the dynamics."""

from fractions import Fraction
from functools import partial
from time import perf_counter, sleep

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.arrays import exact_array
from gametheory_core.catalog import random_game
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import Budget, fictitious_play, regret_matching
from solvers.dynamics import (
    Order,
    hedge,
    projected_replicator,
    regret_matching_plus,
    repeated_play,
    replicator,
    smoothed_fictitious_play,
)
from solvers.dynamics.play import Dynamics, PlayRequest, run_play
from solvers.dynamics.repeated_play import NUMPY_STEPS
from solvers.local_rules import TieRule
from solvers.solution import Meter
from tests.sample_sizes import examples

FIXED = {
    "regret_matching": regret_matching,
    "regret_matching_plus": regret_matching_plus,
    "hedge": hedge,
    "hedge_constant": partial(hedge, rate=0.1),
    "fictitious_play": fictitious_play,
    "alternating": partial(fictitious_play, order=Order.ALTERNATING, ties=TieRule.REPEAT),
    "smoothed": partial(smoothed_fictitious_play, temperature=0.5),
    "replicator": replicator,
    "mutating": partial(replicator, mutation=0.01),
    "projected": partial(projected_replicator, exploration=0.1),
}
DRAWN = {
    name: FIXED[name]
    for name in ("regret_matching", "regret_matching_plus", "hedge", "hedge_constant", "smoothed")
}
GAMES = normal_form_games(
    num_players=(1, 3), max_actions=3, kinds=(PayoffKind.DEGENERATE, PayoffKind.FLOAT)
)


def lopsided(game):
    return gt.MixedProfile(tuple(np.arange(1, n + 1) / (n * (n + 1) / 2) for n in game.num_actions))


@pytest.mark.parametrize("name", FIXED)
@examples(8)
@given(game=GAMES)
def test_any_game_can_be_played_and_its_certificates_verify(name, game):
    play = FIXED[name](game, steps=30, samples=7)
    play.nash.verify()
    play.coarse_correlated.verify()
    assert play.state.steps == 30
    assert play.sampled_steps[0] == 0
    assert play.sampled_steps[-1] == 30
    for own, average, count in zip(
        play.trajectories, play.average_trajectories, game.num_actions, strict=True
    ):
        assert own.shape == average.shape == (len(play.sampled_steps), count)
        assert own.min() >= 0
        assert np.allclose(own.sum(axis=1), 1)
        assert np.allclose(average.sum(axis=1), 1)
    assert play.average == play.empirical.marginals


@pytest.mark.parametrize("name", DRAWN)
@examples(8)
@given(game=GAMES, seed=st.integers(0, 99))
def test_drawn_play_is_the_exact_count_of_joint_actions(name, game, seed):
    play = DRAWN[name](game, steps=30, rng=np.random.default_rng(seed))
    again = DRAWN[name](game, steps=30, rng=np.random.default_rng(seed))
    assert all((30 * p).denominator == 1 for p in play.empirical.probabilities)
    assert play.empirical == again.empirical
    play.certificate.verify()


@pytest.mark.parametrize("name", FIXED)
@pytest.mark.parametrize(
    "game_name", ["shapley_cycle", pytest.param("rock_paper_scissors", marks=pytest.mark.slow)]
)
def test_play_in_parts_is_the_play_in_one(name, game_name):
    game = gt.load_game(game_name)
    steps = NUMPY_STEPS + 60 if "replicator" not in name and name != "mutating" else 120
    whole = FIXED[name](game, steps=steps)
    first = FIXED[name](game, steps=steps - 47)
    second = FIXED[name](game, steps=47, start=first.state)
    assert np.array_equal(whole.state.totals, second.state.totals)
    assert np.array_equal(whole.state.memory, second.state.memory)
    assert whole.last == second.last


@pytest.mark.parametrize("name", DRAWN)
def test_drawn_play_in_parts_is_the_play_in_one(name):
    game = gt.load_game("shapley_cycle")
    whole = DRAWN[name](game, steps=NUMPY_STEPS + 60, rng=np.random.default_rng(3))
    rng = np.random.default_rng(3)
    first = DRAWN[name](game, steps=NUMPY_STEPS - 20, rng=rng)
    second = DRAWN[name](game, steps=80, rng=rng, start=first.state)
    assert whole.empirical == second.empirical


@pytest.mark.parametrize("name", ["regret_matching", "fictitious_play", "replicator"])
def test_tolerance_is_met_by_the_certificate(name):
    play = FIXED[name](gt.load_game("matching_pennies"), steps=100_000, tolerance=0.05)
    play.certificate.verify()
    assert play.certificate is play.nash
    assert play.epsilon <= 0.05
    assert play.state.steps < 100_000 or name == "replicator"


def test_tolerance_is_about_empirical_play_in_general_sum():
    play = regret_matching(
        gt.load_game("shapley_cycle"),
        initial=lopsided(gt.load_game("shapley_cycle")),
        tolerance=0.02,
    )
    assert play.certificate is play.coarse_correlated
    assert play.epsilon <= 0.02


@pytest.mark.parametrize("name", FIXED)
def test_tolerance_that_is_not_met_raises_with_the_play_so_far(name):
    game = gt.NormalFormGame.zero_sum([[2, -1], [-1, 1]])
    with pytest.raises(
        gt.NotConverged, match=r"needs an epsilon of at most 1e-12, but after 20 st"
    ):
        FIXED[name](game, steps=20, tolerance=1e-12)
    with pytest.raises(gt.NotConverged, match=r"start=error\.best\.state") as caught:
        FIXED[name](game, steps=20, tolerance=1e-12)
    best = caught.value.best
    assert FIXED[name](game, steps=5, start=best.state).state.steps == 25


def test_budget_that_ends_raises_with_a_play_to_go_on_from():
    game = gt.load_game("rock_paper_scissors")
    with pytest.raises(
        gt.NotConverged, match=r"needs 100 steps, but the budget ended 70"
    ) as caught:
        regret_matching(game, steps=100, budget=Budget(iterations=30))
    assert caught.value.best.state.steps == 30
    rest = regret_matching(game, steps=70, start=caught.value.best.state)
    assert rest.empirical == regret_matching(game, steps=100).empirical


def test_no_budget_at_all_gives_the_first_strategies():
    game = gt.load_game("rock_paper_scissors")
    with pytest.raises(gt.NotConverged, match="the budget ended 100 before") as caught:
        regret_matching(game, steps=100, budget=Budget(seconds=0))
    caught.value.best.nash.verify()
    assert caught.value.best.average == gt.uniform_profile(game)


def test_progress_is_reported_at_each_sample():
    seen = []
    regret_matching(
        gt.load_game("chicken"), steps=50, samples=5, on_iteration=lambda p: seen.append(p.done)
    )
    assert seen == [10, 20, 30, 40, 50]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"steps": 0}, "needs steps to be an integer of at least 1, but got 0"),
        ({"samples": 0}, "needs samples to be an integer of at least 1, but got 0"),
        ({"tolerance": 0.0}, r"needs a finite tolerance above 0, but got 0\.0"),
        ({"tolerance": float("nan")}, "needs a finite tolerance above 0, but got nan"),
    ],
)
@pytest.mark.parametrize("name", ["regret_matching", "fictitious_play", "replicator"])
def test_impossible_options_are_refused(name, options, message):
    with pytest.raises(gt.InvalidArgument, match=f"{name}: {message}"):
        FIXED[name](gt.load_game("chicken"), **options)


def test_start_from_another_play_is_refused():
    chicken, hunt = gt.load_game("chicken"), gt.load_game("stag_hunt")
    state = regret_matching(chicken, steps=3).state
    with pytest.raises(gt.InvalidArgument, match="needs a start from a play of .*Stag hunt"):
        regret_matching(hunt, start=state)
    with pytest.raises(
        gt.InvalidArgument, match="needs a start from a play of hedge, but it is from"
    ):
        hedge(chicken, start=state)
    with pytest.raises(
        gt.InvalidArgument, match=r"of hedge\(rate=0\.5\), but it is from hedge\(rate"
    ):
        hedge(chicken, rate=0.5, start=hedge(chicken, rate=0.25, steps=3).state)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (partial(hedge, rate=0), "hedge: needs a finite rate above 0"),
        (partial(smoothed_fictitious_play, temperature=0), "needs a finite temperature above 0"),
        (partial(replicator, mutation=-1), "replicator: needs a finite mutation of at least 0"),
        (partial(replicator, step_size=0), "replicator: needs a finite step_size above 0"),
        (
            partial(projected_replicator, exploration=2),
            "needs a finite exploration of at least 0 and at most 1",
        ),
    ],
)
def test_impossible_settings_are_refused(call, message):
    with pytest.raises(gt.InvalidArgument, match=message):
        call(gt.load_game("chicken"))


def test_first_strategies_that_do_not_fit_are_refused():
    with pytest.raises(gt.InvalidStrategy, match="needs strategies over"):
        regret_matching(
            gt.load_game("chicken"), initial=gt.uniform_profile(gt.load_game("shapley_cycle"))
        )
    with pytest.raises(gt.InvalidStrategy, match="needs first_actions of .* but got"):
        fictitious_play(gt.load_game("chicken"), first_actions=(0, 2))


def test_first_step_is_what_was_asked_for():
    game = gt.load_game("chicken")
    start = gt.pure_profile(game, (1, 0))
    for play in (
        regret_matching(game, initial=start, steps=1),
        fictitious_play(game, first_actions=(1, 0), steps=1),
        replicator(game, initial=start, steps=1),
    ):
        assert play.empirical.joint_actions == ((1, 0),)


@pytest.mark.parametrize("scale", [Fraction(1, 3 * 10**9), Fraction(10**9, 7)])
@pytest.mark.parametrize("name", ["regret_matching", "hedge", "fictitious_play", "replicator"])
def test_units_of_payoffs_do_not_matter(name, scale):
    payoffs = exact_array([[2, -1], [-1, 1]])
    plain = FIXED[name](gt.NormalFormGame.zero_sum(payoffs), steps=200)
    scaled = FIXED[name](gt.NormalFormGame.zero_sum(payoffs * scale), steps=200)
    assert float(scaled.epsilon / scale) == pytest.approx(float(plain.epsilon), rel=1e-3)


def test_average_payoff_is_what_empirical_play_pays():
    game = gt.load_game("chicken")
    play = regret_matching(game, initial=lopsided(game), steps=40)
    product = [float(v) for v in gt.expected_payoffs(game, play.average)]
    correlated = [float(v) for v in play.coarse_correlated.payoffs]
    assert product != pytest.approx(correlated, abs=1e-3)


def test_tolerance_is_compared_exactly_where_floats_cannot_tell():
    game = gt.load_game("matching_pennies")
    # frequencies in quarters, so that the float below is exact
    reached = float(fictitious_play(game, steps=4).epsilon)
    with pytest.raises(gt.NotConverged, match="needs an epsilon of at most"):
        fictitious_play(game, steps=4, samples=1, tolerance=float(np.nextafter(reached, 0)))
    assert fictitious_play(game, steps=4, samples=1, tolerance=reached).state.steps == 4


def test_time_limit_ends_a_play_between_samples():
    """Steps of 2 ms: a sample of 1000 of them would take two seconds."""
    game = gt.load_game("matching_pennies")

    def advance(work, count):
        sleep(0.002 * count)
        work.totals += count
        work.steps += count

    dynamics = Dynamics("sleeping()", lambda: (np.zeros(4), np.full(4, 0.5)), advance)
    request = PlayRequest(steps=1000, tolerance=None, samples=1, start=None)
    started = perf_counter()
    with pytest.raises(gt.NotConverged, match="the budget ended") as caught:
        run_play(game, dynamics, request, Meter(Budget(seconds=0.1), "steps"))
    assert perf_counter() - started < 1
    assert 1 < caught.value.best.state.steps < 1000


@pytest.mark.parametrize("name", ["replicator", "regret_matching", "hedge", "fictitious_play"])
def test_payoffs_beyond_floats_are_refused(name):
    game = gt.NormalFormGame.zero_sum([[1e308, -1e308], [-1e308, 1e308]])
    with pytest.raises(
        gt.UnsupportedGame, match=rf"{name}: needs payoffs .* a span of 2\.0*1?E\+308"
    ):
        FIXED[name](game, steps=10)


def test_payoffs_that_add_up_beyond_floats_end_a_play_that_goes_on():
    game = gt.NormalFormGame.zero_sum([[1e305, -1e305], [-1e305, 1e305]])
    first = regret_matching(game, steps=300)
    with pytest.raises(gt.UnsupportedGame, match="finite floats over 600 steps"):
        regret_matching(game, steps=300, start=first.state)


@pytest.mark.parametrize("name", [name for name in FIXED if "replicator" not in name])
def test_the_compiled_loop_goes_on_as_the_plain_one(name, monkeypatch):
    drawn = [
        random_game(shape, rng=np.random.default_rng(1)) for shape in ((3,), (2, 3), (2, 2, 2))
    ]
    for game in (*drawn, gt.load_game("shapley_cycle"), gt.load_game("matching_pennies")):
        plays = []
        for steps in (0, 3, 10**9):
            monkeypatch.setattr(repeated_play, "NUMPY_STEPS", steps)
            plays.append(FIXED[name](game, steps=30).state)
        for other in plays[:2]:
            assert other.strategies == pytest.approx(plays[2].strategies, abs=1e-9)
            assert other.totals == pytest.approx(plays[2].totals, abs=1e-9)


def test_payoffs_that_just_fit_are_played():
    game = gt.NormalFormGame.zero_sum([[2e300, -1e300], [-1e300, 1e300]])
    assert np.isfinite(regret_matching(game, steps=100).state.strategies).all()


def test_zero_sum_play_stops_at_the_first_step_that_meets_the_tolerance():
    """Averages are near equilibrium here before the larger regret is small."""
    game, tolerance = gt.NormalFormGame.zero_sum([[2, -1], [-1, 1]]), 0.2
    plays = [fictitious_play(game, steps=steps, samples=1) for steps in range(1, 40)]
    first = next(play for play in plays if play.epsilon <= Fraction(tolerance))
    assert max(first.coarse_correlated.regrets) > tolerance
    found = fictitious_play(game, steps=40, samples=40, tolerance=tolerance)
    assert found.state.steps == first.state.steps


@pytest.mark.parametrize("name", ["rock_paper_scissors", "shapley_cycle"])
def test_the_curve_is_what_averages_leave_to_gain(name):
    start = gt.MixedProfile((np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.2, 0.6])))
    run = regret_matching(gt.load_game(name), initial=start, steps=60)
    assert [steps for steps, _ in run.curve] == run.sampled_steps[1:].tolist()
    assert run.curve[-1] == (60, pytest.approx(float(run.nash.epsilon), abs=1e-9))
    for steps, gain in run.curve[:3]:
        shorter = regret_matching(gt.load_game(name), initial=start, steps=steps)
        assert gain == pytest.approx(float(shorter.nash.epsilon), abs=1e-9)
