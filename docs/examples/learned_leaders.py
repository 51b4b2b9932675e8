"""How fair JAM-Q-learning gets, by stage, beside exact rounds and leaders without a mediator.

``python docs/examples/learned_leaders.py 10 --draw`` runs seeds 0 to 9, 20,000 episodes each,
prints the tables of ``docs/jam-q-learning.md`` and draws its picture; without arguments, one seed.
"""

import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from gametheory_core.mediation import (
    MINIMUM,
    MediatorStage,
    mediated_chicken,
    mediated_fairness,
    mediated_prisoners_dilemma,
    resource_collection_two_colors,
)
from learners import train
from learners.mediation import JamQLearning, Selection, SelfishLeaders, Updates
from solvers.mediation import fair_optimum, jam_value_iteration

PICTURE = Path(__file__).parents[1] / "images" / "learned-leaders.svg"
MAKERS = {
    "dilemma": mediated_prisoners_dilemma,
    "Chicken": mediated_chicken,
    "two colors": resource_collection_two_colors,
}
ITERATIONS = 200  # of 100 episodes


def by_mediator(game, stage, updates, seed):
    """Return how fair the learned profile is, exactly."""
    learner = JamQLearning(game, stage=stage, updates=updates, rng=np.random.default_rng(seed))
    train(learner, iterations=ITERATIONS)
    return float(mediated_fairness(game, learner.profile(), MINIMUM))


def by_themselves(game, options, seed):
    """Return how fair selfish leaders are on average, exactly."""
    learner = SelfishLeaders(game, rng=np.random.default_rng(seed), **options)
    train(learner, iterations=ITERATIONS)
    return float(learner.play().expected_fairness)


def results(seeds, *, players=2, updates=Updates.SEQUENTIAL):
    """Return, by game and learner, the fairness of each seed."""
    selfish = {
        "fixed": {"order": (0,)},
        "in turn": {"order": tuple(range(players))},
        "vote": {"selection": Selection.VOTES},
    }
    found = {}
    for name, make in MAKERS.items():
        game = make(players=players)
        found[name] = {
            label: [by_themselves(game, options, seed) for seed in seeds]
            for label, options in selfish.items()
        } | {
            stage.name.lower().replace("_", "-"): [
                by_mediator(game, stage, updates, seed) for seed in seeds
            ]
            for stage in MediatorStage
        }
    return found


def exact(name, *, players=2):
    """Return what exact rounds reach, by stage, and the optimum."""
    game = MAKERS[name](players=players)
    values = [jam_value_iteration(game, stage=stage).fairness for stage in MediatorStage]
    return [*map(float, values), float(fair_optimum(game).fairness)]


def draw(found):
    """Draw the mean over seeds of every learner, a panel a game."""
    mpl.rcParams["svg.hashsalt"] = "learned-leaders"  # the same file each time
    mpl.rcParams["svg.fonttype"] = "none"
    figure = Figure(figsize=(9, 3), layout="constrained")
    for panel, (name, learners) in zip(figure.subplots(1, len(found)), found.items(), strict=True):
        means = [np.mean(own) for own in learners.values()]
        panel.bar(range(len(means)), means, color=["#9AA0A6"] * 3 + ["#1A73E8"] * 3)
        for place, own in enumerate(learners.values()):
            panel.plot([place] * len(own), own, ".", color="black", markersize=3)
        panel.axhline(exact(name)[-1], color="black", linestyle="--", linewidth=0.8)
        panel.set_title(f"{name} (dashed: the optimum)", fontsize=9)
        panel.set_xticks(range(len(means)), [*learners], rotation=40, ha="right", fontsize=8)
    figure.supylabel("lowest return", fontsize=9)
    PICTURE.parent.mkdir(exist_ok=True)
    figure.savefig(PICTURE, metadata={"Date": None})


def main():
    seeds = range(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    for players, updates in (
        (2, Updates.SEQUENTIAL),
        (2, Updates.SIMULTANEOUS),
        (4, Updates.SEQUENTIAL),
    ):
        if len(seeds) < 5 and (players, updates) != (2, Updates.SEQUENTIAL):
            continue
        found = results(seeds, players=players, updates=updates)
        print(f"{players} players, {updates.name.lower()} updates, {len(seeds)} seeds")
        for name, learners in found.items():
            means = ", ".join(f"{label} {np.mean(own):.2f}" for label, own in learners.items())
            ends = " ".join(f"{value:g}" for value in exact(name, players=players))
            print(f"  {name}: {means}; exact naive, pre-final, full, optimum: {ends}")
        if "--draw" in sys.argv and (players, updates) == (2, Updates.SEQUENTIAL):
            draw(found)


if __name__ == "__main__":
    main()
