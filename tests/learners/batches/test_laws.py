"""Batched play obeys the exact law of the game: play by play, not only on average.

Each call of ``require_same_law`` rejects a right law with probability at most ``LEVEL``, and each
comparison of means, five standard errors wide for every player, with less than 1e-5; all are
seeded.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import expected_returns, load_game, testing, uniform_policies
from gametheory_core.catalog import RandomOrderTeam, Tiger
from gametheory_core.conversions import aec_to_posg, extensive_to_aec
from learners import batched, mean_returns
from learners._kernels.play import drawn
from learners.batches import play_table
from learners.batches.play_table import exact_cuts
from tests.learners.batches.plays import require_same_law
from tests.sample_sizes import examples

LEVEL = 1e-9
EPISODES = 500
SEEDS = st.integers(0, 2**40)


@examples(15)
@given(st.data(), testing.posgs(max_states=3, max_horizon=3), SEEDS)
def test_posgs_are_played_by_their_law(data, game, seed):
    profile = data.draw(testing.policy_profiles(game))
    require_same_law(game, game, profile, episodes=EPISODES, seed=seed, level=LEVEL)


@examples(15)
@given(st.data(), testing.aecs(max_states=3, max_horizon=5), SEEDS)
def test_aec_games_are_played_by_their_law(data, game, seed):
    profile = data.draw(testing.policy_profiles(game))
    require_same_law(game, game, profile, episodes=EPISODES, seed=seed, level=LEVEL)


@examples(20)
@given(st.data(), testing.extensive_form_games(), SEEDS)
def test_trees_are_played_by_their_law(data, tree, seed):
    game = extensive_to_aec(tree).target
    profile = data.draw(testing.policy_profiles(game))
    require_same_law(game, tree, profile, episodes=EPISODES, seed=seed, level=LEVEL)


def test_kuhn_poker_is_played_by_its_law():
    tree = load_game("kuhn_poker")
    game = extensive_to_aec(tree).target
    profile = testing.random_policies(game, rng=np.random.default_rng(5))
    require_same_law(game, tree, profile, episodes=20_000, seed=6, level=LEVEL)


def test_a_posg_of_turns_is_played_by_its_law():
    game = aec_to_posg(RandomOrderTeam()).target
    require_same_law(game, game, uniform_policies(game), episodes=5000, seed=6, level=LEVEL)


def test_the_tiger_is_played_by_its_law():
    game = Tiger(horizon=2)
    profile = testing.random_policies(game, rng=np.random.default_rng(5))
    require_same_law(game, game, profile, episodes=20_000, seed=6, level=LEVEL)


@examples(10)
@given(st.data(), st.one_of(testing.posgs(max_states=3), testing.aecs(max_states=3)), SEEDS)
def test_tables_too_wide_to_look_up_directly_are_searched(data, game, seed):
    profile = data.draw(testing.policy_profiles(game))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(play_table, "MOST_DENSE", 0)
        assert batched(game, episodes=1, seed=0).table.rules.rows.size == 0
        require_same_law(game, game, profile, episodes=EPISODES, seed=seed, level=LEVEL)


@given(st.lists(st.integers(0, 40), min_size=1, max_size=40).filter(any), st.data())
def test_entries_of_long_lotteries_are_found(weights, data):
    law = np.array([Fraction(w, sum(weights)) for w in weights if w], dtype=object)
    before = data.draw(st.integers(0, 3))
    cuts = np.concatenate([np.zeros(before, np.uint64), exact_cuts(np.array([0, len(law)]), law)])
    edges = [int(c) for c in cuts[before:-1]]
    for number in (0, 2**63 - 1, *edges, *(e - 1 for e in edges)):
        entry = drawn(cuts, before, before + len(law), np.uint64(number))
        assert entry == before + sum(number >= e for e in edges)


@examples(15)
@given(st.data(), st.one_of(testing.posgs(), testing.aecs()), SEEDS)
def test_mean_returns_are_the_expected_ones_within_five_standard_errors(data, game, seed):
    profile = data.draw(testing.policy_profiles(game))
    found = mean_returns(game, profile, episodes=5000, seed=seed)
    exact = expected_returns(game, profile).astype(float)
    # a sample without spread says nothing of its error: then the plays are compared instead
    width = 5 * found.standard_errors + 1e-9
    if (found.standard_errors > 0).all():
        assert (abs(found.means - exact) <= width).all()
    else:
        require_same_law(game, game, profile, episodes=EPISODES, seed=seed, level=LEVEL)
