"""Max-entropy certificates: bounds hold for every optimal strategy, and cannot be forged."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.arrays import exact_array
from gametheory_core.certificates import certify_max_entropy
from gametheory_core.certificates.max_entropy import is_symmetric_table
from gametheory_core.evaluation import entropy_enclosure
from gametheory_core.testing import mixed_profiles, rationals, zero_sum_games
from solvers import max_entropy, vertex_enumeration
from tests.sample_sizes import examples

CYCLE = gt.NormalFormGame.zero_sum([[0, -1, 2], [1, 0, -3], [-2, 3, 0]])
TIED = gt.NormalFormGame.zero_sum([[0, 0, -2], [0, 0, 1], [2, -1, 0]])
BOARD = gt.NormalFormGame.zero_sum([[3, -1, 2, 0], [-2, 4, 1, 1], [0, 0, 1, 0]])
SOLVED = [max_entropy(game).certificate for game in (CYCLE, TIED, BOARD)]


@st.composite
def skew_games(draw):
    """Zero-sum games that look the same from both seats."""
    size = draw(st.integers(1, 4))
    table = np.zeros((size, size), dtype=object)
    for i in range(size):
        for j in range(i):
            table[i, j] = draw(st.sampled_from([0, 1, -1, 2]))
            table[j, i] = -table[i, j]
    return gt.NormalFormGame.zero_sum(table.tolist())


games = st.one_of(zero_sum_games(max_actions=4), skew_games())
weights = st.tuples(*[rationals(low=0, high=50)] * 2)


@examples(100)
@given(games, weights, st.data())
def test_no_optimal_strategy_has_more_entropy_than_any_certificate_allows(game, weight, data):
    profile = data.draw(mixed_profiles(game))
    opposition = data.draw(mixed_profiles(game))
    certificate = certify_max_entropy(game, profile, opposition=opposition, weights=weight)
    certificate.verify()
    extreme = [e.profile.strategies for e in vertex_enumeration(game).equilibria]
    shares = exact_array(
        data.draw(st.lists(st.integers(1, 3), min_size=len(extreme), max_size=len(extreme)))
    )
    for player in range(2):
        mixture = sum(
            share * strategies[player] for share, strategies in zip(shares, extreme, strict=True)
        ) / sum(shares)
        allowed = certificate.entropies[player].upper + certificate.entropy_gaps[player]
        assert entropy_enclosure(mixture).lower <= allowed


@given(games, st.data())
def test_bounds_on_the_value_are_those_of_minimax(game, data):
    profile = data.draw(mixed_profiles(game))
    zero = (Fraction(0), Fraction(0))
    found = certify_max_entropy(game, profile, opposition=profile, weights=zero)
    other = gt.certify_minimax(game, profile)
    assert (found.lower, found.upper) == (other.lower, other.upper)
    assert found.epsilon == other.epsilon
    assert found.game_value == other.game_value


@pytest.mark.parametrize("certificate", SOLVED)
def test_solved_games_have_tight_gaps(certificate):
    assert certificate.epsilon == 0
    assert 0 <= certificate.entropy_gap < Fraction(1, 10**15)
    assert "exactly" in certificate.statement


@pytest.mark.parametrize("certificate", SOLVED)
@pytest.mark.parametrize("player", [0, 1])
def test_smaller_gaps_than_are_proved_are_rejected(certificate, player):
    gaps = list(certificate.entropy_gaps)
    gaps[player] -= Fraction(1, 10**26)
    with pytest.raises(gt.CertificateRejected, match="claims entropy gaps of at most"):
        replace(certificate, entropy_gaps=tuple(gaps)).verify()


def test_larger_gaps_are_true_as_well():
    replace(SOLVED[0], entropy_gaps=(Fraction(1), Fraction(2))).verify()


@pytest.mark.parametrize("certificate", SOLVED)
def test_prices_that_prove_less_are_rejected(certificate):
    forged = [
        replace(certificate, weights=(Fraction(0), Fraction(0))),
        replace(certificate, weights=tuple(2 * w + 1 for w in certificate.weights)),
        replace(certificate, opposition=gt.uniform_profile(certificate.game)),
    ]
    for claim in forged:
        with pytest.raises(gt.CertificateRejected, match="claims entropy gaps of at most"):
            claim.verify()


@pytest.mark.parametrize(
    "weight", [Fraction(-1), -1, 0.5, float("nan"), float("inf"), None, "1"], ids=repr
)
def test_weights_must_be_rational_and_not_negative(weight):
    forged = replace(SOLVED[0], weights=(weight, Fraction(1)))
    with pytest.raises(gt.CertificateRejected, match=r"needs (two weights|.* as weights\[0\])"):
        forged.verify()


def test_a_weight_must_not_be_missing():
    with pytest.raises(gt.CertificateRejected, match="needs two weights"):
        replace(SOLVED[0], weights=(Fraction(1),)).verify()
    even = gt.uniform_profile(CYCLE)
    with pytest.raises(gt.InvalidArgument, match="needs two weights"):
        certify_max_entropy(CYCLE, even, opposition=even, weights=())


@pytest.mark.parametrize("certificate", SOLVED)
def test_profiles_that_are_not_optimal_are_rejected(certificate):
    for profile in (
        gt.uniform_profile(certificate.game),
        gt.pure_profile(certificate.game, (0, 0)),
    ):
        with pytest.raises(gt.CertificateRejected, match="claims (lower|upper)"):
            replace(certificate, profile=profile).verify()


def test_optimal_profiles_of_less_entropy_are_rejected():
    lower = gt.MixedProfile((exact_array([0, 1, 0]),) * 2)  # in the face of TIED, not its center
    with pytest.raises(gt.CertificateRejected, match="claims entropy gaps of at most"):
        replace(SOLVED[1], profile=lower).verify()


def test_bounds_on_the_value_cannot_be_moved():
    lower, upper = SOLVED[2].lower, SOLVED[2].upper
    for change in ({"lower": lower - 1}, {"lower": lower + 1}, {"upper": upper + 1}):
        with pytest.raises(gt.CertificateRejected, match="claims (lower|upper)"):
            replace(SOLVED[2], **change).verify()


@pytest.mark.parametrize("field", ["profile", "opposition"])
def test_profiles_must_be_rational_and_fit_the_game(field):
    with pytest.raises(gt.CertificateRejected, match="needs a rational profile"):
        replace(SOLVED[0], **{field: getattr(SOLVED[0], field).to_float()}).verify()
    with pytest.raises(gt.CertificateRejected, match="max-entropy certificate: profile: needs"):
        replace(SOLVED[0], **{field: gt.uniform_profile(BOARD)}).verify()


def test_another_game_is_rejected():
    with pytest.raises(gt.CertificateRejected, match="claims (lower|upper)"):
        replace(SOLVED[0], game=TIED).verify()
    general = gt.NormalFormGame.bimatrix(CYCLE.exact_payoffs[0], CYCLE.exact_payoffs[0])
    with pytest.raises(gt.CertificateRejected, match="constant-sum"):
        replace(SOLVED[0], game=general).verify()


def test_the_value_of_a_lopsided_game_is_not_taken_for_half_the_sum():
    """The game is nearly symmetric; half the sum is no bound on its value, 1/4."""
    game = gt.NormalFormGame.zero_sum([[Fraction(1, 4), 1], [-1, 0]])
    assert not is_symmetric_table(game)
    certificate = certify_max_entropy(
        game,
        gt.pure_profile(game, (0, 0)),
        opposition=gt.pure_profile(game, (0, 0)),
        weights=(Fraction(100), Fraction(100)),
    )
    assert certificate.game_value == Fraction(1, 4)
    assert certificate.entropy_gap < Fraction(1, 10**15)


@pytest.mark.parametrize(
    ("rows", "columns", "symmetric"),
    [
        ([[0, 1], [-1, 0]], [[0, -1], [1, 0]], True),
        ([[0, 1], [-1, 0]], [[0, 1], [-1, 0]], False),
        ([[5, 7], [3, 5]], [[5, 3], [7, 5]], True),
        ([[0, Fraction(1, 3)], [0, 0]], [[0, 0], [Fraction(1, 3), 0]], True),
        ([[0, 10**30], [0, 0]], [[0, 0], [10**30, 0]], True),
        ([[0, 10**30], [0, 0]], [[0, 0], [10**30 + 1, 0]], False),
        ([[1, 2, 3]], [[1, 2, 3]], False),
    ],
)
def test_symmetry_is_decided_exactly(rows, columns, symmetric):
    assert is_symmetric_table(gt.NormalFormGame.bimatrix(rows, columns)) is symmetric
    if symmetric and rows[0][1] != 10**30:
        floats = [np.array(table, dtype=float) for table in (rows, columns)]
        assert is_symmetric_table(gt.NormalFormGame.bimatrix(*floats))


def test_each_player_of_a_symmetric_game_is_judged_by_the_own_strategy():
    """Both bounds are tight at the two ends of a face that both players share."""
    game = gt.NormalFormGame.zero_sum([[0, 0], [0, 0]])
    apart = gt.MixedProfile((exact_array([1, 0]), exact_array(["1/2", "1/2"])))
    zero = (Fraction(0), Fraction(0))
    gaps = certify_max_entropy(game, apart, opposition=apart, weights=zero).entropy_gaps
    assert float(gaps[0]) == pytest.approx(np.log(2))
    assert gaps[1] < Fraction(1, 10**20)
    lopsided = gt.MixedProfile((exact_array([0, 0, 1]), exact_array(["1/3", "1/3", "1/3"])))
    found = certify_max_entropy(CYCLE, lopsided, opposition=lopsided, weights=zero)
    assert (found.lower, found.upper) == (-2, Fraction(1, 3))


def test_three_players_and_misfits_are_refused():
    three = gt.NormalFormGame.from_payoffs(np.zeros((3, 2, 2, 2)))
    zero = (Fraction(0), Fraction(0))
    with pytest.raises(gt.UnsupportedGame, match="needs two players"):
        certify_max_entropy(
            three, gt.uniform_profile(three), opposition=gt.uniform_profile(three), weights=zero
        )
    with pytest.raises(gt.InvalidStrategy, match="needs strategies over"):
        certify_max_entropy(
            CYCLE, gt.uniform_profile(BOARD), opposition=gt.uniform_profile(CYCLE), weights=zero
        )
