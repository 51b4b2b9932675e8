"""How many equilibria does a random game have?

``python docs/examples/count_equilibria.py --games 10_000_000 --actions 3`` counts the Nash
equilibria of so many games whose payoffs are independent and normal, all of each game, exactly: the
payoffs are the rational numbers that the floats are. It writes a table: how many games have how
many equilibria, how many of these are pure, and the mean beside what is known (an expected number
of pure equilibria of 1; Goldberg, Goldman and Newman 1968).

The games are drawn in blocks, each from its own seed, so that the table is a function of the seed
and the number of games alone.
"""

import argparse
from collections import Counter

import numpy as np

from solvers import solve_many

BLOCK = 50_000


def count(num_games, num_actions, seed, workers=1):
    """Return Counter of (equilibria, pure ones) over random games."""
    found = Counter()
    for block, start in enumerate(range(0, num_games, BLOCK)):
        size = min(BLOCK, num_games - start)
        rng = np.random.default_rng([seed, block])
        payoffs = rng.standard_normal((size, 2, num_actions, num_actions))
        answers = solve_many(payoffs, "all-nash", workers=workers)
        played = [(own > 0).sum(axis=1) for own in answers.strategies]
        is_pure = (played[0] == 1) & (played[1] == 1)
        pure = np.bincount(answers.games[is_pure], minlength=size)
        found.update(zip(answers.counts.tolist(), pure.tolist(), strict=True))
    return found


def report(found):
    """Print how many games have how many equilibria, and the means."""
    total = sum(found.values())
    by_number = Counter()
    for (equilibria, _), games in found.items():
        by_number[equilibria] += games
    print("equilibria  games        share")
    for equilibria, games in sorted(by_number.items()):
        print(f"{equilibria:10}  {games:11,}  {games / total:.6f}")
    mean = sum(number * games for number, games in by_number.items()) / total
    pure = sum(pure * games for (_, pure), games in found.items()) / total
    print(f"mean {mean:.5f}, of which pure {pure:.5f}")


def main():
    """Read options, count, and print."""
    parser = argparse.ArgumentParser(description="Count the equilibria of random games.")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--actions", type=int, default=3, help="of each player")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1, help="threads")
    options = parser.parse_args()
    report(count(options.games, options.actions, options.seed, options.workers))


if __name__ == "__main__":
    main()
