"""Estimated rationality: what was played is found again, in any unit, with honest errors."""

from math import inf, isclose, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, load_game
from gametheory_core.errors import InvalidArgument, NumericalFailure, UnsupportedGame
from solvers import quantal_response
from solvers.many_players import estimate_rationality

PENNIES = NormalFormGame.bimatrix([[9, 0], [0, 1]], [[0, 1], [1, 0]])
OCHS = NormalFormGame.bimatrix([[1.1141, 0], [0, 0.2785]], [[0, 1.1141], [1.1141, 0]])
OBSERVED = [[128 * 0.527, 128 * 0.473], [128 * 0.366, 128 * 0.634]]
THREE = NormalFormGame.from_payoffs(
    [
        [[[2, 0], [1, 3]], [[0, 1], [4, 1]]],
        [[[0, 2], [3, 1]], [[1, 0], [0, 2]]],
        [[[1, 3], [0, 1]], [[2, 0], [1, 0]]],
    ]
)
ROUNDED = 1e-6  # relative: what floats leave of an estimate


def shares(game, rationality, number=1000.0):
    """What a response of this rationality is expected to choose."""
    return [
        number * own for own in quantal_response(game, rationality=rationality).profile.strategies
    ]


@given(
    payoffs=st.lists(st.integers(-5, 5), min_size=12, max_size=12), rationality=st.floats(0.01, 2.0)
)
def test_expected_choices_give_back_the_rationality(payoffs, rationality):
    """The slope of the likelihood at the true rationality is ``N sum p u' = N (sum p)' = 0``."""
    table = np.array(payoffs).reshape(2, 2, 3)
    game = NormalFormGame.bimatrix(table[0], table[1])
    try:
        found = estimate_rationality(game, shares(game, rationality))
    except (UnsupportedGame, InvalidArgument):  # indifferent; or in equilibrium but for rounding
        assume(False)
    if found.standard_error < inf:
        there = quantal_response(game, rationality=found.rationality)
        assert found.rationality == pytest.approx(rationality, rel=1e-3) or all(
            np.allclose(own, was, atol=ROUNDED)
            for own, was in zip(
                there.profile.strategies,
                quantal_response(game, rationality=rationality).profile.strategies,
                strict=True,
            )
        )


def test_low_peaks_that_rounding_makes_far_out_do_not_count():
    game = NormalFormGame.bimatrix([[0, 0, 0], [0, 0, -1]], [[0, 5, 0], [0, -5, 0]])
    assert isclose(estimate_rationality(game, shares(game, 1.0)).rationality, 1.0, rel_tol=1e-3)


@pytest.mark.parametrize("rationality", [0.05, 0.4, 1.5])
def test_three_players_are_found_again(rationality):
    found = estimate_rationality(THREE, shares(THREE, rationality))
    assert isclose(found.rationality, rationality, rel_tol=ROUNDED)


def test_published_estimate_is_met():
    """Gambit's documentation fits data of Ochs (1995): 1.8456097 and -174.76453191."""
    found = estimate_rationality(OCHS, OBSERVED)
    assert found.rationality == pytest.approx(1.8456097, abs=1e-6)
    assert found.log_likelihood == pytest.approx(-174.76453191, abs=1e-7)


def test_likelihood_is_smaller_beside_the_estimate():
    found = estimate_rationality(OCHS, OBSERVED)
    for other in (0.99, 1.01):
        profile = quantal_response(OCHS, rationality=other * found.rationality).profile
        value = sum(
            float(np.array(seen) @ np.log(own))
            for seen, own in zip(OBSERVED, profile.strategies, strict=True)
        )
        assert value < found.log_likelihood


def test_response_is_certified():
    found = estimate_rationality(OCHS, OBSERVED)
    found.response.certificate.verify()
    assert float(found.response.certificate.rationality) == found.rationality


@pytest.mark.parametrize("factor", [0.001, 7.0, 1000.0])
def test_rationality_is_in_units_of_one_over_payoffs(factor):
    found = estimate_rationality(OCHS, OBSERVED)
    scaled = NormalFormGame.bimatrix(
        factor * np.array([[1.1141, 0], [0, 0.2785]]), factor * np.array([[0, 1.1141], [1.1141, 0]])
    )
    other = estimate_rationality(scaled, OBSERVED)
    assert other.rationality * factor == pytest.approx(found.rationality, rel=ROUNDED)
    assert other.standard_error * factor == pytest.approx(found.standard_error, rel=ROUNDED)


