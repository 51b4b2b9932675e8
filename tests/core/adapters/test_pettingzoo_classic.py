"""PettingZoo's own board games as rules, and the rules as environments again."""

import importlib
import warnings

import numpy as np
import pytest
from gymnasium.spaces import Box

from gametheory_core import uniform_policies
from gametheory_core.adapters import Ending, ObservationEncoding, aec_env, rules_from_pettingzoo
from gametheory_core.conversions import count_aec_nodes
from gametheory_core.evaluation import aec_trajectories
from gametheory_core.games import NULL, stop_aec

pytestmark = pytest.mark.peer


def classic(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # versioned modules and pygame warn when imported
        pytest.importorskip("pygame")
        return importlib.import_module(f"pettingzoo.classic.{name}").env()


def encoding_of(env):
    space = env.observation_space(env.possible_agents[0])["observation"]

    def encode(player, seen):
        return np.zeros(space.shape, space.dtype) if seen is NULL else seen.observation.array()

    return ObservationEncoding(Box(0, 1, space.shape, space.dtype.type), encode)


@pytest.mark.parametrize(("name", "plays"), [("tictactoe_v3", 20), ("connect_four_v3", 5)])
def test_rules_as_an_environment_play_as_the_first(name, plays):
    env = classic(name)
    rules = rules_from_pettingzoo(classic(name))
    count = env.action_space(env.possible_agents[0]).n
    twin = aec_env(rules, encoding=encoding_of(env), actions=[range(count)] * 2)
    rng = np.random.default_rng(3)
    for _ in range(plays):
        env.reset()
        twin.reset()
        while not any(env.terminations.values()):
            seen, reward, *_ = env.last()
            own_seen, own_reward, *_, info = twin.last()
            assert seat(env) == seat(twin)
            assert reward == own_reward
            assert np.array_equal(seen["observation"], own_seen)
            assert np.array_equal(seen["action_mask"], info["action_mask"])
            action = rng.choice(np.flatnonzero(seen["action_mask"]))
            env.step(action)
            twin.step(action)
        assert all(twin.terminations.values())
        assert paid_at_the_end(env) == paid_at_the_end(twin)


def seat(env):
    return env.possible_agents.index(env.agent_selection)


def paid_at_the_end(env):
    """Let the dead agents leave, in the environment's own order; return each seat's last reward."""
    paid = {}
    while env.agents:
        paid[seat(env)] = env.last()[1]
        env.step(None)
    return paid


def test_tic_tac_toe_has_as_many_openings_as_fields():
    rules = rules_from_pettingzoo(classic("tictactoe_v3"))
    opening = stop_aec(rules, moves=4)  # chance, then three fields
    assert len(aec_trajectories(opening, uniform_policies(opening))) == 9 * 8 * 7


def test_tic_tac_toe_pays_the_winner():
    rules = rules_from_pettingzoo(classic("tictactoe_v3"))
    position = rules.chance("start").items[0][0]
    for field in (0, 3, 1, 4, 2):  # the first player fills a line
        assert position.ending is None
        position = rules.move(position.mover, position, field)
    assert position.rewards == (1, -1)
    assert position.ending is Ending.TERMINATED


def test_rock_paper_scissors_hides_the_first_choice_and_ends_at_its_limit():
    rules = rules_from_pettingzoo(classic("rps_v2"))
    start = rules.chance("start").items[0][0]
    views = {rules.move(0, start, action).view for action in range(3)}
    assert len(views) == 1
    position = start
    while position.ending is None:
        position = rules.move(position.mover, position, 0)
    assert position.ending is Ending.TRUNCATED


def test_all_of_tic_tac_toe_is_counted():
    """Half a million histories, of a few thousand boards."""
    rules = rules_from_pettingzoo(classic("tictactoe_v3"))
    assert count_aec_nodes(rules) == 549_946
    assert rules.walker.snapshots is not None
