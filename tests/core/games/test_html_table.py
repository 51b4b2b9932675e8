"""Games as tables: every payoff once, best responses and equilibria marked, labels harmless."""

import re
from fractions import Fraction
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame
from gametheory_core.catalog import load
from gametheory_core.games.payoff_text import MOST_TABLES, best_replies, payoff_text
from gametheory_core.testing import PayoffKind, normal_form_games
from tests.sample_sizes import many


class Table(HTMLParser):
    """Cells as lists of texts, and a check that tags are closed in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.cells, self.heads, self.underlined, self.framed = [], [], [], [], 0
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag == "td":
            self.cells.append("")
            self.framed += "outline" in dict(attrs).get("style", "")
        if tag == "th":
            self.heads.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "td" in self.open:
            self.cells[-1] += data
        if "th" in self.open:
            self.heads[-1] += data
        if "u" in self.open:
            self.underlined.append(data)


def table_of(game):
    return Table(game._repr_html_())


def test_dilemma_has_its_labels_payoffs_and_marks():
    table = table_of(load("prisoners_dilemma"))
    assert table.heads == [
        "player 2", "player 1", "cooperate", "defect", "cooperate", "defect",
    ]  # fmt: skip
    assert table.cells == ["", "3, 3", "0, 5", "5, 0", "1, 1"]
    assert table.underlined == ["5", "5", "1", "1"]
    assert table.framed == 1


def in_tables(game):
    """Joint actions table by table: those of all but two players, then rows, then columns."""
    for others in np.ndindex(*game.num_actions[2:]):
        yield from ((*own, *others) for own in np.ndindex(*game.num_actions[:2]))


@given(normal_form_games(num_players=(1, 4), max_actions=3, kinds=tuple(PayoffKind)))
def test_marks_are_those_of_the_definition(game):
    marks = best_replies(game.given_payoffs)
    for player, count in enumerate(game.num_actions):
        for cell in np.ndindex(*game.num_actions):
            others = [(*cell[:player], a, *cell[player + 1 :]) for a in range(count)]
            best = max(game.exact_payoffs[(player, *other)] for other in others)
            assert marks[(player, *cell)] == (game.exact_payoffs[(player, *cell)] == best)
    table = table_of(game)
    if np.prod(game.num_actions[2:]) > MOST_TABLES:
        assert table.cells == []
        return
    assert len(table.underlined) == marks.sum()
    assert table.framed == marks.all(axis=0).sum()
    shown = [cell for cell in table.cells if cell]
    expected = [
        ", ".join(payoff_text(p) for p in game.given_payoffs[(slice(None), *cell)].tolist())
        for cell in in_tables(game)
    ]
    assert shown == expected


def test_labels_are_escaped_cut_and_numbered():
    hostile = "<script>alert('x')</script>&"
    game = NormalFormGame.bimatrix(
        [[1, 2]], [[3, 4]], players=(hostile, ""), actions=(("",), ("w" * 99, "</td>")), title="<b>"
    )
    text = game._repr_html_()
    assert "<script" not in text
    assert "<caption>&lt;b&gt;</caption>" in text
    assert table_of(game).heads == [
        "player 2", "<script>aler…)</script>&", "w" * 12 + "…" + "w" * 11, "</td>", "#1",
    ]  # fmt: skip


def test_three_players_are_a_table_for_each_action_of_the_third():
    payoffs = np.arange(24).reshape(3, 2, 2, 2)
    three = NormalFormGame.from_payoffs(payoffs, players=("Ann", "Bob", "<i>"), title="trio")
    text = three._repr_html_()
    assert "<caption>trio, &lt;i&gt;: 1</caption>" in text
    assert "<caption>trio, &lt;i&gt;: 2</caption>" in text
    assert table_of(three).cells[1] == "0, 8, 16"


def test_large_games_are_a_sentence():
    large = NormalFormGame.bimatrix(np.zeros((21, 2)), np.zeros((21, 2)), title="<Large>")
    assert large._repr_html_() == (
        "<p><b>&lt;Large&gt;</b>: player 1 (21 actions), player 2 (2 actions)</p>"
    )
    three = NormalFormGame.from_payoffs(np.zeros((3, 2, 1, 13)), players=("Ann", "Bob", "<i>"))
    assert three._repr_html_() == (
        "<p><b>Normal-form game</b>: Ann (2 actions), Bob (1 action), &lt;i&gt; (13 actions)</p>"
    )
    crowd = NormalFormGame.from_payoffs(np.zeros((23, *(1,) * 19, *(2,) * 4)))
    assert crowd._repr_html_().endswith("player 20 (2 actions), and 3 more players</p>")


def test_twenty_actions_are_still_a_table():
    game = NormalFormGame.bimatrix(np.zeros((20, 20)), np.zeros((20, 20)))
    assert len([cell for cell in table_of(game).cells if cell]) == 400


@pytest.mark.parametrize(
    ("payoff", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(-7), "−7"),
        (Fraction(22, 7), "22/7"),
        (Fraction(-1, 10**9), "−1e-9"),
        (Fraction(1234567), "1234567"),
        (Fraction(12345678), "≈1.235e7"),
        (Fraction(10**9), "1e9"),
        (Fraction(1, 3**9), "1/19683"),
        (Fraction(10**400, 3), "≈3.333e399"),
        (0.1, "0.1"),
        (-2.0, "−2"),
        (1 / 3, "≈0.3333"),
        (1e-300, "1e-300"),
        (0.30000000000000004, "≈0.3"),
        (890.0, "890"),
        (200.04, "≈200"),
        (1000.3, "≈1000"),
        (-33333.25, "≈−33333"),
        (999999.75, "≈1e6"),
        (2.5e6, "2.5e6"),
        (0.001, "0.001"),
        (0.00025, "2.5e-4"),
        (0.0, "0"),
    ],
)
def test_payoffs_are_short_and_honest(payoff, text):
    assert payoff_text(payoff) == text


@many
@given(st.one_of(st.floats(-1e300, 1e300), st.fractions()))
def test_texts_are_short_and_near(payoff):
    text = payoff_text(payoff)
    assert len(text) <= 13
    value = Fraction(re.sub("[≈]", "", text.replace("−", "-")))
    exact = Fraction(payoff)
    if text.startswith("≈"):
        assert value != exact
        assert abs(value - exact) <= abs(exact) / 1000
    elif isinstance(payoff, Fraction):
        assert value == exact
    else:
        assert float(value) == payoff
