"""Mediated games as tables: what is refused, with what is wrong, and identity by content."""

import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from gametheory_core import InvalidArgument, InvalidGame, mediation
from gametheory_core.arrays import exact_array
from gametheory_core.games.table_content import Kernel


def kernel(*rows):
    """Rows of (outcome, weight) pairs."""
    start = np.cumsum([0, *map(len, rows)])
    entries = [entry for row in rows for entry in row]
    return Kernel(start, np.array([x for x, _ in entries]), [w for _, w in entries])


CERTAIN = ((0, 1),)
DILEMMA = {
    "players": ("Ann", "Bob"),
    "states": ("round",),
    "actions": (("C", "D"), ("C", "D")),
    "initial_kernel": kernel(CERTAIN),
    "row_key": [0, 1, 2, 3],
    "transition_kernel": kernel(*[CERTAIN] * 4),
    "rewards": [[2, 1], [3, -2], [1, 2], [-2, 3]],
    "horizon": 4,
}


def dilemma(**changes):
    return mediation.MediatedGame(**{**DILEMMA, **changes})


def test_fields_are_kept_exact_and_read_only():
    game = dilemma(rewards=[["1/3", 0.5], [3, -2], [1, 2], [-2, 3]], discount="9/10")
    assert game.rewards[0].tolist() == [Fraction(1, 3), Fraction(1, 2)]
    assert game.discount == Fraction(9, 10)
    for array in (game.rewards, game.row_key, game.row_state, game.row_leader, game.row_action):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_rows_say_what_is_legal_and_which_row_a_step_has():
    game = dilemma()
    assert [game.row(0, i, a) for i in range(2) for a in range(2)] == [0, 1, 2, 3]
    assert game.legal(0, 0) == game.legal(0, 1) == (0, 1)
    one_color = mediation.resource_collection_one_color(players=4)
    assert [one_color.legal(0, i) for i in range(4)] == [(0, 1), (0,), (0, 1), (0,)]
    with pytest.raises(InvalidArgument, match=r"'Player 2' leading in state 'round' has \(0,\)"):
        one_color.row(0, 1, 1)
    with pytest.raises(InvalidArgument, match="needs leader to be an integer from 0 to 3"):
        one_color.row(0, 4, 0)


def test_scaled_rewards_are_the_rewards():
    game = dilemma(rewards=[["1/3", "1/2"], [3, -2], [1, 2], [-2, 3]])
    assert game.scaled_rewards.denominator == 6
    assert game.scaled_rewards.numerators.tolist()[0] == [2, 3]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": ()}, "at least one player"),
        ({"players": ("Ann", "Ann")}, "'Ann' stands at positions 1 and 2"),
        ({"states": ("round", "round")}, "different states"),
        ({"actions": (("C", "D"),)}, "actions for each of 2 players, but has 1"),
        ({"actions": (("C", "D"), ())}, "at least one action of 'Bob'"),
        ({"actions": (("C", "C"), ("C", "D"))}, "different actions of 'Ann'"),
        ({"horizon": 0}, "horizon of at least 1 step, but has 0"),
        ({"horizon": True}, "horizon of at least 1 step, but has True"),
        ({"horizon": None}, "horizon of at least 1 step, but has None"),
        ({"discount": Fraction(11, 10)}, r"number in \[0, 1\], but is 11/10"),
        ({"discount": -1}, r"number in \[0, 1\], but is -1"),
        ({"row_key": [0, 1, 2, 4]}, r"row_key in 0\.\.3, but entry 3 has 4"),
        ({"row_key": [0, 2, 1, 3]}, "ascending row_key"),
        ({"row_key": [0, 1, 1, 3]}, "ascending row_key"),
        ({"row_key": [0.0, 1.0, 2.0, 3.0]}, "list of integers, but its shape is .* float64"),
        ({"row_key": [[0, 1], [2, 3]]}, r"its shape is \(2, 2\)"),
        ({"row_key": [0, 1, 2]}, "transition_kernel for each of 3 keys, but has 4"),
        ({"rewards": [[2, 1]] * 3}, r"rewards of shape \(4, 2\).* is \(3, 2\)"),
        ({"rewards": [[2, 1, 0]] * 4}, r"rewards of shape \(4, 2\).* is \(4, 3\)"),
        ({"rewards": [[2, 1], [3], [1, 2], [0, 0]]}, "rewards: needs rows of one length"),
        ({"rewards": [[2, float("nan")]] * 4}, "rewards: entry .* finite number"),
        ({"initial_kernel": kernel(CERTAIN, CERTAIN)}, "one row in initial_kernel, but has 2"),
        ({"initial_kernel": kernel(((1, 1),))}, r"initial_kernel in 0\.\.0"),
        ({"transition_kernel": kernel(*[CERTAIN] * 3, ((7, 1),))}, r"transition_kernel in 0\.\.0"),
        (
            {"transition_kernel": kernel(*[CERTAIN] * 3, ((0, "1/2"), (0, "1/2")))},
            "different outcomes in each row of transition_kernel",
        ),
        ({"states": ("round", "never")}, "states that play can reach, but 'never' is none"),
    ],
)
def test_what_is_no_game_is_refused_with_what_is_wrong(changes, message):
    with pytest.raises(InvalidGame, match=message):
        dilemma(**changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"initial_kernel": [[0]]}, "initial_kernel to be of type Kernel"),
        ({"players": 2}, "players to be a sequence"),
        ({"states": 1}, "states to be a sequence"),
        ({"actions": None}, "actions to be a sequence"),
        ({"actions": (1, 2)}, "the actions of each player to be a sequence"),
        ({"title": None}, "title to be of type str"),
    ],
)
def test_field_of_another_type_is_refused(changes, message):
    with pytest.raises(InvalidArgument, match=message):
        dilemma(**changes)


