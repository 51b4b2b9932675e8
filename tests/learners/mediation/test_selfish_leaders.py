"""Leaders without a mediator: what is learned is what exact answers say."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import InvalidArgument, UnsupportedGame, expected_returns
from learners import train
from learners.mediation import MediatedTurns, Selection, SelfishLeaders
from solvers.mediation import ordered_leaders, voted_leaders
from tests.learners.continuing import assert_continues
from tests.learners.mediation.games import CHICKEN, DILEMMA, ONE_COLOR, TWO_COLORS, drawn_game

GAMES = [DILEMMA, CHICKEN, ONE_COLOR, TWO_COLORS]
IDS = ["dilemma", "chicken", "one color", "two colors"]


def learned(game, *, iterations=200, seed=0, **options):
    learner = SelfishLeaders(game, rng=np.random.default_rng(seed), **options)
    train(learner, iterations=iterations)
    return learner


@pytest.mark.parametrize("order", [(0,), (1,), (0, 1)])
@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_agents_in_a_fixed_order_learn_what_is_best_for_them(game, order):
    exact = ordered_leaders(game, order=order)
    found = learned(game, order=order).play()
    assert (found.returns, found.expected_fairness) == (exact.returns, exact.fairness)


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_lots_are_what_exact_votes_for_oneself_come_to(game):
    """Small steps, since what others draw until one leads again is noise."""
    exact = voted_leaders(game)
    found = learned(game, selection=Selection.LOTS, step_size=0.02, iterations=300).play()
    assert (found.returns, found.expected_fairness) == (exact.returns, exact.expected_fairness)


def test_voters_learn_to_vote_for_themselves_where_leading_pays():
    learner = learned(DILEMMA, selection=Selection.VOTES, iterations=400)
    assert (learner.vote_values().argmax(axis=2) == [0, 1]).all()
    assert learner.play().expected_fairness == voted_leaders(DILEMMA).expected_fairness


def test_equal_votes_of_three_are_split_evenly():
    from learners.mediation.selfish_leaders import _elected

    assert _elected([0, 1, 1], 3) == (0, 1, 0)
    assert _elected([2, 0, 1], 3) == (Fraction(1, 3),) * 3
    assert _elected([0, 0, 2, 2], 4) == (Fraction(1, 2), 0, Fraction(1, 2), 0)


@pytest.mark.parametrize("selection", Selection, ids=lambda own: own.name.lower())
def test_policies_earn_what_is_said(selection):
    learner = learned(TWO_COLORS, selection=selection, order=(1, 0), iterations=20)
    returns = expected_returns(MediatedTurns(TWO_COLORS), learner.policies())
    assert tuple(returns) == (*learner.play().returns, 0)


def test_restored_learner_goes_on_bit_for_bit(tmp_path):
    def new():
        return SelfishLeaders(DILEMMA, selection=Selection.VOTES, rng=np.random.default_rng(1))

    assert_continues(new, tmp_path, before=5, after=7)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"selection": "votes"}, "a member of Selection"),
        ({"order": ()}, "the length of order"),
        ({"order": (0, 2)}, "leaders in order to be an integer from 0 to 1"),
        ({"fairness": None}, "fairness to be of type Fairness"),
    ],
)
def test_bad_options_are_refused_by_name(options, message):
    with pytest.raises(InvalidArgument, match=message):
        SelfishLeaders(CHICKEN, rng=np.random.default_rng(0), **options)


def test_games_that_draw_states_are_refused():
    with pytest.raises(UnsupportedGame, match="in which nothing is drawn"):
        SelfishLeaders(drawn_game(), rng=np.random.default_rng(0))
