"""Games from dictionaries: right ones are what they say, wrong ones are refused with the row."""

import pickle
from dataclasses import replace
from fractions import Fraction

import pytest

from gametheory_core import InvalidGame, conversions, expected_returns, uniform_policies
from gametheory_core.evaluation import aec_trajectories, policy_nash_conv
from gametheory_core.games import CHANCE, NULL, list_aec, list_posg

STAY, GO = ("stay",), ("go",)


def trip(**changes):
    """Ann stays or goes; the way is long, and she sees where she is."""
    tables = {
        "players": ["Ann"],
        "actions": [["stay", "go"]],
        "initial": {"home": "1/2", "road": "1/2"},
        "transitions": {
            ("home", STAY): {"home": 1},
            ("home", GO): {"road": "1/3", "away": "2/3"},
            ("road", GO): {"away": 1},
        },
        "rewards": {("road", GO, "away"): (5,), ("home", GO, "away"): ("1/2",)},
        "observations": {(STAY, "home"): {("h",): 1}, (GO, "road"): {("r",): 1}},
        "initial_observations": {"home": {("h",): 1}, "road": {("r",): 1}},
        "legal_actions": {(0, "r"): ["go"]},
        "terminal": ["away"],
        "horizon": 2,
    }
    return tables | changes


def turn(**changes):
    """Chance deals a card, Ann sees it and leads, Bob sees nothing and follows."""
    deal = {"low": "1/3", "high": "2/3"}
    tables = {
        "players": ["Ann", "Bob"],
        "actions": [["bet", "pass"], ["call"]],
        "initial_state": "start",
        "chances": {"start": deal},
        "moves": {
            (0, "low", "pass"): "over",
            (0, "high", "bet"): "bet",
            (0, "high", "pass"): "over",
            (1, "bet", "call"): "over",
        },
        "turns": {
            ("start", CHANCE, NULL, "low"): {0: 1},
            ("start", CHANCE, NULL, "high"): {0: 1},
            ("high", 0, "bet", "bet"): {1: 1},
        },
        "rewards": {("bet", 1, "call", "over"): {(3, -3): "1/2", (1, -1): "1/2"}},
        "observations": {(0, "low"): {"L": 1}, (0, "high"): {"H": 1}, (1, "bet"): {NULL: 1}},
        "legal_actions": {(0, "L"): ["pass"]},
        "terminal": ["over"],
    }
    return tables | changes


def more(tables, table, rows):
    return tables | {table: tables[table] | rows}


def less(tables, table, key):
    return tables | {table: {k: v for k, v in tables[table].items() if k != key}}


def by_state(tables, rows):
    return tables | {"legal_actions": None, "legal_in_states": rows}


def test_a_posg_pays_and_ends_as_its_tables_say():
    game = conversions.posg_from_tables(**trip())
    # 1/2 home: stay 1/2 then (go 1/2 -> 2/3 * 1/2); go 1/2 -> 1/3 road (then 5), 2/3 pays 1/2;
    # 1/2 on the road: 5
    at_home = Fraction(1, 2) * Fraction(1, 2) * Fraction(1, 3) + Fraction(1, 2) * (
        Fraction(5, 3) + Fraction(1, 3)
    )
    assert expected_returns(game, uniform_policies(game)).tolist() == [at_home / 2 + Fraction(5, 2)]
    assert game.horizon == 2
    assert game.legal_actions(0, "r") == ("go",)


def test_an_aec_game_pays_and_ends_as_its_tables_say():
    game = conversions.aec_from_tables(**turn())
    pay = Fraction(2, 3) * Fraction(1, 2) * 2
    assert expected_returns(game, uniform_policies(game)).tolist() == [pay, -pay]
    assert len(aec_trajectories(game, uniform_policies(game))) == 4
    assert policy_nash_conv(game, uniform_policies(game)) == pay


def test_nothing_is_seen_by_default_and_everything_is_legal():
    transitions = trip()["transitions"] | {("road", STAY): {"road": 1}}
    tables = trip(transitions=transitions, legal_actions=None)
    game = conversions.posg_from_tables(
        **tables | {"observations": None, "initial_observations": None}
    )
    assert game.observations == ((NULL,),)
    assert game.legal_actions(0, NULL) == ("stay", "go")


