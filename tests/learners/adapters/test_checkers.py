"""Our games as others' environments, judged by the others' own checkers; warnings are errors here.

What POSGs and AEC games of the catalog are asked stands in ``tests/core/adapters``; here are trees,
games that end by their rules, games in which legal actions change, and Stable-Baselines3.
"""

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from gametheory_core import load_game, uniform_policies
from gametheory_core.adapters import IllegalActions, aec_env, parallel_env, to_gymnasium
from gametheory_core.catalog import RandomOrderTeam, RepeatedGame, Tiger
from gametheory_core.conversions import aec_to_posg, extensive_to_aec
from tests.core.adapters.small_games import Corridor

KUHN = extensive_to_aec(load_game("kuhn_poker")).target
POSGS = {
    "repeated": RepeatedGame.of("rock_paper_scissors", rounds=3),
    "tiger": Tiger(horizon=4),
    "corridor": Corridor(horizon=3),
    "team": aec_to_posg(RandomOrderTeam()).target,
    "kuhn": aec_to_posg(KUHN).target,
}


def named(games):
    return [pytest.param(game, id=name) for name, game in games.items()]


def single(game, player=0):
    policies = uniform_policies(game)
    others = (*policies[:player], *policies[player + 1 :])
    return to_gymnasium(
        game, player=player, others=others, illegal_actions=IllegalActions.FIRST_LEGAL
    )


def test_trees_pass_pettingzoos_tests_of_turns():
    api_test(aec_env(KUHN, render_mode="ansi"), num_cycles=100)
    seed_test(lambda: aec_env(KUHN), num_cycles=50)


@pytest.mark.parametrize("game", named({k: POSGS[k] for k in ("team", "kuhn")}))
def test_games_of_turns_pass_pettingzoos_parallel_tests(game):
    def make():
        return parallel_env(game, illegal_actions=IllegalActions.FIRST_LEGAL)

    parallel_api_test(make(), num_cycles=100)
    parallel_seed_test(make, num_cycles=50)


@pytest.mark.parametrize("game", named(POSGS))
def test_single_agents_views_pass_gymnasiums_checker(game):
    check_env(single(game), skip_render_check=True)


@pytest.mark.peer
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("game", named(POSGS))
def test_single_agents_views_pass_stable_baselines_checker(game, player):
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(single(game, player), warn=True)


@pytest.mark.peer
def test_stable_baselines_learns_a_game_of_ours():
    stable_baselines = pytest.importorskip("stable_baselines3")
    import torch

    torch.set_num_threads(1)
    game = RepeatedGame.of("prisoners_dilemma", rounds=2)
    agent = stable_baselines.PPO(
        "MlpPolicy", single(game), n_steps=64, batch_size=64, seed=1, device="cpu"
    )
    agent.learn(64)
    action, _ = agent.predict(np.int64(0), deterministic=True)
    assert int(action) in (0, 1)


@pytest.mark.peer
def test_stable_baselines_checker_finds_fault():
    """The twin: a view that shows what its space does not hold is refused."""
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    env = single(POSGS["tiger"])
    env.observation_space = type(env.observation_space)(1)
    env._numbers = dict.fromkeys(env._numbers, 7)
    with pytest.raises(AssertionError, match="observation"):
        checker.check_env(env)
