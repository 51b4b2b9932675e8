"""AEC rules of OpenSpiel's games: OpenSpiel's values, and OpenSpiel's information states."""

import importlib
import pickle
import sys
from collections import defaultdict
from fractions import Fraction

import pytest

from gametheory_core import InvalidArgument, UnsupportedGame
from gametheory_core.errors import MissingDependency
from gametheory_core.games import CHANCE
from tests.core.adapters.naive_play import play_aec

pytestmark = pytest.mark.peer
pyspiel = pytest.importorskip("pyspiel")

GAMES = [
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "tiny_hanabi",
    "matrix_rps",
    "goofspiel(num_cards=3,imp_info=True,points_order=descending)",
    "goofspiel(num_cards=3,imp_info=True,points_order=random)",
    "liars_dice(numdice=1,dice_sides=3)",
    "oshi_zumo(coins=3,size=1,horizon=4)",
    "repeated_game(stage_game=matrix_pd(),num_repetitions=2)",
    "coop_box_pushing(horizon=1)",
    "hanabi(players=2,colors=1,ranks=2,hand_size=1,max_information_tokens=1,max_life_tokens=1)",
    "start_at(history=1;1,game=deep_sea(size=3))",
]


def knowledge_is_stated(name):
    return pyspiel.load_game(name).get_type().provides_information_state_string


def rules_of(name):
    from gametheory_core.adapters import open_spiel_rules

    return open_spiel_rules(name)


@pytest.mark.parametrize("name", GAMES)
def test_uniform_play_is_worth_what_open_spiel_says(name):
    from tests.core.adapters.spiel_values import uniform_value

    value, _ = play_aec(rules_of(name))
    assert [float(v) for v in value] == pytest.approx(uniform_value(name), abs=1e-12)


@pytest.mark.parametrize("name", [name for name in GAMES if knowledge_is_stated(name)])
def test_information_states_are_open_spiels(name):
    from tests.core.adapters.spiel_values import turn_based_counts

    _, met = play_aec(rules_of(name))
    keys = defaultdict(set)
    for player, key, _ in met:
        keys[player, key[-1].text].add(key)
    assert {len(known) for known in keys.values()} == {1}
    _, known = turn_based_counts(name)
    assert set(keys) == known


def test_second_of_two_simultaneous_movers_sees_nothing():
    _, met = play_aec(rules_of("matrix_rps"))
    second = {(key, state) for player, key, state in met if player == 1}
    assert len({state for _, state in second}) == 3
    assert len({key for key, _ in second}) == 1


def test_actions_chosen_at_once_reach_the_player_who_chose_them():
    rules = rules_of("matrix_rps")
    queued = rules.move(0, rules.initial_state, "Rock")
    assert rules.next_player(rules.initial_state, 0, "Rock", queued).items == ((1, 1),)
    assert rules.reward(rules.initial_state, 0, "Rock", queued).items == (((0, 0), 1),)
    over = rules.move(1, queued, "Paper")
    assert rules.is_terminal(over)
    assert rules.reward(queued, 1, "Paper", over).items == (((-1, 1), 1),)


def test_chance_moves_first_even_where_open_spiel_has_no_chance():
    rules = rules_of("tic_tac_toe")
    start = rules.initial_state
    assert rules.chance(start).items == ((start, 1),)
    assert rules.next_player(start, CHANCE, None, start).items == ((0, 1),)


def test_thirds_are_thirds():
    rules = rules_of("kuhn_poker")
    assert [weight for _, weight in rules.chance(rules.initial_state)] == [Fraction(1, 3)] * 3


def test_rewards_of_every_step_are_paid_when_earned():
    rules = rules_of("repeated_game(stage_game=matrix_rps(),num_repetitions=2)")
    first = rules.move(0, rules.initial_state, "Rock")
    second = rules.move(1, first, "Scissors")
    assert rules.reward(first, 1, "Scissors", second).items == (((1, -1), 1),)
    assert not rules.is_terminal(second)


def test_nothing_is_paid_again_at_moves_of_chance():
    """OpenSpiel's rewards repeat there, in many games; its returns do not."""
    importlib.import_module("tests.core.adapters.crooked_game")
    rules = rules_of("crooked(oddity=late draw)")
    chosen = rules.move(1, rules.move(0, rules.initial_state, "L"), "L")
    assert rules.reward(rules.initial_state, 1, "L", chosen).items == (((1, -1), 1),)
    for drawn, _ in rules.chance(chosen):
        assert rules.reward(chosen, CHANCE, None, drawn).items == (((0, 0), 1),)
        assert rules.is_terminal(drawn)


