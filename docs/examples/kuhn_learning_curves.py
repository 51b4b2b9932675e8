"""REINFORCE and WoLF-PHC in Kuhn poker: certified exploitability by iterations, four seeds each.

``python docs/examples/kuhn_learning_curves.py PICTURE`` draws the picture of ``docs/training.md``;
the seeds are those of the configs, 0 to 3. Without a picture, a few iterations show that it works.
"""

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import matplotlib as mpl

from learners.experiments import compare, learning_curves, read_config, sweep

CONFIGS = Path(__file__).parent / "configs"

if __name__ == "__main__":
    mpl.use("Agg")
    from learners.figures import draw_learning_curves

    runs = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("kuhn_poker_reinforce", "kuhn_poker_wolf"):
            config = replace(read_config(CONFIGS / f"{name}.toml"), output=folder)
            if len(sys.argv) == 1:
                config = replace(config, training=replace(config.training, iterations=40))
            runs += sweep(config, jobs=1)
    for row in compare(runs, quantity="exploitability").rows():
        print(row["rank"], row["label"], f"{row['mean']:.4f} ({row['low']:.4f}, {row['high']:.4f})")
    axes = draw_learning_curves(
        learning_curves(runs, "assessed/exploitability"),
        measure="exploitability, certified",
        target=0.0,
        target_label="equilibrium",
        title="Kuhn poker",
    )
    if len(sys.argv) > 1:
        axes.figure.savefig(sys.argv[1], dpi=100)
