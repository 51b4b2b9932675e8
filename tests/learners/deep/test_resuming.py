"""A run that was stopped goes on bit for bit, here and in a process of its own."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gametheory_core.catalog import kuhn_poker
from learners import Diverged, Linear, batched, load_snapshot, save_snapshot, train
from learners.deep import PPO, ActorCritic, NetworkShape, Recurrence, Reinforce, Sharing
from tests.learners.continuing import assert_continues
from tests.learners.deep.own_turn_games import Alternating, bandit

ROOT = Path(__file__).parents[3]
SHAPES = {
    kind.name: NetworkShape(hidden=(6,), recurrence=kind, memory_size=5) for kind in Recurrence
}
DECAY = Linear(0.02, 0.001, steps=5)


def make(name, environment=None):
    """Return a learner by name, fresh."""
    algorithm, memory, sharing = name.split(" ")
    environment = environment or batched(kuhn_poker(), episodes=6, seed=3)
    options = {
        "network": SHAPES[memory],
        "sharing": Sharing[sharing],
        "step_size": DECAY,
        "rng": np.random.default_rng(4),
    }
    if algorithm == "PPO":
        return PPO(environment, steps=7, max_divergence=0.05, value_clip=0.5, **options)
    if algorithm == "AC":
        return ActorCritic(environment, steps=5, lag=2, **options)
    return Reinforce(environment, **options)


NAMES = [
    f"{algorithm} {memory} {sharing}"
    for algorithm in ("PPO", "REINFORCE")
    for memory in SHAPES
    for sharing in ("SEPARATE", "SHARED")
]
NAMES += ["AC NONE SEPARATE", "AC GRU SHARED"]


def are_equal(one, two):
    """Compare nested plain data, floats bit for bit."""
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(are_equal(one[k], two[k]) for k in one)
    if isinstance(one, list | tuple):
        return len(one) == len(two) and all(map(are_equal, one, two))
    if isinstance(one, np.ndarray):
        return one.dtype == two.dtype and one.shape == two.shape and one.tobytes() == two.tobytes()
    return type(one) is type(two) and one == two


@pytest.mark.parametrize("name", NAMES)
def test_a_stopped_run_goes_on_bit_for_bit(name, tmp_path):
    assert_continues(lambda: make(name), tmp_path, before=3, after=4)


@pytest.mark.parametrize("name", ["PPO LSTM SEPARATE"])
def test_another_process_goes_on_from_a_file(name, tmp_path):
    learner = make(name, Alternating())
    for _ in range(2):
        learner.improve()
    save_snapshot(tmp_path / "half.npz", learner.snapshot())
    code = (
        "import sys, torch\n"
        "torch.set_num_threads(1)\n"
        "from pathlib import Path\n"
        "from learners.snapshots import load_snapshot, save_snapshot\n"
        "from tests.learners.deep.own_turn_games import Alternating\n"
        "from tests.learners.deep.test_resuming import make\n"
        "learner = make(sys.argv[1], Alternating())\n"
        "learner.restore(load_snapshot(Path(sys.argv[2])))\n"
        "for _ in range(3):\n"
        "    learner.improve()\n"
        "save_snapshot(Path(sys.argv[3]), learner.snapshot())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, name, str(tmp_path / "half.npz"), str(tmp_path / "end.npz")],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    for _ in range(3):
        learner.improve()
    assert are_equal(load_snapshot(tmp_path / "end.npz"), learner.snapshot())


@pytest.mark.parametrize("poison", [float("inf"), float("nan")])
@pytest.mark.parametrize("algorithm", ["PPO", "REINFORCE", "AC"])
def test_a_broken_reward_stops_the_run_and_is_named(algorithm, poison):
    environment = Alternating(num_episodes=6, poison=poison, poison_after=20)
    learner = make(f"{algorithm} NONE SEPARATE", environment)
    with pytest.raises(Diverged, match="reward/first") as caught:
        train(learner, iterations=50, keep_every=2)
    assert caught.value.quantity == "reward/first"
    assert caught.value.best.iterations >= 2
    assert are_equal(learner.snapshot(), caught.value.best.snapshot)


@pytest.mark.parametrize("kind", [PPO, ActorCritic, Reinforce])
def test_huge_steps_stop_the_run_at_the_last_good_snapshot(kind):
    learner = kind(
        Alternating(num_episodes=6, is_strict=True),
        network=SHAPES["NONE"],
        step_size=1e30,
        rng=np.random.default_rng(4),
    )
    start = learner.snapshot()
    with pytest.raises(Diverged, match="make its steps smaller") as caught:
        train(learner, iterations=50)
    assert caught.value.quantity in {
        f"{name}/first"
        for name in ("loss/policy", "loss/value", "gradient norm", "parameters/policy")
    }
    assert are_equal(learner.snapshot(), start)


@pytest.mark.parametrize("memory", ["NONE", "GRU"])
def test_a_broken_network_plays_what_is_legal_and_is_named(memory):
    """In one context of the bandit the first action is barred."""
    learner = PPO(
        batched(bandit(), episodes=16, seed=1),
        network=SHAPES[memory],
        steps=2,
        rng=np.random.default_rng(4),
    )
    policy = learner.group.actors[0].policy
    policy.restore(policy.snapshot() | {"output.bias": np.full(3, np.nan)})
    metrics = learner.improve()
    assert list(metrics) == ["loss/policy"]
    assert math.isnan(metrics["loss/policy"])
