"""Quantal responses at a given rationality, against the definition and closed forms."""

from fractions import Fraction
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, NotConverged
from gametheory_core.catalog import load
from gametheory_core.errors import NumericalFailure
from gametheory_core.evaluation import action_payoffs
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import Budget, quantal_response


@given(
    normal_form_games(num_players=(1, 3), kinds=tuple(PayoffKind)),
    st.sampled_from([0.0, 0.01, 0.3, 2.0]),
)
def test_profile_is_a_fixed_point_of_softmax(game, rationality):
    response = quantal_response(game, rationality=rationality)
    scale = 1 + rationality * float(np.ptp(game.payoffs))
    assert response.residual <= 1e-9 * scale
    for player, own in enumerate(response.profile.strategies):
        values = rationality * action_payoffs(game, response.profile, player=player)
        weights = np.exp(values - values.max())
        np.testing.assert_allclose(own, weights / weights.sum(), atol=1e-8 * scale)
    response.certificate.verify()
    assert float(response.certificate.residual) <= 1e-9 * scale
    response.nash.verify()


def test_one_player_chooses_by_softmax():
    game = NormalFormGame.from_payoffs([[0, 1]])
    own = quantal_response(game, rationality=3.0).profile.strategies[0]
    assert own[1] == pytest.approx(exp(3) / (1 + exp(3)), rel=1e-12)


@given(normal_form_games(num_players=(1, 3)), st.sampled_from([0.5, 5.0, 40.0]))
def test_nobody_gains_more_than_the_entropy_pays(game, rationality):
    """The best reply beats a softmax by at most log(number of actions) / rationality."""
    response = quantal_response(game, rationality=rationality)
    most = max(map(log, game.num_actions))
    assert float(response.nash.epsilon) <= most / rationality + 1e-9


def test_tiny_probabilities_are_precise_and_none_is_zero():
    certificate = quantal_response(load("prisoners_dilemma"), rationality=1000.0).certificate
    assert 0 < min(certificate.profile.strategies[0]) < Fraction(1, 10**300)
    assert certificate.residual < Fraction(1, 10**10)
    farther = quantal_response(load("prisoners_dilemma"), rationality=1e5).certificate
    farther.verify()
    assert farther.residual > 1  # a true bound still: such probabilities are not written out


@pytest.mark.parametrize(
    "payoffs",
    [
        [
            [[[5 * 10**18, -3 * 10**15, 0, 0, 0]]],
            [[[0] * 5]],
            [[[-4999999999999910000, 3 * 10**15, 0, 699999999999970, -5 * 10**17]]],
        ],
        [
            [
                [
                    285714281428571429,
                    -714285718571428571,
                    *[285714281428571429] * 2,
                    285714287428571429,
                ],
                [5000000, 0, 7000000, 3 * 10**15, 0],
            ],
            [[-100000000995, 2, -59999999993994, -69999999999994, 6], [5, 6, 6, 6, 6]],
        ],
    ],
    ids=["no step", "a step too far"],
)
def test_payoffs_that_floats_hardly_weigh_are_refused_or_answered_with_proof(payoffs):
    """Rounding decides which, and differs from machine to machine."""
    game = NormalFormGame.from_payoffs(payoffs)
    try:
        found = quantal_response(game, rationality=1.0)
    except NumericalFailure as error:
        assert "needs rationality 1, but floats failed at 1" in str(error)  # noqa: PT017
    else:
        found.solution.certificate.verify()
        assert found.residual < 1e-9
    assert quantal_response(game, rationality=1e-18).residual < 1e-9


def test_newtons_steps_that_leave_floats_are_refused():
    payoffs = [
        *[[[3, 9], [-3, -1], [3, 9]], [[4, 0], [0, 8], [4, 2]], [[-2, -3], [2, -7], [-2, -3]]],
        *[[[9, -1], [-3, 9], [9, -1]], [[7, 6], [-9, -8], [7, 6]], [[-4, 2], [0, 3], [0, 2]]],
        *[[[0, 1], [-7, -8], [0, 1]], [[9, -7], [9, 5], [9, -7]], [[7, 5], [-6, 5], [7, 5]]],
        *[[[0, 6], [-2, -9], [-7, 6]], [[0, -5], [-3, 0], [0, 0]], [[6, -1], [-6, 2], [6, -1]]],
    ]
    units = np.array(payoffs, dtype=object).reshape(3, 4, 3, 2)
    quantal_response(NormalFormGame.from_payoffs(units), rationality=1.0).certificate.verify()
    with pytest.raises(NumericalFailure, match="needs rationality 1, but floats fail"):
        quantal_response(NormalFormGame.from_payoffs(units * 10**30), rationality=1.0)


def test_matching_pennies_is_even_at_every_rationality():
    response = quantal_response(load("matching_pennies"), rationality=7.0)
    assert response.profile.strategies[0].tolist() == pytest.approx([0.5, 0.5])


def test_first_crossing_is_taken_where_the_branch_turns():
    rng = np.random.default_rng(5)
    games = [NormalFormGame.from_payoffs(rng.integers(-100, 101, (3, 3, 3, 3))) for _ in range(21)]
    response = quantal_response(games[20], rationality=7.98 / 200)
    assert response.profile.strategies[0][0] < 0.65  # before the branch turns back
    assert response.residual < 1e-9


def test_budget_ends_with_the_rationality_reached():
    with pytest.raises(NotConverged, match="needs rationality 1000, but the budget ended at 0"):
        quantal_response(load("chicken"), rationality=1e3, budget=Budget(iterations=0))


def coordination_in(unit):
    payoffs = np.array([[3, 0], [0, 1]], dtype=object) * Fraction(unit)
    return NormalFormGame.from_payoffs(np.stack([payoffs, payoffs]))


def test_tiny_payoffs_take_a_huge_rationality():
    tiny = quantal_response(coordination_in(1e-300), rationality=2e300).profile
    plain = quantal_response(coordination_in(1), rationality=2.0).profile
    assert tiny.strategies[0] == pytest.approx(plain.strategies[0])


@pytest.mark.parametrize("unit", [1e300, 10**400], ids=["float", "beyond"])
def test_rationality_beyond_floats_is_refused(unit):
    with pytest.raises(NumericalFailure, match="but floats fail beyond"):
        quantal_response(coordination_in(unit), rationality=1e200)


@pytest.mark.parametrize("shape", [(1, 3), (2, 2, 3), (3, 2, 1, 3)])
@pytest.mark.parametrize("level", ["0", "1/3", "1e300"])
@pytest.mark.parametrize("rationality", [0.5, 1e60, 1e300])
def test_players_who_are_indifferent_mix_evenly_at_any_rationality(shape, level, rationality):
    payoffs = np.full(shape, Fraction(level), dtype=object)
    response = quantal_response(NormalFormGame.from_payoffs(payoffs), rationality=rationality)
    response.certificate.verify()
    assert response.certificate.residual < Fraction(1, 10**20)
    for own, count in zip(response.certificate.profile.strategies, shape[1:], strict=True):
        assert own.tolist() == [Fraction(1, count)] * count


def test_ties_that_even_mixing_makes_hold_at_any_rationality():
    """Twins: a lead of one action is followed, and so is too large a rationality refused."""
    even = quantal_response(load("matching_pennies"), rationality=1e300)
    assert even.certificate.residual < Fraction(1, 10**20)
    with pytest.raises(NumericalFailure, match="but floats fail beyond"):
        quantal_response(NormalFormGame.from_payoffs([[0, 0, 1]]), rationality=1e300)