def test_error_shrinks_with_the_root_of_the_number_of_choices():
    found = estimate_rationality(OCHS, OBSERVED)
    nine = estimate_rationality(OCHS, [[9 * count for count in own] for own in OBSERVED])
    assert nine.rationality == pytest.approx(found.rationality, rel=ROUNDED)
    assert nine.standard_error == pytest.approx(found.standard_error / 3, rel=ROUNDED)


def test_interval_holds_the_rationality_about_so_often():
    """Of 300 experiments of 100 choices each; 95 % +- 5 % has an error probability of 1e-4."""
    rng = np.random.default_rng(20)
    true = 0.4
    profile = quantal_response(PENNIES, rationality=true).profile.strategies
    held = 0
    for _ in range(300):
        seen = [rng.multinomial(100, own) for own in profile]
        low, high = estimate_rationality(PENNIES, seen).interval()
        held += low <= true <= high
    assert 0.90 <= held / 300 <= 1.0


def test_information_is_the_curvature_for_expected_choices():
    """Observed and expected information agree there; the curvature is measured by differences."""
    true, step = 0.7, 1e-3
    seen = shares(THREE, true)
    found = estimate_rationality(THREE, seen)
    values = []
    for other in (true - step, true, true + step):
        profile = quantal_response(THREE, rationality=other).profile
        pairs = zip(seen, profile.strategies, strict=True)
        values.append(sum(float(own @ np.log(p)) for own, p in pairs))
    curvature = -(values[0] - 2 * values[1] + values[2]) / step**2
    assert found.standard_error == pytest.approx(1 / sqrt(curvature), rel=1e-3)


def test_rival_maxima_are_told():
    """Only one side is seen, whose share goes up and down along the branch."""
    found = estimate_rationality(OCHS, [[67, 61], [0, 0]])
    assert len(found.rivals) == 1
    for rationality in (found.rationality, *found.rivals):
        profile = quantal_response(OCHS, rationality=rationality).profile
        assert profile.strategies[0][0] == pytest.approx(67 / 128, abs=ROUNDED)
    assert found.rationality < min(found.rivals)
    assert estimate_rationality(OCHS, OBSERVED).rivals == ()


def test_counts_may_be_named():
    named = [{"2": 128 * 0.473, "1": 128 * 0.527}, {"2": 128 * 0.634, "1": 128 * 0.366}]
    assert (
        estimate_rationality(OCHS, named).rationality
        == estimate_rationality(OCHS, OBSERVED).rationality
    )


def test_one_player_may_be_unseen():
    found = estimate_rationality(OCHS, [[0, 0], shares(OCHS, 0.8)[1]])
    assert found.rationality == pytest.approx(0.8, rel=ROUNDED)


def test_choices_against_all_reason_are_uniform_play():
    found = estimate_rationality(OCHS, [[10, 90], [50, 50]])
    assert found.rationality == 0


REFUSED = [
    (OCHS, [[1, 2]], InvalidArgument, "needs counts of 2 players, but there are 1"),
    (OCHS, [[1, 2], [3]], InvalidArgument, "a count of each of '2''s 2 actions"),
    (OCHS, [[0, 0], [0, 0]], InvalidArgument, "at least one observed choice"),
    (OCHS, [[1e-300, 1e-300], [0, 0]], InvalidArgument, "all counts sum to 2e-300"),
    (OCHS, [[1, -1], [0, 0]], InvalidArgument, "count of '1' choosing '2' of at least 0"),
    (OCHS, [[1, float("nan")], [1, 1]], InvalidArgument, "but got nan"),
    (OCHS, [{"1": 3}, {"9": 1}], InvalidArgument, "actions of '2', 1, 2, but got '9'"),
    (OCHS, 5, InvalidArgument, "observed"),
    (OCHS, [[1, 100], [1, 200]], InvalidArgument, "some finite rationality fits best"),
    (load_game("kuhn_poker"), [[1]], UnsupportedGame, "a normal-form game"),
    (
        NormalFormGame.bimatrix([[1, -1], [-1, 1]], [[-1, 1], [1, -1]]),
        [[1, 2], [3, 4]],
        UnsupportedGame,
        "rationality changes play",
    ),
    (
        NormalFormGame.bimatrix([["1e200", 0], [0, 1]], [[0, 1], [1, 0]]),
        [[1, 2], [3, 4]],
        NumericalFailure,
        "in another unit",
    ),
]


@pytest.mark.parametrize(("game", "observed", "kind", "message"), REFUSED)
def test_bad_input_is_refused(game, observed, kind, message):
    with pytest.raises(kind, match=message):
        estimate_rationality(game, observed)


def test_bad_confidence_is_refused():
    with pytest.raises(InvalidArgument, match="confidence above 0 and below 1"):
        estimate_rationality(OCHS, OBSERVED).interval(1.0)
