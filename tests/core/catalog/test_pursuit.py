"""Pursuit: who is paid for what, before the evader's luck and after it."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument
from gametheory_core.catalog import Grid, Pursuit, RewardTime
from gametheory_core.distributions import point_mass
from gametheory_core.games import CHANCE
from tests.core.catalog.walks import aec_returns, aec_steps

BEFORE = Pursuit(RewardTime.BEFORE_EVADER)
AFTER = Pursuit(RewardTime.AFTER_EVADER)
CELLS = st.tuples(st.integers(0, 2), st.integers(0, 2))


def test_both_games_move_alike():
    def moves(game):
        return {(s.state, s.mover, s.action, s.next_state) for s in aec_steps(game)}

    assert moves(BEFORE) == moves(AFTER)


def test_only_chance_is_paid_differently():
    """Without chance's rewards, pay after the evader's move is pay before it."""
    before, after = (
        {(s.state, s.mover, s.action, s.next_state): s.rewards for s in aec_steps(game)}
        for game in (BEFORE, AFTER)
    )
    own = {turn for turn in before if turn[1] != CHANCE}
    assert all(before[turn] == after[turn] for turn in own)
    luck = set(before) - own
    assert all(before[turn] == (0, 0) for turn in luck)
    assert any(after[turn] != (0, 0) for turn in luck)


def test_a_cycle_pays_for_what_is_true_at_its_end():
    steps = aec_steps(AFTER)
    last_move = {s.next_state: s.rewards for s in steps if s.mover == 1}
    paid = 0
    for step in steps:
        if step.mover == CHANCE and step.state.evader is not None:
            sums = tuple(map(sum, zip(last_move[step.state], step.rewards, strict=True)))
            assert sums == AFTER.surrounding(step.next_state)
            paid += sum(sums)
    assert paid > 0


def test_evader_slips_away_unpaid():
    cornered = Grid(((0, 1), (1, 0)), (0, 0), 0)
    law = AFTER.chance(cornered)
    assert AFTER.surrounding(cornered) == (5, 5)
    escapes = sum((w for s, w in law if AFTER.surrounding(s) == (0, 0)), Fraction(0))
    assert escapes == Fraction(2, 3)


def test_evaders_luck_takes_two_thirds_from_those_who_surround_it():
    """On 2 x 2 cells the pursuers can always surround it, and it stays with probability 1/3."""

    def corner(on_the_diagonal):
        return lambda seen: point_mass(
            on_the_diagonal if len(set(seen[-1].evader)) == 1 else "stay"
        )

    returns = {
        time: aec_returns(Pursuit(time, side=2, cycles=1), [corner("right"), corner("left")])
        for time in RewardTime
    }
    assert returns[RewardTime.BEFORE_EVADER] == (5, 5)
    assert returns[RewardTime.AFTER_EVADER] == (Fraction(5, 3), Fraction(5, 3))


@given(CELLS, CELLS, CELLS)
def test_surrounding_asks_that_no_free_cell_is_beside_the_evader(first, second, evader):
    """Two pursuers can only surround an evader in a corner, from both cells beside it."""
    row, column = evader
    beside = {(r, c) for r in range(3) for c in range(3) if abs(r - row) + abs(c - column) == 1}
    rewards = BEFORE.surrounding(Grid((first, second), evader, 0))
    assert rewards == ((5, 5) if {first, second} == beside else (0, 0))


@pytest.mark.parametrize("side", [2, 3])
def test_nobody_is_surrounded_before_the_evader_is_on_the_grid(side):
    game = Pursuit(RewardTime.AFTER_EVADER, side=side)
    assert game.surrounding(game.initial_state) == (0, 0)


def test_evader_moves_evenly_to_cells_on_the_grid():
    law = AFTER.chance(Grid(((0, 0), (2, 2)), (0, 1), 0))
    assert {state.evader for state, _ in law} == {(0, 0), (0, 1), (0, 2), (1, 1)}
    assert {weight for _, weight in law} == {Fraction(1, 4)}
    assert all(state.cycle == 1 for state, _ in law)


def test_evader_starts_anywhere():
    law = AFTER.chance(AFTER.initial_state)
    assert len(law) == 9
    assert all(state.cycle == 0 for state, _ in law)


@pytest.mark.parametrize("game", [BEFORE, AFTER], ids=["before", "after"])
def test_nobody_leaves_the_grid_and_moves_are_single_steps(game):
    for step in aec_steps(game):
        if step.mover == CHANCE:
            continue
        old, new = (s.pursuers[step.mover] for s in (step.state, step.next_state))
        assert all(0 <= place < 3 for place in new)
        assert abs(old[0] - new[0]) + abs(old[1] - new[1]) == (step.action != "stay")
        other = 1 - step.mover
        assert step.state.pursuers[other] == step.next_state.pursuers[other]


def test_evader_moves_once_a_cycle_after_the_pursuers():
    turns = {0: {1}, 1: {CHANCE}, CHANCE: {0}}
    assert all(
        step.next_movers == turns[step.mover]
        for step in aec_steps(BEFORE)
        if not BEFORE.is_terminal(step.next_state)
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reward_time": "before"}, "member of RewardTime, but got 'before'"),
        (
            {"reward_time": RewardTime.BEFORE_EVADER, "side": 1},
            "side to be an integer from 2 to 20",
        ),
        ({"reward_time": RewardTime.AFTER_EVADER, "cycles": 0}, "cycles to be an integer from 1"),
    ],
)
def test_bad_parameters_are_refused(options, message):
    with pytest.raises(InvalidArgument, match=message):
        Pursuit(**options)
