"""Spreadsheets: whatever dialect a game of two players is written in, the same game is read."""

import csv
import io
from fractions import Fraction

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.formats import format_csv, parse_csv

NUMBERS = st.one_of(
    st.integers(-(10**12), 10**12),
    st.fractions(-100, 100, max_denominator=60),
    st.decimals(-(10**6), 10**6, places=4).map(Fraction),
)
NAMES = st.one_of(
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=6),
    st.sampled_from(
        ["1", "2", "-3", "1/2", "3,2", "1;2", "payoffs of x", 'a"b', " a ", "a\nb", "\t"]
    ),
)
SEPARATORS = st.sampled_from([",", ";", "\t"])


@st.composite
def two_player_games(draw, numbers=NUMBERS, names=NAMES):
    shape = draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
    labels = [draw(st.lists(names, min_size=n, max_size=n, unique=True)) for n in shape]
    players = draw(st.lists(names, min_size=2, max_size=2, unique=True))
    cells = shape[0] * shape[1]
    payoffs = [draw(st.lists(numbers, min_size=cells, max_size=cells)) for _ in range(2)]
    rows, columns = (
        [own[k * shape[1] : (k + 1) * shape[1]] for k in range(shape[0])] for own in payoffs
    )
    return gt.NormalFormGame.bimatrix(rows, columns, players=players, actions=labels)


@given(two_player_games(), SEPARATORS)
@example(gt.load_game("matching_pennies"), ",")
@example(gt.NormalFormGame.bimatrix([["1/3"]], [[0.5]], players=("1", "x")), ";")
def test_what_is_written_is_read_back(game, separator):
    assert parse_csv(format_csv(game, separator=separator)) == game


@given(two_player_games())
def test_files_are_read_back(tmp_path_factory, game):
    path = tmp_path_factory.mktemp("sheets") / "game.csv"
    gt.write_game(game, path)
    assert gt.load_game(path) == gt.load_matrix(path) == game


PLAIN = st.text("abcxyz ", min_size=1, max_size=5).map(str.strip).filter(bool)


def dialect(rows, separator, quoting, newline, columns, bom):
    """What Excel and others make of rows: quotes, line ends, empty columns, a byte-order mark."""
    width = max(map(len, rows)) + columns
    file = io.StringIO()
    writer = csv.writer(file, delimiter=separator, quoting=quoting, lineterminator=newline)
    writer.writerows([*row, *[""] * (width - len(row))] for row in rows)
    return "\ufeff" * bom + file.getvalue()


@given(
    two_player_games(st.decimals(-999, 999, places=2).map(Fraction), PLAIN),
    SEPARATORS,
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.integers(0, 2),
    st.booleans(),
    st.sampled_from(["two", "pairs", "bare", "bare pairs"]),
)
def test_dialects_of_spreadsheets_say_the_same(
    game, separator, quoting, newline, columns, bom, layout
):
    def text(number):
        shown = f"{float(number):.2f}"
        return shown if separator == "," else shown.replace(".", ",")

    matrices = [[[text(x) for x in row] for row in own] for own in game.exact_payoffs.tolist()]
    if "pairs" in layout:
        assume(game.num_actions[1] > 1 or separator == ",")  # else nothing shows what separates
        matrices = [
            [
                [f"{a} | {b}" for a, b in zip(*rows, strict=True)]
                for rows in zip(*matrices, strict=True)
            ]
        ]
    rows = []
    for player, matrix in enumerate(matrices):
        if "bare" in layout:
            rows += [*matrix, []]
            continue
        corner = game.players[player] if layout == "two" else " \\ ".join(game.players)
        rows.append([corner, *game.actions[1]])
        rows += [[label, *own] for label, own in zip(game.actions[0], matrix, strict=True)]
        rows.append([])
    if separator != "," and "bare" in layout and game.num_actions[1] == 1:
        return  # one column has no separator to be seen: a comma is a separator then
    read = parse_csv(dialect(rows, separator, quoting, newline, columns, bom))
    assert (read.exact_payoffs == game.exact_payoffs).all()
    if "bare" not in layout:
        assert (read.players, read.actions) == (game.players, game.actions)


def test_a_second_matrix_is_aligned_by_label():
    text = "A,l,r\nu,1,2\nd,3,4\n\nB,r,l\nd,40,30\nu,20,10\n"
    expected = gt.NormalFormGame.bimatrix(
        [[1, 2], [3, 4]], [[10, 20], [30, 40]], players=("A", "B"), actions=("ud", "lr")
    )
    assert parse_csv(text) == expected


