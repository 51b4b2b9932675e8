"""Chance in Gambit's files that was rounded on the way: recovered if asked, else refused."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.formats import DuplicateLabels, parse_efg
from gametheory_core.recovered_numbers import recovered_decimals
from solvers import sequence_form_lp


def rolling(*shares):
    """A die in Gambit's words, each outcome with its share as written."""
    sides = " ".join(f'"{k}" {share}' for k, share in enumerate(shares))
    ends = "\n".join(f't "" {k + 1} "" {{ {k} }}' for k in range(len(shares)))
    return f'EFG 2 R "die" {{ "A" }}\nc "" 1 "" {{ {sides} }} 0\n{ends}\n'


LAWS = st.lists(st.integers(1, 30), min_size=2, max_size=6).map(
    lambda wholes: [Fraction(n, sum(wholes)) for n in wholes]
)


@given(LAWS)
def test_laws_come_back_from_floats_printed_in_full(law):
    texts = [repr(float(share)) for share in law]
    tree = parse_efg(rolling(*texts), recover=True)
    assert list(tree.infosets[0].probabilities) == law


@given(LAWS, st.integers(2, 8))
def test_what_is_recovered_rounds_to_what_stands_there(law, digits):
    texts = [f"{float(share):.{digits}f}" for share in law]
    found = recovered_decimals(texts)
    written = [Fraction(text) for text in texts]
    if sum(written) == 1:
        assert list(found) == written
    assert found is not None
    assert sum(found) == 1
    unit = Fraction(1, 10**digits)
    for share, text in zip(found, written, strict=True):
        assert abs(share - text) <= len(law) * unit / 2
        assert share > 0 or text == 0


def test_six_sides_of_two_digits_are_sixths():
    assert recovered_decimals(["0.17"] * 6) == (Fraction(1, 6),) * 6
    assert recovered_decimals(["1/6"] * 5 + ["0.17"]) == (Fraction(1, 6),) * 6


def test_where_nothing_simple_fits_each_is_divided_by_the_sum():
    texts = ["0.30000001", "0.30000001", "0.39999999"]
    total = sum(map(Fraction, texts))
    assert recovered_decimals(texts) == tuple(Fraction(text) / total for text in texts)


@pytest.mark.parametrize("texts", [["0.3", "0.3"], ["0.5"], ["1/2", "1/3"], ["2", "-1.05"]])
def test_what_rounding_does_not_explain_stays_refused(texts):
    assert recovered_decimals(texts) is None
    for recover in (False, True):
        with pytest.raises(gt.MalformedFile, match="weights") as caught:
            parse_efg(rolling(*texts), recover=recover)
        assert "--recover" not in str(caught.value)


def test_the_refusal_says_how_to_recover():
    with pytest.raises(
        gt.MalformedFile, match=r"line 2, .* they sum to 9999/.* --recover .*, recover=True in"
    ):
        parse_efg(rolling("0.3333", "0.3333", "0.3333"))


def test_payoffs_are_never_touched():
    text = rolling("0.5", "0.5").replace("{ 1 }", "{ 0.3333333333333333 }")
    tree = parse_efg(text, recover=True)
    assert tree.outcomes[1].payoffs == (Fraction("0.3333333333333333"),)
    assert tree == parse_efg(text)


@pytest.mark.parametrize(
    ("name", "laws", "value"),
    [
        ("kuhn_poker", {3, 2}, Fraction(-1, 18)),
        ("leduc_poker", {6, 5, 4}, None),
        ("liars_dice(dice_sides=3)", {3}, None),
        ("kuhn_poker(players=3)", {4, 3, 2}, None),
    ],
)
def test_exports_of_open_spiel_are_read(tmp_path, name, laws, value):
    pyspiel = pytest.importorskip("pyspiel")
    gambit = pytest.importorskip("open_spiel.python.algorithms.gambit")
    path = tmp_path / "game.efg"
    path.write_text(gambit.export_gambit(pyspiel.load_game(name)))
    with pytest.raises(gt.MalformedFile, match="recover=True"):
        gt.load_game(path)
    tree = gt.load_tree(path, recover=True, duplicates=DuplicateLabels.REFUSE)
    chance = [infoset.probabilities for infoset in tree.infosets if infoset.probabilities]
    assert {len(law) for law in chance} == laws
    assert all(set(law) == {Fraction(1, len(law))} for law in chance)
    if value is not None:
        assert sequence_form_lp(tree).payoffs[0] == value
