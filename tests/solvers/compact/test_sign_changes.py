"""Symmetric equilibria between two actions: roots between signs, and who is refused."""

import math
import time
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import (
    CertificateRejected,
    MixedProfile,
    NotConverged,
    UnsupportedGame,
    certify_nash,
    compact,
    load_game,
    pure_profile,
)
from gametheory_core.compact import AnonymousGame, CongestionGame
from gametheory_core.formats import parse_json, verified_certificates
from solvers import Budget, Concept, solve
from solvers.compact import sign_changes, symmetric_equilibrium
from solvers.compact.sign_changes import simplest_between
from solvers.solution import Meter


@st.composite
def alike(draw):
    """Draw games of two actions that are the same for all players."""
    kind = compact.anonymous_games(num_players=(1, 6), max_actions=2)
    return draw(
        st.one_of(kind, compact.congestion_games(max_actions=2)).filter(
            lambda game: compact.players_are_alike(game) and set(game.num_actions) == {2}
        )
    )


@given(alike())
def test_all_play_alike_and_gain_no_more_than_the_tolerance(game):
    solution = symmetric_equilibrium(game)
    solution.certificate.verify()
    first, *others = (own.tolist() for own in solution.profile.strategies)
    assert all(own == first for own in others)
    payoffs = [compact.pure_payoffs(game, joint) for joint in _joints(game.num_players)]
    span = max(max(row) for row in payoffs) - min(min(row) for row in payoffs)
    assert solution.certificate.epsilon <= Fraction(2 * span, 10**9)
    normal = compact.compact_to_normal(game)
    assert certify_nash(normal, solution.profile).epsilon == solution.certificate.epsilon


def _joints(count):
    return [tuple(int(c) for c in f"{k:0{count}b}") for k in range(2**count)]


@given(st.integers(2, 40), st.integers(2, 9))
def test_volunteers_abstain_as_often_as_the_source_says(players, benefit):
    game = load_game(f"volunteers_dilemma:players={players},benefit={benefit}")
    solution = symmetric_equilibrium(game)
    abstains = float(solution.profile.strategies[0][1])
    assert abstains == pytest.approx(benefit ** (-1 / (players - 1)), abs=1e-6)
    assert solution.payoffs[0] == pytest.approx(benefit - 1, abs=1e-6)


@given(st.integers(2, 12), st.integers(2, 12))
def test_roots_that_are_simple_are_met_exactly(players, root):
    """Abstaining with 1 / root is the equilibrium if the benefit is its power."""
    benefit = root ** (players - 1)
    game = load_game(f"volunteers_dilemma:players={players},benefit={benefit}")
    solution = symmetric_equilibrium(game)
    if benefit <= 10**6:  # else what is less simple is near enough first
        assert solution.certificate.epsilon == 0
        assert solution.profile.strategies[0][1] == Fraction(1, root)


def test_pure_ends_are_found_without_a_cut():
    roads = load_game("pigou:players=40")
    solution = symmetric_equilibrium(roads)
    assert solution.run.iterations == 0
    assert solution.certificate.epsilon == 0
    assert solution.profile.strategies[0].tolist() in ([0, 1], [1, 0])


@pytest.mark.parametrize("worth", [(1, 0), (0, 1), (0, 0)])
def test_one_action_that_is_better_is_played(worth):
    pays = dict(zip("ab", worth, strict=True))
    game = AnonymousGame.from_function(
        lambda own, _others: pays[own], actions=("a", "b"), num_players=3
    )
    solution = symmetric_equilibrium(game)
    assert solution.certificate.epsilon == 0
    assert solution.payoffs == (max(worth),) * 3


@given(st.fractions(0, 5, max_denominator=60), st.fractions(0, 5, max_denominator=60))
def test_the_simplest_fraction_between_has_the_least_denominator(one, other):
    low, high = sorted((one, other))
    if low == 0:
        return
    found = simplest_between(low, high)
    assert low <= found <= high
    for denominator in range(1, found.denominator):
        assert math.ceil(low * denominator) > high * denominator


