"""Answers and their numbers go back and forth, and tables that would not fit are refused."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import UnsupportedGame, load_game
from gametheory_core.leaders import leader_policies
from learners.leaders import ContextualPolicyGradientOptions, ContextualQOptions, MetaStackelberg
from learners.leaders.stage import Contexts
from tests.learners.leaders.led_games import iterated

CHOICES = st.lists(st.lists(st.integers(0, 3), max_size=3, unique=True).map(sorted), min_size=1)


@given(CHOICES.filter(lambda own: len(own) < 6))
def test_numbers_and_plans_go_back_and_forth(choices):
    contexts = Contexts(tuple(map(tuple, choices)))
    plans = [contexts.plan(number) for number in range(contexts.count)]
    assert len(set(plans)) == contexts.count
    assert contexts.numbers(np.array(plans)).tolist() == list(range(contexts.count))
    assert [contexts.number(plan) for plan in plans] == list(range(contexts.count))
    assert all(
        (a in own) if own else a == -1 for p in plans for a, own in zip(p, choices, strict=True)
    )


def test_contexts_are_in_the_order_of_leader_policies():
    view = iterated("chicken")
    choices = tuple(view.leader_actions(o) for o in range(5))
    plans = [Contexts(choices).plan(number) for number in range(32)]
    assert plans == [policy.actions for policy in leader_policies(view)]


def test_random_leaders_are_all_equally_likely():
    """With 6,000 draws of 6 plans, 5 standard deviations: fails once in 290,000 seeds a plan."""
    contexts = Contexts(((0, 2), (), (0, 1, 2)))
    plans = contexts.uniform_plans(6000, np.random.default_rng(5))
    counts = np.bincount(contexts.numbers(plans), minlength=6)
    assert (plans[:, 1] == -1).all()
    assert set(plans[:, 0].tolist()) == {0, 2}
    assert np.abs(counts - 1000).max() < 5 * np.sqrt(6000 * (1 / 6) * (5 / 6))


@pytest.mark.parametrize("follower", [ContextualQOptions(), ContextualPolicyGradientOptions()])
def test_too_many_leaders_are_refused_with_their_number(follower):
    remembering = replace(load_game("iterated_chicken:rounds=4"), recall=3)
    with pytest.raises(UnsupportedGame, match=r"85 queries in over 2\^85 ways"):
        MetaStackelberg(remembering, follower=follower, rng=np.random.default_rng(1))
