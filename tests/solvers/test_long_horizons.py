"""Long games are refused before time is spent, or stop soon after their budget ends."""

import time

import pytest

from gametheory_core import NotConverged, UnsupportedGame
from gametheory_core.catalog import RepeatedGame
from gametheory_core.leaders import DeterministicLeader, follower_response, leader_view
from gametheory_core.leaders.follower_problems import highest_return
from solvers import Budget, leaders, markov
from tests.solvers.long_game import watched_house

DEFECT = DeterministicLeader((1,) * 5)
BOUNDED = (
    leaders.markov_stackelberg,
    leaders.stochastic_markov_commitment,
    leaders.commitment_upper_bound,
)


@pytest.mark.parametrize("solver", BOUNDED)
@pytest.mark.parametrize("steps", [10_000, 10**12])
def test_long_games_are_refused_with_size_and_bound(solver, steps):
    cells = 3 * 2 * 3 * 3 * steps
    with pytest.raises(
        UnsupportedGame, match=rf"has {cells:,} cells .* No leader gets more than 10(\.0)?, "
    ):
        solver(watched_house(steps), budget=Budget(seconds=1))


def test_deception_in_long_games_is_refused_by_all_its_programs():
    said = r"takes [\d,]+: 4 dynamic programs of [\d,]+ cells.* No leader gets more than 10(\.0)?, "
    with pytest.raises(UnsupportedGame, match=said):
        leaders.deceiving_leader(watched_house(10**6))


@pytest.mark.parametrize("steps", [10**5, 10**6])
def test_long_games_in_integers_are_refused_with_bits_and_bound(steps):
    """Where all denominators are 1, numbers are as long as sums of rewards: not 0 bits."""
    view = leader_view(RepeatedGame.of("prisoners_dilemma", rounds=steps))
    most = rf"5\.00e\+{len(str(steps)) - 1}"
    said = rf"of up to {(5 * steps).bit_length()} bits, .* No leader gets more than {most}, "
    for ask in (leaders.markov_stackelberg, lambda v: follower_response(v, DEFECT)):
        with pytest.raises(UnsupportedGame, match=said):
            ask(view)


def test_endless_sum_bounds_that_of_many_steps():
    few, many = (leader_view(watched_house(steps)) for steps in (10_000, 10_001))
    assert highest_return(few) < highest_return(many) == 10


@pytest.mark.parametrize("solver", BOUNDED[1:])
def test_bounds_of_allowed_games_stop_with_their_time(solver):
    started = time.perf_counter()
    with pytest.raises(NotConverged, match="needs a larger budget") as caught:
        solver(watched_house(300), budget=Budget(seconds=0.05))
    assert caught.value.best is not None
    assert time.perf_counter() - started < 10


@pytest.mark.parametrize(
    "solver",
    [
        markov.stage_nash_induction,
        markov.stage_stackelberg_induction,
        markov.stage_correlated_induction,
    ],
)
def test_inductions_of_long_games_stop_with_their_time(solver):
    started = time.perf_counter()
    with pytest.raises(NotConverged, match="needs all 79999 stages, but the budget ended"):
        solver(watched_house(40_000), budget=Budget(iterations=2))
    assert time.perf_counter() - started < 60  # hours, if the rest were measured


def test_what_is_left_is_measured_if_that_is_soon_done():
    for steps, is_measured in ((20, True), (4000, False)):
        with pytest.raises(NotConverged, match="needs all") as caught:
            markov.stage_nash_induction(watched_house(steps), budget=Budget(iterations=2))
        assert (caught.value.best is not None) == is_measured


def test_long_numbers_are_rounded_in_messages():
    with pytest.raises(NotConverged, match="the best one found gets about") as caught:
        leaders.markov_stackelberg(watched_house(1500), budget=Budget(seconds=0))
    assert caught.value.best.certificate.epsilon > 0