@pytest.mark.parametrize(
    ("text", "payoff"),
    [
        ('"3,2"', (3, 2)),
        ("3|2", (3, 2)),
        ('"3;2"', (3, 2)),
        ('"(1/3, -2)"', (Fraction(1, 3), -2)),
        ('"[0.5, \N{MINUS SIGN}.25]"', (Fraction(1, 2), Fraction(-1, 4))),
        (",u\nd,1e3|2", (1000, 2)),
        (";u\nd;1,5|2", (Fraction(3, 2), 2)),
        (";u\nd;3, 2", (3, 2)),
        ("sep=;\n;u\nd;(3,2)", (3, 2)),
        ("sep=;\r\n0,5|2", (Fraction(1, 2), 2)),
        (",,\n,,u\n,d,1|2", (1, 2)),
    ],
)
def test_pairs_are_read_exactly(text, payoff):
    game = parse_csv(text)
    assert game.exact_payoffs.ravel().tolist() == list(payoff)


def test_a_corner_beside_pairs_is_a_title_or_two_players():
    assert parse_csv("Deadlock,u\nd,1|2").title == "Deadlock"
    assert parse_csv("Ann \\ Bob,u\nd,1|2").players == ("Ann", "Bob")


@pytest.mark.parametrize(
    ("text", "complaint", "line", "column"),
    [
        ("", r"matrix of payoffs, but the file has no cells", 1, 1),
        (",l,r\nu,1,x\n\n,l,r\nu,1,2", r"line 2, column 5 \(cell C2\): needs a number.*'x'", 2, 5),
        (",l,r\nu,1,\n\n,l,r\nu,1,2", r"cells, but it has 2 and the first row .* 3", 2, 3),
        (",l,r\nu,,1\n\n,l,r\nu,1,2", r"needs a number, but found an empty cell", 2, 3),
        ("1,2\n3,4", r"cell A1\): needs a pair of payoffs in each cell .*zero_sum", 1, 1),
        (',l\nu,"1,5"\n\n,l\nu,1', r"needs a number, but found '1,5'", 2, 3),
        (",l\nu,1/0\n\n,l\nu,1", r"needs a number, but found '1/0'", 2, 3),
        (
            ",l\nu,1\n\n,l,r\nu,1,2",
            r"second matrix of 1 x 1, as the first, but found one of 1 x 2",
            4,
            1,
        ),
        (",l\nu,1\n\n,x\nu,1", r"needs action labels 'l', in any order, but got 'x'", 4, 1),
        (",l\nu,1\n\n,l\nu,1\n\n3", r"end of the file, but found a third matrix", 7, 1),
        (",l,l\nu,1,2\n\n,l,l\nu,1,2", r"labels that differ, but 'l' stands there twice", 1, 4),
        ("A,l,r\n1,3,0\n2,5,1", r"label that is no number, since the corner is 'A'", 2, 1),
        (
            "u,3,0\nd,5,1",
            r"label that is no number, since the corner is 'u'.* Write 'payoffs of '",
            1,
            3,
        ),
        (",l,r", r"payoffs beside the labels, but there are none", 1, 2),
        (",l", r"matrix of payoffs, but 'l' stands alone in its row", 1, 2),
        ("My game,,\n,l,r\nu,1|2,3|4", r"'My game' stands alone in its row. Only matrices", 1, 1),
        ("Mine\n\n,l\nu,1\n\n,l\nu,1", r"'Mine' stands alone in its row. Only matrices", 1, 1),
        (",l,r\nu,1|2,3|4\n# my own", r"it has 1 and the first row .* 3. Only matrices", 3, 1),
        (",,l\nu,x,1|2", r"needs a label, but found an empty cell", 1, 2),
        ('a,"b', r"needs a closing quote", 1, 3),
        ('a,"b"c', r"nothing behind a closing quote, but found 'c'", 1, 3),
        ('"a\nb",l\nu,x', r"line 3, column 3 \(cell B2\): needs a pair", 3, 3),
        (";l\nu;3,2", r"needs a pair of payoffs", 2, 3),
        ("A,l\nu,1\n\nA,l\nu,2", r"different player labels", 0, 0),
        (",l\nu,1 000", r"needs a pair of payoffs in each cell", 2, 3),
    ],
)
def test_errors_name_the_place(text, complaint, line, column):
    with pytest.raises(gt.MalformedFile, match=complaint) as caught:
        parse_csv(text, name="game.csv")
    assert (caught.value.line, caught.value.column) == (line, column)
    assert str(caught.value).startswith("game.csv")


