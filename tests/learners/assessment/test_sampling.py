"""Estimates are near the exact numbers, and never look like them."""

import pytest

import gametheory_core as gt
from gametheory_core.arguments import shown_players
from gametheory_core.catalog import RepeatedGame
from gametheory_core.conversions import normal_to_posg
from learners import Sees, Standing, assess_by_sampling

GAMES = [RepeatedGame.of("chicken", rounds=3), gt.load_game("random_order_team")]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.title)
def test_estimates_are_within_five_standard_errors(game):
    policies = gt.uniform_policies(game)
    found = assess_by_sampling(game, policies, episodes=4000, seed=3)
    exact = gt.expected_returns(game, policies).tolist()
    for player, value in zip(shown_players(game.players), exact, strict=True):
        estimate = next(f for f in found.findings if f.name == f"return/{player}")
        assert estimate.standing is Standing.SAMPLED
        assert 0 < estimate.standard_error < 0.2
        assert abs(estimate.value - float(value)) < 5 * estimate.standard_error


def test_nothing_is_proved():
    found = assess_by_sampling(GAMES[0], gt.uniform_policies(GAMES[0]), episodes=10, seed=1)
    found.verify()
    assert found.certificates == ()
    assert "SAMPLED" in found.method
    assert "(sampled, standard error)" in found.text
    with pytest.raises(gt.InvalidArgument, match="'nash_conv' is none"):
        found["nash_conv"]


def test_long_games_are_sampled_by_last_observation():
    game = RepeatedGame.of("chicken", rounds=200)
    found = assess_by_sampling(
        game, gt.uniform_policies(game), episodes=200, seed=1, sees=Sees.LAST
    )
    assert found["return/player 1"] / 200 == pytest.approx(
        float(
            gt.expected_returns(RepeatedGame.of("chicken", rounds=1), gt.uniform_policies(game))[0]
        ),
        abs=0.2,
    )


def test_normal_form_is_sampled():
    game = gt.load_game("chicken")
    policies = normal_to_posg(game).correspondence.to_target(gt.uniform_profile(game))
    found = assess_by_sampling(game, policies, episodes=100, seed=1)
    assert [finding.name for finding in found.findings] == [
        f"return/{player}" for player in shown_players(game.players)
    ]


def test_one_episode_is_refused():
    with pytest.raises(gt.InvalidArgument, match="episodes to be an integer of at least 2"):
        assess_by_sampling(GAMES[0], gt.uniform_policies(GAMES[0]), episodes=1, seed=1)
