"""Payoffs without joint actions are those of the normal form, exactly."""

import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import (
    InvalidArgument,
    InvalidStrategy,
    MixedProfile,
    NormalFormGame,
    UnsupportedGame,
    certify_nash,
    compact,
    expected_payoffs,
    load_game,
    pure_profile,
    uniform_profile,
)
from gametheory_core.evaluation import best_response
from gametheory_core.testing import mixed_profiles, normal_form_games

GAMES = st.one_of(
    compact.polymatrix_games(),
    compact.graphical_games(),
    compact.congestion_games(),
    compact.anonymous_games(),
)


@given(st.data())
def test_mixed_profiles_pay_what_they_pay_in_the_normal_form(data):
    game = data.draw(GAMES)
    profile = data.draw(mixed_profiles(game))
    normal = compact.compact_to_normal(game)
    assert compact.compact_payoffs(game, profile) == tuple(expected_payoffs(normal, profile))
    certificate = compact.certify_compact(game, profile)
    certificate.verify()
    assert certificate.deviation_gains == certify_nash(normal, profile).deviation_gains
    for player in range(game.num_players):
        found = compact.compact_best_response(game, profile, player=player)
        assert found == best_response(normal, profile, player=player)


@given(st.data())
def test_players_who_are_alike_are_measured_as_if_they_were_not(data):
    game = data.draw(st.one_of(compact.congestion_games(), compact.anonymous_games()))
    drawn = data.draw(mixed_profiles(game)).to_exact().strategies
    same = {len(own): own for own in drawn}
    odd = data.draw(st.integers(0, game.num_players))
    profile = MixedProfile(
        tuple(own if i == odd else same[len(own)] for i, own in enumerate(drawn))
    )
    normal = compact.compact_to_normal(game)
    certificate = compact.certify_compact(game, profile)
    assert certificate.payoffs == tuple(expected_payoffs(normal, profile))
    assert certificate.deviation_gains == certify_nash(normal, profile).deviation_gains


@pytest.mark.parametrize("name", ["volunteers_dilemma:players=2500", "pigou:players=2500"])
def test_thousands_of_players_who_are_alike_are_measured_at_once(name):
    """One by one they would take ten seconds."""
    game = load_game(name)
    third = MixedProfile(((Fraction(1, 3), Fraction(2, 3)),) * 2500)
    began = time.perf_counter()
    certificate = compact.certify_compact(game, third)
    assert time.perf_counter() - began < 4
    assert len(set(certificate.payoffs)) == 1


@given(st.data())
def test_joint_actions_pay_what_stands_in_the_normal_form(data):
    game = data.draw(GAMES)
    joint = tuple(data.draw(st.integers(0, n - 1)) for n in game.num_actions)
    normal = compact.compact_to_normal(game)
    assert compact.pure_payoffs(game, joint) == tuple(normal.exact_payoffs[(slice(None), *joint)])


def test_a_hundred_players_are_measured():
    game = load_game("ring_of_pennies:players=100")
    third = MixedProfile(((Fraction(1, 3), Fraction(2, 3)),) * 100)
    certificate = compact.certify_compact(game, third)
    certificate.verify()
    assert certificate.payoffs == (0,) * 100
    assert certificate.epsilon == 0  # the next one and the one before pull alike


def test_sixty_drivers_who_toss_coins():
    roads = load_game("pigou:players=60")
    payoffs = compact.compact_payoffs(roads, uniform_profile(roads))
    assert set(payoffs) == {-(Fraction(1, 2) * (1 + Fraction(59, 2)) + Fraction(1, 2) * 60)}


@pytest.mark.parametrize("joint", [(0, 0), (0, 0, 2), (0, 0, -1), (0, 0, 0, 0)])
def test_no_joint_action_is_refused(joint):
    with pytest.raises(InvalidStrategy, match="action"):
        compact.pure_payoffs(load_game("ring_of_pennies:players=3"), joint)


def test_a_profile_of_another_game_is_refused():
    ring = load_game("ring_of_pennies:players=3")
    other = uniform_profile(load_game("ring_of_pennies:players=4"))
    with pytest.raises(InvalidStrategy, match="strategies over"):
        compact.certify_compact(ring, other)
    with pytest.raises(InvalidArgument, match="player"):
        compact.compact_best_response(ring, uniform_profile(ring), player=3)


@pytest.mark.parametrize("ask", [compact.certify_all_pure, compact.compact_to_normal])
def test_other_games_are_refused(ask):
    with pytest.raises(UnsupportedGame, match="normal_to_polymatrix"):
        ask(load_game("chicken"))
    with pytest.raises(UnsupportedGame, match="a PolymatrixGame or a GraphicalGame or"):
        ask(load_game("kuhn_poker"))
    with pytest.raises(InvalidArgument, match="a PolymatrixGame"):
        ask(3)


def test_a_large_normal_form_is_refused_with_its_size():
    with pytest.raises(UnsupportedGame, match="1,048,576 joint actions"):
        compact.compact_to_normal(load_game("ring_of_pennies:players=20"))
    with pytest.raises(UnsupportedGame, match=r"over 2\^"):
        compact.compact_to_normal(load_game("ring_of_pennies:players=100"), max_profiles=10**40)


@given(compact.polymatrix_games())
def test_a_polymatrix_game_comes_back_from_its_normal_form(game):
    normal = compact.compact_to_normal(game)
    back = compact.normal_to_polymatrix(normal)
    assert compact.compact_to_normal(back) == normal


@given(normal_form_games(num_players=(2, 2)))
def test_every_bimatrix_game_is_polymatrix(game):
    assert compact.is_polymatrix(game)
    assert compact.compact_to_normal(compact.normal_to_polymatrix(game)) == game


@given(normal_form_games(num_players=(3, 3), max_actions=2))
def test_a_game_that_is_not_polymatrix_has_a_witness(game):
    verdict = compact.is_polymatrix(game)
    if verdict:
        assert compact.compact_to_normal(compact.normal_to_polymatrix(game)) == game
        return
    *joint, player = verdict.witness
    pays = game.exact_payoffs[player]

    def part(kept):
        return pays[tuple(a if k in kept else 0 for k, a in enumerate(joint))]

    others = [j for j in range(3) if j != player]
    pairs = sum(part({player, j}) - part({player}) for j in others)
    assert part({player}) + pairs != pays[tuple(joint)]
    with pytest.raises(UnsupportedGame, match="sums of terms for pairs") as caught:
        compact.normal_to_polymatrix(game)
    assert caught.value.witness == verdict.witness


def test_a_majority_is_not_polymatrix():
    votes = [[[int(a + b + c > 1) for c in (0, 1)] for b in (0, 1)] for a in (0, 1)]
    assert not compact.is_polymatrix(NormalFormGame.from_payoffs([votes] * 3))


def test_one_player_is_no_polymatrix_game():
    with pytest.raises(UnsupportedGame, match="at least two players"):
        compact.normal_to_polymatrix(NormalFormGame.from_payoffs([[1, 2]]))


def test_pure_profiles_know_names():
    roads = load_game("pigou:players=2")
    assert pure_profile(roads, (0, 1)).support == {"Player 1": ("narrow",), "Player 2": ("wide",)}
