"""Skew matrices of the kinds that evaluations of agents have, drawn at random."""

import numpy as np


def skew(table):
    """Keep what is above the diagonal, and its negative below."""
    upper = np.triu(table, 1)
    return upper - upper.T


def gaussian(size, rng):
    """No structure, no ties."""
    return skew(rng.standard_normal((size, size)))


def smooth(size, rng):
    """Chances of winning by ratings and a position on a circle: transitive and cyclic."""
    rating, angle = rng.standard_normal(size), rng.uniform(0, 2 * np.pi, size)
    edge = np.subtract.outer(rating, rating) + 0.8 * np.sin(np.subtract.outer(angle, angle))
    return skew(1 / (1 + np.exp(-edge)) - 0.5)


def quantized(size, rng):
    """The same, estimated from 30 matches."""
    return skew(rng.binomial(30, smooth(size, rng) + 0.5) / 30 - 0.5)


def ties(size, rng):
    """Wins, draws and losses."""
    return skew(rng.integers(-1, 2, (size, size)).astype(float))


def clones(size, rng):
    """A few agents, each many times."""
    kinds = max(3, size // 5)
    kind = rng.integers(0, kinds, size)
    return ties(kinds, rng)[np.ix_(kind, kind)]


def low_rank(size, rng):
    """A sum of three cyclic games: every agent can be played, in many mixtures."""
    left, right = rng.standard_normal((2, size, 3))
    return skew(left @ right.T - right @ left.T)


def late(size, rng):
    """Agents of a training run: later ones are better, in circles."""
    skill = np.linspace(0, 4, size) + 0.5 * rng.standard_normal(size)
    angle = rng.uniform(0, 2 * np.pi, size)
    edge = np.subtract.outer(skill, skill) + 1.5 * np.sin(np.subtract.outer(angle, angle))
    return skew(rng.binomial(50, 1 / (1 + np.exp(-edge))) / 50 - 0.5)


FAMILIES = {
    family.__name__: family
    for family in (gaussian, smooth, quantized, ties, clones, low_rank, late)
}
