"""Terry et al. 2021, theorem 1, repaired: queueing actions makes a POSG an equivalent AEC game.

For every horizon and every profile of history-dependent policies, the joint law of states,
observations, actions and rewards by steps is the law of the AEC game collected by cycles: equality
of dictionaries of rationals. Hence also returns (discounted by cycles), best responses, NashConv.
Random POSGs with 1 to 3 players, two states and an end, two observations, correlated or
independent, legal actions that depend on what is seen. Twins: observations without the action that
made them; a queue in sight; independent observations where they are correlated.

Why it matters (models): Simultaneous games can be put on turn-based software, if actions are queued
out of sight.
"""

import pytest

from gametheory_core import (
    UnsupportedGame,
    aec_to_extensive,
    evaluation,
    expected_returns,
    uniform_policies,
)
from gametheory_core.catalog import ListenWaitGuess, RepeatedGame, Tiger, public_coin
from gametheory_core.conversions import posg_to_aec, posg_to_aec_factored, posg_to_tabular
from gametheory_core.conversions.posg_aec import cycles
from gametheory_core.distributions import push_forward
from gametheory_core.games import stop_posg
from tests.theorems.printed_constructions import (
    ObservationsWithoutActions,
    QueueInSight,
    game_value,
    posg_value,
)
from tests.theorems.random_rules import RandomPOSG, seeded_policies

theorem = pytest.mark.theorem(
    source="Terry et al. 2021, theorem 1, corrected",
    statement="A POSG and its AEC game of queued actions have the same law of whole plays.",
)

SIZES = [(1, 3), (2, 2), (3, 1)]  # players, steps


def random_games(*, seeds, correlated=True):
    return [
        stop_posg(RandomPOSG(seed, players, correlated), steps=steps)
        for seed in range(seeds)
        for players, steps in SIZES
    ]


def collected(conversion, profile):
    return dict(push_forward(evaluation.aec_trajectories(conversion.target, profile), cycles))


@theorem
def test_plays_have_one_law():
    tried = 0
    for game in random_games(seeds=14):
        profile = seeded_policies(game, seed=game.game.seed)
        law = dict(evaluation.posg_trajectories(game, profile))
        assert collected(posg_to_aec(game), profile) == law
        tried += len(law) > 1
    assert tried > 35


@theorem
def test_plays_have_one_law_with_three_players_over_two_steps():
    game = stop_posg(RandomPOSG(seed=5, num_players=3), steps=2)
    profile = seeded_policies(game, seed=0)
    law = dict(evaluation.posg_trajectories(game, profile))
    assert len(law) > 500
    assert collected(posg_to_aec(game), profile) == law


@theorem
def test_plays_have_one_law_with_two_players_over_three_steps():
    game = stop_posg(RandomPOSG(seed=4), steps=3)
    profile = seeded_policies(game, seed=0)
    law = dict(evaluation.posg_trajectories(game, profile))
    assert len(law) > 50
    assert collected(posg_to_aec(game), profile) == law


@theorem
def test_plays_have_one_law_by_the_tables_too():
    for game in random_games(seeds=5):
        profile = seeded_policies(game, seed=1)
        table = posg_to_tabular(game).target
        assert dict(evaluation.posg_trajectories(table, profile)) == dict(
            evaluation.posg_trajectories(game, profile)
        )
        assert dict(evaluation.aec_trajectories(posg_to_aec(table).target, profile)) == dict(
            evaluation.aec_trajectories(posg_to_aec(game).target, profile)
        )


@theorem
def test_plays_have_one_law_in_the_factored_game_of_independent_observers():
    tried = 0
    for game in random_games(seeds=8, correlated=False):
        profile = seeded_policies(game, seed=2)
        law = dict(evaluation.posg_trajectories(game, profile))
        assert collected(posg_to_aec_factored(game), profile) == law
        tried += len(law) > 1
    assert tried > 20


@theorem
def test_returns_best_responses_and_nash_conv_are_equal():
    for game in random_games(seeds=4):
        profile = seeded_policies(game, seed=3)
        target = posg_to_aec(game).target
        assert expected_returns(target, profile).tolist() == (
            expected_returns(game, profile).tolist()
        )
        assert evaluation.best_response_returns(target, profile).tolist() == (
            evaluation.best_response_returns(game, profile).tolist()
        )
        assert evaluation.policy_nash_conv(target, profile) == evaluation.policy_nash_conv(
            game, profile
        )


@theorem
def test_unless_observations_forget_the_action():
    """Listening must show more than waiting, or it is no use: the optimum falls from 1 to 0."""
    game = ListenWaitGuess()
    policies = uniform_policies(game)  # of the one player: best responses are the optimum
    assert evaluation.best_response_returns(game, policies) == [1]
    assert evaluation.best_response_returns(posg_to_aec(game).target, policies) == [1]
    printed = ObservationsWithoutActions(game, ("wait",))
    assert evaluation.best_response_returns(printed, policies) == [0]


@theorem
def test_unless_the_queue_is_in_sight():
    pennies = RepeatedGame.of("matching_pennies", recall=0)
    assert posg_value(pennies) == 0
    assert game_value(aec_to_extensive(posg_to_aec(pennies).target).target) == 0
    seen = aec_to_extensive(QueueInSight(pennies)).target
    assert game_value(seen) == -1  # what the player who is seen gets


@theorem
def test_factored_unless_observations_are_correlated():
    with pytest.raises(UnsupportedGame, match="observations are correlated"):
        posg_to_aec_factored(public_coin())
    with pytest.raises(
        UnsupportedGame, match="depend on their own action and the state, but after"
    ):
        posg_to_aec_factored(Tiger())  # hears nothing when the other opens a door
    refused = 0
    for seed in range(12):
        try:
            posg_to_aec_factored(stop_posg(RandomPOSG(seed), steps=2))
        except UnsupportedGame:
            refused += 1
    assert refused >= 10
