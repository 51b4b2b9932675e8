"""Choose among candidates for the record agent by cross-validation over bots.

``python docs/examples/choose_by_leaving_bots_out.py`` recomputes, from what each candidate was paid
by each of OpenSpiel's 43 bots, the choices that ``docs/roshambo-record.md`` reports. A rule chooses
a candidate by its mean over some bots; what the rule is worth is what its choice is paid by bots
that it was not shown. A candidate's size is the number of its weights: experts times mixers.

Source: :cite:`stone1974cross`.
"""

import csv
from collections import Counter
from pathlib import Path

import numpy as np

FILE = Path(__file__).parent / "data" / "roshambo" / "cross_validation.csv"
WHOLE, BEFORE, DRAWN = "whole", "no_shifts_old_mixers", 20261302
IDEAS = {
    "a script": "rockbot rotatebot pibot textbot debruijn81",
    "chance": "randbot r226bot switchbot switchalot foxtrotbot driftbot adddriftbot2",
    "reaction": "copybot freqbot2 flatbot3 antiflatbot antirotnbot addshiftbot3",
    "history": "markov5 markovbails actr_lag2_decay piedra sweetrock marble granite halbot "
    "predbot robertot mixed_strategy",
    "choice among strategies": "iocainebot phasenbott greenberg biopic mod1bot russrocker4 boom "
    "shofar zq_move multibot",
    "habits of people": "sunNervebot sunCrazybot inocencio peterbot",
}


def read(path=FILE):
    """Return candidates, their sizes, bots, and means (candidates, bots)."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    sizes = {row["candidate"]: int(row["experts"]) * int(row["mixers"]) for row in rows}
    bots = list(dict.fromkeys(row["bot"] for row in rows))
    paid = {(row["candidate"], row["bot"]): int(row["sum"]) / int(row["matches"]) for row in rows}
    means = np.array([[paid[candidate, bot] for bot in bots] for candidate in sizes])
    return list(sizes), np.array(list(sizes.values())), bots, means


def best(means, sizes):
    """Return which candidate is paid most, the first of several."""
    del sizes
    return int(means.mean(axis=1).argmax())


def smallest(means, sizes):
    """Return the smallest candidate that is at most one standard error behind the best.

    The error is that of the mean of paired differences, a bot a pair; of several as small, the
    one that is paid most.
    """
    behind = means[best(means, sizes)] - means
    error = behind.std(axis=1, ddof=1) / np.sqrt(means.shape[1])
    near = np.flatnonzero(behind.mean(axis=1) <= error)
    return int(min(near, key=lambda c: (sizes[c], -means[c].mean())))


def held_out(means, sizes, folds, choose):
    """Return what a rule's choice on all other folds is paid by each bot, and the choices.

    Args:
        folds (bots,): The number of each bot's fold.
    """
    paid, chosen = np.empty(len(folds)), []
    for fold in np.unique(folds):
        is_left_out = folds == fold
        chosen.append(choose(means[:, ~is_left_out], sizes))
        paid[is_left_out] = means[chosen[-1], is_left_out]
    return paid, chosen


def ways_to_fold(bots):
    """Return the fold of each bot: alone, by a draw, and by what the bots go by."""
    rng = np.random.default_rng(DRAWN)
    order = rng.permutation(len(bots))
    idea = {bot: number for number, named in enumerate(IDEAS.values()) for bot in named.split()}
    return {
        "one bot": np.arange(len(bots)),
        "10 folds": order % 10,
        "5 folds": rng.permutation(len(bots)) % 5,
        "an idea": np.array([idea[bot] for bot in bots]),
    }


def difference(paid, other):
    """Return the mean of paired differences, and its standard error over bots."""
    apart = paid - other
    return f"{apart.mean():.2f} ± {apart.std(ddof=1) / np.sqrt(len(apart)):.2f}"


def main():
    """Print candidates, and what rules choose and are paid."""
    names, sizes, bots, means = read()
    whole, before = means[names.index(WHOLE)], means[names.index(BEFORE)]
    print("| candidate | weights | mean | less the whole |\n|---|--:|--:|--:|")
    for c in np.argsort(-means.mean(axis=1)):
        apart = difference(means[c], whole)
        print(f"| {names[c]} | {sizes[c]} | {means[c].mean():.2f} | {apart} |")
    for rule in (best, smallest):
        print(f"\n{rule.__name__}, on all bots: {names[rule(means, sizes)]}")
        print("| left out | held out | less the whole | less the agent before | chosen |")
        print("|---|--:|--:|--:|---|")
        for way, folds in ways_to_fold(bots).items():
            paid, chosen = held_out(means, sizes, folds, rule)
            counts = Counter(names[c] for c in chosen).most_common()
            said = ", ".join(f"{name} {count}" for name, count in counts)
            apart = f"{difference(paid, whole)} | {difference(paid, before)}"
            print(f"| {way} | {paid.mean():.2f} | {apart} | {said} |")


if __name__ == "__main__":
    main()