def test_a_tolerance_is_kept_and_when_the_budget_ends_there_is_a_best():
    game = load_game("el_farol:players=3,seats=1")  # whose root is irrational
    rough = symmetric_equilibrium(game, tolerance=0.01)
    assert 1e-6 < rough.certificate.epsilon <= 0.01
    with pytest.raises(NotConverged, match="after 50 cuts it is") as caught:
        symmetric_equilibrium(game, tolerance=1e-100, budget=Budget(iterations=50))
    best = caught.value.best
    best.certificate.verify()
    assert 0 < best.certificate.epsilon < 1e-12


def test_a_limit_on_time_leaves_time_for_the_certificate():
    game = load_game("volunteers_dilemma:players=2000")
    began = time.perf_counter()
    with pytest.raises(NotConverged, match="cuts it is") as caught:
        symmetric_equilibrium(game, budget=Budget(seconds=1))
    assert time.perf_counter() - began < 2.5
    best = caught.value.best
    assert best.run.iterations > 0
    assert best.run.seconds < 1.5
    assert 0 < best.certificate.epsilon < 1


def test_cuts_end_while_there_is_time_for_a_certificate():
    """A cut takes 50 ms, and a certificate as long as twelve."""

    def slowly(chance):
        time.sleep(0.05)
        return Fraction(1, 2) - chance**2  # whose root is irrational

    meter = Meter(Budget(seconds=1), "cuts")
    assert abs(sign_changes._chance(slowly, Fraction(0), meter) ** 2 - Fraction(1, 2)) < 0.1
    assert 0.2 < meter.seconds < 0.7


def test_more_players_than_can_be_measured_are_refused_where_they_mix():
    game = load_game("volunteers_dilemma:players=5001")
    with pytest.raises(UnsupportedGame, match=r"at most 5,000 players where they mix.*are 5,001"):
        symmetric_equilibrium(game)


@pytest.mark.parametrize(
    "game",
    [
        load_game("pigou:players=6000"),
        AnonymousGame.from_function(
            lambda own, others: others["a"] + (own == "a"), actions=("a", "b"), num_players=6_000
        ),
    ],
)
def test_thousands_of_players_who_do_not_mix_are_no_matter(game):
    solution = symmetric_equilibrium(game)
    assert solution.certificate.epsilon == 0
    assert solution.run.seconds < 5


def test_solve_files_and_forgeries():
    answer = solve("el_farol", Concept.SYMMETRIC_NASH)
    (found,) = verified_certificates(parse_json(answer.to_json(), name="answer"))
    assert found == answer.solutions[0].certificate
    game = answer.game
    other = compact.certify_compact(game, pure_profile(game, (0,) * 5 + (1,) * 4))
    assert other.epsilon == 0
    solution = replace(answer.solutions[0], profile=other.profile, certificate=other)
    forged = replace(answer, solutions=(replace(solution, payoffs=other.payoffs),))
    with pytest.raises(CertificateRejected, match="players do not all play alike"):
        verified_certificates(parse_json(forged.to_json(), name="forged"))


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (load_game("braess:players=3"), "two actions of each player, but a player has 3"),
        (load_game("affine_triangle"), "players who are alike, but player 2 has other actions"),
        (
            AnonymousGame(("A", "B"), ("a", "b"), [[[0, 1], [1, 0]], [[1, 0], [0, 1]]]),
            "players who are alike, but each player has payoffs of its own",
        ),
        (load_game("ring_of_pennies"), "an AnonymousGame or a CongestionGame"),
    ],
)
def test_other_games_are_refused(game, message):
    with pytest.raises(UnsupportedGame, match=message):
        symmetric_equilibrium(game)


def test_equilibria_of_one_player_are_the_better_action():
    game = CongestionGame.from_delays(
        {"r": [3], "s": [2]}, {"slow": ["r"], "quick": ["s"]}, num_players=1
    )
    solution = symmetric_equilibrium(game)
    assert solution.profile == MixedProfile(pure_profile(game, (1,)).to_exact().strategies)
