"""Agents of repeated rock-paper-scissors against OpenSpiel's 43 bots: the tables of a page.

``python docs/examples/roshambo_agents.py`` prints the tables of ``docs/roshambo-agents.md`` from
``docs/examples/data/roshambo/agents.csv``. With a folder it plays what is missing there first, and
writes that file anew, an hour or two on one core: matches of 1,000 throws, 50 a bot and seed 2027,
but 10 a bot for each of five tables that copies learned, and seed 2028 for all tables.
"""

import csv
import sys
from functools import partial
from pathlib import Path

import numpy as np

from learners.regret import BlumMansour, LocalMinimizer, StronglyAdaptive
from learners.roshambo import evaluate_bot
from learners.roshambo.agents import (
    LanguageModelBot,
    NGram,
    NGramScorer,
    QBot,
    QTable,
    RegretBot,
    train_q_table,
    train_q_table_by_copy,
)
from solvers.local_rules import RegretMatching, RegretMatchingPlus

DATA = Path(__file__).parent / "data" / "roshambo" / "agents.csv"
COLUMNS = ("agent", "training_seed", "seed", "matches", "bot")
COLUMNS += ("sum", "sum_of_squares", "sum_of_even_matches")
SEED, TABLE_SEED, MATCHES = 2027, 2028, 50
MINIMIZERS = {
    "RM": LocalMinimizer(RegretMatching()),
    "RM+": LocalMinimizer(RegretMatchingPlus()),
    "Swap": BlumMansour(),
    "SAOL": StronglyAdaptive(low=-1, high=1),
}
SIGHTS = {
    "R = 0": {"recall": 0},
    "R = 1": {"recall": 1},
    "R = 2": {"recall": 2},
    "experts": {"experts": True},
}
RECALLS = (1, 3, 5)
EPISODES, TRAINING_SEED = 10_000, 2027  # against the population
COPY_EPISODES, COPY_SEEDS, COPY_MATCHES = 50_000, (1, 2, 3, 4, 5), 10  # against a copy
ORDERS = (0, 1, 2, 3, 4, 6)
PAPER = {  # population return, within-population exploitability
    "RM, R = 0": (48.45, 27.39),
    "SAOL, R = 0": (67.30, 34.73),
    "RM+, R = 0": (59.66, 26.36),
    "Swap, R = 0": (62.73, 21.96),
    "SAOL, R = 1": (178.08, 91.32),
    "RM, R = 1": (164.75, 76.30),
    "RM+, R = 1": (169.88, 63.99),
    "Swap, R = 1": (167.99, 48.41),
    "SAOL, R = 2": (171.46, 155.39),
    "RM, R = 2": (175.43, 148.89),
    "RM+, R = 2": (174.44, 121.79),
    "Swap, R = 2": (173.52, 99.93),
    "RM, experts": (157.55, 23.92),
    "RM+, experts": (157.99, 17.51),
    "Swap, experts": (156.93, 15.69),
    "SAOL, experts": (164.77, 16.27),
    "Q-learning by a copy, R = 1": (-531.28, 994.54),
    "Q-learning by a copy, R = 3": (-280.65, 910.56),
    "Q-learning by a copy, R = 5": (-89.67, 405.89),
}
PROTOTYPE = {  # population return and its standard error if known: another program, other seeds
    "RM, R = 0": (48.2, 0.6),
    "RM+, R = 0": (59.6, 0.6),
    "Swap, R = 0": (63.6, 0.6),
    "RM, R = 1": (163.7, 1.3),
    "RM+, R = 1": (171.8, 1.1),
    "Swap, R = 1": (170.0, 1.1),
    "RM, R = 2": (190.7, 0.7),
    "RM+, R = 2": (189.9, 0.7),
    "Swap, R = 2": (187.5, 0.7),
    "RM, experts": (158.8, 1.4),
    "RM+, experts": (158.2, 1.0),
    "Swap, experts": (155.7, 0.6),
    "n-grams, K = 0": (-320.0, None),
    "n-grams, K = 1": (74.0, None),
    "n-grams, K = 2": (157.0, None),
    "n-grams, K = 3": (169.0, None),
    "n-grams, K = 4": (169.0, None),
    "n-grams, K = 6": (170.0, None),
}


def makers():
    """Yield the name of each agent that needs no training, and what makes it."""
    for sight, options in SIGHTS.items():
        for name, minimizer in MINIMIZERS.items():
            yield f"{name}, {sight}", partial(RegretBot, minimizer, **options)
    for order in ORDERS:
        yield f"n-grams, K = {order}", partial(NGram, order)
    model = partial(LanguageModelBot, NGramScorer(3), agent="player1")
    yield "language model of n-grams, K = 3, as player1", model