def test_legal_actions_by_state_become_legal_actions_by_observation():
    by_view = conversions.posg_from_tables(**by_state(TRIP, {(0, "road"): ["go"]}))
    assert by_view == conversions.posg_from_tables(**TRIP)
    by_view = conversions.aec_from_tables(**by_state(TURN, {(0, "low"): ["pass"]}))
    assert by_view == conversions.aec_from_tables(**TURN)


TRIP, TURN = trip(), turn()
BLIND = {"observations": None, "initial_observations": None}
POSG_ERRORS = [
    (less(TRIP, "transitions", ("road", GO)), r"transitions\('road', \('go',\)\): needs an answer"),
    (less(TRIP, "observations", (GO, "road")), r"observations\(\('go',\), 'road'\): needs an ans"),
    (less(TRIP, "initial_observations", "road"), r"initial_observations\('road'\): needs an ans"),
    (more(TRIP, "transitions", {("moon", GO): {"away": 1}}), r"\('moon', \('go',\)\)\] is never a"),
    (more(TRIP, "transitions", {("road", STAY): {"road": 1}}), r"\('stay',\)\)\] is never asked"),
    (more(TRIP, "rewards", {("road", GO, "home"): (5,)}), r"\('go',\), 'home'\)\] is never asked"),
    (trip(terminal=["away", "moon"]), "terminal states that play can reach, but 'moon' is none"),
    (
        more(TRIP, "transitions", {("home", GO): {"road": "1/3", "away": "1/3"}}),
        r"transitions\('home', \('go',\)\): needs weights that sum to exactly 1, but .* 2/3",
    ),
    (trip(initial={"home": "1/2"}), r"initial\(\): needs weights that sum to exactly 1"),
    (
        more(TRIP, "rewards", {("road", GO, "away"): (float("nan"),)}),
        r"rewards\('road', \('go',\), 'away'\): reward of 'Ann': needs a finite number",
    ),
    (
        more(TRIP, "rewards", {("road", GO, "away"): (5, 5)}),
        r"needs a tuple of 1 rewards, one a player, but is \(5, 5\)",
    ),
    (
        more(TRIP, "observations", {(GO, "road"): {("r", "r"): 1}}),
        r"observations\(\('go',\), 'road'\): needs a tuple with an observation for each of 1",
    ),
    (trip(terminal=["away", "road"]), r"transitions\('road', \('go',\)\): .*'road' is terminal"),
    (
        more(TRIP, "transitions", {("home", ("fly",)): {"away": 1}}),
        r"needs an action of each of 1 players, but has \('fly',\)",
    ),
    (trip(legal_actions={(0, "r"): ["fly"]}), r"legal_actions\(0, 'r'\): needs different actions"),
    (trip(legal_actions={(0, "r"): []}), r"at least one of \('stay', 'go'\)"),
    (trip(legal_actions={(1, "r"): ["go"]}), "needs a player in 0..0, but names 1"),
    (
        by_state(TRIP | BLIND, {(0, "road"): ["go"]}),
        r"'Ann' sees NULL in state '\w+', with .*, and in state '\w+', with .*Show the difference",
    ),
    (trip(legal_in_states={(0, "road"): ["go"]}), "legal_actions or legal_in_states, but got both"),
    (
        by_state(TRIP, {(0, "road"): ["go"], (0, "moon"): ["go"]}),
        r"legal_in_states\[\(0, 'moon'\)\] is never asked",
    ),
    (more(TRIP, "transitions", {"home": {"away": 1}}), "needs keys of 2 parts, but has 'home'"),
    (trip(initial="home"), r"initial\(\): needs \{outcome: weight, ...\}, but is 'home'"),
    (trip(actions=[["stay"], ["go"]]), "actions for each of 1 players"),
    (trip(actions=[[]]), "at least one action of 'Ann'"),
]


@pytest.mark.parametrize(("tables", "message"), POSG_ERRORS)
def test_wrong_tables_of_a_posg_are_refused(tables, message):
    with pytest.raises(InvalidGame, match=message):
        conversions.posg_from_tables(**tables)


