"""Profiles fit their game exactly or are refused, and stay read-only wherever they travel."""

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest

from gametheory_core.errors import InvalidStrategy
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.tree_draft import Decision, Terminal, from_sketch
from gametheory_core.strategies.behavioral import BehavioralProfile, pure_behavior
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile, pure_profile
from gametheory_core.strategies.sequences import (
    RealizationPlan,
    check_realization_plan,
    sequence_form,
)

PENNIES = NormalFormGame.zero_sum([[1, -1], [-1, 1]])
CHOICE = from_sketch(
    Decision(0, "pick", {"a": Terminal([0]), "b": Terminal([1])}), players=("Ann",)
)


@pytest.mark.parametrize("counts", [(2, 3), (1, 2), (2,), (2, 2, 2)])
def test_mixed_profiles_need_a_probability_for_each_action(counts):
    profile = MixedProfile(tuple([Fraction(1, n)] * n for n in counts))
    with pytest.raises(InvalidStrategy, match=r"strategies over \(2, 2\) actions"):
        check_mixed_profile(PENNIES, profile)


@pytest.mark.parametrize("actions", [(0,), (0, 0, 0), ()])
def test_pure_profiles_need_an_action_for_each_player(actions):
    with pytest.raises(InvalidStrategy, match=rf"each of 2 players, but got {len(actions)}"):
        pure_profile(PENNIES, actions)


@pytest.mark.parametrize("action", [-1, 2])
def test_pure_choices_need_actions_that_exist(action):
    with pytest.raises(InvalidStrategy, match=rf"action in 0\.\.1, got {action}"):
        pure_profile(PENNIES, (0, action))
    with pytest.raises(
        InvalidStrategy, match=rf"'pick' of player 1 has actions 0\.\.1, .*{action}"
    ):
        pure_behavior(CHOICE, (action,))


@pytest.mark.parametrize("actions", [(), (0, 0)])
def test_pure_behavior_needs_an_action_for_each_information_set(actions):
    with pytest.raises(
        InvalidStrategy, match=rf"each of 1 information sets, but got {len(actions)}"
    ):
        pure_behavior(CHOICE, actions)


def test_a_mixed_profile_of_nobody_is_refused():
    with pytest.raises(InvalidStrategy, match="needs a strategy for each player, but got none"):
        MixedProfile(())


@pytest.mark.parametrize("vector", [["1/2", "1/2"], np.array([0.5, 0.5])], ids=["exact", "float"])
@pytest.mark.parametrize(
    "passage",
    [copy.deepcopy, lambda profile: pickle.loads(pickle.dumps(profile))],
    ids=["deep copy", "pickle"],
)
def test_profiles_stay_read_only_when_copied(vector, passage):
    mixed, behavior = MixedProfile((vector,)), BehavioralProfile((vector,))
    assert behavior.flat.tolist() == [0.5, 0.5]  # cached before the passage
    for profile, arrays in ((mixed, "strategies"), (behavior, "probabilities")):
        twin = passage(profile)
        assert twin == profile
        assert hash(twin) == hash(profile)
        assert twin.is_exact == profile.is_exact
        assert not any(array.flags.writeable for array in getattr(twin, arrays))


def test_exact_realization_plans_are_checked_without_slack():
    form = sequence_form(CHOICE)
    tiny = Fraction(1, 10**12)
    check_realization_plan(form, RealizationPlan(0, np.array([1.0, 0.5, 0.5 + 1e-12])))
    for weights in ([1, "1/2", Fraction(1, 2) + tiny], [1 + tiny, 0, 1 + tiny]):
        with pytest.raises(InvalidStrategy, match=r"sum to|empty sequence has"):
            check_realization_plan(form, RealizationPlan(0, weights))
