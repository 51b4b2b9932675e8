"""Learners on a graphics card: the numbers of the processor, to single precision."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from gametheory_core import NormalFormGame
from gametheory_core.catalog import RepeatedGame
from gametheory_core.conversions import normal_to_posg
from gametheory_core.evaluation import policy_nash_conv
from learners import batched
from learners.deep import (
    DQN,
    PPO,
    ActorCritic,
    Device,
    NetworkShape,
    Recurrence,
    RegularizedNashDynamics,
    Reinforce,
)
from learners.roshambo.prediction import PredictorOptions, ThrowPredictor

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="torch sees no graphics card")

UPDATES = 3
FLOAT = 2e-3  # what a few updates leave of an equality in single precision
LSTM = NetworkShape((16,), recurrence=Recurrence.LSTM, memory_size=8)
DILEMMA = RepeatedGame.of("prisoners_dilemma", rounds=4)
PENNIES = normal_to_posg(NormalFormGame.zero_sum([[3, -1], [-1, 1]])).target


def _dilemma() -> Any:
    return batched(DILEMMA, episodes=32, seed=1)


MADE: dict[str, Callable[[Device], Any]] = {
    "PPO": lambda device: PPO(_dilemma(), steps=8, device=device, rng=np.random.default_rng(1)),
    "PPO with memory": lambda device: PPO(
        _dilemma(), network=LSTM, steps=8, device=device, rng=np.random.default_rng(1)
    ),
    "A2C": lambda device: ActorCritic(
        _dilemma(), steps=8, lag=2, device=device, rng=np.random.default_rng(1)
    ),
    "REINFORCE": lambda device: Reinforce(_dilemma(), device=device, rng=np.random.default_rng(1)),
    "DQN": lambda device: DQN(_dilemma(), warm_up=32, device=device, rng=np.random.default_rng(1)),
    "R-NaD": lambda device: RegularizedNashDynamics(
        batched(PENNIES, episodes=64, seed=1),
        network=NetworkShape(()),
        steps=1,
        device=device,
        rng=np.random.default_rng(1),
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_updates_are_those_of_the_processor(name):
    here, there = MADE[name](Device.CPU), MADE[name](Device.CUDA)
    for _ in range(UPDATES):
        expected, found = here.improve(), there.improve()
        assert found.keys() == expected.keys()
        for metric, value in expected.items():
            assert found[metric] == pytest.approx(value, abs=FLOAT, rel=FLOAT), metric


@pytest.mark.parametrize("name", MADE)
def test_what_was_learned_there_goes_on_here(name):
    there, here = MADE[name](Device.CUDA), MADE[name](Device.CPU)
    there.improve()
    here.restore(there.snapshot())
    expected, found = there.improve(), here.improve()
    for metric, value in expected.items():
        assert found[metric] == pytest.approx(value, abs=FLOAT, rel=FLOAT), metric


@pytest.mark.parametrize("name", MADE)
def test_policies_leave_it_as_ordinary_policies(name):
    learner = MADE[name](Device.AUTO)
    learner.improve()
    expected = MADE[name](Device.CPU)
    expected.restore(learner.snapshot())
    game = PENNIES if name == "R-NaD" else DILEMMA
    found, wanted = (float(policy_nash_conv(game, own.policies())) for own in (learner, expected))
    assert found == pytest.approx(wanted, abs=FLOAT)


def test_throws_are_forecast_alike():
    options = PredictorOptions(memories=(8,), layers=(8,))
    rng = np.random.default_rng(2)
    own, other = rng.integers(3, size=(2, 5, 20)).astype(np.int8)
    found = ThrowPredictor(options, device=Device.CUDA).forecasts(own, other)
    expected = ThrowPredictor(options).forecasts(own, other)
    np.testing.assert_allclose(found, expected, atol=FLOAT)
