"""POSGs of OpenSpiel's simultaneous-move games."""

import importlib
from fractions import Fraction

import pytest

from gametheory_core import UnsupportedGame
from gametheory_core.games import NULL
from tests.core.adapters.naive_play import play_posg

pytestmark = pytest.mark.peer
pyspiel = pytest.importorskip("pyspiel")

GAMES = [
    "matrix_rps",
    "matching_pennies_3p",
    "goofspiel(num_cards=3,imp_info=True,points_order=descending)",
    "goofspiel(num_cards=3,imp_info=True,points_order=random)",
    "oshi_zumo(coins=3,size=1,horizon=4)",
    "repeated_game(stage_game=matrix_pd(),num_repetitions=2)",
    "coop_box_pushing(horizon=1)",
    "pathfinding(horizon=2,players=2,grid=A.a\nB.b)",
]


def posg_of(name):
    from gametheory_core.adapters import open_spiel_posg

    return open_spiel_posg(name)


@pytest.mark.parametrize("name", GAMES)
def test_uniform_play_is_worth_what_open_spiel_says(name):
    from tests.core.adapters.spiel_values import uniform_value

    value, _ = play_posg(posg_of(name))
    assert [float(v) for v in value] == pytest.approx(uniform_value(name), abs=1e-12)


def test_chance_before_the_first_action_is_in_the_initial_law():
    game = posg_of("goofspiel(num_cards=3,imp_info=True,points_order=random)")
    assert [(state, weight) for state, weight in game.initial()] == [
        ((card,), Fraction(1, 3)) for card in range(3)
    ]


def test_chances_in_a_row_are_multiplied():
    importlib.import_module("tests.core.adapters.crooked_game")
    law = posg_of("crooked(oddity=two draws)").initial()
    assert [state for state, _ in law] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [weight for _, weight in law] == [Fraction(1, 4)] * 4


def test_chance_between_actions_is_in_the_transition():
    game = posg_of("goofspiel(num_cards=3,imp_info=True,points_order=random)")
    start = (0,)
    (observations, _), *rest = game.initial_observation(start).items
    assert not rest
    joint = tuple(observations[player].actions[player] for player in range(2))
    law = game.transition(start, joint)
    assert [weight for _, weight in law] == [Fraction(1, 2)] * 2
    assert {state[:3] for state, _ in law} == {(0, 0, 1)}


def test_nothing_is_observed_at_the_end():
    game = posg_of("matrix_rps")
    ((over, _),) = game.transition((), ("Rock", "Rock")).items
    assert game.is_terminal(over)
    assert game.observation(("Rock", "Rock"), over).items == (((NULL, NULL), 1),)
    assert game.legal_actions(0, NULL) == ()


def test_step_rewards_are_paid_step_by_step():
    game = posg_of("repeated_game(stage_game=matrix_rps(),num_repetitions=2)")
    ((middle, _),) = game.transition((), ("Rock", "Paper")).items
    assert game.reward((), ("Rock", "Paper"), middle) == (-1, 1)
    ((over, _),) = game.transition(middle, ("Rock", "Rock")).items
    assert game.reward(middle, ("Rock", "Rock"), over) == (0, 0)


def test_open_spiel_posg_refuses_turns():
    with pytest.raises(UnsupportedGame, match=r"in kuhn_poker\(\) they move in turn.*rules"):
        posg_of("kuhn_poker")


@pytest.mark.parametrize(
    ("oddity", "words"),
    [
        ("alone", r"player 2 moves alone after \(0,\)"),
        ("early payment", r"no payment before the first action, but .* on the way to \(0,\)"),
    ],
)
def test_odd_play_is_refused_with_the_witness(oddity, words):
    importlib.import_module("tests.core.adapters.crooked_game")
    with pytest.raises(UnsupportedGame, match=words):
        posg_of(f"crooked(oddity={oddity})").initial()
