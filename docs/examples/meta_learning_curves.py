"""Meta-RL beside inner loops on six of the twelve iterated games: learning curves.

``python docs/examples/meta_learning_curves.py`` prints what the prisoner's dilemma ends with; given
the name of a PICTURE it draws that of ``docs/meta-rl.md``, too. Seeds 0 to 4; lines are means over
seeds of the mean return of the leader's last batch of episodes, bands reach from the worst seed to
the best. What a follower learns before the leader begins counts.
"""

import sys
from io import BytesIO

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from gametheory_core import load_game
from gametheory_core.leaders import leader_view
from learners import train
from learners.leaders import (
    ContextualQOptions,
    InnerLoopQOptions,
    LeaderPPOOptions,
    MetaStackelberg,
)

GAMES = {
    "prisoners_dilemma": -9,
    "hero": 0,
    "chicken": 0,
    "battle": 0,
    "deadlock": -10,
    "stag_hunt": 0,
}
SEEDS, MOST_STEPS = range(5), 200_000
SMALL = LeaderPPOOptions(episodes=20)  # with which inner loops settle soonest
FOLLOWERS = {
    "Meta-RL": (ContextualQOptions(), LeaderPPOOptions(), 51, "tab:blue"),
    "inner loop of 30 episodes": (InnerLoopQOptions(episodes=30), SMALL, 33, "tab:orange"),
    "inner loop of 100 episodes": (InnerLoopQOptions(episodes=100), SMALL, 10, "tab:green"),
}


def curve(view, follower, leader, iterations, seed):
    """Return environment steps and returns of the leader, from when he begins."""
    rng = np.random.default_rng(seed)
    learner = MetaStackelberg(view, follower=follower, leader=leader, rng=rng)
    metrics = train(learner, iterations=iterations).metrics
    own = [m for m in metrics if "entropy/leader" in m]
    return [m["environment steps"] for m in own], [m["return/leader"] for m in own]


def curves(name):
    """Return for each follower the environment steps, and returns by seed."""
    view = leader_view(load_game(f"iterated_{name}:rounds=10"))
    found = {}
    for label, (follower, leader, iterations, _) in FOLLOWERS.items():
        runs = [curve(view, follower, leader, iterations, seed) for seed in SEEDS]
        found[label] = np.array(runs[0][0]), np.array([run[1] for run in runs])
    return found


def draw(ax, name, found):
    """Draw one game."""
    for label, (steps, returns) in found.items():
        color = FOLLOWERS[label][3]
        kept = np.append(steps, MOST_STEPS)  # what Meta-RL ends with, to the edge
        known = np.append(returns, returns[:, -1:], axis=1)
        ax.fill_between(kept, known.min(axis=0), known.max(axis=0), color=color, alpha=0.2)
        ax.plot(kept, known.mean(axis=0), color=color, linewidth=1.2, label=label)
    ax.axhline(GAMES[name], color="black", linestyle=":", linewidth=0.9, label="exact value")
    ax.set_title(name.replace("_", " "), fontsize=8)
    ax.set_xlim(0, MOST_STEPS)
    ax.set_xticks([0, 100_000, 200_000], ["0", "100k", "200k"])
    ax.tick_params(labelsize=6)


def picture(path):
    """Write the picture."""
    figure = Figure(figsize=(8, 4.2), layout="constrained")
    axes = figure.subplots(2, 3, sharex=True)
    for ax, name in zip(axes.flat, GAMES, strict=True):
        draw(ax, name, curves(name))
    for ax in axes[1]:
        ax.set_xlabel("environment steps", fontsize=7)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=7, frameon=False)
    figure.supylabel("the leader's return", fontsize=8)
    drawn = BytesIO()
    figure.savefig(drawn, dpi=90)
    Image.open(drawn).convert("RGB").quantize(48).save(path, optimize=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        picture(sys.argv[1])
    for label, (steps, returns) in curves("prisoners_dilemma").items():
        print(f"{label}, after {steps[-1]:,.0f} steps: {returns[:, -1].round(2).tolist()}")
