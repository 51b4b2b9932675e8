"""Answers as rows for people and as one JSON object: complete, and nothing rounded."""

import json
from fractions import Fraction

import pytest

from gametheory_core.catalog.index import load
from gametheory_core.formats.checked_json import Checked
from gametheory_core.formats.game_records import game_from, profile_record
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.sketch import Chance, Decision, Terminal, from_sketch
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.mixed import MixedProfile, uniform_profile
from solvers.report import LONGEST_FRACTION, ProfileRow, answer_record, profile_rows, readable
from solvers.solve import solve

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def as_tuples(rows):
    return [(row.player, row.infoset, row.action, row.probability) for row in rows]


def test_rows_of_a_matrix_have_no_information_set():
    game = NormalFormGame.from_payoffs(
        [[[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]]],
        players=("Ann", "2"),
        actions=(("up", ""), ("a", "b", "")),
    )
    profile = MixedProfile(([THIRD, 2 * THIRD], [HALF, 0, HALF]))
    assert as_tuples(profile_rows(game, profile)) == [
        ("Ann", "", "up", THIRD),
        ("Ann", "", "#2", 2 * THIRD),
        ("player 2", "", "a", HALF),
        ("player 2", "", "b", 0),
        ("player 2", "", "#3", HALF),
    ]


def test_float_profiles_are_shown_exactly():
    game = load("matching_pennies")
    rows = profile_rows(game, uniform_profile(game).to_float())
    assert [row.probability for row in rows] == [HALF] * 4
    assert all(isinstance(row.probability, Fraction) for row in rows)


def test_rows_of_a_tree_name_information_sets_or_number_them():
    """Chance has no rows; an unnamed information set goes by the number its file gives it."""
    ends = {"stop": Terminal([0, 0]), "go": Terminal([1, 1])}
    tree = from_sketch(
        Chance(
            {
                "rain": (HALF, Decision(1, "wet", ends)),
                "sun": (HALF, Decision(1, "", {"": Terminal([2, 0]), "on": Terminal([0, 2])})),
            }
        ),
        players=("1", "Bob"),
    )
    (wet, dry) = (s for s in tree.infosets if s.player == 1)
    assert (wet.label, dry.label) == ("wet", "")
    rows = profile_rows(tree, BehavioralProfile(([1, 0], [THIRD, 2 * THIRD])))
    assert as_tuples(rows) == [
        ("Bob", "wet", "stop", 1),
        ("Bob", "wet", "go", 0),
        ("Bob", "#2", "#1", THIRD),
        ("Bob", "#2", "on", 2 * THIRD),
    ]


def test_rows_of_both_movers_keep_the_order_of_the_tree():
    tree = load("kuhn_poker")
    (solution,) = solve(tree, "minimax").solutions
    rows = profile_rows(tree, solution.profile)
    decisions = tree.infosets[: tree.num_decision_infosets]
    assert len(rows) == sum(len(s.actions) for s in decisions)
    assert [row.infoset for row in rows[::2]] == [s.label for s in decisions]
    assert [row.player for row in rows[::2]] == [tree.players[s.player] for s in decisions]
    assert all(isinstance(row, ProfileRow) for row in rows)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(-7, 2), "-7/2"),
        (Fraction(3), "3"),
        (Fraction(10**14, 10**14 - 1), "100000000000000/99999999999999"),
        (Fraction(10**15, 10**14 + 1), "(a fraction of 31 digits)"),
        (Fraction(-(10**15), 10**14 + 1), "(a fraction of 31 digits)"),
        (Fraction(10**40), "(an integer of 41 digits)"),
    ],
)
def test_only_long_numbers_are_left_out(value, text):
    assert readable(value) == text
    assert (len(str(value)) <= LONGEST_FRACTION) == (text == str(value))


def test_longest_text_can_be_chosen():
    assert readable(Fraction(1, 3), longest=3) == "1/3"
    assert readable(Fraction(1, 3), longest=2) == "(a fraction of 2 digits)"


KEYS = ["schema", "game", "concept", "algorithm", "reason", "complete", "evidence"]
KEYS += ["completeness", "seconds", "solutions"]


@pytest.mark.parametrize(
    ("name", "concept"),
    [("battle_of_the_sexes", "all-nash"), ("kuhn_poker", "minimax"), ("beer_quiche", "pure-nash")],
)
def test_record_holds_the_whole_answer_as_text(name, concept):
    answer = solve(load(name), concept)
    record = answer_record(answer)
    assert list(record) == KEYS
    assert json.loads(json.dumps(record)) == record
    assert list(record["game"]) == ["title", "digest", "players", "record"]
    assert game_from(Checked(record["game"]["record"], "game", "answer")) == answer.game
    assert (record["concept"], record["algorithm"]) == (concept, answer.algorithm)
    assert (record["complete"], record["evidence"]) == (answer.is_complete, answer.evidence)
    assert (record["completeness"] is None) == (answer.completeness is None)
    assert len(record["solutions"]) == len(answer.solutions) > 0
    for shown, solution in zip(record["solutions"], answer.solutions, strict=True):
        assert list(shown) == ["profile", "payoffs", "certificate"]
        assert shown["profile"] == profile_record(answer.game, solution.profile)
        assert tuple(map(Fraction, shown["payoffs"])) == solution.payoffs
        assert list(shown["certificate"]) == ["kind", "epsilon", "statement", "record"]
        assert shown["certificate"]["statement"] == solution.certificate.statement
