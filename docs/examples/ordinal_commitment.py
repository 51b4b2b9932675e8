"""What is commitment worth over all ordinal 3 x 3 games?

``python docs/examples/ordinal_commitment.py`` looks at every game of two players with three actions
each in which both rank the nine outcomes without ties, payoffs being ranks from 1 to 9: some 3.7
billion up to the names of actions. For each it finds, exactly,

- the best equilibrium in pure strategies for the leader, if there is one,
- the best commitment to an action,
- the best commitment to a mixed strategy, answered by the leader's favorite best response.

A commitment only matters through the follower's best-response regions. So for each of the 10,080
follower's rankings, up to the names of actions, the corners of these regions are found once, and
then all 362,880 leader's rankings are looked at together. ``--followers 100`` draws as many of the
follower's rankings instead, and ``--check 50`` compares as many games with ``solve_many``.
"""

import argparse
from fractions import Fraction
from itertools import combinations, permutations
from math import lcm

import numpy as np

from solvers import solve_many

ACTIONS = range(3)
CELLS = 9
BLOCK = 8_192


def followers():
    """Return one ranking of each class of 3 x 3 rankings that only differ in names of actions."""
    kept = []
    for ranks in permutations(range(1, CELLS + 1)):
        own = (ranks[:3], ranks[3:6], ranks[6:])
        first = own[0]
        if first[0] == CELLS and own[1] > own[2] and first[1] > first[2]:
            kept.append(own)
    return np.array(kept)


def corners(follower):
    """Return the corners of the best-response regions: integers for the leader, and the answers.

    Args:
        follower (3, 3): The follower's ranks of leader's actions x own.
    """
    points = {tuple(int(i == k) for i in ACTIONS) for k in ACTIONS}
    for one, other in combinations(ACTIONS, 2):
        gaps = [int(gap) for gap in follower[:, one] - follower[:, other]]
        for i, k in combinations(ACTIONS, 2):
            if gaps[i] * gaps[k] < 0:
                point = [0, 0, 0]
                point[i], point[k] = abs(gaps[k]), abs(gaps[i])
                points.add(tuple(point))
    first, second = (follower[:, 0] - follower[:, own] for own in (1, 2))
    inside = np.cross(first, second)
    if (inside > 0).all() or (inside < 0).all():
        points.add(tuple(int(abs(weight)) for weight in inside))
    for point in points:
        earned = np.array(point) @ follower
        for answer in np.flatnonzero(earned == earned.max()).tolist():
            yield point, answer


def values(follower, leaders):
    """Return best mixed and pure commitments, as integers times a common scale, and the scale.

    Args:
        leaders (9, num_rankings): All rankings of the leader, as float32.
    """
    found = list(corners(follower))
    scale = lcm(*(sum(point) for point, _ in found))
    if CELLS * scale >= 2**24:
        raise ValueError(f"the scale {scale} is too large for floats of 32 bits to be exact")
    table = np.zeros((len(found), CELLS), dtype=np.float32)
    for row, (point, answer) in enumerate(found):
        for action in ACTIONS:
            table[row, 3 * action + answer] = point[action] * (scale // sum(point))
    mixed = np.empty(leaders.shape[1], dtype=np.int32)
    for start in range(0, len(mixed), BLOCK):  # so that products stay in the cache
        block = slice(start, start + BLOCK)
        mixed[block] = (table @ leaders[:, block]).max(axis=0)
    nash = np.zeros(len(mixed), dtype=np.int32)
    pure = np.zeros_like(nash)
    for action, answer in enumerate(follower.argmax(axis=1)):
        own = leaders[3 * action + answer]
        np.maximum(pure, own, out=pure, casting="unsafe")
        rest = [leaders[3 * other + answer] for other in ACTIONS if other != action]
        is_stable = (own > rest[0]) & (own > rest[1])
        np.maximum(nash, own * is_stable, out=nash, casting="unsafe")
    return mixed, pure * scale, nash * scale, scale


def check(follower, leaders, mixed, scale, count, rng):
    """Compare some games with ``solve_many``."""
    chosen = rng.choice(leaders.shape[1], count, replace=False)
    games = np.stack(
        [leaders[:, chosen].T.reshape(-1, 3, 3), np.broadcast_to(follower, (count, 3, 3))], axis=1
    ).astype(np.int64)
    for index, answer in zip(chosen, solve_many(games, "stackelberg"), strict=True):
        if answer.payoffs[0] != Fraction(int(mixed[index]), scale):
            raise ValueError(f"{games[index]}: {answer.payoffs[0]} is not {mixed[index]}/{scale}")


def main():
    """Read options, look at all games, and print shares and means."""
    parser = argparse.ArgumentParser(description="What commitment is worth in ordinal games.")
    parser.add_argument("--followers", type=int, default=None, help="default: all 10,080")
    parser.add_argument("--check", type=int, default=0, help="games a follower, by solve_many")
    parser.add_argument("--seed", type=int, default=0, help="of what is drawn")
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    rankings = followers()
    if options.followers is not None:
        rankings = rng.permutation(rankings)[: options.followers]
    leaders = np.array(list(permutations(range(1, CELLS + 1))), dtype=np.float32).T.copy()
    total = mixed_gains = no_pure = pure_gains = 0
    mixed_sum = pure_sum = Fraction(0)
    for follower in rankings:
        mixed, pure, nash, scale = values(follower, leaders)
        if options.check:
            check(follower, leaders, mixed, scale, options.check, rng)
        has_pure = nash > 0
        total += len(mixed)
        no_pure += int((~has_pure).sum())
        mixed_gains += int((mixed > pure).sum())
        pure_gains += int((pure > nash)[has_pure].sum())
        mixed_sum += Fraction(int((mixed - pure).sum()), scale)
        pure_sum += Fraction(int((pure - nash)[has_pure].sum()), scale)
    for words, value in (
        ("games", f"{total:,}"),
        ("without an equilibrium in pure strategies", f"{no_pure / total:.6f}"),
        ("an action committed to beats the best of these", f"{pure_gains / total:.6f}"),
        (
            "... by ranks, on average where there is one",
            f"{float(pure_sum) / (total - no_pure):.6f}",
        ),
        ("a mixed strategy beats every action", f"{mixed_gains / total:.6f}"),
        ("... by ranks, on average over all games", f"{float(mixed_sum) / total:.6f}"),
    ):
        print(f"{words:48} {value}")


if __name__ == "__main__":
    main()
