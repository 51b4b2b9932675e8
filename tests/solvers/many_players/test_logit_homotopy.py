"""The logit homotopy: on the branch all the way, and a certified equilibrium at its end."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import MixedProfile, NormalFormGame, NotConverged, certify_nash
from gametheory_core.catalog import load
from gametheory_core.evaluation import action_payoffs
from gametheory_core.strategies import supports
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import Budget, logit_homotopy
from solvers._kernels import logit_path
from solvers.many_players.logit_branch import Engine
from solvers.many_players.nearest_on_supports import exact_near
from solvers.rounding import rational_distribution
from tests.sample_sizes import examples, many

KINDS = tuple(PayoffKind)


def span_of(game):
    return max(table.max() - table.min() for table in game.exact_payoffs)


@many
@given(normal_form_games(num_players=(1, 4), max_actions=3, kinds=KINDS))
def test_limit_meets_the_promised_tolerance(game):
    branch = logit_homotopy(game)
    branch.solution.certificate.verify()
    assert branch.solution.certificate.epsilon <= span_of(game) / 10**12


@given(normal_form_games(num_players=(1, 3), kinds=KINDS))
def test_points_are_quantal_responses(game):
    """Straight from the definition: log odds are rationality times differences of payoffs."""
    branch = logit_homotopy(game)
    for point in range(0, len(branch.rationalities), 5):
        profile, rationality = branch.profile(point), branch.rationalities[point]
        for player, own in enumerate(branch.probabilities):
            if own[point].min() < 1e-200:
                continue
            odds = np.log(own[point]) - np.log(own[point][0])
            values = action_payoffs(game, profile, player=player)
            expected = rationality * (values - values[0])
            scale = 1 + abs(expected).max() + rationality * np.abs(game.payoffs).max()
            np.testing.assert_allclose(odds, expected, atol=1e-6 * scale)


def test_branch_starts_at_even_mixing():
    branch = logit_homotopy(load("nine_equilibria"))
    assert branch.rationalities[0] == 0
    assert [own[0].tolist() for own in branch.probabilities] == [[0.5, 0.5]] * 3
    assert branch.rationalities[-1] > 1


def test_branch_leads_to_the_risk_dominant_equilibrium():
    assert supports(logit_homotopy(load("stag_hunt")).solution.profile) == ((1,), (1,))


def test_unique_irrational_equilibrium_is_found():
    limit = logit_homotopy(load("irrational_equilibrium")).solution
    assert float(limit.profile.strategies[1][0]) == pytest.approx((601**0.5 - 13) / 24, abs=1e-12)


def test_tolerance_may_be_far_below_floats():
    game = load("irrational_equilibrium")
    tolerance = Fraction(1, 10**80)
    limit = logit_homotopy(game, tolerance=tolerance).solution
    limit.certificate.verify()
    assert 0 < limit.certificate.epsilon <= tolerance


@pytest.mark.parametrize("scale", [Fraction(1, 10**9), Fraction(10**9), Fraction(1, 3)])
def test_rescaled_payoffs_give_the_same_branch(scale):
    rng = np.random.default_rng(2)
    payoffs = rng.integers(-9, 10, (3, 3, 2, 2)).astype(object)
    plain = logit_homotopy(NormalFormGame.from_payoffs(payoffs))
    scaled = logit_homotopy(NormalFormGame.from_payoffs(payoffs * scale + 7 * scale))
    assert supports(scaled.solution.profile) == supports(plain.solution.profile)
    np.testing.assert_allclose(
        scaled.rationalities * float(scale), plain.rationalities, rtol=1e-6, atol=1e-9
    )


def test_players_of_very_different_stakes_still_get_an_equilibrium():
    rng = np.random.default_rng(3)
    payoffs = rng.integers(-9, 10, (3, 2, 3, 2)).astype(object)
    payoffs[0] *= 10**9
    payoffs[2] = payoffs[2] * Fraction(1, 10**9)
    limit = logit_homotopy(NormalFormGame.from_payoffs(payoffs)).solution
    limit.certificate.verify()
    assert limit.certificate.epsilon <= Fraction(1, 50)


def test_payoffs_that_differ_below_float_resolution_decide():
    nearly = [[10**30 + 1, 0], [10**30, 1]]
    limit = logit_homotopy(NormalFormGame.bimatrix(nearly, [[1, 0], [1, 0]])).solution
    limit.certificate.verify()
    assert limit.certificate.epsilon <= 10**18


@pytest.mark.parametrize("name", ["indifference:size=3", "coordination:size=3", "degenerate"])
def test_symmetric_and_degenerate_limits_are_exact(name):
    assert logit_homotopy(load(name)).solution.certificate.epsilon == 0


@many
@given(normal_form_games(num_players=(1, 2), max_actions=3, kinds=KINDS))
def test_limits_of_two_players_are_exact(game):
    assert logit_homotopy(game).solution.certificate.epsilon == 0


@pytest.mark.parametrize("seed", range(40))
def test_limits_are_exact_where_one_player_chooses_and_leads_are_tiny(seed):
    """Floats take a lead of 1e-14 for a tie; twins without leads are ties."""
    rng = np.random.default_rng(seed)
    levels = rng.integers(0, 2, 3).astype(object) * Fraction(1, 7)
    leads = rng.integers(0, 2, 3).astype(object) * Fraction(1, 10**14)
    for own in (levels, levels + leads):
        limit = logit_homotopy(NormalFormGame.from_payoffs(own[None])).solution
        limit.certificate.verify()
        assert limit.certificate.epsilon == 0


def test_of_many_equilibria_on_a_support_the_nearest_is_taken():
    """Player 1 is indifferent; player 0's tie needs weights of which floats know about half."""
    third = Fraction(1, 3)
    game = NormalFormGame.bimatrix([[1, 0, third], [0, 1, third]], [[1, 1, 1], [1, 1, 1]])
    found = np.array([0.4000000001, 0.3999999999, 0.2])
    profile = MixedProfile(
        (rational_distribution(np.array([0.5, 0.5])),) * 1 + (rational_distribution(found),)
    )
    rough = certify_nash(game, profile)
    assert rough.epsilon > 0
    exact = exact_near(game, rough)
    exact.verify()
    assert exact.epsilon == 0
    assert np.abs(exact.profile.strategies[1].astype(float) - found).max() < 1e-9


