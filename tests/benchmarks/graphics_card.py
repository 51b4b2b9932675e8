"""Learners with networks on a graphics card beside the processor; no rows where there is no card.

A number is the time of a step of one episode, playing and learning together, by the clock: a
process that waits for a card uses no time of its own. The processor has all threads that torch
takes. Play itself is compiled code on the processor for both.
"""

import time
from collections.abc import Callable
from functools import partial

import numpy as np
import torch

from gametheory_core.catalog import RepeatedGame
from learners import batched
from learners.deep import PPO, Device, NetworkShape, Recurrence
from learners.deep.sequence_classifiers import RecurrentShape, SequenceClassifier
from tests.benchmarks.measure import Row

WIDTHS = (64, 512, 2048)
EPISODES, ROUNDS = 256, 32
MATCHES, WINDOW = 256, 64


def rows(*, widths: tuple[int, ...] = WIDTHS, rounds: int = 3) -> list[Row]:
    """Measure a policy with a memory and a forecaster of throws, narrow and wide."""
    if not torch.cuda.is_available():
        return []
    found: list[Row] = []
    for width in widths:
        for task, make, steps in (
            (f"PPO, LSTM of {width}", partial(_player, width), EPISODES * ROUNDS),
            (
                f"forecasts of throws, LSTM of {width}",
                partial(_forecaster, width),
                MATCHES * WINDOW,
            ),
        ):
            card, processor = (_seconds(make(on), rounds) for on in (Device.CUDA, Device.CPU))
            found.append(Row(task, card / steps, "the processor", processor / steps))
    return found


def remarks() -> str:
    """Return what the rows were measured on."""
    if not torch.cuda.is_available():
        return "torch sees no graphics card: nothing was measured."
    return f"{torch.cuda.get_device_name()}; the processor with {torch.get_num_threads()} threads."


def _player(width: int, device: Device) -> Callable[[], object]:
    learner = PPO(
        batched(RepeatedGame.of("rock_paper_scissors", rounds=ROUNDS), episodes=EPISODES, seed=1),
        network=NetworkShape((width,), recurrence=Recurrence.LSTM, memory_size=width),
        learns=[0],
        steps=ROUNDS,
        epochs=2,
        minibatches=2,
        device=device,
        rng=np.random.default_rng(1),
    )
    return learner.improve


def _forecaster(width: int, device: Device) -> Callable[[], object]:
    rng = np.random.default_rng(1)
    network = SequenceClassifier(
        inputs=6, classes=3, shape=RecurrentShape((width,), ()), device=device, rng=rng
    )
    seen = rng.integers(2, size=(WINDOW, MATCHES, 6)).astype(np.int8)
    return partial(network.learn, seen, rng.integers(3, size=(WINDOW, MATCHES)))


def _seconds(function: Callable[[], object], rounds: int) -> float:
    """Return the least time of a call by the clock, after one to warm up."""
    function()
    best = float("inf")
    for _ in range(rounds):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        function()
        torch.cuda.synchronize()
        best = min(best, time.perf_counter() - begin)
    return best