@pytest.mark.parametrize(
    ("text", "complaint", "line", "column"),
    [
        (
            'S,low,high\nlow,"10,000","12,500"\nhigh,"8,000","-9,750"\n',
            r"B2\): .* '10,000' may be 10000 or the pair of 10 and 0, .*Write pairs as",
            2,
            5,
        ),
        (',l\nu,"(10,005)"', r"'10,005' may be 10005 or the pair of 10 and 5", 2, 3),
        ("A;l;t\nu;1,000|2;3,500|4", r"B2\): .* '1,000' may be 1000 or 1, .* '1,0000'", 2, 3),
        (";l\nu;1.250\n\n;l\nu;3", r"'1.250' may be 1250 or 1.25, .* '1.2500'", 2, 3),
        ("\tl\nu\t1.250\n\n\tl\nu\t3", r"'1.250' may be 1250 or 1.25", 2, 3),
        (
            ";l;r\nu;10.000;2,5\n\n;l;r\nu;1;2",
            r"B2\): needs decimal commas or .* points, not both, .*'10.000', and '2,5' in cell C2",
            2,
            3,
        ),
        (";l;r\nu;10.5|2,5;1|2", r"not both, but found '10.5', and '2,5' in cell B2", 2, 3),
        (
            ",1,2\n3,4,5\n6,7,8\n\n,1,2\n3,4,5\n6,7,8",
            r"A1\): .* labels that are none, but the corner is empty .*'payoffs of \.\.\.'",
            1,
            1,
        ),
        (',"3,2"\n"1,1","0,1"', r"the corner is empty and all other cells could be payoffs", 1, 1),
    ],
)
def test_what_can_be_read_in_two_ways_is_refused(text, complaint, line, column):
    with pytest.raises(gt.MalformedFile, match=complaint) as caught:
        parse_csv(text, name="game.csv")
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "payoffs"),
    [
        (',l,r\nu,"10,000","1,2"', [[[10, 1]], [[0, 2]]]),
        (',l\nu,"10, 000"', [[[10]], [[0]]]),
        (',l\nu,"0,100"', [[[0]], [[100]]]),
        (',l\nu,"1000,100"', [[[1000]], [[100]]]),
        (",l\nu,10.000|2", [[[10]], [[2]]]),
        (";l\nu;1,000|2,5", [[[1]], [[Fraction(5, 2)]]]),
        (";l\nu;1,0000|2", [[[1]], [[2]]]),
        (";l\nu;0.125|2", [[[Fraction(1, 8)]], [[2]]]),
        (',1,2\n1,"3,3","0,5"', [[[3, 0]], [[3, 5]]]),
        ("payoffs of A,1\n1,3\n\npayoffs of B,1\n1,4", [[[3]], [[4]]]),
    ],
)
def test_one_cell_that_settles_it_is_enough(text, payoffs):
    assert parse_csv(text).exact_payoffs.tolist() == payoffs


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_what_is_written_has_one_reading(separator):
    game = gt.NormalFormGame.bimatrix([["9/8", 1]], [[2000, "9/8"]])
    assert parse_csv(format_csv(game, separator=separator)) == game


def test_what_a_spreadsheet_cannot_hold_is_refused(tmp_path):
    three = gt.NormalFormGame.from_payoffs([[[[1]]], [[[1]]], [[[1]]]])
    with pytest.raises(gt.UnsupportedGame, match=r"needs two players .* has 3.*\.nfg"):
        gt.write_game(three, tmp_path / "game.csv")
    unnamed = gt.NormalFormGame.bimatrix([[1]], [[1]], actions=[[""], ["a"]])
    with pytest.raises(gt.UnsupportedGame, match=r"needs a name of each player and action"):
        format_csv(unnamed)
    with pytest.raises(gt.UnsupportedGame, match=r"needs a normal form of two players"):
        gt.write_game(gt.load_game("kuhn_poker"), tmp_path / "game.csv")
    with pytest.raises(gt.InvalidArgument, match=r"comma, a semicolon or a tab .* got ':'"):
        format_csv(gt.load_game("chicken"), separator=":")
    assert not list(tmp_path.iterdir())


def test_decimals_are_written_where_there_are_some():
    game = gt.NormalFormGame.bimatrix([["1/4", "1/3", "-1/20"]], [[7, -0.5, 1]])
    assert "0.25,1/3,-0.05" in format_csv(game)
    assert "7;-0,5;1" in format_csv(game, separator=";")