def test_branches_that_cross_are_passed_straight_on():
    """The symmetric branch of a coordination game crosses others and stays symmetric."""
    branch = logit_homotopy(NormalFormGame.symmetric([[2, 0], [0, 2]]))
    assert branch.solution.profile.strategies[0].tolist() == [Fraction(1, 2)] * 2


def turning_game():
    """Return a game on whose branch rationality falls for a while."""
    rng = np.random.default_rng(5)
    games = [NormalFormGame.from_payoffs(rng.integers(-100, 101, (3, 3, 3, 3))) for _ in range(21)]
    return games[20]


def test_branch_is_followed_around_turning_points():
    branch = logit_homotopy(turning_game())
    steps = np.diff(branch.rationalities)
    assert (steps < 0).any()
    assert steps[-1] > 0
    assert supports(branch.solution.profile) == ((0,), (1,), (1,))


def test_smaller_steps_lead_to_the_same_limit(monkeypatch):
    rng = np.random.default_rng(9)
    games = [
        NormalFormGame.from_payoffs(rng.integers(-1000, 1001, (len(shape), *shape)))
        for shape in [(3, 3, 3), (2, 2, 2, 2)]
        for _ in range(12)
    ]
    limits = [logit_homotopy(game).solution.profile for game in games]
    monkeypatch.setattr("solvers.many_players.logit.SETTLE_FROM", 1e4)
    for name, value in [
        ("WANTED_DISTANCE", 0.003),
        ("LARGEST_GROWTH", 1.3),
        ("LEAST_COSINE", 0.98),
    ]:
        monkeypatch.setattr(logit_path, name, value)
    for game, limit in zip(games, limits, strict=True):
        careful = logit_homotopy(game, engine=Engine.NUMPY).solution.profile
        for ours, theirs in zip(limit.strategies, careful.strategies, strict=True):
            np.testing.assert_allclose(ours.astype(float), theirs.astype(float), atol=1e-9)


def test_budget_ends_with_the_branch_so_far():
    with pytest.raises(NotConverged, match="the budget ended at rationality") as caught:
        logit_homotopy(load("irrational_equilibrium"), budget=Budget(iterations=3))
    best = caught.value.best
    assert len(best.rationalities) == 4
    best.solution.certificate.verify()


def test_no_budget_at_all_shows_even_mixing():
    with pytest.raises(
        NotConverged, match="the budget ended at rationality 0; near there"
    ) as caught:
        logit_homotopy(load("stag_hunt"), budget=Budget(seconds=0))
    assert caught.value.best.rationalities.tolist() == [0]


def test_compiled_and_plain_routes_agree():
    game = turning_game()
    compiled = logit_homotopy(game, engine=Engine.COMPILED)
    plain = logit_homotopy(game, engine=Engine.NUMPY)
    assert compiled.solution.profile == plain.solution.profile
    np.testing.assert_array_equal(compiled.rationalities, plain.rationalities)


DEGENERATE = [
    [[[-1, -1, 0], [0, 0, -1]], [[0, 0, 0], [0, -1, 1]]],
    [
        [[[1, 1], [1, 1]], [[-1, 1], [-1, 1]]],
        [[[1, 1], [0, -1]], [[0, -1], [-1, 1]]],
        [[[-1, 1], [1, -1]], [[1, 1], [0, 0]]],
    ],
    *(np.random.default_rng(seed).integers(-1, 2, (2, 3, 3)) for seed in range(8)),
    *(np.random.default_rng(seed).integers(-1, 2, (3, 2, 3, 2)) for seed in range(8)),
]


