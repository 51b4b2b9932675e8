"""Profiles fit their game exactly or are refused, and stay read-only wherever they travel."""

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core import strategies

PENNIES = gt.NormalFormGame.zero_sum([[1, -1], [-1, 1]])
CHOICE = gt.from_sketch(
    gt.Decision(0, "pick", {"a": gt.Terminal([0]), "b": gt.Terminal([1])}), players=("Ann",)
)


@pytest.mark.parametrize("counts", [(2, 3), (1, 2), (2,), (2, 2, 2)])
def test_mixed_profiles_need_a_probability_for_each_action(counts):
    profile = gt.MixedProfile(tuple([Fraction(1, n)] * n for n in counts))
    with pytest.raises(gt.InvalidStrategy, match=r"strategies over \(2, 2\) actions"):
        strategies.check_mixed_profile(PENNIES, profile)


@pytest.mark.parametrize("actions", [(0,), (0, 0, 0), ()])
def test_pure_profiles_need_an_action_for_each_player(actions):
    with pytest.raises(gt.InvalidStrategy, match=rf"each of 2 players, but got {len(actions)}"):
        gt.pure_profile(PENNIES, actions)


@pytest.mark.parametrize("action", [-1, 2])
def test_pure_choices_need_actions_that_exist(action):
    with pytest.raises(gt.InvalidStrategy, match=rf"action in 0\.\.1, got {action}"):
        gt.pure_profile(PENNIES, (0, action))
    with pytest.raises(
        gt.InvalidStrategy, match=rf"'pick' of player 1 has actions 0\.\.1, .*{action}"
    ):
        gt.pure_behavior(CHOICE, (action,))


@pytest.mark.parametrize("actions", [(), (0, 0)])
def test_pure_behavior_needs_an_action_for_each_information_set(actions):
    with pytest.raises(
        gt.InvalidStrategy, match=rf"each of 1 information sets, but got {len(actions)}"
    ):
        gt.pure_behavior(CHOICE, actions)


def test_a_mixed_profile_of_nobody_is_refused():
    with pytest.raises(gt.InvalidStrategy, match="needs a strategy for each player, but got none"):
        gt.MixedProfile(())


@pytest.mark.parametrize("vector", [["1/2", "1/2"], np.array([0.5, 0.5])], ids=["exact", "float"])
@pytest.mark.parametrize(
    "passage",
    [copy.deepcopy, lambda profile: pickle.loads(pickle.dumps(profile))],
    ids=["deep copy", "pickle"],
)
def test_profiles_stay_read_only_when_copied(vector, passage):
    mixed, behavior = gt.MixedProfile((vector,)), gt.BehavioralProfile((vector,))
    assert behavior.flat.tolist() == [0.5, 0.5]  # cached before the passage
    for profile, arrays in ((mixed, "strategies"), (behavior, "probabilities")):
        twin = passage(profile)
        assert twin == profile
        assert hash(twin) == hash(profile)
        assert twin.is_exact == profile.is_exact
        assert not any(array.flags.writeable for array in getattr(twin, arrays))


def test_exact_realization_plans_are_checked_without_slack():
    form = strategies.sequence_form(CHOICE)
    tiny = Fraction(1, 10**12)
    strategies.check_realization_plan(
        form, strategies.RealizationPlan(0, np.array([1.0, 0.5, 0.5 + 1e-12]))
    )
    for weights in ([1, "1/2", Fraction(1, 2) + tiny], [1 + tiny, 0, 1 + tiny]):
        with pytest.raises(gt.InvalidStrategy, match=r"sum to|empty sequence has"):
            strategies.check_realization_plan(form, strategies.RealizationPlan(0, weights))