def kept_table(file, train, **options):
    """Return what makes a bot of a table that is in the file; it is trained if it is not there."""
    if not file.exists():
        train(**options).save(file)
    return partial(QBot, QTable.load(file))


def play(folder):
    """Play all that is not in the folder, and write the file of results."""
    from learners.adapters import open_spiel_population  # noqa: PLC0415 an extra

    population = open_spiel_population()
    rows = [COLUMNS]

    def evaluate(name, maker, training_seed="", seed=SEED, matches=MATCHES):
        file = folder / f"{name} {training_seed}.jsonl".replace(" ", "_")
        scores = evaluate_bot(maker, population, matches=matches, seed=seed, file=file)
        for bot, paid in zip(scores.bots, scores.returns.tolist(), strict=True):
            sums = sum(paid), sum(one**2 for one in paid), sum(paid[::2])
            rows.append((name, training_seed, seed, len(paid), bot, *sums))
        print(f"{name}: {scores.population_return:.2f}", flush=True)

    for name, maker in makers():
        evaluate(name, maker)
    for recall in RECALLS:
        against = partial(train_q_table, population)
        options = {"recall": recall, "episodes": EPISODES, "seed": TRAINING_SEED}
        maker = kept_table(folder / f"q-table-{recall}.npz", against, **options)
        name = f"Q-learning by the population, R = {recall}"
        evaluate(name, maker, TRAINING_SEED, TABLE_SEED)
    for recall in RECALLS:
        for seed in COPY_SEEDS:
            options = {"recall": recall, "episodes": COPY_EPISODES, "seed": seed}
            file = folder / f"q-table-{recall}-copy-{seed}.npz"
            maker = kept_table(file, train_q_table_by_copy, **options)
            evaluate(f"Q-learning by a copy, R = {recall}", maker, seed, TABLE_SEED, COPY_MATCHES)
    with DATA.open("w", newline="", encoding="utf-8") as opened:
        csv.writer(opened).writerows(rows)


def results():
    """Return for each agent its population return, the error, and exploitabilities.

    Where there are several tables, means over them, and the error of the mean over trainings.
    """
    cells = {}
    with DATA.open(encoding="utf-8") as opened:
        for row in csv.DictReader(opened):
            numbers = [int(row[name]) for name in ("matches", *COLUMNS[5:])]
            trained = cells.setdefault(row["agent"], {})
            trained.setdefault(row["training_seed"], []).append(numbers)
    found = {}
    for name, trained in cells.items():
        each = np.array([scores(rows) for rows in trained.values()])
        found[name] = each.mean(axis=0)
        if len(each) > 1:
            found[name][1] = each[:, 0].std(ddof=1) / np.sqrt(len(each))
    return found


def scores(rows):
    """Return the same of one table or agent; rows are matches, sums, sums of squares, even sums."""
    count, total, squares, even = np.array(rows, dtype=float).T
    means = total / count
    errors = np.sqrt((squares - count * means**2) / (count - 1) / count)
    evens, odds = even / np.ceil(count / 2), (total - even) / (count // 2)
    crossed = -(odds[evens.argmin()] + evens[odds.argmin()]) / 2
    return means.mean(), np.sqrt((errors**2).sum()) / len(means), -means.min(), crossed


def table(found):
    """Yield the lines of the table."""
    yield (
        "| agent | population return | paper | z | prototype | z | exploitability, as published "
        "| paper | cross-fitted | aggregate score | paper |"
    )
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    for name, (mean, error, worst, crossed) in found.items():
        published, prototype = ["", "", "", ""], ["", ""]
        if name in PAPER:
            theirs, exploited = PAPER[name]
            z = f"{(mean - theirs) / error:.1f}"
            published = [f"{theirs:.2f}", z, f"{exploited:.2f}", f"{theirs - exploited:.2f}"]
        if name in PROTOTYPE:
            theirs, other = PROTOTYPE[name]
            prototype = [f"{theirs:.0f}", ""]
            if other is not None:
                z = (mean - theirs) / np.hypot(error, other)
                prototype = [f"{theirs:.1f} ± {other:.1f}", f"{z:.1f}"]
        cells = [name, f"{mean:.1f} ± {error:.1f}", *published[:2], *prototype]
        cells += [f"{worst:.1f}", published[2], f"{crossed:.1f}", f"{mean - worst:.1f}"]
        yield "| " + " | ".join([*cells, published[3]]) + " |"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        play(Path(sys.argv[1]))
    for line in table(results()):
        print(line)
