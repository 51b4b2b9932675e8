"""What plays pay, as whole numbers, against plays added up one by one."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import Decision, Terminal, from_sketch
from gametheory_core.games.properties import play_payoffs, play_total, play_totals, whole_numbers
from gametheory_core.testing import PayoffKind, extensive_form_games
from tests.core.naive_trees import plays

ALL_KINDS = tuple(PayoffKind)


def meant(whole):
    return [Fraction(value, whole.denominator) for value in whole.numerators.tolist()]


@given(st.one_of(extensive_form_games(num_players=(1, 3)), extensive_form_games(zero_sum=True)))
def test_plays_pay_the_sum_of_their_outcomes(game):
    paid = [play.paid for play in plays(game)]
    for player in range(game.num_players):
        found = play_payoffs(game, player=player)
        assert meant(found) == [own[player] for own in paid]
        assert found.largest >= max(abs(value) for value in found.numerators.tolist())
    assert meant(play_totals(game)) == [sum(own) for own in paid]
    ends = game.terminals.tolist()
    assert [play_total(game, node) for node in ends] == [sum(own) for own in paid]


@pytest.mark.parametrize("size", [2**60, 2**62, 2**63 - 1, 2**63, 2**64, 10**30])
def test_sums_along_a_path_do_not_wrap(size):
    """Inner outcomes add up beyond a word though each of them fits."""
    inner = Decision(0, "below", {"c": Terminal([size, -size])}, payoffs=[size, -size])
    tree = from_sketch(
        Decision(1, "root", {"a": inner, "b": Terminal([1, -1])}, payoffs=[size, -size]),
        players=("Ann", "Bob"),
    )
    assert sorted(meant(play_payoffs(tree, player=0))) == sorted([size + 1, 3 * size])
    assert sorted(meant(play_payoffs(tree, player=1))) == sorted([-size - 1, -3 * size])


@pytest.mark.parametrize(("sums", "kind"), [(1, np.int64), (2, object)])
def test_words_hold_what_surely_fits(sums, kind):
    whole = whole_numbers([Fraction(2**62, 3), Fraction(-1, 3)], sums=sums)
    assert whole.numerators.dtype == kind
    assert (whole.numerators.tolist(), whole.denominator) == ([2**62, -1], 3)


def test_nothing_is_over_one():
    whole = whole_numbers([])
    assert (whole.numerators.tolist(), whole.denominator, whole.largest) == ([], 1, 0)
