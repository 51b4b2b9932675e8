"""Who leads a trade in Space Invaders: what the recorded runs show, beside the exact game.

``python docs/examples/bilateral_trade_curves.py PICTURE`` draws the picture of
``docs/bilateral-trade.md``; without one it only prints the table. The runs are those of
``docs/examples/configs/space_invaders_trade.toml``, either player leading;
``python docs/examples/bilateral_trade_curves.py --record RUNS`` writes the data from their files.
"""

import csv
import json
import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

DATA = Path(__file__).parent / "data" / "bilateral-trade"
CURVES, ENDS = DATA / "space-invaders-curves.csv", DATA / "space-invaders.csv"
SHOWN = ("return/seller", "return/buyer", "trade rate", "price")
EXACT = {"seller": (3.75, 0.75, 1, 0.75), "buyer": (1.25, 3.25, 1, 0.25)}  # of 5 bullets


def record(runs):
    curves, ends = [], []
    for path in sorted(Path(runs).glob("bilateral_trade/*/seed-*.jsonl")):
        leader, seed = path.parent.name.split("-")[0], int(path.stem.split("-")[1])
        for line in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            if line["kind"] == "iteration":
                found = line["metrics"]
                shown = [round(found.get(name, float("nan")), 6) for name in SHOWN]
                curves.append([leader, seed, line["iteration"], int(found["phase"]), *shown])
            elif line["kind"] == "appraisal":
                for own in line["findings"]:
                    if own["standing"] == "sampled":
                        numbers = [round(own[key], 6) for key in ("value", "standard_error")]
                        ends.append([leader, seed, own["name"], *numbers])
    heads = (["leader", "seed", "iteration", "phase", *SHOWN],
             ["leader", "seed", "finding", "value", "standard error"])  # fmt: skip
    for path, head, rows in ((CURVES, heads[0], curves), (ENDS, heads[1], ends)):
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([head, *rows])


def rows_of(path):
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def table():
    ends = rows_of(ENDS)
    for leader, exact in EXACT.items():
        own = [row for row in ends if row["leader"] == leader]
        seeds = sorted({int(row["seed"]) for row in own})
        print(f"{leader} leads, seeds {seeds}")
        for name, value in zip((*SHOWN, "hit rate/buyer"), (*exact, 0.9), strict=True):
            found = [float(row["value"]) for row in own if row["finding"] == name]
            print(f"  {name}: {np.mean(found):.2f} ({min(found):.2f} to {max(found):.2f}), "
                  f"exact game {value:.2f}")  # fmt: skip


def draw(picture):
    figure = Figure(figsize=(13, 3), layout="constrained")
    axes = figure.subplots(1, len(SHOWN))
    rows = rows_of(CURVES)
    for axis, name, place in zip(axes, SHOWN, range(len(SHOWN)), strict=True):
        for leader, color in (("seller", "tab:blue"), ("buyer", "tab:orange")):
            own = [row for row in rows if row["leader"] == leader]
            iterations = sorted({int(row["iteration"]) for row in own})
            values = [[float(r[name]) for r in own if int(r["iteration"]) == k] for k in iterations]
            means = [np.nanmean(each) if np.isfinite(each).any() else np.nan for each in values]
            axis.plot(iterations, means, color=color, label=f"{leader} leads")
            axis.axhline(EXACT[leader][place], color=color, linestyle=":")
        axis.axvline(40.5, color="gray", linewidth=0.5)  # phase 2 begins
        axis.set_title(name)
        axis.set_xlabel("iterations of 10 episodes")
    axes[0].legend()
    figure.savefig(picture, dpi=80)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--record"]:
        record(sys.argv[2])
    table()
    if len(sys.argv) == 2:
        draw(sys.argv[1])
