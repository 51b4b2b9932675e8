"""Time and memory against the size of trees: solved exactly, or played over ranges of hands.

``python docs/examples/tree_sizes.py solved measure [NAME ...]`` solves the trees named, or else
all, each in a process of its own, and writes a line for each into a CSV file of ``data``; about ten
minutes of CPU time and 10 GB of memory for all. ``... ranges measure [NAME ...]`` plays steps of
CFR+ over ranges of hands: three minutes and 2 GB. ``... solved draw PICTURE`` draws the picture of
``docs/sequence-form.md``, ``... ranges draw PICTURE`` that of ``docs/ranges.md``; without arguments
the files are printed. CPU seconds on one thread, from the laid-out tree to the certified answer, or
of a step of both players; memory is the peak of the process beyond what it had before (Linux).
"""

import csv
import sys
import time
from functools import partial
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
    kuhn_poker_ranges,
    leduc_poker_ranges,
    liars_dice_ranges,
)
from gametheory_core.games import lay_out_rules
from gametheory_core.strategies import sequence_form
from solvers import counterfactual_regret, sequence_form_lp
from solvers.counterfactual import range_counterfactual_regret

DATA = Path(__file__).parent / "data"
STEPS = 20
SOLVED = {  # by the number of sequences
    "Kuhn poker, 100 cards": KuhnRules(cards=100),
    "Leduc poker": LeducRules(),
    "goofspiel, 5 cards": GoofspielRules(cards=5),
    "goofspiel, 4 cards, all prize orders": GoofspielRules(cards=4, prizes=Prizes.RANDOM),
    "Leduc poker, 6 ranks": LeducRules(ranks=6),
    "liar's dice, 1 x 5": LiarsDiceRules(sides=5),
    "goofspiel, 4 cards, open bids": GoofspielRules(4, Prizes.RANDOM, Bids.OPEN),
    "oshi-zumo, 8 coins": OshiZumoRules(coins=8),
    "Leduc poker, 10 ranks": LeducRules(ranks=10),
    "liar's dice, 1 x 6": LiarsDiceRules(sides=6),
    "liar's dice, 2 x 3": LiarsDiceRules(sides=3, dice=2),
    "goofspiel, 6 cards": GoofspielRules(cards=6),
    "liar's dice, 1 x 7": LiarsDiceRules(sides=7),
    "oshi-zumo, 10 coins": OshiZumoRules(coins=10),
    "goofspiel, 5 cards, all prize orders": GoofspielRules(cards=5, prizes=Prizes.RANDOM),
    "liar's dice, 1 x 8": LiarsDiceRules(sides=8),
    "oshi-zumo, 11 coins": OshiZumoRules(coins=11),
    "goofspiel, 5 cards, open bids": GoofspielRules(5, Prizes.RANDOM, Bids.OPEN),
    "goofspiel, 5 cards, open bids, paid by points": GoofspielRules(
        5, Prizes.RANDOM, Bids.OPEN, Payment.POINT_DIFFERENCE
    ),
}
RANGES = {
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


def memory_before():
    """Return what the process has, and forget the most it had."""
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
    return memory_of("VmRSS")


def solved(name):
    """Solve a tree, and return its line."""
    for solve in (counterfactual_regret, sequence_form_lp):  # loads what is compiled
        solve(lay_out_rules(LeducRules()))
    tree = lay_out_rules(SOLVED[name])
    memory, before = memory_before(), time.process_time()
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


def played(name):
    """Play a game over ranges, and return its line."""
    range_counterfactual_regret(kuhn_poker_ranges(), steps=2)  # loads what is compiled
    memory, game = memory_before(), RANGES[name]()
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


# what is measured -> its file, the games, what makes a line, and axes: across and up, in words
KINDS = {
    "solved": (
        DATA / "zero-sum-tree-sizes.csv",
        list(SOLVED),
        solved,
        ("sequences", "sequences a player"),
        {"seconds": "CPU seconds"},
    ),
    "ranges": (
        DATA / "range-sizes.csv",
        list(RANGES),
        played,
        ("nodes", "nodes of the tree"),
        {"seconds": "CPU seconds a step", "megabytes": "megabytes at the peak"},
    ),
}


def lines(file):
    """Return the lines of a file."""
    with file.open(encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text))


def write(kind, line):
    """Put a line into its file, in the place of an older one of the same game, small ones first."""
    file, games, *_ = KINDS[kind]
    kept = [own for own in lines(file) if own["game"] != line["game"]] if file.exists() else []
    with file.open("w", encoding="utf-8", newline="") as text:
        table = csv.DictWriter(text, line, lineterminator="\n")
        table.writeheader()
        table.writerows(sorted([*kept, line], key=lambda own: games.index(own["game"])))


def draw(kind, target):
    """Draw what was measured against size, a color for each family."""
    file, _, _, (size, words), measures = KINDS[kind]
    families = dict.fromkeys(own["game"].split(",")[0] for own in lines(file))
    figure = Figure(figsize=(2 + 3.5 * len(measures), 3.8), layout="constrained")
    panels = figure.subplots(1, len(measures), squeeze=False)[0]
    for axes, (field, label) in zip(panels, measures.items(), strict=True):
        for family, marker in zip(families, "osD^v", strict=False):
            own = [line for line in lines(file) if line["game"].split(",")[0] == family]
            own = [line for line in own if float(line[field]) > 0]
            sizes = [int(line[size]) for line in own]
            axes.plot(sizes, [float(line[field]) for line in own], marker, label=family)
        axes.set(xscale="log", yscale="log", xlabel=words, ylabel=label)
    panels[0].legend(frameon=False)
    figure.savefig(target, dpi=100)


if __name__ == "__main__":
    match sys.argv[1:]:
        case [kind, "measure", *names]:
            _, games, measured, *_ = KINDS[kind]
            with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
                for line in pool.imap(measured, names or games):
                    write(kind, line)
                    print(line, flush=True)
        case [kind, "draw", target]:
            draw(kind, target)
        case _:
            for file, *_ in KINDS.values():
                for line in lines(file):
                    print(f"{line['seconds']:>9} s, {line['nodes']:>13} nodes: {line['game']}")
