"""Rules to tables: only what can be reached, the same laws, and malformed answers refused."""

from itertools import count

import pytest

from gametheory_core import InvalidGame, UnsupportedGame
from gametheory_core.conversions import Preserved, aec_to_tabular, posg_to_tabular
from gametheory_core.distributions import point_mass
from gametheory_core.games import stop_aec, stop_posg
from tests.core.conversions.changed_rules import changed, counting
from tests.theorems.random_rules import ACTIONS, ENDED, RandomAEC, RandomPOSG

POSG, AEC = RandomPOSG(1), RandomAEC(1)


def table_of(game):
    convert = aec_to_tabular if hasattr(game, "next_player") else posg_to_tabular
    return convert(game, max_states=40).target


@pytest.mark.parametrize("game", [POSG, AEC])
def test_table_of_a_table_is_the_table(game):
    table = table_of(game)
    convert = aec_to_tabular if game is AEC else posg_to_tabular
    again = convert(table)
    assert again.target is table
    assert again.preserves == frozenset(Preserved)
    plays, policies = object(), object()
    assert again.correspondence.to_target(policies) is policies
    assert again.correspondence.to_source(policies) is policies
    assert again.correspondence.outcome_to_source(plays) == point_mass(plays)


@pytest.mark.parametrize("seed", range(4))
def test_table_of_a_posg_answers_as_its_rules_do(seed):
    game = RandomPOSG(seed)
    table = posg_to_tabular(game).target
    assert dict(table.initial()) == dict(game.initial())
    seen_after = 0
    for key in table.row_key.tolist():
        state, code = divmod(key, table.num_joint_actions)
        label, joint = table.states[state], table.joint_action(code)
        law = table.transition(label, joint)
        assert dict(law) == dict(game.transition(label, joint))
        for after, _ in law:
            assert table.reward(label, joint, after) == game.reward(label, joint, after)
            if after != ENDED:
                assert dict(table.observation(joint, after)) == dict(game.observation(joint, after))
                seen_after += 1
    assert seen_after > 4


def test_table_of_an_aec_game_answers_as_its_rules_do():
    table = aec_to_tabular(AEC).target
    assert table.initial_state == AEC.initial_state
    assert dict(table.chance(0)) == dict(AEC.chance(0))
    asked = 0
    for state in set(table.states) - {ENDED}:
        for player in range(2):
            assert dict(table.observation(player, state)) == dict(AEC.observation(player, state))
            for action in ACTIONS:
                after = AEC.move(player, state, action)
                question = (state, player, action, after)
                assert table.move(player, state, action) == after
                assert dict(table.reward(*question)) == dict(AEC.reward(*question))
                if after != ENDED:
                    assert dict(table.next_player(*question)) == dict(AEC.next_player(*question))
                    asked += 1
    assert asked >= 3


def test_horizon_limits_what_is_stored():
    assert aec_to_tabular(counting(horizon=3)).target.states == (0, 1, 2, 3)
    steps = changed(
        POSG,
        initial=lambda: point_mass(0),
        transition=lambda state, _: point_mass(state + 1),
        is_terminal=lambda _: False,
        horizon=3,
    )
    table = posg_to_tabular(steps).target
    assert table.states == (0, 1, 2, 3)
    assert set(table.row_state.tolist()) == {0, 1, 2}  # nobody acts in state 3 any more


def test_nothing_is_played_where_the_game_is_over_at_once():
    assert table_of(changed(AEC, initial_state=ENDED)).row_key.size == 0
    assert table_of(changed(AEC, horizon=0)).row_key.size == 0
    assert table_of(changed(POSG, initial=lambda: point_mass(ENDED))).row_key.size == 0
    assert table_of(stop_posg(POSG, steps=0)).row_key.size == 0


def test_observations_without_anyone_to_act_on_them_are_not_asked_for():
    def never(*_):
        raise AssertionError

    ends = changed(POSG, transition=lambda *_: point_mass(ENDED), observation=never)
    assert ENDED in table_of(ends).states


def test_too_many_states_are_refused_with_their_number():
    steps = changed(POSG, initial=lambda: point_mass(0), transition=lambda s, _: point_mass(s + 1))
    steps.is_terminal = lambda _: False
    with pytest.raises(
        UnsupportedGame,
        match=r"posg_to_tabular: needs at most max_states = 40 pairs of state and joint "
        r"observation, but random POSG has more than 4\d within \d+ steps.*stop_posg",
    ):
        posg_to_tabular(steps, max_states=40)
    with pytest.raises(
        UnsupportedGame,
        match=r"aec_to_tabular: needs at most max_states = 40 pairs of state and mover, but "
        r"random AEC game has more than 40 within 40 moves.*stop_aec",
    ):
        aec_to_tabular(counting(), max_states=40)


def test_the_largest_allowed_table_is_built():
    ring = counting(lambda state: (state + 1) % 40)
    assert len(aec_to_tabular(ring, max_states=40).target.states) == 40


def test_as_many_joint_actions_as_states_are_allowed_and_no_more():
    once = changed(
        POSG,
        initial=lambda: point_mass("room"),
        initial_observation=lambda _: point_mass(("x", "x")),
        legal_actions=lambda *_: ACTIONS[:2],
        transition=lambda *_: point_mass(ENDED),
    )
    assert posg_to_tabular(once, max_states=4).target.num_joint_actions == 4
    with pytest.raises(UnsupportedGame, match="at most max_states = 3 joint .* there are 4 in"):
        posg_to_tabular(once, max_states=3)


def test_moves_that_change_from_question_to_question_are_refused():
    numbers = count()
    with pytest.raises(InvalidGame, match=r"^move\(0, 1, 'a'\): needs the same state each time"):
        aec_to_tabular(changed(AEC, move=lambda *_: next(numbers)))


def test_tables_say_what_they_do_not_hold():
    table = posg_to_tabular(stop_posg(POSG, steps=1)).target
    with pytest.raises(InvalidGame, match=r"is not possible in state 'ended'"):
        table.transition(ENDED, ("a", "a"))
    turns = aec_to_tabular(stop_aec(AEC, moves=1)).target
    with pytest.raises(InvalidGame, match="never moves in state 1"):
        turns.observation(0, 1)
    with pytest.raises(InvalidGame, match="mover -1 cannot do NULL in state 1"):
        turns.chance(1)
    assert turns.is_terminal(1) is False


def test_progress_is_told():
    for game, convert in ((POSG, posg_to_tabular), (AEC, aec_to_tabular)):
        told = []
        convert(game, on_iteration=told.append)
        assert told == sorted(told)
        assert told[-1] >= 3
