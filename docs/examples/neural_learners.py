"""Learning curves of networks, judged by the core: a task that needs memory, and self-play.

``python docs/examples/neural_learners.py`` prints the beginning of each curve;
``python docs/examples/neural_learners.py PICTURE`` runs the whole, a minute, and draws it.
Seeds: 1, 2 and 3 for environment and learner.
"""

import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import torch
from matplotlib.figure import Figure
from PIL import Image

from gametheory_core import expected_returns
from gametheory_core.catalog import RepeatedGame, kuhn_poker
from gametheory_core.conversions import posg_from_tables
from gametheory_core.evaluation import best_response_returns, policy_nash_conv
from learners import Linear, batched
from learners.deep import PPO, NetworkShape, Recurrence

SEEDS = (1, 2, 3)
SIDES = ("left", "right")


def recall_game() -> Any:
    """See a side, wait a step, then name the side: a unit if right."""
    return posg_from_tables(
        players=["guesser"],
        actions=[SIDES],
        initial=dict.fromkeys(SIDES, "1/2"),
        initial_observations={side: {(side,): 1} for side in SIDES},
        observations={
            ((said,), (side, "asked")): {("asked",): 1} for side in SIDES for said in SIDES
        },
        transitions={(side, (said,)): {(side, "asked"): 1} for side in SIDES for said in SIDES}
        | {((side, "asked"), (said,)): {"end": 1} for side in SIDES for said in SIDES},
        rewards={((side, "asked"), (side,), "end"): (1,) for side in SIDES},
        terminal=["end"],
    )


def curve(
    learner: PPO, judge: Callable[[Any], Fraction], *, iterations: int, every: int
) -> list[tuple[int, float]]:
    """Return what the core says after every so many iterations."""
    points = [(0, float(judge(learner.policies())))]
    for k in range(1, iterations + 1):
        learner.improve()
        if k % every == 0 or k == iterations:
            points.append((k, float(judge(learner.policies()))))
    return points


def memory_curves(iterations: int, seeds: tuple[int, ...]) -> dict[str, list[Any]]:
    """Return exact returns on the recall game, with each kind of memory."""
    game = recall_game()
    names = {Recurrence.NONE: "no memory", Recurrence.GRU: "GRU", Recurrence.LSTM: "LSTM"}
    return {
        name: [
            curve(
                PPO(
                    batched(game, episodes=32, seed=seed),
                    network=NetworkShape((16,), recurrence=kind, memory_size=16),
                    steps=8,
                    step_size=0.01,
                    minibatches=1,
                    rng=np.random.default_rng(seed),
                ),
                lambda policies: expected_returns(game, policies)[0],
                iterations=iterations,
                every=2,
            )
            for seed in seeds
        ]
        for kind, name in names.items()
    }


def self_play_curves(
    game: Any, *, steps: int, iterations: int, seeds: tuple[int, ...]
) -> dict[str, list[Any]]:
    """Return exact NashConv of the last policies, with and without a weight on entropy."""
    found: dict[str, list[Any]] = {}
    for weight in (0.0, 0.2):
        found[f"entropy weight {weight}"] = runs = []
        for seed in seeds:
            environment = batched(game, episodes=512, seed=seed)
            learner = PPO(
                environment,
                network=NetworkShape((32,)),
                steps=steps,
                step_size=Linear(0.01, 0.0, steps=max(iterations, 1)),
                trace=1.0,
                entropy_weight=weight,
                normalizes_advantages=weight == 0.0,
                minibatches=1,
                rng=np.random.default_rng(seed),
            )
            runs.append(
                curve(
                    learner,
                    lambda policies, rules=environment.rules: policy_nash_conv(rules, policies),
                    iterations=iterations,
                    every=5,
                )
            )
    return found


def draw(path: str, panels: list[tuple[str, str, dict[str, list[Any]]]]) -> None:
    """Draw the median over seeds, and the range, one panel for each task."""
    figure = Figure(figsize=(10, 3), layout="constrained")
    axes = figure.subplots(1, len(panels))
    for axis, (title, unit, curves) in zip(axes, panels, strict=True):
        for name, runs in curves.items():
            steps = [k for k, _ in runs[0]]
            values = np.array([[value for _, value in run] for run in runs])
            (line,) = axis.plot(steps, np.median(values, axis=0), label=name)
            axis.fill_between(
                steps, values.min(axis=0), values.max(axis=0), alpha=0.2, color=line.get_color()
            )
        axis.set_title(title, fontsize=10)
        axis.set_xlabel("iterations")
        axis.set_ylabel(unit)
        axis.set_ylim(bottom=0)
        axis.legend(fontsize=8)
    figure.savefig(path, dpi=90)
    with Image.open(path) as picture:
        few = picture.convert("RGB").quantize(colors=48)
    few.save(path, optimize=True)


def main() -> None:
    torch.set_num_threads(1)
    whole = len(sys.argv) > 1
    seeds = SEEDS if whole else SEEDS[:1]
    length = 100 if whole else 2
    scissors = RepeatedGame.of("rock_paper_scissors")
    panels = [
        ("Recall a side", "exact return", memory_curves(length * 2 // 5, seeds)),
        (
            "Kuhn poker, self-play",
            "NashConv",
            self_play_curves(kuhn_poker(), steps=8, iterations=length, seeds=seeds),
        ),
        (
            "Rock, paper, scissors, self-play",
            "NashConv",
            self_play_curves(scissors, steps=2, iterations=length, seeds=seeds),
        ),
    ]
    print(f"the most on the recall game: {best_response_of_recall()}")
    for title, unit, curves in panels:
        for name, runs in curves.items():
            last = sorted(run[-1][1] for run in runs)
            print(f"{title}, {name}: {unit} after the last iteration", *(f"{x:.3f}" for x in last))
    if whole:
        draw(sys.argv[1], panels)


def best_response_of_recall() -> Fraction:
    """Return the exact optimum with memory."""
    game = recall_game()
    idle = PPO(batched(game, episodes=1, seed=1), rng=np.random.default_rng(1)).policies()
    return best_response_returns(game, idle)[0]


if __name__ == "__main__":
    main()
