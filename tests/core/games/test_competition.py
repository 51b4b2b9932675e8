"""Strict competition: what it is, at which rate, and what breaks it."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.games import exchange_of, is_constant_sum, is_strictly_competitive
from gametheory_core.games.competition import zero_sum_twin
from gametheory_core.testing import extensive_form_games, zero_sum_games
from tests.solvers.trees.trees import with_payoffs

RATES = st.fractions(Fraction(1, 5), 5, max_denominator=5)
NUMBERS = st.fractions(-5, 5, max_denominator=5)


@given(zero_sum_games(max_actions=4), RATES, NUMBERS)
def test_other_units_and_a_constant_keep_a_matrix_competitive(game, rate, constant):
    own = game.exact_payoffs[0]
    other = gt.NormalFormGame.bimatrix(own, constant - rate * own)
    assert is_strictly_competitive(other)
    found = exchange_of(other)
    paid = found.rate * other.exact_payoffs[0] + other.exact_payoffs[1]
    assert set(paid.ravel().tolist()) == {found.constant}
    assert found.rate == rate or len(set(own.ravel().tolist())) == 1


@given(zero_sum_games(max_actions=4), RATES, NUMBERS, st.data())
def test_one_entry_off_the_line_breaks_it_by_a_witness(game, rate, constant, data):
    own = game.exact_payoffs[0]
    paid = np.array(constant - rate * own)
    place = tuple(data.draw(st.integers(0, n - 1)) for n in own.shape)
    paid[place] += data.draw(st.sampled_from([Fraction(1, 7), Fraction(-3)]))
    found = is_strictly_competitive(gt.NormalFormGame.bimatrix(own, paid))
    pairs = list(zip(own.ravel().tolist(), paid.ravel().tolist(), strict=True))
    assert bool(found) == on_a_falling_line(pairs)
    if not found:
        assert not on_a_falling_line([pairs[play] for play in found.witness])


def on_a_falling_line(pairs):
    """Whether pairs of payoffs lie on one line that falls, looked at two by two."""
    if len(set(pairs)) == 1:
        return True
    slopes = {
        None if a == c else (d - b) / (c - a)
        for a, b in pairs
        for c, d in pairs
        if (a, b) != (c, d)
    }
    return len(slopes) == 1 and all(slope is not None and slope < 0 for slope in slopes)


@given(extensive_form_games(num_players=(2, 2), max_moves=8), RATES, NUMBERS)
def test_trees_are_as_their_plays(tree, rate, constant):
    assert bool(is_strictly_competitive(tree)) == on_a_falling_line(
        [tuple(pair) for pair in tree.exact_terminal_payoffs.tolist()]
    )
    own = tree.exact_terminal_payoffs[:, 0].tolist()
    opposed = with_payoffs(tree, [(u, constant - rate * u) for u in own])
    assert is_strictly_competitive(opposed)
    twin = zero_sum_twin(opposed)
    assert is_constant_sum(twin)
    assert twin.exact_terminal_payoffs[:, 0].tolist() == own
    assert twin.exact_terminal_payoffs[:, 1].tolist() == [-u for u in own]


def test_payoffs_on_the_way_are_added_up():
    end = gt.Decision(1, "end", {"a": gt.Terminal([1, -2]), "b": gt.Terminal([0, 0])})
    start = gt.Decision(
        0, "start", {"in": end, "out": gt.Terminal([3, -6])}, payoffs=[Fraction(1, 2), 4]
    )
    found = exchange_of(gt.from_sketch(start, players=("A", "B")))
    assert (found.rate, found.constant) == (2, 5)


def test_what_breaks_it_is_told():
    dilemma = gt.load_game("prisoners_dilemma")
    with pytest.raises(gt.UnsupportedGame, match="gains and losses have no fixed rate: payoffs"):
        exchange_of(dilemma)
    both_gain = gt.NormalFormGame.bimatrix([[1, 2]], [[1, 2]])
    assert is_strictly_competitive(both_gain).reason == (
        "one player gains, and the other does not lose: payoffs are 1, 1 at joint action "
        "('1', '1') and 2, 2 at joint action ('1', '2')"
    )
    alone = gt.NormalFormGame.bimatrix([[1, 1]], [[1, 2]])
    assert "does not lose" in is_strictly_competitive(alone).reason
    three = is_strictly_competitive(gt.load_game("kuhn_poker:players=3,cards=4"))
    assert "has 3 players" in three.reason
