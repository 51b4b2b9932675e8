"""Iterated games pay the printed matrices and show what they promise."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import InvalidArgument, NormalFormGame, UnsupportedGame
from gametheory_core.catalog import (
    RepeatedGame,
    Shown,
    iterated_game,
    load,
    ordinal,
    rock_paper_scissors,
)
from gametheory_core.distributions import point_mass
from gametheory_core.games import NULL
from gametheory_core.leaders import follower_response, leader_from_text, leader_view

PRINTED = {  # Gerstgrasser and Parkes 2023, table 3: leader, follower
    "prisoners_dilemma": ("-1 -3 0 -2", "-1 0 -3 -2"),
    "stag_hunt": ("0 -3 -1 -2", "0 -1 -3 -2"),
    "assurance": ("0 -3 -2 -1", "0 -2 -3 -1"),
    "coordination": ("0 -2 -3 -1", "0 -3 -2 -1"),
    "mixedharmony": ("0 -1 -3 -2", "0 -3 -1 -2"),
    "harmony": ("0 -1 -2 -3", "0 -2 -1 -3"),
    "noconflict": ("0 -2 -1 -3", "0 -1 -2 -3"),
    "deadlock": ("-2 -3 0 -1", "-2 0 -3 -1"),
    "prisoners_delight": ("-3 -2 0 -1", "-3 0 -2 -1"),
    "hero": ("-3 -1 0 -2", "-3 0 -1 -2"),
    "battle": ("-2 -1 0 -3", "-2 0 -1 -3"),
    "chicken": ("-1 -2 0 -3", "-1 0 -2 -3"),
    "small_battle_of_the_sexes": ("2 0 0 1", "1 0 0 2"),
    "modified_prisoners_dilemma": ("0 -2 -1 -3", "-1 0 -3 -2"),
}


@pytest.mark.parametrize("name", PRINTED)
def test_stage_games_have_the_printed_payoffs(name):
    game = getattr(ordinal, name)()
    for own, text in zip(game.exact_payoffs, PRINTED[name], strict=True):
        assert own.ravel().tolist() == [int(word) for word in text.split()]


@pytest.mark.parametrize("name", [name for name in PRINTED if "small" not in name])
def test_catalogue_iterates_the_stage_games(name):
    game = load(f"iterated_{name}:rounds=4")
    assert isinstance(game, RepeatedGame)
    assert game.stage == getattr(ordinal, name)()
    assert (game.horizon, game.discount, game.recall) == (4, 1, 1)
    memory = Shown.OTHERS if name.startswith("modified") else Shown.ALL
    assert game.memory is memory
    assert load(f"iterated_{name}").rounds == 10


def test_memory_of_the_other_shows_each_the_others_last_action():
    game = iterated_game(ordinal.chicken(), memory=Shown.OTHERS)
    assert game.initial_observation(()) == point_mass(((), ()))
    ((state, _),) = game.transition((), ("C", "D"))
    assert state == (("C", "D"),)
    assert game.observation(("C", "D"), state) == point_mass(((("D",),), (("C",),)))
    view = leader_view(game)
    assert [len(own) for own in view.game.observations] == [3, 3]
    assert view.num_states == 5


def test_memory_of_others_keeps_windows_of_any_length_and_number_of_players():
    stage = NormalFormGame.from_payoffs(
        [[[[0, 0]] * 2] * 2] * 3, actions=[["a", "b"], ["c", "d"], ["e", "f"]]
    )
    game = RepeatedGame(stage, rounds=5, recall=2, memory=Shown.OTHERS)
    joints = [("a", "c", "e"), ("b", "c", "f"), ("a", "d", "f")]
    state = ()
    for joint in joints:
        ((state, _),) = game.transition(state, joint)
    (((first, second, third), _),) = game.observation(joints[-1], state)
    assert first == (("c", "f"), ("d", "f"))
    assert second == (("b", "f"), ("a", "f"))
    assert third == (("b", "c"), ("a", "d"))
    nothing = RepeatedGame(stage, recall=0, memory=Shown.OTHERS)
    assert nothing.initial_observation(()) == point_mass((NULL,) * 3)


def test_any_stage_horizon_and_discount_can_be_iterated():
    game = iterated_game(rock_paper_scissors(), rounds=7, discount=Fraction(1, 3))
    view = leader_view(game, leader=1)
    assert (view.horizon, view.discount, view.num_states) == (7, Fraction(1, 3), 10)


def test_what_cannot_be_iterated_is_refused():
    with pytest.raises(UnsupportedGame, match=r"iterated_game: needs two players, but .* has 3"):
        iterated_game(NormalFormGame.from_payoffs([[[[1]]]] * 3, actions=[["x"]] * 3))
    with pytest.raises(InvalidArgument, match="needs a label for every action"):
        iterated_game(NormalFormGame.bimatrix([[1]], [[1]], actions=[[""], [""]]))
    with pytest.raises(InvalidArgument, match="RepeatedGame: needs a member of Shown as memory"):
        iterated_game(ordinal.hero(), memory="others")
    with pytest.raises(InvalidArgument, match="rounds to be an integer from"):
        iterated_game(ordinal.hero(), rounds=0)


def test_battle_of_the_sexes_pays_two_and_one_a_round_where_they_meet():
    view = leader_view(load("iterated_battle_of_the_sexes:rounds=4"))
    steadfast = leader_from_text(view, "00000")
    assert follower_response(view, steadfast).returns == (8, 4)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_who_keeps_in_public_goods_gains_and_all_lose(players):
    game = load(f"iterated_public_goods:players={players},rounds=2").stage
    everybody = [game.exact_payoffs[0][(action,) * players] for action in (0, 1)]
    assert everybody == [3, 0]
    for joint in np.ndindex(*(2,) * players):
        for own in range(players):
            kept = (*joint[:own], 1, *joint[own + 1 :])
            given = (*joint[:own], 0, *joint[own + 1 :])
            gain = game.exact_payoffs[own][kept] - game.exact_payoffs[own][given]
            assert gain == 3 - Fraction(6, players) >= 0


def test_public_goods_are_for_two_to_five():
    with pytest.raises(InvalidArgument, match="players"):
        load("iterated_public_goods:players=6")
