"""Average regret in self-play, certified, and on a sequence whose best action changes.

``python docs/examples/regret_of_minimizers.py PICTURE`` draws the picture of
``docs/regret-minimizers.md``. Self-play is without chance; the sequence is of seed 7, EXP3's draws
of seed 1.
"""

import sys

import numpy as np
from matplotlib.figure import Figure

from gametheory_core import load_game
from learners import RegretLearner
from learners.regret import BlumMansour, Feedback, LocalMinimizer, StronglyAdaptive, exp3_for
from solvers.local_rules import Hedge, RegretMatching, RegretMatchingPlus

STEPS, PARTS, PHASES = 1600, 8, 4
LINES = {
    "regret matching": RegretMatching(),
    "regret matching+": RegretMatchingPlus(),
    "Hedge, rate 1 / sqrt(t)": Hedge(rate=1.0),
    "Blum-Mansour": BlumMansour(),
    "EXP3, own payoffs only": exp3_for(STEPS, 3, low=0, high=4),
}
ADAPTIVE = {
    "regret matching": LocalMinimizer(RegretMatching()),
    "regret matching+": LocalMinimizer(RegretMatchingPlus()),
    "strongly adaptive": StronglyAdaptive(levels=11),
}


def certified_regrets(name):
    """Return epsilon of empirical play after each part of the run."""
    game = load_game("shapley_lemke_howson")
    drawn = name.startswith("EXP3")
    learner = RegretLearner(
        game,
        minimizer=[LINES[name], LINES["regret matching"]] if not drawn else LINES[name],
        rng=np.random.default_rng(1),
        steps=STEPS // PARTS,
        feedback=Feedback.DRAWN if drawn else Feedback.EXPECTED,
    )
    found = []
    for _ in range(PARTS):
        learner.improve()
        found.append(float(learner.coarse_correlated().epsilon))
    return found


def regret_to_the_phase(minimizer):
    """Return the regret to the best action of each phase, added up over time."""
    rng = np.random.default_rng(7)
    best = np.arange(STEPS) * PHASES // STEPS % 2
    rows = 0.5 * rng.random((STEPS, 2)) + 0.5 * np.eye(2)[best]
    state, total, found = minimizer.start(1, 2), 0.0, []
    for row, action in zip(rows, best, strict=True):
        total += row[action] - minimizer.strategies(state)[0] @ row
        found.append(total)
        state = minimizer.observe(state, row[None])
    return found


def draw(regrets, changing, target):
    """Draw both pictures side by side."""
    figure = Figure(figsize=(9.5, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    steps = np.arange(1, PARTS + 1) * STEPS // PARTS
    for name, values in regrets.items():
        left.plot(steps, np.maximum(values, 1e-5), label=name)
    left.set(
        yscale="log", ylim=(3e-4, 20), xlabel="steps", ylabel="largest average regret, certified"
    )
    for name, values in changing.items():
        right.plot(np.arange(1, STEPS + 1), values, label=name)
    right.set(xlabel="steps", ylabel="regret to the phase's best action")
    for axes in (left, right):
        axes.legend(frameon=False, fontsize=8, loc="upper left")
    figure.savefig(target, dpi=80)


if __name__ == "__main__":
    regrets = {name: certified_regrets(name) for name in LINES}
    changing = {name: regret_to_the_phase(own) for name, own in ADAPTIVE.items()}
    for name, values in regrets.items():
        print(f"{name}: epsilon {values[0]:.4f}, later {values[-1]:.4f}")
    for name, values in changing.items():
        print(f"{name}: regret to the phase's best action {values[-1]:.1f}")
    if len(sys.argv) > 1:
        draw(regrets, changing, sys.argv[1])