@pytest.mark.parametrize("payoffs", DEGENERATE)
def test_degenerate_games_end_alike_compiled_or_not(payoffs):
    """Rounding decides where these branches go, so both ways to follow them round alike."""
    game = NormalFormGame.from_payoffs(payoffs)
    compiled = logit_homotopy(game, engine=Engine.COMPILED)
    plain = logit_homotopy(game, engine=Engine.NUMPY)
    np.testing.assert_array_equal(compiled.rationalities, plain.rationalities)
    assert compiled.solution.profile == plain.solution.profile
    compiled.solution.certificate.verify()
    assert compiled.solution.certificate.epsilon <= span_of(game) / 10**12


def test_limit_in_a_continuum_of_equilibria_is_left_to_the_branch():
    """Solving on the support would stop at a rationality near 100, at another equilibrium."""
    game = NormalFormGame.bimatrix([[1, -1, 0], [0, 0, 1]], [[-1, 1, 0], [1, -1, 0]])
    branch = logit_homotopy(game)
    assert branch.rationalities[-1] > 1e6
    assert float(branch.solution.profile.strategies[1][1]) == pytest.approx(0.19101, abs=1e-4)


@examples(20)
@given(st.integers(1, 3))
def test_players_without_a_choice(count):
    game = NormalFormGame.from_payoffs(np.ones((count, *(1,) * count), dtype=int))
    assert logit_homotopy(game).solution.certificate.epsilon == 0


def test_branch_that_passes_close_to_an_equilibrium_is_followed_on():
    """A slowly dying action looks played for a while, next to an equilibrium that plays it."""
    rng = np.random.default_rng(77)
    for _ in range(78):
        for shape in [(3, 3, 3), (2, 2, 2, 2)]:
            payoffs = rng.integers(-(10**4), 10**4, (len(shape), *shape))
    limit = logit_homotopy(NormalFormGame.from_payoffs(payoffs)).solution
    assert supports(limit.profile) == ((0,), (0, 1), (1,), (0, 1))


@pytest.mark.parametrize(
    ("seed", "index", "expected"),
    [(7, 95, ((1,), (1,), (1,), (1,))), (8, 13, ((0,), (1,), (1,), (1,)))],
)
def test_steps_do_not_jump_to_branches_nearby(seed, index, expected):
    """Smaller steps end here too; without the sign of the determinant, usual ones do not."""
    rng = np.random.default_rng(seed)
    for number in range(index + 1):
        shape = (2, 2, 2, 2) if number % 2 else (3, 3, 3)
        payoffs = rng.integers(-100, 101, (len(shape), *shape))
    limit = logit_homotopy(NormalFormGame.from_payoffs(payoffs)).solution
    assert supports(limit.profile) == expected


@pytest.mark.parametrize("unit", [Fraction(1, 10**400), Fraction(10**400)], ids=["tiny", "huge"])
def test_payoffs_beyond_floats_have_the_same_limit(unit):
    rng = np.random.default_rng(2)
    payoffs = rng.integers(-9, 10, (3, 2, 2, 2)).astype(object)
    plain = logit_homotopy(NormalFormGame.from_payoffs(payoffs))
    scaled = logit_homotopy(NormalFormGame.from_payoffs(payoffs * unit))
    for own, other in zip(
        plain.solution.profile.strategies, scaled.solution.profile.strategies, strict=True
    ):
        assert other.astype(float) == pytest.approx(own.astype(float), abs=1e-9)
    assert not np.isnan(scaled.rationalities).any()


def test_largest_floats_are_payoffs_too():
    payoffs = np.random.default_rng(3).choice([-1.7e308, 0.0, 1.7e308], (3, 2, 2, 2))
    branch = logit_homotopy(NormalFormGame.from_payoffs(payoffs))
    assert branch.solution.certificate.epsilon <= Fraction(34 * 10**307, 10**12)


def test_a_tolerance_beyond_all_payoffs_is_met():
    game = NormalFormGame.from_payoffs(np.random.default_rng(4).random((3, 2, 2, 2)) * 1e-200)
    assert logit_homotopy(game, tolerance=1e200).solution.certificate.epsilon <= 1


def test_huge_gains_are_worded():
    payoffs = np.random.default_rng(5).integers(-9, 10, (3, 2, 2, 2)).astype(object) * 10**400
    with pytest.raises(NotConverged, match=r"epsilon is \d.*E\+"):
        logit_homotopy(NormalFormGame.from_payoffs(payoffs), budget=Budget(iterations=0))