def test_player_without_an_action_where_another_has_one_is_refused():
    rows = {"row_key": [0, 1], "rewards": [[2, 1], [3, -2]]}
    with pytest.raises(InvalidGame, match="in state 'round' 'Bob' has none and 'Ann' has some"):
        dilemma(**rows, transition_kernel=kernel(CERTAIN, CERTAIN))


def test_action_that_only_another_player_has_is_refused():
    with pytest.raises(InvalidGame, match=r"0\.\.0 of 'Bob', but row 3 of state 'round' has 1"):
        dilemma(actions=(("C", "D"), ("C",)))


def test_play_may_have_ended_before_it_starts():
    game = mediation.MediatedGame(
        ("Ann",), ("end",), (("wait",),), kernel(CERTAIN), [], kernel(), exact_array([]), 1
    )
    assert game.is_terminal(0)
    assert game.rewards.shape == (0, 1)
    assert pickle.loads(pickle.dumps(game)) == game


def test_is_deterministic_looks_at_the_start_and_at_steps():
    assert dilemma().is_deterministic
    two = {"states": ("a", "b"), "row_key": range(8), "rewards": DILEMMA["rewards"] * 2}
    stay = [((s, 1),) for s in (0, 1) for _ in range(4)]
    drawn = ((0, "1/2"), (1, "1/2"))
    start = dilemma(**two, initial_kernel=kernel(drawn), transition_kernel=kernel(*stay))
    assert not start.is_deterministic
    steps = dilemma(**two, transition_kernel=kernel(*stay[:7], drawn), initial_kernel=kernel(drawn))
    assert not steps.is_deterministic


@given(mediation.mediated_games())
def test_identity_is_by_content_and_survives_pickling(game):
    back = pickle.loads(pickle.dumps(game))
    assert back == game
    assert hash(back) == hash(game)
    assert not back.rewards.flags.writeable
    assert replace(game, title="another") == game
    assert replace(game, horizon=game.horizon + 1) != game
    assert replace(game, discount=Fraction(1, 7)) != game
    assert replace(game, rewards=game.rewards + Fraction(1)) != game
    assert game != 0


@given(mediation.mediated_games())
def test_codes_agree_with_labels_row_by_row(game):
    rows = zip(game.row_state, game.row_leader, game.row_action, strict=True)
    for row, (state, leader, action) in enumerate(rows):
        assert game.row(state, leader, action) == row
        assert action in game.legal(state, leader)
    count = sum(len(game.legal(s, i)) for s in range(game.num_states) for i in range(2))
    others = sum(
        len(game.legal(s, i)) for s in range(game.num_states) for i in range(2, game.num_players)
    )
    assert count + others == len(game.row_key)


def test_repr_says_the_sizes():
    assert repr(mediation.mediated_chicken()) == (
        "MediatedGame('Chicken with brakes with a mediator, 4 rounds', 2 players, 1 states, "
        "6 rows, horizon 4)"
    )


def test_table_by_hand_equals_the_listing():
    pays = {"C": (2, 1), "D": (3, -2)}
    listed = mediation.list_mediated_game(
        players=["Ann", "Bob"],
        horizon=4,
        initial={"round": 1},
        steps={
            ("round", i, a): (pays[a] if i == 0 else pays[a][::-1], {"round": 1})
            for i in range(2)
            for a in "CD"
        },
    )
    assert listed == dilemma()
    catalogue = mediation.mediated_prisoners_dilemma()
    assert catalogue.rewards.tolist() == listed.rewards.tolist()