BET = ("high", 0, "bet", "bet")
AEC_ERRORS = [
    (less(TURN, "moves", (1, "bet", "call")), r"moves\(1, 'bet', 'call'\): needs an answer"),
    (less(TURN, "turns", BET), r"turns\('high', 0, 'bet', 'bet'\): needs an answer"),
    (more(TURN, "turns", {BET: {CHANCE: 1}}), r"chances\('bet'\): needs an answer"),
    (less(TURN, "observations", (1, "bet")), r"observations\(1, 'bet'\): needs an answer"),
    (more(TURN, "moves", {(0, "joker", "bet"): "over"}), r"\(0, 'joker', 'bet'\)\] is never asked"),
    (more(TURN, "observations", {(1, "low"): {"L": 1}}), r"\[\(1, 'low'\)\] is never asked"),
    (
        more(TURN, "moves", {(0, "low", "pass"): {"over": "1/2", "bet": "1/2"}}),
        r"moves\(0, 'low', 'pass'\): needs one next state, but lists a law of 2",
    ),
    (
        turn(chances={"start": {"low": "1/3", "high": "1/3"}}),
        r"chances\('start'\): needs weights that sum to exactly 1",
    ),
    (
        turn(rewards={("bet", 1, "call", "over"): (float("nan"), 0)}),
        r"rewards\('bet', 1, 'call', 'over'\): reward of 'Ann': needs a finite number",
    ),
    (turn(rewards={("bet", 1, "call", "over"): (1,)}), r"a tuple of 2 rewards, .* is \(1,\)"),
    (turn(terminal=["over", "bet"]), r"moves\(1, 'bet', 'call'\): .* but 'bet' is terminal"),
    (more(TURN, "chances", {"over": {"over": 1}}), r"chances\('over'\): .* 'over' is terminal"),
    (turn(terminal=["over", "moon"]), "'moon' is none"),
    (more(TURN, "turns", {BET: {2: 1}}), r"needs movers in -1 \(chance\)..1, but gives 2"),
    (more(TURN, "moves", {(2, "low", "pass"): "over"}), "needs a player in 0..1, but names 2"),
    (more(TURN, "moves", {(0, "low", "fold"): "over"}), r"'fold'\): needs an action of 'Ann'"),
    (
        by_state(turn(observations=None), {(0, "low"): ["pass"]}),
        r"'Ann' sees NULL in state '\w+', with .*, and in state '\w+', with",
    ),
    (turn(legal_in_states={(0, "low"): ["pass"]}), "legal_in_states, but got both"),
    (
        by_state(TURN, {(0, "low"): ["pass"], (1, "low"): ["call"]}),
        r"legal_in_states\[\(1, 'low'\)\] is never asked",
    ),
]


@pytest.mark.parametrize(("tables", "message"), AEC_ERRORS)
def test_wrong_tables_of_an_aec_game_are_refused(tables, message):
    with pytest.raises(InvalidGame, match=message):
        conversions.aec_from_tables(**tables)


def test_listed_games_are_values_whose_repr_builds_them():
    for make, tables in ((list_posg, trip()), (list_aec, turn())):
        game = make(**tables, discount="9/10", title="a game")
        names = {"list_posg": list_posg, "list_aec": list_aec, "NULL": NULL}
        assert eval(repr(game), names) == game  # noqa: S307  (our own text)
        assert pickle.loads(pickle.dumps(game)) == game
        assert hash(pickle.loads(pickle.dumps(game))) == hash(game)
        turned = {
            name: dict(reversed(list(table.items()))) if name in {"transitions", "moves"} else table
            for name, table in tables.items()
        }
        again = make(**turned, discount="9/10", title="a game")
        assert again == game
        assert hash(again) == hash(game)
        assert replace(game, horizon=1) != game


def test_listed_games_differ_where_an_answer_does():
    game = list_posg(**trip())
    rewards = trip()["rewards"] | {("home", GO, "away"): (7,)}
    assert list_posg(**trip(rewards=rewards)) != game
    assert conversions.posg_to_tabular(game).target == conversions.posg_from_tables(**trip())
    assert conversions.aec_to_tabular(list_aec(**turn())).target == conversions.aec_from_tables(
        **turn()
    )
