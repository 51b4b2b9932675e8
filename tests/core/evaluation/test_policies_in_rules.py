"""Plays, returns and best responses of policies in POSGs and AEC games, and what is refused."""

from fractions import Fraction
from itertools import product

import pytest

from gametheory_core import InvalidStrategy, UnsupportedGame, expected_returns, uniform_policies
from gametheory_core.distributions import point_mass
from gametheory_core.evaluation import (
    aec_trajectories,
    best_response_returns,
    posg_trajectories,
    trajectories,
)
from gametheory_core.evaluation.returns import discounted_return
from gametheory_core.games import CHANCE, NULL, AecPlay, Move, PosgPlay, stop_aec, stop_posg
from tests.core.conversions.changed_rules import changed
from tests.theorems.random_rules import ENDED, RandomAEC, RandomPOSG, seeded_policies


def met_by(profile, law_of_plays):
    """Return the information states that player 0 meets under some profile, by recording."""
    asked = set()

    class Recorder:
        def __getitem__(self, known):
            asked.add(known)
            return profile[0][known]

    law_of_plays((Recorder(), *profile[1:]))
    return sorted(asked, key=repr)


def blind_at_first(seed):
    """Nothing is seen before the first action, so that there are few pure policies."""
    game = changed(RandomPOSG(seed), initial_observation=lambda _: point_mass((NULL, NULL)))
    return stop_posg(game, steps=2)


@pytest.mark.parametrize(
    ("game", "law"),
    [(blind_at_first(seed), posg_trajectories) for seed in (0, 1, 3, 4)]
    + [(stop_aec(RandomAEC(5, 2, Fraction(1, 2)), moves=3), aec_trajectories)],
)
def test_best_response_is_the_best_of_all_pure_policies(game, law):
    profile = seeded_policies(game, seed=1)
    known = met_by(uniform_policies(game), lambda p: law(game, p))
    choices = [game.legal_actions(0, k[-1]) for k in known]
    policies = [
        {k: point_mass(a) for k, a in zip(known, chosen, strict=True)}
        for chosen in product(*choices)
    ]
    assert 4 <= len(policies) <= 2**10
    tried = [expected_returns(game, (policy, profile[1]))[0] for policy in policies]
    assert best_response_returns(game, profile)[0] == max(tried)
    assert len(set(tried)) > 2


def test_discount_counts_chance_moves_after_the_first():
    movers = (CHANCE, 0, 1, CHANCE, CHANCE, 0)
    moves = tuple(Move("s", mover, NULL, NULL, (Fraction(1),)) for mover in movers)
    half = Fraction(1, 2)
    wanted = 1 + 1 + 1 + 1 + half + half**2
    assert discounted_return(AecPlay(moves, "t"), half) == (wanted,)
    assert discounted_return(PosgPlay((), "t"), half) == ()


def test_games_that_are_over_at_once_pay_nothing():
    for game in (
        changed(RandomPOSG(1), initial=lambda: point_mass(ENDED)),
        stop_posg(RandomPOSG(1), steps=0),
        changed(RandomAEC(1), initial_state=ENDED),
        stop_aec(RandomAEC(1), moves=0),
    ):
        nobody = ({}, {})  # no policy is asked
        assert expected_returns(game, nobody).tolist() == [0, 0]
        assert best_response_returns(game, nobody).tolist() == [0, 0]


def test_own_policy_is_not_asked_for_a_best_response():
    game = stop_posg(RandomPOSG(1), steps=2)
    profile = seeded_policies(game, seed=1)
    best = best_response_returns(game, profile)
    with pytest.raises(InvalidStrategy, match="'player 1': needs a distribution at information"):
        best_response_returns(game, ({}, profile[1]))
    alone = stop_posg(RandomPOSG(1, 1), steps=2)
    assert len(best_response_returns(alone, ({},))) == 1
    assert len(best) == 2


ENDLESS = [
    changed(
        RandomAEC(1), chance=lambda _: point_mass(0), next_player=lambda *_: point_mass(CHANCE)
    ),
    changed(
        RandomAEC(1),
        chance=lambda _: point_mass(0),
        move=lambda *_: 0,
        legal_actions=lambda *_: ("a",),
        observation=lambda *_: point_mass("x"),
        next_player=lambda *_: point_mass(0),
        reward=lambda *_: point_mass((0, 0)),
    ),
]


@pytest.mark.parametrize("game", ENDLESS)
def test_plays_without_end_are_refused(game, monkeypatch):
    monkeypatch.setattr(trajectories, "MAX_LENGTH", 300)
    for ask, function in (
        (aec_trajectories, "aec_trajectories"),
        (best_response_returns, "best_response_returns"),
    ):
        with pytest.raises(UnsupportedGame, match=f"{function}: needs plays that end, but one has"):
            ask(changed(game, reward=lambda *_: point_mass((0, 0))), uniform_policies(game))


def test_too_many_plays_are_refused():
    for game, law in ((RandomPOSG(1), posg_trajectories), (RandomAEC(0), aec_trajectories)):
        profile = uniform_policies(game)
        with pytest.raises(
            UnsupportedGame, match=rf"{law.__name__}: needs at most max_plays = 100 plays, but"
        ):
            law(game, profile, max_plays=100)
        with pytest.raises(
            UnsupportedGame, match="best_response_returns: needs at most max_plays = 100 branches"
        ):
            best_response_returns(game, profile, max_plays=100)


def test_branches_of_others_are_limited_too():
    """A player who never moves waits for branches of the others, which multiply."""
    game = changed(RandomAEC(0), next_player=lambda *_: point_mass(1))
    game.move = lambda player, state, action: state
    with pytest.raises(UnsupportedGame, match="max_plays = 100 branches, but there are more"):
        best_response_returns(game, uniform_policies(game), max_plays=100)


def test_the_largest_allowed_number_of_plays_is_followed():
    game = stop_posg(RandomPOSG(1), steps=1)
    profile = uniform_policies(game)
    count = len(posg_trajectories(game, profile))
    assert len(posg_trajectories(game, profile, max_plays=count)) == count
    with pytest.raises(UnsupportedGame, match=rf"max_plays = {count - 1} plays"):
        posg_trajectories(game, profile, max_plays=count - 1)
