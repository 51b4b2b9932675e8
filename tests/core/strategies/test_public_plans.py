"""Profiles of public-state games: integers that nobody changes, equal by content."""

import pickle

import numpy as np
import pytest

from gametheory_core import InvalidStrategy
from gametheory_core.catalog import leduc_poker_ranges, liars_dice_ranges
from gametheory_core.games import public_history, public_layout
from gametheory_core.games.public_histories import history_labels
from gametheory_core.strategies import PublicProfile
from gametheory_core.strategies.public_plans import public_behavior
from tests.public_games import random_plans, random_public_game

PLAN = np.array([4, 3, 1])


def test_what_is_held_cannot_be_changed_and_is_equal_by_content():
    given = PLAN.copy()
    profile = PublicProfile((given, given))
    given[:] = 0
    assert not profile.plans[0].flags.writeable
    large = PublicProfile((PLAN.astype(object), PLAN))
    assert profile == large == pickle.loads(pickle.dumps(profile))
    assert hash(profile) == hash(large)
    assert profile != PublicProfile((PLAN, PLAN[:2]))
    assert profile != "profile"
    assert profile.is_exact
    assert profile.to_exact() is profile
    assert repr(profile) == "PublicProfile(3 and 3 sequences)"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda plan: plan.astype(float),
        lambda plan: plan > 1,
        lambda plan: np.array([4, 3, True], dtype=object),
        lambda plan: plan.tolist(),
        lambda plan: plan[:, None],
        lambda plan: plan[:0],
    ],
)
def test_what_is_no_vector_of_integers_is_refused(spoil):
    with pytest.raises(InvalidStrategy, match="a vector of integers for each of two players"):
        PublicProfile((PLAN, spoil(PLAN)))


@pytest.mark.parametrize("plans", [(PLAN,), [PLAN, PLAN], (PLAN, PLAN, PLAN)])
def test_plans_of_two_players_are_needed(plans):
    with pytest.raises(InvalidStrategy, match="for each of two players"):
        PublicProfile(plans)


@pytest.mark.parametrize(
    "game",
    [leduc_poker_ranges(), liars_dice_ranges(sides=3), *map(random_public_game, range(12))],
    ids=repr,
)
def test_every_history_is_found_by_its_labels(game):
    layout = public_layout(game)
    for history in range(len(layout.situation)):
        assert public_history(game, layout, history_labels(game, layout, history)) == history


def test_behavior_divides_what_comes_to_a_hand():
    game = leduc_poker_ranges(ranks=2, suits=2)
    layout, profile = public_layout(game), random_plans(game, 2)
    for moves in layout.moves:
        for history in moves.history.tolist():
            for actions in public_behavior(game, layout, profile, history).values():
                assert sum(actions.values()) == 1
    with pytest.raises(InvalidStrategy, match=r"after \('check', 'check'\) none does"):
        public_behavior(game, layout, profile, public_history(game, layout, ["check", "check"]))
