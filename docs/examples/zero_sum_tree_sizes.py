"""Exact, certified solutions of zero-sum trees: time against sequences, up to a million.

``python docs/examples/zero_sum_tree_sizes.py measure [NAME ...]`` solves the trees named, or else
all, each in a process of its own, and writes a line for each into the CSV file below; about ten
minutes of CPU time and 10 GB of memory for all. ``... draw PICTURE`` draws the picture of
``docs/sequence-form.md`` from the file; without an argument the file is printed. CPU seconds on one
thread, from the laid-out tree to the certified answer; memory is the peak of the process beyond
what it had with the tree (Linux).
"""

import csv
import sys
import time
from multiprocessing import get_context
from pathlib import Path

from matplotlib.figure import Figure

from gametheory_core.catalog import (
    Bids,
    GoofspielRules,
    KuhnRules,
    LeducRules,
    LiarsDiceRules,
    OshiZumoRules,
    Payment,
    Prizes,
)
from gametheory_core.games import lay_out_rules
from gametheory_core.strategies import sequence_form
from solvers import counterfactual_regret, sequence_form_lp

DATA = Path(__file__).parent / "data" / "zero-sum-tree-sizes.csv"
FIELDS = ("game", "nodes", "sequences", "value", "epsilon", "seconds", "megabytes")
TREES = {
    "Kuhn poker, 100 cards": KuhnRules(cards=100),
    "Leduc poker": LeducRules(),
    "Leduc poker, 6 ranks": LeducRules(ranks=6),
    "Leduc poker, 10 ranks": LeducRules(ranks=10),
    "goofspiel, 5 cards": GoofspielRules(cards=5),
    "goofspiel, 4 cards, all prize orders": GoofspielRules(cards=4, prizes=Prizes.RANDOM),
    "goofspiel, 6 cards": GoofspielRules(cards=6),
    "goofspiel, 5 cards, all prize orders": GoofspielRules(cards=5, prizes=Prizes.RANDOM),
    "goofspiel, 4 cards, open bids": GoofspielRules(4, Prizes.RANDOM, Bids.OPEN),
    "goofspiel, 5 cards, open bids": GoofspielRules(5, Prizes.RANDOM, Bids.OPEN),
    "goofspiel, 5 cards, open bids, paid by points": GoofspielRules(
        5, Prizes.RANDOM, Bids.OPEN, Payment.POINT_DIFFERENCE
    ),
    "oshi-zumo, 8 coins": OshiZumoRules(coins=8),
    "oshi-zumo, 10 coins": OshiZumoRules(coins=10),
    "oshi-zumo, 11 coins": OshiZumoRules(coins=11),
    "liar's dice, 1 x 5": LiarsDiceRules(sides=5),
    "liar's dice, 1 x 6": LiarsDiceRules(sides=6),
    "liar's dice, 2 x 3": LiarsDiceRules(sides=3, dice=2),
    "liar's dice, 1 x 7": LiarsDiceRules(sides=7),
    "liar's dice, 1 x 8": LiarsDiceRules(sides=8),
}


def memory_of(field):
    """Return what the process has (VmRSS), or the most it had (VmHWM), in megabytes; Linux."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.split(f"{field}:")[1].split()[0]) / 1024


def measured(name):
    """Solve a tree, and return its line."""
    for solve in (counterfactual_regret, sequence_form_lp):  # loads what is compiled
        solve(lay_out_rules(LeducRules()))
    tree = lay_out_rules(TREES[name])
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # forgets the peak
    memory, before = memory_of("VmRSS"), time.process_time()
    certificate = sequence_form_lp(tree).certificate
    seconds = time.process_time() - before
    return {
        "game": name,
        "nodes": tree.num_nodes,
        "sequences": max(own.num_sequences for own in sequence_form(tree).players),
        "value": str(certificate.game_value),
        "epsilon": str(certificate.epsilon),
        "seconds": f"{seconds:.3g}",
        "megabytes": round(memory_of("VmHWM") - memory),
    }


def written(line):
    """Put a line into the file, in the place of an older one of the same tree."""
    kept = [own for own in lines() if own["game"] != line["game"]] if DATA.exists() else []
    with DATA.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, FIELDS, lineterminator="\n")
        table.writeheader()
        table.writerows(sorted([*kept, line], key=lambda own: int(own["sequences"])))


def lines():
    """Return the lines of the file."""
    with DATA.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def draw(target):
    """Draw time against sequences, a color for each family."""
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    families = dict.fromkeys(own["game"].split(",")[0] for own in lines())
    for family, marker in zip(families, "osD^v", strict=False):
        own = [line for line in lines() if line["game"].split(",")[0] == family]
        sizes = [int(line["sequences"]) for line in own]
        axes.plot(sizes, [float(line["seconds"]) for line in own], marker, label=family)
    axes.set(xscale="log", yscale="log", xlabel="sequences a player", ylabel="CPU seconds")
    axes.legend(frameon=False)
    figure.savefig(target, dpi=100)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["measure", *names]:
            with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
                for line in pool.imap(measured, names or TREES):
                    written(line)
                    print(line, flush=True)
        case ["draw", target]:
            draw(target)
        case _:
            for line in lines():
                print(f"{line['seconds']:>6} s, {line['sequences']:>7} sequences: {line['game']}")
