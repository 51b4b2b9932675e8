"""Our learners beside Stable-Baselines3's on CartPole-v1: what the recorded runs show.

``python docs/examples/cartpole_curves.py PICTURE`` draws the picture of ``docs/deep-values.md``;
without one it only prints the table. The runs were made, seed by seed, by
``tests/benchmarks/stable_baselines.py``.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import numpy as np

DATA = Path(__file__).parent / "data" / "cartpole.jsonl"


@dataclass(frozen=True)
class Runs:
    """All runs of one learner; satisfies what is asked of a curve."""

    label: str
    steps: int
    returns: np.ndarray  # seeds x parts of the run

    @property
    def seeds(self):
        return len(self.returns)

    @property
    def iterations(self):
        parts = self.returns.shape[1]
        return [self.steps * (k + 1) // parts for k in range(parts)]

    @property
    def mean(self):
        return self.returns.mean(axis=0).tolist()

    @property
    def low(self):
        return (self.returns.mean(axis=0) - 2 * self._error()).tolist()

    @property
    def high(self):
        return (self.returns.mean(axis=0) + 2 * self._error()).tolist()

    def _error(self):
        return self.returns.std(axis=0, ddof=1) / np.sqrt(self.seeds)

    @property
    def late(self):
        """Mean over the last quarter, for each seed."""
        return self.returns[:, -(self.returns.shape[1] // 4) :].mean(axis=1)


def runs_of(lines, algorithm, by):
    own = [line for line in lines if (line["algorithm"], line["by"]) == (algorithm, by)]
    return Runs(by, own[0]["steps"], np.array([line["returns"] for line in own]))


if __name__ == "__main__":
    lines = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    pairs = {
        name: [runs_of(lines, name, by) for by in ("ours", "Stable-Baselines3")]
        for name in ("PPO", "A2C", "DQN")
    }
    print("| | steps | seeds | ours | Stable-Baselines3 | difference in standard errors |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, (ours, theirs) in pairs.items():
        means = [runs.late.mean() for runs in (ours, theirs)]
        errors = [runs.late.std(ddof=1) / np.sqrt(runs.seeds) for runs in (ours, theirs)]
        gap = (means[0] - means[1]) / np.hypot(*errors)
        shown = [f"{mean:.0f} ± {error:.0f}" for mean, error in zip(means, errors, strict=True)]
        print(f"| {name} | {ours.steps:,} | {ours.seeds} | {shown[0]} | {shown[1]} | {gap:+.1f} |")
    if len(sys.argv) > 1:
        mpl.use("Agg")
        import matplotlib.pyplot as plt

        from learners.figures import draw_learning_curves

        figure, axes = plt.subplots(1, 3, figsize=(10, 3.2), layout="constrained")
        for ax, (name, pair) in zip(axes, pairs.items(), strict=True):
            draw_learning_curves(pair, measure="return of an episode", title=name, ax=ax)
            ax.set_xlabel("environment steps")
        figure.savefig(sys.argv[1], dpi=60)
