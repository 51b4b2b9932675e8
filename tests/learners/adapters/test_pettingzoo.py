"""PettingZoo environments as batches: rewards, masks, agents that die, and going on exactly."""

import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec

from gametheory_core import InvalidArgument, UnsupportedGame, load_game
from gametheory_core.adapters import aec_env, parallel_env
from gametheory_core.catalog import RepeatedGame
from gametheory_core.conversions import extensive_to_aec
from learners.adapters import from_pettingzoo
from learners.adapters.replays import episode_seed


def kuhn():
    return aec_env(extensive_to_aec(load_game("kuhn_poker")).target)


def pennies():
    return parallel_env(RepeatedGame.of("matching_pennies", rounds=3))


class Mortal(ParallelEnv):
    """Agent ``k`` dies, by truncation if so asked, after ``k + 1`` steps; each is paid its age."""

    render_mode = None  # parallel_to_aec asks for it

    def __init__(self, *, cut=()):
        self.metadata = {"name": "mortal"}
        self.possible_agents = ["a", "b", "c"]
        self.cut = cut

    def observation_space(self, agent):
        return Dict({"observation": Discrete(4), "action_mask": Box(0, 1, (2,), np.int8)})

    def action_space(self, agent):
        return Discrete(2)

    def reset(self, seed=None, options=None):
        self.age, self.agents = 0, self.possible_agents[:]
        return {a: self.seen() for a in self.agents}, {a: {} for a in self.agents}

    def seen(self):
        return {"observation": self.age, "action_mask": np.array([1, self.age % 2], np.int8)}

    def step(self, actions):
        assert set(actions) == set(self.agents)
        self.age += 1
        before = self.agents
        last = {a: self.possible_agents.index(a) < self.age for a in before}
        ended = {a: last[a] and a not in self.cut for a in before}
        cuts = {a: last[a] and a in self.cut for a in before}
        self.agents = [a for a in before if not last[a]]
        rewards = dict.fromkeys(before, float(self.age))
        return {a: self.seen() for a in before}, rewards, ended, cuts, {a: {} for a in before}


def test_agents_that_die_stop_acting_and_the_episode_goes_on_without_them():
    batch = from_pettingzoo(Mortal, episodes=2, seed=1)
    assert batch.num_observations == (4, 4, 4)
    turn = batch.reset()
    assert turn.acts.all()
    assert turn.legal[0, 0].tolist() == [True, False]
    turn = batch.step(np.zeros((2, 3), dtype=int))
    assert turn.acts[0].tolist() == [False, True, True]
    assert turn.legal[0, 1].tolist() == [True, True]
    assert not turn.is_over.any()
    turn = batch.step(np.array([[9, 1, 1]] * 2))  # what the dead would do is not looked at
    assert turn.rewards[0].tolist() == [0, 2, 2]
    turn = batch.step(np.zeros((2, 3), dtype=int))
    assert turn.is_terminal.all()
    assert turn.final_observations[0].tolist() == [1, 2, 3]
    assert turn.rewards[0].tolist() == [0, 0, 3]
    assert turn.observations[0].tolist() == [0, 0, 0]
    assert turn.acts.all()


def test_an_episode_with_a_truncated_agent_is_truncated():
    batch = from_pettingzoo(lambda: Mortal(cut=("b",)), episodes=1, seed=1)
    batch.reset()
    turns = [batch.step(np.zeros((1, 3), dtype=int)) for _ in range(3)]
    assert [bool(t.is_truncated[0]) for t in turns] == [False, False, True]
    assert not turns[-1].is_terminal.any()


def test_in_turns_an_episode_with_a_truncated_agent_is_truncated():
    """Though those who die after it are terminated."""
    batch = from_pettingzoo(lambda: parallel_to_aec(Mortal(cut=("a",))), episodes=1, seed=1)
    turn = batch.reset()
    ends = []
    for _ in range(6):  # three agents, then two, then one
        turn = batch.step(np.zeros((1, 3), dtype=int))
        ends.append((bool(turn.is_terminal[0]), bool(turn.is_truncated[0])))
    assert ends == [(False, False)] * 5 + [(False, True)]


def test_masks_beside_observations_are_honored():
    batch = from_pettingzoo(Mortal, episodes=1, seed=1)
    batch.reset()
    with pytest.raises(InvalidArgument, match="'b' in row 0 gives 1, which is 1. Legal are"):
        batch.step(np.array([[0, 1, 0]]))


