"""Profiles by the names of their game."""

import pickle
from fractions import Fraction

import pytest
from hypothesis import given

from gametheory_core import (
    BehavioralProfile,
    MixedProfile,
    NormalFormGame,
    load_game,
    pure_profile,
    uniform_behavior,
    uniform_profile,
)
from gametheory_core.errors import InvalidStrategy
from gametheory_core.strategies.labels import LONGEST_TEXT, Chances, named
from gametheory_core.testing import generators

HALF = Fraction(1, 2)


@pytest.fixture(name="dilemma")
def make_dilemma():
    return NormalFormGame.bimatrix(
        [[2, 0], [3, 1]],
        [[2, 3], [0, 1]],
        players=("Row", "Column"),
        actions=(("deny", "confess"), ("deny", "confess")),
    )


def test_players_and_actions_are_found_by_name_and_by_number(dilemma):
    profile = MixedProfile(([HALF, HALF], [0, 1])).of(dilemma)
    assert profile["Row"]["confess"] == profile[0][1] == HALF
    assert profile["Column"]["deny"] == 0
    assert profile.support == {"Row": ("deny", "confess"), "Column": ("confess",)}
    assert list(profile) == ["Row", "Column"]
    assert [(name, dict(own)) for name, own in profile.items()] == [
        ("Row", {"deny": HALF, "confess": HALF}),
        ("Column", {"deny": 0, "confess": 1}),
    ]
    assert str(profile) == "Row: deny 1/2, confess 1/2\nColumn: confess 1"


@pytest.mark.parametrize("key", ["row", 2, -1, True, None, "confess"])
def test_what_is_no_player_is_refused_with_those_who_are(dilemma, key):
    with pytest.raises(InvalidStrategy, match=r"one of the players.*'Row', 'Column'"):
        uniform_profile(dilemma)[key]


def test_what_is_no_action_is_refused_with_those_that_are(dilemma):
    with pytest.raises(InvalidStrategy, match="actions of Row, but got 'silence'.*'deny'"):
        uniform_profile(dilemma)["Row"]["silence"]


def test_a_game_that_does_not_fit_is_refused(dilemma):
    with pytest.raises(InvalidStrategy, match="strategies over"):
        MixedProfile(([HALF, HALF], [1])).of(dilemma)
    with pytest.raises(InvalidStrategy, match=r"profile\.of\(game\)"):
        BehavioralProfile(([HALF, HALF],))["Player 1"]
    with pytest.raises(InvalidStrategy, match="information sets"):
        BehavioralProfile(([HALF, HALF],)).of(load_game("one_card_poker"))


def test_a_profile_that_nobody_named_counts_players_and_actions():
    profile = MixedProfile(([0, 1], [1]))
    assert profile.game is None
    assert profile["player 1"]["#2"] == 1
    assert profile.support == {"player 1": ("#2",), "player 2": ("#1",)}


def test_players_that_are_mere_numbers_are_found_by_their_labels():
    game = NormalFormGame.bimatrix([[1]], [[1]])
    profile = uniform_profile(game)
    assert [dict(profile[label]) for label in game.players] == [{"1": 1}, {"1": 1}]
    with pytest.raises(InvalidStrategy, match="'player 1', 'player 2'"):
        profile["3"]


def test_trees_name_information_sets():
    poker = load_game("one_card_poker")
    profile = uniform_behavior(poker)
    assert profile.game is poker
    assert list(profile["Player 1"]) == ["red", "black"]
    assert profile["Player 2"]["raised"]["meet"] == HALF
    assert profile.support["Player 2"] == {"raised": ("meet", "pass")}


def test_bayesian_games_name_types():
    game = load_game("house_patrol:houses=2,length=1,types=2")
    profile = uniform_profile(game)
    leader, *types = profile
    assert len(types) == len(game.types) == 2
    assert all(game.types[k] in name for k, name in enumerate(types))
    assert sum(profile[leader].values()) == 1


@given(generators.normal_form_games())
def test_names_are_one_for_each_player_and_action(game):
    profile = uniform_profile(game)
    assert [len(own) for own in dict(profile.items()).values()] == list(game.num_actions)
    for player, vector in enumerate(profile.strategies):
        assert [profile[player][a] for a in range(len(vector))] == vector.tolist()
        assert list(profile[player].values()) == vector.tolist()


def test_the_game_stays_with_a_profile_and_is_no_part_of_what_it_is(dilemma):
    known, unknown = pure_profile(dilemma, (0, 1)), MixedProfile(([1, 0], [0, 1]))
    assert known == unknown
    assert hash(known) == hash(unknown)
    for other in (known.to_float(), known.to_float().to_exact(), pickle.loads(pickle.dumps(known))):
        assert other["Column"]["confess"] == 1
    assert unknown.of(dilemma)["Column"]["confess"] == 1
    assert unknown.game is None
    assert not pickle.loads(pickle.dumps(known)).strategies[0].flags.writeable


def test_names_tell_all_apart():
    assert named(("a", "", "a", "#2", "a")) == ("a", "#2", "a (#3)", "#2 (#4)", "a (#5)")


def test_no_text_is_long():
    count = 5000
    game = NormalFormGame.bimatrix([[0] * count], [[0] * count])
    profile = uniform_profile(game)
    assert len(repr(profile)) < 100
    assert len(str(profile)) <= LONGEST_TEXT
    assert len(repr(Chances("x", [f"#{k}" for k in range(count)], [1] * count))) <= LONGEST_TEXT
