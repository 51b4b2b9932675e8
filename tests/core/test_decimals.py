"""One switch: floats as the shortest decimals that are read as them, wherever a game is built."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import conversions
from gametheory_core.arrays import number_array, reading_floats, to_fraction
from gametheory_core.games.tree_layout import lay_out_rules
from gametheory_core.mediation import list_mediated_game, mediated_game

TENTH, DYADIC = Fraction(1, 10), Fraction(0.1)


@given(st.decimals(-1000, 1000, places=4), st.sampled_from([float, np.float64, np.float32]))
def test_decimals_come_back_from_their_floats(number, kind):
    with reading_floats(decimals=True):
        if kind is not np.float32:  # which has seven digits
            assert to_fraction(kind(number)) == Fraction(number)
            assert number_array(np.array([number], dtype=kind))[0] == Fraction(number)


@given(st.floats(allow_nan=False, allow_infinity=False), st.booleans())
def test_a_float_is_read_back_from_what_it_means(number, decimals):
    with reading_floats(decimals=decimals):
        assert float(to_fraction(number)) == number
    assert to_fraction(number) == Fraction(number)


def test_short_floats_have_shorter_decimals():
    with reading_floats(decimals=True):
        assert list(number_array(np.array([0.1, 2.5], dtype=np.float32))) == [TENTH, Fraction(5, 2)]
        assert to_fraction(np.float16(0.1)) == TENTH


class Rules:
    """A player is paid a tenth, by chance half of the time."""

    title, players, root = "", ("A",), 0

    def expand(self, position):
        if position:
            return gt.Terminal([0.1])
        return gt.Chance({"a": (0.1, 1), "b": (0.9, 1)})


def tree(**switch):
    return gt.from_sketch(
        gt.Chance({"a": (0.1, gt.Terminal([0.1])), "b": (0.9, gt.Terminal([0]))}),
        players=("A",),
        **switch,
    )


TABLES = {
    "players": ["A"],
    "actions": [["go"]],
    "initial": {"s": 1},
    "transitions": {("s", ("go",)): {"e": 0.1, "f": 0.9}},
    "rewards": {("s", ("go",), "e"): (0.1,)},
    "terminal": ["e", "f"],
}
TURNS = {
    "players": ["A"],
    "actions": [["go"]],
    "initial_state": "s",
    "chances": {"s": {"t": 0.1, "u": 0.9}},
    "moves": {(0, "t", "go"): "e", (0, "u", "go"): "e"},
    "turns": {("s", gt.games.CHANCE, gt.games.NULL, s): {0: 1} for s in "tu"},
    "rewards": {(s, 0, "go", "e"): (0.1,) for s in "tu"},
    "terminal": ["e"],
}
STEPS = {("s", 0, "go"): ((0.1, 0), {"e": 1}), ("s", 1, "go"): ((0.1, 0), {"e": 1})}
MEDIATED = {"players": ["A", "B"], "horizon": 1, "initial": {"s": 1}}


class Posg:
    """What ``TABLES`` say, as rules that answer in floats."""

    def __getattr__(self, name):
        return getattr(conversions.posg_from_tables(**TABLES), name)

    def reward(self, state, joint_action, next_state):
        return (0.1,)


BUILDERS = {
    "bimatrix": lambda **s: gt.NormalFormGame.bimatrix([[0.1]], [[1]], **s).exact_payoffs[0, 0, 0],
    "zero_sum": lambda **s: gt.NormalFormGame.zero_sum(np.array([[0.1]]), **s).exact_payoffs[
        0, 0, 0
    ],
    "symmetric": lambda **s: gt.NormalFormGame.symmetric([[0.1]], **s).exact_payoffs[1, 0, 0],
    "from_payoffs": lambda **s: gt.NormalFormGame.from_payoffs(
        np.array([[[0.1]], [[1]]]), **s
    ).exact_payoffs[0, 0, 0],
    "BayesianGame": lambda **s: (
        gt.BayesianGame.from_payoffs([[[0.1]]], [[[1]]], prior=[1], **s)
        .games[0]
        .exact_payoffs[0, 0, 0]
    ),
    "prior": lambda **s: gt.BayesianGame.from_payoffs(
        [[[1]]] * 2, [[[1]]] * 2, prior=[0.1, 0.9], **s
    ).prior[0],
    "SecurityGame": lambda **s: gt.SecurityGame.from_payoffs(
        resources=1,
        defender_covered=[0.1],
        defender_uncovered=[0],
        attacker_covered=[0],
        attacker_uncovered=[1],
        **s,
    ).exact_payoffs[0, 0, 1, 0],
    "from_sketch": lambda **s: tree(**s).outcomes[0].payoffs[0],
    "chance": lambda **s: tree(**s).infosets[0].probabilities[0],
    "lay_out_rules": lambda **s: lay_out_rules(Rules(), **s).outcomes[0].payoffs[0],
    "posg_from_tables": lambda **s: conversions.posg_from_tables(**TABLES, **s).reward(
        "s", ("go",), "e"
    )[0],
    "aec_from_tables": lambda **s: (
        conversions.aec_from_tables(**TURNS, **s).reward("t", 0, "go", "e").items[0][0][0]
    ),
    "posg_to_tabular": lambda **s: conversions.posg_to_tabular(Posg(), **s).target.reward(
        "s", ("go",), "e"
    )[0],
    "list_mediated_game": lambda **s: list_mediated_game(**MEDIATED, steps=STEPS, **s).rewards[
        0, 0
    ],
    "mediated_game": lambda **s: mediated_game(
        **MEDIATED,
        actions=lambda state, _: ("go",) if state == "s" else (),
        play=lambda *key: STEPS[key],
        **s,
    ).rewards[0, 0],
}


@pytest.mark.parametrize("build", BUILDERS.values(), ids=BUILDERS)
def test_the_switch_is_the_same_everywhere(build):
    assert build(decimals=True) == TENTH
    plain = build()
    assert plain == build(decimals=False)
    assert plain != TENTH
    assert abs(plain - DYADIC) < Fraction(1, 2**50)
    with pytest.raises(gt.InvalidArgument, match="decimals to be of type bool, but got 'yes'"):
        build(decimals="yes")


def test_numbers_of_json_files_are_decimals_if_asked(tmp_path):
    path = tmp_path / "game.json"
    gt.write_game(gt.NormalFormGame.zero_sum([["1/10", 2]]), path)
    record = json.loads(path.read_text())
    record["payoffs"] = [0.1, 2, "-1/10", -2.0]
    path.write_text(json.dumps(record))
    expected = gt.NormalFormGame.zero_sum([["1/10", 2]])
    assert gt.load_game(path, decimals=True) == gt.load_matrix(path, decimals=True) == expected
    with pytest.raises(gt.MalformedFile, match=r"found 0\.1.* --decimals .* decimals=True"):
        gt.load_game(path)
    path.write_text(path.read_text().replace("0.1", "true", 1))
    with pytest.raises(gt.MalformedFile, match="a rational as text .* found true"):
        gt.load_game(path, decimals=True)


def test_the_switch_does_not_stay():
    with pytest.raises(gt.InvalidGame, match="finite"):
        gt.NormalFormGame.zero_sum([[float("nan")]], decimals=True)
    assert to_fraction(0.1) == DYADIC
