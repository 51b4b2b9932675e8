"""Our learners beside Stable-Baselines3's on CartPole: the same updates, and returns as good.

Given the same weights and the same play, both sides come to the same weights. Left to themselves
they earn as much; of that, the full comparison is ``tests/benchmarks/stable_baselines.py``, and
this is its beginning.
"""

from itertools import count
from statistics import fmean

import numpy as np
import pytest
from numpy.testing import assert_allclose

pytest.importorskip("gymnasium")
pytest.importorskip("stable_baselines3")

import gymnasium

from tests.benchmarks.stable_baselines import (
    CONTENDERS,
    ENVIRONMENT,
    STEPS,
    Ends,
    binned,
    our_learner,
    their_learner,
)

pytestmark = pytest.mark.peer

RANDOM = 22.0  # what a policy that plays at random earns an episode
NOISE = 3.0  # factor within which seeds of one learner lie
SHORT = 12  # steps after which an episode is cut
LANES = 8  # environments side by side
LAYERS = ("features", "hidden1", "output")
FLOAT = 1e-5  # what single precision leaves of an equality after some updates


def late_return(ends: Ends, *, steps: int) -> float:
    """Mean return of episodes that ended in the last quarter."""
    return fmean(paid for step, paid in ends if 0.75 * steps < step <= steps)


@pytest.mark.parametrize(
    ("algorithm", "steps", "seeds"),
    [("PPO", 5000, (1,)), ("A2C", 8000, (1, 2)), ("DQN", 4000, (1,))],
)
@pytest.mark.filterwarnings("ignore")  # the peer's own, and those of what it imports
def test_returns_are_those_of_stable_baselines_within_noise(algorithm, steps, seeds):
    """Geometric means over seeds lie within a factor of 3, and above twice what chance earns."""
    logs = {
        name: fmean(
            float(np.log(late_return(play(algorithm, seed=seed, steps=steps), steps=steps)))
            for seed in seeds
        )
        for name, play in CONTENDERS.items()
    }
    assert min(logs.values()) > np.log(2 * RANDOM)
    assert abs(logs["ours"] - logs["Stable-Baselines3"]) < np.log(NOISE)


def test_bins_hold_means_of_the_episodes_that_ended_in_them():
    ends = [(1, 4.0), (2, 8.0), (7, 20.0), (9, 99.0)]
    assert binned(ends, steps=8, bins=4) == [6.0, 6.0, 6.0, 20.0]


class Repeatable(gymnasium.Wrapper):
    """CartPole whose episodes begin alike, whatever the seed, and which lists what it is told."""

    def __init__(self, number, told):
        super().__init__(gymnasium.make(ENVIRONMENT, max_episode_steps=SHORT))
        self._number = number
        self._told = told

    def reset(self, **options):
        return super().reset(**options | {"seed": self._number})

    def step(self, action):
        self._told.append(int(action))
        return super().step(action)


def repeatable(told):
    numbers = count()
    return lambda: Repeatable(next(numbers), told)


def our_networks(learner):
    """Our weights by network and layer, as a snapshot has them."""
    snapshot = learner.snapshot()
    if "seats" in snapshot:
        return {"values": snapshot["seats"][0]["values"]["network"]}
    return snapshot["group"]["actors"][0]["networks"]


def their_networks(learner):
    """Stable-Baselines3's weights, named as ours."""
    policy = learner.policy
    if hasattr(policy, "q_net"):
        stacks = {"values": policy.q_net.q_net}
    else:
        own = policy.mlp_extractor
        stacks = {
            "policy": [*own.policy_net, policy.action_net],
            "value": [*own.value_net, policy.value_net],
        }
    return {
        name: {
            f"{layer}.{kind}": getattr(part, kind).detach().numpy().copy()
            for layer, part in zip(LAYERS, list(stack)[::2], strict=True)
            for kind in ("weight", "bias")
        }
        for name, stack in stacks.items()
    }


def give_weights(learner, networks):
    """Let our learner begin with weights."""
    snapshot = learner.snapshot()
    if "seats" in snapshot:
        values = snapshot["seats"][0]["values"]
        values["network"] = values["copy"] = networks["values"]
    else:
        snapshot["group"]["actors"][0]["networks"] = networks
    learner.restore(snapshot)


def share_chance(patch, ours, theirs):
    """Let Stable-Baselines3 draw minibatches as ours will: from a twin of our generator."""
    snapshot = ours.snapshot()
    twin = np.random.default_rng()
    if "seats" in snapshot:
        twin.bit_generator.state = snapshot["seats"][0]["replay"]["rng"]
        ended = theirs.replay_buffer.dones

        def batch(low, high, size):
            # With one environment the second draw says which. Our last transition is added by the
            # next decision, unless it ended the episode.
            return np.zeros(size, int) if high == 1 else twin.integers(low, known(high), size)

        def known(kept):
            return kept if ended[kept - 1, 0] else kept - 1

        patch.setattr(np.random, "randint", batch)
        return
    twin.bit_generator.state = snapshot["group"]["rng"]

    def order(decisions):  # ours counts decisions step by step, theirs environment by environment
        step, lane = np.divmod(twin.permutation(decisions), LANES)
        return lane * (decisions // LANES) + step

    patch.setattr(np.random, "permutation", order)


WHOLE = ({}, {})
PLAIN = ({"normalizes_advantages": False}, {"normalize_advantage": False})
PARTS = ({"minibatches": 4, **PLAIN[0]}, {"batch_size": 64, **PLAIN[1]})


@pytest.mark.parametrize(
    ("algorithm", "steps", "options", "tolerance"),
    [
        pytest.param("PPO", 768, PLAIN, FLOAT, id="PPO"),
        pytest.param("PPO", 768, PARTS, FLOAT, id="PPO-minibatches"),
        # Theirs scales advantages to a deviation whose square is divided by n - 1, ours by n.
        pytest.param("PPO", 768, WHOLE, 1e-3, id="PPO-normalized"),
        pytest.param("A2C", 2000, WHOLE, FLOAT, id="A2C"),
        pytest.param("DQN", 1280, WHOLE, FLOAT, id="DQN"),
    ],
)
@pytest.mark.filterwarnings("ignore")  # the peer's own, and those of what it imports
def test_the_same_play_leads_to_the_same_weights(algorithm, steps, options, tolerance, monkeypatch):
    """From the same weights, play and minibatches, updates agree to float accuracy.

    Episodes are cut after 12 steps, so that they end in both ways, in rollouts and at their ends.
    """
    told_them, told_us = [], []
    first = {"seed": 1, "steps": STEPS[algorithm]}
    ours = our_learner(algorithm, repeatable(told_us), **first, **options[0])
    theirs = their_learner(algorithm, repeatable(told_them), **first, **options[1])
    begun = their_networks(theirs)
    give_weights(ours, begun)
    del told_us[:]
    with monkeypatch.context() as patch:
        share_chance(patch, ours, theirs)
        theirs.learn(steps)
    lanes = 1 if algorithm == "DQN" else LANES
    acted = iter(np.array(told_them).reshape(-1, lanes))
    for module in ("actors", "dqn"):
        monkeypatch.setattr(f"learners.deep.{module}.draw_actions", lambda *_: next(acted))
    while len(told_us) < steps:
        ours.improve()
    assert told_us == told_them
    found, wanted = our_networks(ours), their_networks(theirs)
    for name, layers in wanted.items():
        for layer, weights in layers.items():
            assert_allclose(found[name][layer], weights, rtol=0, atol=tolerance)
            assert np.abs(weights - begun[name][layer]).max() > 10 * tolerance
