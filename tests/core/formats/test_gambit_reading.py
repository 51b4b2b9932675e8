"""What Gambit's formats allow, and how a file that breaks them is refused: place and reason."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, MalformedFile, UnsupportedGame, read_game, write_game
from gametheory_core.formats import DuplicateLabels, parse_efg, parse_nfg
from tests.sample_sizes import examples

GAMES = Path(__file__).parents[3] / "docs" / "examples" / "games"
UMBRELLA = (GAMES / "umbrella.efg").read_text(encoding="utf-8")
ENTRY = (GAMES / "entry.nfg").read_text(encoding="utf-8")
RENDEZVOUS = (GAMES / "rendezvous.nfg").read_text(encoding="utf-8")
NFG = 'NFG 1 R "" { "A" "B" } '
EFG = 'EFG 2 R "" { "A" "B" }\n'


def refused(parse, text, *, reason, line=None, column=None):
    with pytest.raises(MalformedFile, match=reason) as caught:
        parse(text, name="game")
    error = caught.value
    assert str(error).startswith(f"game, line {error.line}, column {error.column}: ")
    assert "\n" not in str(error)
    assert line is None or (error.line, error.column) == (line, column)


def test_first_player_s_strategy_varies_fastest():
    game = parse_nfg(ENTRY)
    assert game.actions == (("out", "enter"), ("fight", "share"))
    assert game.exact_payoffs[0].tolist() == [[0, 0], [Fraction(-4, 3), Fraction(3, 4)]]
    assert game.exact_payoffs[1].tolist() == [[2, 2], [-1, 1]]


def test_outcome_version_reads_indices_with_zero_for_nothing():
    game = parse_nfg(RENDEZVOUS)
    assert game.num_actions == (2, 2, 2)
    assert game.exact_payoffs[:, 0, 0, 0].tolist() == [1, 1, 1]
    assert game.exact_payoffs[:, 1, 1, 0].tolist() == [Fraction(1, 2), Fraction(1, 2), 0]
    assert game.exact_payoffs[:, 1, 0, 0].tolist() == [0, 0, 0]
    assert game.exact_payoffs[:, 0, 0, 1].tolist() == [Fraction(1, 2), Fraction(1, 2), 0]


def test_tree_shares_outcomes_and_adds_payoffs_on_the_path():
    game = parse_efg(UMBRELLA)
    assert game.num_nodes == 11
    assert game.exact_chance_probabilities.tolist()[-2:] == [Fraction(3, 10), Fraction(7, 10)]
    payoffs = {tuple(row) for row in game.exact_terminal_payoffs.tolist()}
    fee = Fraction(1, 3)
    assert payoffs == {
        (2 - fee, fee),
        (2 - fee, Fraction(1, 10) + fee),
        (-2, 0),
        (Fraction(-1, 10) - fee, fee),
        (1, 0),
    }


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("0.3333", Fraction(3333, 10000)),
        ("-1/3", Fraction(-1, 3)),
        ("+2", 2),
        ("1e-3", Fraction(1, 1000)),
        (".5", Fraction(1, 2)),
        ("2.5E2", 250),
        ("7.", 7),
    ],
)
def test_number_is_the_rational_it_is_written_as(written, meant):
    game = parse_nfg(f"{NFG}{{ 1 1 }} {written}, 0")
    assert game.exact_payoffs[0, 0, 0] == meant


@pytest.mark.parametrize(
    "written",
    ["nan", "inf", "1/0", "1.5/2", "0x10", "1_000", "--1", "1e1000", "1e9999999999", "9" * 3001],
)
def test_number_that_is_none_is_refused(written):
    refused(parse_nfg, f"{NFG}{{ 1 1 }} {written} 0", reason="needs payoff of player 1 in cell 1")


def test_comments_and_escapes_are_understood():
    text = 'NFG 1 D "a \\"b\\" \\\\ \\c" { "A" "B" } { 1 1 } "note" // 3 4\n1 // "two\n2 //'
    game = parse_nfg(text)
    assert game.title == 'a "b" \\ \\c'
    assert game.exact_payoffs.ravel().tolist() == [1, 2]


NORMAL_FORM_FAULTS = {
    "empty": ("", "needs 'NFG' at the start.*found the end of the file", 1, 1),
    "other format": (EFG, "needs 'NFG'.*found 'EFG'", 1, 1),
    "version": ('NFG 2 R "" {}', "needs version 1", 1, 5),
    "open quote": ('NFG 1 R "x', "needs a closing quote", 1, 9),
    "no players": ('NFG 1 R "" { } { }', "at least one player", 1, 16),
    "player twice": (
        'NFG 1 R "" { "A" "A" } { 1 1 } 0 0',
        "'A' stands at positions 1 and 2",
        1,
        22,
    ),
    "strategy twice": (NFG + '{ { "x" "x" } { "y" } } 0 0 0 0', "'x' stands at", 1, 36),
    "no strategy": (NFG + "{ 0 1 }", r"number of strategies of player 1", 1, 26),
    "too many strategies": (NFG + "{ 999999999999 1 } 0 0", "no more than there are", 1, 26),
    "too few payoffs": (NFG + "{ 2 2 }\n1 2 3", "player 2 in cell 2 of 4.*end of the file", 2, 6),
    "too many payoffs": (NFG + "{ 1 1 }\n1 2 3", "needs the end of the file.*'3'", 2, 5),
    "outcome index": (RENDEZVOUS.replace("2 2 0 0 1", "2 3 0 0 1"), "cell 5 of 8.*0 to 2", 5, 9),
    "outcome payoffs": (NFG + '{ 1 1 } { { "o" 1 } } 1', "payoff of player 2 in outcome 1", 1, 42),
}


@pytest.mark.parametrize("fault", NORMAL_FORM_FAULTS)
def test_malformed_nfg_is_refused_at_its_place(fault):
    text, reason, line, column = NORMAL_FORM_FAULTS[fault]
    refused(parse_nfg, text, reason=reason, line=line, column=column)


def changed(old, new):
    assert UMBRELLA.count(old) == 1
    return UMBRELLA.replace(old, new)


EXTENSIVE_FORM_FAULTS = {
    "empty": ("", "needs 'EFG' at the start"),
    "no node": (EFG, "needs a node .*1 are needed|1 more are needed"),
    "missing node": (UMBRELLA.rstrip().rsplit("\n", 1)[0], "1 more are needed.*end of the file"),
    "one node too many": (UMBRELLA + 't "" 6\n', "needs the end of the file, but found 't'"),
    "node kind": (changed('c "weather"', 'x "weather"'), "a node .*but found 'x'"),
    "player number": (changed('p "" 2 1 1\n', 'p "" 3 1 1\n'), r"number of a player \(1 to 2\)"),
    "first mention": (
        changed('p "" 2 1 1\n', 'p "" 2 9 1\n'),
        "information set 9, mentioned first",
    ),
    "other actions": (
        changed('{ "take" "leave" } 0\np "" 2 1 1', '{ "take" "keep" } 0\np "" 2 1 1'),
        "needs the same actions at all its nodes",
    ),
    "action twice": (changed('"dear" "cheap"', '"dear" "dear"'), "'dear' stands at positions"),
    "no action": (changed('{ "dear" "cheap" }', "{ }"), "needs at least one action"),
    "chance sum": (changed("3/10", "2/10"), "sum to 9/10"),
    "chance sign": (changed("3/10", "-3/10"), "-3/10"),
    "outcome unknown": (changed('t "" 5\n', 't "" 8\n'), "outcome 8, mentioned first here"),
    "outcome changed": (
        changed('t "" 5\n', 't "" 5 "" { 1, 0 }\n'),
        "outcome 5: needs the same payoffs everywhere, but they are 1, 0 here and were -1/10, 0",
    ),
    "zero outcome": (changed('t "" 5\n', 't "" 0 "" { 1, 0 }\n'), "outcome 0 stands for no payoff"),
    "payoff count": (changed('"free" { 1, 0 }', '"free" { 1 }'), "payoffs, number 2 of 2.*'}'"),
    "payoff surplus": (changed('"free" { 1, 0 }', '"free" { 1, 0, 2 }'), "'}' after 2 payoffs"),
    "label twice": (
        EFG + 'p "" 1 1 "h" { "l" } 0 p "" 1 2 "h" { "l" } 0 t "" 0',
        "'h' also names information set 1",
    ),
}


@pytest.mark.parametrize("fault", EXTENSIVE_FORM_FAULTS)
def test_malformed_efg_is_refused(fault):
    text, reason = EXTENSIVE_FORM_FAULTS[fault]
    refused(parse_efg, text, reason=reason)


def test_place_of_a_fault_in_a_tree_is_its_line():
    text = changed('p "" 2 1 1\n', 'p "" 3 1 1\n')
    refused(parse_efg, text, reason="number of a player", line=11, column=6)


def test_chance_set_repeated_with_other_weights_is_refused():
    first = 'c "" 1 "" { "l" 1/2 "r" 1/2 } 0\n'
    text = EFG + first + first.replace('"l" 1/2 "r" 1/2', '"l" 1/3 "r" 2/3') + 't "" 0 ' * 3
    refused(parse_efg, text, reason="are 1/3, 2/3 here and were 1/2, 1/2 before", line=3, column=6)


def test_duplicate_labels_are_numbered_on_request():
    text = 'NFG 1 R "" { "A" "A" } { { "x" "x" "x (2)" } { "" "" } } ' + "0 " * 12
    game = parse_nfg(text, duplicates=DuplicateLabels.RENAME)
    assert game.players == ("A", "A (2)")
    assert game.actions == (("x", "x (3)", "x (2)"), ("", ""))


def test_duplicate_information_set_labels_are_numbered_on_request():
    text = EFG + 'p "" 1 1 "h" { "l" "l" } 0 p "" 1 2 "h" { "l" } 0 t "" 0 t "" 0'
    game = parse_efg(text, duplicates=DuplicateLabels.RENAME)
    assert [infoset.label for infoset in game.infosets] == ["h", "h (2)"]
    assert game.infosets[0].actions == ("l", "l (2)")


@examples(150)
@given(st.data(), st.sampled_from([UMBRELLA, ENTRY, RENDEZVOUS]))
def test_damaged_file_reads_or_is_refused_in_one_line(data, text):
    """Cut, doubled or replaced words never raise anything but our own error."""
    parse = parse_efg if text is UMBRELLA else parse_nfg
    start = data.draw(st.integers(0, len(text) - 1))
    stop = data.draw(st.integers(start, min(len(text), start + 12)))
    patch = data.draw(
        st.sampled_from(["", '"', "{", "}", " 0 ", " -1 ", " 7/2 ", "\\", " t ", "//"])
    )
    try:
        game = parse(text[:start] + patch + text[stop:], name="game")
    except MalformedFile as error:
        assert str(error).startswith(f"game, line {error.line}, column {error.column}: ")  # noqa: PT017
    else:
        assert len(game.digest) == 64


def test_bytes_that_are_no_utf8_are_refused_at_their_place(tmp_path):
    path = tmp_path / "game.nfg"
    path.write_bytes(b'NFG 1 R "\n\xff" { }')
    with pytest.raises(MalformedFile, match="line 2, column 1: needs UTF-8 .* 0xff"):
        read_game(path)


def test_windows_file_with_a_byte_order_mark_reads(tmp_path):
    path = tmp_path / "game.nfg"
    path.write_bytes(b"\xef\xbb\xbf" + ENTRY.replace("\n", "\r\n").encode())
    assert read_game(path) == parse_nfg(ENTRY)


def test_missing_file_folder_and_unknown_suffix_are_refused(tmp_path):
    with pytest.raises(InvalidArgument, match="No such file"):
        read_game(tmp_path / "none.nfg")
    (tmp_path / "folder.efg").mkdir()
    with pytest.raises(InvalidArgument, match="Is a directory"):
        read_game(tmp_path / "folder.efg")
    with pytest.raises(InvalidArgument, match=r"ends in .*but it ends in '.txt'"):
        read_game(tmp_path / "game.txt")


def test_format_that_cannot_hold_the_game_is_refused(tmp_path):
    with pytest.raises(UnsupportedGame, match=r"extensive_to_normal\(game\).target"):
        write_game(parse_efg(UMBRELLA), tmp_path / "game.nfg")
    with pytest.raises(UnsupportedGame, match="Use the suffix .nfg"):
        write_game(parse_nfg(ENTRY), tmp_path / "game.efg")
    assert list(tmp_path.iterdir()) == []


def test_failed_writing_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "game.nfg"
    path.write_text("old", encoding="utf-8")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(InvalidArgument, match="No space left"):
        write_game(parse_nfg(ENTRY), path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.nfg"]
    assert path.read_text(encoding="utf-8") == "old"


def test_label_that_utf8_cannot_hold_is_refused(tmp_path):
    game = parse_nfg(NFG.replace("A", "\ud800") + "{ 1 1 } 0 0")
    with pytest.raises(InvalidArgument, match="labels that UTF-8 can hold"):
        write_game(game, tmp_path / "game.nfg")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("parse", [parse_nfg, parse_efg])
def test_every_quoted_text_is_needed_as_one(parse):
    text = ENTRY if parse is parse_nfg else UMBRELLA
    quoted = list(re.finditer(r'"[^"]*"', text))
    assert quoted
    for found in quoted:
        bare = f"{text[: found.start()]}word{text[found.end() :]}"
        refused(parse, bare, reason="needs .*found 'word'")