@pytest.mark.parametrize("depth", [1, 2])
def test_histories_are_replayed_as_open_spiel_played_them(depth):
    """A joint action is several events, and replaying takes them together."""
    from gametheory_core.adapters.open_spiel_states import state_after

    game = pyspiel.load_game("goofspiel(num_cards=4,imp_info=True,points_order=descending)")
    state = game.new_initial_state()
    for turn in range(depth):
        state.apply_actions([turn, 3 - turn])
    again = state_after(str(game), tuple(state.history()))
    assert again.history() == state.history()
    assert str(again) == str(state)


def test_rules_are_equal_by_parameters_and_pickle():
    rules = rules_of("kuhn_poker(players=2)")
    again = rules_of(pyspiel.load_game("kuhn_poker(players=2)"))
    assert rules == again
    assert hash(rules) == hash(again)
    assert rules != rules_of("kuhn_poker(players=3)")
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert rules.title == "OpenSpiel's kuhn_poker(players=2)"


def test_words_for_actions_are_told_apart_where_they_repeat():
    importlib.import_module("tests.core.adapters.crooked_game")
    _, met = play_aec(rules_of("crooked(oddity=repeated words)"))
    assert {key[0].actions for _, key, _ in met} == {("0: same", "1: same")}


def test_outcome_of_probability_zero_is_left_out():
    importlib.import_module("tests.core.adapters.crooked_game")
    rules = rules_of("crooked(oddity=certain)")
    assert len(rules.chance(rules.initial_state)) == 1


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("kuhn_pokr", r"open_spiel_rules: needs a game of OpenSpiel, but it has none named 'kuhn_"),
        ("kuhn_poker(cards=3)", r"needs parameters that OpenSpiel takes, but it refuses 'kuhn_pok"),
        (3, r"needs a pyspiel.Game or its name, but got 3 \(type int\)"),
    ],
)
def test_open_spiel_rules_refuses_what_is_no_game(game, words):
    with pytest.raises(InvalidArgument, match=words):
        rules_of(game)


def test_rules_made_by_hand_are_checked_when_used():
    from gametheory_core.adapters import OpenSpielRules

    with pytest.raises(InvalidArgument, match="it has none named 'bluff'"):
        OpenSpielRules("bluff").players  # noqa: B018


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("mfg_crowd_modelling", "finitely many players, but it is a mean-field game"),
        ("tarok", "outcomes of chance with probabilities, but it only samples them"),
    ],
)
def test_open_spiel_rules_refuses_games_it_cannot_list(name, words):
    with pytest.raises(UnsupportedGame, match=words):
        rules_of(name)


def test_open_spiel_rules_refuses_a_game_without_a_name():
    game = pyspiel.create_matrix_game([[1, 2]], [[3, 4]])
    with pytest.raises(UnsupportedGame, match="loads by name, but 'short_name.*open_spiel_tree"):
        rules_of(game)


def test_game_whose_payoffs_are_drawn_when_asked_for_has_no_rules():
    with pytest.raises(UnsupportedGame, match="the same each time.*add_noise draws.*open_spiel_tr"):
        rules_of("add_noise(game=kuhn_poker(),epsilon=1.,seed=1)")


@pytest.mark.parametrize(
    "name",
    [
        "restricted_nash_response(game=kuhn_poker(),p=0.5,fixed_player=0)",
        "normal_form_extensive_game(game=matrix_pd())",
    ],
)
def test_game_of_a_game_keeps_the_name_it_was_loaded_by(name):
    rules = rules_of(name)
    assert rules.name == name
    with pytest.raises(UnsupportedGame, match="Give the name it was loaded by"):
        rules_of(pyspiel.load_game(name))


@pytest.mark.parametrize(
    ("oddity", "words"),
    [
        ("sloppy", r"chance after \[\]: needs probabilities near .* sum to 1.0000001"),
        ("idle player", r"action of every player .* player 2 has none after \[1\]"),
    ],
)
def test_odd_play_is_refused_with_the_witness(oddity, words):
    importlib.import_module("tests.core.adapters.crooked_game")
    with pytest.raises(UnsupportedGame, match=words):
        play_aec(rules_of(f"crooked(oddity={oddity})"))


@pytest.mark.parametrize("what", ["actions", "chance", "move", "text", "payment"])
def test_exception_inside_open_spiel_names_the_game_and_the_history(what):
    importlib.import_module("tests.core.adapters.crooked_game")
    words = rf"OpenSpiel's crooked\(oddity=broken {what}\): needs answers .* it fails after \["
    with pytest.raises(UnsupportedGame, match=words) as refused:
        play_aec(rules_of(f"crooked(oddity=broken {what})"))
    assert refused.value.witness == {"chance": (), "move": (0, 0, 0)}.get(what, (0,))


def test_missing_open_spiel_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "gametheory_core.adapters.open_spiel_states", raising=False)
    with pytest.raises(MissingDependency, match=r"open_spiel.*gametheory-core\[interop\]"):
        importlib.import_module("gametheory_core.adapters.open_spiel_states")
