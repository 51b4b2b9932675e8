"""Naive responses: found where there is exactly one; otherwise refused, naming two, or none."""

import pytest
from hypothesis import given

from gametheory_core import NormalFormGame, UnsupportedGame, mediation
from gametheory_core.catalog import RepeatedGame
from tests.core.conversions.markov_rules import equilibria, markov_rules


def once(stage):
    return RepeatedGame(stage, recall=0)


def test_response_to_chicken_with_brakes():
    responses = mediation.naive_responses(once(mediation.chicken_with_brakes()))
    assert dict(responses) == {
        ((), leader, action): (answer,)
        for leader in range(2)
        for action, answer in [("straight", "swerve"), ("swerve", "straight"), ("brake", "brake")]
    }
    with pytest.raises(TypeError, match="item assignment"):
        responses[(), 0, "brake"] = ("swerve",)


def test_two_equilibria_of_the_followers_are_named():
    message = (
        r"'Player 1' leads with 'red' in state \(\) there is more than one: joint actions "
        r"\('red', 'red', 'red'\) and \('red', 'blue', 'blue'\)"
    )
    with pytest.raises(UnsupportedGame, match=message):
        mediation.naive_responses(once(mediation.resource_agreement(players=3)))


def test_tie_of_one_follower_is_two_equilibria():
    tie = NormalFormGame.bimatrix([[1, 1]], [[2, 2]], actions=(("go",), ("left", "right")))
    message = r"leads with 'go' .* \('go', 'left'\) and \('go', 'right'\).*Publish"
    with pytest.raises(UnsupportedGame, match=message):
        mediation.naive_responses(once(tie))


def test_followers_without_a_pure_equilibrium_are_refused():
    pennies = [[[1, -1], [-1, 1]], [[-1, 1], [1, -1]]]
    stage = NormalFormGame.from_payoffs(
        [[[[0, 0], [0, 0]]], [pennies[0]], [pennies[1]]],
        players=["Ann", "Bob", "Cleo"],
        actions=[["watch"], ["heads", "tails"], ["heads", "tails"]],
    )
    message = r"where player 'Ann' leads with 'watch' in state \(\) there is none\. Publish"
    with pytest.raises(UnsupportedGame, match=message):
        mediation.naive_responses(once(stage))


@given(markov_rules(controlled=True))
def test_responses_are_the_only_equilibria_and_make_a_game(game):
    try:
        responses = mediation.naive_responses(game)
    except UnsupportedGame:
        counts = [
            len(equilibria(game, state, leader, action))
            for state in {key[0] for key in game.transitions}
            for leader, own in enumerate(game.actions)
            for action in own
        ]
        assert any(count != 1 for count in counts)
        return
    for (state, leader, action), answer in responses.items():
        assert equilibria(game, state, leader, action) == [answer]
    target = mediation.mediate(
        game, responses=responses, control=mediation.StateControl.EVERYBODY
    ).target
    assert len(target.row_key) == len(responses)
