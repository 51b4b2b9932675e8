"""Tables in all forms say the same; what is left out is counted."""

import csv
import html
import io
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.results.rendering import (
    FORMATS,
    LONGEST_LABEL,
    ascii_for,
    left_out,
    table_csv,
    table_frame,
    table_html,
    table_latex,
    table_markdown,
    table_text,
)
from solvers.results.tables import PROBABILITY, AnswerTable

THIRD = Fraction(1, 3)
TABLE = AnswerTable(
    ("player", "action", PROBABILITY),
    (("Row", "up", THIRD), ("Row", "down", 2 * THIRD), ("Column", "left", Fraction(1))),
    left_out=2,
    cut=1,
)
labels = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=60
)


def test_text_lines_up_and_does_not_say_a_player_twice():
    assert table_text(TABLE).splitlines() == [
        "player  action  probability   decimal",
        "Row     up              1/3  0.333333",
        "        down            2/3  0.666667",
        "Column  left              1         1",
        "1 more row is not shown.",
        "2 more actions are not played.",
    ]


def test_the_same_action_of_two_players_is_said_twice():
    table = AnswerTable(("player", "action", PROBABILITY), (("A", "x", THIRD), ("B", "x", THIRD)))
    assert [line.split()[:2] for line in table_text(table).splitlines()[1:]] == [
        ["A", "x"],
        ["B", "x"],
    ]


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (AnswerTable(("a", PROBABILITY), (), left_out=1), ("1 more a is not played.",)),
        (AnswerTable(("a", PROBABILITY), (), left_out=1000), ("1,000 more as are not played.",)),
        (AnswerTable(("row",), (), cut=3), ("3 more rows are not shown.",)),
        (AnswerTable(("row",), ()), ()),
    ],
)
def test_what_is_left_out_is_counted(table, words):
    assert left_out(table) == words


def test_support_and_top_count_what_they_leave_out():
    rows = tuple((f"a{k}", Fraction(k % 2)) for k in range(10))
    found = AnswerTable(("action", PROBABILITY), rows).support().top(2)
    assert [row[0] for row in found.rows] == ["a1", "a3"]
    assert (found.left_out, found.cut) == (5, 3)
    assert AnswerTable(("action",), (("up",),)).support().left_out == 0


@given(st.lists(st.tuples(labels, labels, st.fractions(0, 1)), max_size=6))
def test_data_are_read_back_whatever_the_labels(rows):
    table = AnswerTable(("player", "action", PROBABILITY), tuple(rows))
    read = list(csv.reader(io.StringIO(table_csv(table))))
    assert [(own[0], own[1], Fraction(own[2])) for own in read[1:]] == rows


def test_payoffs_in_rows_are_no_lottery():
    table = AnswerTable(("payoff of 1", "payoff of 2"), ((THIRD, Fraction(1)),))
    assert table_csv(table).splitlines() == ["payoff of 1,payoff of 2", "1/3,1"]
    for form in FORMATS.values():
        assert "decimal" not in form(table)


def test_labels_of_several_lines_stay_on_one():
    table = AnswerTable(("action",), (("go\nhome",), ("<b>",)))
    assert table_text(table).splitlines() == ["action", "go home", "<b>"]
    assert table_markdown(table).splitlines()[2:] == ["| go home |", "| &lt;b> |"]
    assert len(table_latex(table).splitlines()) == 8


@given(labels)
def test_labels_break_no_form(label):
    table = AnswerTable(("action", PROBABILITY), ((label, Fraction(1, 2)),))
    assert table_markdown(table).splitlines()[2].replace(r"\|", "").count("|") == 4
    assert html.escape(label) in table_html(table)
    latex = table_latex(table)
    for sign in "&%$#_":
        body = latex.split(r"\midrule")[1].rsplit("$1/2$", 1)[0]
        assert body.count(sign) == label.count(sign) + (sign == "&")
    assert len(table_text(table).splitlines()[1]) <= LONGEST_LABEL + 40


def test_long_labels_that_differ_at_an_end_stay_apart():
    long = "x" * 100
    table = AnswerTable(("action",), ((f"{long}1",), (f"{long}2",), (f"3{long}",)))
    assert len(set(table_text(table).splitlines())) == 4


def test_frames_hold_exact_numbers():
    pytest.importorskip("pandas")
    frame = table_frame(TABLE)
    assert list(frame.columns) == ["player", "action", "probability"]
    assert frame["probability"].tolist() == [THIRD, 2 * THIRD, Fraction(1)]


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_signs_fall_back_where_an_output_lacks_them(encoding):
    text = "\N{MINUS SIGN}1 \N{LESS-THAN OR EQUAL TO} x"
    shown = ascii_for(text, encoding)
    shown.encode(encoding)
    assert shown == (text if encoding == "utf-8" else "-1 <= x")


def test_forms_are_the_words_of_the_command_line():
    assert set(FORMATS) == {"text", "csv", "latex", "markdown"}
