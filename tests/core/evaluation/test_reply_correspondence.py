"""Best responses in the unit square are those of the definition, everywhere."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, MixedProfile, NormalFormGame, UnsupportedGame
from gametheory_core.evaluation import action_payoffs
from gametheory_core.evaluation.deviations import reply_correspondence
from tests.sample_sizes import many

PAYOFFS = st.lists(st.sampled_from([-2, -1, 0, 0, 1, Fraction(1, 3)]), min_size=8, max_size=8)


def strategy(first):
    return np.array([first, 1 - first], dtype=object)


@many
@given(PAYOFFS, st.integers(0, 1), st.fractions(0, 1, max_denominator=6))
def test_pieces_are_the_best_responses_of_the_definition(payoffs, player, probability):
    game = NormalFormGame.from_payoffs(np.array(payoffs, dtype=object).reshape(2, 2, 2))
    pieces = reply_correspondence(game, player=player)
    assert pieces[0].start == 0
    assert pieces[-1].end == 1
    assert all(one.end == other.start for one, other in pairwise(pieces))
    assert all(one.start < one.end or other.start < other.end for one, other in pairwise(pieces))
    turns = {piece.start for piece in pieces}
    for theirs in {probability, *turns, Fraction(0), Fraction(1)}:
        sides = [strategy(Fraction(1, 2)), strategy(Fraction(1, 2))]
        sides[1 - player] = strategy(theirs)
        first, second = action_payoffs(game, MixedProfile(tuple(sides)), player=player)
        best = {Fraction(p) for p, good in ((1, first >= second), (0, second >= first)) if good}
        shown = [(p.low, p.high) for p in pieces if p.start <= theirs <= p.end]
        assert {end for piece in shown for end in piece} == best


def test_other_games_and_players_are_refused():
    with pytest.raises(UnsupportedGame, match="two players with two actions each"):
        reply_correspondence(NormalFormGame.from_payoffs(np.zeros((2, 2, 3))), player=0)
    with pytest.raises(InvalidArgument, match="needs player to be an integer from 0"):
        reply_correspondence(NormalFormGame.from_payoffs(np.zeros((2, 2, 2))), player=2)
