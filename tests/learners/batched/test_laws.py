"""Batched play obeys the exact law of the game: play by play, not only on average.

Each call of ``require_same_law`` rejects a right law with probability at most ``LEVEL``, and each
comparison of means, five standard errors wide for every player, with less than 1e-5; all are
seeded.
"""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gametheory_core import load_game, uniform_policies
from gametheory_core.catalog.tiger import Tiger
from gametheory_core.catalog.turn_orders import RandomOrderTeam
from gametheory_core.conversions.aec_posg import aec_to_posg
from gametheory_core.conversions.extensive_aec import extensive_to_aec
from gametheory_core.evaluation.returns import expected_returns
from gametheory_core.testing.generators import extensive_form_games
from gametheory_core.testing.rule_generators import aecs, policy_profiles, posgs
from gametheory_core.testing.seeded_policies import random_policies
from learners.batched import mean_returns
from tests.learners.batched.plays import require_same_law

LEVEL = 1e-9
EPISODES = 500
SEEDS = st.integers(0, 2**40)


@settings(max_examples=25)
@given(st.data(), posgs(max_states=3, max_horizon=3), SEEDS)
def test_posgs_are_played_by_their_law(data, game, seed):
    profile = data.draw(policy_profiles(game))
    require_same_law(game, game, profile, episodes=EPISODES, seed=seed, level=LEVEL)


@settings(max_examples=25)
@given(st.data(), aecs(max_states=3, max_horizon=5), SEEDS)
def test_aec_games_are_played_by_their_law(data, game, seed):
    profile = data.draw(policy_profiles(game))
    require_same_law(game, game, profile, episodes=EPISODES, seed=seed, level=LEVEL)


@settings(max_examples=20)
@given(st.data(), extensive_form_games(), SEEDS)
def test_trees_are_played_by_their_law(data, tree, seed):
    game = extensive_to_aec(tree).target
    profile = data.draw(policy_profiles(game))
    require_same_law(game, tree, profile, episodes=EPISODES, seed=seed, level=LEVEL)


def test_kuhn_poker_is_played_by_its_law():
    tree = load_game("kuhn_poker")
    game = extensive_to_aec(tree).target
    profile = random_policies(game, rng=np.random.default_rng(5))
    require_same_law(game, tree, profile, episodes=20_000, seed=6, level=LEVEL)


def test_a_posg_of_turns_is_played_by_its_law():
    game = aec_to_posg(RandomOrderTeam()).target
    require_same_law(game, game, uniform_policies(game), episodes=5000, seed=6, level=LEVEL)


def test_the_tiger_is_played_by_its_law():
    game = Tiger(horizon=2)
    profile = random_policies(game, rng=np.random.default_rng(5))
    require_same_law(game, game, profile, episodes=20_000, seed=6, level=LEVEL)


@settings(max_examples=25)
@given(st.data(), st.one_of(posgs(), aecs()), SEEDS)
def test_mean_returns_are_the_expected_ones_within_five_standard_errors(data, game, seed):
    profile = data.draw(policy_profiles(game))
    found = mean_returns(game, profile, episodes=5000, seed=seed)
    exact = expected_returns(game, profile).astype(float)
    # a sample without spread says nothing of its error: then the plays are compared instead
    width = 5 * found.standard_errors + 1e-9
    if (found.standard_errors > 0).all():
        assert (abs(found.means - exact) <= width).all()
    else:
        require_same_law(game, game, profile, episodes=EPISODES, seed=seed, level=LEVEL)
