"""The AEC game of queued actions: its states, its tables, and the smaller one of the paper."""

from fractions import Fraction

import pytest

from gametheory_core import UnsupportedGame, conversions, uniform_policies
from gametheory_core.catalog import RepeatedGame
from gametheory_core.conversions.posg_aec import cycle_moves, cycles
from gametheory_core.distributions import point_mass, uniform
from gametheory_core.evaluation import aec_trajectories
from gametheory_core.games import CHANCE, NULL, AecPlay, Move, PosgPlay, Step, TabularAEC, stop_posg
from gametheory_core.games.rules import EMPTY
from tests.core.conversions.changed_rules import changed
from tests.theorems.random_rules import RandomPOSG

BLANK = (EMPTY, EMPTY)


def law_by_state(game, state, players):
    """Return what the rules answer in a state, whoever moves there."""
    if state == conversions.INIT or EMPTY not in state[2]:
        law = game.chance(state)
        paid = {after: game.reward(state, CHANCE, NULL, after) for after, _ in law}
        return dict(law), paid
    mover = state[2].index(EMPTY)
    seen = game.observation(mover, state)
    moves = {
        action: game.move(mover, state, action)
        for action in game.legal_actions(mover, seen.items[0][0])
    }
    turns = {game.next_player(state, mover, a, after).items[0][0] for a, after in moves.items()}
    assert turns == {mover + 1 if mover + 1 < players else CHANCE}
    return dict(seen), moves


def test_cycle_is_a_move_of_everyone_and_one_of_chance():
    assert [cycle_moves(n, 3) for n in (1, 2, 3)] == [7, 10, 13]
    assert cycle_moves(2, 0) == 1  # chance draws the first state
    assert cycle_moves(2, None) is None
    assert conversions.posg_to_aec(RandomPOSG(0, 3)).target.horizon is None
    assert conversions.posg_to_aec(stop_posg(RandomPOSG(0, 3), steps=2)).target.horizon == 9


def test_actions_are_queued_in_order_and_then_resolved():
    game = RepeatedGame.of("matching_pennies", rounds=2)
    turns = conversions.posg_to_aec(game).target
    (start, _) = turns.chance(conversions.INIT).items[0]
    assert start == ((), BLANK if start[1] == BLANK else start[1], BLANK)
    first = turns.move(0, start, "heads")
    both = turns.move(1, first, "tails")
    assert (first[2], both[2]) == (("heads", EMPTY), ("heads", "tails"))
    assert turns.observation(1, first) == turns.observation(1, start)  # the queue stays hidden
    ((after, weight),) = turns.chance(both)
    assert weight == 1
    assert after[2] == BLANK
    assert turns.reward(both, CHANCE, NULL, after).items[0][0] == (-1, 1)
    assert turns.reward(start, 0, "heads", first).items[0][0] == (0, 0)


@pytest.mark.parametrize("seed", range(8))
def test_tables_are_those_of_the_rules(seed):
    """Made by array operations, and by asking the queued rules: the same states and laws."""
    players = 1 + seed % 3
    table = conversions.posg_to_tabular(RandomPOSG(seed, players)).target
    made = conversions.posg_to_aec(table).target
    asked = conversions.aec_to_tabular(
        conversions.posg_to_aec(RandomPOSG(seed, players)).target
    ).target
    assert isinstance(made, TabularAEC)
    assert set(made.states) == set(asked.states)
    assert len(made.row_key) == len(asked.row_key)
    assert len(made.observation_key) == len(asked.observation_key)
    checked = 0
    for state in made.states:
        assert made.is_terminal(state) == asked.is_terminal(state)
        if not made.is_terminal(state):
            assert law_by_state(made, state, players) == law_by_state(asked, state, players)
            checked += 1
    assert checked > 8


def test_tables_stop_where_the_horizon_stops():
    table = conversions.posg_to_tabular(stop_posg(RandomPOSG(2), steps=1)).target
    turns = conversions.posg_to_aec(table).target
    assert turns.horizon == 4
    law = aec_trajectories(turns, uniform_policies(table))
    assert {len(play.moves) for play, _ in law} == {4}


def test_rewards_of_a_cycle_are_added_up_and_open_cycles_left_out():
    def move(mover, paid, state="s", seen=NULL, action=NULL):
        return Move((state,), mover, seen, action, (Fraction(paid), Fraction(-paid)))

    moves = (
        move(CHANCE, 100, state="before"),
        move(0, 1, seen="o1", action="a1"),
        move(1, 2, seen="o2", action="a2"),
        move(CHANCE, 4),
        move(0, 8, state="t"),
    )
    step = Step("s", ("o1", "o2"), ("a1", "a2"), (Fraction(7), Fraction(-7)))
    assert cycles(AecPlay(moves, ("u",))) == PosgPlay((step,), "u")


def test_factored_states_hold_the_last_actions():
    game = RepeatedGame.of("matching_pennies", rounds=2, recall=0)
    turns = conversions.posg_to_aec_factored(game).target
    ((start, _),) = turns.chance(conversions.INIT)
    assert start[1] == BLANK
    first = turns.move(0, start, "heads")
    assert first[1] == ("heads", EMPTY)
    both = turns.move(1, first, "heads")
    ((after, _),) = turns.chance(both)
    assert after[1] == ("heads", "heads")  # what was done last decides what is seen
    assert len(conversions.aec_to_tabular(turns).target.states) <= len(
        conversions.aec_to_tabular(conversions.posg_to_aec(game).target).target.states
    )


def test_factored_takes_observations_of_the_own_action_only():
    def sees_the_other(joint, state):
        return point_mass((joint[1], "x"))

    game = changed(RandomPOSG(1, correlated=False), observation=sees_the_other)
    game.legal_actions = lambda *_: ("a", "b")
    with pytest.raises(
        UnsupportedGame,
        match=r"depend on their own action and the state, but after \('.', '.'\) in state . "
        r"'player 1' sees .* and after another joint action with '.'.*Use posg_to_aec\.",
    ):
        conversions.posg_to_aec_factored(game)


def test_factored_takes_no_correlated_first_sight():
    game = changed(
        RandomPOSG(1, correlated=False),
        initial_observation=lambda _: uniform((("x", "x"), ("y", "y"))),
    )
    with pytest.raises(UnsupportedGame, match=r"\(EMPTY, EMPTY\) in state . observations are"):
        conversions.posg_to_aec_factored(game)


def test_factored_refuses_tables_that_are_too_large():
    with pytest.raises(UnsupportedGame, match="needs at most max_states = 2"):
        conversions.posg_to_aec_factored(RandomPOSG(1, correlated=False), max_states=2)
