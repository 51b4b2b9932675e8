"""Mediated games from functions and listings: followed from the start, or refused with the row."""

from fractions import Fraction

import pytest

from gametheory_core import InvalidArgument, InvalidGame, UnsupportedGame
from gametheory_core.distributions import distribution, point_mass
from gametheory_core.mediation import list_mediated_game, mediated_game

WALK = {
    "players": ["Ann", "Bob"],
    "horizon": 3,
    "initial": {0: 1},
    "actions": [["up"], ["up", "stay"]],
    "play": lambda state, leader, action: (
        (leader, state),
        {state + 1: "1/2", state: "1/2"} if action == "up" else {state: 1},
    ),
}
STEPS = {
    ("start", 0, "left"): ((2, 1), {"end": 1}),
    ("start", 1, "right"): ((1, 2), point_mass("end")),
}


def walk(**changes):
    return mediated_game(**{**WALK, **changes})


def listing(steps):
    return list_mediated_game(players=["Ann", "Bob"], horizon=2, initial={"start": 1}, steps=steps)


def test_states_are_followed_to_the_horizon_and_the_last_have_no_rows():
    game = walk()
    assert game.states == (0, 1, 2, 3)
    assert [game.is_terminal(s) for s in range(4)] == [False, False, False, True]
    assert game.actions == (("up",), ("up", "stay"))
    assert not game.is_deterministic
    row = game.row(2, 1, 0)
    assert game.rewards[row].tolist() == [1, 2]
    assert game.transition_kernel.law(row, game.states) == distribution({3: "1/2", 2: "1/2"})


def test_end_of_play_is_said_or_is_where_nobody_can_act():
    said = walk(is_terminal=lambda state: state == 1)
    empty = walk(actions=lambda state, leader: () if state == 1 else WALK["actions"][leader])
    assert said == empty
    assert said.states == (0, 1)
    assert said.is_terminal(1)


def test_actions_may_depend_on_the_state():
    game = walk(actions=lambda state, _: ("up", "stay") if state == 0 else ("up",))
    assert [game.legal(s, 0) for s in range(3)] == [(0, 1), (0,), (0,)]


def test_rows_are_those_of_their_steps_in_whatever_order_actions_are_said():
    game = walk(
        actions=lambda state, _: ("a", "b", "c") if state % 2 else ("c", "a"),
        play=lambda s, i, a: ((s + 10 * i, ord(a)), {s + "acb".index(a): 1}),
    )
    assert game.actions == (("c", "a", "b"),) * 2
    for row, key in enumerate(zip(game.row_state, game.row_leader, game.row_action, strict=True)):
        state, leader, action = map(int, key)
        label, letter = game.states[state], game.actions[leader][action]
        assert game.rewards[row].tolist() == [label + 10 * leader, ord(letter)]
        law = game.transition_kernel.law(row, game.states)
        assert law == point_mass(label + "acb".index(letter))
    assert len(game.row_key) > 10


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"horizon": 0}, InvalidArgument, "horizon to be an integer of at least 1, but got 0"),
        ({"max_states": 0}, InvalidArgument, "max_states to be an integer of at least 1"),
        ({"max_states": 2}, UnsupportedGame, r"max_states = 2 states, .* within 2 steps"),
        ({"players": 2}, InvalidArgument, "players to be a sequence, but got 2"),
        ({"players": "ab"}, InvalidArgument, "players to be a sequence, but got 'ab'"),
        ({"actions": 5}, InvalidArgument, "actions to be a sequence, but got 5"),
        ({"actions": [5, 5]}, InvalidArgument, "the actions of each player to be a sequence"),
        ({"actions": lambda *_: 5}, InvalidArgument, r"actions\(0, 0\): needs actions to be a seq"),
        ({"play": {}}, InvalidArgument, r"play to be a function, but got \{\}"),
        ({"is_terminal": 5}, InvalidArgument, "is_terminal to be a function, but got 5"),
        ({"title": 5}, InvalidArgument, "title to be of type str, but got 5"),
        ({"discount": 2}, InvalidGame, r"number in \[0, 1\]"),
        ({"players": [], "actions": WALK["play"]}, InvalidGame, "at least one player"),
        ({"actions": [["up"]]}, InvalidGame, "actions for each of 2 players, but has 1"),
        ({"actions": [["up"], ["up", "up"]]}, InvalidGame, "different actions of 'Bob'"),
        ({"actions": lambda _s, _i: ("a", "a")}, InvalidGame, r"actions\(0, 0\): .* of 'Ann'"),
        (
            {"actions": lambda s, i: () if (s, i) == (1, 1) else ("up",)},
            InvalidGame,
            "in state 1 'Bob' has none and 'Ann' has some",
        ),
        ({"initial": {0: "1/2"}}, InvalidGame, "initial.*sum to exactly 1"),
        ({"play": lambda *_: (1, 2, 3)}, InvalidGame, r"play\(0, 0, 'up'\): needs a pair"),
        ({"play": lambda *_: ((1,), {0: 1})}, InvalidGame, r"play\(0, 0, 'up'\).*2 rewards"),
        ({"play": lambda *_: ((1, "x"), {0: 1})}, InvalidGame, "reward of 'Bob'"),
        ({"play": lambda *_: ((1, 2), {0: 1, 1: 1})}, InvalidGame, "sum to exactly 1"),
        ({"play": lambda *_: ((1, 2), 0)}, InvalidGame, r"play\(0, 0, 'up'\): needs \{outcome"),
    ],
)
def test_malformed_rules_are_refused_with_the_question(changes, error, message):
    with pytest.raises(error, match=message):
        walk(**changes)


def test_listing_has_an_end_where_no_step_starts():
    game = listing(STEPS)
    assert game.states == ("start", "end")
    assert game.is_terminal(1)
    assert game.rewards.tolist() == [[Fraction(2), Fraction(1)], [Fraction(1), Fraction(2)]]


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ({("strat", 0, "left"): ((0, 0), {"end": 1})}, r"steps\[\('strat', 0, 'left'\)\] is never"),
        ({("start", 2, "left"): ((0, 0), {"end": 1})}, r"player in 0\.\.1, but names 2"),
        ({("start", "left"): ((0, 0), {"end": 1})}, "steps: needs keys of 3 parts"),
    ],
)
def test_superfluous_or_malformed_step_is_refused(extra, message):
    with pytest.raises(InvalidGame, match=message):
        listing({**STEPS, **extra})


def test_listing_of_another_type_is_refused():
    with pytest.raises(InvalidArgument, match="steps to be of type Mapping"):
        listing([1, 2])
