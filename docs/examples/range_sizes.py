"""Play over ranges of hands: time and memory of a step against the nodes of the tree.

``python docs/examples/range_sizes.py measure [NAME ...]`` plays steps of CFR+ in the games named,
or else all, each in a process of its own, and writes a line for each into the CSV file below: three
minutes of CPU time and 2 GB of memory for all. ``... draw PICTURE`` draws the picture of
``docs/ranges.md`` from the file; without an argument the file is printed. CPU seconds of a step of
both players on one thread; memory is the peak of the process beyond what it had before (Linux).
"""

import csv
import sys
import time
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from matplotlib.figure import Figure

from gametheory_core.catalog import kuhn_poker_ranges, leduc_poker_ranges, liars_dice_ranges
from solvers.counterfactual import range_counterfactual_regret

DATA = Path(__file__).parent / "data" / "range-sizes.csv"
FIELDS = ("game", "nodes", "sequences", "seconds", "megabytes")
STEPS = 20
GAMES = {
    **{f"liar's dice, 1 x {n}": partial(liars_dice_ranges, sides=n) for n in range(4, 11)},
    **{
        f"Leduc poker, {n} ranks": partial(leduc_poker_ranges, ranks=n)
        for n in (3, 6, 13, 30, 60, 120, 250)
    },
    **{
        f"Kuhn poker, {n} cards": partial(kuhn_poker_ranges, cards=n)
        for n in (10, 100, 1_000, 10_000)
    },
}


def memory_of(field):
    """Return what the process has (VmRSS), or the most it had (VmHWM), in megabytes; Linux."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.split(f"{field}:")[1].split()[0]) / 1024


def measured(name):
    """Play a game, and return its line."""
    range_counterfactual_regret(kuhn_poker_ranges(), steps=2)  # loads what is compiled
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # forgets the peak
    memory = memory_of("VmRSS")
    game = GAMES[name]()
    state = range_counterfactual_regret(game, steps=1).state
    before = time.process_time()
    range_counterfactual_regret(game, steps=1, start=state)
    one = time.process_time() - before  # with layout, certificate and all
    before = time.process_time()
    range_counterfactual_regret(game, steps=1 + STEPS, start=state)
    seconds = (time.process_time() - before - one) / STEPS
    return {
        "game": name,
        "nodes": game.num_nodes,
        "sequences": sum(game.num_sequences),
        "seconds": f"{max(seconds, 0):.3g}",
        "megabytes": round(memory_of("VmHWM") - memory),
    }


def lines():
    """Return the lines of the file."""
    with DATA.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def written(line):
    """Put a line into the file, in the place of an older one of the same game."""
    kept = [own for own in lines() if own["game"] != line["game"]] if DATA.exists() else []
    order = list(GAMES)
    with DATA.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, FIELDS, lineterminator="\n")
        table.writeheader()
        table.writerows(sorted([*kept, line], key=lambda own: order.index(own["game"])))


def draw(target):
    """Draw time and memory against nodes, a color for each family."""
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    both = figure.subplots(1, 2)
    families = dict.fromkeys(own["game"].split(",")[0] for own in lines())
    for axes, field, words in zip(
        both, ("seconds", "megabytes"), ("CPU seconds a step", "megabytes at the peak"), strict=True
    ):
        for family, marker in zip(families, "osD", strict=True):
            own = [line for line in lines() if line["game"].split(",")[0] == family]
            own = [line for line in own if float(line[field]) > 0]
            sizes = [int(line["nodes"]) for line in own]
            axes.plot(sizes, [float(line[field]) for line in own], marker, label=family)
        axes.set(xscale="log", yscale="log", xlabel="nodes of the tree", ylabel=words)
    both[0].legend(frameon=False)
    figure.savefig(target, dpi=100)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["measure", *names]:
            with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
                for line in pool.imap(measured, names or GAMES):
                    written(line)
                    print(line, flush=True)
        case ["draw", target]:
            draw(target)
        case _:
            for line in lines():
                print(f"{line['seconds']:>9} s, {line['nodes']:>13} nodes: {line['game']}")