def test_turns_in_a_batch_are_those_of_the_environment():
    batch = from_pettingzoo(kuhn, episodes=2, seed=3)
    rng = np.random.default_rng(0)
    turn = batch.reset()
    env = kuhn()
    returns = []
    for k in range(0, 20, 2):  # row 0 plays the even episodes
        env.reset(seed=episode_seed(3, k))
        over, total = False, np.zeros(2)
        while not over:
            agent = env.agent_selection
            i = env.possible_agents.index(agent)
            observation, _, _, _, info = env.last()
            assert turn.acts[0].tolist() == [i == 0, i == 1]
            assert np.array_equal(turn.legal[0, i], info["action_mask"])
            assert np.array_equal(turn.observations[0, i], observation.ravel())
            actions = (turn.legal * rng.random(turn.legal.shape)).argmax(-1)
            env.step(int(actions[0, i]))
            turn = batch.step(actions)
            assert turn.rewards[0].tolist() == [env.rewards[a] for a in env.possible_agents]
            total += turn.rewards[0]
            over = bool(turn.is_over[0])
            assert over == any(env.terminations.values())
        returns.append(total)
    assert np.array_equal(np.array(returns).sum(axis=1), np.zeros(10))
    assert {abs(r[0]) for r in returns} <= {1.0, 2.0}


@pytest.mark.parametrize("make", [kuhn, pennies, lambda: parallel_to_aec(pennies()), Mortal])
def test_a_snapshot_within_episodes_goes_on_exactly_in_another_batch(make):
    batch = from_pettingzoo(make, episodes=3, seed=5)
    rng = np.random.default_rng(0)
    turn = batch.reset()
    for _ in range(4):
        turn = batch.step((turn.legal * rng.random(turn.legal.shape)).argmax(-1))
    kept = batch.snapshot()
    other = from_pettingzoo(make, episodes=3, seed=5)
    other.restore(kept)
    for _ in range(10):
        actions = (turn.legal * rng.random(turn.legal.shape)).argmax(-1)
        turn, found = batch.step(actions), other.step(actions)
        for name in ("observations", "final_observations", "rewards", "acts", "is_terminal"):
            assert np.array_equal(getattr(found, name), getattr(turn, name))


def test_parallel_environments_and_their_turns_pay_the_same():
    totals = []
    for make in (pennies, lambda: parallel_to_aec(pennies())):
        batch = from_pettingzoo(make, episodes=1, seed=5)
        batch.reset()
        total = np.zeros(2)
        over = False
        while not over:
            turn = batch.step(np.zeros((1, 2), dtype=int))
            total += turn.rewards[0]
            over = turn.is_over[0]
        assert turn.is_truncated[0]
        totals.append(total.tolist())
    assert totals[0] == totals[1] == [3.0, -3.0]


@pytest.mark.peer
def test_pettingzoos_own_games_are_played():
    pytest.importorskip("pygame")
    from pettingzoo.classic import rps_v2, tictactoe_v3

    batch = from_pettingzoo(lambda: rps_v2.parallel_env(max_cycles=5), episodes=2, seed=1)
    assert batch.num_observations == (4, 4)  # nothing yet, rock, paper, scissors
    assert batch.reset().observations.tolist() == [[3, 3], [3, 3]]
    turn = batch.step(np.array([[0, 1], [2, 1]]))
    assert turn.rewards.tolist() == [[-1, 1], [1, -1]]
    assert turn.observations.tolist() == [[1, 0], [1, 2]]
    board = from_pettingzoo(tictactoe_v3.env, episodes=2, seed=1)
    turn = board.reset()
    assert board.num_features == (18, 18)
    for move in (0, 1, 3, 4, 6):  # three in a column
        turn = board.step(np.full((2, 2), move))
    assert turn.is_terminal.all()
    assert turn.rewards.tolist() == [[1, -1]] * 2


def test_what_cannot_be_read_is_refused():
    with pytest.raises(InvalidArgument, match="what make returns to be of type AECEnv or Parallel"):
        from_pettingzoo(lambda: 3, episodes=1, seed=1)

    class Wide(Mortal):
        def action_space(self, agent):
            return Box(0, 1, (1,))

    with pytest.raises(UnsupportedGame, match="needs Discrete actions"):
        from_pettingzoo(Wide, episodes=1, seed=1)
