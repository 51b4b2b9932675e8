"""Larger polymatrix games for tests and benchmarks: random edges between many players."""

from itertools import combinations

import numpy as np

from gametheory_core import compact


def random_polymatrix(players, actions, degree, *, seed, zero_sum=False):
    """A game in which each pair shares an edge with the chance that gives so many neighbors."""
    rng = np.random.default_rng(seed)
    edges = {}
    for pair in combinations(range(players), 2):
        if rng.random() < degree / (players - 1):
            first = rng.integers(-9, 10, (actions, actions))
            second = -first if zero_sum else rng.integers(-9, 10, (actions, actions))
            edges[pair] = (first.tolist(), second.tolist())
    labels = (tuple("abcdefgh"[:actions]),) * players
    return compact.PolymatrixGame.from_edges(edges, actions=labels)


def random_graphical(players, *, seed):
    """A game of two actions in which each player looks at one to three others."""
    rng = np.random.default_rng(seed)
    near = []
    for i in range(players):
        others = [j for j in range(players) if j != i]
        size = int(rng.integers(1, min(4, players)))
        near.append(sorted(rng.choice(others, size=size, replace=False).tolist()))
    tables = [rng.integers(0, 3, (2,) * (1 + len(own))) for own in near]
    return compact.GraphicalGame.from_tables(near, tables)
